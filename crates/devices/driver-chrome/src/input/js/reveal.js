// Scrolls `this` to the center of all scroll containers and frames around it. Returns whether it is still in the document.
function () {
  if (!this.isConnected || !this.ownerDocument.defaultView) return false;
  Element.prototype.scrollIntoView.call(this, { block: "center", inline: "nearest", behavior: "instant" });
  return true;
}
