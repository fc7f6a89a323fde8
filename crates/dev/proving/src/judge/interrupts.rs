//! Rules for interruptions: what they press, how often, and what they never touch.
//!
//! The plans with rules have only steps that press nothing, so every press of such a step is that of a rule.

use contract::actions::ClickTarget;
use contract::{Execution, Interrupt, InterruptOutcome, InterruptRule, Params};
use driver::Gesture;
use uitree::{NodeId, UiTree};

use super::{Findings, find, is_expected, sent_once};
use crate::run::{Call, DriverRequest, Run};

struct Press {
    rule: usize,
    /// Its index among the calls of the run.
    call: usize,
}

pub(super) fn check(run: &Run, execution: &Execution, findings: &mut Findings) {
    for index in 0..run.marks.len() {
        let calls: Vec<&Call> = run.calls_of_step(index).collect();
        sent_once(&calls, findings);
    }
    let reported = reported(run);
    let ran = |entry: &&Interrupt| entry.outcome != InterruptOutcome::Refused;
    let ran: Vec<&Interrupt> = reported.iter().filter(ran).collect();
    let presses = presses(run, execution, &ran, findings);
    for (rule, of_plan) in execution.interrupts().iter().enumerate() {
        let rule_presses: Vec<&Press> = presses.iter().filter(|press| press.rule == rule).collect();
        let (count, max) = (rule_presses.len(), of_plan.max() as usize);
        findings.require(count <= max, "interruption: too often", || {
            format!("rule {rule} pressed {count} times, its most are {max}")
        });
        let reported_count = ran.iter().filter(|entry| entry.rule == rule).count();
        findings.require(
            count <= reported_count && reported_count <= max,
            "interruption: reported",
            || format!("rule {rule} pressed {count} times and was reported {reported_count} times"),
        );
        for pair in rule_presses.windows(2) {
            let [first, second] = pair else { continue };
            let between = run.calls.get(first.call..second.call).unwrap_or_default();
            let mut screens = between.iter().filter_map(Call::observation);
            let was_gone = screens.any(|seen| !is_shown(of_plan, &seen.tree));
            findings.require(was_gone, "interruption: twice", || {
                format!("rule {rule} pressed again, though its node was never gone")
            });
        }
    }
}

/// The presses of the rules. Several rules may press the same: a press is that of the next reported rule that it fits.
fn presses(
    run: &Run,
    execution: &Execution,
    ran: &[&Interrupt],
    findings: &mut Findings,
) -> Vec<Press> {
    let mut ran = ran.iter();
    let mut presses = Vec::new();
    for (at, call) in run.calls.iter().enumerate() {
        let step = call.step.and_then(|step| execution.actions().get(step));
        let presses_nothing = step.is_some_and(|step| step.params().facts().effects.is_empty());
        if !presses_nothing || !is_press(call) || call.is_refused() {
            continue;
        }
        let before = run.calls.get(..at).unwrap_or_default();
        let fitting = rules_of(execution, call, before, findings);
        let reported = ran.find(|entry| fitting.contains(&entry.rule));
        let rule = reported
            .map(|entry| entry.rule)
            .or(fitting.first().copied());
        presses.extend(rule.map(|rule| Press { rule, call: at }));
    }
    presses
}

/// Whether a call presses something, and does not only scroll.
const fn is_press(call: &Call) -> bool {
    match &call.request {
        DriverRequest::Act(..) | DriverRequest::Key(_) => true,
        DriverRequest::Touch(gesture) => !matches!(gesture, Gesture::Swipe { .. }),
        _ => false,
    }
}

/// The rules that a press may belong to; a press of none, and one of what its rule never touches, is a violation.
fn rules_of(
    execution: &Execution,
    call: &Call,
    before: &[Call],
    findings: &mut Findings,
) -> Vec<usize> {
    let seen = before.iter().rev().find_map(Call::observation);
    let Some(tree) = seen.map(|seen| &*seen.tree) else {
        findings.add(
            "interruption: no rule",
            "a rule pressed before an observation",
        );
        return Vec::new();
    };
    let rules = execution.interrupts().iter().enumerate();
    let fitting = rules.filter(|(_, rule)| {
        is_expected(rule.params(), &call.request) && is_shown(rule, tree) && fits(rule, tree, call)
    });
    let fitting: Vec<(usize, &InterruptRule)> = fitting.collect();
    findings.require(!fitting.is_empty(), "interruption: no rule", || {
        format!("{:?} is the press of no rule that applies", call.request)
    });
    let is_allowed = |rule: &InterruptRule| {
        touched(call).is_none_or(|touched| !is_forbidden(rule, tree, touched))
    };
    let allowed = fitting.iter().filter(|(_, rule)| is_allowed(rule));
    let allowed: Vec<usize> = allowed.map(|(index, _)| *index).collect();
    findings.require(
        !allowed.is_empty() || fitting.is_empty(),
        "interruption: never",
        || {
            let request = &call.request;
            format!("a rule touched what it must never touch: {request:?}")
        },
    );
    allowed
}

fn is_shown(rule: &InterruptRule, tree: &UiTree) -> bool {
    !find::matching(tree, rule.when()).is_empty()
}

const fn touched(call: &Call) -> Option<NodeId> {
    match &call.request {
        DriverRequest::Act(node, _) => Some(node.node),
        _ => None,
    }
}

/// Whether a node is another one, or inside or around it.
fn is_related(tree: &UiTree, one: NodeId, other: NodeId) -> bool {
    one == other || tree.contains(one, other) || tree.contains(other, one)
}

/// Whether the rule's matcher matches the touched node, or a node around or inside it.
fn fits(rule: &InterruptRule, tree: &UiTree, call: &Call) -> bool {
    let (Some(touched), Params::Click(click)) = (touched(call), rule.params()) else {
        return true;
    };
    let ClickTarget::Node(matcher) = &click.target else {
        return true;
    };
    let mut targets = find::matching(tree, matcher).into_iter();
    targets.any(|id| is_related(tree, id, touched))
}

fn is_forbidden(rule: &InterruptRule, tree: &UiTree, touched: NodeId) -> bool {
    let never = rule.never().iter();
    never
        .flat_map(|matcher| find::matching(tree, matcher))
        .any(|id| is_related(tree, id, touched))
}

/// What the result says about the rules.
fn reported(run: &Run) -> Vec<Interrupt> {
    match run.report.as_ref().map(|report| &report.outcome) {
        Some(Ok(envelope)) => envelope.interrupts.clone(),
        Some(Err(error)) => {
            let listed = error.details.as_ref();
            let listed = listed.and_then(|details| details.get("interrupts").cloned());
            let read = listed.and_then(|listed| serde_json::from_value(listed).ok());
            read.unwrap_or_default()
        }
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use contract::Execution;
    use serde_json::{Value, json};

    use super::super::judge;
    use crate::case::{Op, Setup};
    use crate::fixture::Fixture;
    use crate::run::Run;

    /// Opens the connections, goes back, and opens them again.
    fn plan(max: u32, never: Value) -> Value {
        let click =
            json!({ "type": "click", "params": { "matcher": { "textEquals": "Connections" } } });
        let back = json!({ "type": "press_key", "params": { "key": "back" } });
        json!({
            "commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
            "timeoutMs": 60_000,
            "actions": [{ "id": "a", "type": "wait_for_node", "params": { "matcher": { "textEquals": "Wi-Fi" } } }],
            "interrupts": [
                { "when": { "textEquals": "Connections", "role": "text" }, "action": click, "max": max, "never": never },
                { "when": { "textEquals": "Wi-Fi" }, "action": back },
            ],
        })
    }

    /// The rules that a run of `run_plan` violates, judged by `judged_plan`.
    fn violated(run_plan: &Value, judged_plan: &Value) -> Vec<String> {
        let mut fixture = Fixture::start(&Setup::in_app("com.android.settings")).unwrap();
        fixture.execute(&Op::Wait(1000));
        let op = Op::Run {
            payload: run_plan.clone(),
            cancel: None,
            budget: None,
        };
        let mut run: Run = fixture.execute(&op).unwrap();
        run.execution = Some(Execution::from_value(judged_plan).unwrap().execution);
        let violations = judge(&run, fixture.journal()).violations;
        violations.into_iter().map(|found| found.rule).collect()
    }

    #[test]
    fn rules_that_are_kept_are_no_violation() {
        let plan = plan(2, json!([]));
        assert_eq!(violated(&plan, &plan), Vec::<String>::new());
    }

    #[test]
    fn rule_that_runs_too_often_is_found() {
        let found = violated(&plan(2, json!([])), &plan(1, json!([])));
        assert!(
            found.contains(&"interruption: too often".to_owned()),
            "{found:?}"
        );
    }

    #[test]
    fn press_of_what_is_never_touched_is_found() {
        let never = json!([{ "textEquals": "Connections" }]);
        let found = violated(&plan(2, json!([])), &plan(2, never));
        assert!(
            found.contains(&"interruption: never".to_owned()),
            "{found:?}"
        );
    }

    #[test]
    fn press_of_no_rule_is_found() {
        let mut reported = plan(2, json!([]));
        reported["interrupts"][1]["when"] = json!({ "textEquals": "Nowhere" });
        let found = violated(&plan(2, json!([])), &reported);
        assert!(
            found.contains(&"interruption: no rule".to_owned()),
            "{found:?}"
        );
    }
}
