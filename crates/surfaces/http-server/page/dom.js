// Helpers to create and update elements. Device text is inserted as text, never as markup.

export const $ = (id) => document.getElementById(id);

/** Creates an element; strings become text nodes. */
export function el(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function svg(tag, props) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(props || {})) element.setAttribute(key, value);
  return element;
}

let hideTimer;
/** Shows a message briefly and announces it to screen readers. */
export function announce(text) {
  $("announcement").textContent = text;
  $("announcement").classList.add("on");
  clearTimeout(hideTimer);
  hideTimer = setTimeout(() => $("announcement").classList.remove("on"), 1600);
}

/** Copies text to the clipboard; also works in insecure contexts. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", { class: "offscreen" });
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (!copied) return announce("The browser does not allow copying; select the text instead");
  }
  announce("Copied");
}

export const copyButton = (label, text, title) =>
  el("button", { class: "quiet", type: "button", title: title || `Copy: ${text}`, onclick: (event) => { event.stopPropagation(); copy(text); } }, label);

/** Splits text into nodes; parts in backticks become code elements. */
export const withCode = (text) => String(text).split("`").map((part, at) => (at % 2 ? el("code", {}, part) : part));

/** An element that shows an error with its code and hint. */
export function errorBox(error) {
  const box = el("div", { class: "error" }, el("b", {}, error.code || "ERROR"), " ", ...withCode(error.message || error));
  if (error.hint) box.append(el("div", { class: "dim" }, ...withCode(error.hint)));
  return box;
}
