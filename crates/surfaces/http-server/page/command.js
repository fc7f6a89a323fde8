// Formats steps as short descriptions and as commands of the command line.

const FLAGS = { textEquals: "--text", textContains: "--text-contains", resourceId: "--id", contentDescEquals: "--desc", contentDescContains: "--desc-contains", role: "--role", css: "--css" };

// Control and invisible characters, as in the crate `escape`.
const HIDDEN = /[\p{Cc}\u2028\u2029\ufff9-\ufffb]|(?![\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}])\p{DI}|(?<![^\0-\x7f\u200c\u200d])[\u200c\u200d]|(?<=^|[\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
const hasHidden = (text) => String(text).search(HIDDEN) >= 0;
const hex = (number, digits) => number.toString(16).padStart(digits, "0");
const escapeUnits = (found) => found.split("").map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`).join("");

/** A value as JSON with hidden characters escaped. */
export const json = (value, indent) => JSON.stringify(value, null, indent).replace(HIDDEN, (found) => (found === "\n" ? found : escapeUnits(found)));
/** A CSS selector with hidden characters escaped. */
export const css = (selector) => selector.replace(HIDDEN, (found) => `\\${hex(found.codePointAt(0), 1)} `);

/** Quotes a word for POSIX shells; ANSI-C quoting escapes hidden characters. */
export function quote(word) {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!hasHidden(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/['\\]/g, "\\$&").replace(HIDDEN, (found) => `\\U${hex(found.codePointAt(0), 8)}`)}'`;
}

function flags(matcher, prefix, allowFlags) {
  const keys = Object.keys(matcher);
  if (!allowFlags || keys.some((key) => !FLAGS[key] || typeof matcher[key] !== "string" || matcher[key].startsWith("-") || hasHidden(matcher[key]))) return [`--${prefix}selector`, json(matcher)];
  return keys.flatMap((key) => [`--${prefix}${FLAGS[key].slice(2)}`, matcher[key]]);
}

/** The command equivalent to a step. */
export function command(action, device) {
  const { type, params = {} } = action;
  const words = ["clawperator"];
  // The command `type` uses --text for the text to enter.
  const target = (allowFlags) => [...(params.matcher ? flags(params.matcher, "", allowFlags) : []), ...(params.container ? flags(params.container, "container-", true) : [])];
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

/** A command that clicks the element of a selector. */
export const clickCommand = (candidate, device) => command({ type: "click", params: targetParams(candidate) }, device);

/** A selector as parameters of a step. */
export function targetParams(candidate) {
  const params = {};
  if (candidate.selector) params.matcher = candidate.selector;
  else if (candidate.coordinate) params.coordinate = candidate.coordinate;
  if (candidate.container) params.container = candidate.container;
  return params;
}

const matcherLabel = (matcher) => (matcher ? Object.entries(matcher).map(([key, value]) => (["textEquals", "contentDescEquals"].includes(key) ? `“${value}”` : key === "css" ? value : key === "resourceId" ? `#${String(value).split("/").pop()}` : key === "role" ? value : `${key} ${value}`)).join(" ") : "");

/** A short description of a step: its verb and its target. */
export function describeStep(action) {
  const { type, params = {} } = action;
  const target = params.coordinate ? `${params.coordinate.x}, ${params.coordinate.y}` : matcherLabel(params.matcher);
  switch (type) {
    case "click": return [params.clickType === "long_click" ? "long press" : "click", target];
    case "enter_text": return ["type", `“${params.text}” → ${target}`];
    case "scroll": return ["scroll", `${params.direction || "down"} ${matcherLabel(params.container)}`];
    case "press_key": return ["press", params.key];
    case "open_app": return ["open", params.applicationId];
    case "open_uri": return ["open", params.uri];
    case "wait_for_node": return ["wait", target];
    default: return [type, target];
  }
}

let count = 0;
/** An execution of these steps with a unique command id. */
export function execution(actions, name = "inspector", timeoutMs = 30000) {
  const id = `${name}-${Date.now()}-${++count}`;
  return { commandId: id, taskId: id, source: "inspector", expectedFormat: "android-ui-automator", timeoutMs, actions };
}
