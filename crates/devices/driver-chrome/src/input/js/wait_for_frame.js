// Whether the window of `this` rendered a frame within the given number of milliseconds. `drawing` are the functions in drawing.js.
async function (timeout) {
  const window = this.ownerDocument.defaultView;
  return window ? drawing.nextFrame(window, timeout) : true;
}
