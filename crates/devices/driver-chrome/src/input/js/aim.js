// Returns a point where `this` can be clicked now: scrolled into view, not moving and not covered. Runs in an isolated world and
// leaves nothing behind. `lastCenter` is the center of `this` when it was observed, in the viewport of its session;
// `inRemoteFrame` is whether that viewport is a frame in another process; with `inPlace` nothing is scrolled. `onTarget`, if
// given, is called with functions that check whether a mouse event hits `this`, whether the event that ends a press misses it,
// hits something above it or what replaced it, whether it holds a frame, and whether it is gone. `drawing` are the functions in
// drawing.js.
async function (lastCenter, inRemoteFrame, inPlace, onTarget) {
  const parentOf = (node) => {
    if (node.assignedSlot) return node.assignedSlot;
    if (node.parentElement) return node.parentElement;
    const root = node.getRootNode();
    return root.host && root.nodeType === 11 ? root.host : null;
  };
  // The fields of a form are properties of it and shadow its methods, such as `children` or `matches`.
  const matchesCss = (node, css) => Element.prototype.matches.call(node, css);
  const shorten = (text, maxLength) => {
    const words = String(text || "").replace(/\s+/g, " ").trim();
    return words.length > maxLength ? words.slice(0, maxLength) + "…" : words;
  };
  const describe = (node) => {
    const name = node.tagName.toLowerCase() + (node.id ? "#" + shorten(node.id, 40) : "");
    const words = shorten(node.getAttribute("aria-label") || node.innerText || node.textContent, 60);
    return words ? `${name} ${JSON.stringify(words)}` : name;
  };
  const refused = (why) => ({ is: "refused", why });
  const refusedForNow = (why) => ({ is: "refused", why, passes: true });
  if (!this.isConnected || !this.ownerDocument.defaultView) return { is: "gone" };

  await drawing.firstPaint(this.ownerDocument.defaultView);

  // A closed select shows its options in a popup of the browser, where keys select them.
  if (this.localName === "option") {
    const list = this.closest("select");
    if (list && list.size <= 1 && !list.multiple) return { is: "option" };
  }

  // The ancestor that receives the click if `this` has `pointer-events: none`.
  let target = this;
  const windowOf = (node) => node.ownerDocument.defaultView;
  while (windowOf(target).getComputedStyle(target).pointerEvents === "none") {
    const parent = parentOf(target);
    if (!parent || parent.localName === "body" || parent.localName === "html") {
      return refused("it lets the mouse through (pointer-events: none)");
    }
    target = parent;
  }
  for (let node = target; node; node = parentOf(node)) {
    if (matchesCss(node, ":disabled")) return refused(`${node === this ? "it" : describe(node)} is disabled`);
    if (node.inert === true) return refused("it is inert");
  }
  if (target.localName === "label" && target.control && target.control.matches(":disabled")) {
    return refused("what it labels is disabled");
  }

  const nonEmpty = (rects) => [...rects].filter((rect) => rect.width >= 1 && rect.height >= 1);
  const boxesOf = (node) => {
    if (node.localName === "area") {
      const map = node.closest("map");
      const image = map && [...node.getRootNode().querySelectorAll("img[usemap]")]
        .find((image) => image.useMap === "#" + map.name);
      if (!image) return [];
      const at = image.getBoundingClientRect();
      const left = at.left + image.clientLeft;
      const top = at.top + image.clientTop;
      const numbers = (node.coords || "").split(/[ ,;]+/).map(Number).filter(Number.isFinite);
      if (node.shape === "default" || numbers.length < 3) return nonEmpty([at]);
      if (numbers.length === 3) {
        const [x, y, radius] = numbers;
        return nonEmpty([new DOMRect(left + x - radius / 2, top + y - radius / 2, radius, radius)]);
      }
      const xs = numbers.filter((_, place) => place % 2 === 0);
      const ys = numbers.filter((_, place) => place % 2 === 1);
      const [x, y] = [Math.min(...xs), Math.min(...ys)];
      return nonEmpty([new DOMRect(left + x, top + y, Math.max(...xs) - x, Math.max(...ys) - y)]);
    }
    const own = nonEmpty(node.getClientRects());
    if (own.length) return own;
    // Without its own box (`display: contents`, or no height): the boxes of its content.
    const range = node.ownerDocument.createRange();
    range.selectNodeContents(node);
    const inner = nonEmpty(range.getClientRects());
    return inner;
  };

  const isAreaOf = (area, image) => {
    const map = area.closest("map");
    return Boolean(map) && image.useMap === "#" + map.name;
  };
  // Whether a click on `hit` is a click on `node`.
  const isWithin = (node, hit) => {
    for (let at = hit; at; at = parentOf(at)) {
      if (at === node) return true;
      if (at.localName === "label" && at.control === node) return true;
      if (at.localName === "img" && node.localName === "area" && isAreaOf(node, at)) return true;
    }
    const slots = [...node.querySelectorAll("slot"), ...(node.localName === "slot" ? [node] : [])];
    return slots.some((slot) => slot.assignedNodes({ flatten: true }).some((light) => light.contains(hit)));
  };
  // Controls, which handle a click inside of `node` themselves.
  const CONTROLS = "a[href],button,input,select,textarea,summary,label,[onclick],[contenteditable],[role=button],[role=link]," +
    "[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option]";
  // Elements with a document of their own.
  const FRAMES = ["iframe", "frame", "object", "embed", "fencedframe"];
  const hitsInnerControl = (node, hit) => {
    for (let at = hit; at && at !== node; at = parentOf(at)) {
      if (matchesCss(at, CONTROLS) && !(node.localName === "label" && node.control === at)
        && !(at.localName === "label" && at.control === node)) return true;
    }
    return false;
  };
  // The element at a point in the window of `node`, if it is not `node`; otherwise null. Checks each shadow tree outwards.
  const obstacleAt = (node, x, y) => {
    for (let own = node; ; ) {
      const root = own.getRootNode();
      const hit = root.elementFromPoint(x, y);
      if (!hit) return { nothing: true };
      if (!isWithin(own, hit)) return { hit };
      if (!root.host) return own === node && hitsInnerControl(node, hit) ? { inner: true } : null;
      if (own === node && hitsInnerControl(node, hit)) return { inner: true };
      own = root.host;
    }
  };
  // The same through all parent frames of its origin; returns the point in the outermost window, and how many frames are around.
  const obstacleInFrames = (node, x, y) => {
    let inner = null;
    let frames = 0;
    for (let own = node; ; ) {
      const found = obstacleAt(own, x, y);
      if (found && own === node && found.inner) inner = true;
      else if (found) return found;
      let frame = null;
      try { frame = windowOf(own).frameElement; } catch { frame = null; }
      if (!frame) return { x, y, inner, frames };
      frames += 1;
      const box = frame.getBoundingClientRect();
      const style = windowOf(frame).getComputedStyle(frame);
      const scaleX = frame.offsetWidth ? box.width / frame.offsetWidth : 1;
      const scaleY = frame.offsetHeight ? box.height / frame.offsetHeight : 1;
      x = box.left + (frame.clientLeft + parseFloat(style.paddingLeft) + x) * scaleX;
      y = box.top + (frame.clientTop + parseFloat(style.paddingTop) + y) * scaleY;
      own = frame;
    }
  };

  // The center, in the outermost window. `target` moves if it differs between two animation frames.
  const center = () => {
    let box = target.getBoundingClientRect();
    if (!(box.width && box.height) || target.localName === "area") box = boxesOf(target)[0];
    if (!box) return null;
    let [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    for (let window = windowOf(target); ; ) {
      let frame = null;
      try { frame = window.frameElement; } catch { frame = null; }
      if (!frame) return { x, y };
      const outer = frame.getBoundingClientRect();
      x += outer.left + frame.clientLeft;
      y += outer.top + frame.clientTop;
      window = windowOf(frame);
    }
  };
  const distance = (one, other) => Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y));
  const MOVING_PROPERTIES =
    /^(transform|translate|scale|rotate|top|left|right|bottom|inset|margin|padding|width|height|offset|font|zoom|flex|gap)/;
  const isAnimating = () => {
    for (let node = target; node; node = parentOf(node)) {
      const moving = node.getAnimations().some((animation) =>
        animation.playState === "running" && animation.effect && animation.effect.getKeyframes
        && animation.effect.getKeyframes().some((frame) => Object.keys(frame).some((key) => MOVING_PROPERTIES.test(key))));
      if (moving) return true;
    }
    return false;
  };
  // Whether what covers `target` may go by itself: it is moving, shows progress, or is a message.
  const passesByItself = (obstacle) => {
    // All that covers it, from the inside out.
    const layers = [obstacle];
    for (let outer = parentOf(obstacle); outer && !isWithin(outer, target); outer = parentOf(outer)) layers.push(outer);
    const cover = layers[layers.length - 1];
    const window = windowOf(cover);
    const isShown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const shown = (css) => [cover, ...cover.querySelectorAll(css)].filter((node) => matchesCss(node, css) && isShown(node));
    const animations = cover.getAnimations({ subtree: true }).filter((animation) => animation.playState === "running");
    const isEndless = (animation) => animation.effect.getComputedTiming().endTime === Infinity;
    if (animations.some((animation) => animation.effect && !isEndless(animation))) return true;
    if (shown("progress:not([value]),[role=progressbar]:not([aria-valuenow]),[aria-busy=true]").length) return true;
    const MESSAGES = "[role=status],[role=alert],[role=log],output,[aria-live=polite],[aria-live=assertive]";
    const CHOICES = "dialog,[role=dialog],[role=alertdialog],[aria-modal=true],[role=menu],[role=listbox],[role=tree],[role=grid]";
    if (shown(CHOICES).length) return false;
    if (cover.closest(MESSAGES) || shown(MESSAGES).length) return true;
    const controls = shown(CONTROLS).filter((node) => !matchesCss(node, ":disabled"));
    const boxes = layers.map((layer) => layer.getBoundingClientRect());
    const share = Math.max(...boxes.map((box) => box.width * box.height)) / (window.innerWidth * window.innerHeight);
    const isFixed = layers.some((layer) => window.getComputedStyle(layer).position === "fixed");
    // A message without a role is small, stays at its place of the window and has few controls.
    if (share < 0.05 && controls.length <= 2 && isFixed) return true;
    if (controls.length) return false;
    if (animations.length) return true;
    // A shade without controls belongs to a dialog above it, or it waits for something.
    return share > 0.9 && !isControlReachable(window);
  };
  // Whether the mouse reaches any control, at some points all over the window.
  const isControlReachable = (window) => {
    const shares = [0.06, 0.17, 0.28, 0.39, 0.5, 0.61, 0.72, 0.83, 0.94];
    return shares.some((across) => shares.some((down) => {
      const hit = target.ownerDocument.elementFromPoint(window.innerWidth * across, window.innerHeight * down);
      return Boolean(hit) && Boolean(hit.closest(`${CONTROLS},[role=dialog],dialog`));
    }));
  };
  const before = center();
  if (before && ((lastCenter && distance(before, lastCenter) > 2) || isAnimating())) {
    await drawing.nextFrame(windowOf(target), 100);
    const start = center();
    await drawing.nextFrame(windowOf(target), 100);
    const end = center();
    if (!this.isConnected) return { is: "gone" };
    if (start && end && distance(start, end) > 2) return refusedForNow("it is moving");
  }

  // The points to try, the center first.
  const candidatePoints = (of) => {
    const window = windowOf(target);
    const found = [];
    for (const box of boxesOf(of).slice(0, 8)) {
      const left = Math.max(box.left, 0);
      const top = Math.max(box.top, 0);
      const right = Math.min(box.right, window.innerWidth);
      const bottom = Math.min(box.bottom, window.innerHeight);
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      if (x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight) found.push([x, y]);
      if (right - left < 1 || bottom - top < 1) continue;
      const shares = [0.5, 0.3, 0.7, 0.1, 0.9];
      for (const across of shares) {
        for (const down of shares) {
          found.push([left + (right - left) * across, top + (bottom - top) * down]);
        }
      }
    }
    return found;
  };
  // Points of shapes that fill little of their boxes: along the lines of a drawing, then all over the boxes.
  const finePoints = (of) => {
    const window = windowOf(target);
    const found = [];
    const isDrawn = (node) => node instanceof window.SVGGeometryElement && node.getScreenCTM();
    for (const line of [of, ...of.querySelectorAll("*")].filter(isDrawn).slice(0, 8)) {
      for (let at = 0; at < 16; at += 1) {
        const { x, y } = line.getPointAtLength((line.getTotalLength() * at) / 16).matrixTransform(line.getScreenCTM());
        found.push([x, y]);
      }
    }
    const COUNT = 24;
    for (const box of boxesOf(of).slice(0, 2)) {
      for (let at = 0; at < COUNT * COUNT; at += 1) {
        const [across, down] = [((at % COUNT) + 0.5) / COUNT, (Math.floor(at / COUNT) + 0.5) / COUNT];
        found.push([box.left + box.width * across, box.top + box.height * down]);
      }
    }
    return found.filter(([x, y]) => x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight);
  };
  let obstacle = null;
  const isAround = (node) => ["html", "body"].includes(node.localName) || isWithin(node, target);
  const findPoint = (of) => {
    const found = findPointAmong(candidatePoints(of));
    return found || (obstacle && !isAround(obstacle) ? null : findPointAmong(finePoints(of)));
  };
  const findPointAmong = (points) => {
    let second = null;
    for (const [x, y] of points) {
      const found = obstacleInFrames(target, x, y);
      found.own = [x, y];
      if (found.x !== undefined && !found.inner) return found;
      if (found.x !== undefined && !second) second = found;
      if (found.hit && !obstacle) obstacle = found.hit;
    }
    return second;
  };
  if (windowOf(target).getComputedStyle(target).visibility !== "visible") return refused("it is hidden");
  // Many checkboxes have no box and are drawn by their label.
  const visibleParts = [target, ...(target.labels || [])].filter((each) => boxesOf(each).length);
  if (!visibleParts.length) return refused("it has no place on the page");
  let found = null;
  let scrolled = false;
  for (const each of visibleParts) {
    found = findPoint(each);
    if (found || inPlace) break;
    const box = each.localName === "area" ? each.closest("map").parentElement || each : each;
    for (const block of ["center", "start", "end", "nearest"]) {
      obstacle = null;
      scrolled = true;
      box.scrollIntoView({ block, inline: block === "nearest" ? "nearest" : "center", behavior: "instant" });
      found = findPoint(each);
      if (found) break;
    }
    if (found) break;
  }
  if (found && scrolled && inRemoteFrame) await drawing.twoFrames(windowOf(target));
  if (found && onTarget) {
    const root = target.getRootNode();
    const childrenOf = (parent) => {
      const kind = { 1: Element, 9: Document }[parent.nodeType] || DocumentFragment;
      return Reflect.get(kind.prototype, "children", parent);
    };
    // The position among the siblings, for `target` and its ancestors.
    const ancestry = [];
    for (let node = target; node.parentNode; node = node.parentNode) {
      const parent = node.parentNode;
      const all = childrenOf(parent);
      ancestry.push({ node, parent, siblings: [...all], at: [...all].indexOf(node) });
    }
    // The control that handles its click: `target` is often only the icon of a button.
    let control = null;
    for (let node = target; node && !control; node = parentOf(node)) {
      if (matchesCss(node, CONTROLS)) control = node;
    }
    // The equal element with which the page replaced `target`, as frameworks do when they render on hover. The replaced subtree
    // must have the same text and position as before, since every row of a list may have a button with this name.
    const replacement = () => {
      const isMoved = ({ node, parent }) => parent.isConnected && node.parentNode !== parent;
      const last = target.isConnected ? -1 : ancestry.findIndex(isMoved);
      if (last < 0) return null;
      let own = ancestry[last].parent;
      for (const { node, siblings, at } of ancestry.slice(0, last + 1).reverse()) {
        const all = childrenOf(own);
        if (all.length !== siblings.length) return null;
        own = all[at];
        if (own.localName !== node.localName) return null;
        if (node === ancestry[last].node && own.textContent !== node.textContent) return null;
      }
      const names = ["id", "href", "name", "type", "value", "role", "aria-label", "title"];
      return names.every((name) => own.getAttribute(name) === target.getAttribute(name)) ? own : null;
    };
    const isShown = () => {
      if (!target.isConnected || !boxesOf(target).length) return false;
      return windowOf(target).getComputedStyle(target).visibility === "visible";
    };
    const isHit = (node, event) => {
      const { clientX: x, clientY: y } = event;
      const hit = event.composedPath()[0];
      let isIn = isWithin(node, hit);
      // For an element in a closed shadow tree, the event's target is the host.
      for (let tree = root; !isIn && tree.host; tree = tree.host.getRootNode()) {
        if (tree.host === hit) isIn = isWithin(node, root.elementFromPoint(x, y));
      }
      // An element that was disabled on hover gets no click event.
      if (isIn && node.matches(":disabled")) return false;
      if (!isIn || found.inner) return isIn;
      const now = obstacleAt(node, x, y);
      return !(now && now.inner);
    };
    const accepts = (event) => {
      if (isHit(target, event)) return true;
      const other = replacement();
      if (other) return isHit(other, event);
      return Boolean(control) && control !== target && control.isConnected && !isShown() && isHit(control, event);
    };
    // Whether `target` is hidden, not clickable, or outside of the page. Closing lists hide their options in all these ways.
    const isOutOfView = () => {
      if (!isShown() || !target.checkVisibility({ opacityProperty: true })) return true;
      if (windowOf(target).getComputedStyle(target).pointerEvents === "none") return true;
      const page = target.ownerDocument.documentElement;
      const { left, top } = page.getBoundingClientRect();
      const pageBounds = { left, top, right: left + page.scrollWidth, bottom: top + page.scrollHeight };
      if (windowOf(target).getComputedStyle(page).direction === "rtl") {
        pageBounds.right = left + page.clientWidth;
        pageBounds.left = pageBounds.right - page.scrollWidth;
      }
      return boxesOf(target).every((box) =>
        box.right <= pageBounds.left || box.left >= pageBounds.right
        || box.bottom <= pageBounds.top || box.top >= pageBounds.bottom);
    };
    // Whether the event hits something else than `target`, which is still there.
    const isCovered = (event) => {
      const hit = event.composedPath()[0];
      return !(isWithin(target, hit) || (control && isWithin(control, hit)) || accepts(event) || isOutOfView());
    };
    const misses = (event) => {
      if (!isCovered(event)) return false;
      const { clientX: x, clientY: y } = event;
      return !boxesOf(target).some((box) => x >= box.left && x < box.right && y >= box.top && y < box.bottom);
    };
    // Whether the element that was pressed is gone, and the event hits something new in the place of `target`.
    const isReplaced = (pressed, event) => {
      if (pressed.isConnected || target.isConnected) return false;
      const level = ancestry.find(({ node, parent }) => parent.isConnected && node.parentNode !== parent);
      let child = event.composedPath()[0];
      while (level && child && child.parentNode !== level.parent) child = parentOf(child);
      return Boolean(level && child) && !level.siblings.includes(child);
    };
    // Whether the point is in a frame within `target`: its document gets the press.
    let hit = target.ownerDocument.elementFromPoint(...found.own);
    while (hit && hit.shadowRoot && hit.shadowRoot.elementFromPoint(...found.own)) {
      const inner = hit.shadowRoot.elementFromPoint(...found.own);
      if (inner === hit) break;
      hit = inner;
    }
    const isInFrame = Boolean(hit) && isWithin(target, hit) && (hit.localName.includes("-") || FRAMES.includes(hit.localName));
    const holds = (frame) => isWithin(target, frame);
    onTarget({ accepts, misses, isCovered, isReplaced, isInFrame, holds, isGone: () => !target.isConnected });
  }
  if (found) return { is: "at", x: found.x, y: found.y, frames: found.frames };
  const refusedUntilStill = isAnimating() ? refusedForNow : refused;
  if (!obstacle) return refusedUntilStill("it cannot be scrolled to where it is seen");
  if (isAround(obstacle)) return refusedUntilStill("nothing of it is where the mouse could reach it");
  return (passesByItself(obstacle) ? refusedForNow : refused)(`covered by ${describe(obstacle)}`);
}
