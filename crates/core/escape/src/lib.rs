//! Escapes untrusted text for terminals and reports.
//!
//! Escaped are control characters, direction controls, zero-width and other invisible characters, and tags. They are
//! written as `\u{…}`, line breaks and tabs as `\n`, `\r` and `\t`. Letters of all scripts and emoji with joiners
//! and variation selectors stay.
#![warn(missing_docs)]

use std::borrow::Cow;
use std::fmt::{self, Write};

/// Escapes a text on one line.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, |_| false, push)
}

/// Escapes every line as [`line()`] does.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c == '\n', push)
}

/// Escapes a JSON document with JSON escapes, so that its value stays. Line breaks between values stay.
pub fn json(document: &str) -> Cow<'_, str> {
    escaped(
        document,
        |c| c == '\n',
        |escaped, c| {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        },
    )
}

/// A quoted text on one line: escapes quotes, backslashes, what [`line()`] escapes, and unusual spaces, so that a
/// reader can copy the text exactly.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        let mut before = None;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if is_odd_space(c) || is_hidden(c, before) => write_escape(f, c)?,
                c => f.write_char(c)?,
            }
            before = Some(c);
        }
        f.write_char('"')
    }
}

/// The first `max_chars` characters of a text, followed by `…` if there are more. It is not escaped.
pub fn truncate(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// The maximum length of input in a message, in characters.
const MAX_INPUT: usize = 80;

/// Input for a message: truncated, so that it is recognizable, and not escaped.
pub fn truncate_input(text: &str) -> String {
    truncate(text, MAX_INPUT)
}

/// A text on one line: truncated to `max_chars` characters, then escaped as [`line()`] does.
pub fn truncated_line(text: &str, max_chars: usize) -> String {
    line(&truncate(text, max_chars)).into_owned()
}

/// A text for a message: truncated to `max_chars` characters, then [`Quoted`].
pub fn quoted(text: &str, max_chars: usize) -> String {
    Quoted(&truncate(text, max_chars)).to_string()
}

/// Whether a reader cannot see `c` or mistakes it: hidden characters and unusual spaces, but no joiners and variation
/// selectors.
pub fn is_unseen(c: char) -> bool {
    is_odd_space(c) || is_always_hidden(c)
}

fn escaped(
    text: &str,
    stays: impl Fn(char) -> bool,
    mut escape: impl FnMut(&mut String, char),
) -> Cow<'_, str> {
    let mut before = None;
    let mut hidden = |c: char| {
        let hidden = !stays(c) && is_hidden(c, before);
        before = Some(c);
        hidden
    };
    let Some((first, _)) = text.char_indices().find(|(_, c)| hidden(*c)) else {
        return Cow::Borrowed(text);
    };
    let (plain, rest) = text.split_at(first);
    let mut written = String::with_capacity(text.len() + 16);
    written.push_str(plain);
    let mut rest = rest.chars();
    if let Some(c) = rest.next() {
        escape(&mut written, c);
    }
    for c in rest {
        if hidden(c) {
            escape(&mut written, c);
        } else {
            written.push(c);
        }
    }
    Cow::Owned(written)
}

fn push(escaped: &mut String, c: char) {
    // Writing to a string cannot fail.
    let _ = write_escape(escaped, c);
}

fn write_escape(to: &mut impl Write, c: char) -> fmt::Result {
    match c {
        '\n' => to.write_str("\\n"),
        '\r' => to.write_str("\\r"),
        '\t' => to.write_str("\\t"),
        c => write!(to, "\\u{{{:x}}}", u32::from(c)),
    }
}

/// Whether to escape `c` after the character before it. Joiners and variation selectors belong to the visible
/// character that they change. One alone, or a run of them, could hide a message.
fn is_hidden(c: char, before: Option<char>) -> bool {
    if is_selector(c) {
        return before.is_none_or(|before| is_modifier(before) || is_always_hidden(before));
    }
    if is_joiner(c) {
        return before.is_none_or(|before| {
            before.is_ascii()
                || before.is_whitespace()
                || is_joiner(before)
                || is_always_hidden(before)
        });
    }
    is_always_hidden(c)
}

fn is_modifier(c: char) -> bool {
    is_selector(c) || is_joiner(c)
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Control characters, direction controls, default ignorable characters other than joiners and variation selectors,
/// and separators of lines and annotations.
fn is_always_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180e}'
            | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
}

fn is_odd_space(c: char) -> bool {
    c != ' ' && !c.is_control() && c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn terminal_controls_are_escaped() {
        for (text, expected) in [
            ("\u{1b}[31mred\u{7f}", r"\u{1b}[31mred\u{7f}"),
            ("\u{9b}2J", r"\u{9b}2J"),
            ("abc\u{202e}fed\u{2069}", r"abc\u{202e}fed\u{2069}"),
            ("a\u{200b}b\u{feff}\u{61c}", r"a\u{200b}b\u{feff}\u{61c}"),
            ("a\u{2028}b\u{85}c", r"a\u{2028}b\u{85}c"),
            ("\u{e0041}\u{e0042}", r"\u{e0041}\u{e0042}"),
            ("a\r\nb\tc", r"a\r\nb\tc"),
        ] {
            assert_eq!(line(text), expected);
            assert_eq!(Quoted(text).to_string(), format!("\"{expected}\""));
        }
        assert_eq!(lines("a\n\u{1b}b\r\n"), "a\n\\u{1b}b\\r\n");
        assert_eq!(Quoted("\"a\\").to_string(), r#""\"a\\""#);
        assert_eq!(
            Quoted("a\u{a0}b\u{3000}").to_string(),
            r#""a\u{a0}b\u{3000}""#
        );
    }

    #[test]
    fn only_long_input_is_truncated() {
        assert_eq!(truncate_input(&"é".repeat(80)), "é".repeat(80));
        assert_eq!(
            truncate_input(&"é".repeat(81)),
            format!("{}…", "é".repeat(80))
        );
    }

    #[test]
    fn readable_text_is_unchanged() {
        for text in [
            "",
            "plain \\ \"text\"",
            "👩\u{200d}💻 ❤\u{fe0f}\u{200d}🔥 1\u{fe0f}\u{20e3} 👍🏽 🏳\u{fe0f}\u{200d}🌈",
            "می\u{200c}خواهم",
            "क\u{94d}\u{200d}ष",
            "שלום עולם",
            "مرحبا",
            "葛\u{e0100}城市",
            "1\u{202f}234,50\u{a0}€",
            "漢字\u{3000}かな",
        ] {
            assert_eq!(line(text), text);
            assert!(matches!(lines(text), Cow::Borrowed(_)));
            assert!(matches!(json(text), Cow::Borrowed(_)));
        }
    }

    #[test]
    fn lone_joiners_and_selectors_are_escaped() {
        assert_eq!(line("a\u{200d}b"), r"a\u{200d}b");
        assert_eq!(line("👩\u{200d}\u{200d}💻"), "👩\u{200d}\\u{200d}💻");
        assert_eq!(line("\u{fe0f}"), r"\u{fe0f}");
        assert_eq!(
            line("😀\u{fe00}\u{e0101}\u{e0102}"),
            "😀\u{fe00}\\u{e0101}\\u{e0102}"
        );
        assert_eq!(line("\u{200b}\u{200c}"), r"\u{200b}\u{200c}");
    }

    #[test]
    fn json_keeps_its_value() {
        assert_eq!(
            json("{\n\"a\u{9b}\": \"\u{202e}\"}"),
            "{\n\"a\\u009b\": \"\\u202e\"}"
        );
        assert_eq!(json("\"\u{e0041}\""), r#""\udb40\udc41""#);
    }

    proptest! {
        #[test]
        fn no_hidden_character_is_left(text in "\\PC*|.*|[\u{0}-\u{ff}\u{200b}-\u{206f}a🏴]*") {
            for written in [line(&text).into_owned(), Quoted(&text).to_string(), json(&text).replace('\n', "")] {
                let mut before = None;
                for c in written.chars() {
                    prop_assert!(!is_hidden(c, before), "{written:?}");
                    before = Some(c);
                }
            }
        }
    }
}
