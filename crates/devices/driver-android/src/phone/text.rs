//! Enters text with `input text`: supported characters, escaping, and clearing a field first.
//!
//! No key goes to the end of a text: `MOVE_END` goes to the right edge of a wrapped line, which is the
//! beginning of a right-to-left line, and arrow keys move the focus at the end of the text. So a field is
//! cleared in both directions from the cursor.

use driver::{DriverError, Result};
use uitree::{Node, State};

use crate::phone::keys::{DELETE, ENTER, FORWARD_DELETE, MOVE_END, MOVE_HOME, PAGE_DOWN};

/// The number of characters to delete from a field that does not show its content.
const UNSEEN: usize = 64;
/// The maximum number of key presses per command.
const PRESSES: usize = 200;
/// The assumed maximum height of a line, in density-independent pixels.
const LINE: i64 = 32;
/// The assumed maximum width of a character, in density-independent pixels.
const CHARACTER: i64 = 14;
/// The assumed dots per inch if unknown.
pub(crate) const USUAL_DENSITY: u32 = 420;
/// The maximum number of page-down presses.
const PAGES: usize = 50;

/// The commands that replace the content of a field by `text`, after `focus`.
///
/// # Errors
/// `Unwritable` if `input text` does not support the text; nothing is done then.
pub(crate) fn replace(focus: Option<String>, field: &Node, text: &str) -> Result<Vec<String>> {
    let typed = typing(field, text)?;
    let held = text_length(field);
    let mut keys = vec![MOVE_END];
    keys.extend(std::iter::repeat_n(DELETE, held));
    keys.extend(std::iter::repeat_n(FORWARD_DELETE, held));
    let clear = if held == 0 {
        Vec::new()
    } else {
        key_commands(&keys)
    };
    Ok(focus.into_iter().chain(clear).chain(typed).collect())
}

/// The commands that append `text` to a field, after `focus`. If lines wrap differently than assumed, the text
/// may go elsewhere: the caller reads the field back.
pub(crate) fn append(
    focus: Option<String>,
    field: &Node,
    density: u32,
    text: &str,
) -> Result<Vec<String>> {
    let typed = typing(field, text)?;
    let mut keys = vec![PAGE_DOWN; pages(field, density)];
    let last = field.text.rsplit('\n').next().unwrap_or_default();
    keys.push(if is_right_to_left(last) {
        MOVE_HOME
    } else {
        MOVE_END
    });
    Ok(focus
        .into_iter()
        .chain(key_commands(&keys))
        .chain(typed)
        .collect())
}

/// The number of page-down presses that move the cursor to the last line from anywhere; 0 if there is only one
/// line.
fn pages(field: &Node, density: u32) -> usize {
    let Some(bounds) = field.bounds else { return 0 };
    let density = if density == 0 { USUAL_DENSITY } else { density };
    let units = |pixels: i32| i64::from(pixels) * 160 / i64::from(density);
    let (width, height) = (units(bounds.width()), units(bounds.height()));
    let in_a_line = usize::try_from(width / CHARACTER).unwrap_or(0).max(1);
    let lines: usize = field
        .text
        .split('\n')
        .map(|line| line.chars().count().div_ceil(in_a_line).max(1))
        .sum();
    let shown = usize::try_from(height / LINE).unwrap_or(0).max(1);
    if lines == 1 {
        return 0;
    }
    (lines.div_ceil(shown) + 1).min(PAGES)
}

/// Whether a line is right-to-left, by its first letter with a direction.
fn is_right_to_left(line: &str) -> bool {
    let hebrew_or_arabic = |c: char| matches!(u32::from(c), 0x590..=0x8ff | 0xfb1d..=0xfdff | 0xfe70..=0xfeff | 0x10800..=0x10fff | 0x1e800..=0x1efff);
    let first = line.chars().find(|c| c.is_alphabetic());
    first.is_some_and(hebrew_or_arabic)
}

/// The number of characters that a field may contain.
fn text_length(field: &Node) -> usize {
    let shown = field.text.chars().count();
    if field.is(State::SHOWING_HINT) {
        0
    } else if field.is(State::PASSWORD) {
        // Some phones show a dot per character, some show nothing.
        shown.max(UNSEEN)
    } else {
        shown
    }
}

/// Commands that press these keys in order.
fn key_commands(keys: &[u32]) -> Vec<String> {
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
            "the keys of a phone type only the ASCII characters of a keyboard; {:?} (U+{:04X}) is not one",
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

/// A line as arguments of `input text`, which replaces `%s` by a space: a piece ends between `%` and `s`.
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
    fn text_is_escaped_for_input() {
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
    fn field_is_cleared_first() {
        let full = field("textfield \"abc\" editable");
        let tap = Some("input tap 1 2".to_owned());
        assert_eq!(
            replace(tap, &full, "x").unwrap().join(" && "),
            "input tap 1 2 && input keyevent 123 67 67 67 112 112 112 && input text x"
        );
        let append = |notation: &str| {
            append(None, &field(notation), 160, "x")
                .unwrap()
                .join(" && ")
        };
        assert_eq!(
            append("textfield \"abc\" editable [0,0][300,50]"),
            "input keyevent 123 && input text x"
        );
        assert_eq!(
            append("textfield \"a\\nb\" editable [0,0][300,50]"),
            "input keyevent 93 93 93 123 && input text x"
        );
        let wrapped = format!("textfield \"{}\" editable [0,0][300,96]", "ab ".repeat(100));
        assert_eq!(
            append(&wrapped),
            "input keyevent 93 93 93 93 93 93 123 && input text x"
        );
        assert_eq!(
            append("textfield \"\u{5d0}\u{5d1}\" editable [0,0][300,50]"),
            "input keyevent 122 && input text x"
        );
    }

    #[test]
    fn unsupported_text_is_refused_before_acting() {
        let error = replace(None, &field("textfield editable"), "größe").unwrap_err();
        assert!(error.to_string().contains("'ö' (U+00F6)"), "{error}");
        assert!(replace(None, &field("textfield editable"), "a\tb").is_err());
        assert!(append(None, &field("textfield editable password"), 420, "a\nb").is_err());
    }
}
