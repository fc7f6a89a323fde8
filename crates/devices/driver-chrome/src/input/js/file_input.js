// Whether `this` takes `count` files, as a file input, or is to be clicked, as a label or button that opens a file chooser.
function (count) {
  const unwritable = (why) => ({ is: "unwritable", why });
  if (!this.isConnected || !this.ownerDocument.defaultView) return { is: "gone" };
  if (this.localName !== "input" || this.type !== "file") return { is: "opener" };
  if (this.matches(":disabled")) return { is: "refused", why: "the file input is disabled" };
  if (this.webkitdirectory) return unwritable("the file input takes a folder, not files");
  if (count > 1 && !this.multiple) return unwritable(`the file input takes one file, not ${count}`);
  return { is: "input" };
}
