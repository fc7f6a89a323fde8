// Makes the document of `this` leave full screen and notifies its page. Returns whether it was in full screen.
async function () {
  const document = this.ownerDocument;
  const window = document.defaultView;
  const fullscreenElement = Object.getOwnPropertyDescriptor(Document.prototype, "fullscreenElement").get;
  if (!fullscreenElement.call(document)) return false;
  // Rejects if the document left full screen in the meantime.
  await Document.prototype.exitFullscreen.call(document).catch(() => {});
  // Listeners run in the next frame, which may be after the promise resolves.
  await new Promise((done) => { window.requestAnimationFrame(() => done()); window.scheduler.postTask(done, { delay: 250 }); });
  return true;
}
