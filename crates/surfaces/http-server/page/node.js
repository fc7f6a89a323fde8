// The selected node: its selectors, the most stable first, and its fields.
import { $, copyButton, el, errorBox } from "./dom.js";
import { css as plainCss, json as plainJson, clickCommand } from "./command.js";
import { title } from "./screen.js";

const FLAGS = ["clickable", "long-clickable", "checkable", "checked", "editable", "focusable", "focused", "scrollable", "selected", "password"];

function selectorItem(candidate, device, recommended) {
  const matcher = candidate.selector;
  const json = matcher ? plainJson(matcher) : candidate.coordinate ? plainJson(candidate.coordinate) : "";
  const container = candidate.container ? plainJson(candidate.container) : "";
  const css = matcher?.css;
  const level = candidate.stability >= 75 ? "good" : candidate.stability >= 50 ? "fair" : "poor";
  const stability = el("span", { class: `stability ${level}`, title: "Stability, 0 to 100: likelihood of a match after the app or page changes" }, String(candidate.stability));
  const matches = candidate.matches;
  return el("li", { class: "selector" },
    el("div", { class: "line" }, stability, el("b", {}, candidate.strategy),
      el("span", { class: matches === 1 ? "dim" : "warn" }, `${matches} ${matches === 1 ? "match" : "matches"}${candidate.verified ? "" : ", not checked"}`),
      recommended ? el("span", { class: "tag" }, "best") : null,
      el("span", { class: "grow" }),
      el("span", { class: "copies" }, "Copy", copyButton("matcher", container ? `${json}\n${container}` : json), copyButton("command", clickCommand(candidate, device)), css ? copyButton("CSS", plainCss(css)) : null)),
    el("code", {}, css ? plainCss(css) : json),
    container ? el("code", { class: "dim" }, `inside ${container}`) : null,
    candidate.why ? el("div", { class: "dim" }, candidate.why) : null);
}

export function showNote(text = "Select a node in the picture or in the tree to see its selectors.") {
  $("node").replaceChildren(el("p", { class: "note" }, text));
  for (const id of ["node-click", "node-long", "node-wait"]) $(id).disabled = true;
}

/** Shows a node; `selectors` is the response, an error, or `undefined` until it arrives. */
export function show(node, selectors, device) {
  for (const id of ["node-click", "node-long", "node-wait"]) $(id).disabled = !selectors?.elements;
  const element = selectors?.elements?.[0];
  const parts = [el("div", { class: "chosen" }, el("span", { class: "role" }, node.role || node.kind), " ", el("b", {}, title(node)))];
  if (!selectors) parts.push(el("p", { class: "note" }, "Loading selectors …"));
  else if (selectors instanceof Error) parts.push(errorBox(selectors));
  else if (!element?.selectors?.length) parts.push(el("p", { class: "note" }, "No selector found for this node."));
  else {
    if (element.bounds !== node.attrs.bounds) parts.push(el("p", { class: "note" }, "This node has no selector of its own. The selectors are those of ", el("b", {}, element.element), ", the actionable element at its position."));
    parts.push(el("ol", { class: "selectors", "aria-label": "Selectors, the most stable first" }, ...element.selectors.map((candidate, at) => selectorItem(candidate, device, at === 0))));
  }
  const flags = FLAGS.filter((flag) => node.attrs[flag] === "true");
  if (node.attrs.enabled === "false") flags.unshift("disabled");
  const fields = [["class", node.attrs.class], ["resource-id", node.id], ["text", node.attrs.text], ["content-desc", node.attrs["content-desc"]], ["bounds", node.attrs.bounds], ["state", flags.join(", ")], ["package", node.attrs.package]];
  const shown = new Set([...FLAGS, "enabled", "index", "class", "resource-id", "text", "content-desc", "bounds", "package"]);
  for (const [key, value] of Object.entries(node.attrs)) if (!shown.has(key) && value) fields.push([key, value]);
  const list = el("dl", { "aria-label": "Fields" });
  for (const [key, value] of fields) if (value) list.append(el("dt", {}, key), el("dd", {}, value));
  parts.push(list);
  $("node").replaceChildren(...parts);
}
