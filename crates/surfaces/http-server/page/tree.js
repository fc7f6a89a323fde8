// The tree of nodes: rows that are searched, folded and walked with the keyboard.
import { $, el } from "./dom.js";
import { around } from "./screen.js";

let nodes = [], chosen, folded = new Set(), shown = [], on;

export function setup(handlers) {
  on = handlers;
  $("search").addEventListener("input", draw);
  $("acting").addEventListener("change", draw);
  $("tree").addEventListener("keydown", keys);
  $("tree").addEventListener("mouseleave", () => on.hover(undefined));
  $("search").addEventListener("keydown", (event) => {
    if (event.key === "Escape") { $("search").value = ""; draw(); }
    if (event.key === "ArrowDown" || event.key === "Enter") { event.preventDefault(); focus(shown.find((node) => hit(node))); }
  });
}

export function show(all, one) {
  nodes = all;
  chosen = one;
  folded = new Set();
  draw();
}

export function choose(node) {
  chosen = node;
  for (const one of around(node?.parent)) folded.delete(one.index);
  draw();
  row(node)?.scrollIntoView({ block: "nearest" });
}

const row = (node) => node && $("tree").querySelector(`[data-index="${node.index}"]`);

const wanted = () => $("search").value.trim().toLowerCase();

function hit(node) {
  const words = wanted();
  if ($("acting").checked && !node.acts) return false;
  return !words || [node.name, node.inner, node.id, node.role, node.attrs.class, node.attrs["content-desc"]].some((text) => text && text.toLowerCase().includes(words));
}

function draw() {
  const filtered = Boolean(wanted()) || $("acting").checked;
  const hits = new Set(nodes.filter(hit));
  const kept = new Set();
  for (const node of hits) for (const one of around(node)) kept.add(one);
  const hidden = (node) => !filtered && around(node.parent).some((one) => folded.has(one.index));
  shown = nodes.filter((node) => kept.has(node) && !hidden(node));
  const focused = $("tree").contains(document.activeElement);
  $("tree-count").textContent = nodes.length ? (filtered ? `${hits.size} of ${nodes.length}` : `${nodes.length} ${nodes.length === 1 ? "node" : "nodes"}`) : "";
  const entry = shown.includes(chosen) ? chosen : shown[0];
  const rows = shown.map((node) => {
    const open = node.children.length ? String(filtered || !folded.has(node.index)) : null;
    const made = el("div", {
      class: `row${hits.has(node) ? "" : " off"}${node.acts ? " acts" : ""}${node.name ? "" : " bare"}`, role: "treeitem", "data-index": node.index,
      "aria-level": node.depth + 1, "aria-expanded": open, "aria-selected": String(node === chosen), tabindex: node === entry ? 0 : -1,
      onclick: () => { on.choose(node); focus(node); }, onmouseenter: () => on.hover(node),
    },
    el("span", { class: "fold", "aria-hidden": "true", onclick: (event) => { event.stopPropagation(); fold(node); } }, open === null ? "" : open === "true" ? "▾" : "▸"),
    el("span", { class: "role" }, node.role || node.kind),
    node.name || node.inner ? el("span", { class: node.name ? "name" : "name inner" }, node.name || node.inner) : null,
    node.id ? el("span", { class: "id" }, `#${node.id.split("/").pop()}`) : null,
    node.acts ? el("span", { class: "mark", title: "Can be acted on" }, node.edits ? "edit" : "click") : null);
    made.style.setProperty("--depth", node.depth);
    return made;
  });
  $("tree").replaceChildren(...rows);
  if (nodes.length && !shown.length) $("tree").append(el("p", { class: "note" }, "No node matches. Search looks at names, ids, roles and classes."));
  if (!nodes.length) $("tree").append(el("p", { class: "note" }, "The nodes of the screen stand here once it has been read."));
  if (focused) row(entry)?.focus({ preventScroll: true });
}

function fold(node, close = !folded.has(node.index)) {
  if (close) folded.add(node.index);
  else folded.delete(node.index);
  draw();
}

function focus(node) {
  const made = row(node);
  if (!made) return;
  $("tree").querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
  made.tabIndex = 0;
  made.focus();
  on.hover(node);
}

function keys(event) {
  const at = shown.findIndex((node) => String(node.index) === document.activeElement?.dataset.index);
  const node = shown[at];
  if (!node) return;
  const open = node.children.length && !folded.has(node.index);
  switch (event.key) {
    case "ArrowDown": focus(shown[at + 1]); break;
    case "ArrowUp": focus(shown[at - 1]); break;
    case "Home": focus(shown[0]); break;
    case "End": focus(shown[shown.length - 1]); break;
    case "ArrowRight": if (open) focus(shown[at + 1]); else if (node.children.length) fold(node, false); break;
    case "ArrowLeft": if (open) { fold(node, true); focus(node); } else focus(node.parent); break;
    case "Enter": case " ": on.choose(node); break;
    default: return;
  }
  event.preventDefault();
}
