// The point `x`, `y` of the frame `this` in the window of this session, if the frame is not covered there. The document in the
// frame is in another process and cannot see the elements around the frame: `guard`, the function in the file with that name,
// blocks the next press if it hits something else in this process.
async function (x, y) {
  if (!this.isConnected) return { is: "gone" };
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
  const place = (frame) => {
    const box = frame.getBoundingClientRect();
    const style = frame.ownerDocument.defaultView.getComputedStyle(frame);
    const wide = frame.offsetWidth ? box.width / frame.offsetWidth : 1;
    const high = frame.offsetHeight ? box.height / frame.offsetHeight : 1;
    return {
      x: box.left + (frame.clientLeft + parseFloat(style.paddingLeft) + x) * wide,
      y: box.top + (frame.clientTop + parseFloat(style.paddingTop) + y) * high,
    };
  };
  const hits = (frame, at) => {
    for (let own = frame; ; ) {
      const root = own.getRootNode();
      const hit = root.elementFromPoint(at.x, at.y);
      if (!hit) return null;
      let near = hit;
      while (near && near !== own) {
        const tree = near.getRootNode();
        near = near.assignedSlot || near.parentElement || (tree.nodeType === 11 ? tree.host : null);
      }
      if (!near) return hit;
      if (!root.host) return frame;
      own = root.host;
    }
  };
  let [frame, at] = [this, place(this)];
  for (;;) {
    const window = frame.ownerDocument.defaultView;
    let hit = hits(frame, at);
    if (hit !== frame) {
      // Scroll the point into the window, not only the frame, which may be larger than the window.
      frame.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      let moved = frame === this ? place(frame) : at;
      window.scrollBy({
        left: moved.x - window.innerWidth / 2, top: moved.y - window.innerHeight / 2, behavior: "instant",
      });
      await frames(window);
      at = frame === this ? place(frame) : at;
      hit = hits(frame, at);
    }
    if (hit !== frame) {
      if (!hit) return { is: "refused", why: "the frame that holds it cannot be scrolled to where it is seen" };
      const name = hit.tagName.toLowerCase() + (hit.id ? "#" + hit.id.slice(0, 40) : "");
      const words = (hit.innerText || "").replace(/\s+/g, " ").trim().slice(0, 60);
      return { is: "refused", why: `the frame that holds it is covered by ${words ? name + " " + JSON.stringify(words) : name}` };
    }
    let outer = null;
    try { outer = window.frameElement; } catch { outer = null; }
    if (!outer) {
      guard(null, this.ownerDocument.defaultView);
      return { is: "at", x: at.x, y: at.y };
    }
    [x, y] = [at.x, at.y];
    at = place(outer);
    frame = outer;
  }
}
