// Returns the state of the viewport, and what the DOM snapshot lacks: which elements have the focus, are invalid, indeterminate
// or modal, and which tables are only layout. Each element is given by its path of child indices; -1 enters a shadow tree, -2
// the document of a frame. All properties are read through prototypes, since pages can shadow them with element names.
function () {
  const getter = (kind, name) => Object.getOwnPropertyDescriptor(kind.prototype, name).get;
  const call = Function.prototype.call;
  const parentOf = call.bind(getter(Node, 'parentNode'));
  const before = call.bind(getter(Element, 'previousElementSibling'));
  const shadowOf = call.bind(getter(Element, 'shadowRoot'));
  const kindOf = call.bind(getter(Node, 'nodeType'));
  const hostOf = call.bind(getter(ShadowRoot, 'host'));
  const bodyOf = call.bind(getter(Document, 'body'));
  const topOf = call.bind(getter(Document, 'documentElement'));
  const tagOf = call.bind(getter(Element, 'localName'));
  const findInDocument = call.bind(Document.prototype.querySelectorAll);
  const findInShadow = call.bind(DocumentFragment.prototype.querySelectorAll);
  const activeInDocument = call.bind(getter(Document, 'activeElement'));
  const activeInShadow = call.bind(getter(ShadowRoot, 'activeElement'));
  const eye = globalThis[Symbol.for('eye')];
  const notes = [];
  const wayTo = (element, prefix) => {
    const steps = [];
    let at = element;
    while (at && kindOf(at) === 1) {
      let place = 0;
      for (let sibling = before(at); sibling; sibling = before(sibling)) place += 1;
      steps.push(place);
      at = parentOf(at);
      if (at instanceof ShadowRoot) {
        steps.push(-1);
        at = hostOf(at);
      }
    }
    return prefix.concat(steps.reverse());
  };
  const note = (kind, element, prefix) => {
    if (notes.length < 2000) notes.push([kind, tagOf(element), ...wayTo(element, prefix)]);
  };
  const lays = (table) => {
    const style = (element) => getComputedStyle(element);
    const own = style(table);
    const spaced = !own.borderSpacing.split(' ').includes('0px');
    let [cells, framed, coloured, top, bottom, left, right] = [0, 0, 0, 0, 0, 0, 0];
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
        const wide = (side) => parseFloat(cellStyle[`border${side}Width`]) > 0;
        const sides = [wide('Top'), wide('Bottom'), wide('Left'), wide('Right')];
        if ((sides[0] && sides[1]) || (sides[2] && sides[3])) framed += 1;
        top += sides[0];
        bottom += sides[1];
        left += sides[2];
        right += sides[3];
        const colour = cellStyle.backgroundColor;
        if (spaced && colour !== own.backgroundColor && colour !== 'rgba(0, 0, 0, 0)') coloured += 1;
        if (framed >= 10 || coloured >= 10) return false;
        if (row < 5 && row === rows.length) rows.push(style(line).backgroundColor);
      }
    }
    if (cells <= 1) return true;
    const half = Math.floor(cells / 2);
    if ([framed, top, bottom, left, right, coloured].some((count) => count >= half)) return false;
    if (rows.length > 2) {
      return rows.some((colour, at) => at > 0 && (at % 2 === 1) === (colour === rows[0]));
    }
    return true;
  };
  const tells = 'caption, thead, tfoot, col, colgroup, th, [scope], [headers], [abbr]';
  const read = (root, prefix) => {
    const shadow = root instanceof ShadowRoot;
    const find = (css) => (shadow ? findInShadow(root, css) : findInDocument(root, css));
    const active = shadow ? activeInShadow(root) : activeInDocument(root);
    const plain = !active || (!shadow && (active === bodyOf(root) || active === topOf(root)));
    if (!plain) {
      const inner = shadowOf(active) || (eye && eye.closed.get(active)?.deref());
      if (!(inner && activeInShadow(inner))) note('focused', active, prefix);
    }
    for (const wrong of find('input:invalid, select:invalid, textarea:invalid, button:invalid')) {
      const empty = tagOf(wrong) !== 'select' && wrong.required && wrong.value === '';
      const field = tagOf(wrong) === 'textarea' || !['checkbox', 'radio', 'file'].includes(wrong.type);
      if (wrong.validity.customError || !(empty && field)) note('invalid', wrong, prefix);
    }
    for (const half of find('input[type=checkbox i]:indeterminate')) note('mixed', half, prefix);
    for (const modal of find(':modal')) note('modal', modal, prefix);
    if (CSS.supports('selector(:open)')) {
      for (const list of find('select:open')) note('open', list, prefix);
    }
    for (const files of find('input[type=file i]')) {
      if (files.files.length > 1) note(`files ${files.files.length}`, files, prefix);
    }
    for (const table of find('table:not([role])')) {
      if (table.rows.length >= 20 || !table.rows.length) continue;
      const said = [...table.children].some((child) => child.matches('caption, thead, tfoot, col, colgroup'))
        || [...table.rows].some((line) => [...line.cells].some((cell) => cell.matches(tells)));
      if (!said && lays(table)) note('layout', table, prefix);
    }
    for (const frame of find('iframe, frame, object')) {
      const inner = frame.contentDocument;
      if (inner) read(inner, wayTo(frame, prefix).concat(-2));
    }
    for (const element of find('*')) {
      const inner = shadowOf(element) || (eye && eye.closed.get(element)?.deref());
      if (inner) read(inner, prefix);
    }
  };
  read(document, []);
  const pinch = window.visualViewport;
  return [devicePixelRatio, innerWidth, innerHeight, pinch ? pinch.scale : 1,
    pinch ? pinch.offsetLeft : 0, pinch ? pinch.offsetTop : 0, notes];
}
