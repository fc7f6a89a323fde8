// A point where `this` can be clicked now. The next press is blocked if it hits something else. `aim` and `guard` are the
// functions in the files with these names.
async function (seen, framed) {
  let target = null;
  const found = await aim.call(this, seen, framed, (judge) => { target = judge; });
  if (found.is === "at" && target) guard(target, this.ownerDocument.defaultView);
  return found;
}
