//! What can be done to a device.

use std::time::Duration;

use uitree::Point;

/// A touch of the screen, in device pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// Down and up in one place, without a move between them.
    Tap {
        /// Where.
        at: Point,
    },
    /// Down, held long enough to count as a long press, and up.
    LongPress {
        /// Where.
        at: Point,
    },
    /// Down, a straight move, and up.
    Swipe {
        /// Where the finger comes down.
        from: Point,
        /// Where it leaves.
        to: Point,
        /// How long the move takes.
        duration: Duration,
    },
}

/// What became of a scroll that a device does without a gesture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScrollOutcome {
    /// The content moved.
    Moved,
    /// The content does not go on in this direction; nothing was done.
    AtEdge,
    /// The content goes on, and did not move.
    NotMoved,
}

/// Something done to one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeAct {
    /// As a tap on it.
    Click,
    /// As a long press on it.
    LongClick,
    /// Give it the input focus without anything else.
    Focus,
    /// Replace what is written in it.
    SetText(String),
    /// Write behind what is written in it.
    AppendText(String),
    /// Send the field's editor action (search, go, done), or Enter where it has none.
    Submit,
}

/// What `open` brings to the front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An app by its package, or a tab by its host.
    App(String),
    /// Whatever takes this uri.
    Uri(String),
}

/// A key of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// One step back.
    Back,
    /// To the home screen.
    Home,
    /// To the list of recent apps.
    Recents,
    /// Enter.
    Enter,
    /// Deletes the character before the cursor.
    Delete,
    /// To the next field.
    Tab,
    /// Escape.
    Escape,
    /// Louder.
    VolumeUp,
    /// Quieter.
    VolumeDown,
    /// Screen on and off.
    Power,
    /// The app's menu.
    Menu,
    /// Search.
    Search,
}

impl Key {
    /// Whether a dark screen takes the key.
    pub const fn works_in_the_dark(self) -> bool {
        matches!(self, Self::Power | Self::VolumeUp | Self::VolumeDown)
    }
}
