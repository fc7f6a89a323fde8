// Steps of a plan, in words and as the command line writes them.

const FLAGS = { textEquals: "--text", textContains: "--text-contains", resourceId: "--id", contentDescEquals: "--desc", contentDescContains: "--desc-contains", role: "--role", css: "--css" };

// What a terminal obeys or nobody sees, as the crate `escape` has it; joiners and variation selectors belong to what they change.
const HIDDEN = /[\p{Cc}\u2028\u2029\ufff9-\ufffb]|(?![\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}])\p{DI}|(?<![^\0-\x7f\u200c\u200d])[\u200c\u200d]|(?<=^|[\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
const hides = (text) => String(text).search(HIDDEN) >= 0;
const hex = (number, digits) => number.toString(16).padStart(digits, "0");
const units = (found) => found.split("").map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`).join("");

/** A value as JSON that hides nothing. */
export const json = (value, indent) => JSON.stringify(value, null, indent).replace(HIDDEN, (found) => (found === "\n" ? found : units(found)));
/** A CSS selector that hides nothing. */
export const css = (selector) => selector.replace(HIDDEN, (found) => `\\${hex(found.codePointAt(0), 1)} `);

/** A word as shells of Unix take it. */
export function quote(word) {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!hides(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/['\\]/g, "\\$&").replace(HIDDEN, (found) => `\\U${hex(found.codePointAt(0), 8)}`)}'`;
}

function flags(matcher, prefix, plain) {
  const keys = Object.keys(matcher);
  if (!plain || keys.some((key) => !FLAGS[key] || typeof matcher[key] !== "string" || matcher[key].startsWith("-") || hides(matcher[key]))) return [`--${prefix}selector`, json(matcher)];
  return keys.flatMap((key) => [`--${prefix}${FLAGS[key].slice(2)}`, matcher[key]]);
}

/** The command that does what a step does. */
export function command(action, device) {
  const { type, params = {} } = action;
  const words = ["clawperator"];
  // With `type`, --text is what is typed.
  const target = (plain) => [...(params.matcher ? flags(params.matcher, "", plain) : []), ...(params.container ? flags(params.container, "container-", true) : [])];
  if (type === "click") {
    words.push("click", ...target(true));
    if (params.coordinate) words.push("--coordinate", params.coordinate.x, params.coordinate.y);
    if (params.clickType === "long_click") words.push("--long");
  } else if (type === "enter_text") {
    words.push("type", "--text", params.text, ...target(false));
    if (params.submit) words.push("--submit");
  } else if (type === "scroll") words.push("scroll", params.direction, ...target(true));
  else if (type === "press_key") words.push("press", params.key);
  else if (type === "open_app") words.push("open", "--app", params.applicationId);
  else if (type === "open_uri") words.push("open", "--uri", params.uri);
  else if (type === "wait_for_node") words.push("wait", ...target(true));
  else words.push("exec", json({ actions: [action] }));
  if (device) words.push("--device", device);
  return words.map((word) => quote(String(word))).join(" ");
}

/** The command that names an element. */
export const naming = (candidate, device) => command({ type: "click", params: aim(candidate) }, device);

/** Where a selector leads, as params of a step. */
export function aim(candidate) {
  const params = {};
  if (candidate.selector) params.matcher = candidate.selector;
  else if (candidate.coordinate) params.coordinate = candidate.coordinate;
  if (candidate.container) params.container = candidate.container;
  return params;
}

const short = (matcher) => (matcher ? Object.entries(matcher).map(([key, value]) => (["textEquals", "contentDescEquals"].includes(key) ? `“${value}”` : key === "css" ? value : key === "resourceId" ? `#${String(value).split("/").pop()}` : key === "role" ? value : `${key} ${value}`)).join(" ") : "");

/** A step in a few words: what it does, and to what. */
export function words(action) {
  const { type, params = {} } = action;
  const where = params.coordinate ? `${params.coordinate.x}, ${params.coordinate.y}` : short(params.matcher);
  switch (type) {
    case "click": return [params.clickType === "long_click" ? "long press" : "click", where];
    case "enter_text": return ["type", `“${params.text}” → ${where}`];
    case "scroll": return ["scroll", `${params.direction || "down"} ${short(params.container)}`];
    case "press_key": return ["press", params.key];
    case "open_app": return ["open", params.applicationId];
    case "open_uri": return ["open", params.uri];
    case "wait_for_node": return ["wait", where];
    default: return [type, where];
  }
}

let count = 0;
/** An execution of these steps, under a name that nothing else has. */
export function execution(actions, name = "inspector", timeoutMs = 30000) {
  const id = `${name}-${Date.now()}-${++count}`;
  return { commandId: id, taskId: id, source: "inspector", expectedFormat: "android-ui-automator", timeoutMs, actions };
}
