// The point `x`, `y` of the frame `this` in the outermost window of its origin, if the frame is not covered there, and how many
// frames are around it up to there. The document in the frame has another origin and cannot see the elements around the frame:
// `guard`, the function in the file with that name, blocks the next press if it hits something else in these windows, in
// the mode `press`. In the mode `place` nothing is scrolled. `drawing` are the functions in drawing.js.
async function (x, y, mode) {
  if (!this.isConnected) return { is: "gone" };
  await drawing.firstPaint(this.ownerDocument.defaultView);
  const pointInWindow = (frame) => {
    const box = frame.getBoundingClientRect();
    const style = frame.ownerDocument.defaultView.getComputedStyle(frame);
    const scaleX = frame.offsetWidth ? box.width / frame.offsetWidth : 1;
    const scaleY = frame.offsetHeight ? box.height / frame.offsetHeight : 1;
    return {
      x: box.left + (frame.clientLeft + parseFloat(style.paddingLeft) + x) * scaleX,
      y: box.top + (frame.clientTop + parseFloat(style.paddingTop) + y) * scaleY,
    };
  };
  const hitAt = (frame, at) => {
    for (let own = frame; ; ) {
      const root = own.getRootNode();
      const hit = root.elementFromPoint(at.x, at.y);
      if (!hit) return null;
      let node = hit;
      while (node && node !== own) {
        const tree = node.getRootNode();
        node = node.assignedSlot || node.parentElement || (tree.nodeType === 11 ? tree.host : null);
      }
      if (!node) return hit;
      if (!root.host) return frame;
      own = root.host;
    }
  };
  let [frame, at] = [this, pointInWindow(this)];
  let frames = 0;
  for (;;) {
    const window = frame.ownerDocument.defaultView;
    let hit = hitAt(frame, at);
    if (hit !== frame && mode !== "place") {
      // Scroll the point into the window, not only the frame, which may be larger than the window.
      frame.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      let moved = frame === this ? pointInWindow(frame) : at;
      window.scrollBy({
        left: moved.x - window.innerWidth / 2, top: moved.y - window.innerHeight / 2, behavior: "instant",
      });
      await drawing.twoFrames(window);
      at = frame === this ? pointInWindow(frame) : at;
      hit = hitAt(frame, at);
    }
    if (hit !== frame) {
      if (!hit) return { is: "refused", why: "the frame that holds it cannot be scrolled to where it is seen" };
      const name = hit.tagName.toLowerCase() + (hit.id ? "#" + hit.id.slice(0, 40) : "");
      const text = (hit.innerText || "").replace(/\s+/g, " ").trim().slice(0, 60);
      return { is: "refused", why: `the frame that holds it is covered by ${text ? name + " " + JSON.stringify(text) : name}` };
    }
    let outer = null;
    try { outer = window.frameElement; } catch { outer = null; }
    if (!outer) {
      if (mode === "press") guard(null, this.ownerDocument.defaultView);
      return { is: "at", x: at.x, y: at.y, frames };
    }
    [x, y] = [at.x, at.y];
    at = pointInWindow(outer);
    frame = outer;
    frames += 1;
  }
}
