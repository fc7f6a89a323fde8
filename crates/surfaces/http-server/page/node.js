// The node that was chosen: its selectors, the most stable first, and its fields.
import { $, copier, el, trouble } from "./dom.js";
import { css as plainCss, json as plainJson, naming } from "./command.js";
import { title } from "./screen.js";

const FACTS = ["clickable", "long-clickable", "checkable", "checked", "editable", "focusable", "focused", "scrollable", "selected", "password"];

function selector(candidate, device, recommended) {
  const matcher = candidate.selector;
  const json = matcher ? plainJson(matcher) : candidate.coordinate ? plainJson(candidate.coordinate) : "";
  const inside = candidate.container ? plainJson(candidate.container) : "";
  const css = matcher?.css;
  const good = candidate.stability >= 75 ? "good" : candidate.stability >= 50 ? "fair" : "poor";
  const meter = el("span", { class: `stability ${good}`, title: "How likely it is to hit the same element when the app or page has changed, of 100" }, String(candidate.stability));
  const matches = candidate.matches;
  return el("li", { class: "selector" },
    el("div", { class: "line" }, meter, el("b", {}, candidate.strategy),
      el("span", { class: matches === 1 ? "dim" : "warn" }, `${matches} ${matches === 1 ? "match" : "matches"}${candidate.verified ? "" : ", not checked"}`),
      recommended ? el("span", { class: "tag" }, "best") : null,
      el("span", { class: "grow" }),
      el("span", { class: "copies" }, "Copy", copier("matcher", inside ? `${json}\n${inside}` : json), copier("command", naming(candidate, device)), css ? copier("CSS", plainCss(css)) : null)),
    el("code", {}, css ? plainCss(css) : json),
    inside ? el("code", { class: "dim" }, `inside ${inside}`) : null,
    candidate.why ? el("div", { class: "dim" }, candidate.why) : null);
}

export function empty(text) {
  $("node").replaceChildren(el("p", { class: "note" }, text));
  for (const id of ["node-click", "node-long", "node-wait"]) $(id).disabled = true;
}

/** Shows a node; `named` is `undefined` while its names are looked for, an error, or the answer. */
export function show(node, named, device) {
  for (const id of ["node-click", "node-long", "node-wait"]) $(id).disabled = !named?.elements;
  const element = named?.elements?.[0];
  const parts = [el("div", { class: "chosen" }, el("span", { class: "role" }, node.role || node.kind), " ", el("b", {}, title(node)))];
  if (!named) parts.push(el("p", { class: "note" }, "Looking for selectors …"));
  else if (named instanceof Error) parts.push(trouble(named));
  else if (!element?.selectors?.length) parts.push(el("p", { class: "note" }, "Nothing names this node for good."));
  else {
    if (element.bounds !== node.attrs.bounds) parts.push(el("p", { class: "note" }, "This node has no name of its own. The selectors are those of ", el("b", {}, element.element), ", which is acted on at its place."));
    parts.push(el("ol", { class: "selectors", "aria-label": "Selectors, the most stable first" }, ...element.selectors.map((candidate, at) => selector(candidate, device, at === 0))));
  }
  const facts = FACTS.filter((fact) => node.attrs[fact] === "true");
  if (node.attrs.enabled === "false") facts.unshift("disabled");
  const fields = [["class", node.attrs.class], ["resource-id", node.id], ["text", node.attrs.text], ["content-desc", node.attrs["content-desc"]], ["bounds", node.attrs.bounds], ["state", facts.join(", ")], ["package", node.attrs.package]];
  const known = new Set([...FACTS, "enabled", "index", "class", "resource-id", "text", "content-desc", "bounds", "package"]);
  for (const [key, value] of Object.entries(node.attrs)) if (!known.has(key) && value) fields.push([key, value]);
  const list = el("dl", { "aria-label": "Fields" });
  for (const [key, value] of fields) if (value) list.append(el("dt", {}, key), el("dd", {}, value));
  parts.push(list);
  $("node").replaceChildren(...parts);
}
