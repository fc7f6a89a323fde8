// Changes the page by `make` in a later task, and returns a promise that is resolved when that task begins. The caller gets its
// answer then, before the page is involved: a dialog that the page opens would block it. `result` returns the result for
// change_result.js, when the page may have rendered anew.
function (make, result) {
  return new Promise((begun) => {
    const change = async () => {
      // The answer waits for a few promises; nothing of the page runs in between.
      for (let turn = 0; turn < 16; turn += 1) await null;
      make();
      await new Promise((done) => { scheduler.postTask(done); });
      return result();
    };
    scheduler.postTask(() => {
      begun();
      globalThis[Symbol.for("change")] = change();
    });
  });
}
