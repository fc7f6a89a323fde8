// Whether the window of `this` was drawn within so many milliseconds.
async function (most) {
  const window = this.ownerDocument.defaultView;
  if (!window) return true;
  return new Promise((done) => {
    window.requestAnimationFrame(() => done(true));
    window.setTimeout(() => done(false), most);
  });
}
