// The list of executions, from the server's events.
import { $, el } from "./dom.js";

const MAX_RUNS = 200;
const READS = /^(snapshot|screenshot|inspect)-/;
const runs = new Map();

const time = () => new Date().toLocaleTimeString([], { hour12: false });

export function setup() {
  $("show-reads").addEventListener("change", draw);
  $("log-clear").addEventListener("click", () => { runs.clear(); $("log").replaceChildren(); draw(); });
  draw();
}

function run(data, commandId, source) {
  const key = `${data.deviceId || ""} ${commandId}`;
  let entry = runs.get(key);
  if (!entry) {
    const label = el("span", { class: "what" }, commandId);
    const state = el("span", { class: "state" }, "running");
    const took = el("span", { class: "took" });
    const steps = el("ol", {});
    const row = el("details", { class: "run" }, el("summary", {}, el("span", { class: "time" }, time()), state, took, label, el("span", { class: "dim device" }, data.deviceId || ""), el("span", { class: "dim" }, source || "")), steps);
    entry = { row, label, state, took, steps, began: performance.now(), types: [], read: READS.test(commandId) };
    row.classList.toggle("read", entry.read);
    runs.set(key, entry);
    $("log").prepend(row);
    for (const [oldest, { row }] of runs) {
      if (runs.size <= MAX_RUNS) break;
      row.remove();
      runs.delete(oldest);
    }
  }
  return entry;
}

function end(entry, state, showTime) {
  entry.state.textContent = state;
  entry.state.dataset.state = state;
  if (showTime && !entry.took.textContent) entry.took.textContent = `${Math.max(1, Math.round(performance.now() - entry.began))} ms`;
}

function addStep(entry, result) {
  entry.types.push(result.actionType);
  entry.label.textContent = entry.types.join(", ");
  const error = [result.error, result.message].filter(Boolean).join(": ");
  entry.steps.append(el("li", { class: result.success ? "" : "bad" }, el("span", { class: "took" }, result.elapsedMs === undefined ? "" : `${result.elapsedMs} ms`), `${result.id} `, el("b", {}, result.actionType), result.success ? "" : ` failed  ${error}`));
}

/** The server disconnected: the outcome of running executions is unknown. */
export function markUnknown() {
  for (const { state } of runs.values()) if (state.textContent === "running") state.textContent = "unknown";
}

/** Handles a server event. */
export function handleEvent(kind, data) {
  if (kind === "started") run(data, data.commandId, data.source);
  else if (kind === "step") addStep(run(data, data.commandId), data.step);
  else if (kind === "result") {
    const { envelope } = data;
    const entry = run(data, envelope.commandId);
    end(entry, envelope.status, true);
    if (envelope.error) entry.steps.append(el("li", { class: "bad" }, `${envelope.errorCode || ""} ${envelope.error}`));
  } else if (kind === "execution" && data.result?.ok === false) {
    const entry = run(data, data.input?.commandId || "refused");
    const { code, message, hint } = data.result.error || {};
    end(entry, "refused", false);
    entry.steps.append(el("li", { class: "bad" }, `${code} ${message} `, el("span", { class: "dim" }, hint || "")));
  } else if (kind === "missed") $("log").prepend(el("p", { class: "note" }, `${data.count} events were missed while the page was disconnected`));
  draw();
}

function draw() {
  const all = [...runs.values()];
  $("log").classList.toggle("show-reads", $("show-reads").checked);
  const shown = all.filter((one) => $("show-reads").checked || !one.read).length;
  $("log-count").textContent = shown ? String(shown) : "";
  $("log").querySelector(".empty")?.remove();
  if (!shown) $("log").append(el("p", { class: "note empty" }, "No executions yet. This list shows the executions of all clients."));
}
