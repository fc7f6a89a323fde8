// Sets the value of the input `this`, whose value has one format, and notifies its page. `change` is the function in the file with
// that name.
async function (value) {
  if (!this.isConnected) return { is: "gone" };
  await change(() => {
    this.value = value;
    this.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }, () => true);
  return { is: "done" };
}
