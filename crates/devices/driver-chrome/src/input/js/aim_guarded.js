// A point where `this` can be clicked now. In the mode `press` the next press is blocked if it hits something else; in the mode
// `place` nothing is scrolled. `aim` and `guard` are the functions in the files with these names.
async function (lastCenter, inRemoteFrame, mode) {
  let target = null;
  const found = await aim.call(this, lastCenter, inRemoteFrame, mode === "place", (functions) => { target = functions; });
  if (mode === "press" && found.is === "at" && target) guard(target, this.ownerDocument.defaultView);
  return found;
}
