// Has the document of `this` leave the full screen, if it is there, and tell its page so; gives whether it was.
async function () {
  const document = this.ownerDocument;
  const window = document.defaultView;
  const shown = Object.getOwnPropertyDescriptor(Document.prototype, "fullscreenElement").get;
  if (!shown.call(document)) return false;
  // One that leaves it by itself meanwhile refuses.
  await Document.prototype.exitFullscreen.call(document).catch(() => {});
  // Listeners are told with the next frame, which may be after the promise is kept.
  await new Promise((done) => { window.requestAnimationFrame(() => done()); window.setTimeout(done, 250); });
  return true;
}
