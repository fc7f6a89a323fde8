// Parses `hierarchy_xml` documents and finds nodes in them.

const ROLES = {
  a: "link", button: "button", input: "textfield", textarea: "textfield", select: "combobox", img: "image", ul: "list", ol: "list", li: "listitem",
  h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", table: "table", tr: "row", td: "cell", th: "cell",
  nav: "navigation", form: "form", dialog: "dialog", p: "paragraph", summary: "button", option: "option",
  Button: "button", MaterialButton: "button", ImageButton: "button", FloatingActionButton: "button", EditText: "textfield", TextInputEditText: "textfield", AutoCompleteTextView: "textfield",
  TextView: "text", ImageView: "image", CheckBox: "checkbox", Switch: "switch", SwitchCompat: "switch", ToggleButton: "switch", RadioButton: "radio",
  SeekBar: "slider", ProgressBar: "progressbar", Spinner: "combobox", RecyclerView: "list", ListView: "list", ScrollView: "scroll", HorizontalScrollView: "scroll", NestedScrollView: "scroll", WebView: "webview",
};

/** Parses bounds such as `[0,0][10,20]`; null if they are invalid. */
export function parseBounds(bounds) {
  const match = /^\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]$/.exec(bounds || "");
  return match && match.slice(1).map(Number);
}

/** The nodes of a document; throws if it is not a hierarchy. */
export function parseHierarchy(xml) {
  const document = new DOMParser().parseFromString(xml, "text/xml");
  if (document.querySelector("parsererror") || document.documentElement.tagName !== "hierarchy") throw new Error("The server's response is not a node hierarchy.");
  const nodes = [];
  const walk = (element, parent, depth) => {
    const attrs = {};
    for (const { name, value } of element.attributes) attrs[name] = value;
    const kind = (attrs.class || "").split(".").pop();
    const node = {
      index: nodes.length, parent, depth, children: [], attrs, kind,
      bounds: parseBounds(attrs.bounds),
      role: attrs.role || ROLES[kind] || "",
      name: attrs.text || attrs["content-desc"] || attrs.hint || attrs["window-title"] || "",
      id: attrs["resource-id"] || "",
      actionable: ["clickable", "long-clickable", "checkable", "editable"].some((key) => attrs[key] === "true") || ROLES[kind] === "textfield",
      editable: attrs.editable === "true" || ROLES[kind] === "textfield",
    };
    node.root = parent ? parent.root : node;
    nodes.push(node);
    if (parent) parent.children.push(node);
    for (const child of element.children) walk(child, node, depth + 1);
    // An actionable node without a name is labeled with the names of its descendants.
    if (node.actionable && !node.name) node.inner = nodes.slice(node.index).map(({ name }) => name).filter(Boolean).slice(0, 2).join(" · ");
  };
  for (const child of document.documentElement.children) walk(child, null, 0);
  return nodes;
}

export const ancestorsOrSelf = (node) => (node ? [node, ...ancestorsOrSelf(node.parent)] : []);

const contains = ({ bounds }, x, y) => bounds && x >= bounds[0] && y >= bounds[1] && x < bounds[2] && y < bounds[3];

/** The innermost node at a point, in the topmost window there. */
export function nodeAt(nodes, x, y) {
  let root, found;
  for (const node of nodes) {
    if (!contains(node, x, y)) continue;
    root ??= node.root;
    if (node.root === root) found = node;
  }
  return found;
}

/** The node with these bounds, preferably actionable, else named. */
export function nodeWithBounds(nodes, bounds) {
  const found = nodes.filter((node) => node.attrs.bounds === bounds);
  return found.find((node) => node.actionable) || found.find((node) => node.name) || found[found.length - 1];
}

/** A `/selectors` request for a node: a unique matcher, else an uncovered point. */
export function selectorRequest(nodes, node) {
  const matcher = {};
  const attrs = [];
  for (const [attr, key] of [["resource-id", "resourceId"], ["text", "textEquals"], ["content-desc", "contentDescEquals"]]) {
    const value = node.attrs[attr];
    if (!value || (attr === "text" && node.attrs["showing-hint"] === "true")) continue;
    matcher[key] = value;
    attrs.push(attr);
  }
  const matches = nodes.filter((other) => attrs.every((attr) => other.attrs[attr] === node.attrs[attr]));
  if (attrs.length && matches.length === 1) return { matcher };
  if (node.bounds) {
    const [left, top, right, bottom] = node.bounds;
    for (const [a, b] of [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9], [0.02, 0.02], [0.98, 0.98]]) {
      const x = Math.floor(left + (right - left) * a), y = Math.floor(top + (bottom - top) * b);
      const hit = nodeAt(nodes, x, y);
      if (hit === node || (node.actionable && ancestorsOrSelf(hit).find((one) => one.actionable) === node)) return { coordinate: { x, y } };
    }
  }
  return attrs.length ? { matcher } : null;
}

/** A label for a node, in one line. */
export const title = (node) => node.name || node.inner || (node.id && `#${node.id.split("/").pop()}`) || node.kind || "node";
