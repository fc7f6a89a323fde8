// Scrolls the content of `this` by `dx`, `dy` without mouse or keyboard events. Returns whether it moved, is at its edge, or
// neither.
function (dx, dy) {
  const document = this.ownerDocument;
  const window = document.defaultView;
  if (!this.isConnected || !window) return "gone";
  const style = window.getComputedStyle(this);
  const isRoot = this === document.documentElement;
  const scroller = isRoot ? document.scrollingElement || this : this;
  // The overflow of the body applies to the window if the root element has none.
  const isVisible = style.overflowX === "visible" && style.overflowY === "visible";
  const overflowStyle = isRoot && isVisible && document.body ? window.getComputedStyle(document.body) : style;
  const locked = (overflow) => isRoot ? ["hidden", "clip"].includes(overflow) : !["auto", "scroll", "overlay"].includes(overflow);
  const left = locked(overflowStyle.overflowX) ? 0 : dx;
  const top = locked(overflowStyle.overflowY) ? 0 : dy;
  const [x, y] = [scroller.scrollLeft, scroller.scrollTop];
  // The remaining distance, also for containers that start at their end (column-reverse, right-to-left).
  const hasRoom = (distance, position, max, reversed) => {
    if (!distance) return false;
    const scrolled = reversed ? max + position : position;
    return (distance > 0 ? max - scrolled : scrolled) > 1;
  };
  const canScroll =
    hasRoom(left, x, scroller.scrollWidth - scroller.clientWidth, x < 0 || style.direction === "rtl") ||
    hasRoom(top, y, scroller.scrollHeight - scroller.clientHeight, y < 0 || style.flexDirection === "column-reverse");
  if (!canScroll) return "edge";
  Element.prototype.scrollBy.call(scroller, { left, top, behavior: "instant" });
  return scroller.scrollLeft === x && scroller.scrollTop === y ? "still" : "moved";
}
