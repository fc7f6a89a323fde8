// The inspector: shows one device's screen, lists selectors of nodes, and records actions.
import { $, copy, el, errorBox, withCode } from "./dom.js";
import { followEvents, request, screenshot } from "./api.js";
import { command, execution, quote, targetParams } from "./command.js";
import { ancestorsOrSelf, nodeAt, nodeWithBounds, parseBounds, parseHierarchy, selectorRequest } from "./screen.js";
import * as flow from "./flow.js";
import * as log from "./log.js";
import * as panel from "./node.js";
import * as picture from "./picture.js";
import * as tree from "./tree.js";

const state = { devices: [], device: undefined, nodes: [], chosen: undefined, selectors: undefined, hits: [], refreshes: 0, running: 0, server: "connecting" };
/** Command ids of this page's runs, which refresh the screen themselves. */
const ownRuns = new Set();
const READY = new Set(["device", "embedded", "page"]);

// Devices.

const kindOf = ({ serial, state }) => (state === "embedded" ? "Simulated phone" : state === "page" ? "Web page" : serial.startsWith("chrome") ? "Browser" : state === "device" ? "Android" : state);
const isWebDevice = () => state.device?.startsWith("chrome");

async function loadDevices() {
  try {
    const response = await request("/devices");
    state.devices = [...response.devices, ...response.embedded];
    $("devices-note").hidden = state.devices.length > 0;
    $("devices-note").textContent = "None";
    if (!state.device) {
      // The device in the URL fragment is selected even if it is not listed.
      const requested = fragmentDevice() || state.devices.find(({ state }) => READY.has(state))?.serial;
      if (requested) selectDevice(requested);
    }
    // Refreshes when the device is ready again.
    const ready = state.devices.some(({ serial, state: deviceState }) => serial === state.device && READY.has(deviceState));
    if (ready && state.ready === false) refresh();
    state.ready = ready;
    if (!state.device) notice(state.devices.length ? "No device is ready" : "No devices", state.devices.length ? "The device list shows why each device is not ready." : "Start the server with `--device sim` for a simulated phone, connect a phone with USB debugging, or run `clawperator chrome start`.", loadDevices);
  } catch (error) {
    // The header already shows that the server does not answer.
    $("devices-note").hidden = !state.device || error.code === "SERVER_GONE";
    $("devices-note").replaceChildren(errorBox(error));
    if (!state.device) notice(TITLES[error.code] || error.code, error.message, error.hint, loadDevices);
  }
  showDevices();
}

/** The device in the URL fragment. */
function fragmentDevice() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

function showDevices() {
  const title = state.devices.find(({ serial }) => serial === state.device)?.title;
  $("where").textContent = [title, state.device].filter(Boolean).join(" · ");
  const all = [...state.devices];
  if (state.device && !all.some(({ serial }) => serial === state.device)) all.push({ serial: state.device, state: "not listed" });
  const focused = document.activeElement?.dataset?.serial;
  $("devices").replaceChildren(...all.map((device) => el("li", {}, el("button", {
    "data-serial": device.serial, "aria-current": device.serial === state.device ? "true" : null, onclick: () => selectDevice(device.serial),
    title: device.url || device.serial,
  },
  el("span", { class: `dot ${READY.has(device.state) ? "ready" : "off"}`, "aria-hidden": "true" }),
  el("span", { class: "names" }, el("b", {}, device.title || device.serial), el("span", { class: "dim" }, `${kindOf(device)}${device.url ? ` · ${device.url}` : device.title ? ` · ${device.serial}` : ""}`))))));
  if (focused) [...$("devices").querySelectorAll("button")].find((one) => one.dataset.serial === focused)?.focus();
}

function selectDevice(serial) {
  if (serial === state.device) return refresh();
  Object.assign(state, { device: serial, ready: undefined, nodes: [], chosen: undefined, selectors: undefined, hits: [] });
  history.replaceState(null, "", `#${encodeURIComponent(serial)}`);
  document.title = `${serial} – clawperator inspector`;
  $("try-kind").querySelector('[value="css"]').disabled = !isWebDevice();
  if (!isWebDevice() && $("try-kind").value === "css") $("try-kind").value = "description";
  showExample();
  tree.show([], undefined);
  showResult();
  panel.showNote("No node is selected.");
  showTextInput();
  picture.hide();
  setOutdated(false);
  showDevices();
  return refresh();
}

// The screen.

function notice(title, ...rest) {
  const retry = rest.find((part) => typeof part === "function");
  const texts = rest.filter((part) => part && typeof part === "string");
  $("notice").hidden = !title;
  $("notice").replaceChildren();
  if (title) $("notice").append(el("b", {}, title), ...texts.map((text) => el("p", {}, ...withCode(text))));
  if (retry) $("notice").append(el("button", { onclick: retry }, "Try again"));
}

/** Marks the shown screen as outdated. */
function setOutdated(outdated) {
  $("view").classList.toggle("stale", outdated);
}

function busy(text) {
  $("busy").hidden = !text;
  $("busy").textContent = text || "";
}

/** Temporary errors: the previous screen stays. */
const TEMPORARY = { EXECUTION_CONFLICT_IN_FLIGHT: true, SERVER_GONE: true };
const TITLES = { ADB_NOT_FOUND: "adb is not installed", EXECUTION_CONFLICT_IN_FLIGHT: "The device is busy", SERVER_GONE: "The server is gone", DEVICE_NOT_FOUND: "Device not found", TAB_NOT_FOUND: "Tab not found" };

/** Reads the screen: its nodes, then a screenshot. */
async function refresh() {
  const { device } = state;
  if (!device) return;
  const number = ++state.refreshes;
  const superseded = () => number !== state.refreshes;
  if ($("frame").hidden) notice("Reading the screen …");
  busy("reading");
  state.reading = true;
  try {
    const response = await request("/snapshot?wait=10000", { deviceId: device });
    if (superseded()) return;
    const step = response.envelope.stepResults[0];
    if (!step?.success) throw Object.assign(new Error(step?.data?.message || response.envelope.error || "The snapshot has no nodes."), { code: response.envelope.errorCode || "SNAPSHOT_EXTRACTION_FAILED" });
    const nodes = parseHierarchy(step.data.text);
    const image = await screenshot(device);
    if (superseded()) return;
    await picture.show(image, nodes);
    if (superseded()) return;
    state.nodes = nodes;
    state.hits = [];
    const before = state.chosen;
    const same = before && findSameNode(nodes, before);
    state.chosen = same;
    tree.show(nodes, same);
    if (same && state.selectors) panel.show(same, state.selectors, device);
    else if (same) choose(same);
    else if (before) { state.selectors = undefined; panel.showNote("The selected node is no longer on the screen."); }
    else panel.showNote();
    showTextInput();
    notice();
    setOutdated(false);
    state.blocked = false;
    showMarks();
  } catch (error) {
    if (superseded()) return;
    if (error.code === "EXECUTION_CONFLICT_IN_FLIGHT" && error.details.holderCommandId) {
      error.message = `\`${error.details.holderCommandId}\` runs on it.`;
      error.hint = $("follow").checked ? "The screen is read again when it ends." : "";
    }
    state.blocked = error.code in TEMPORARY;
    setOutdated(state.blocked && state.nodes.length > 0);
    if (!$("view").classList.contains("stale")) {
      picture.hide();
      tree.show([], undefined);
      panel.showNote("No node is selected.");
    }
    notice(TITLES[error.code] || error.code || "The screen cannot be read", error.message, error.hint, refresh);
  } finally {
    if (!superseded()) {
      busy();
      state.reading = false;
    }
  }
}

/** The same node on a newer screen: by its id and description, else by its text and bounds. */
function findSameNode(nodes, before) {
  const withSame = (...keys) => nodes.filter((node) => keys.every((key) => node.attrs[key] === before.attrs[key]));
  const identified = before.id || before.attrs["content-desc"] ? withSame("class", "resource-id", "content-desc") : [];
  return identified.length === 1 ? identified[0] : withSame("class", "resource-id", "content-desc", "text", "bounds")[0];
}

let refreshTimer;
/** Refreshes once no run has been active for 300 ms. */
function scheduleRefresh() {
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(() => { if (!state.running && !document.hidden) refresh(); }, 300);
}

function showMarks(hover) {
  picture.mark({ hover, chosen: state.chosen, hits: state.hits });
}

// The selected node.

async function choose(node) {
  Object.assign(state, { chosen: node, selectors: undefined, hits: [] });
  tree.choose(node);
  showMarks();
  showTextInput();
  if (!node) return panel.showNote();
  panel.show(node, undefined, state.device);
  const selectors = await fetchSelectors(selectorRequest(state.nodes, node));
  if (state.chosen !== node) return;
  state.selectors = selectors;
  panel.show(node, selectors, state.device);
}

/** The response to a `/selectors` request, or an error. */
async function fetchSelectors(params) {
  if (!params) return Object.assign(new Error("No selector matches only this node, and other nodes cover it."), { code: "NO_SELECTOR", hint: "Select one of its children or its parent." });
  try {
    return await request("/selectors?wait=10000", { deviceId: state.device, ...params });
  } catch (error) {
    return error;
  }
}

/** Parameters for a step on a node: its best selector, else a point. */
function nodeParams(selectors, point) {
  const best = selectors?.elements?.[0]?.selectors?.find((one) => one.verified && one.selector);
  return best ? targetParams(best) : point && { coordinate: { x: point[0], y: point[1] } };
}

const center = ({ bounds: [left, top, right, bottom] }) => [Math.floor((left + right) / 2), Math.floor((top + bottom) / 2)];

// Actions.

function showCommand(action) {
  $("command").textContent = command(action, state.device);
}

/** Runs an execution; `onStep` gets each step as it ends. */
async function run(plan, onStep) {
  ownRuns.add(plan.commandId);
  stepHandlers.set(plan.commandId, onStep);
  state.running += 1;
  try {
    return await request("/execute?wait=10000", { execution: plan, deviceId: state.device }, plan.commandId);
  } catch (error) {
    if (error.code === "SERVER_GONE") error.message = "The server does not answer. It is unknown whether the step was executed.";
    throw error;
  } finally {
    state.running -= 1;
    stepHandlers.delete(plan.commandId);
    await refresh();
  }
}
const stepHandlers = new Map();

async function perform(action) {
  if (!state.device) return;
  showCommand(action);
  busy("acting");
  $("command").classList.remove("bad");
  try {
    const { envelope } = await run(execution([{ id: "step", ...action }]));
    const failed = envelope.stepResults.find((step) => !step.success);
    if (envelope.status !== "success" || failed) throw Object.assign(new Error(failed?.data?.message || envelope.error || "The step failed."), { code: envelope.errorCode || failed?.data?.error, hint: envelope.hint });
    if (flow.recording()) flow.add(action);
  } catch (error) {
    $("command").classList.add("bad");
    showResult(errorBox(error));
  }
}

/** A click on the picture: selects the node, or clicks it through its best selector. */
async function click(x, y, atPoint) {
  const node = nodeAt(state.nodes, x, y);
  if (!picture.acting()) return node && choose(node);
  if (atPoint || !node) return perform({ type: "click", params: { coordinate: { x, y } } });
  busy("finding selectors");
  const selectors = await fetchSelectors({ coordinate: { x, y } });
  const element = selectors.elements?.[0];
  const target = element && nodeWithBounds(state.nodes, element.bounds);
  if (target) {
    Object.assign(state, { chosen: target, selectors });
    tree.choose(target);
    panel.show(target, selectors, state.device);
    showMarks();
  }
  // For an element larger than half the screen, click the point instead of its center.
  const [left, top, right, bottom] = target?.bounds || [0, 0, 0, 0];
  const small = target && (right - left) * (bottom - top) < picture.area() / 2;
  await perform({ type: "click", params: (small && nodeParams(selectors)) || { coordinate: { x, y } } });
}

async function scroll(direction, x, y) {
  const area = x === undefined ? undefined : ancestorsOrSelf(nodeAt(state.nodes, x, y)).find((node) => node.attrs.scrollable === "true");
  const unique = area?.id && state.nodes.filter((node) => node.id === area.id).length === 1;
  await perform({ type: "scroll", params: { direction, ...(unique ? { container: { resourceId: area.id } } : {}) } });
}

/** Shows the text input while a field is selected. */
function showTextInput() {
  const field = state.chosen?.editable ? state.chosen : undefined;
  $("typing").hidden = !field;
  if (!field) return;
  $("typing-label").textContent = `Text for ${field.name || field.id || "the field"}`;
  $("typing-text").type = field.attrs.password === "true" ? "password" : "text";
}

async function enterText(event) {
  event.preventDefault();
  const field = state.chosen;
  const params = nodeParams(state.selectors);
  const text = $("typing-text").value;
  if (!field || !text) return;
  if (!params?.matcher) return showResult(errorBox({ code: "NO_SELECTOR", message: "The field has no selector. Text can be entered only through a selector." }));
  $("typing-text").value = "";
  await perform({ type: "enter_text", params: { ...params, text, ...($("typing-submit").checked ? { submit: true } : {}) } });
}

// Queries.

function showResult(...content) {
  $("try-answer").hidden = !content.length;
  $("try-answer").replaceChildren(...content);
}

function showExample() {
  const examples = { description: "the sign in button", matcher: '{"textContains":"sign"}', css: "form button[type=submit]" };
  $("try-what").placeholder = examples[$("try-kind").value];
}

async function runQuery(event) {
  event.preventDefault();
  const query = $("try-what").value.trim();
  if (!query || !state.device) return;
  showResult(el("span", { class: "dim" }, "Searching …"));
  let found, count;
  try {
    if ($("try-kind").value === "description") {
      $("command").textContent = `clawperator inspect ${quote(query)} --device ${quote(state.device)}`;
      found = await request("/inspect?wait=10000", { deviceId: state.device, description: query, limit: 8 });
    } else {
      let matcher = { css: query };
      if ($("try-kind").value === "matcher") {
        try {
          matcher = JSON.parse(query);
        } catch {
          throw Object.assign(new Error("A matcher is a JSON object."), { code: "INVALID_JSON", hint: 'Example: {"textEquals":"Wi-Fi"}' });
        }
      }
      showCommand({ type: "click", params: { matcher } });
      found = await request("/selectors?wait=10000", { deviceId: state.device, matcher, places: 500 });
      count = found.count || found.elements?.length;
    }
  } catch (error) {
    if (!error.details?.elements?.length) {
      state.hits = [];
      showMarks();
      return showResult(errorBox(error));
    }
    found = error.details;
  }
  const elements = found.elements || [];
  state.hits = (found.places || elements.map(({ bounds }) => bounds)).map(parseBounds).filter(Boolean);
  const verdict = { certain: "Found", unsure: "Unsure", ambiguous: "Ambiguous", not_found: "Not found; nearest" }[found.verdict] || found.verdict;
  const text = count > 1 ? `${count} elements match; a step uses the first` : count === 1 ? "1 element matches" : elements.length > 1 ? `${elements.length} candidates` : "1 candidate";
  showResult(el("div", {}, el("b", { class: found.verdict === "certain" ? "good" : "warn" }, verdict), " ", el("span", { class: "dim" }, `${text}${found.missing?.length ? ` · not found: ${found.missing.join(", ")}` : ""}`)),
    el("ol", {}, ...elements.map((element) => el("li", {}, el("button", { class: "plain", onclick: () => selectFound(element) }, count === undefined ? el("span", { class: "match" }, String(element.match)) : null, el("span", {}, element.element))))));
  showMarks();
  if (found.verdict === "certain") selectFound(elements[0], true);
}

/** Selects a found element; requests its selectors by its reference. */
async function selectFound(element, keepHits) {
  const hits = keepHits ? state.hits : [];
  const node = element.bounds && nodeWithBounds(state.nodes, element.bounds);
  if (!node) return;
  Object.assign(state, { chosen: node, selectors: undefined, hits });
  tree.choose(node);
  panel.show(node, undefined, state.device);
  showMarks();
  showTextInput();
  const selectors = await fetchSelectors({ ref: element.ref });
  if (state.chosen !== node) return;
  state.selectors = selectors;
  panel.show(node, selectors, state.device);
}

// Event handlers.

function handleEvent(event, data) {
  if (event === "heartbeat") return;
  if (event === "device") return loadDevices();
  log.handleEvent(event, data);
  if (event === "step") stepHandlers.get(data.commandId)?.(data.index, data.step.success);
  const isRead = /^(snapshot|screenshot|inspect)-/.test(data.envelope?.commandId || "");
  if (event === "result" && data.deviceId === state.device && $("follow").checked && ((state.blocked && !state.reading) || (!isRead && !ownRuns.has(data.envelope.commandId)))) scheduleRefresh();
}

function setConnection(connection) {
  const before = state.server;
  state.server = connection;
  $("link").textContent = connection === "connected" ? "connected" : "disconnected, reconnecting";
  document.body.dataset.server = connection;
  if (connection === "gone") log.markUnknown();
  if (connection === "connected" && before !== "connected") {
    loadDevices();
    if (before === "gone" && state.device) refresh();
  } else if (connection === "gone" && before !== "gone") loadDevices();
}

const handlers = { hover: (node) => showMarks(node), choose };
tree.setup(handlers);
tree.show([], undefined);
picture.setup({ ...handlers, click, scroll });
flow.setup({ run });
log.setup();
panel.showNote();
showExample();

$("devices-again").addEventListener("click", loadDevices);
$("again").addEventListener("click", refresh);
$("try").addEventListener("submit", runQuery);
$("try-kind").addEventListener("change", showExample);
$("typing").addEventListener("submit", enterText);
$("command-copy").addEventListener("click", () => copy($("command").textContent));
$("open").addEventListener("submit", (event) => {
  event.preventDefault();
  const target = $("open-what").value.trim();
  if (!target) return;
  $("open-what").value = "";
  const full = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(target);
  const local = /^(localhost|127\.|\[)/.test(target);
  perform(full || isWebDevice() ? { type: "open_uri", params: { uri: full ? target : `http${local ? "" : "s"}://${target}` } } : { type: "open_app", params: { applicationId: target } });
});
for (const button of document.querySelectorAll("[data-key]")) button.addEventListener("click", () => perform({ type: "press_key", params: { key: button.dataset.key } }));
for (const button of document.querySelectorAll("[data-scroll]")) button.addEventListener("click", () => scroll(button.dataset.scroll));
for (const mode of document.getElementsByName("mode")) mode.addEventListener("change", () => $("stage").classList.toggle("acting", picture.acting()));
$("node-click").addEventListener("click", () => perform({ type: "click", params: nodeParams(state.selectors, center(state.chosen)) }));
$("node-long").addEventListener("click", () => perform({ type: "click", params: { ...nodeParams(state.selectors, center(state.chosen)), clickType: "long_click" } }));
$("node-wait").addEventListener("click", () => {
  const params = nodeParams(state.selectors);
  if (params?.matcher) flow.add({ type: "wait_for_node", params });
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
  const shortcut = { "/": () => $("search").focus(), i: () => $("mode-inspect").click(), a: () => $("mode-act").click(), r: refresh }[event.key.toLowerCase()];
  if (!shortcut) return;
  event.preventDefault();
  shortcut();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden && state.device) loadDevices(); });

notice("Loading devices …");
followEvents(handleEvent, setConnection);
setInterval(() => { if (!document.hidden && state.server === "connected") loadDevices(); }, 5000);
