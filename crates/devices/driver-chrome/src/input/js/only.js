// A point where the single match of a selector can be clicked, without an observation of the page. The next press is blocked if
// it hits something else. `aim` and `guard` are the functions in the files with these names. Returns `unclear` if only a
// complete observation can decide.
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
  // A custom element may be disabled through its internals, which cannot be read here.
  const PLAIN = "a[href], button, input, select, textarea, summary";
  const isPlain = !own.localName.includes("-") && own.matches(PLAIN);
  let steps = 0;
  for (let node = own; node instanceof Element; node = up(node)) {
    const disabled = Element.prototype.getAttribute.call(node, "aria-disabled");
    if (disabled !== null && disabled !== "false") return unclear;
    if (!isPlain && steps < 8 && node.localName.includes("-")) return unclear;
    steps += 1;
  }
  // A submitted form starts its navigation in a later task. Wait for that task, so that the old document is not clicked again.
  // Without a recent submission do not wait: after a press a task takes as long as a frame.
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

  guard(target, window);
  const pinch = window.visualViewport ? window.visualViewport.scale : 1;
  return { ...found, scale: window.devicePixelRatio * pinch };
}
