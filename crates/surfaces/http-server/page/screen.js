// A screen as a value: the nodes of a hierarchy_xml document, and what is where.

const ROLES = {
  a: "link", button: "button", input: "textfield", textarea: "textfield", select: "combobox", img: "image", ul: "list", ol: "list", li: "listitem",
  h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", table: "table", tr: "row", td: "cell", th: "cell",
  nav: "navigation", form: "form", dialog: "dialog", p: "paragraph", summary: "button", option: "option",
  Button: "button", MaterialButton: "button", ImageButton: "button", FloatingActionButton: "button", EditText: "textfield", TextInputEditText: "textfield", AutoCompleteTextView: "textfield",
  TextView: "text", ImageView: "image", CheckBox: "checkbox", Switch: "switch", SwitchCompat: "switch", ToggleButton: "switch", RadioButton: "radio",
  SeekBar: "slider", ProgressBar: "progressbar", Spinner: "combobox", RecyclerView: "list", ListView: "list", ScrollView: "scroll", HorizontalScrollView: "scroll", NestedScrollView: "scroll", WebView: "webview",
};

/** Bounds as a hierarchy writes them, as four numbers; null where they are none. */
export function parse(bounds) {
  const match = /^\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]$/.exec(bounds || "");
  return match && match.slice(1).map(Number);
}

/** Reads a screen. Throws where the text is no such document. */
export function read(xml) {
  const text = new DOMParser().parseFromString(xml, "text/xml");
  if (text.querySelector("parsererror") || text.documentElement.tagName !== "hierarchy") throw new Error("The server's answer is no tree of nodes.");
  const nodes = [];
  const walk = (element, parent, depth) => {
    const attrs = {};
    for (const { name, value } of element.attributes) attrs[name] = value;
    const kind = (attrs.class || "").split(".").pop();
    const node = {
      index: nodes.length, parent, depth, children: [], attrs, kind,
      bounds: parse(attrs.bounds),
      role: attrs.role || ROLES[kind] || "",
      name: attrs.text || attrs["content-desc"] || attrs.hint || attrs["window-title"] || "",
      id: attrs["resource-id"] || "",
      acts: ["clickable", "long-clickable", "checkable", "editable"].some((key) => attrs[key] === "true") || ROLES[kind] === "textfield",
      edits: attrs.editable === "true" || ROLES[kind] === "textfield",
    };
    node.root = parent ? parent.root : node;
    nodes.push(node);
    if (parent) parent.children.push(node);
    for (const child of element.children) walk(child, node, depth + 1);
    // What can be acted on and has no name is called by what is written inside it.
    if (node.acts && !node.name) node.inner = nodes.slice(node.index).map(({ name }) => name).filter(Boolean).slice(0, 2).join(" · ");
  };
  for (const child of text.documentElement.children) walk(child, null, 0);
  return nodes;
}

export const around = (node) => (node ? [node, ...around(node.parent)] : []);

const holds = ({ bounds }, x, y) => bounds && x >= bounds[0] && y >= bounds[1] && x < bounds[2] && y < bounds[3];

/** The innermost node at a point; the window on top comes first. */
export function at(nodes, x, y) {
  let root, found;
  for (const node of nodes) {
    if (!holds(node, x, y)) continue;
    root ??= node.root;
    if (node.root === root) found = node;
  }
  return found;
}

/** The node that has these bounds, the one that can be acted on before others. */
export function placed(nodes, bounds) {
  const there = nodes.filter((node) => node.attrs.bounds === bounds);
  return there.find((node) => node.acts) || there.find((node) => node.name) || there[there.length - 1];
}

/** A request that names a node to the server: by what only it has, else by a place where nothing else is. */
export function known(nodes, node) {
  const matcher = {};
  const same = [];
  for (const [attr, key] of [["resource-id", "resourceId"], ["text", "textEquals"], ["content-desc", "contentDescEquals"]]) {
    const value = node.attrs[attr];
    if (!value || (attr === "text" && node.attrs["showing-hint"] === "true")) continue;
    matcher[key] = value;
    same.push(attr);
  }
  const alike = nodes.filter((other) => same.every((attr) => other.attrs[attr] === node.attrs[attr]));
  if (same.length && alike.length === 1) return { matcher };
  if (node.bounds) {
    const [left, top, right, bottom] = node.bounds;
    for (const [a, b] of [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9], [0.02, 0.02], [0.98, 0.98]]) {
      const x = Math.floor(left + (right - left) * a), y = Math.floor(top + (bottom - top) * b);
      const hit = at(nodes, x, y);
      if (hit === node || (node.acts && around(hit).find((one) => one.acts) === node)) return { coordinate: { x, y } };
    }
  }
  return same.length ? { matcher } : null;
}

/** What a node is called in one line. */
export const title = (node) => node.name || node.inner || (node.id && `#${node.id.split("/").pop()}`) || node.kind || "node";
