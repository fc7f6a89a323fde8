// Waits for the result of the change that was begun in this document (see change.js).
function () {
  return globalThis[Symbol.for("change")];
}
