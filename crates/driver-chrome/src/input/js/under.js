// Whether anything under the place `x`, `y` of the window of `this` can be scrolled by `dx`, `dy` with the wheel.
function (x, y, dx, dy) {
  const up = (node) => {
    const root = node.getRootNode();
    return node.assignedSlot || node.parentElement || (root.nodeType === 11 ? root.host : null);
  };
  const room = (node) => {
    const root = node === node.ownerDocument.scrollingElement;
    const style = node.ownerDocument.defaultView.getComputedStyle(node);
    const scrolls = (value) => root ? value !== "hidden" && value !== "clip" : ["auto", "scroll", "overlay"].includes(value);
    if (dy && scrolls(style.overflowY)) {
      const most = node.scrollHeight - node.clientHeight;
      if (dy > 0 ? node.scrollTop < most - 1 : node.scrollTop > (style.flexDirection === "column-reverse" ? -most + 1 : 0.5)) return true;
    }
    if (dx && scrolls(style.overflowX)) {
      const most = node.scrollWidth - node.clientWidth;
      const left = style.direction === "rtl" ? node.scrollLeft + most : node.scrollLeft;
      if (dx > 0 ? left < most - 1 : left > 0.5) return true;
    }
    return false;
  };
  const document = this.ownerDocument;
  let hit = document.elementFromPoint(x, y);
  while (hit && hit.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  for (let node = hit; node; node = up(node)) {
    // What is in a frame is scrolled by the wheel as far as it goes, and then what is around it.
    if (["iframe", "frame", "embed", "object"].includes(node.localName) || room(node)) return true;
  }
  return !!document.scrollingElement && room(document.scrollingElement);
}
