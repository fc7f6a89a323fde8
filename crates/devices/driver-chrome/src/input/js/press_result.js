// Returns the result of the guarded press (see guard.js) and ends the guard; with `waitForEnd` it waits until the guard ends.
// Without any event in this document the press hit another document.
function (waitForEnd) {
  const press = globalThis[Symbol.for("press")];
  if (!press || press.result === "hit") return "hit";
  if (waitForEnd) return new Promise((done) => { press.onEnd = done; });
  press.end();
  return press.result || "hit";
}
