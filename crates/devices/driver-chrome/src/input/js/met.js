// Tells how much of the press that was expected met what it was meant for: now that it was made, and the next one is another's,
// or `later`, as soon as it has. What the page never heard of met another document.
function (later) {
  const press = globalThis[Symbol.for("press")];
  if (!press || press.met === "all") return "all";
  if (later) return new Promise((done) => { press.told = done; });
  press.end();
  return press.met || "all";
}
