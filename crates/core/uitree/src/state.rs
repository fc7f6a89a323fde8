//! What a node can do and what state it is in, as a set of bits.

use bitflags::bitflags;

bitflags! {
    /// The yes-or-no properties of a node.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct State: u16 {
        /// Can be checked, as a switch or a check box can.
        const CHECKABLE = 1 << 0;
        /// Is checked.
        const CHECKED = 1 << 1;
        /// Takes a tap itself.
        const CLICKABLE = 1 << 2;
        /// Is not greyed out.
        const ENABLED = 1 << 3;
        /// Can take the input focus.
        const FOCUSABLE = 1 << 4;
        /// Has the input focus.
        const FOCUSED = 1 << 5;
        /// Its content moves under a finger.
        const SCROLLABLE = 1 << 6;
        /// Takes a long press itself.
        const LONG_CLICKABLE = 1 << 7;
        /// Hides what is typed into it.
        const PASSWORD = 1 << 8;
        /// Is the chosen one among its siblings.
        const SELECTED = 1 << 9;
        /// The platform says that a user can see it; true where the platform says nothing.
        const VISIBLE = 1 << 10;
        /// Text can be entered into it.
        const EDITABLE = 1 << 11;
        /// The platform marks it as a heading.
        const HEADING = 1 << 12;
        /// What stands in `text` is only the placeholder.
        const SHOWING_HINT = 1 << 13;
    }
}
