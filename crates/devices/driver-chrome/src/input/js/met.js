// Returns what the guarded press hit (see guard.js) and ends the guard; with `later` it waits for the end of the guard instead.
// Without any event in this document the press hit another document.
function (later) {
  const press = globalThis[Symbol.for("press")];
  if (!press || press.met === "all") return "all";
  if (later) return new Promise((done) => { press.told = done; });
  press.end();
  return press.met || "all";
}
