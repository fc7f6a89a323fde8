// Tells, as soon as the expected press was let go, how much of it met what it was meant for.
function () {
  const press = globalThis[Symbol.for("press")];
  return press ? press.told : "all";
}
