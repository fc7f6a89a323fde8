// The inspector: one device at a time is looked at, its nodes are named, and what is done on it is written down.
import { $, copy, el, prose, trouble } from "./dom.js";
import { ask, follow, picture } from "./api.js";
import { aim, command, execution, quote } from "./command.js";
import { around, at, known, parse, placed, read } from "./screen.js";
import * as flow from "./flow.js";
import * as log from "./log.js";
import * as panel from "./node.js";
import * as stage from "./stage.js";
import * as tree from "./tree.js";

const state = { devices: [], device: undefined, nodes: [], chosen: undefined, named: undefined, hits: [], turn: 0, doing: 0, server: "connecting" };
/** The runs of this page, which need no second look. */
const own = new Set();
const READY = new Set(["device", "embedded", "page"]);

// Devices.

const kind = ({ serial, state }) => (state === "embedded" ? "Simulated phone" : state === "page" ? "Web page" : serial.startsWith("chrome") ? "Browser" : state === "device" ? "Android" : state);
const web = () => state.device?.startsWith("chrome");

async function devices() {
  try {
    const answer = await ask("/devices");
    state.devices = [...answer.devices, ...answer.embedded];
    $("devices-note").hidden = state.devices.length > 0;
    $("devices-note").textContent = "None";
    if (!state.device) {
      // A device that the address names is meant, also where it is not listed.
      const meant = fragment() || state.devices.find(({ state }) => READY.has(state))?.serial;
      if (meant) pick(meant);
    }
    // One that has come back is looked at again.
    const ready = state.devices.some(({ serial, state: its }) => serial === state.device && READY.has(its));
    if (ready && state.ready === false) look();
    state.ready = ready;
    if (!state.device) notice(state.devices.length ? "No device is ready" : "No devices", state.devices.length ? "What keeps each one from being ready stands on the left." : "Start the server with `--device sim` for a simulated phone, connect a phone with USB debugging, or run `clawperator chrome start`.", devices);
  } catch (error) {
    // What the head of the page says already is not said twice.
    $("devices-note").hidden = !state.device || error.code === "SERVER_GONE";
    $("devices-note").replaceChildren(trouble(error));
    if (!state.device) notice(TITLES[error.code] || error.code, error.message, error.hint, devices);
  }
  list();
}

/** The device that the address names. */
function fragment() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

function list() {
  const title = state.devices.find(({ serial }) => serial === state.device)?.title;
  $("where").textContent = [title, state.device].filter(Boolean).join(" · ");
  const all = [...state.devices];
  if (state.device && !all.some(({ serial }) => serial === state.device)) all.push({ serial: state.device, state: "not listed" });
  const focused = document.activeElement?.dataset?.serial;
  $("devices").replaceChildren(...all.map((device) => el("li", {}, el("button", {
    "data-serial": device.serial, "aria-current": device.serial === state.device ? "true" : null, onclick: () => pick(device.serial),
    title: device.url || device.serial,
  },
  el("span", { class: `dot ${READY.has(device.state) ? "ready" : "off"}`, "aria-hidden": "true" }),
  el("span", { class: "names" }, el("b", {}, device.title || device.serial), el("span", { class: "dim" }, `${kind(device)}${device.url ? ` · ${device.url}` : device.title ? ` · ${device.serial}` : ""}`))))));
  if (focused) [...$("devices").querySelectorAll("button")].find((one) => one.dataset.serial === focused)?.focus();
}

function pick(serial) {
  if (serial === state.device) return look();
  Object.assign(state, { device: serial, ready: undefined, nodes: [], chosen: undefined, named: undefined, hits: [] });
  history.replaceState(null, "", `#${encodeURIComponent(serial)}`);
  document.title = `${serial} – clawperator inspector`;
  $("try-kind").querySelector('[value="css"]').disabled = !web();
  if (!web() && $("try-kind").value === "css") $("try-kind").value = "description";
  placeholder();
  tree.show([], undefined);
  answer();
  panel.empty("Nothing is chosen.");
  typing();
  stage.blank();
  stale(false);
  list();
  return look();
}

// The screen.

function notice(title, ...rest) {
  const again = rest.find((part) => typeof part === "function");
  const texts = rest.filter((part) => part && typeof part === "string");
  $("notice").hidden = !title;
  $("notice").replaceChildren();
  if (title) $("notice").append(el("b", {}, title), ...texts.map((text) => el("p", {}, ...prose(text))));
  if (again) $("notice").append(el("button", { onclick: again }, "Try again"));
}

/** Whether the screen that is shown is an older one, and why; it stays to be looked at. */
function stale(yes) {
  $("view").classList.toggle("stale", yes);
}

function busy(text) {
  $("busy").hidden = !text;
  $("busy").textContent = text || "";
}

/** What is wrong for a while only: the screen of before stays. */
const STAYS = { EXECUTION_CONFLICT_IN_FLIGHT: true, SERVER_GONE: true };
const TITLES = { ADB_NOT_FOUND: "adb is not installed", EXECUTION_CONFLICT_IN_FLIGHT: "The device is busy", SERVER_GONE: "The server is gone", DEVICE_NOT_FOUND: "The device is not there", TAB_NOT_FOUND: "The tab is not there" };

/** Reads the screen again: its tree, then its picture. */
async function look() {
  const { device } = state;
  if (!device) return;
  const turn = ++state.turn;
  const old = () => turn !== state.turn;
  if ($("frame").hidden) notice("Reading the screen …");
  busy("reading");
  state.reading = true;
  try {
    const answer = await ask("/snapshot?wait=10000", { deviceId: device });
    if (old()) return;
    const step = answer.envelope.stepResults[0];
    if (!step?.success) throw Object.assign(new Error(step?.data?.message || answer.envelope.error || "There is no tree."), { code: answer.envelope.errorCode || "SNAPSHOT_EXTRACTION_FAILED" });
    const nodes = read(step.data.text);
    const shot = await picture(device);
    if (old()) return;
    await stage.show(shot, nodes);
    if (old()) return;
    state.nodes = nodes;
    state.hits = [];
    const before = state.chosen;
    const same = before && again(nodes, before);
    state.chosen = same;
    tree.show(nodes, same);
    if (same) panel.show(same, state.named, device);
    else if (before) { state.named = undefined; panel.empty("The node that was chosen is not on the screen any more."); }
    else panel.empty("Choose a node on the picture or in the tree to see what names it.");
    typing();
    notice();
    stale(false);
    state.waits = false;
    marks();
  } catch (error) {
    if (old()) return;
    if (error.code === "EXECUTION_CONFLICT_IN_FLIGHT" && error.details.holderCommandId) {
      error.message = `\`${error.details.holderCommandId}\` runs on it.`;
      error.hint = $("follow").checked ? "The screen is read again once that has ended." : "";
    }
    state.waits = error.code in STAYS;
    stale(state.waits && state.nodes.length > 0);
    if (!$("view").classList.contains("stale")) {
      stage.blank();
      tree.show([], undefined);
      panel.empty("Nothing is chosen.");
    }
    notice(TITLES[error.code] || error.code || "The screen cannot be read", error.message, error.hint, look);
  } finally {
    if (!old()) {
      busy();
      state.reading = false;
    }
  }
}

/** The same node on a newer screen: by what names it for good, else by its place and text. */
function again(nodes, before) {
  const alike = (...keys) => nodes.filter((node) => keys.every((key) => node.attrs[key] === before.attrs[key]));
  const named = before.id || before.attrs["content-desc"] ? alike("class", "resource-id", "content-desc") : [];
  return named.length === 1 ? named[0] : alike("class", "resource-id", "content-desc", "text", "bounds")[0];
}

let later;
/** Looks again once nothing has run for a moment, so that it is in nobody's way. */
function soon() {
  clearTimeout(later);
  later = setTimeout(() => { if (!state.doing && !document.hidden) look(); }, 300);
}

function marks(hover) {
  stage.mark({ hover, chosen: state.chosen, hits: state.hits });
}

// The chosen node.

async function choose(node) {
  Object.assign(state, { chosen: node, named: undefined, hits: [] });
  tree.choose(node);
  marks();
  typing();
  if (!node) return panel.empty("Choose a node on the picture or in the tree to see what names it.");
  panel.show(node, undefined, state.device);
  const named = await names(known(state.nodes, node));
  if (state.chosen !== node) return;
  state.named = named;
  panel.show(node, named, state.device);
}

/** The selectors of an element; an error where there are none. */
async function names(which) {
  if (!which) return Object.assign(new Error("Nothing tells this node from the others, and others cover it."), { code: "NO_SELECTOR", hint: "Choose a node inside it, or the one around it." });
  try {
    return await ask("/selectors?wait=10000", { deviceId: state.device, ...which });
  } catch (error) {
    return error;
  }
}

/** Where the chosen node is: by its best selector, else by its middle. */
function target(named, fallback) {
  const best = named?.elements?.[0]?.selectors?.find((one) => one.verified && one.selector);
  return best ? aim(best) : fallback && { coordinate: { x: fallback[0], y: fallback[1] } };
}

const center = ({ bounds: [left, top, right, bottom] }) => [Math.floor((left + right) / 2), Math.floor((top + bottom) / 2)];

// What is done.

function shown(action) {
  $("command").textContent = command(action, state.device);
}

/** Runs a plan; says each step as it ends. */
async function run(plan, step) {
  own.add(plan.commandId);
  watched.set(plan.commandId, step);
  state.doing += 1;
  try {
    return await ask("/execute?wait=10000", { execution: plan, deviceId: state.device }, plan.commandId);
  } catch (error) {
    if (error.code === "SERVER_GONE") error.message = "The server does not answer; whether the step was done is not known.";
    throw error;
  } finally {
    state.doing -= 1;
    watched.delete(plan.commandId);
    await look();
  }
}
const watched = new Map();

async function act(action) {
  if (!state.device) return;
  shown(action);
  busy("acting");
  $("command").classList.remove("bad");
  try {
    const { envelope } = await run(execution([{ id: "step", ...action }]));
    const failed = envelope.stepResults.find((step) => !step.success);
    if (envelope.status !== "success" || failed) throw Object.assign(new Error(failed?.data?.message || envelope.error || "The step failed."), { code: envelope.errorCode || failed?.data?.error, hint: envelope.hint });
    if (flow.recording()) flow.add(action);
  } catch (error) {
    $("command").classList.add("bad");
    answer(trouble(error));
  }
}

/** A click on the picture: the node is chosen, or clicked by what names it best. */
async function click(x, y, exactly) {
  const node = at(state.nodes, x, y);
  if (!stage.acting()) return node && choose(node);
  if (exactly || !node) return act({ type: "click", params: { coordinate: { x, y } } });
  busy("naming");
  const named = await names({ coordinate: { x, y } });
  const element = named.elements?.[0];
  const meant = element && placed(state.nodes, element.bounds);
  if (meant) {
    Object.assign(state, { chosen: meant, named });
    tree.choose(meant);
    panel.show(meant, named, state.device);
    marks();
  }
  // What fills half of the screen is not clicked in its middle when a place on it was meant.
  const [left, top, right, bottom] = meant?.bounds || [0, 0, 0, 0];
  const small = meant && (right - left) * (bottom - top) < stage.area() / 2;
  await act({ type: "click", params: (small && target(named)) || { coordinate: { x, y } } });
}

async function scroll(direction, x, y) {
  const area = x === undefined ? undefined : around(at(state.nodes, x, y)).find((node) => node.attrs.scrollable === "true");
  const unique = area?.id && state.nodes.filter((node) => node.id === area.id).length === 1;
  await act({ type: "scroll", params: { direction, ...(unique ? { container: { resourceId: area.id } } : {}) } });
}

/** The line for text, there while a field is chosen. */
function typing() {
  const field = state.chosen?.edits ? state.chosen : undefined;
  $("typing").hidden = !field;
  if (!field) return;
  $("typing-label").textContent = `Text into ${field.name || field.id || "the field"}`;
  $("typing-text").type = field.attrs.password === "true" ? "password" : "text";
}

async function type(event) {
  event.preventDefault();
  const field = state.chosen;
  const where = target(state.named);
  const text = $("typing-text").value;
  if (!field || !text) return;
  if (!where?.matcher) return answer(trouble({ code: "NO_SELECTOR", message: "The field has no selector, and text goes only where one leads." }));
  $("typing-text").value = "";
  await act({ type: "enter_text", params: { ...where, text, ...($("typing-submit").checked ? { submit: true } : {}) } });
}

// What is tried.

function answer(...content) {
  $("try-answer").hidden = !content.length;
  $("try-answer").replaceChildren(...content);
}

function placeholder() {
  const examples = { description: "the sign in button", matcher: '{"textContains":"sign"}', css: "form button[type=submit]" };
  $("try-what").placeholder = examples[$("try-kind").value];
}

async function find(event) {
  event.preventDefault();
  const what = $("try-what").value.trim();
  if (!what || !state.device) return;
  answer(el("span", { class: "dim" }, "Looking …"));
  let found, count;
  try {
    if ($("try-kind").value === "description") {
      $("command").textContent = `clawperator inspect ${quote(what)} --device ${quote(state.device)}`;
      found = await ask("/inspect?wait=10000", { deviceId: state.device, description: what, limit: 8 });
    } else {
      let matcher = { css: what };
      if ($("try-kind").value === "matcher") {
        try {
          matcher = JSON.parse(what);
        } catch {
          throw Object.assign(new Error("A matcher is a JSON object."), { code: "INVALID_JSON", hint: 'As in {"textEquals":"Wi-Fi"}' });
        }
      }
      shown({ type: "click", params: { matcher } });
      found = await ask("/selectors?wait=10000", { deviceId: state.device, matcher, places: 500 });
      count = found.count || found.elements?.length;
    }
  } catch (error) {
    if (!error.details?.elements?.length) {
      state.hits = [];
      marks();
      return answer(trouble(error));
    }
    found = error.details;
  }
  const elements = found.elements || [];
  state.hits = (found.places || elements.map(({ bounds }) => bounds)).map(parse).filter(Boolean);
  const verdict = { certain: "Found", unsure: "Unsure", ambiguous: "Ambiguous", not_found: "Not found; nearest" }[found.verdict] || found.verdict;
  const text = count > 1 ? `${count} elements match; a step takes the first` : count === 1 ? "1 element matches" : elements.length > 1 ? `${elements.length} candidates` : "1 candidate";
  answer(el("div", {}, el("b", { class: found.verdict === "certain" ? "good" : "warn" }, verdict), " ", el("span", { class: "dim" }, `${text}${found.missing?.length ? ` · not found: ${found.missing.join(", ")}` : ""}`)),
    el("ol", {}, ...elements.map((element) => el("li", {}, el("button", { class: "plain", onclick: () => pickFound(element) }, count === undefined ? el("span", { class: "match" }, String(element.match)) : null, el("span", {}, element.element))))));
  marks();
  if (found.verdict === "certain") pickFound(elements[0], true);
}

/** Chooses an element of an answer; its selectors are asked for by its reference. */
async function pickFound(element, keep) {
  const hits = keep ? state.hits : [];
  const node = element.bounds && placed(state.nodes, element.bounds);
  if (!node) return;
  Object.assign(state, { chosen: node, named: undefined, hits });
  tree.choose(node);
  panel.show(node, undefined, state.device);
  marks();
  typing();
  const named = await names({ ref: element.ref });
  if (state.chosen !== node) return;
  state.named = named;
  panel.show(node, named, state.device);
}

// Wiring.

function told(event, data) {
  if (event === "heartbeat") return;
  if (event === "device") return devices();
  log.told(event, data);
  if (event === "step") watched.get(data.commandId)?.(data.index, data.step.success);
  const looks = /^(snapshot|screenshot|inspect)-/.test(data.envelope?.commandId || "");
  if (event === "result" && data.deviceId === state.device && $("follow").checked && ((state.waits && !state.reading) || (!looks && !own.has(data.envelope.commandId)))) soon();
}

function connection(now) {
  const before = state.server;
  state.server = now;
  $("link").textContent = now === "connected" ? "connected" : "server gone, trying again";
  document.body.dataset.server = now;
  if (now === "gone") log.lost();
  if (now === "connected" && before !== "connected") {
    devices();
    if (before === "gone" && state.device) look();
  } else if (now === "gone" && before !== "gone") devices();
}

const dispatch = { hover: (node) => marks(node), choose };
tree.setup(dispatch);
tree.show([], undefined);
stage.setup({ ...dispatch, click, scroll });
flow.setup({ run });
log.setup();
panel.empty("Choose a node on the picture or in the tree to see what names it.");
placeholder();

$("devices-again").addEventListener("click", devices);
$("again").addEventListener("click", look);
$("try").addEventListener("submit", find);
$("try-kind").addEventListener("change", placeholder);
$("typing").addEventListener("submit", type);
$("command-copy").addEventListener("click", () => copy($("command").textContent));
$("open").addEventListener("submit", (event) => {
  event.preventDefault();
  const what = $("open-what").value.trim();
  if (!what) return;
  $("open-what").value = "";
  const full = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(what);
  const local = /^(localhost|127\.|\[)/.test(what);
  act(full || web() ? { type: "open_uri", params: { uri: full ? what : `http${local ? "" : "s"}://${what}` } } : { type: "open_app", params: { applicationId: what } });
});
for (const button of document.querySelectorAll("[data-key]")) button.addEventListener("click", () => act({ type: "press_key", params: { key: button.dataset.key } }));
for (const button of document.querySelectorAll("[data-scroll]")) button.addEventListener("click", () => scroll(button.dataset.scroll));
for (const mode of document.getElementsByName("mode")) mode.addEventListener("change", () => $("stage").classList.toggle("acting", stage.acting()));
$("node-click").addEventListener("click", () => act({ type: "click", params: target(state.named, center(state.chosen)) }));
$("node-long").addEventListener("click", () => act({ type: "click", params: { ...target(state.named, center(state.chosen)), clickType: "long_click" } }));
$("node-wait").addEventListener("click", () => {
  const where = target(state.named);
  if (where?.matcher) flow.add({ type: "wait_for_node", params: where });
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
  const act = { "/": () => $("search").focus(), i: () => $("mode-inspect").click(), a: () => $("mode-act").click(), r: look }[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  act();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden && state.device) devices(); });

notice("Looking for devices …");
follow(told, connection);
setInterval(() => { if (!document.hidden && state.server === "connected") devices(); }, 5000);
