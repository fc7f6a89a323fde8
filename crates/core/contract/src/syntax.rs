//! Explains JSON syntax errors: the likely cause at the position, and what to write instead.

use serde_json::error::Category;

/// What to write instead.
const EXPECTED: &str =
    "Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma";

/// The hint for a text with this syntax error.
pub(crate) fn hint(text: &str, error: &serde_json::Error) -> String {
    let reason = error.to_string();
    let cause = match error.classify() {
        Category::Eof => Some(unexpected_end_cause(&reason)),
        Category::Syntax | Category::Data | Category::Io => cause_at(text, &reason, error),
    };
    match cause {
        Some(cause) => format!("{cause}. {EXPECTED}"),
        None => EXPECTED.to_owned(),
    }
}

/// The cause of an unexpected end.
fn unexpected_end_cause(reason: &str) -> &'static str {
    if reason.contains("string") {
        "The input ends inside a string: a closing double quote is missing, or the shell removed quotes; in a shell \
        put the whole JSON in single quotes, or pass it as a file"
    } else {
        "The input ends before all brackets are closed: it was cut off, or the shell removed a part; in a shell put \
        the whole JSON in single quotes, or pass it as a file"
    }
}

/// A common cause, from the character at the error position.
fn cause_at(text: &str, reason: &str, error: &serde_json::Error) -> Option<&'static str> {
    // The parser's message is precise for these causes.
    for (words, cause) in [
        ("trailing comma", "Remove the trailing comma"),
        (
            "trailing characters",
            "There is text after the JSON; put several steps into the actions of one plan, in order",
        ),
        (
            "control character",
            "A string contains a line break or a tab: write it as \\n or \\t",
        ),
        ("invalid escape", "Write a backslash in a string twice"),
        ("recursion limit", "The JSON is nested too deeply"),
        ("number out of range", "The number is too large"),
    ] {
        if reason.starts_with(words) {
            return Some(cause);
        }
    }
    let rest = rest(text, error)?;
    let letter = rest.chars().next()?;
    Some(match letter {
        '\'' | '`' => "JSON uses double quotes, not single quotes",
        '“' | '”' | '„' | '‘' | '’' | '«' | '»' => {
            "JSON uses plain double quotes, not typographic ones"
        }
        '/' | '#' => "JSON has no comments: remove them",
        ',' | '}' | ']' | ':' if reason.starts_with("expected value") => {
            "A value or an entry is missing before this position"
        }
        '}' | ']' => "A closing bracket does not match the opening one",
        _ if is_foreign_word(rest) => "JSON keywords are true, false and null",
        _ if reason.starts_with("key must be a string") => {
            "A key has no quotes: the shell removes double quotes unless the whole JSON is in single quotes; or pass it as a file"
        }
        _ if reason.starts_with("expected value") && letter.is_alphabetic() => {
            "A string has no quotes: the shell removes double quotes unless the whole JSON is in single quotes; or \
            pass it as a file"
        }
        '"' if reason.starts_with("expected") => {
            "A comma or a colon is missing before this position"
        }
        _ if reason.starts_with("expected `,`") => {
            "A comma is missing before this position, or a double quote in a string is not escaped as \\\""
        }
        _ if reason.starts_with("expected `:`") => "A colon is missing before this position",
        '+' | '.' | '-' | '0'..='9' => {
            "Write numbers as 12, -3 or 0.5, without a plus sign or leading zeros"
        }
        _ => return None,
    })
}

/// The text from the error position.
fn rest<'a>(text: &'a str, error: &serde_json::Error) -> Option<&'a str> {
    let line = text.split('\n').nth(error.line().checked_sub(1)?)?;
    let mut at = error.column().checked_sub(1)?.min(line.len());
    // The position counts bytes and may be inside a character.
    while !line.is_char_boundary(at) {
        at = at.checked_sub(1)?;
    }
    line.get(at..)
}

/// Whether the text begins with another language's word for a JSON literal. The parser skips the first letter
/// that they share.
fn is_foreign_word(rest: &str) -> bool {
    ["True", "False", "None", "NaN", "undefined", "Infinity"]
        .iter()
        .any(|word| rest.starts_with(word))
}
