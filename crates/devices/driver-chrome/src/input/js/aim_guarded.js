// A point where `this` can be clicked now. With `guarded` the next press is blocked if it hits something else. `aim` and `guard` are the
// functions in the files with these names.
async function (lastCenter, inRemoteFrame, guarded) {
  let target = null;
  const found = await aim.call(this, lastCenter, inRemoteFrame, (functions) => { target = functions; });
  if (guarded && found.is === "at" && target) guard(target, this.ownerDocument.defaultView);
  return found;
}
