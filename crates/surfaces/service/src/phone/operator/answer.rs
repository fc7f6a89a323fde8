//! Parsing the Operator app's answer without trusting it: steps must be those of the plan, and messages are mapped to error
//! codes.

use contract::actions::SnapshotUi;
use contract::{Action, ActionKind, ErrorCode, Params, ScreenView, StepData, StepResult};
use driver_android::{OperatorAnswer, Snapshot};
use serde_json::Value;
use uitree::UiTree;

/// A parsed answer.
#[derive(Debug)]
pub(super) enum Answer {
    /// The results of its steps, in the order of the plan.
    Steps(Vec<StepResult>),
    /// The app aborted the plan with this message and perhaps a code; the results of earlier steps are lost.
    Ended { error: String, code: Option<String> },
    /// The answer is invalid; the reason.
    Invalid(String),
}

/// Parses an envelope for these actions.
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
        let (given, expected) = (steps.len(), actions.len());
        return Answer::Invalid(format!("it has {given} steps (expected {expected})"));
    }
    let mut read = Vec::with_capacity(steps.len());
    for (step, action) in steps.iter().zip(actions) {
        let word = |key: &str| step.get(key).and_then(Value::as_str).unwrap_or_default();
        if word("id") != action.id() || ActionKind::parse(word("actionType")) != Some(action.kind())
        {
            return Answer::Invalid(format!(
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
        let (given, expected) = (read.len(), actions.len());
        return Answer::Invalid(format!(
            "it has {given} steps of {expected}, and none failed"
        ));
    }
    Answer::Steps(read)
}

/// The data of a step; values are converted to text.
fn data(value: Option<&Value>) -> StepData {
    let mut data = StepData::new();
    if let Some(Value::Object(fields)) = value {
        for (key, value) in fields {
            let text = match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            // The app has a special code for a scroll target that was not found.
            let text = match (key.as_str(), text.as_str()) {
                ("error", "TARGET_NOT_FOUND") => ErrorCode::NodeNotFound.as_str().to_owned(),
                _ => text,
            };
            data.push(key.as_str(), text);
        }
    }
    data
}

/// Assigns the screens to the snapshots. Screens come in the order of the steps; if some are missing, it is the first ones,
/// because the phone's log drops old lines.
pub(super) fn attach(steps: &mut [StepResult], answer: &OperatorAnswer, actions: &[Action]) {
    let mut screens = answer.snapshots.iter().rev();
    let count = steps.len();
    for (step, action) in steps.iter_mut().zip(actions.iter().take(count)).rev() {
        let Params::SnapshotUi(params) = action.params() else {
            continue;
        };
        if !step.success {
            continue;
        }
        let why = match screens.next() {
            Some(Snapshot::Whole(text)) => match show(&mut step.data, text, params) {
                Ok(()) => continue,
                Err(why) => format!("the screen in the phone's log cannot be read: {why}"),
            },
            Some(Snapshot::Broken(why)) => {
                format!("the screen in the phone's log is incomplete: {why}")
            }
            None => "the phone's log has no screen".to_owned(),
        };
        step.success = false;
        let code = ErrorCode::SnapshotExtractionFailed;
        step.data.push("error", code.as_str());
        step.data.push("message", why);
    }
}

/// Adds a screen in the format that was requested; the app only knows one.
fn show(data: &mut StepData, hierarchy: &str, params: &SnapshotUi) -> Result<(), uitree::XmlError> {
    if params.view() == ScreenView::HierarchyXml {
        data.push("text", hierarchy);
        return Ok(());
    }
    let tree = UiTree::parse_hierarchy_xml(hierarchy.as_bytes(), None)?;
    data.push("actual_format", params.view().as_str());
    // The app knows no references.
    engine::push_screen(data, &tree, params, None);
    Ok(())
}

/// Warnings about snapshots right after a tap: the app does not wait for the screen to settle.
pub(super) fn warn_about_unsettled_snapshots(steps: &mut [StepResult], before: Option<&Action>) {
    let mut last = before.map(Action::kind);
    for step in steps {
        let tapped = matches!(last, Some(ActionKind::Click | ActionKind::ScrollAndClick));
        if step.success && step.action_type == ActionKind::SnapshotUi && tapped {
            step.data.push("warn", contract::UNSETTLED);
        }
        last = Some(step.action_type);
    }
}

/// The error codes of the app's messages, by prefix.
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

/// The prefix of most of its errors.
const FAILURE_PREFIX: &str = "Task execution failed: ";
/// Its message for a plan that exceeded its timeout.
const TIMEOUT_PREFIX: &str = "Agent command timed out after";

/// The reason in an error of the app.
pub(super) fn reason(error: &str) -> &str {
    error.strip_prefix(FAILURE_PREFIX).unwrap_or(error)
}

/// The code of a reason, if it has one.
pub(super) fn code_of(reason: &str) -> Option<ErrorCode> {
    let row = WORDS.iter().find(|(begin, _)| reason.starts_with(begin));
    row.map(|(_, code)| *code)
}

/// Whether the app reports a timeout.
pub(super) fn is_timeout(reason: &str) -> bool {
    reason.starts_with(TIMEOUT_PREFIX)
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
        Execution::from_value(&testkit::plan("c", actions.into()))
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
            assert!(matches!(answer, Answer::Invalid(_)), "{wrong:?}");
        }
        // A code that differs between the app and this program is translated.
        let mut missed = step("a0", "click", false);
        missed["data"]["error"] = "TARGET_NOT_FOUND".into();
        let Answer::Steps(steps) = read(&envelope(&[missed]), &plan) else {
            panic!("{plan:?}");
        };
        assert_eq!(steps[0].error_code(), Some(ErrorCode::NodeNotFound));
        // A failed step may be the last.
        let failed = read(&envelope(&[step("a0", "click", false)]), &plan);
        assert!(matches!(failed, Answer::Steps(steps) if steps.len() == 1));
        let ended = json!({"status": "failed", "stepResults": [], "error": "x", "errorCode": "SERVICE_UNAVAILABLE"});
        assert!(
            matches!(read(&ended, &plan), Answer::Ended { error, code: Some(_) } if error == "x")
        );
    }

    #[test]
    fn screens_are_assigned_to_the_last_snapshots() {
        let plan = actions(&["snapshot_ui", "click", "snapshot_ui", "snapshot_ui"]);
        let steps: Vec<Value> = plan
            .iter()
            .map(|action| step(action.id(), action.kind().as_str(), true))
            .collect();
        let Answer::Steps(mut steps) = read(&envelope(&steps), &plan) else {
            panic!("{steps:?}");
        };
        let answer = OperatorAnswer {
            snapshots: vec![
                Snapshot::Broken("cut".to_owned()),
                Snapshot::Whole("<b/>".to_owned()),
            ],
            ..OperatorAnswer::default()
        };
        attach(&mut steps, &answer, &plan);
        warn_about_unsettled_snapshots(&mut steps, None);
        let errors: Vec<Option<&str>> = steps.iter().map(|step| step.data.get("error")).collect();
        let lost = Some("SNAPSHOT_EXTRACTION_FAILED");
        assert_eq!(errors, [lost, None, lost, None]);
        assert_eq!(steps[3].data.get("text"), Some("<b/>"));
        assert_eq!(steps[3].data.get("warn"), None);
        let mut steps = vec![steps.remove(3)];
        warn_about_unsettled_snapshots(&mut steps, plan.get(1));
        assert!(steps[0].data.get("warn").is_some());
    }

    #[test]
    fn screens_are_converted_to_the_requested_view() {
        let params = SnapshotUi {
            view: Some(ScreenView::Text),
            budget: None,
            all: None,
            matcher: None,
            retry: None,
        };
        let hierarchy = r#"<hierarchy rotation="0"><node index="0" text="Hello" class="p" package="a" bounds="[0,0][9,9]" /></hierarchy>"#;
        let mut data = StepData::new();
        show(&mut data, hierarchy, &params).unwrap();
        assert_eq!(data.get("actual_format"), Some("text"));
        assert_eq!(data.get("text"), Some("application a\n \"Hello\"\n"));
        assert!(show(&mut data, "<hierarchy", &params).is_err());
    }

    #[test]
    fn words_have_codes() {
        let error = "Task execution failed: No UI node found matching criteria: NodeMatcher(resourceId=null)";
        assert_eq!(code_of(reason(error)), Some(ErrorCode::NodeNotFound));
        assert_eq!(code_of(reason("something else")), None);
        assert!(is_timeout(reason("Agent command timed out after 1000ms")));
    }
}
