// Watches over the press that is to come: one that meets something else than `target` never reaches the page. One that is let
// go beside it, because it has moved, was half made, and comes to no click; that the mouse was let go the page hears all the
// same, or it would go on to drag. What has gone by itself has seen to it that it did. What lies under something now may have,
// but is not clicked unless a click comes all the same. `own` is
// the window that the target lies in: the windows around it hear nothing of a press in it, and what they hear is another one.
// Without a target, which lies in a frame of another process then, `own` is such a window itself.
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
    // A page may keep one kind of event to itself, before anybody else hears of it: the first that is heard tells.
    if (begins && !press.begun) {
      press.begun = true;
      if (!isHere || !target.takes(event)) press.met = "nothing";
    }
    if (!begins && press.met === null && isHere) {
      // A press of which nothing was heard has met what was no longer there.
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
  // One that does not come is not waited for, and one that is held is, until it is let go.
  own.setTimeout(() => (press.begun ? own.setTimeout(press.end, 4000) : press.end()), 1000);
  globalThis[key] = press;
}
