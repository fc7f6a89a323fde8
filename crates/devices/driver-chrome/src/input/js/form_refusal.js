// The field because of which the browser refused to submit the watched form (see watch_form.js), and its message; null if it did
// not refuse it. Ends the watch.
function () {
  const refusal = globalThis[Symbol.for("refusal")];
  if (!refusal) return null;
  refusal.end();
  if (refusal.submitted || refusal.fields.length === 0) return null;
  // The browser focuses the field that it complains about.
  const field = refusal.fields.find((field) => field.matches(":focus")) ?? refusal.fields[0];
  const label = field.labels && field.labels.length > 0 ? field.labels[0].cloneNode(true) : null;
  if (label) for (const inner of label.querySelectorAll("input, select, textarea, button")) inner.remove();
  const names = [field.getAttribute("aria-label"), label?.textContent, field.placeholder, field.name, field.id, field.localName];
  const name = names.map((name) => (name || "").trim().replace(/\s+/g, " ")).find((name) => name !== "");
  return { field: name.slice(0, 40), message: field.validationMessage.slice(0, 300) };
}
