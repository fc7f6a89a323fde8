//! Results of tools: short text for the model and the result of every surface for programs.

use std::borrow::Cow;

use contract::{
    Action, DeviceAnswer, ErrorBody, ErrorCode, Inspection, Observe, ScreenView, StepResult,
    Surface, Warning, WarningCode,
};
use escape::Quoted;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use service::{Device, DeviceList, Image, KnownScreens, ScreenUpdate};

use crate::arguments::ActArguments;
use crate::extent::Extent;

/// Maximum number of further problems in the text; the structured content has all.
const MAX_PROBLEMS: usize = 9;

/// Marks screen text, so that a model does not treat it as an instruction.
const SCREEN: &str = "screen data";

/// The end of the line of a step without an effect.
const NO_CHANGE: &str = " · no change seen";

/// Step line of a successful snapshot without further details.
const TAKEN: &str = "ok snapshot_ui";

/// A result with text and structured content.
fn tool_result(good: bool, text: String, body: Value) -> CallToolResult {
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
    tool_result(false, error_text(&error), json!(error))
}

/// An error as text: code, message and hint.
fn error_text(error: &ErrorBody) -> String {
    let mut text = format!("{}: {}", error.code, escape::line(&error.message));
    let details = error.details.as_ref();
    for choices in details.map_or_else(Vec::new, |details| {
        contract::choices(&error.message, details)
    }) {
        text.push('\n');
        text.push_str(&choices);
    }
    let detail_hint = error.detail("hint").and_then(Value::as_str);
    let is_said = |words: &str| {
        error.message.contains(words) || detail_hint.is_some_and(|hint| hint.contains(words))
    };
    let suggestion = error.suggestion.as_deref().filter(|words| !is_said(words));
    let suggestion = suggestion.map(|words| format!("did you mean `{words}`?"));
    let more = [detail_hint, suggestion.as_deref(), error.hint.as_deref()];
    for words in more.into_iter().flatten() {
        text.push('\n');
        text.push_str(&escape::line(words));
    }
    let problems = error.detail("problems").and_then(Value::as_array);
    let others = problems.map_or(&[][..], |all| all.get(1..).unwrap_or_default());
    for other in others.iter().take(MAX_PROBLEMS) {
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
        text.push_str(&Surface::Mcp.hint(error.code.hint()));
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
    tool_result(true, lines.join("\n"), json!(devices))
}

/// The result of an inspection.
pub(crate) fn inspection(found: &Inspection) -> CallToolResult {
    let text = format!("{SCREEN}:\n{}", found.to_text());
    match found.refusal() {
        None => tool_result(true, text, json!(found)),
        Some(refusal) => tool_result(false, text, json!(Surface::Mcp.error(&refusal))),
    }
}

/// The result of a plan, and the screen after it if requested. What the client has of its screens is not repeated, nor is the
/// screen in the structured content, except that of steps in the form of a plan.
pub(crate) fn answer(
    mut answer: DeviceAnswer,
    actions: &[Action],
    arguments: &ActArguments,
    known: &KnownScreens,
    content: ShownContent,
) -> CallToolResult {
    prepare(&mut answer);
    let fallback = answer.fallback_line();
    let envelope = &mut answer.envelope;
    let good = envelope.is_success();
    let device = &answer.device_id;
    let steps = contract::lines(actions, envelope)
        .into_iter()
        .zip(&envelope.step_results);
    let mut lines = Vec::new();
    for (at, (line, step)) in steps.enumerate() {
        let extent = actions.get(at).and_then(Extent::of);
        let xml = xml(step).filter(|_| content == ShownContent::TextOnly);
        let screen = xml
            .map(str::to_owned)
            .or_else(|| service::snapshot_text(step));
        let screen = screen.map(|screen| match extent {
            Some(extent) => update_text(extent.update(known, device, &screen)),
            None => screen_text(&screen),
        });
        // The screen says that there is a snapshot.
        let is_shown = |screen: &String| screen.starts_with(SCREEN);
        let is_said = line == TAKEN && screen.as_ref().is_some_and(is_shown);
        lines.extend((!is_said).then_some(line).into_iter().chain(screen));
        let update = match (step.changes(), step.screen()) {
            (Some(changes), _) => Some(changed(None, changes.trim_end())),
            (None, Some(screen)) => {
                let observe = arguments.observe_of(at).unwrap_or(Observe::Screen);
                Some(update_text(update_of(observe, known, device, screen)))
            }
            (None, None) => None,
        };
        lines.extend(update);
    }
    lines.extend(answer.warnings.iter().map(warning_line));
    let update = envelope
        .screen
        .take()
        .map(|screen| update_of(arguments.observe(), known, device, &screen));
    // Omit 'no change' of a failed plan; its last step says so.
    let is_said = !good || lines.last().is_some_and(|line| line.ends_with(NO_CHANGE));
    let update = update.filter(|update| !(is_said && is_unchanged(update)));
    let update = update.map(|update| update_text(without_page(update, &lines)));
    lines.extend(update.into_iter().chain(fallback));
    for (at, step) in envelope.step_results.iter_mut().enumerate() {
        if !arguments.is_plan_step(at) {
            remove_screen(step);
        }
    }
    tool_result(good, lines.join("\n"), json!(answer))
}

/// What the client gets of a screen.
fn update_of(observe: Observe, known: &KnownScreens, device: &str, screen: &str) -> ScreenUpdate {
    match observe {
        Observe::Diff => known.update(device, screen),
        Observe::None | Observe::Screen => known.screen(device, screen),
    }
}

/// Makes a result that of this surface.
fn prepare(answer: &mut DeviceAnswer) {
    answer.is_canonical_terminal = None;
    answer.warnings.iter_mut().for_each(shorten);
    if let Cow::Owned(envelope) = Surface::Mcp.envelope(&answer.envelope) {
        answer.envelope = envelope;
    }
}

/// Removes what is for people: how to end the browser is a command line, and ends it for every other client, too.
fn shorten(warning: &mut Warning) {
    if warning.code == WarningCode::BrowserStarted
        && let Some((first, _)) = warning.message.split_once("; ")
    {
        warning.message = first.to_owned();
    }
}

/// A warning as text for the model, without what its code says.
fn warning_line(warning: &Warning) -> String {
    let message = match warning.code {
        WarningCode::ScreenNotSettled => {
            warning.message.strip_prefix("the screen had not settled ")
        }
        _ => None,
    };
    match message {
        Some(message) => Warning::new(warning.code, message).line(),
        None => warning.line(),
    }
}

/// Removes the screens of a step that the text of the result has in the same notation.
fn remove_screen(step: &mut StepResult) {
    step.data.remove("screen");
    let format = step.data.get("actual_format").and_then(ScreenView::parse);
    if matches!(format, Some(ScreenView::Text | ScreenView::Actionable)) {
        step.data.remove("text");
    }
}

/// The content of a result that its client shows to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShownContent {
    /// The text; programs read the structured content.
    Both,
    /// The text alone, so that it has what the structured content would have.
    TextOnly,
}

/// The screen of a successful snapshot in `hierarchy_xml`.
fn xml(step: &StepResult) -> Option<&str> {
    let is_xml = step.success && step.data.get("actual_format") == Some("hierarchy_xml");
    is_xml.then(|| step.data.get("text"))?
}

/// A screen as text for the model.
fn screen_text(screen: &str) -> String {
    format!("{SCREEN}:\n{}", screen.trim_end())
}

/// An update of a screen as text for the model.
fn update_text(update: ScreenUpdate) -> String {
    match update {
        ScreenUpdate::Screen(screen) => screen_text(&screen),
        ScreenUpdate::Changes { again, lines } => changed(again.as_deref(), lines.trim_end()),
    }
}

/// Whether it is the screen that the client got last.
fn is_unchanged(update: &ScreenUpdate) -> bool {
    matches!(update, ScreenUpdate::Changes { again: None, lines } if lines.is_empty())
}

/// The changes without the new page, if the line of a step ends with it.
fn without_page(update: ScreenUpdate, said: &[String]) -> ScreenUpdate {
    let ScreenUpdate::Changes { again, lines } = update else {
        return update;
    };
    let page = lines.lines().next().unwrap_or_default();
    let is_said = page.strip_prefix("+ webview ").is_some_and(|path| {
        let page = format!(" · page {path}");
        said.iter().any(|line| line.ends_with(&page))
    });
    let others = lines[page.len()..].trim_start();
    let lines = match is_said && !others.is_empty() {
        true => others.to_owned(),
        false => lines,
    };
    ScreenUpdate::Changes { again, lines }
}

/// What changed on a screen that the client has.
fn changed(again: Option<&str>, lines: &str) -> String {
    match (again, lines) {
        (None, "") => "no line of the screen changed".to_owned(),
        (None, lines) => format!("{SCREEN}, changes:\n{lines}"),
        (Some(name), "") => format!("{SCREEN}: {name} again, as last shown"),
        (Some(name), lines) => format!("{SCREEN}: {name} again, changes since:\n{lines}"),
    }
}

/// The screen of a plan's only snapshot.
pub(crate) fn snapshot_text(answer: &DeviceAnswer) -> Option<String> {
    answer
        .envelope
        .step_results
        .first()
        .and_then(service::snapshot_text)
}

/// The result of a tool whose only step failed.
pub(crate) fn failed(answer: DeviceAnswer) -> CallToolResult {
    let arguments = ActArguments::default();
    self::answer(
        answer,
        &[],
        &arguments,
        &KnownScreens::default(),
        ShownContent::Both,
    )
}

/// The screen, or the error.
pub(crate) fn screen(mut answer: DeviceAnswer) -> CallToolResult {
    let Some(screen) = snapshot_text(&answer) else {
        return failed(answer);
    };
    let mut text = screen_text(&screen);
    let warnings = answer.warnings.iter().map(warning_line);
    for line in warnings.chain(answer.fallback_line()) {
        text.push('\n');
        text.push_str(&line);
    }
    prepare(&mut answer);
    let steps = &mut answer.envelope.step_results;
    steps.iter_mut().for_each(remove_screen);
    tool_result(true, text, json!(answer))
}

/// What the data of a screenshot says about its element: a part is out of view, something is in front of it, or it moved.
const ABOUT_ELEMENT: [&str; 3] = ["clipped", "covered_by", "moved"];

/// A screenshot.
pub(crate) fn picture(
    answer: &DeviceAnswer,
    path: &str,
    small: &Image,
    data: String,
) -> CallToolResult {
    let mut text = format!(
        "{} {SCREEN}, {}x{} pixels; full image: {path}",
        answer.device_id, small.size.width, small.size.height
    );
    let mut body = json!({ "deviceId": answer.device_id, "path": path });
    let step = answer.envelope.step_results.first();
    for key in ABOUT_ELEMENT {
        if let Some(value) = step.and_then(|step| step.data.get(key)) {
            body[key] = value.into();
            let value = match value {
                "true" => String::new(),
                value => format!(": {}", escape::line(value)),
            };
            text.push_str(&format!("; {}{value}", key.replace('_', " ")));
        }
    }
    let mut result = tool_result(true, text, body);
    result
        .content
        .insert(0, ContentBlock::image(data, small.format.media_type()));
    result
}

#[cfg(test)]
mod tests {
    use contract::Execution;

    use super::*;

    #[test]
    fn warning_does_not_repeat_its_code() {
        let message = "the screen had not settled after 1864 ms: it kept changing";
        let warning = Warning::new(WarningCode::ScreenNotSettled, message);
        assert_eq!(
            warning_line(&warning),
            "SCREEN_NOT_SETTLED: after 1864 ms: it kept changing"
        );
    }

    #[test]
    fn changes_do_not_repeat_the_page_of_the_step() {
        let text_of = |lines: &str| {
            let update = ScreenUpdate::Changes {
                again: None,
                lines: lines.to_owned(),
            };
            update_text(without_page(
                update,
                &["ok click e4 · page /#/done".to_owned()],
            ))
        };
        assert_eq!(
            text_of("+ webview /#/done\n+ heading \"Done\"\n"),
            "screen data, changes:\n+ heading \"Done\""
        );
        // It has more on its line, or it is another page, or the only change.
        for lines in [
            "+ webview /#/done scrollable e9\n+ heading \"Done\"",
            "+ webview /#/other\n+ heading \"Done\"",
            "+ webview /#/done",
        ] {
            assert_eq!(text_of(lines), format!("screen data, changes:\n{lines}"));
        }
    }

    #[test]
    fn problems_are_listed_and_hint_only_if_useful() {
        let refused = |actions: Value| {
            let plan = json!({
                "commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
                "timeoutMs": 1000, "actions": actions,
            });
            error_text(Execution::from_value(&plan).unwrap_err().body())
        };
        let one = json!({ "id": "1", "type": "sleep", "params": { "durationMs": -1 } });
        let other = json!({ "id": "2", "type": "click", "params": { "matcher": "go" } });
        expect_test::expect!["EXECUTION_VALIDATION_FAILED: actions.0.params.durationMs must be between 0 and 120000, \
            not -1"].assert_eq(&refused(json!([one])));
        expect_test::expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.1.params.matcher must be an object, not a string
            write a matcher as {"textEquals": "…"}, {"resourceId": "…"} or, on web pages, {"css": "…"}, or paste a printed element such as `button "Save"`
            actions.0.params.durationMs: must be between 0 and 120000, not -1
            Fix every entry of details.problems, then send the request again"#]].assert_eq(&refused(json!([one, other])));
    }
}
