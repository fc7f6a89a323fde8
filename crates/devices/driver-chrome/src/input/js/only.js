// Where the only element can be clicked that a selector hits, if it is plain what a click on it comes to; the press that
// follows is held back when it meets something else. `aim` and `guard` are the functions of those names. Whatever is unclear
// is left to whoever looks at all of the page.
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

  guard(target, window);
  const pinch = window.visualViewport ? window.visualViewport.scale : 1;
  return { ...found, scale: window.devicePixelRatio * pinch };
}
