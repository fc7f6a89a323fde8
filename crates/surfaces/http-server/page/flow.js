// The recorded flow: steps that can be edited, replayed and saved as an execution.
import { $, copy, el, say, trouble } from "./dom.js";
import { ask } from "./api.js";
import { execution, json, words } from "./command.js";

const KEPT = "clawperator.flow";
let steps = [], outcome = [], edited = -1, on;

export function setup(handlers) {
  on = handlers;
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    if (Array.isArray(kept)) steps = kept;
  } catch {
    sessionStorage.removeItem(KEPT);
  }
  $("flow-run").addEventListener("click", replay);
  $("flow-save").addEventListener("click", save);
  $("flow-copy").addEventListener("click", () => copy(text()));
  $("flow-clear").addEventListener("click", () => set([]));
  $("flow-take").addEventListener("click", take);
  draw();
}

/** The flow as an execution. */
const plan = () => execution(steps.map((step, at) => ({ id: `${step.type.replaceAll("_", "-")}-${at + 1}`, type: step.type, ...(step.params ? { params: step.params } : {}) })), "flow", 60000);

const text = () => json(plan(), 2);

function set(all) {
  steps = all;
  outcome = [];
  edited = -1;
  note();
  draw();
}

export function add(action) {
  steps.push({ type: action.type, params: action.params });
  outcome = [];
  draw();
  $("flow").lastElementChild?.scrollIntoView({ block: "nearest" });
}

export const recording = () => $("record").checked;

function note(...content) {
  $("flow-note").hidden = !content.length;
  $("flow-note").replaceChildren(...content);
}

function move(at, by) {
  const [step] = steps.splice(at, 1);
  steps.splice(at + by, 0, step);
  outcome = [];
  edited = -1;
  draw();
  $("flow").children[at + by]?.querySelector("button")?.focus();
}

function editor(step, at) {
  const area = el("textarea", { spellcheck: "false", "aria-label": `Step ${at + 1} as JSON` });
  area.value = JSON.stringify(step, null, 1);
  const wrong = el("div", { role: "alert" });
  const keep = async () => {
    try {
      const given = JSON.parse(area.value);
      await ask("/execute?validateOnly=true", { execution: execution([{ id: "step", type: given.type, ...(given.params ? { params: given.params } : {}) }]) });
      steps[at] = { type: given.type, params: given.params };
      edited = -1;
      draw();
    } catch (error) {
      wrong.replaceChildren(trouble(error));
    }
  };
  return el("div", { class: "editor" }, area, wrong, el("div", { class: "tools" }, el("button", { onclick: keep }, "Keep"), el("button", { class: "quiet", onclick: () => { edited = -1; draw(); } }, "Cancel")));
}

function draw() {
  const rows = steps.map((step, at) => {
    const [verb, what] = words(step);
    const tool = (sign, label, act, off) => el("button", { class: "quiet", "aria-label": `${label} step ${at + 1}`, title: label, disabled: off, onclick: act }, sign);
    return el("li", { class: outcome[at] || "" },
      el("div", { class: "step" }, el("span", { class: "count" }, String(at + 1)), el("b", {}, verb), el("span", { class: "target", title: what }, what),
        el("span", { class: "hands" }, tool("↑", "Move up", () => move(at, -1), at === 0), tool("↓", "Move down", () => move(at, 1), at === steps.length - 1), tool("✎", "Edit", () => { edited = edited === at ? -1 : at; draw(); }), tool("×", "Remove", () => { steps.splice(at, 1); set(steps); }))),
      edited === at ? editor(step, at) : null);
  });
  $("flow").replaceChildren(...rows);
  $("flow-count").textContent = steps.length ? `${steps.length} ${steps.length === 1 ? "step" : "steps"}` : "";
  $("flow-empty").hidden = steps.length > 0;
  for (const id of ["flow-run", "flow-save", "flow-copy", "flow-clear"]) $(id).disabled = !steps.length;
  $("flow-json").value = steps.length ? text() : "";
  sessionStorage.setItem(KEPT, JSON.stringify(steps));
}

async function take() {
  try {
    const given = JSON.parse($("flow-json").value);
    await ask("/execute?validateOnly=true", { execution: given });
    set(given.actions.map(({ type, params }) => ({ type, params })));
    say("Taken");
  } catch (error) {
    note(trouble(error));
  }
}

function save() {
  const url = URL.createObjectURL(new Blob([text(), "\n"], { type: "application/json" }));
  el("a", { href: url, download: "flow.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function replay() {
  note("Replaying …");
  $("flow-run").disabled = true;
  outcome = steps.map((_, at) => (at ? "" : "now"));
  draw();
  $("flow-run").disabled = true;
  try {
    const { envelope } = await on.run(plan(), (index, success) => {
      outcome[index] = success ? "done" : "failed";
      if (success && index + 1 < steps.length) outcome[index + 1] = "now";
      draw();
      $("flow-run").disabled = true;
    });
    outcome = steps.map((_, at) => (envelope.stepResults[at] ? (envelope.stepResults[at].success ? "done" : "failed") : ""));
    draw();
    const failed = envelope.stepResults.find((step) => !step.success);
    if (envelope.status === "success" && !failed) note(el("span", { class: "good" }, "Replayed: every step succeeded."));
    else note(trouble({ code: envelope.errorCode || failed?.data?.error || "FAILED", message: failed?.data?.message || envelope.error || "A step failed.", hint: envelope.hint }));
  } catch (error) {
    outcome = [];
    draw();
    note(trouble(error));
  }
}
