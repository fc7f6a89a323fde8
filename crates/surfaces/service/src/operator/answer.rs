//! What the Operator app answered, read without trusting it: steps that are those of the plan, words as codes.

use contract::{Action, ActionKind, ErrorCode, StepData, StepResult};
use driver_android::{OperatorAnswer, Snapshot};
use serde_json::Value;

/// An answer of the app.
#[derive(Debug)]
pub(super) enum Answer {
    /// The steps that it did, in the order of the plan.
    Steps(Vec<StepResult>),
    /// It ended the plan, with these words and perhaps a code; what the steps before gave is lost.
    Ended { error: String, code: Option<String> },
    /// It is none; in words.
    Nonsense(String),
}

/// Reads an envelope for these actions.
pub(super) fn read(envelope: &Value, actions: &[Action]) -> Answer {
    let text = |key: &str| envelope.get(key).and_then(Value::as_str).map(str::to_owned);
    let steps = envelope.get("stepResults").and_then(Value::as_array);
    let steps = steps.map(Vec::as_slice).unwrap_or_default();
    if steps.is_empty() && text("status").as_deref() == Some("failed") {
        return Answer::Ended {
            error: text("error").unwrap_or_default(),
            code: text("errorCode"),
        };
    }
    if steps.len() > actions.len() {
        let (told, asked) = (steps.len(), actions.len());
        return Answer::Nonsense(format!("it has {told} steps where {asked} were asked for"));
    }
    let mut read = Vec::with_capacity(steps.len());
    for (step, action) in steps.iter().zip(actions) {
        let word = |key: &str| step.get(key).and_then(Value::as_str).unwrap_or_default();
        if word("id") != action.id() || ActionKind::parse(word("actionType")) != Some(action.kind())
        {
            return Answer::Nonsense(format!(
                "its step {} ({}) is not {} ({})",
                word("id"),
                word("actionType"),
                action.id(),
                action.kind()
            ));
        }
        read.push(StepResult {
            id: action.id().to_owned(),
            action_type: action.kind(),
            success: step.get("success") == Some(&Value::Bool(true)),
            data: data(step.get("data")),
        });
    }
    let failed = read.iter().any(|step| !step.success);
    if read.len() < actions.len() && !failed {
        let (told, asked) = (read.len(), actions.len());
        return Answer::Nonsense(format!("it has {told} steps of {asked}, and none failed"));
    }
    Answer::Steps(read)
}

/// What a step found out: texts, whatever they were.
fn data(value: Option<&Value>) -> StepData {
    let mut data = StepData::new();
    if let Some(Value::Object(fields)) = value {
        for (key, value) in fields {
            let text = match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            // What is looked for by scrolling has a code of its own there, and none here.
            let text = match (key.as_str(), text.as_str()) {
                ("error", "TARGET_NOT_FOUND") => ErrorCode::NodeNotFound.as_str().to_owned(),
                _ => text,
            };
            data.push(key.as_str(), text);
        }
    }
    data
}

/// Gives every snapshot its screen. They came in the order of the steps; where some are missing, it is the first ones, for
/// the log forgets what is old.
pub(super) fn attach(steps: &mut [StepResult], said: &OperatorAnswer) {
    let shots = steps
        .iter_mut()
        .rev()
        .filter(|step| step.success && step.action_type == ActionKind::SnapshotUi);
    let mut screens = said.snapshots.iter().rev();
    for step in shots {
        let why = match screens.next() {
            Some(Snapshot::Whole(text)) => {
                step.data.push("text", text.as_str());
                continue;
            }
            Some(Snapshot::Broken(why)) => {
                format!("the screen did not come whole through the phone's log: {why}")
            }
            None => "no screen came through the phone's log".to_owned(),
        };
        step.success = false;
        let code = ErrorCode::SnapshotExtractionFailed;
        step.data.push("error", code.as_str());
        step.data.push("message", why);
    }
}

/// Remarks on snapshots that were taken right after a tap: the app takes them as the screen is then.
pub(super) fn remark_on_haste(steps: &mut [StepResult], before: Option<&Action>) {
    let mut last = before.map(Action::kind);
    for step in steps {
        let tapped = matches!(last, Some(ActionKind::Click | ActionKind::ScrollAndClick));
        if step.success && step.action_type == ActionKind::SnapshotUi && tapped {
            step.data.push("warn", contract::UNSETTLED);
        }
        last = Some(step.action_type);
    }
}

/// The codes of the app's words. Source: its texts begin with these.
const WORDS: [(&str, ErrorCode); 16] = [
    (
        "No UI node found matching criteria",
        ErrorCode::NodeNotFound,
    ),
    ("Timeout waiting for node matching", ErrorCode::NodeNotFound),
    (
        "Target node not found after scrolling",
        ErrorCode::NodeNotFound,
    ),
    ("No app found with applicationId", ErrorCode::AppNotFound),
    ("URI_NOT_HANDLED", ErrorCode::UriNotHandled),
    (
        "SNAPSHOT_HIERARCHY_UNAVAILABLE",
        ErrorCode::SnapshotExtractionFailed,
    ),
    ("UI tree not available", ErrorCode::ScreenUnavailable),
    (
        "Failed to set text on matching UI node",
        ErrorCode::TextNotEntered,
    ),
    ("Click on matching UI node failed", ErrorCode::GestureFailed),
    ("Click at coordinate", ErrorCode::GestureFailed),
    (
        "No scrollable container visible",
        ErrorCode::ContainerNotFound,
    ),
    ("Container not found for", ErrorCode::ContainerNotFound),
    (
        "Scrollable container not found for",
        ErrorCode::ContainerNotScrollable,
    ),
    (
        "Matching UI node has no text content",
        ErrorCode::NodeHasNoText,
    ),
    (
        "OperatorAccessibilityService is not running",
        ErrorCode::ServiceUnavailable,
    ),
    (
        "Accessibility service is not available",
        ErrorCode::ServiceUnavailable,
    ),
];

/// What stands before the reason in most of its errors.
const FAILED: &str = "Task execution failed: ";
/// What it says of a plan that took longer than it may.
const TOO_LATE: &str = "Agent command timed out after";

/// The reason that an error of the app gives.
pub(super) fn reason(error: &str) -> &str {
    error.strip_prefix(FAILED).unwrap_or(error)
}

/// The code of a reason, where it has one.
pub(super) fn code_of(reason: &str) -> Option<ErrorCode> {
    let row = WORDS.iter().find(|(begin, _)| reason.starts_with(begin));
    row.map(|(_, code)| *code)
}

/// Whether the app says that the deadline passed.
pub(super) fn is_too_late(reason: &str) -> bool {
    reason.starts_with(TOO_LATE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::Execution;
    use serde_json::json;

    fn actions(kinds: &[&str]) -> Vec<Action> {
        let actions: Vec<Value> = kinds
            .iter()
            .enumerate()
            .map(|(index, kind)| {
                let params = match *kind {
                    "click" => json!({"coordinate": {"x": 1, "y": 1}}),
                    _ => json!({}),
                };
                json!({"id": format!("a{index}"), "type": kind, "params": params})
            })
            .collect();
        let plan = json!({"commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
            "timeoutMs": 30000, "actions": actions});
        Execution::from_value(&plan)
            .unwrap()
            .execution
            .actions()
            .to_vec()
    }

    fn step(id: &str, kind: &str, success: bool) -> Value {
        json!({"id": id, "actionType": kind, "success": success, "data": {"n": 1, "b": true}})
    }

    fn envelope(steps: &[Value]) -> Value {
        json!({"status": "success", "stepResults": steps, "error": null})
    }

    #[test]
    fn steps_must_be_those_of_the_plan() {
        let plan = actions(&["click", "snapshot_ui"]);
        let whole = [step("a0", "click", true), step("a1", "snapshot_ui", true)];
        let Answer::Steps(steps) = read(&envelope(&whole), &plan) else {
            panic!("{whole:?}");
        };
        assert_eq!(steps[0].data.get("b"), Some("true"));
        for wrong in [
            &whole[..1],
            &[step("a0", "click", true), step("a0", "snapshot_ui", true)],
            &[
                step("a0", "snapshot_ui", true),
                step("a1", "snapshot_ui", true),
            ],
            &[whole[0].clone(), whole[1].clone(), whole[1].clone()],
            &[],
        ] {
            let answer = read(&envelope(wrong), &plan);
            assert!(matches!(answer, Answer::Nonsense(_)), "{wrong:?}");
        }
        // What has another code there has ours.
        let mut missed = step("a0", "click", false);
        missed["data"]["error"] = "TARGET_NOT_FOUND".into();
        let Answer::Steps(steps) = read(&envelope(&[missed]), &plan) else {
            panic!("{plan:?}");
        };
        assert_eq!(steps[0].error_code(), Some(ErrorCode::NodeNotFound));
        // One that failed may be the last.
        let failed = read(&envelope(&[step("a0", "click", false)]), &plan);
        assert!(matches!(failed, Answer::Steps(steps) if steps.len() == 1));
        let ended = json!({"status": "failed", "stepResults": [], "error": "x", "errorCode": "SERVICE_UNAVAILABLE"});
        assert!(
            matches!(read(&ended, &plan), Answer::Ended { error, code: Some(_) } if error == "x")
        );
    }

    #[test]
    fn screens_belong_to_the_last_snapshots() {
        let plan = actions(&["snapshot_ui", "click", "snapshot_ui", "snapshot_ui"]);
        let told: Vec<Value> = plan
            .iter()
            .map(|action| step(action.id(), action.kind().as_str(), true))
            .collect();
        let Answer::Steps(mut steps) = read(&envelope(&told), &plan) else {
            panic!("{told:?}");
        };
        let said = OperatorAnswer {
            snapshots: vec![
                Snapshot::Broken("cut".to_owned()),
                Snapshot::Whole("<b/>".to_owned()),
            ],
            ..OperatorAnswer::default()
        };
        attach(&mut steps, &said);
        remark_on_haste(&mut steps, None);
        let errors: Vec<Option<&str>> = steps.iter().map(|step| step.data.get("error")).collect();
        let lost = Some("SNAPSHOT_EXTRACTION_FAILED");
        assert_eq!(errors, [lost, None, lost, None]);
        assert_eq!(steps[3].data.get("text"), Some("<b/>"));
        assert_eq!(steps[3].data.get("warn"), None);
        let mut steps = vec![steps.remove(3)];
        remark_on_haste(&mut steps, plan.get(1));
        assert!(steps[0].data.get("warn").is_some());
    }

    #[test]
    fn words_have_codes() {
        let error = "Task execution failed: No UI node found matching criteria: NodeMatcher(resourceId=null)";
        assert_eq!(code_of(reason(error)), Some(ErrorCode::NodeNotFound));
        assert_eq!(code_of(reason("something else")), None);
        assert!(is_too_late(reason("Agent command timed out after 1000ms")));
    }
}
