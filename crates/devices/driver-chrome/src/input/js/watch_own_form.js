// Watches whether the browser refuses to submit the form of `this`, or else that of the element with the focus; `watchForm` is the
// function of watch_form.js.
function () {
  let field = this;
  if (!field.form) {
    field = this.ownerDocument.activeElement;
    while (field?.shadowRoot?.activeElement) field = field.shadowRoot.activeElement;
  }
  if (field?.form) watchForm(field.form);
}
