// Blocks the events of the next press if it hits something else than `target`, and records the result in `press.result`:
//
// - `missed`: the press hit something else; the page receives no event of it.
// - `moved`: the target received the press, but has moved, so that the release misses it. The click is blocked; the page still
//   receives the release, or it would start a drag.
// - `replaced`: the target received the press, and something new was in its place at the release: the browser sends it no click.
// - `covered`: the target received the press and is covered at the release. It counts as clicked only if a click event follows.
// - `hit`: the target was clicked, or removed itself on the press.
// - `unseen`: no event came; another document got the press, which cannot be blocked there.
//
// `targetWindow` is the window of the target. Its parent windows receive no events of a press in it, so a press that they receive
// hit something else, like one in a frame that the target does not hold. Without a target (it is in a frame of another process)
// `targetWindow` is a parent window itself. Of a press that hits a button that submits a form, the form is watched (`watchForm` is
// the function of watch_form.js) and the outcome is `submit`.
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
  const addFrames = (window) => {
    for (let at = 0; at < window.length; at += 1) {
      try {
        const inner = window[at];
        if (!inner.document || windows.includes(inner)) continue;
        windows.push(inner);
        addFrames(inner);
      } catch { /* A document of another origin. */ }
    }
  };
  for (const window of [...windows]) addFrames(window);
  // Whether the target holds the frame of a window.
  const isHeld = (window) => {
    for (let at = window; ; ) {
      let frame = null;
      try { frame = at.frameElement; } catch { frame = null; }
      if (!frame) return false;
      at = frame.ownerDocument.defaultView;
      if (at === targetWindow) return Boolean(target) && target.holds(frame);
    }
  };
  const press = { result: null, started: false, pressed: null, submits: false, onEnd: () => {} };
  press.outcome = () => {
    if (press.result === "hit" && press.submits) return "submit";
    if (press.result) return press.result;
    return press.started || !target || target.isInFrame ? "hit" : "unseen";
  };
  const types = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "contextmenu", "auxclick"];
  const handle = (event) => {
    if (!event.isTrusted) return;
    const isHere = Boolean(target) && event.currentTarget === targetWindow;
    const isPress = event.type === "pointerdown" || event.type === "mousedown";
    // A page may stop one kind of event before this listener gets it, so the first event that arrives decides.
    if (isPress && !press.started) {
      press.started = true;
      press.pressed = event.composedPath()[0];
      if (isHere ? !target.accepts(event) : !isHeld(event.currentTarget)) press.result = "missed";
      else if (!isHere) press.result = "hit";
    }
    if (!isPress && press.result === null && isHere) {
      // Without a press event, the target was gone before the press.
      if (!press.started && target.isGone()) press.result = "missed";
      else if (event.type === "click") press.result = "hit";
      else if (target.misses(event)) press.result = "moved";
      else if (press.started && target.isReplaced(press.pressed, event)) press.result = "replaced";
      else press.result = target.isCovered(event) ? "covered" : "hit";
    } else if (press.result === "replaced" && event.type === "click" && isHere && target.accepts(event)) {
      press.result = "hit";
    } else if (press.result === "covered" && event.type === "click" && isHere && !target.isCovered(event)) {
      press.result = "hit";
    }
    if (press.result === "missed" || (press.result === "moved" && event.type === "click")) {
      event.stopImmediatePropagation();
      event.preventDefault();
    }
    if (press.result === "hit" && isHere) {
      const isSubmitter = (node) => (node.type === "submit" || node.type === "image") && node.form && !node.formNoValidate;
      const submitter = event.composedPath().find(isSubmitter);
      press.submits = Boolean(submitter);
      if (submitter) watchForm(submitter.form);
    }
    if (press.result === "hit" || event.type === "click") press.end();
  };
  press.end = () => {
    for (const window of windows) {
      try {
        for (const type of types) window.removeEventListener(type, handle, { capture: true });
      } catch { /* It shows a document of another origin by now, without the listeners. */ }
    }
    press.onEnd(press.outcome());
  };
  for (const window of windows) {
    for (const type of types) window.addEventListener(type, handle, { capture: true });
  }
  // Ends after 1 s without a press, or 5 s if a press is sure to come; otherwise after 5 s: a press may be long.
  const later = (run, delay) => {
    let isCanceled = false;
    targetWindow.scheduler.postTask(() => isCanceled || run(), { delay });
    return () => { isCanceled = true; };
  };
  const endAfter = (time) => later(() => {
    if (press.started) later(press.end, 4000);
    else press.end();
  }, time);
  let cancelEnd = endAfter(1000);
  press.expect = () => {
    cancelEnd();
    cancelEnd = endAfter(5000);
  };
  globalThis[key] = press;
}
