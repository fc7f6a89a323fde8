// Returns the state of the viewport, how long short animations still run, the number of spinners, the number of the last timer, how
// many documents that sums up, how many documents were read, a fingerprint, and what the DOM snapshot lacks: which elements have
// the focus, are invalid, indeterminate or modal, and which tables are only layout. Each element is given by its path of child
// indices; -1 enters a shadow tree, -2 the document of a frame. All properties are read through prototypes, since pages can shadow
// them with element names.
function () {
  const getter = (kind, name) => Object.getOwnPropertyDescriptor(kind.prototype, name).get;
  const call = Function.prototype.call;
  const parentOf = call.bind(getter(Node, 'parentNode'));
  const previousSibling = call.bind(getter(Element, 'previousElementSibling'));
  const shadowOf = call.bind(getter(Element, 'shadowRoot'));
  const kindOf = call.bind(getter(Node, 'nodeType'));
  const hostOf = call.bind(getter(ShadowRoot, 'host'));
  const bodyOf = call.bind(getter(Document, 'body'));
  const topOf = call.bind(getter(Document, 'documentElement'));
  const tagOf = call.bind(getter(Element, 'localName'));
  const findInDocument = call.bind(Document.prototype.querySelectorAll);
  const findInShadow = call.bind(DocumentFragment.prototype.querySelectorAll);
  const activeInDocument = call.bind(getter(Document, 'activeElement'));
  const visibilityOf = call.bind(getter(Document, 'visibilityState'));
  const windowOf = call.bind(getter(Document, 'defaultView'));
  const activeInShadow = call.bind(getter(ShadowRoot, 'activeElement'));
  const WATCH = Symbol.for('watch');
  const isRendered = call.bind(Element.prototype.checkVisibility);
  const boxOf = call.bind(Element.prototype.getBoundingClientRect);
  const notes = [];
  // The fingerprint is what can change without layout, without new styles and without another number of listeners, which the browser
  // counts. There is none while something moves by itself, or where changes are not watched. Scrolling is reported with the next
  // frame, which hidden pages do not have.
  const fingerprint = [];
  let [readable, hash, known] = [0, 0, true];
  const mix = (number) => { hash = (Math.imul(hash, 31) + Math.round(number * 8)) | 0; };
  const mixText = (text) => { for (let at = 0; at < text.length; at += 1) mix(text.charCodeAt(at)); };
  const addDocument = (root, watch) => {
    readable += 1;
    const window = windowOf(root);
    const changes = watch?.countChanges();
    if (changes === undefined || visibilityOf(root) === 'hidden') known = false;
    // Styles and layout are brought up to date, so that the browser's counters contain them.
    if (topOf(root)) boxOf(topOf(root));
    fingerprint.push(window.location.href, window.performance.timeOrigin, changes, window.scrollX, window.scrollY);
  };
  const addControl = (control) => {
    mix(control.checked ? 1 : 2);
    if (tagOf(control) === 'select') for (const option of control.selectedOptions) mix(option.index + 3);
    else mixText(control.value);
  };
  const pathOf = (element, prefix) => {
    const steps = [];
    let at = element;
    while (at && kindOf(at) === 1) {
      let index = 0;
      for (let sibling = previousSibling(at); sibling; sibling = previousSibling(sibling)) index += 1;
      steps.push(index);
      at = parentOf(at);
      if (at instanceof ShadowRoot) {
        steps.push(-1);
        at = hostOf(at);
      }
    }
    return prefix.concat(steps.reverse());
  };
  const note = (kind, element, prefix) => {
    if (notes.length < 2000) notes.push([kind, tagOf(element), ...pathOf(element, prefix)]);
  };
  const isLayoutTable = (table) => {
    const style = (element) => getComputedStyle(element);
    const tableStyle = style(table);
    const spaced = !tableStyle.borderSpacing.split(' ').includes('0px');
    let [cells, bordered, colored, top, bottom, left, right] = [0, 0, 0, 0, 0, 0, 0];
    const rows = [];
    let row = -1;
    for (const line of table.rows) {
      row += 1;
      for (const cell of line.cells) {
        const box = cell.getBoundingClientRect();
        if (box.width < 1 || box.height < 1) continue;
        const cellStyle = style(cell);
        cells += 1;
        if (cellStyle.emptyCells === 'hide') return false;
        const hasBorder = (side) => parseFloat(cellStyle[`border${side}Width`]) > 0;
        const sides = [hasBorder('Top'), hasBorder('Bottom'), hasBorder('Left'), hasBorder('Right')];
        if ((sides[0] && sides[1]) || (sides[2] && sides[3])) bordered += 1;
        top += sides[0];
        bottom += sides[1];
        left += sides[2];
        right += sides[3];
        const color = cellStyle.backgroundColor;
        if (spaced && color !== tableStyle.backgroundColor && color !== 'rgba(0, 0, 0, 0)') colored += 1;
        if (bordered >= 10 || colored >= 10) return false;
        if (row < 5 && row === rows.length) rows.push(style(line).backgroundColor);
      }
    }
    if (cells <= 1) return true;
    const half = Math.floor(cells / 2);
    if ([bordered, top, bottom, left, right, colored].some((count) => count >= half)) return false;
    if (rows.length > 2) {
      return rows.some((color, at) => at > 0 && (at % 2 === 1) === (color === rows[0]));
    }
    return true;
  };
  // The milliseconds until the last animation ends that shows, hides or moves something and is short enough for the change
  // from one state to another.
  let animated = 0;
  const LONGEST_CHANGE = 1000;
  const VISIBLE_PROPERTIES = new RegExp('^(opacity|visibility|display|clip|transform|translate|scale|rotate|top|left|right'
    + '|bottom|inset|margin|padding|width|height|max|min|offset|font|zoom|flex|gap|grid)');
  // Small elements that turn without end and soon, or are named after it, show that something is going on.
  let spinners = 0;
  const LARGEST_SPINNER = 100;
  const LONGEST_TURN = 4000;
  const SPINNER_NAMES = /spin|load(er|ing)|progress/i;
  const classOf = (element) => Element.prototype.getAttribute.call(element, 'class') || '';
  const isSpinner = ({ effect, animationName }) => {
    const element = effect.target;
    const { iterations, duration } = effect.getTiming();
    if (!element || iterations !== Infinity || !(duration <= LONGEST_TURN)) return false;
    const turns = effect.getKeyframes().some(({ transform, rotate }) => /rotate/.test(transform) || (rotate && rotate !== 'none'));
    if (!turns && !SPINNER_NAMES.test(`${classOf(element)} ${animationName}`)) return false;
    const box = boxOf(element);
    return box.width > 0 && box.height > 0 && Math.min(box.width, box.height) <= LARGEST_SPINNER
      && isRendered(element, { opacityProperty: true, visibilityProperty: true });
  };
  // Timer ids are sequential per document, so two views show whether scripts started timers in between. Our own scripts start
  // none.
  let [timers, documents] = [0, 0];
  const countTimers = (window) => {
    const timer = window.setTimeout(() => {});
    window.clearTimeout(timer);
    timers += timer;
    // A frame may be forbidden to start any.
    documents += timer > 0;
  };
  const animationsIn = { document: Document.prototype.getAnimations, shadow: ShadowRoot.prototype.getAnimations };
  const measureAnimations = (root, kind) => {
    for (const animation of animationsIn[kind].call(root).slice(0, 200)) {
      if (animation.playState !== 'running' || !animation.effect?.getKeyframes) continue;
      known = false;
      spinners += isSpinner(animation);
      const left = (animation.effect.getComputedTiming().endTime - animation.currentTime) / animation.playbackRate;
      if (!(left > animated && left <= LONGEST_CHANGE)) continue;
      const properties = animation.effect.getKeyframes().flatMap((frame) => Object.keys(frame));
      if (properties.some((property) => VISIBLE_PROPERTIES.test(property))) animated = left;
    }
  };
  const DATA_MARKUP = 'caption, thead, tfoot, col, colgroup, th, [scope], [headers], [abbr]';
  const collect = (root, prefix, watch) => {
    const shadow = root instanceof ShadowRoot;
    const find = (css) => (shadow ? findInShadow(root, css) : findInDocument(root, css));
    const active = shadow ? activeInShadow(root) : activeInDocument(root);
    measureAnimations(root, shadow ? 'shadow' : 'document');
    if (!shadow) {
      countTimers(windowOf(root));
      addDocument(root, watch);
    }
    const isDefault = !active || (!shadow && (active === bodyOf(root) || active === topOf(root)));
    if (!isDefault) {
      const inner = shadowOf(active) || watch?.closed.get(active)?.deref();
      if (!(inner && activeInShadow(inner))) note('focused', active, prefix);
    }
    for (const control of find('input:invalid, select:invalid, textarea:invalid, button:invalid')) {
      const empty = tagOf(control) !== 'select' && control.required && control.value === '';
      const field = tagOf(control) === 'textarea' || !['checkbox', 'radio', 'file'].includes(control.type);
      if (control.validity.customError || !(empty && field)) note('invalid', control, prefix);
    }
    for (const checkbox of find('input[type=checkbox i]:indeterminate')) note('mixed', checkbox, prefix);
    for (const modal of find(':modal')) note('modal', modal, prefix);
    if (CSS.supports('selector(:open)')) {
      for (const list of find('select:open')) note('open', list, prefix);
    }
    for (const files of find('input[type=file i]')) {
      if (files.files.length > 1) note(`files ${files.files.length}`, files, prefix);
    }
    for (const table of find('table:not([role])')) {
      if (table.rows.length >= 20 || !table.rows.length) continue;
      const hasDataMarkup = [...table.children].some((child) => child.matches('caption, thead, tfoot, col, colgroup'))
        || [...table.rows].some((line) => [...line.cells].some((cell) => cell.matches(DATA_MARKUP)));
      if (!hasDataMarkup && isLayoutTable(table)) note('layout', table, prefix);
    }
    for (const frame of find('iframe, frame, object')) {
      const inner = frame.contentDocument;
      if (inner) collect(inner, pathOf(frame, prefix).concat(-2), windowOf(inner)?.[WATCH]);
    }
    for (const control of find('input, select, textarea')) addControl(control);
    for (const element of find('*')) {
      const inner = shadowOf(element) || watch?.closed.get(element)?.deref();
      if (!inner) continue;
      if (!watch?.roots.has(inner)) known = false;
      collect(inner, prefix, watch);
    }
  };
  collect(document, [], globalThis[WATCH]);
  const pinch = window.visualViewport;
  return [devicePixelRatio, innerWidth, innerHeight, pinch ? pinch.scale : 1,
    pinch ? pinch.offsetLeft : 0, pinch ? pinch.offsetTop : 0, animated, spinners, timers, documents, readable,
    known ? `${fingerprint.join(' ')} ${hash}` : null, notes];
}
