//! A plan as the Operator app takes it: in as few broadcasts as keep every step in its place, in the app's own words, and
//! never with something in it that the app would leave out in silence.

use contract::{Action, ActionKind, Execution, OnFailure, Performer};
use serde_json::{Map, Value, json};

/// The most attempts that the app makes.
const MOST_ATTEMPTS: i32 = 10;
/// The pause before the second look at a node that is waited for, in milliseconds.
const FIRST_PAUSE: f64 = 200.0;
/// The longest pause that the app makes.
const LONGEST_PAUSE: f64 = 60_000.0;
/// The steepest growth of pauses that the app knows.
const STEEPEST: f64 = 5.0;
/// Keys whose numbers the app reads only when they are whole.
const WHOLE: [&str; 7] = [
    "timeoutMs",
    "durationMs",
    "settleDelayMs",
    "maxDurationMs",
    "initialDelayMs",
    "maxDelayMs",
    "maxAttempts",
];

/// Something that the app would not do as it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unfit {
    /// Where it stands in the plan.
    pub(crate) path: String,
    /// What the app makes of it.
    pub(crate) why: &'static str,
}

impl Unfit {
    pub(crate) fn json(&self) -> Value {
        json!({ "path": self.path, "message": self.why })
    }
}

/// What the app cannot do of a plan.
pub(crate) fn unfit(execution: &Execution) -> Vec<Unfit> {
    let mut found = Vec::new();
    if execution.on_failure() == OnFailure::Continue && execution.actions().len() > 1 {
        found.push(Unfit {
            path: "onFailure".to_owned(),
            why: "the app ends a plan at most failures, whatever it is told",
        });
    }
    for (index, action) in execution.actions().iter().enumerate() {
        for (key, why) in action.params().facts().operator_gaps {
            found.push(Unfit {
                path: format!("actions.{index}.params.{key}"),
                why,
            });
        }
    }
    found
}

/// Steps of a plan that go out in one broadcast: apps that are closed before the app does anything, what the app does, and
/// what this computer does when that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The first step.
    pub(crate) from: usize,
    /// The first that the app does.
    pub(crate) first: usize,
    /// The first behind those.
    pub(crate) behind: usize,
    /// The first of the next part.
    pub(crate) to: usize,
}

impl Part {
    /// How many steps the app does.
    pub(crate) const fn of_the_app(&self) -> usize {
        self.behind - self.first
    }
}

/// Whether this computer does a step, and not the app.
fn is_ours(action: &Action) -> bool {
    action.kind().facts().performer != Performer::Operator
}

/// Whether this computer does a step before the app does anything.
fn comes_before(action: &Action) -> bool {
    action.kind().facts().performer == Performer::HostBefore
}

/// A plan in parts, none of them empty.
pub(crate) fn parts(actions: &[Action]) -> Vec<Part> {
    let count = |from: usize, which: &dyn Fn(&Action) -> bool| {
        let rest = actions.iter().skip(from);
        from + rest.take_while(|action| which(action)).count()
    };
    let mut parts = Vec::new();
    let mut from = 0;
    while from < actions.len() {
        let first = count(from, &comes_before);
        let behind = count(first, &|action| !is_ours(action));
        let mut to = count(behind, &is_ours);
        // What is closed right before the app goes on is closed before its next part.
        if to < actions.len() {
            while to > behind && actions.get(to - 1).is_some_and(comes_before) {
                to -= 1;
            }
        }
        let to = to.max(from + 1);
        parts.push(Part {
            from,
            first: first.min(to),
            behind: behind.min(to),
            to,
        });
        from = to;
    }
    parts
}

/// The payload of a part, with so much time for it.
///
/// # Errors
/// When the plan cannot be written as JSON.
pub(crate) fn payload(
    execution: &Execution,
    part: &Part,
    timeout_ms: u64,
) -> Result<String, serde_json::Error> {
    let actions: Result<Vec<Value>, _> = execution
        .actions()
        .iter()
        .take(part.to)
        .skip(part.from)
        .map(|action| {
            let mut value = serde_json::to_value(action)?;
            if let Some(params) = value.get_mut("params") {
                whole_numbers(params);
                if action.kind() == ActionKind::WaitForNode {
                    wait_as_long(params);
                }
            }
            Ok(value)
        })
        .collect();
    let mut value = serde_json::to_value(execution)?;
    if let Value::Object(fields) = &mut value {
        fields.remove("onFailure");
        fields.insert("timeoutMs".to_owned(), timeout_ms.into());
        fields.insert("actions".to_owned(), actions?.into());
    }
    serde_json::to_string(&value)
}

/// The app leaves a number with a fraction out where it expects a whole one, so that times are rounded up.
fn whole_numbers(params: &mut Value) {
    let Value::Object(fields) = params else {
        return;
    };
    for (key, value) in fields.iter_mut() {
        if WHOLE.contains(&key.as_str())
            && let Some(number) = value.as_f64()
        {
            // Limits keep it far below what a double holds exactly.
            *value = Value::from(number.ceil() as u64);
        } else if value.is_object() {
            whole_numbers(value);
        }
    }
}

/// The app looks for a node as often as its attempts allow, and no longer: they are spread over the time.
fn wait_as_long(params: &mut Value) {
    let Some(Value::Number(time)) = params.get("timeoutMs").cloned() else {
        return;
    };
    let (Some(time), Value::Object(fields)) = (time.as_f64(), params) else {
        return;
    };
    let factor = growth(time);
    let mut retry = Map::new();
    retry.insert("maxAttempts".to_owned(), MOST_ATTEMPTS.into());
    retry.insert("initialDelayMs".to_owned(), (FIRST_PAUSE as u64).into());
    retry.insert("maxDelayMs".to_owned(), (LONGEST_PAUSE as u64).into());
    retry.insert("backoffMultiplier".to_owned(), factor.into());
    retry.insert("jitterRatio".to_owned(), 0.0.into());
    fields.insert("retry".to_owned(), retry.into());
}

/// The growth of pauses, from the first one on, with which the last attempt comes when a time is over.
fn growth(time: f64) -> f64 {
    let total = |factor: f64| {
        let mut pause = FIRST_PAUSE;
        (1..MOST_ATTEMPTS).fold(0.0, |sum, _| {
            let sum = sum + pause.min(LONGEST_PAUSE);
            pause *= factor;
            sum
        })
    };
    let mut factor = 1.0;
    while factor < STEEPEST && total(factor) < time {
        factor += 0.05;
    }
    factor.min(STEEPEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(actions: Value) -> Execution {
        let plan = json!({"commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
            "timeoutMs": 30000.5, "actions": actions});
        Execution::from_value(&plan).unwrap().execution
    }

    fn of(kinds: &str) -> Vec<(usize, usize, usize, usize)> {
        let actions: Vec<Value> = kinds
            .chars()
            .map(|kind| match kind {
                'c' => json!({"id": "x", "type": "close_app", "params": {"applicationId": "a.b"}}),
                's' => json!({"id": "x", "type": "take_screenshot"}),
                _ => json!({"id": "x", "type": "snapshot_ui"}),
            })
            .collect();
        parts(plan(actions.into()).actions())
            .iter()
            .map(|part| (part.from, part.first, part.behind, part.to))
            .collect()
    }

    #[test]
    fn every_step_keeps_its_place() {
        assert_eq!(of("a"), [(0, 0, 1, 1)]);
        assert_eq!(of("aaa"), [(0, 0, 3, 3)]);
        assert_eq!(of("ccaa"), [(0, 2, 4, 4)]);
        assert_eq!(of("aas"), [(0, 0, 2, 3)]);
        assert_eq!(of("aac"), [(0, 0, 2, 3)]);
        assert_eq!(of("cc"), [(0, 2, 2, 2)]);
        assert_eq!(of("s"), [(0, 0, 0, 1)]);
        assert_eq!(of("csc"), [(0, 1, 1, 3)]);
        assert_eq!(of("asa"), [(0, 0, 1, 2), (2, 2, 3, 3)]);
        assert_eq!(of("aca"), [(0, 0, 1, 1), (1, 2, 3, 3)]);
        assert_eq!(of("ascasc"), [(0, 0, 1, 2), (2, 3, 4, 6)]);
        assert_eq!(of("sa"), [(0, 0, 0, 1), (1, 1, 2, 2)]);
        assert_eq!(of("scca"), [(0, 0, 0, 1), (1, 3, 4, 4)]);
    }

    #[test]
    fn what_the_app_would_leave_out_is_found() {
        let matcher = json!({"textEquals": "x"});
        let execution = plan(json!([
            {"id": "a", "type": "click", "params": {"matcher": matcher, "container": matcher}},
            {"id": "b", "type": "enter_text", "params": {"matcher": matcher, "text": "x", "clear": false}},
            {"id": "c", "type": "press_key", "params": {"key": "enter"}},
            {"id": "d", "type": "press_key", "params": {"key": "back"}},
            {"id": "e", "type": "read_key_value_pair", "params": {"labelMatcher": matcher, "all": true}},
            {"id": "f", "type": "wait_for_navigation", "params": {"expectedPackage": "a.b", "expectedNode": matcher, "timeoutMs": 1000}},
        ]));
        let found: Vec<String> = unfit(&execution)
            .into_iter()
            .map(|each| each.path)
            .collect();
        assert_eq!(
            found,
            [
                "actions.0.params.container",
                "actions.1.params.clear",
                "actions.2.params.key",
                "actions.4.params.all",
                "actions.5.params.expectedNode"
            ]
        );
    }

    #[test]
    fn numbers_are_whole_and_waits_last() {
        let execution = plan(json!([
            {"id": "a", "type": "sleep", "params": {"durationMs": 1.5}},
            {"id": "b", "type": "wait_for_node", "params": {"matcher": {"textEquals": "x"}, "timeoutMs": 20000.25,
                "retry": {"maxAttempts": 1}}},
        ]));
        let [part] = parts(execution.actions())[..] else {
            panic!("one part");
        };
        let payload: Value =
            serde_json::from_str(&payload(&execution, &part, 30_001).unwrap()).unwrap();
        assert_eq!(payload["timeoutMs"], 30_001);
        assert_eq!(payload["actions"][0]["params"]["durationMs"], 2);
        let wait = &payload["actions"][1]["params"];
        assert_eq!(wait["timeoutMs"], 20_001);
        assert_eq!(wait["retry"]["maxAttempts"], 10);
        for time in [100.0, 1000.0, 5000.0, 20_000.0, 60_000.0, 120_000.0] {
            let (factor, mut pause, mut sum) = (growth(time), FIRST_PAUSE, 0.0);
            for _ in 1..10 {
                sum += pause.min(LONGEST_PAUSE);
                pause *= factor;
            }
            assert!(sum >= time && factor <= STEEPEST, "{time}: {sum} {factor}");
        }
    }
}
