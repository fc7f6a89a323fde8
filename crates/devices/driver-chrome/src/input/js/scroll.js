// Scrolls the content of `this` by `dx`, `dy` without mouse or keyboard events. Returns whether it moved, is at its edge, or
// neither.
function (dx, dy) {
  const document = this.ownerDocument;
  const window = document.defaultView;
  if (!this.isConnected || !window) return "gone";
  const style = window.getComputedStyle(this);
  const page = this === document.documentElement;
  const scroller = page ? document.scrollingElement || this : this;
  // The overflow of the body applies to the window if the root element has none.
  const visible = style.overflowX === "visible" && style.overflowY === "visible";
  const own = page && visible && document.body ? window.getComputedStyle(document.body) : style;
  const locked = (overflow) => page ? ["hidden", "clip"].includes(overflow) : !["auto", "scroll", "overlay"].includes(overflow);
  const left = locked(own.overflowX) ? 0 : dx;
  const top = locked(own.overflowY) ? 0 : dy;
  const [x, y] = [scroller.scrollLeft, scroller.scrollTop];
  // The remaining distance, also for containers that start at their end (column-reverse, right-to-left).
  const room = (by, at, most, reversed) => {
    if (!by) return false;
    const passed = reversed ? most + at : at;
    return (by > 0 ? most - passed : passed) > 1;
  };
  const goesOn =
    room(left, x, scroller.scrollWidth - scroller.clientWidth, x < 0 || style.direction === "rtl") ||
    room(top, y, scroller.scrollHeight - scroller.clientHeight, y < 0 || style.flexDirection === "column-reverse");
  if (!goesOn) return "edge";
  Element.prototype.scrollBy.call(scroller, { left, top, behavior: "instant" });
  return scroller.scrollLeft === x && scroller.scrollTop === y ? "still" : "moved";
}
