//! Explains JSON syntax errors: the likely cause at the position, and what to write instead.

use serde_json::error::Category;

/// What to write instead.
const EXPECTED: &str = "Give one JSON value: keys and texts in double quotes, no comments, no comma behind the last entry";

/// The hint for a text with this syntax error.
pub(crate) fn hint(text: &str, error: &serde_json::Error) -> String {
    let reason = error.to_string();
    let cause = match error.classify() {
        Category::Eof => Some(of_the_end(&reason)),
        Category::Syntax | Category::Data | Category::Io => of_the_place(text, &reason, error),
    };
    match cause {
        Some(cause) => format!("{cause}. {EXPECTED}"),
        None => EXPECTED.to_owned(),
    }
}

/// The cause of an unexpected end.
fn of_the_end(reason: &str) -> &'static str {
    if reason.contains("string") {
        "The text ends inside quotes: a closing double quote is missing, or a shell took quotes away; in a shell put the whole JSON between single quotes, or pass it as a file"
    } else {
        "The text ends before all brackets are closed: it was cut off, or a shell took a part of it; in a shell put the whole JSON between single quotes, or pass it as a file"
    }
}

/// A common cause, from the character at the error position.
fn of_the_place(text: &str, reason: &str, error: &serde_json::Error) -> Option<&'static str> {
    // The parser's message is precise for these causes.
    for (words, cause) in [
        (
            "trailing comma",
            "A comma stands behind the last entry: take it out",
        ),
        (
            "trailing characters",
            "Something follows the JSON: several steps belong into one plan's actions, in this order",
        ),
        (
            "control character",
            "A line break or a tab stands inside a text: write it as \\n or \\t",
        ),
        (
            "invalid escape",
            "A backslash inside a text is written twice",
        ),
        (
            "recursion limit",
            "The text is nested far deeper than any plan",
        ),
        (
            "number out of range",
            "The number is larger than any that is taken",
        ),
    ] {
        if reason.starts_with(words) {
            return Some(cause);
        }
    }
    let rest = rest(text, error)?;
    let letter = rest.chars().next()?;
    Some(match letter {
        '\'' | '`' => "Quotes are double ones in JSON, not single ones",
        '“' | '”' | '„' | '‘' | '’' | '«' | '»' => {
            "Quotes are plain double ones in JSON, not typographic ones"
        }
        '/' | '#' => "JSON has no comments: take them out",
        ',' | '}' | ']' | ':' if reason.starts_with("expected value") => {
            "A value or an entry is missing before this place"
        }
        '}' | ']' => "A bracket closes what was not opened with its like",
        _ if is_foreign_word(rest) => "The words of JSON are true, false and null",
        _ if reason.starts_with("key must be a string") => {
            "A key has no quotes: a shell takes double quotes away unless the whole JSON stands between single quotes; or pass it as a file"
        }
        _ if reason.starts_with("expected value") && letter.is_alphabetic() => {
            "A text has no quotes: a shell takes double quotes away unless the whole JSON stands between single quotes; or pass it as a file"
        }
        '"' if reason.starts_with("expected") => "A comma or a colon is missing before this place",
        _ if reason.starts_with("expected `,`") => {
            "A comma is missing before this place, or a double quote inside a text is not written as \\\""
        }
        _ if reason.starts_with("expected `:`") => "A colon is missing before this place",
        '+' | '.' | '-' | '0'..='9' => {
            "Numbers are written as 12, -3 or 0.5, without a plus or zeros in front"
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
