// A point where `this` can be clicked now. The next press is blocked if it hits something else. `aim` and `guard` are the
// functions in the files with these names.
async function (lastCenter, inRemoteFrame) {
  let target = null;
  const found = await aim.call(this, lastCenter, inRemoteFrame, (functions) => { target = functions; });
  if (found.is === "at" && target) guard(target, this.ownerDocument.defaultView);
  return found;
}
