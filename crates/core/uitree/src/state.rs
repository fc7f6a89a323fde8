//! State flags of nodes.

use bitflags::bitflags;

bitflags! {
    /// State flags of a node.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct State: u16 {
        /// Can be checked.
        const CHECKABLE = 1 << 0;
        /// Checked.
        const CHECKED = 1 << 1;
        /// Takes taps.
        const CLICKABLE = 1 << 2;
        /// Enabled.
        const ENABLED = 1 << 3;
        /// Can take the focus.
        const FOCUSABLE = 1 << 4;
        /// Has the focus.
        const FOCUSED = 1 << 5;
        /// Scrolls.
        const SCROLLABLE = 1 << 6;
        /// Takes long presses.
        const LONG_CLICKABLE = 1 << 7;
        /// Masks its text.
        const PASSWORD = 1 << 8;
        /// Selected among its siblings.
        const SELECTED = 1 << 9;
        /// Visible according to the platform; set if the platform does not say.
        const VISIBLE = 1 << 10;
        /// Takes text.
        const EDITABLE = 1 << 11;
        /// Heading according to the platform.
        const HEADING = 1 << 12;
        /// `text` is the placeholder.
        const SHOWING_HINT = 1 << 13;
    }
}
