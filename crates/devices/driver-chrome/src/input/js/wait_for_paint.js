// Returns after the first paint of the document of `this`. `drawing` are the functions in drawing.js.
async function () {
  const window = this.ownerDocument.defaultView;
  if (window) await drawing.firstPaint(window);
  return true;
}
