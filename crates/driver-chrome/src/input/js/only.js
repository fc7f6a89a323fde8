// Where the only element can be clicked that a selector hits, if it is plain what a click on it comes to; the press that
// follows is held back when it meets something else. `aim` is the function of that name. Whatever is unclear is left to whoever
// looks at all of the page.
async function (selector) {
  const unclear = { is: "unclear" };
  let hits;
  try {
    hits = Document.prototype.querySelectorAll.call(document, selector);
  } catch {
    return unclear;
  }
  if (hits.length !== 1) return unclear;
  const [own] = hits;
  const up = (node) => {
    const around = node.assignedSlot || node.parentNode;
    return around instanceof ShadowRoot ? around.host : around;
  };
  // An element of the page's own making may be disabled without a sign that could be read here.
  const PLAIN = "a[href], button, input, select, textarea, summary";
  const isPlain = !own.localName.includes("-") && own.matches(PLAIN);
  let steps = 0;
  for (let node = own; node instanceof Element; node = up(node)) {
    const disabled = Element.prototype.getAttribute.call(node, "aria-disabled");
    if (disabled !== null && disabled !== "false") return unclear;
    if (!isPlain && steps < 8 && node.localName.includes("-")) return unclear;
    steps += 1;
  }
  // A form that was sent leads to its page in a turn of its own, for which this document waits: it is not to be clicked
  // again before. Without a form nothing is waited for, because behind a press a turn takes as long as a picture.
  const forms = Symbol.for("forms");
  const sent = globalThis[forms];
  if (!sent) {
    const news = globalThis[forms] = { at: -Infinity };
    const note = () => { news.at = performance.now(); };
    for (const kind of ["submit", "formdata"]) window.addEventListener(kind, note, { capture: true, passive: true });
  }
  if (!sent || performance.now() - sent.at < 1000) {
    await new Promise((done) => { window.setTimeout(done, 0); });
  }
  let target = null;
  const found = await aim.call(own, null, false, (judge) => { target = judge; });
  if (found.is !== "at" || !target) return unclear;

  // A press that meets something else never reaches the page. One that is let go beside what it was meant for, because that
  // has moved, was half made; what has gone by itself, or lies under something now, has seen to it that it did.
  const key = Symbol.for("press");
  if (globalThis[key]) globalThis[key].end();
  const press = { met: null };
  const kinds = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
  const feel = (event) => {
    if (!event.isTrusted) return;
    const hit = event.composedPath()[0];
    if (press.met === null && event.type === "pointerdown" && !target.belongs(hit)) {
      press.met = "nothing";
    }
    if (press.met === null && event.type === "mouseup") {
      const half = !target.belongs(hit) && target.left(event.clientX, event.clientY);
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
    for (const kind of kinds) window.removeEventListener(kind, feel, { capture: true });
  };
  for (const kind of kinds) window.addEventListener(kind, feel, { capture: true });
  window.setTimeout(press.end, 1000);
  globalThis[key] = press;
  const pinch = window.visualViewport ? window.visualViewport.scale : 1;
  return { ...found, scale: window.devicePixelRatio * pinch };
}
