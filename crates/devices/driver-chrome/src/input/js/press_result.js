// Returns the result of the guarded press (see guard.js) and ends the guard; with `waitForEnd` it waits until the guard ends,
// which lasts longer for a press that comes.
function (waitForEnd) {
  const press = globalThis[Symbol.for("press")];
  if (!press) return "hit";
  if (press.result === "hit") return press.outcome();
  if (waitForEnd) {
    press.expect();
    return new Promise((done) => { press.onEnd = done; });
  }
  press.end();
  return press.outcome();
}
