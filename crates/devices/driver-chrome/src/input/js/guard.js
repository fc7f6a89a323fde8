// Blocks the events of the next press if it hits something else than `target`, and records the result in `press.result`:
//
// - `missed`: the press hit something else; the page receives no event of it.
// - `moved`: the target received the press, but has moved, so that the release misses it. The click is blocked; the page still
//   receives the release, or it would start a drag.
// - `covered`: the target received the press and is covered at the release. It counts as clicked only if a click event follows.
// - `hit`: the target was clicked, or removed itself on the press.
//
// `targetWindow` is the window of the target. Its parent windows receive no events of a press in it, so a press that they receive
// hit something else. Without a target (it is in a frame of another process) `targetWindow` is a parent window itself.
function (target, targetWindow) {
  const key = Symbol.for("press");
  if (globalThis[key]) globalThis[key].end();
  const windows = [targetWindow];
  for (let window = targetWindow; ; ) {
    let frame = null;
    try { frame = window.frameElement; } catch { frame = null; }
    if (!frame) break;
    window = frame.ownerDocument.defaultView;
    windows.push(window);
  }
  const press = { result: null, started: false, onEnd: () => {} };
  const types = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "contextmenu", "auxclick"];
  const handle = (event) => {
    if (!event.isTrusted) return;
    const isHere = Boolean(target) && event.currentTarget === targetWindow;
    const isPress = event.type === "pointerdown" || event.type === "mousedown";
    // A page may stop one kind of event before this listener gets it, so the first event that arrives decides.
    if (isPress && !press.started) {
      press.started = true;
      if (!isHere || !target.accepts(event)) press.result = "missed";
    }
    if (!isPress && press.result === null && isHere) {
      // Without a press event, the target was gone before the press.
      if (!press.started && target.isGone()) press.result = "missed";
      else if (event.type === "click") press.result = "hit";
      else if (target.misses(event)) press.result = "moved";
      else press.result = target.isCovered(event) ? "covered" : "hit";
    } else if (press.result === "covered" && event.type === "click" && isHere && !target.isCovered(event)) {
      press.result = "hit";
    }
    if (press.result === "missed" || (press.result === "moved" && event.type === "click")) {
      event.stopImmediatePropagation();
      event.preventDefault();
    }
    if (press.result === "hit" || event.type === "click") press.end();
  };
  press.end = () => {
    for (const window of windows) {
      for (const type of types) window.removeEventListener(type, handle, { capture: true });
    }
    press.onEnd(press.result || "hit");
  };
  for (const window of windows) {
    for (const type of types) window.addEventListener(type, handle, { capture: true });
  }
  // Ends after 1 s without a press, otherwise after 5 s: a press may be long.
  targetWindow.setTimeout(() => (press.started ? targetWindow.setTimeout(press.end, 4000) : press.end()), 1000);
  globalThis[key] = press;
}
