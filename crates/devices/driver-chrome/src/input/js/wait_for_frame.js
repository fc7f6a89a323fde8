// Whether the window of `this` rendered a frame within the given number of milliseconds.
async function (timeout) {
  const window = this.ownerDocument.defaultView;
  if (!window) return true;
  return new Promise((done) => {
    window.requestAnimationFrame(() => done(true));
    window.scheduler.postTask(() => done(false), { delay: timeout });
  });
}
