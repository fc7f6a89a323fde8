// Watches whether the browser refuses to submit `form`, because fields of it are not valid (see form_refusal.js).
function (form) {
  const key = Symbol.for("refusal");
  if (globalThis[key]) globalThis[key].end();
  if (form.noValidate) return;
  const root = form.getRootNode();
  const refusal = { fields: [], submitted: false };
  const note = (event) => {
    if (!event.isTrusted) return;
    if (event.type === "submit") refusal.submitted ||= event.target === form;
    else if (event.target.form === form) refusal.fields.push(event.target);
  };
  const types = ["invalid", "submit"];
  for (const type of types) root.addEventListener(type, note, { capture: true });
  refusal.end = () => {
    for (const type of types) root.removeEventListener(type, note, { capture: true });
    globalThis[key] = null;
  };
  globalThis[key] = refusal;
}
