// A point where `this` can be clicked now: scrolled into view, not moving and not covered. Runs in an isolated world and leaves
// nothing behind. `seen` is the center of `this` when it was observed, in the viewport of its session; `framed` is whether that
// viewport is a frame in another process. `judge`, if given, is called with functions that tell whether a mouse event hits
// `this`, whether the event that ends a press misses it or hits something above it, and whether it is gone.
async function (seen, framed, judge) {
  const up = (node) => {
    if (node.assignedSlot) return node.assignedSlot;
    if (node.parentElement) return node.parentElement;
    const root = node.getRootNode();
    return root.host && root.nodeType === 11 ? root.host : null;
  };
  // The fields of a form are properties of it and shadow its methods, such as `children` or `matches`.
  const fits = (node, css) => Element.prototype.matches.call(node, css);
  const clean = (text, most) => {
    const words = String(text || "").replace(/\s+/g, " ").trim();
    return words.length > most ? words.slice(0, most) + "…" : words;
  };
  const say = (node) => {
    const name = node.tagName.toLowerCase() + (node.id ? "#" + clean(node.id, 40) : "");
    const words = clean(node.getAttribute("aria-label") || node.innerText || node.textContent, 60);
    return words ? `${name} ${JSON.stringify(words)}` : name;
  };
  const refused = (why) => ({ is: "refused", why });
  if (!this.isConnected || !this.ownerDocument.defaultView) return { is: "gone" };

  // Before the first paint of a document, browsers drop mouse events; and they hit-test frames of other processes at their last
  // painted position.
  const painted = async (window) => {
    if (window.performance.getEntriesByType("paint").length) return;
    await frames(window);
  };
  const frames = async (window) => {
    for (let frame = 0; frame < 2; frame += 1) {
      await new Promise((done) => { window.requestAnimationFrame(() => done()); window.setTimeout(done, 250); });
    }
  };
  await painted(this.ownerDocument.defaultView);

  // A closed select shows its options in a popup of the browser, where keys select them.
  if (this.localName === "option") {
    const list = this.closest("select");
    if (list && list.size <= 1 && !list.multiple) return { is: "option" };
  }

  // The ancestor that receives the click if `this` has `pointer-events: none`.
  let target = this;
  const view = (node) => node.ownerDocument.defaultView;
  while (view(target).getComputedStyle(target).pointerEvents === "none") {
    const around = up(target);
    if (!around || around.localName === "body" || around.localName === "html") {
      return refused("it lets the mouse through (pointer-events: none)");
    }
    target = around;
  }
  for (let node = target; node; node = up(node)) {
    if (fits(node, ":disabled")) return refused(`${node === this ? "it" : say(node)} is disabled`);
    if (node.inert === true) return refused("it is inert");
  }
  if (target.localName === "label" && target.control && target.control.matches(":disabled")) {
    return refused("what it labels is disabled");
  }

  const filled = (rects) => [...rects].filter((rect) => rect.width >= 1 && rect.height >= 1);
  const boxes = (node) => {
    if (node.localName === "area") {
      const map = node.closest("map");
      const image = map && [...node.getRootNode().querySelectorAll("img[usemap]")]
        .find((image) => image.useMap === "#" + map.name);
      if (!image) return [];
      const at = image.getBoundingClientRect();
      const left = at.left + image.clientLeft;
      const top = at.top + image.clientTop;
      const numbers = (node.coords || "").split(/[ ,;]+/).map(Number).filter(Number.isFinite);
      if (node.shape === "default" || numbers.length < 3) return filled([at]);
      if (numbers.length === 3) {
        const [x, y, radius] = numbers;
        return filled([new DOMRect(left + x - radius / 2, top + y - radius / 2, radius, radius)]);
      }
      const xs = numbers.filter((_, place) => place % 2 === 0);
      const ys = numbers.filter((_, place) => place % 2 === 1);
      const [x, y] = [Math.min(...xs), Math.min(...ys)];
      return filled([new DOMRect(left + x, top + y, Math.max(...xs) - x, Math.max(...ys) - y)]);
    }
    const own = filled(node.getClientRects());
    if (own.length) return own;
    // Without its own box (`display: contents`, or no height): the boxes of its content.
    const range = node.ownerDocument.createRange();
    range.selectNodeContents(node);
    const inner = filled(range.getClientRects());
    return inner;
  };

  const isOf = (area, image) => {
    const map = area.closest("map");
    return Boolean(map) && image.useMap === "#" + map.name;
  };
  // Whether a click on `hit` is a click on `node`.
  const within = (node, hit) => {
    for (let at = hit; at; at = up(at)) {
      if (at === node) return true;
      if (at.localName === "label" && at.control === node) return true;
      if (at.localName === "img" && node.localName === "area" && isOf(node, at)) return true;
    }
    const slots = [...node.querySelectorAll("slot"), ...(node.localName === "slot" ? [node] : [])];
    return slots.some((slot) => slot.assignedNodes({ flatten: true }).some((light) => light.contains(hit)));
  };
  // Controls, which handle a click inside of `node` themselves.
  const TAKES = "a[href],button,input,select,textarea,summary,label,[onclick],[contenteditable],[role=button],[role=link]," +
    "[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option]";
  const foreign = (node, hit) => {
    for (let at = hit; at && at !== node; at = up(at)) {
      if (fits(at, TAKES) && !(node.localName === "label" && node.control === at)
        && !(at.localName === "label" && at.control === node)) return true;
    }
    return false;
  };
  // The element at a point in the window of `node` that is not `node`; null if `node` is there. Checks each shadow tree outwards.
  const over = (node, x, y) => {
    for (let own = node; ; ) {
      const root = own.getRootNode();
      const hit = root.elementFromPoint(x, y);
      if (!hit) return { nothing: true };
      if (!within(own, hit)) return { hit };
      if (!root.host) return own === node && foreign(node, hit) ? { inner: true } : null;
      if (own === node && foreign(node, hit)) return { inner: true };
      own = root.host;
    }
  };
  // The same through all parent frames of this process; returns the point in the outermost window.
  const outside = (node, x, y) => {
    let inner = null;
    for (let own = node; ; ) {
      const found = over(own, x, y);
      if (found && own === node && found.inner) inner = true;
      else if (found) return found;
      let frame = null;
      try { frame = view(own).frameElement; } catch { frame = null; }
      if (!frame) return { x, y, inner };
      const box = frame.getBoundingClientRect();
      const style = view(frame).getComputedStyle(frame);
      const wide = frame.offsetWidth ? box.width / frame.offsetWidth : 1;
      const high = frame.offsetHeight ? box.height / frame.offsetHeight : 1;
      x = box.left + (frame.clientLeft + parseFloat(style.paddingLeft) + x) * wide;
      y = box.top + (frame.clientTop + parseFloat(style.paddingTop) + y) * high;
      own = frame;
    }
  };

  // The center, in the outermost window. `target` moves if it differs between two animation frames.
  const middle = () => {
    let box = target.getBoundingClientRect();
    if (!(box.width && box.height) || target.localName === "area") box = boxes(target)[0];
    if (!box) return null;
    let [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    for (let window = view(target); ; ) {
      let frame = null;
      try { frame = window.frameElement; } catch { frame = null; }
      if (!frame) return { x, y };
      const outer = frame.getBoundingClientRect();
      x += outer.left + frame.clientLeft;
      y += outer.top + frame.clientTop;
      window = view(frame);
    }
  };
  const apart = (one, other) => Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y));
  const MOVES = /^(transform|translate|scale|rotate|top|left|right|bottom|inset|margin|padding|width|height|offset|font|zoom|flex|gap)/;
  const runs = () => {
    for (let node = target; node; node = up(node)) {
      const moving = node.getAnimations().some((animation) =>
        animation.playState === "running" && animation.effect && animation.effect.getKeyframes
        && animation.effect.getKeyframes().some((frame) => Object.keys(frame).some((key) => MOVES.test(key))));
      if (moving) return true;
    }
    return false;
  };
  const before = middle();
  if (before && ((seen && apart(before, seen) > 2) || runs())) {
    const frame = () => new Promise((done) => {
      view(target).requestAnimationFrame(() => done());
      view(target).setTimeout(done, 100);
    });
    await frame();
    const start = middle();
    await frame();
    const end = middle();
    if (!this.isConnected) return { is: "gone" };
    if (start && end && apart(start, end) > 2) return refused("it is moving");
  }

  // The points to try, the center first.
  const places = (of) => {
    const window = view(target);
    const found = [];
    for (const box of boxes(of).slice(0, 8)) {
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
  let cover = null;
  const look = (of) => {
    let second = null;
    for (const [x, y] of places(of)) {
      const found = outside(target, x, y);
      if (found.x !== undefined && !found.inner) return found;
      if (found.x !== undefined && !second) second = found;
      if (found.hit && !cover) cover = found.hit;
    }
    return second;
  };
  if (view(target).getComputedStyle(target).visibility !== "visible") return refused("it is hidden");
  // Many checkboxes have no box and are drawn by their label.
  const shown = [target, ...(target.labels || [])].filter((each) => boxes(each).length);
  if (!shown.length) return refused("it has no place on the page");
  let found = null;
  let scrolled = false;
  for (const each of shown) {
    found = look(each);
    if (found) break;
    const box = each.localName === "area" ? each.closest("map").parentElement || each : each;
    for (const block of ["center", "start", "end", "nearest"]) {
      cover = null;
      scrolled = true;
      box.scrollIntoView({ block, inline: block === "nearest" ? "nearest" : "center", behavior: "instant" });
      found = look(each);
      if (found) break;
    }
    if (found) break;
  }
  if (found && scrolled && framed) await frames(view(target));
  if (found && judge) {
    const root = target.getRootNode();
    const inside = (around) => {
      const kind = { 1: Element, 9: Document }[around.nodeType] || DocumentFragment;
      return Reflect.get(kind.prototype, "children", around);
    };
    // The position among the siblings, for `target` and its ancestors.
    const line = [];
    for (let node = target; node.parentNode; node = node.parentNode) {
      const around = node.parentNode;
      const all = inside(around);
      line.push({ node, around, at: [...all].indexOf(node), of: all.length });
    }
    // The control that handles its click: `target` is often only the icon of a button.
    let owner = null;
    for (let node = target; node && !owner; node = up(node)) {
      if (fits(node, TAKES)) owner = node;
    }
    // The equal element with which the page replaced `target`, as frameworks do when they render on hover. The replaced subtree
    // must have the same text and position as before, since every row of a list may have a button with this name.
    const twin = () => {
      const last = target.isConnected ? -1 : line.findIndex(({ node, around }) => around.isConnected && node.parentNode !== around);
      if (last < 0) return null;
      let own = line[last].around;
      for (const { node, at, of } of line.slice(0, last + 1).reverse()) {
        const all = inside(own);
        if (all.length !== of) return null;
        own = all[at];
        if (own.localName !== node.localName) return null;
        if (node === line[last].node && own.textContent !== node.textContent) return null;
      }
      const names = ["id", "href", "name", "type", "value", "role", "aria-label", "title"];
      return names.every((name) => own.getAttribute(name) === target.getAttribute(name)) ? own : null;
    };
    const isShown = () => {
      if (!target.isConnected || !boxes(target).length) return false;
      return view(target).getComputedStyle(target).visibility === "visible";
    };
    const meets = (node, event) => {
      const { clientX: x, clientY: y } = event;
      const hit = event.composedPath()[0];
      let isIn = within(node, hit);
      // For an element in a closed shadow tree, the event's target is the host.
      for (let tree = root; !isIn && tree.host; tree = tree.host.getRootNode()) {
        if (tree.host === hit) isIn = within(node, root.elementFromPoint(x, y));
      }
      // An element that was disabled on hover gets no click event.
      if (isIn && node.matches(":disabled")) return false;
      if (!isIn || found.inner) return isIn;
      const now = over(node, x, y);
      return !(now && now.inner);
    };
    const takes = (event) => {
      if (meets(target, event)) return true;
      const other = twin();
      if (other) return meets(other, event);
      return Boolean(owner) && owner !== target && owner.isConnected && !isShown() && meets(owner, event);
    };
    // Whether `target` is gone: hidden, not clickable, or outside of the page. Closing lists hide their options in all these ways.
    const isAway = () => {
      if (!isShown() || !target.checkVisibility({ opacityProperty: true })) return true;
      if (view(target).getComputedStyle(target).pointerEvents === "none") return true;
      const page = target.ownerDocument.documentElement;
      const { left, top } = page.getBoundingClientRect();
      const sheet = { left, top, right: left + page.scrollWidth, bottom: top + page.scrollHeight };
      if (view(target).getComputedStyle(page).direction === "rtl") {
        sheet.right = left + page.clientWidth;
        sheet.left = sheet.right - page.scrollWidth;
      }
      return boxes(target).every((box) =>
        box.right <= sheet.left || box.left >= sheet.right || box.bottom <= sheet.top || box.top >= sheet.bottom);
    };
    // Whether the event hits something else than `target`, which is still there.
    const isCovered = (event) => {
      const hit = event.composedPath()[0];
      return !(within(target, hit) || (owner && within(owner, hit)) || takes(event) || isAway());
    };
    const misses = (event) => {
      if (!isCovered(event)) return false;
      const { clientX: x, clientY: y } = event;
      return !boxes(target).some((box) => x >= box.left && x < box.right && y >= box.top && y < box.bottom);
    };
    judge({ takes, misses, isCovered, isGone: () => !target.isConnected });
  }
  if (found) return { is: "at", x: found.x, y: found.y };
  if (!cover) return refused("it cannot be scrolled to where it is seen");
  const root = ["html", "body"].includes(cover.localName);
  if (root || within(cover, target)) return refused("nothing of it is where the mouse could reach it");
  return refused(`covered by ${say(cover)}`);
}
