// Where `this` can be clicked now; the press that follows is held back when it meets something else. `aim` and `guard` are the
// functions of those names.
async function (seen, framed) {
  let target = null;
  const found = await aim.call(this, seen, framed, (judge) => { target = judge; });
  if (found.is === "at" && target) guard(target, this.ownerDocument.defaultView);
  return found;
}
