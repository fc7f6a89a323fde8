//! Keys of a hardware keyboard.

use driver::{KeyChord, KeyboardKey, Modifier};
use sim_format::words::words;

words! {
    /// A key of a hardware keyboard or a remote control, by its Android name. Keys that every driver has are
    /// [`driver::Key`].
    #[derive(Hash)]
    pub enum Keycode {
        /// Moves the cursor to the left edge of its visual line.
        MoveHome = "move_home",
        /// Moves the cursor to the right edge of its visual line.
        MoveEnd = "move_end",
        /// Moves the cursor up by the visible lines of the field; no effect at the start of the text.
        PageUp = "page_up",
        /// Moves the cursor down by the visible lines of the field; no effect at the end of the text.
        PageDown = "page_down",
        ForwardDel = "forward_del",
        Paste = "paste",
        Up = "up",
        Down = "down",
        Left = "left",
        Right = "right",
        /// Selects the whole text, as Control and A do.
        SelectAll = "select_all",
    }
}

impl Keycode {
    pub(crate) fn from_chord(chord: &KeyChord) -> Option<Self> {
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
