//! Standard output and the exit status.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use contract::ErrorBody;
use serde::Serialize;
use serde_json::Value;

use crate::internal_error;

/// How JSON is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Format {
    /// On one line.
    #[default]
    Compact,
    /// Indented by two spaces.
    Pretty,
    /// Text of one line for each step.
    Line,
}

/// How the answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct OutputStyle {
    pub(crate) format: Format,
    /// Whether JSON was requested explicitly, which `--all` requires.
    pub(crate) json_by_name: bool,
    /// Whether a format was requested.
    pub(crate) chosen: bool,
}

impl OutputStyle {
    /// `--json`.
    pub(crate) fn json(&mut self) {
        self.format = Format::Compact;
        self.json_by_name = true;
        self.chosen = true;
    }

    /// `--output`.
    pub(crate) fn output(&mut self, value: &str) {
        self.format = match value {
            "pretty" => Format::Pretty,
            "line" => Format::Line,
            _ => Format::Compact,
        };
        self.json_by_name |= value == "json";
        self.chosen = true;
    }
}

/// The output of a command.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Text for people or for a shell.
    Text(String),
    /// The document of a success.
    Success(Value),
    /// The document of a failure.
    Failure(Value),
    /// A document with an alternative text for people and models.
    Finding {
        /// For people and models.
        text: String,
        /// For programs.
        document: Value,
        /// The format if none was requested; pretty is the text.
        default: Format,
        /// Whether the exit status is 0.
        good: bool,
    },
    /// Success without further output.
    Done,
}

impl Answer {
    pub(crate) fn success(document: impl Serialize) -> Result<Self, ErrorBody> {
        let document = serde_json::to_value(document).map_err(internal_error::internal)?;
        Ok(Self::Success(document))
    }

    /// A success document with one entry.
    pub(crate) fn document(key: &str, entry: impl Serialize) -> Result<Self, ErrorBody> {
        Self::success(BTreeMap::from([(key, entry)]))
    }
}

impl From<ErrorBody> for Answer {
    fn from(error: ErrorBody) -> Self {
        match serde_json::to_value(&error) {
            Ok(document) => Self::Failure(document),
            Err(broken) => Self::Failure(serde_json::json!({
                "code": error.code.as_str(),
                "message": format!("{}; cannot print its details: {broken}", error.message),
            })),
        }
    }
}

/// Prints the answer and returns the exit status.
pub(crate) fn print(answer: &Answer, style: OutputStyle) -> ExitCode {
    let stdout = io::stdout();
    // Indent for people if no format was requested.
    let format = match answer {
        _ if style.chosen => style.format,
        _ if stdout.is_terminal() => Format::Pretty,
        Answer::Finding { default, .. } => *default,
        _ => style.format,
    };
    let (text, code) = match answer {
        Answer::Done => return ExitCode::SUCCESS,
        Answer::Text(text) => (Ok(text.trim_end().to_owned()), ExitCode::SUCCESS),
        Answer::Finding {
            text,
            document,
            good,
            ..
        } => {
            let text = match format {
                Format::Compact => written(document, format),
                Format::Pretty | Format::Line => Ok(escape::lines(text.trim_end()).into_owned()),
            };
            let code = if *good {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            };
            (text, code)
        }
        Answer::Success(document) => (written(document, format), ExitCode::SUCCESS),
        Answer::Failure(document) => (written(document, format), ExitCode::FAILURE),
    };
    let text = match text {
        Ok(text) => text,
        Err(error) => internal_error::internal(error).to_string(),
    };
    let mut stdout = stdout.lock();
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Ok(()) => code,
        // The reader closed the pipe, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => code,
        Err(error) => {
            print_notice(&format!("cannot print the result: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// A document in one line: the code, message and hint of an error, else compact JSON.
fn one_line(document: &Value) -> String {
    let part = |key: &str| document.get(key).and_then(Value::as_str);
    let Some(code) = part("code") else {
        return escape::json(&document.to_string()).into_owned();
    };
    let line = |key: &str| part(key).map(|words| escape::line(words).into_owned());
    let mut parts = vec![format!("failed {}", escape::line(code))];
    parts.extend(line("message"));
    let message = part("message").unwrap_or_default();
    let details = document.get("details").and_then(Value::as_object);
    parts.extend(details.map_or_else(Vec::new, |details| contract::choices(message, details)));
    parts.extend(["suggestion", "hint"].into_iter().filter_map(line));
    parts.join(" · ")
}

fn written(document: &Value, format: Format) -> serde_json::Result<String> {
    let text = match format {
        Format::Compact => serde_json::to_string(document),
        Format::Pretty => serde_json::to_string_pretty(document),
        Format::Line => return Ok(one_line(document)),
    }?;
    Ok(escape::json(&text).into_owned())
}

/// Prints a message to standard error.
pub(crate) fn warn(line: &str) {
    // Errors are ignored: standard error is closed.
    let _ = writeln!(io::stderr().lock(), "{}", escape::lines(line));
}

/// Prints a message with the program's name to standard error.
pub(crate) fn print_notice(line: &str) {
    // Errors are ignored: standard error is closed.
    let _ = writeln!(io::stderr().lock(), "clawperator: {}", escape::lines(line));
}
