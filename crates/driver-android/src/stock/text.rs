//! Text by `input text`: what it carries, how it is written for it, how a field is emptied first.

use driver::{DriverError, Result};
use uitree::{Node, State};

use crate::stock::keys::{DELETE, DOWN, ENTER, FORWARD_DELETE, MOVE_END};

/// How many signs are taken out of a field that does not show what it holds.
const UNSEEN: usize = 64;
/// How many presses of keys one command makes.
const PRESSES: usize = 200;

/// The commands that make a field hold `text` and nothing else, after `focus`.
///
/// # Errors
/// `Unwritable` when `input text` cannot carry the text; nothing has been done then.
pub(super) fn replace(focus: Option<String>, field: &Node, text: &str) -> Result<Vec<String>> {
    let typed = typing(field, text)?;
    let held = held(field);
    let mut keys = vec![MOVE_END];
    keys.extend(std::iter::repeat_n(DELETE, held));
    if field.text.contains('\n') {
        // The end of a line may lie in the middle of the text.
        keys.extend(std::iter::repeat_n(FORWARD_DELETE, held));
    }
    let clear = if held == 0 {
        Vec::new()
    } else {
        presses(&keys)
    };
    Ok(focus.into_iter().chain(clear).chain(typed).collect())
}

/// The commands that write `text` behind what a field holds, after `focus`.
///
/// # Errors
/// As [`replace`].
pub(super) fn append(focus: Option<String>, field: &Node, text: &str) -> Result<Vec<String>> {
    let typed = typing(field, text)?;
    let lines = field.text.matches('\n').count();
    let mut keys = vec![DOWN; lines];
    keys.push(MOVE_END);
    Ok(focus
        .into_iter()
        .chain(presses(&keys))
        .chain(typed)
        .collect())
}

/// How many signs a field may hold.
fn held(field: &Node) -> usize {
    let shown = field.text.chars().count();
    if field.is(State::SHOWING_HINT) {
        0
    } else if field.is(State::PASSWORD) {
        // Some phones show a dot for each sign, some show nothing.
        shown.max(UNSEEN)
    } else {
        shown
    }
}

/// Commands that press these keys in turn.
fn presses(keys: &[u32]) -> Vec<String> {
    let commands = keys.chunks(PRESSES).map(|keys| {
        let numbers: Vec<String> = keys.iter().map(u32::to_string).collect();
        format!("input keyevent {}", numbers.join(" "))
    });
    commands.collect()
}

/// The commands that type `text` at the cursor.
fn typing(field: &Node, text: &str) -> Result<Vec<String>> {
    let refused = |why: String| Err(DriverError::Unwritable(why));
    let strange = text.chars().find(|c| !matches!(c, ' '..='~' | '\n'));
    if let Some(c) = strange {
        return refused(format!(
            "a phone without the Operator app takes what a keyboard of ASCII types; {:?} (U+{:04X}) is not on it",
            c,
            u32::from(c)
        ));
    }
    if text.contains('\n') && field.is(State::PASSWORD) {
        return refused("a password field takes no line breaks".to_owned());
    }
    let mut commands = Vec::new();
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            commands.push(format!("input keyevent {ENTER}"));
        }
        commands.extend(pieces(line).map(|piece| adb::command(["input", "text", &piece])));
    }
    Ok(commands)
}

/// A line as arguments of `input text`, which takes `%s` for a blank: a `%` before an `s` ends a piece.
fn pieces(line: &str) -> impl Iterator<Item = String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for c in line.chars() {
        if c == 's' && piece.ends_with('%') {
            pieces.push(std::mem::take(&mut piece));
        }
        if c == ' ' {
            piece.push_str("%s");
        } else {
            piece.push(c);
        }
    }
    pieces.push(piece);
    pieces.into_iter().filter(|piece| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use uitree::UiTree;

    fn field(notation: &str) -> Node {
        let tree = UiTree::parse_notation(notation).unwrap();
        tree.nodes()[0].clone()
    }

    #[test]
    fn text_is_written_as_input_takes_it() {
        let empty = field("textfield editable");
        let typed = |text: &str| replace(None, &empty, text).unwrap().join(" && ");
        assert_eq!(typed("ada"), "input text ada");
        assert_eq!(typed("a b"), "input text a%sb");
        assert_eq!(
            typed("it's $HOME; `id`"),
            "input text 'it'\\''s%s$HOME;%s`id`'"
        );
        assert_eq!(typed("100%s"), "input text 100% && input text s");
        assert_eq!(typed("%%s"), "input text %% && input text s");
        assert_eq!(
            typed("a\nb"),
            "input text a && input keyevent 66 && input text b"
        );
        assert_eq!(typed(""), "");
    }

    #[test]
    fn what_a_field_holds_goes_first() {
        let full = field("textfield \"abc\" editable");
        let tap = Some("input tap 1 2".to_owned());
        assert_eq!(
            replace(tap, &full, "x").unwrap().join(" && "),
            "input tap 1 2 && input keyevent 123 67 67 67 && input text x"
        );
        assert_eq!(
            append(None, &full, "x").unwrap().join(" && "),
            "input keyevent 123 && input text x"
        );
        let lines = field("textfield \"a\\nb\" editable");
        assert_eq!(
            replace(None, &lines, "x").unwrap().join(" && "),
            "input keyevent 123 67 67 67 112 112 112 && input text x"
        );
        assert_eq!(
            append(None, &lines, "x").unwrap().join(" && "),
            "input keyevent 20 123 && input text x"
        );
    }

    #[test]
    fn what_cannot_be_carried_is_refused_before_anything_is_done() {
        let error = replace(None, &field("textfield editable"), "größe").unwrap_err();
        assert!(error.to_string().contains("'ö' (U+00F6)"), "{error}");
        assert!(replace(None, &field("textfield editable"), "a\tb").is_err());
        assert!(append(None, &field("textfield editable password"), "a\nb").is_err());
    }
}
