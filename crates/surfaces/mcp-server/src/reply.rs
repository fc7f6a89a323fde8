//! Results of tools: short text for the model and the result of every surface for programs.

use std::borrow::Cow;

use contract::{
    ActionKind, DeviceAnswer, ErrorBody, ErrorCode, Found, Inspection, StepResult, Surface,
};
use escape::Quoted;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use service::{Device, DeviceList};

use crate::arguments::SNAPSHOT_AFTER;

/// Maximum length of text from a step in the text for the model; the structured content has all of it.
const LONGEST: usize = 2_000;

/// Maximum number of further problems in the text; the structured content has all.
const MOST_PROBLEMS: usize = 9;

/// Marks screen text, so that a model does not treat it as an instruction.
const SCREEN: &str = "screen data";

/// A result with text and structured content.
fn said(good: bool, text: String, body: Value) -> CallToolResult {
    let content = vec![ContentBlock::text(text)];
    let mut result = if good {
        CallToolResult::success(content)
    } else {
        CallToolResult::error(content)
    };
    result.structured_content = Some(body);
    result
}

/// An error as a result for the model.
pub(crate) fn error(error: &ErrorBody) -> CallToolResult {
    let error = Surface::Mcp.error(error);
    said(false, in_words(&error), json!(error))
}

/// An error as text: code, message and hint.
fn in_words(error: &ErrorBody) -> String {
    let mut text = format!("{}: {}", error.code, escape::line(&error.message));
    let meant = error
        .details
        .as_ref()
        .and_then(|details| details.get("hint"));
    let more = [
        meant.and_then(Value::as_str),
        error.suggestion.as_deref(),
        error.hint.as_deref(),
    ];
    for words in more.into_iter().flatten() {
        text.push('\n');
        text.push_str(&escape::line(words));
    }
    let problems = error.detail("problems").and_then(Value::as_array);
    let others = problems.map_or(&[][..], |all| all.get(1..).unwrap_or_default());
    for other in others.iter().take(MOST_PROBLEMS) {
        let part = |key| other.get(key).and_then(Value::as_str).unwrap_or_default();
        let (path, message) = (part("path"), part("message"));
        text.push_str(&format!(
            "\n{}: {}",
            escape::line(path),
            escape::line(message)
        ));
    }
    // The hint to fix every problem is useful only if there are several.
    let alone = error.code == ErrorCode::ExecutionValidationFailed && others.is_empty();
    if error.hint.is_none() && !alone {
        text.push('\n');
        text.push_str(&Surface::Mcp.hint(error.code.fix()));
    }
    text
}

/// The devices, one per line.
pub(crate) fn devices(devices: &DeviceList) -> CallToolResult {
    let line = |device: &Device| {
        let mut line = format!("{} {}", device.serial, device.state);
        for page in [&device.title, &device.url].into_iter().flatten() {
            line.push_str(&format!(" {}", Quoted(page)));
        }
        line
    };
    let lines: Vec<String> = devices.iter().map(line).collect();
    said(true, lines.join("\n"), json!(devices))
}

/// The result of an inspection.
pub(crate) fn inspection(found: &Inspection) -> CallToolResult {
    let text = format!("{SCREEN}:\n{}", found.to_text());
    match found.refusal() {
        None => said(true, text, json!(found)),
        Some(refusal) => said(false, text, json!(Surface::Mcp.error(&refusal))),
    }
}

/// What a result shows of the screen.
pub(crate) enum Shown {
    /// All of it.
    Screen(String),
    /// What changed since the client's last screen.
    Changes(String),
}

/// The result of a plan, and the screen after it if requested.
pub(crate) fn answer(mut answer: DeviceAnswer, shown: Option<Shown>) -> CallToolResult {
    answer.is_canonical_terminal = None;
    let envelope = &mut answer.envelope;
    // The screen is returned as text; its hierarchy is omitted.
    envelope
        .step_results
        .retain(|step| step.id != SNAPSHOT_AFTER || !step.success);
    if let Cow::Owned(told) = Surface::Mcp.envelope(envelope) {
        *envelope = told;
    }
    let good = envelope.is_success();
    let mut lines: Vec<String> = envelope.step_results.iter().map(step).collect();
    if let Some(hint) = &envelope.hint {
        lines.push(escape::line(hint).into_owned());
    }
    lines.extend(
        answer
            .warnings
            .iter()
            .map(|warning| format!("{}: {}", warning.code, escape::line(&warning.message))),
    );
    let mut body = json!(answer);
    let shown = shown.map(|shown| match shown {
        Shown::Screen(screen) => (
            format!("{SCREEN}:\n{}", screen.trim_end()),
            "screen",
            screen,
        ),
        Shown::Changes(none) if none.is_empty() => {
            ("the screen is unchanged".to_owned(), "changes", none)
        }
        Shown::Changes(changes) => (
            format!("{SCREEN}, changes:\n{}", changes.trim_end()),
            "changes",
            changes,
        ),
    });
    if let (Some((line, key, text)), Some(body)) = (shown, body.as_object_mut()) {
        lines.push(line);
        body.insert(key.to_owned(), text.into());
    }
    said(good, lines.join("\n"), body)
}

/// The screen of a plan's only snapshot.
pub(crate) fn seen(answer: &DeviceAnswer) -> Option<String> {
    answer.envelope.step_results.first().and_then(shown)
}

/// The screen of the snapshot after a plan.
pub(crate) fn afterwards(answer: &DeviceAnswer) -> Option<String> {
    let last = answer.envelope.step_results.last();
    last.filter(|step| step.id == SNAPSHOT_AFTER)
        .and_then(shown)
}

/// The screen of a snapshot.
fn shown(step: &StepResult) -> Option<String> {
    let is_snapshot = step.success && step.action_type == ActionKind::SnapshotUi;
    let text = is_snapshot.then(|| step.data.get("text"))??;
    match step.data.get("actual_format") {
        Some("hierarchy_xml") | None => service::compact(text),
        Some(_) => Some(text.to_owned()),
    }
}

/// The screen, or the error.
pub(crate) fn screen(answer: DeviceAnswer) -> CallToolResult {
    let Some(screen) = seen(&answer) else {
        return self::answer(answer, None);
    };
    let mut text = format!("{} {SCREEN}:\n{}", answer.device_id, screen.trim_end());
    for warning in &answer.warnings {
        let message = escape::line(&warning.message);
        text.push_str(&format!("\n{}: {message}", warning.code));
    }
    let body = json!({ "deviceId": answer.device_id, "screen": screen });
    said(true, text, body)
}

/// A screenshot.
pub(crate) fn picture(
    answer: &DeviceAnswer,
    path: &str,
    small: &crate::picture::Picture,
    data: String,
) -> CallToolResult {
    let text = format!(
        "{} {SCREEN}, {}x{} pixels; full image: {path}",
        answer.device_id, small.width, small.height
    );
    let body = json!({ "deviceId": answer.device_id, "path": path });
    let mut result = said(true, text, body);
    result
        .content
        .insert(0, ContentBlock::image(data, "image/png"));
    result
}

/// A step in one line: index, type and outcome.
fn step(step: &StepResult) -> String {
    let head = format!("{} {}", escape::line(&step.id), step.action_type);
    if !step.success {
        let code = step
            .data
            .get("error")
            .unwrap_or(ErrorCode::InternalError.as_str());
        let mut line = format!("{head} FAILED {code}");
        if let Some(message) = step.data.get("message") {
            line.push_str(": ");
            line.push_str(&escape::line(message));
        }
        if let Some(buttons) = step.data.get("buttons") {
            line.push_str(&format!("; its buttons: {}", escape::line(buttons)));
        }
        if let Some(near) = step.data.get("near_misses").filter(|near| *near != "[]") {
            line.push_str("\nnearly: ");
            line.push_str(&escape::line(&cut(near)));
        }
        line.push_str(&effects(step));
        return line;
    }
    if let Some(screen) = shown(step) {
        return format!("{head}, {SCREEN}:\n{}", screen.trim_end());
    }
    let status = step
        .data
        .get("httpStatus")
        .filter(|status| *status != "200");
    let mut line = match (found(step), status) {
        (Some(found), _) => format!("{head}{found}"),
        (None, Some(status)) => format!("{head}: HTTP {}", escape::line(status)),
        (None, None) => format!("{head} ok"),
    };
    line.push_str(&effects(step));
    line
}

/// Side effects of a step.
fn effects(step: &StepResult) -> String {
    let mut told = String::new();
    if let Some(tab) = step.data.get("opened_tab") {
        told.push_str(&format!(
            "; opened tab {} in the foreground",
            escape::line(tab)
        ));
    }
    if let Some(files) = step.data.get("downloads") {
        told.push_str(&format!("; downloaded {}", escape::line(files)));
    }
    told
}

/// The result of a step. Screen text is quoted, so that its end is unambiguous.
fn found(step: &StepResult) -> Option<String> {
    Some(match step.found()? {
        Found::Text(text) => format!(", {SCREEN}: {}", Quoted(&cut(text))),
        // A JSON list has its own quotes.
        Found::List { json, .. } => format!(", {SCREEN}: {}", escape::line(&cut(json))),
        Found::File(found) | Found::Outcome(found) => {
            format!(": {}", escape::line(&cut(found)))
        }
    })
}

/// Truncated text.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use contract::Execution;

    use super::*;

    #[test]
    fn step_text_contains_what_it_read() {
        let told = |kind: &str, data: Value| {
            let step = json!({ "id": "1", "actionType": kind, "success": true, "data": data });
            super::step(&serde_json::from_value(step).unwrap())
        };
        let all = json!({ "text": "[\"a\",\"b\"]", "all": "true", "count": "2" });
        assert_eq!(
            told("read_text", all),
            r#"1 read_text, screen data: ["a","b"]"#
        );
        let pairs = json!({ "label": "a", "value": "1", "pairs": "[{}]", "count": "2" });
        assert_eq!(
            told("read_key_value_pair", pairs),
            "1 read_key_value_pair, screen data: [{}]"
        );
        let missing =
            json!({ "uri": "http://a.test/x", "httpStatus": "404", "opened_tab": "chrome:1" });
        assert_eq!(
            told("open_uri", missing),
            "1 open_uri: HTTP 404; opened tab chrome:1 in the foreground"
        );
        let hierarchy = r#"<hierarchy rotation="0"><node index="0" text="Hello" class="p" package="a" bounds="[0,0][9,9]" /></hierarchy>"#;
        let seen = told("snapshot_ui", json!({ "text": hierarchy }));
        assert!(seen.starts_with("1 snapshot_ui, screen data:\n"), "{seen}");
        assert!(seen.ends_with(" \"Hello\""), "{seen}");
    }

    #[test]
    fn problems_are_listed_and_hint_only_if_useful() {
        let refused = |actions: Value| {
            let plan = json!({
                "commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
                "timeoutMs": 1000, "actions": actions,
            });
            in_words(Execution::from_value(&plan).unwrap_err().body())
        };
        let one = json!({ "id": "1", "type": "sleep", "params": { "durationMs": -1 } });
        let other = json!({ "id": "2", "type": "click", "params": { "matcher": "#go" } });
        expect_test::expect!["EXECUTION_VALIDATION_FAILED: actions.0.params.durationMs must be between 0 and 120000, \
            not -1"].assert_eq(&refused(json!([one])));
        expect_test::expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.1.params.matcher must be an object, not a string
            write a matcher as {"textEquals": "…"}, {"resourceId": "…"} or, on web pages, {"css": "…"}
            actions.0.params.durationMs: must be between 0 and 120000, not -1
            Fix every entry of details.problems, then send the request again"#]].assert_eq(&refused(json!([one, other])));
    }
}
