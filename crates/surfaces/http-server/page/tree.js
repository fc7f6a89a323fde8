// The node tree: search, expand and collapse, and keyboard navigation.
import { $, el } from "./dom.js";
import { ancestorsOrSelf } from "./screen.js";

let nodes = [], chosen, collapsed = new Set(), shown = [], handlers;

export function setup(callbacks) {
  handlers = callbacks;
  $("search").addEventListener("input", draw);
  $("actionable").addEventListener("change", draw);
  $("tree").addEventListener("keydown", handleKey);
  $("tree").addEventListener("mouseleave", () => handlers.hover(undefined));
  $("search").addEventListener("keydown", (event) => {
    if (event.key === "Escape") { $("search").value = ""; draw(); }
    if (event.key === "ArrowDown" || event.key === "Enter") { event.preventDefault(); focus(shown.find((node) => matches(node))); }
  });
}

export function show(newNodes, node) {
  nodes = newNodes;
  chosen = node;
  collapsed = new Set();
  draw();
}

export function choose(node) {
  chosen = node;
  for (const one of ancestorsOrSelf(node?.parent)) collapsed.delete(one.index);
  draw();
  row(node)?.scrollIntoView({ block: "nearest" });
}

const row = (node) => node && $("tree").querySelector(`[data-index="${node.index}"]`);

const searchText = () => $("search").value.trim().toLowerCase();

function matches(node) {
  const text = searchText();
  if ($("actionable").checked && !node.actionable) return false;
  return !text || [node.name, node.inner, node.id, node.role, node.attrs.class, node.attrs["content-desc"]].some((value) => value && value.toLowerCase().includes(text));
}

function draw() {
  const filtered = Boolean(searchText()) || $("actionable").checked;
  const hits = new Set(nodes.filter(matches));
  const visible = new Set();
  for (const node of hits) for (const one of ancestorsOrSelf(node)) visible.add(one);
  const hidden = (node) => !filtered && ancestorsOrSelf(node.parent).some((one) => collapsed.has(one.index));
  shown = nodes.filter((node) => visible.has(node) && !hidden(node));
  const focused = $("tree").contains(document.activeElement);
  $("tree-count").textContent = nodes.length ? (filtered ? `${hits.size} of ${nodes.length}` : `${nodes.length} ${nodes.length === 1 ? "node" : "nodes"}`) : "";
  const focusable = shown.includes(chosen) ? chosen : shown[0];
  const rows = shown.map((node) => {
    const expanded = node.children.length ? String(filtered || !collapsed.has(node.index)) : null;
    const element = el("div", {
      class: `row${hits.has(node) ? "" : " off"}${node.actionable ? " actionable" : ""}${node.name ? "" : " bare"}`, role: "treeitem", "data-index": node.index,
      "aria-level": node.depth + 1, "aria-expanded": expanded, "aria-selected": String(node === chosen), tabindex: node === focusable ? 0 : -1,
      onclick: () => { handlers.choose(node); focus(node); }, onmouseenter: () => handlers.hover(node),
    },
    el("span", { class: "toggle", "aria-hidden": "true", onclick: (event) => { event.stopPropagation(); toggle(node); } }, expanded === null ? "" : expanded === "true" ? "▾" : "▸"),
    el("span", { class: "role" }, node.role || node.kind),
    node.name || node.inner ? el("span", { class: node.name ? "name" : "name inner" }, node.name || node.inner) : null,
    node.id ? el("span", { class: "id" }, `#${node.id.split("/").pop()}`) : null,
    node.actionable ? el("span", { class: "mark", title: "Actionable" }, node.editable ? "edit" : "click") : null);
    element.style.setProperty("--depth", node.depth);
    return element;
  });
  $("tree").replaceChildren(...rows);
  if (nodes.length && !shown.length) $("tree").append(el("p", { class: "note" }, "No node matches. The search covers names, ids, roles and classes."));
  if (!nodes.length) $("tree").append(el("p", { class: "note" }, "The node tree appears here after the first snapshot."));
  if (focused) row(focusable)?.focus({ preventScroll: true });
}

function toggle(node, collapse = !collapsed.has(node.index)) {
  if (collapse) collapsed.add(node.index);
  else collapsed.delete(node.index);
  draw();
}

function focus(node) {
  const element = row(node);
  if (!element) return;
  $("tree").querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
  element.tabIndex = 0;
  element.focus();
  handlers.hover(node);
}

function handleKey(event) {
  const at = shown.findIndex((node) => String(node.index) === document.activeElement?.dataset.index);
  const node = shown[at];
  if (!node) return;
  const expanded = node.children.length && !collapsed.has(node.index);
  switch (event.key) {
    case "ArrowDown": focus(shown[at + 1]); break;
    case "ArrowUp": focus(shown[at - 1]); break;
    case "Home": focus(shown[0]); break;
    case "End": focus(shown[shown.length - 1]); break;
    case "ArrowRight": if (expanded) focus(shown[at + 1]); else if (node.children.length) toggle(node, false); break;
    case "ArrowLeft": if (expanded) { toggle(node, true); focus(node); } else focus(node.parent); break;
    case "Enter": case " ": handlers.choose(node); break;
    default: return;
  }
  event.preventDefault();
}
