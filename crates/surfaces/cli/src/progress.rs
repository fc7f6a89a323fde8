//! Progress on standard error: one line per finished step.

use std::io::{self, IsTerminal, Stderr, Write};
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use contract::{Action, ErrorBody, ErrorCode, ReturnedData, StepResult};
use escape::Quoted;
use serde_json::Value;
use service::Event;

use crate::table::Globals;

/// The maximum length of a step's target, in characters.
const MAX: usize = 60;

/// Prints progress of a command.
pub(crate) struct Progress {
    /// Standard error; `None` if progress is off.
    stream: Option<AutoStream<Stderr>>,
    current: String,
}

impl Progress {
    /// Progress on a terminal or with `--verbose`.
    pub(crate) fn open(globals: &Globals) -> Self {
        Self {
            stream: Self::stream(globals),
            current: String::new(),
        }
    }

    fn stream(globals: &Globals) -> Option<AutoStream<Stderr>> {
        let stderr = io::stderr();
        let watched = stderr.is_terminal();
        if !globals.verbose && (!watched || globals.style.json_by_name) {
            return None;
        }
        // The library honours NO_COLOR and CLICOLOR, but lets a CI variable override TERM=dumb.
        let dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
        let colour = if globals.no_color || !watched || dumb {
            ColorChoice::Never
        } else {
            AutoStream::choice(&stderr)
        };
        Some(AutoStream::new(stderr, colour))
    }

    /// Prints a success.
    pub(crate) fn done(&mut self, text: &str) {
        self.line("✓", AnsiColor::Green, text);
    }

    /// Prints a failure.
    pub(crate) fn failed(&mut self, text: &str) {
        self.line("✗", AnsiColor::Red, text);
    }

    /// Prints a warning.
    pub(crate) fn warn(&mut self, text: &str) {
        self.line("!", AnsiColor::Yellow, text);
    }

    fn line(&mut self, sign: &str, colour: AnsiColor, text: &str) {
        let style = colour.on_default().bold();
        // Escapes control characters from files.
        let text = escape::line(text);
        self.print(format_args!("{style}{sign}{style:#} {text}"));
    }

    fn print(&mut self, line: std::fmt::Arguments<'_>) {
        if let Some(stream) = &mut self.stream {
            // Errors are ignored: standard error is closed.
            let _ = writeln!(stream, "{line}");
        }
    }

    /// Prints the problems of an error, one per line.
    pub(crate) fn problems(&mut self, error: &ErrorBody) {
        let problems = error.detail("problems").and_then(Value::as_array);
        for problem in problems.into_iter().flatten() {
            let text = |key: &str| problem.get(key).and_then(Value::as_str);
            let number = |key: &str| problem.get(key).and_then(Value::as_u64);
            let mut line = text("file").unwrap_or_default().to_owned();
            if let (Some(row), Some(column)) = (number("line"), number("column")) {
                line.push_str(&format!(":{row}:{column}"));
            }
            if let Some(path) = text("path") {
                line.push_str(&format!(": {path}"));
            }
            line.push_str(&format!(": {}", text("message").unwrap_or_default()));
            self.failed(&line);
        }
        let more = error.detail("unlistedProblems");
        if let Some(more) = more.and_then(Value::as_u64) {
            self.failed(&format!("and {more} more"));
        }
    }

    /// Prints a finished step.
    pub(crate) fn step(&mut self, event: &Event<'_>) {
        if self.stream.is_none() {
            return;
        }
        match event {
            Event::StepStarted { action, .. } => self.current = described(action),
            Event::StepEnded {
                result, elapsed, ..
            } => {
                let outcome = if result.success {
                    Ok(found(result))
                } else {
                    Err((
                        result.data.get("error").unwrap_or_default(),
                        result.data.get("message").unwrap_or_default(),
                    ))
                };
                let line = line(&self.current, outcome, *elapsed);
                self.print(format_args!("{line}"));
            }
        }
    }
}

/// The line of a step: outcome, description, duration, and the hint of a failure.
fn line(
    step: &str,
    outcome: Result<Option<&str>, (&str, &str)>,
    elapsed: Option<Duration>,
) -> String {
    let good = AnsiColor::Green.on_default().bold();
    let failure_style = AnsiColor::Red.on_default().bold();
    let faint = Style::new().dimmed();
    let time = elapsed.map_or_else(String::new, |elapsed| {
        format!("  {faint}{}{faint:#}", time(elapsed))
    });
    match outcome {
        Ok(None) => format!("{good}✓{good:#} {step}{time}"),
        Ok(Some(found)) => {
            let found = escape::truncated_line(found, MAX);
            format!("{good}✓{good:#} {step} → {found}{time}")
        }
        Err((error, message)) => {
            let mut line = format!(
                "{failure_style}✗{failure_style:#} {step}{time}  {failure_style}{error}{failure_style:#}"
            );
            if !message.is_empty() {
                line.push_str(&format!("  {}", escape::line(message)));
            }
            if let Some(code) = ErrorCode::parse(error) {
                line.push_str(&format!("\n  {faint}{}{faint:#}", code.hint()));
            }
            line
        }
    }
}

/// The result of a step: the text it read or the file it wrote.
fn found(result: &StepResult) -> Option<&str> {
    if result.is_skipped() {
        return Some("skipped: not found");
    }
    match result.found()? {
        ReturnedData::Text(found)
        | ReturnedData::List { short: found, .. }
        | ReturnedData::Tabs(found)
        | ReturnedData::File(found) => Some(found),
        ReturnedData::Outcome(_) => None,
    }
}

fn time(elapsed: Duration) -> String {
    if elapsed < Duration::from_secs(10) {
        format!("{} ms", elapsed.as_millis())
    } else {
        format!("{:.1} s", elapsed.as_secs_f64())
    }
}

/// A short description of a step, without entered text, which may be a password.
fn described(action: &Action) -> String {
    let kind = action.kind().as_str();
    let Ok(action) = serde_json::to_value(action) else {
        return kind.to_owned();
    };
    let target = action.get("params").and_then(target);
    match target {
        Some(target) => format!("{kind} {}", escape::truncated_line(&target, MAX)),
        None => kind.to_owned(),
    }
}

fn target(params: &Value) -> Option<String> {
    for key in ["matcher", "labelMatcher", "expectedNode"] {
        if let Some(Value::Object(fields)) = params.get(key) {
            let mut words = fields.iter().map(|(field, value)| {
                let value = value.as_str().unwrap_or_default();
                match field.as_str() {
                    "textEquals" => Quoted(value).to_string(),
                    _ => format!("{field} {}", Quoted(value)),
                }
            });
            let first = words.next()?;
            return Some(words.fold(first, |all, word| format!("{all}, {word}")));
        }
    }
    if let (Some(x), Some(y)) = (
        params.pointer("/coordinate/x"),
        params.pointer("/coordinate/y"),
    ) {
        return Some(format!("{x} {y}"));
    }
    let keys = [
        "applicationId",
        "uri",
        "expectedPackage",
        "key",
        "direction",
        "path",
        "sessionId",
    ];
    for key in keys {
        if let Some(Value::String(value)) = params.get(key) {
            return Some(value.clone());
        }
    }
    let duration = params.get("durationMs")?;
    Some(format!("{duration} ms"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn progress_line_shows_outcome() {
        assert_eq!(
            plain(&line(
                "click \"About phone\"",
                Ok(None),
                Some(Duration::from_millis(312))
            )),
            "✓ click \"About phone\"  312 ms"
        );
        assert_eq!(
            plain(&line(
                "read_text \"Order\"",
                Ok(Some("ORD-1")),
                Some(Duration::ZERO)
            )),
            "✓ read_text \"Order\" → ORD-1  0 ms"
        );
        let failed = plain(&line(
            "click \"x\"",
            Err(("NODE_NOT_FOUND", "nothing matches")),
            Some(Duration::from_secs(12)),
        ));
        assert!(
            failed.starts_with("✗ click \"x\"  12.0 s  NODE_NOT_FOUND  nothing matches\n"),
            "{failed}"
        );
        assert!(failed.ends_with(ErrorCode::NodeNotFound.hint()));
    }

    #[test]
    fn progress_shows_target_and_never_entered_text() {
        let cases = [
            (
                json!({"matcher": {"textEquals": "Wi-Fi"}}),
                Some("\"Wi-Fi\""),
            ),
            (
                json!({"matcher": {"resourceId": "pw", "role": "textfield"}, "text": "secret"}),
                Some("resourceId \"pw\", role \"textfield\""),
            ),
            (json!({"coordinate": {"x": 1, "y": 2}}), Some("1 2")),
            (json!({"applicationId": "a.b"}), Some("a.b")),
            (json!({"durationMs": 1.5}), Some("1.5 ms")),
            (json!({"text": "secret"}), None),
        ];
        for (params, expected) in cases {
            assert_eq!(target(&params).as_deref(), expected, "{params}");
        }
        let long = escape::truncated_line(&format!("a\u{1b}[31m\nb{}", "x".repeat(100)), MAX);
        assert!(
            long.starts_with(r"a\u{1b}[31m\nbx") && long.ends_with("x…"),
            "{long}"
        );
    }
}
