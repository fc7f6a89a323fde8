// A point where the single match of a selector can be clicked, without an observation of the page. The next press is blocked if
// it hits something else. `aim` and `guard` are the functions in the files with these names. Returns `unclear` if only a
// complete observation can decide.
async function (selector) {
  const unclear = { is: "unclear" };
  let matches;
  try {
    matches = Document.prototype.querySelectorAll.call(document, selector);
  } catch {
    return unclear;
  }
  if (matches.length !== 1) return unclear;
  const [element] = matches;
  // Listing the options of a list requires an observation.
  if (element.localName === "select") return unclear;
  const parentOf = (node) => {
    const parent = node.assignedSlot || node.parentNode;
    return parent instanceof ShadowRoot ? parent.host : parent;
  };
  // A custom element may be disabled through its internals, which cannot be read here.
  const PLAIN = "a[href], button, input, select, textarea, summary";
  const isPlain = !element.localName.includes("-") && element.matches(PLAIN);
  let steps = 0;
  for (let node = element; node instanceof Element; node = parentOf(node)) {
    const disabled = Element.prototype.getAttribute.call(node, "aria-disabled");
    if (disabled !== null && disabled !== "false") return unclear;
    if (!isPlain && steps < 8 && node.localName.includes("-")) return unclear;
    steps += 1;
  }
  // A submitted form starts its navigation in a later task. Wait for that task, so that the old document is not clicked again.
  // Without a recent submission do not wait: after a press a task takes as long as a frame.
  const forms = Symbol.for("forms");
  const lastSubmission = globalThis[forms];
  if (!lastSubmission) {
    const submission = globalThis[forms] = { at: -Infinity };
    const recordSubmission = () => { submission.at = performance.now(); };
    for (const kind of ["submit", "formdata"]) {
      window.addEventListener(kind, recordSubmission, { capture: true, passive: true });
    }
  }
  if (!lastSubmission || performance.now() - lastSubmission.at < 1000) {
    await new Promise((done) => { window.scheduler.postTask(done); });
  }
  let target = null;
  const found = await aim.call(element, null, false, false, (functions) => { target = functions; });
  if (found.is !== "at" || !target) return unclear;

  guard(target, window);
  const pinch = window.visualViewport ? window.visualViewport.scale : 1;
  return { ...found, scale: window.devicePixelRatio * pinch };
}
