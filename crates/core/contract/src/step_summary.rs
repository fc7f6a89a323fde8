//! One-line summaries of steps, for agents that pay per token: outcome, action, target, and what happened.

use escape::{Quoted, truncated_line};
use serde_json::{Map, Value};

use crate::{
    action::Action,
    actions::{Effect, ReturnedData},
    error::ErrorCode,
    interrupts::Interrupt,
    matcher::{MatcherKey, NodeMatcher},
    result::{ResultEnvelope, StepResult, UNSETTLED},
};

/// The longest text of the screen in a line, in characters.
const MAX_TEXT: usize = 2_000;
/// The longest name of a target.
const MAX_TARGET: usize = 40;
/// The most devices or tabs that an error names.
const MAX_CHOICES: usize = 10;
/// The most options of a list that are named.
const MAX_OPTIONS: usize = 5;
/// The longest address of a tab in a list.
const MAX_URL: usize = 80;
/// The longest reason why an element does not match.
const MAX_REASON: usize = 60;
/// The longest message before two nearest elements.
const MAX_SHORT_MESSAGE: usize = 80;
/// The longest message of a failure.
const MAX_MESSAGE: usize = 300;

/// One line per step; the line of the failed step includes the hint. The number of further changes is left out where the screen
/// shows them.
pub fn lines(actions: &[Action], envelope: &ResultEnvelope) -> Vec<String> {
    let mut hint = envelope.hint.as_deref();
    let results = &envelope.step_results;
    let has_screen = envelope.screen.is_some() || envelope.changes.is_some();
    let is_observed = |step: &StepResult| step.screen().is_some() || step.changes().is_some();
    let is_snapshot =
        |step: &StepResult| step.data.get("actual_format").is_some() || is_observed(step);
    let steps = results.iter().enumerate();
    steps
        .map(|(at, step)| {
            let hint = if step.success { None } else { hint.take() };
            let has_its_screen = has_screen || is_observed(step);
            let hint = hint.filter(|hint| !is_hint_redundant(step, hint, has_its_screen));
            let mut line = line(actions.get(at), step, hint);
            if has_screen || results[at..].iter().any(is_snapshot) {
                line.truncate(without_count(&line).len());
            }
            let answered = envelope.interrupts.iter();
            for interrupt in answered.filter(|interrupt| interrupt.step_id == step.id) {
                let Interrupt { rule, outcome, .. } = interrupt;
                line.push_str(&format!(" · interruption, rule {rule}: {outcome}"));
            }
            line
        })
        .collect()
}

/// Whether the hint adds nothing: the message names the obstacle, or the result includes the screen that the hint asks for.
fn is_hint_redundant(step: &StepResult, hint: &str, has_screen: bool) -> bool {
    let Some(code) = step.error_code().filter(|code| code.hint() == hint) else {
        return false;
    };
    match code {
        ErrorCode::NodeNotClickable | ErrorCode::TextNotEntered => true,
        ErrorCode::NodeNotFound | ErrorCode::RefStale => has_screen,
        _ => false,
    }
}

/// A line without the number of further changes at its end, which no text of a screen can be: these are in quotes.
fn without_count(line: &str) -> &str {
    let start = line.rsplit_once(" (+");
    let start =
        start.filter(|(_, count)| count.ends_with(" change)") || count.ends_with(" changes)"));
    start.map_or(line, |(start, _)| start)
}

/// The candidates in the details of an error, such as the connected devices: one line per kind, unless the message names all
/// of them.
pub fn choices(message: &str, details: &Map<String, Value>) -> Vec<String> {
    let name = |choice: &Value| {
        let part = |key| choice.get(key).and_then(Value::as_str);
        let id = choice.as_str().or(part("serial")).or(part("device"))?;
        let title = part("title").filter(|title| !title.is_empty());
        let title = title.map(|title| Quoted(&truncated_line(title, MAX_TARGET)).to_string());
        let url = part("url").map(|url| truncated_line(url, MAX_URL));
        let words = [Some(truncated_line(id, MAX_URL)), title, url];
        Some((
            id.to_owned(),
            words.into_iter().flatten().collect::<Vec<_>>().join(" "),
        ))
    };
    let kinds = ["devices", "tabs", "browsers", "running"];
    let line = |kind: &str| {
        let choices = details.get(kind)?.as_array()?;
        let named: Vec<(String, String)> =
            choices.iter().take(MAX_CHOICES).filter_map(name).collect();
        let has_unnamed = named.iter().any(|(id, _)| !message.contains(id.as_str()));
        let words: Vec<String> = named.into_iter().map(|(_, words)| words).collect();
        let more = choices.len().saturating_sub(MAX_CHOICES);
        let more = if more > 0 {
            format!(", and {more} more")
        } else {
            String::new()
        };
        has_unnamed.then(|| format!("{kind}: {}{more}", words.join(", ")))
    };
    kinds.into_iter().filter_map(line).collect()
}

/// A step in one line, such as `ok click e12 · dialog "Delete?" opened`.
pub fn line(action: Option<&Action>, step: &StepResult, hint: Option<&str>) -> String {
    let target = action.map(target).unwrap_or_default();
    let mut head = match step.success {
        true => format!("ok {}", step.action_type),
        false => format!("failed {}", step.action_type),
    };
    if !target.is_empty() {
        head.push(' ');
        head.push_str(&target);
    }
    let mut parts = vec![head];
    if step.is_skipped() {
        parts.push("skipped: not found".to_owned());
    }
    if !step.success {
        let code = step.data.get("error");
        let code = code.unwrap_or(ErrorCode::InternalError.as_str());
        parts[0].push_str(&format!(" {}", escape::line(code)));
        let message = step.data.get("message");
        let message = message.and_then(|message| without_matcher(action, message));
        parts.extend(message.map(|message| truncated_line(&message, MAX_MESSAGE)));
        parts.extend(
            step.data
                .get("buttons")
                .map(|buttons| format!("its buttons: {}", escape::line(buttons))),
        );
        let choices = step.data.get("tabs").and_then(tabs);
        parts.extend(choices.map(|tabs| format!("tabs: {tabs}")));
    }
    parts.extend(side_effects(step));
    parts.extend(warning(step));
    if step.success {
        match step.data.get("outcome").filter(|_| has_misses(step)) {
            // What a failed step would say.
            Some(outcome) => {
                let outcome = without_matcher(action, outcome);
                let outcome = outcome.unwrap_or_else(|| "no match".to_owned());
                let hint = || ErrorCode::NodeNotFound.hint().to_owned();
                parts.push(truncated_line(&outcome, MAX_MESSAGE));
                parts.push(nearest(step, outcome.len()).unwrap_or_else(hint));
            }
            None => parts.extend(step.found().map(found)),
        }
        // A toast is a side effect and also the evidence of the effect: it is printed once.
        let refused = step.data.get("form_not_submitted").is_some();
        let is_redundant = |effect: &String| {
            let has_moved =
                effect == "the content moved" && parts.iter().any(|part| part == "moved");
            refused || has_moved || parts.contains(effect)
        };
        parts.extend(effect(step).filter(|effect| !is_redundant(effect)));
        parts.extend(list_options(step));
    } else {
        let said = parts.get(1).map_or(0, String::len);
        match nearest(step, said) {
            // The nearest elements replace the hint.
            Some(nearest) => parts.push(nearest),
            // The hint is never truncated.
            None => parts.extend(hint.map(|hint| escape::line(hint).into_owned())),
        }
    }
    parts.join(" · ")
}

/// The message without the matcher, which the head of the line names, and with the name of the container; `None` if nothing
/// remains.
fn without_matcher(action: Option<&Action>, message: &str) -> Option<String> {
    let Some([matcher, container]) = action.map(|action| action.params().facts().matchers) else {
        return Some(message.to_owned());
    };
    let starts = [
        matcher.map(|matcher| {
            let start = format!("no node on the screen matches {}", matcher.shortened());
            (start, String::new())
        }),
        container.map(|container| {
            let start = format!(
                "no node on the screen matches the container {}",
                container.shortened()
            );
            (start, format!("no container {}", name(container)))
        }),
        matcher.zip(container).map(|(matcher, container)| {
            let (inside, matcher) = (container.shortened(), matcher.shortened());
            let start = format!("no node inside {inside} matches {matcher}");
            (start, format!("inside {}", name(container)))
        }),
    ];
    let mut starts = starts.into_iter().flatten();
    let shortened = starts.find_map(|(start, short)| {
        let rest = message.strip_prefix(&*start)?;
        Some(short + rest)
    });
    let shortened = shortened.unwrap_or_else(|| message.to_owned());
    let rest = shortened.trim_start_matches("; ");
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// The target of a step: a reference, a name, an app, an address, a key or a point.
fn target(action: &Action) -> String {
    let facts = action.params().facts();
    if let Some(matcher) = facts.matchers[0] {
        return name(matcher);
    }
    let target = facts.effects.iter().find_map(|effect| match effect {
        Effect::PressAt(_, at) => Some(format!("{},{}", at.x, at.y)),
        Effect::Key(key) => Some(key.to_string()),
        Effect::StartApp(app) | Effect::EndApp(app) => Some((*app).to_owned()),
        Effect::LoadUri(uri) => Some((*uri).to_owned()),
        Effect::ResizeWindow(width, height) => Some(format!("{width}x{height}")),
        Effect::ChangeTabs(op) => Some(op.as_str().to_owned()),
        _ => None,
    });
    target
        .map(|target| truncated_line(&target, MAX_TARGET))
        .unwrap_or_default()
}

/// The most specific field of a matcher: the role only if there is no other.
fn name(matcher: &NodeMatcher) -> String {
    let Some((key, value)) = matcher
        .fields()
        .find(|(key, _)| *key != MatcherKey::Role)
        .or_else(|| matcher.fields().next())
    else {
        return String::new();
    };
    let value = truncated_line(value, MAX_TARGET);
    match key {
        MatcherKey::ResourceId => format!("#{}", value.trim_start_matches('#')),
        MatcherKey::Ref | MatcherKey::Role | MatcherKey::Css | MatcherKey::Line => value,
        MatcherKey::TextEquals
        | MatcherKey::TextContains
        | MatcherKey::ContentDescEquals
        | MatcherKey::ContentDescContains => Quoted(&value).to_string(),
    }
}

/// New and closed tabs, downloads, toasts and notifications, and a status that is not 200.
fn side_effects(step: &StepResult) -> Vec<String> {
    let status = step
        .data
        .get("httpStatus")
        .filter(|status| *status != "200");
    let tab = step.data.get("opened_tab");
    let mut side_effects = Vec::new();
    side_effects.extend(status.map(|status| format!("HTTP {}", escape::line(status))));
    side_effects
        .extend(tab.map(|tab| format!("opened tab {} in the foreground", escape::line(tab))));
    let closed_again = step.data.get("opened_and_closed_tab");
    side_effects.extend(
        closed_again.map(|tab| format!("opened tab {}, which is closed again", escape::line(tab))),
    );
    let refused = step.data.get("form_not_submitted").filter(|_| step.success);
    side_effects.extend(
        refused.map(|why| format!("form not submitted: {}", truncated_line(why, MAX_MESSAGE))),
    );
    let closed = step.data.get("closed_url");
    side_effects.extend(closed.map(|url| format!("closed {}", truncated_line(url, MAX_URL))));
    for file in list(step, "downloads") {
        let state = text(&file, "state").replace('_', " ");
        let name = truncated_line(text(&file, "name"), MAX_URL);
        let place = match text(&file, "path") {
            "" => String::new(),
            path => format!(": {}", escape::line(path)),
        };
        side_effects.push(format!("download {} {state}{place}", Quoted(&name)));
    }
    for notice in list(step, "notices") {
        let notice_text = truncated_line(text(&notice, "text"), MAX_MESSAGE);
        side_effects.push(format!(
            "{} {}",
            text(&notice, "kind"),
            Quoted(&notice_text)
        ));
    }
    side_effects
}

/// The warning of a step. `UNSETTLED` is left out: the snapshot itself waited until the screen was still.
fn warning(step: &StepResult) -> Option<String> {
    let warning = step.data.get("warn")?;
    (warning != UNSETTLED).then(|| format!("warning: {}", truncated_line(warning, MAX_MESSAGE)))
}

/// The options of a list that was clicked, and what selects one.
fn list_options(step: &StepResult) -> Option<String> {
    let options = list(step, "list_options");
    let names = options.iter().filter_map(Value::as_str);
    let names = names.take(MAX_OPTIONS);
    let names = names.map(|name| Quoted(&truncated_line(name, MAX_TARGET)).to_string());
    let names: Vec<String> = names.collect();
    let more = match options.len().saturating_sub(MAX_OPTIONS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let list = names.join(", ");
    (!names.is_empty()).then(|| format!("select_options selects from {list}{more}"))
}

/// A list in step data.
fn list(step: &StepResult, key: &str) -> Vec<Value> {
    match step.data.get(key).map(serde_json::from_str) {
        Some(Ok(Value::Array(entries))) => entries,
        _ => Vec::new(),
    }
}

/// A text of an entry; empty if it has none.
fn text<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// What a step read. Text of the screen is quoted, so that its end is unambiguous.
fn found(found: ReturnedData<'_>) -> String {
    match found {
        ReturnedData::Text(text) => escape::quoted(text, MAX_TEXT),
        ReturnedData::List {
            json, out_of_view, ..
        } => {
            let others =
                out_of_view.map(|json| format!(", out of view {}", truncated_line(json, MAX_TEXT)));
            truncated_line(json, MAX_TEXT) + &others.unwrap_or_default()
        }
        ReturnedData::Tabs(json) => tabs(json).unwrap_or_else(|| truncated_line(json, MAX_TEXT)),
        ReturnedData::File(found) | ReturnedData::Outcome(found) => truncated_line(found, MAX_TEXT),
    }
}

/// Tabs by their index, which `tab` takes: `0 "Shop" https://shop.example/, 1 "Help" https://shop.example/help (current)`.
fn tabs(json: &str) -> Option<String> {
    let tabs: Value = serde_json::from_str(json).ok()?;
    let tab = |tab: &Value| {
        let part = |key| tab.get(key).and_then(Value::as_str).unwrap_or_default();
        let index = tab.get("index")?.as_u64()?;
        let is_current = tab.get("current")?.as_bool()?;
        let current = if is_current { " (current)" } else { "" };
        let title = truncated_line(part("title"), MAX_TARGET);
        let url = truncated_line(part("url"), MAX_URL);
        Some(format!("{index} {} {url}{current}", Quoted(&title)))
    };
    let tabs: Option<Vec<String>> = tabs.as_array()?.iter().map(tab).collect();
    Some(tabs?.join(", "))
}

/// What the step changed on the screen, if that was observed.
fn effect(step: &StepResult) -> Option<String> {
    let evidence = step.data.get("evidence");
    let evidence = evidence.map(|evidence| escape::line(evidence).into_owned());
    match step.data.get("effect")? {
        "none" => Some(match evidence {
            Some(evidence) => format!("no change seen, but {evidence}"),
            None => "no change seen".to_owned(),
        }),
        _ => evidence,
    }
}

/// Whether a step is about a look-up without a match.
fn has_misses(step: &StepResult) -> bool {
    step.data.get("near_misses").is_some() && !step.is_skipped()
}

/// The two nearest elements of a failed look-up, the first one with its mismatch; after a long message only the first one.
fn nearest(step: &StepResult, said: usize) -> Option<String> {
    let is_long = said > MAX_SHORT_MESSAGE;
    let misses: Value = serde_json::from_str(step.data.get("near_misses")?).ok()?;
    let misses = misses.as_array()?;
    let described: Vec<String> = misses
        .iter()
        .take(if is_long { 1 } else { 2 })
        .enumerate()
        .filter_map(|(at, miss)| {
            let part = |key: &str| miss.get(key).and_then(Value::as_str);
            let role = part("role").unwrap_or_default();
            let name = part("text")
                .or(part("contentDesc"))
                .or(part("resourceId"))?;
            let reference = part("ref").map(|reference| format!("{reference} "));
            let name = escape::quoted(name, MAX_TARGET);
            let why = miss
                .get("why")
                .and_then(|why| why.get(0))
                .and_then(Value::as_str);
            let why = why
                .filter(|_| at == 0 && !is_long)
                .map(|why| format!(" ({})", truncated_line(why, MAX_REASON)));
            let (reference, why) = (reference.unwrap_or_default(), why.unwrap_or_default());
            Some(format!("{reference}{role} {name}{why}"))
        })
        .collect();
    (!described.is_empty()).then(|| format!("nearest: {}", described.join(", ")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Execution;

    fn step_line(params: Value, step: Value) -> String {
        let kind = step["actionType"].clone();
        let plan = json!({
            "commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
            "timeoutMs": 1000, "actions": [{ "id": "1", "type": kind, "params": params }],
        });
        let parsed = Execution::from_value(&plan).unwrap();
        let step: StepResult = serde_json::from_value(step).unwrap();
        line(parsed.execution.actions().first(), &step, None)
    }

    #[test]
    fn warning_of_a_step_is_in_its_line() {
        let close = |warn: &str| {
            let step = json!({ "id": "1", "actionType": "close_app", "success": true, "data": { "warn": warn } });
            step_line(json!({ "applicationId": "no.app" }), step)
        };
        assert_eq!(
            close("no app no.app\nis installed"),
            r"ok close_app no.app · warning: no app no.app\nis installed"
        );
        assert_eq!(close(UNSETTLED), "ok close_app no.app");
    }

    #[test]
    fn choices_of_an_error_are_named_once() {
        let tabs = json!({ "tabs": [
            { "device": "chrome:A1", "title": "Shop", "url": "https://shop.example/" },
            { "device": "chrome:B2", "title": "", "url": "about:blank" },
        ]});
        assert_eq!(
            choices("several tabs are open", tabs.as_object().unwrap()),
            [r#"tabs: chrome:A1 "Shop" https://shop.example/, chrome:B2 about:blank"#]
        );
        let devices = json!({ "devices": ["emulator-5554", "R58M"], "hint": "x" });
        let named = "2 devices are connected: emulator-5554, R58M";
        assert_eq!(
            choices(named, devices.as_object().unwrap()),
            Vec::<String>::new()
        );
        assert_eq!(
            choices("several", devices.as_object().unwrap()),
            ["devices: emulator-5554, R58M"]
        );
        let tabs = json!([
            { "index": 0, "title": "Shop", "url": "https://shop.example/", "device": "chrome:A1", "current": true },
        ]);
        let failed = json!({
            "id": "1", "actionType": "tab", "success": false,
            "data": { "error": "TAB_AMBIGUOUS", "message": "several", "tabs": tabs.to_string() },
        });
        let line = step_line(
            json!({ "op": "choose", "tab": { "urlContains": "shop" } }),
            failed,
        );
        assert!(
            line.contains(r#"tabs: 0 "Shop" https://shop.example/ (current)"#),
            "{line}"
        );
    }

    #[test]
    fn line_of_a_failure_does_not_repeat_itself() {
        let lines = |code: &str, message: &str, observed: bool| {
            let matcher = json!({ "textContains": "New key" });
            let plan = json!({
                "commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
                "timeoutMs": 1000, "actions": [{ "id": "1", "type": "click", "params": { "matcher": matcher } }],
            });
            let parsed = Execution::from_value(&plan).unwrap();
            let step = json!({ "id": "1", "actionType": "click", "success": false, "data": { "error": code, "message": message } });
            let step: StepResult = serde_json::from_value(step).unwrap();
            let mut envelope = ResultEnvelope::from_steps(&parsed.execution, vec![step]);
            envelope.hint = ErrorCode::parse(code).map(|code| code.hint().to_owned());
            envelope.screen = observed.then(|| "application a".to_owned());
            super::lines(parsed.execution.actions(), &envelope).remove(0)
        };
        let nothing = r#"no node on the screen matches {"textContains":"New key"}"#;
        let hint = "Take a snapshot and correct the matcher";
        let failed = r#"failed click "New key""#;
        assert_eq!(
            lines("NODE_NOT_FOUND", nothing, false),
            format!("{failed} NODE_NOT_FOUND · {hint}")
        );
        // The answer has the screen.
        assert_eq!(
            lines("NODE_NOT_FOUND", nothing, true),
            format!("{failed} NODE_NOT_FOUND")
        );
        let but = format!("{nothing}; the text \"New key\" does, but its role is text");
        assert_eq!(
            lines("NODE_NOT_FOUND", &but, true),
            format!("{failed} NODE_NOT_FOUND · the text \"New key\" does, but its role is text")
        );
        // The message names the obstacle.
        let covered = "covered by the dialog \"Sure?\"; to close it try e4, the button \"No\"";
        assert_eq!(
            lines("NODE_NOT_CLICKABLE", covered, false),
            format!("{failed} NODE_NOT_CLICKABLE · {covered}")
        );
        let stale = "e3 was the button \"A\", which is gone";
        assert!(lines("REF_STALE", stale, false).ends_with("its references"));
        assert!(lines("REF_STALE", stale, true).ends_with("is gone"));
    }

    #[test]
    fn options_of_a_clicked_list_are_named_with_what_selects_them() {
        let options = |options: &[&str]| {
            let step = json!({ "id": "1", "actionType": "click", "success": true, "data": {
                "list_options": json!(options).to_string(), "effect": "observed", "evidence": "dropdown \"Size\" is expanded",
            } });
            step_line(json!({ "matcher": { "ref": "e4" } }), step)
        };
        assert_eq!(
            options(&["S", "M"]),
            r#"ok click e4 · dropdown "Size" is expanded · select_options selects from "S", "M""#
        );
        assert!(
            options(&["1", "2", "3", "4", "5", "6", "7"])
                .ends_with(r#" from "1", "2", "3", "4", "5" and 2 more"#)
        );
    }

    #[test]
    fn line_of_a_scroll_says_once_that_the_content_moved() {
        let step = json!({ "id": "1", "actionType": "scroll", "success": true, "data": {
            "scroll_outcome": "moved", "effect": "observed", "evidence": "the content moved",
        } });
        assert_eq!(step_line(json!({}), step), "ok scroll · moved");
    }

    #[test]
    fn explanation_says_what_a_failed_step_says() {
        let explained = |near: Value| {
            let outcome = r#"no node on the screen matches {"textEquals":"Sum"}"#;
            let step = json!({
                "id": "1", "actionType": "explain", "success": true,
                "data": { "outcome": outcome, "near_misses": near.to_string(), "match_count": "0" },
            });
            step_line(json!({ "matcher": { "textEquals": "Sum" } }), step)
        };
        let near = json!([{ "ref": "e7", "text": "Total", "role": "text", "why": ["text is \"Total\", not \"Sum\""] }]);
        assert_eq!(
            explained(near),
            r#"ok explain "Sum" · no match · nearest: e7 text "Total" (text is "Total", not "Sum")"#
        );
        assert_eq!(
            explained(json!([])),
            r#"ok explain "Sum" · no match · Take a snapshot and correct the matcher"#
        );
    }

    #[test]
    fn hints_are_whole() {
        for code in ErrorCode::ALL {
            let failed = json!({
                "id": "1", "actionType": "sleep", "success": false,
                "data": { "error": code.as_str(), "message": "why" },
            });
            let step: StepResult = serde_json::from_value(failed).unwrap();
            let line = line(None, &step, Some(code.hint()));
            assert!(
                line.ends_with(&format!(" · why · {}", code.hint())),
                "{line}"
            );
        }
    }

    #[test]
    fn downloads_and_refused_forms_are_named() {
        let files = json!([
            { "name": "a \"b\".pdf", "path": null, "bytes": 0, "state": "in_progress" },
            { "name": "c.pdf", "path": "/d/c (1).pdf", "bytes": 9, "state": "completed" },
        ]);
        let clicked = json!({
            "id": "1", "actionType": "click", "success": true,
            "data": { "downloads": files.to_string(), "form_not_submitted": "\"Age\": \"Too low\"", "effect": "none" },
        });
        assert_eq!(
            step_line(json!({ "matcher": { "textEquals": "Go" } }), clicked),
            "ok click \"Go\" · form not submitted: \"Age\": \"Too low\" · download \"a \\\"b\\\".pdf\" in progress · download \"c.pdf\" completed: /d/c (1).pdf"
        );
    }

    #[test]
    fn tabs_are_listed_by_their_index() {
        let tabs = json!([
            { "index": 0, "title": "Shop", "url": "https://shop.example/", "device": "chrome:A1", "current": false },
            { "index": 1, "title": "Say \"hi\"", "url": "https://shop.example/help", "device": "chrome:B2", "current": true },
        ]);
        let listed = json!({
            "id": "1", "actionType": "tab", "success": true, "data": { "tabs": tabs.to_string(), "count": "2" },
        });
        assert_eq!(
            step_line(json!({ "op": "list" }), listed),
            r#"ok tab · 0 "Shop" https://shop.example/, 1 "Say \"hi\"" https://shop.example/help (current)"#
        );
    }

    #[test]
    fn line_of_a_step_names_its_interruptions() {
        let envelope: ResultEnvelope = serde_json::from_value(json!({
            "commandId": "c", "taskId": "t", "status": "success", "error": null,
            "stepResults": [
                { "id": "a", "actionType": "press_key", "success": true },
                { "id": "b", "actionType": "press_key", "success": true },
            ],
            "interrupts": [{ "rule": 1, "stepId": "b", "outcome": "done" }],
        }))
        .unwrap();
        assert_eq!(
            lines(&[], &envelope),
            ["ok press_key", "ok press_key · interruption, rule 1: done"]
        );
    }

    #[test]
    fn line_has_the_action_and_its_effect() {
        let named = |text: &str| json!({ "matcher": { "textEquals": text } });
        let done = |kind: &str, params: Value, data: Value| {
            let step = json!({ "id": "1", "actionType": kind, "success": data.get("error").is_none(), "data": data });
            step_line(params, step)
        };
        let matcher = json!({ "matcher": { "ref": "e12" } });
        let opened = json!({ "effect": "observed", "evidence": "dialog \"Delete?\" opened" });
        assert_eq!(
            done("click", matcher.clone(), opened),
            "ok click e12 · dialog \"Delete?\" opened"
        );
        let nothing = json!({ "effect": "none", "opened_tab": "chrome:2" });
        assert_eq!(
            done("click", matcher, nothing),
            "ok click e12 · opened tab chrome:2 in the foreground · no change seen"
        );
        let closed = json!({ "closed_url": "http://a/", "effect": "none" });
        let closed = json!({ "id": "1", "actionType": "tab", "success": true, "data": closed });
        assert_eq!(
            line(None, &serde_json::from_value(closed).unwrap(), None),
            "ok tab · closed http://a/ · no change seen"
        );
        let notices =
            json!([{ "kind": "toast", "app": "com.x", "text": "Saved \"a\"", "at_ms": 40 }]);
        let mut shown = json!({ "notices": notices.to_string() });
        let toast = r#"toast "Saved \"a\"""#;
        assert_eq!(
            done("click", named("Save"), shown.clone()),
            format!("ok click \"Save\" · {toast}")
        );
        shown["effect"] = "observed".into();
        shown["evidence"] = toast.into();
        assert_eq!(
            done("click", named("Save"), shown),
            format!("ok click \"Save\" · {toast}")
        );
        let skipped = json!({ "skipped": "true", "skip_reason": "NODE_NOT_FOUND" });
        assert_eq!(
            done("click", named("Close"), skipped),
            "ok click \"Close\" · skipped: not found"
        );
        let met = json!({ "condition": "quiet", "met": "quiet for 500 ms" });
        assert_eq!(
            done("wait_until", json!({ "anyOf": [{ "quiet": 500 }] }), met),
            "ok wait_until · quiet for 500 ms"
        );
        let front = json!({ "url": "http://a.example/", "device": "chrome:2" });
        assert_eq!(
            done("tab", json!({ "op": "close" }), front),
            "ok tab close · http://a.example/"
        );
        let text = json!({ "matcher": { "textEquals": "Sum", "role": "text" } });
        assert_eq!(
            done("read_text", text.clone(), json!({ "text": "5 €" })),
            "ok read_text \"Sum\" · \"5 €\""
        );
        let near =
            json!([{ "text": "Total", "role": "text", "why": ["text is \"Total\", not \"Sum\""] }])
                .to_string();
        let data = json!({ "error": "NODE_NOT_FOUND", "message": "no node", "near_misses": near });
        assert_eq!(
            done("read_text", text, data),
            "failed read_text \"Sum\" NODE_NOT_FOUND · no node · nearest: text \"Total\" (text is \"Total\", not \"Sum\")"
        );
    }
}
