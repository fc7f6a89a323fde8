// What runs on the devices, as the server tells it.
import { $, el } from "./dom.js";

const MOST = 200;
const LOOKS = /^(snapshot|screenshot|inspect)-/;
const runs = new Map();

const time = () => new Date().toLocaleTimeString([], { hour12: false });

export function setup() {
  $("looks").addEventListener("change", draw);
  $("log-clear").addEventListener("click", () => { runs.clear(); $("log").replaceChildren(); draw(); });
  draw();
}

function run(data, commandId, source) {
  const key = `${data.deviceId || ""} ${commandId}`;
  let made = runs.get(key);
  if (!made) {
    const what = el("span", { class: "what" }, commandId);
    const state = el("span", { class: "state" }, "running");
    const took = el("span", { class: "took" });
    const steps = el("ol", {});
    const row = el("details", { class: "run" }, el("summary", {}, el("span", { class: "time" }, time()), state, took, what, el("span", { class: "dim device" }, data.deviceId || ""), el("span", { class: "dim" }, source || "")), steps);
    made = { row, what, state, took, steps, from: performance.now(), types: [], look: LOOKS.test(commandId) };
    row.classList.toggle("look", made.look);
    runs.set(key, made);
    $("log").prepend(row);
    for (const [oldest, { row }] of runs) {
      if (runs.size <= MOST) break;
      row.remove();
      runs.delete(oldest);
    }
  }
  return made;
}

function end(made, state, took) {
  made.state.textContent = state;
  made.state.dataset.state = state;
  if (took && !made.took.textContent) made.took.textContent = `${Math.max(1, Math.round(performance.now() - made.from))} ms`;
}

function step(made, note) {
  made.types.push(note.actionType);
  made.what.textContent = made.types.join(", ");
  const said = [note.error, note.message].filter(Boolean).join(": ");
  made.steps.append(el("li", { class: note.success ? "" : "bad" }, el("span", { class: "took" }, note.elapsedMs === undefined ? "" : `${note.elapsedMs} ms`), `${note.id} `, el("b", {}, note.actionType), note.success ? "" : ` failed  ${said}`));
}

/** The server is gone: what became of what ran is not known until it says so. */
export function lost() {
  for (const { state } of runs.values()) if (state.textContent === "running") state.textContent = "unknown";
}

/** An event of the server. */
export function told(kind, data) {
  if (kind === "started") run(data, data.commandId, data.source);
  else if (kind === "step") step(run(data, data.commandId), data.step);
  else if (kind === "result") {
    const { envelope } = data;
    const made = run(data, envelope.commandId);
    end(made, envelope.status, true);
    if (envelope.error) made.steps.append(el("li", { class: "bad" }, `${envelope.errorCode || ""} ${envelope.error}`));
  } else if (kind === "execution" && data.result?.ok === false) {
    const made = run(data, data.input?.commandId || "refused");
    const { code, message, hint } = data.result.error || {};
    end(made, "refused", false);
    made.steps.append(el("li", { class: "bad" }, `${code} ${message} `, el("span", { class: "dim" }, hint || "")));
  } else if (kind === "missed") $("log").prepend(el("p", { class: "note" }, `${data.count} events were missed while nobody listened`));
  draw();
}

function draw() {
  const all = [...runs.values()];
  $("log").classList.toggle("looks", $("looks").checked);
  const shown = all.filter((one) => $("looks").checked || !one.look).length;
  $("log-count").textContent = shown ? String(shown) : "";
  $("log").querySelector(".empty")?.remove();
  if (!shown) $("log").append(el("p", { class: "note empty" }, "Nothing has run yet. Executions of this page, of the command line's programs and of agents show here as they run."));
}
