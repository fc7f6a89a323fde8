// The picture of the screen with its nodes outlined, and what the pointer does on it.
import { $, svg } from "./dom.js";
import { at } from "./screen.js";

let nodes = [], size = { w: 1, h: 1 }, on, url, hovered, scrolling = false;

export function setup(handlers) {
  on = handlers;
  const view = $("frame");
  view.addEventListener("mousemove", (event) => { const node = at(nodes, ...point(event)); if (node !== hovered) on.hover(node); });
  view.addEventListener("mouseleave", () => on.hover(undefined));
  view.addEventListener("click", (event) => { const [x, y] = point(event); on.click(x, y, event.altKey); });
  view.addEventListener("wheel", wheel, { passive: false });
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
  const far = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
  if (scrolling || Math.abs(far) < 4) return;
  scrolling = true;
  const direction = far === event.deltaY ? (far > 0 ? "down" : "up") : far > 0 ? "right" : "left";
  try {
    await on.scroll(direction, ...point(event));
  } finally {
    scrolling = false;
  }
}

/** Shows a picture; resolves once it is there. */
export async function show(blob, all) {
  const next = URL.createObjectURL(blob);
  const image = $("picture");
  image.src = next;
  await image.decode().catch(() => { throw new Error("The picture of the screen cannot be shown."); });
  if (url) URL.revokeObjectURL(url);
  url = next;
  nodes = all;
  size = { w: image.naturalWidth, h: image.naturalHeight };
  $("over").setAttribute("viewBox", `0 0 ${size.w} ${size.h}`);
  const group = svg("g", { class: "all" });
  for (const node of nodes) if (node.bounds) group.append(box(node.bounds, node.acts ? "acts" : ""));
  $("over").replaceChildren(group, svg("g", { id: "marks" }));
  $("frame").hidden = false;
  fit();
}

export function blank() {
  nodes = [];
  $("frame").hidden = true;
}

export const middle = () => [Math.floor(size.w / 2), Math.floor(size.h / 2)];
export const area = () => size.w * size.h;

function box([left, top, right, bottom], kind) {
  return svg("rect", { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top), class: kind });
}

/** Marks what the pointer is on, what was chosen, and what was found. */
export function mark({ hover, chosen, hits = [] }) {
  hovered = hover;
  const marks = $("over").querySelector("#marks");
  if (!marks) return;
  marks.replaceChildren();
  for (const bounds of hits) if (String(bounds) !== String(chosen?.bounds)) marks.append(box(bounds, "hit"));
  if (chosen?.bounds) marks.append(box(chosen.bounds, "chosen"));
  if (hover?.bounds && hover !== chosen) marks.append(box(hover.bounds, "hover"));
}

/** The largest size at which the whole picture is seen; never larger than it is. */
function fit() {
  const room = $("view");
  const scale = Math.min((room.clientWidth - 24) / size.w, (room.clientHeight - 24) / size.h, 1);
  $("frame").style.width = `${Math.max(1, Math.floor(size.w * scale))}px`;
  $("frame").style.height = `${Math.max(1, Math.floor(size.h * scale))}px`;
}
