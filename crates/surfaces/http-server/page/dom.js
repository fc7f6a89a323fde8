// Small helpers for the page's own elements. What comes from a device goes in as text, never as markup.

export const $ = (id) => document.getElementById(id);

/** An element with properties and children; strings become text. */
export function el(tag, props, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function svg(tag, props) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(props || {})) made.setAttribute(key, value);
  return made;
}

let quiet;
/** Says something for a moment, also to screen readers. */
export function say(text) {
  $("said").textContent = text;
  $("said").classList.add("on");
  clearTimeout(quiet);
  quiet = setTimeout(() => $("said").classList.remove("on"), 1600);
}

/** Puts text on the clipboard, also where the page is not served securely. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", { class: "away" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) return say("The browser does not let this page copy; select the text instead");
  }
  say("Copied");
}

export const copier = (label, text, title) =>
  el("button", { class: "quiet", type: "button", title: title || `Copy: ${text}`, onclick: (event) => { event.stopPropagation(); copy(text); } }, label);

/** Text whose parts in backticks are commands. */
export const prose = (text) => String(text).split("`").map((part, at) => (at % 2 ? el("code", {}, part) : part));

/** What went wrong, as a person can use it. */
export function trouble(error) {
  const box = el("div", { class: "trouble" }, el("b", {}, error.code || "ERROR"), " ", ...prose(error.message || error));
  if (error.hint) box.append(el("div", { class: "dim" }, ...prose(error.hint)));
  return box;
}
