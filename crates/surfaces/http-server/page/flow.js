// The recorded flow: steps that can be edited, replayed and saved as an execution.
import { $, announce, copy, el, errorBox } from "./dom.js";
import { request } from "./api.js";
import { describeStep, execution, json } from "./command.js";

const STORAGE_KEY = "clawperator.flow";
let steps = [], outcome = [], edited = -1, handlers;

export function setup(callbacks) {
  handlers = callbacks;
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY));
    if (Array.isArray(stored)) steps = stored;
  } catch {
    sessionStorage.removeItem(STORAGE_KEY);
  }
  $("flow-run").addEventListener("click", replay);
  $("flow-save").addEventListener("click", save);
  $("flow-copy").addEventListener("click", () => copy(flowJson()));
  $("flow-clear").addEventListener("click", () => setSteps([]));
  $("flow-take").addEventListener("click", replaceFromJson);
  draw();
}

/** The flow as an execution. */
const flowExecution = () => execution(steps.map((step, at) => ({ id: `${step.type.replaceAll("_", "-")}-${at + 1}`, type: step.type, ...(step.params ? { params: step.params } : {}) })), "flow", 60000);

const flowJson = () => json(flowExecution(), 2);

function setSteps(newSteps) {
  steps = newSteps;
  outcome = [];
  edited = -1;
  showNote();
  draw();
}

export function add(action) {
  steps.push({ type: action.type, params: action.params });
  outcome = [];
  draw();
  $("flow").lastElementChild?.scrollIntoView({ block: "nearest" });
}

export const recording = () => $("record").checked;

function showNote(...content) {
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
  const errors = el("div", { role: "alert" });
  const apply = async () => {
    try {
      const parsed = JSON.parse(area.value);
      await request("/execute?validateOnly=true", { execution: execution([{ id: "step", type: parsed.type, ...(parsed.params ? { params: parsed.params } : {}) }]) });
      steps[at] = { type: parsed.type, params: parsed.params };
      edited = -1;
      draw();
    } catch (error) {
      errors.replaceChildren(errorBox(error));
    }
  };
  return el("div", { class: "editor" }, area, errors, el("div", { class: "tools" }, el("button", { onclick: apply }, "Apply"), el("button", { class: "quiet", onclick: () => { edited = -1; draw(); } }, "Cancel")));
}

function draw() {
  const rows = steps.map((step, at) => {
    const [verb, target] = describeStep(step);
    const tool = (icon, label, onclick, disabled) => el("button", { class: "quiet", "aria-label": `${label} step ${at + 1}`, title: label, disabled, onclick }, icon);
    return el("li", { class: outcome[at] || "" },
      el("div", { class: "step" }, el("span", { class: "count" }, String(at + 1)), el("b", {}, verb), el("span", { class: "target", title: target }, target),
        el("span", { class: "step-tools" }, tool("↑", "Move up", () => move(at, -1), at === 0), tool("↓", "Move down", () => move(at, 1), at === steps.length - 1), tool("✎", "Edit", () => { edited = edited === at ? -1 : at; draw(); }), tool("×", "Remove", () => { steps.splice(at, 1); setSteps(steps); }))),
      edited === at ? editor(step, at) : null);
  });
  $("flow").replaceChildren(...rows);
  $("flow-count").textContent = steps.length ? `${steps.length} ${steps.length === 1 ? "step" : "steps"}` : "";
  $("flow-empty").hidden = steps.length > 0;
  for (const id of ["flow-run", "flow-save", "flow-copy", "flow-clear"]) $(id).disabled = !steps.length;
  $("flow-json").value = steps.length ? flowJson() : "";
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(steps));
}

async function replaceFromJson() {
  try {
    const parsed = JSON.parse($("flow-json").value);
    await request("/execute?validateOnly=true", { execution: parsed });
    setSteps(parsed.actions.map(({ type, params }) => ({ type, params })));
    announce("The flow was replaced");
  } catch (error) {
    showNote(errorBox(error));
  }
}

function save() {
  const url = URL.createObjectURL(new Blob([flowJson(), "\n"], { type: "application/json" }));
  el("a", { href: url, download: "flow.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function replay() {
  showNote("Replaying …");
  $("flow-run").disabled = true;
  outcome = steps.map((_, at) => (at ? "" : "now"));
  draw();
  $("flow-run").disabled = true;
  try {
    const { envelope } = await handlers.run(flowExecution(), (index, success) => {
      outcome[index] = success ? "done" : "failed";
      if (success && index + 1 < steps.length) outcome[index + 1] = "now";
      draw();
      $("flow-run").disabled = true;
    });
    outcome = steps.map((_, at) => (envelope.stepResults[at] ? (envelope.stepResults[at].success ? "done" : "failed") : ""));
    draw();
    const failed = envelope.stepResults.find((step) => !step.success);
    if (envelope.status === "success" && !failed) showNote(el("span", { class: "good" }, "Replayed: every step succeeded."));
    else showNote(errorBox({ code: envelope.errorCode || failed?.data?.error || "FAILED", message: failed?.data?.message || envelope.error || "A step failed.", hint: envelope.hint }));
  } catch (error) {
    outcome = [];
    draw();
    showNote(errorBox(error));
  }
}
