// Scrolls `this` to the middle of everything that scrolls around it, frames included. Whether it is still there.
function () {
  if (!this.isConnected || !this.ownerDocument.defaultView) return false;
  Element.prototype.scrollIntoView.call(this, { block: "center", inline: "nearest", behavior: "instant" });
  return true;
}
