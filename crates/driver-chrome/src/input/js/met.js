// Tells how much of the press that was expected met what it was meant for, now that it was made; the next one is another's.
// What the page never heard of met another document.
function () {
  const press = globalThis[Symbol.for("press")];
  if (press) press.end();
  return (press && press.met) || "all";
}
