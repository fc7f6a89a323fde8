// The screenshot with node outlines, and pointer input.
import { $, svg } from "./dom.js";
import { nodeAt } from "./screen.js";

let nodes = [], size = { w: 1, h: 1 }, handlers, url, hovered, scrolling = false;

export function setup(callbacks) {
  handlers = callbacks;
  const frame = $("frame");
  frame.addEventListener("mousemove", (event) => { const node = nodeAt(nodes, ...point(event)); if (node !== hovered) handlers.hover(node); });
  frame.addEventListener("mouseleave", () => handlers.hover(undefined));
  frame.addEventListener("click", (event) => { const [x, y] = point(event); handlers.click(x, y, event.altKey); });
  frame.addEventListener("wheel", wheel, { passive: false });
  $("outlines").addEventListener("change", () => $("frame").classList.toggle("outlined", $("outlines").checked));
  new ResizeObserver(fit).observe($("view"));
}

export const acting = () => $("mode-act").checked;

function point(event) {
  const box = $("picture").getBoundingClientRect();
  return [Math.floor(((event.clientX - box.left) / box.width) * size.w), Math.floor(((event.clientY - box.top) / box.height) * size.h)];
}

async function wheel(event) {
  if (!acting()) return;
  event.preventDefault();
  const delta = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
  if (scrolling || Math.abs(delta) < 4) return;
  scrolling = true;
  const direction = delta === event.deltaY ? (delta > 0 ? "down" : "up") : delta > 0 ? "right" : "left";
  try {
    await handlers.scroll(direction, ...point(event));
  } finally {
    scrolling = false;
  }
}

/** Shows a screenshot; resolves once it is decoded. */
export async function show(blob, newNodes) {
  const next = URL.createObjectURL(blob);
  const image = $("picture");
  image.src = next;
  await image.decode().catch(() => { throw new Error("The screenshot cannot be decoded."); });
  if (url) URL.revokeObjectURL(url);
  url = next;
  nodes = newNodes;
  size = { w: image.naturalWidth, h: image.naturalHeight };
  $("over").setAttribute("viewBox", `0 0 ${size.w} ${size.h}`);
  const group = svg("g", { class: "all" });
  for (const node of nodes) if (node.bounds) group.append(box(node.bounds, node.actionable ? "actionable" : ""));
  $("over").replaceChildren(group, svg("g", { id: "marks" }));
  $("frame").hidden = false;
  fit();
}

export function hide() {
  nodes = [];
  $("frame").hidden = true;
}

export const area = () => size.w * size.h;

function box([left, top, right, bottom], kind) {
  return svg("rect", { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top), class: kind });
}

/** Marks the hovered node, the selected one, and the results of a query. */
export function mark({ hover, chosen, hits = [] }) {
  hovered = hover;
  const marks = $("over").querySelector("#marks");
  if (!marks) return;
  marks.replaceChildren();
  for (const bounds of hits) if (String(bounds) !== String(chosen?.bounds)) marks.append(box(bounds, "hit"));
  if (chosen?.bounds) marks.append(box(chosen.bounds, "chosen"));
  if (hover?.bounds && hover !== chosen) marks.append(box(hover.bounds, "hover"));
}

/** Scales the screenshot down to fit the view; never up. */
function fit() {
  const view = $("view");
  const scale = Math.min((view.clientWidth - 24) / size.w, (view.clientHeight - 24) / size.h, 1);
  $("frame").style.width = `${Math.max(1, Math.floor(size.w * scale))}px`;
  $("frame").style.height = `${Math.max(1, Math.floor(size.h * scale))}px`;
}
