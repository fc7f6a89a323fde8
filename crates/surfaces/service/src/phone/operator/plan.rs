//! Converting plans for the Operator app: split into as few broadcasts as the order of the steps allows, in the app's names,
//! and without anything that the app would silently ignore.

use contract::keys::{MatcherKey, ParamKey};
use contract::{
    Action, ActionKind, Execution, NameKind, NodeMatcher, Observe, OnFailure, Params, Performer,
};
use serde_json::{Map, Value, json};

/// Maximum number of attempts that the app accepts.
const MAX_ATTEMPTS: i32 = 10;
/// The pause before the second attempt of waiting for a node, in milliseconds.
const INITIAL_DELAY_MS: f64 = 200.0;
/// Maximum pause that the app accepts.
const MAX_DELAY_MS: f64 = 60_000.0;
/// Maximum backoff multiplier that the app accepts.
const MAX_BACKOFF: f64 = 5.0;
/// Keys whose numbers the app reads only as integers.
const INTEGER_KEYS: [&str; 7] = [
    "timeoutMs",
    "durationMs",
    "settleDelayMs",
    "maxDurationMs",
    "initialDelayMs",
    "maxDelayMs",
    "maxAttempts",
];

/// Something in a plan that the app does not support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported {
    /// Its path in the plan.
    pub(crate) path: String,
    /// What the app would do.
    pub(crate) why: &'static str,
}

impl Unsupported {
    pub(crate) fn json(&self) -> Value {
        json!({ "path": self.path, "message": self.why })
    }
}

/// Finds what the app does not support in a plan.
pub(crate) fn unsupported(execution: &Execution) -> Vec<Unsupported> {
    let mut found = Vec::new();
    if execution.on_failure() == OnFailure::Continue && execution.actions().len() > 1 {
        found.push(Unsupported {
            path: "onFailure".to_owned(),
            why: "the app ends a plan at most failures",
        });
    }
    if !execution.interrupts().is_empty() {
        found.push(Unsupported {
            path: "interrupts".to_owned(),
            why: "the app knows no rules for interruptions",
        });
    }
    for (index, action) in execution.actions().iter().enumerate() {
        if action.kind().facts().performer == Performer::Nowhere {
            found.push(Unsupported {
                path: format!("actions.{index}.type"),
                why: "the app has no such action",
            });
        }
        for (key, why) in action.operator_gaps() {
            found.push(Unsupported {
                path: format!("actions.{index}.params.{key}"),
                why,
            });
        }
        if action
            .observe()
            .is_some_and(|observe| observe != Observe::None)
        {
            found.push(Unsupported {
                path: format!("actions.{index}.observe"),
                why: "the app reports the screen only after the last step",
            });
        }
        // An action is always valid JSON.
        let mut value = serde_json::to_value(action).unwrap_or_default();
        convert_matchers(&mut value, &format!("actions.{index}"), &mut found);
    }
    found
}

/// Replaces what the app does not know in matchers by what it does, and reports the rest.
fn convert_matchers(value: &mut Value, path: &str, found: &mut Vec<Unsupported>) {
    let Value::Object(fields) = value else {
        if let Value::Array(values) = value {
            for (at, value) in values.iter_mut().enumerate() {
                convert_matchers(value, &format!("{path}.{at}"), found);
            }
        }
        return;
    };
    let [id, line, reference] = [MatcherKey::ResourceId, MatcherKey::Line, MatcherKey::Ref];
    let mut refuse = |key: MatcherKey, why| {
        let path = format!("{path}.{}", key.as_str());
        found.push(Unsupported { path, why });
    };
    if fields.contains_key(reference.as_str()) {
        refuse(reference, "the app knows no references");
    }
    if let Some(Value::String(own)) = fields.get_mut(id.as_str())
        && let Some(written) = own.strip_prefix('#')
    {
        match written.contains(":id/") {
            true => *own = written.to_owned(),
            false => refuse(
                id,
                "the app needs the whole id, such as com.example:id/save",
            ),
        }
    }
    if fields.contains_key(line.as_str()) {
        match in_fields(fields) {
            Some(known) => *fields = known,
            None => refuse(line, "the app needs a role and one whole text"),
        }
    }
    for (key, value) in fields.iter_mut() {
        convert_matchers(value, &format!("{path}.{key}"), found);
    }
}

/// A printed element as a matcher with a role and a text, if it has one whole text.
fn in_fields(fields: &Map<String, Value>) -> Option<Map<String, Value>> {
    let matcher = NodeMatcher::from_value(&Value::Object(fields.clone())).ok()?;
    let printed = matcher.printed()?;
    let [name] = printed.names.as_slice() else {
        return None;
    };
    let text = Some(name.text.clone());
    let (text_equals, content_desc_equals) = match name.kind {
        _ if name.is_cut || printed.owner.is_some() => return None,
        NameKind::Text => (text, None),
        NameKind::Label => (None, text),
        NameKind::Other => return None,
    };
    let matcher = NodeMatcher {
        role: printed.role,
        text_equals,
        content_desc_equals,
        ..NodeMatcher::default()
    };
    match serde_json::to_value(matcher) {
        Ok(Value::Object(fields)) => Some(fields),
        _ => None,
    }
}

/// Steps of a plan that are sent in one broadcast: apps that this computer closes before, steps of the app, and steps of this
/// computer after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlanPart {
    /// The first step.
    pub(crate) from: usize,
    /// The first step of the app.
    pub(crate) first: usize,
    /// The first step after those.
    pub(crate) behind: usize,
    /// The first step of the next part.
    pub(crate) to: usize,
}

impl PlanPart {
    /// The number of the app's steps.
    pub(crate) const fn app_step_count(&self) -> usize {
        self.behind - self.first
    }
}

/// Whether this computer runs a step.
fn runs_on_host(action: &Action) -> bool {
    action.kind().facts().performer != Performer::Operator
}

/// Whether this computer runs a step before those of the app.
fn runs_before_the_app(action: &Action) -> bool {
    action.kind().facts().performer == Performer::HostBefore
}

/// Splits a plan into parts, none of them empty.
pub(crate) fn parts(actions: &[Action]) -> Vec<PlanPart> {
    let count = |from: usize, which: &dyn Fn(&Action) -> bool| {
        let rest = actions.iter().skip(from);
        from + rest.take_while(|action| which(action)).count()
    };
    let mut parts = Vec::new();
    let mut from = 0;
    while from < actions.len() {
        let first = count(from, &runs_before_the_app);
        let behind = count(first, &|action| !runs_on_host(action));
        let mut to = count(behind, &runs_on_host);
        // A step that closes an app before a step of the app starts the next part.
        if to < actions.len() {
            while to > behind && actions.get(to - 1).is_some_and(runs_before_the_app) {
                to -= 1;
            }
        }
        let to = to.max(from + 1);
        parts.push(PlanPart {
            from,
            first: first.min(to),
            behind: behind.min(to),
            to,
        });
        from = to;
    }
    parts
}

/// The payload of a part with this timeout.
pub(crate) fn payload(
    execution: &Execution,
    part: &PlanPart,
    timeout_ms: u64,
) -> Result<String, serde_json::Error> {
    let actions: Result<Vec<Value>, _> = execution
        .actions()
        .iter()
        .take(part.to)
        .skip(part.from)
        .map(|action| {
            let mut value = serde_json::to_value(action)?;
            if let Some(fields) = value.as_object_mut() {
                fields.remove("observe");
            }
            // What cannot be converted was refused before.
            convert_matchers(&mut value, "", &mut Vec::new());
            if let Some(params) = value.get_mut("params") {
                whole_numbers(params);
                if action.kind() == ActionKind::WaitForNode {
                    retry_until_timeout(params);
                }
                if let (Params::SnapshotUi(_), Some(fields)) =
                    (action.params(), params.as_object_mut())
                {
                    // The host converts the screen.
                    for key in [ParamKey::View, ParamKey::Budget, ParamKey::All] {
                        fields.remove(key.as_str());
                    }
                }
            }
            Ok(value)
        })
        .collect();
    let mut value = serde_json::to_value(execution)?;
    if let Value::Object(fields) = &mut value {
        fields.remove("onFailure");
        fields.remove("observe");
        fields.insert("timeoutMs".to_owned(), timeout_ms.into());
        fields.insert("actions".to_owned(), actions?.into());
    }
    serde_json::to_string(&value)
}

/// The app ignores a fractional number if it expects an integer, so times are rounded up.
fn whole_numbers(params: &mut Value) {
    let Value::Object(fields) = params else {
        return;
    };
    for (key, value) in fields.iter_mut() {
        if INTEGER_KEYS.contains(&key.as_str())
            && let Some(number) = value.as_f64()
        {
            // Limits keep it far below what a double can represent exactly.
            *value = Value::from(number.ceil() as u64);
        } else if value.is_object() {
            whole_numbers(value);
        }
    }
}

/// The app counts attempts instead of time: spread the attempts over the timeout.
fn retry_until_timeout(params: &mut Value) {
    let Some(Value::Number(time)) = params.get("timeoutMs").cloned() else {
        return;
    };
    let (Some(time), Value::Object(fields)) = (time.as_f64(), params) else {
        return;
    };
    let factor = backoff_multiplier(time);
    let mut retry = Map::new();
    retry.insert("maxAttempts".to_owned(), MAX_ATTEMPTS.into());
    retry.insert(
        "initialDelayMs".to_owned(),
        (INITIAL_DELAY_MS as u64).into(),
    );
    retry.insert("maxDelayMs".to_owned(), (MAX_DELAY_MS as u64).into());
    retry.insert("backoffMultiplier".to_owned(), factor.into());
    retry.insert("jitterRatio".to_owned(), 0.0.into());
    fields.insert("retry".to_owned(), retry.into());
}

/// The backoff multiplier that places the last attempt at the timeout.
fn backoff_multiplier(time: f64) -> f64 {
    let total = |factor: f64| {
        let mut pause = INITIAL_DELAY_MS;
        (1..MAX_ATTEMPTS).fold(0.0, |sum, _| {
            let sum = sum + pause.min(MAX_DELAY_MS);
            pause *= factor;
            sum
        })
    };
    let mut factor = 1.0;
    while factor < MAX_BACKOFF && total(factor) < time {
        factor += 0.05;
    }
    factor.min(MAX_BACKOFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(actions: Value) -> Execution {
        let mut plan = testkit::plan("c", actions);
        plan["timeoutMs"] = 30000.5.into();
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
    fn parts_keep_the_order_of_steps() {
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
    fn unsupported_parts_of_a_plan_are_found() {
        let matcher = json!({"textEquals": "x"});
        let execution = plan(json!([
            {"id": "a", "type": "click", "params": {"matcher": matcher, "container": matcher}},
            {"id": "b", "type": "enter_text", "params": {"matcher": matcher, "text": "x", "clear": false}},
            {"id": "c", "type": "press_key", "params": {"key": "enter"}},
            {"id": "d", "type": "press_key", "params": {"key": "back"}},
            {"id": "e", "type": "read_key_value_pair", "params": {"labelMatcher": matcher, "all": true}},
            {"id": "f", "type": "wait_for_navigation", "params": {"expectedPackage": "a.b", "expectedNode": matcher, "timeoutMs": 1000}},
            {"id": "g", "type": "click", "params": {"matcher": matcher, "onMissing": "skip"}},
            {"id": "h", "type": "wait_until", "params": {"anyOf": [{"quiet": 100}]}},
        ]));
        let found: Vec<String> = unsupported(&execution)
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
                "actions.5.params.expectedNode",
                "actions.6.params.onMissing",
                "actions.7.params.anyOf"
            ]
        );
    }

    #[test]
    fn printed_elements_are_converted_or_refused() {
        let click =
            |matcher: Value| json!({"id": "a", "type": "click", "params": {"matcher": matcher}});
        let sent = |matcher: Value| {
            let execution = plan(json!([click(matcher)]));
            assert_eq!(unsupported(&execution), []);
            let parts = parts(execution.actions());
            let payload = payload(&execution, &parts[0], 30_000).unwrap();
            let payload: Value = serde_json::from_str(&payload).unwrap();
            payload["actions"][0]["params"]["matcher"].clone()
        };
        let save = json!({"role": "button", "textEquals": "Save"});
        assert_eq!(sent(json!("button \"Save\" #save disabled")), save);
        let more = json!({"role": "icon", "contentDescEquals": "More"});
        assert_eq!(sent(json!({"line": "icon label=\"More\""})), more);
        let id = json!({"resourceId": "com.x:id/save"});
        assert_eq!(sent(json!({"id": "#com.x:id/save"})), id);
        let refused = |matcher: Value| {
            let found = unsupported(&plan(json!([click(matcher)])));
            found.into_iter().map(|each| each.path).collect::<Vec<_>>()
        };
        for (matcher, key) in [
            (json!({"ref": "e12"}), "ref"),
            (json!({"id": "#save"}), "resourceId"),
            (json!("button \"Edit\" of \"Ann\""), "line"),
            (json!("button \"A long\"…"), "line"),
            (json!("#save"), "line"),
        ] {
            let path = format!("actions.0.params.matcher.{key}");
            assert_eq!(refused(matcher), [path]);
        }
    }

    #[test]
    fn payload_has_whole_numbers_and_retries_for_the_timeout() {
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
            let (factor, mut pause, mut sum) = (backoff_multiplier(time), INITIAL_DELAY_MS, 0.0);
            for _ in 1..10 {
                sum += pause.min(MAX_DELAY_MS);
                pause *= factor;
            }
            assert!(
                sum >= time && factor <= MAX_BACKOFF,
                "{time}: {sum} {factor}"
            );
        }
    }
}
