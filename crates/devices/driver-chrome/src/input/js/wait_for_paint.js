// Returns after the first paint of the document of `this`; browsers drop mouse events before it.
async function () {
  const window = this.ownerDocument.defaultView;
  if (!window || window.performance.getEntriesByType("paint").length) return true;
  for (let frame = 0; frame < 2; frame += 1) {
    await new Promise((done) => { window.requestAnimationFrame(() => done()); window.scheduler.postTask(done, { delay: 250 }); });
  }
  return true;
}
