//! State flags of nodes, and where they can scroll.

use std::fmt;

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

bitflags! {
    /// Directions in which a scroll container can scroll further.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct ScrollDirections: u8 {
        /// To content further up.
        const UP = 1 << 0;
        /// To content further down.
        const DOWN = 1 << 1;
        /// To content further left.
        const LEFT = 1 << 2;
        /// To content further right.
        const RIGHT = 1 << 3;
    }
}

impl ScrollDirections {
    /// The directions with their words, in order.
    const WORDS: [(&str, Self); 4] = [
        ("up", Self::UP),
        ("down", Self::DOWN),
        ("left", Self::LEFT),
        ("right", Self::RIGHT),
    ];

    /// The directions in a list such as `up down`; other words are ignored.
    pub fn parse(words: &str) -> Self {
        let named = |word: &str| Self::WORDS.iter().find(|(name, _)| *name == word);
        words
            .split_whitespace()
            .filter_map(named)
            .map(|(_, direction)| *direction)
            .collect()
    }
}

/// A list such as `up down`.
impl fmt::Display for ScrollDirections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (word, _) in Self::WORDS.iter().filter(|(_, way)| self.contains(*way)) {
            write!(f, "{separator}{word}")?;
            separator = " ";
        }
        Ok(())
    }
}
