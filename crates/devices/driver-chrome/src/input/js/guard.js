// Blocks the events of the next press if it hits something else than `target`, and records what it hit in `press.met`:
//
// - `nothing`: the press hit something else; the page receives no event of it.
// - `half`: the target received the press, but has moved, so that the release misses it. The click is blocked; the page still
//   receives the release, or it would start a drag.
// - `covered`: the target received the press and is covered at the release. It counts as clicked only if a click event follows.
// - `all`: the target was clicked, or removed itself on the press.
//
// `own` is the window of the target. Its parent windows receive no events of a press in it, so a press that they receive hit
// something else. Without a target (it is in a frame of another process) `own` is a parent window itself.
function (target, own) {
  const key = Symbol.for("press");
  if (globalThis[key]) globalThis[key].end();
  const windows = [own];
  for (let window = own; ; ) {
    let frame = null;
    try { frame = window.frameElement; } catch { frame = null; }
    if (!frame) break;
    window = frame.ownerDocument.defaultView;
    windows.push(window);
  }
  const press = { met: null, begun: false, told: () => {} };
  const kinds = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
  const feel = (event) => {
    if (!event.isTrusted) return;
    const isHere = Boolean(target) && event.currentTarget === own;
    const begins = event.type === "pointerdown" || event.type === "mousedown";
    // A page may stop one kind of event before this listener gets it, so the first event that arrives decides.
    if (begins && !press.begun) {
      press.begun = true;
      if (!isHere || !target.takes(event)) press.met = "nothing";
    }
    if (!begins && press.met === null && isHere) {
      // Without a press event, the target was gone before the press.
      if (!press.begun && target.isGone()) press.met = "nothing";
      else if (event.type === "click") press.met = "all";
      else if (target.misses(event)) press.met = "half";
      else press.met = target.isCovered(event) ? "covered" : "all";
    } else if (press.met === "covered" && event.type === "click" && isHere && !target.isCovered(event)) {
      press.met = "all";
    }
    if (press.met === "nothing" || (press.met === "half" && event.type === "click")) {
      event.stopImmediatePropagation();
      event.preventDefault();
    }
    if (press.met === "all" || event.type === "click") press.end();
  };
  press.end = () => {
    for (const window of windows) {
      for (const kind of kinds) window.removeEventListener(kind, feel, { capture: true });
    }
    press.told(press.met || "all");
  };
  for (const window of windows) {
    for (const kind of kinds) window.addEventListener(kind, feel, { capture: true });
  }
  // Ends after 1 s without a press, and 4 s after that in any case: a press may be held.
  own.setTimeout(() => (press.begun ? own.setTimeout(press.end, 4000) : press.end()), 1000);
  globalThis[key] = press;
}
