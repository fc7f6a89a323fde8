//! Keys of a hardware keyboard.

use driver::{KeyChord, KeyboardKey, Modifier};
use sim_format::words::words;

words! {
    /// A key of a hardware keyboard or a remote control, by the name that Android gives its code. Keys that every driver has
    /// are [`driver::Key`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Keycode {
        /// The cursor to the left edge of its line, as it is wrapped.
        MoveHome = "move_home",
        /// The cursor to the right edge of its line, as it is wrapped.
        MoveEnd = "move_end",
        /// The cursor up by as many lines as its field shows; at the beginning of a text it stays.
        PageUp = "page_up",
        /// The cursor down by as many lines as its field shows; at the end of a text it stays.
        PageDown = "page_down",
        /// Deletes the character behind the cursor.
        ForwardDel = "forward_del",
        /// Writes what was copied.
        Paste = "paste",
        /// The cursor one line up.
        Up = "up",
        /// The cursor one line down.
        Down = "down",
        /// The cursor one character to the left.
        Left = "left",
        /// The cursor one character to the right.
        Right = "right",
        /// Selects the whole text, as Control and A do.
        SelectAll = "select_all",
    }
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
}
