// Watches over the press that is to come: one that meets something else than `target` never reaches the page. One that is let
// go beside it, because it has moved, was half made; what has gone by itself, or lies under something now, has seen to it that
// it did. `own` is the window that the target lies in.
function (target, own) {
  const key = Symbol.for("press");
  if (globalThis[key]) globalThis[key].end();
  const press = { met: null };
  const kinds = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
  const feel = (event) => {
    if (!event.isTrusted) return;
    if (press.met === null && event.type === "pointerdown" && !target.takes(event)) {
      press.met = "nothing";
    }
    if (press.met === null && event.type === "mouseup") {
      const half = !target.takes(event) && target.left(event.clientX, event.clientY);
      press.met = half ? "half" : "all";
    }
    const holdsBack = press.met === "nothing" || press.met === "half";
    if (holdsBack) {
      event.stopImmediatePropagation();
      event.preventDefault();
    }
    if (press.met === "all" || event.type === "click") press.end();
  };
  press.end = () => {
    for (const kind of kinds) own.removeEventListener(kind, feel, { capture: true });
  };
  for (const kind of kinds) own.addEventListener(kind, feel, { capture: true });
  own.setTimeout(press.end, 1000);
  globalThis[key] = press;
}
