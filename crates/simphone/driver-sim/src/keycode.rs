//! Keys of a hardware keyboard.

/// A key of a hardware keyboard or a remote control, by the name that Android gives its code. Keys that every driver has
/// are [`driver::Key`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keycode {
    /// The cursor to the left; from the edge of a text, the focus.
    DpadLeft,
    /// The cursor or the focus to the right.
    DpadRight,
    /// The cursor or the focus up.
    DpadUp,
    /// The cursor or the focus down.
    DpadDown,
    /// Presses what has the focus.
    DpadCenter,
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
    /// Tab with the shift key: the focus to the widget before.
    ShiftTab,
    /// Selects the whole text of the field with the focus, as Ctrl and A do.
    SelectAll,
    /// Copies what is selected.
    Copy,
    /// Cuts what is selected out.
    Cut,
    /// Writes what was copied.
    Paste,
}

impl Keycode {
    /// Its name in the journal.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Keycode::DpadLeft => "dpad_left",
            Keycode::DpadRight => "dpad_right",
            Keycode::DpadUp => "dpad_up",
            Keycode::DpadDown => "dpad_down",
            Keycode::DpadCenter => "dpad_center",
            Keycode::MoveHome => "move_home",
            Keycode::MoveEnd => "move_end",
            Keycode::PageUp => "page_up",
            Keycode::PageDown => "page_down",
            Keycode::ForwardDel => "forward_del",
            Keycode::ShiftTab => "shift_tab",
            Keycode::SelectAll => "select_all",
            Keycode::Copy => "copy",
            Keycode::Cut => "cut",
            Keycode::Paste => "paste",
        }
    }
}
