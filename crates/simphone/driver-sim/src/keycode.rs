//! Keys of a hardware keyboard.

use driver::{KeyChord, KeyboardKey, Modifier};

/// A key of a hardware keyboard or a remote control, by the name that Android gives its code. Keys that every driver has
/// are [`driver::Key`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keycode {
    /// The cursor to the left edge of its line, as it is wrapped.
    MoveHome,
    /// The cursor to the right edge of its line, as it is wrapped.
    MoveEnd,
    /// The cursor up by as many lines as its field shows; at the beginning of a text it stays.
    PageUp,
    /// The cursor down by as many lines as its field shows; at the end of a text it stays.
    PageDown,
    /// Deletes the character behind the cursor.
    ForwardDel,
    /// Writes what was copied.
    Paste,
    /// The cursor one line up.
    Up,
    /// The cursor one line down.
    Down,
    /// The cursor one character to the left.
    Left,
    /// The cursor one character to the right.
    Right,
    /// Selects the whole text, as Control and A do.
    SelectAll,
}

impl Keycode {
    /// The key that a chord presses here.
    pub(crate) fn of(chord: &KeyChord) -> Option<Self> {
        Some(match (chord.modifiers.as_slice(), chord.key) {
            ([], KeyboardKey::Up) => Self::Up,
            ([], KeyboardKey::Down) => Self::Down,
            ([], KeyboardKey::Left) => Self::Left,
            ([], KeyboardKey::Right) => Self::Right,
            ([], KeyboardKey::PageUp) => Self::PageUp,
            ([], KeyboardKey::PageDown) => Self::PageDown,
            ([], KeyboardKey::MoveHome) => Self::MoveHome,
            ([], KeyboardKey::MoveEnd) => Self::MoveEnd,
            ([], KeyboardKey::ForwardDelete) => Self::ForwardDel,
            ([Modifier::Ctrl], KeyboardKey::Char('a')) => Self::SelectAll,
            ([Modifier::Ctrl], KeyboardKey::Char('v')) => Self::Paste,
            _ => return None,
        })
    }

    /// Its name in the journal.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Keycode::MoveHome => "move_home",
            Keycode::MoveEnd => "move_end",
            Keycode::PageUp => "page_up",
            Keycode::PageDown => "page_down",
            Keycode::ForwardDel => "forward_del",
            Keycode::Paste => "paste",
            Keycode::Up => "up",
            Keycode::Down => "down",
            Keycode::Left => "left",
            Keycode::Right => "right",
            Keycode::SelectAll => "select_all",
        }
    }
}
