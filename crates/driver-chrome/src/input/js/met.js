// Tells how much of the press that was expected met what it was meant for. What the page never heard of met another document.
function () {
  const press = globalThis[Symbol.for("press")];
  return (press && press.met) || "all";
}
