//! Keys of a hardware keyboard.

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
}

impl Keycode {
    /// Its name in the journal.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Keycode::MoveHome => "move_home",
            Keycode::MoveEnd => "move_end",
            Keycode::PageUp => "page_up",
            Keycode::PageDown => "page_down",
            Keycode::ForwardDel => "forward_del",
            Keycode::Paste => "paste",
        }
    }
}
