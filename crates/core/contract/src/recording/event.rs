//! The header and the events of a session file.

use crate::words::{Direction, Key};

/// The first line.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The session.
    pub session_id: String,
    /// When it started, in milliseconds since 1970.
    pub started_at: f64,
    /// The app that recorded, as named in the file.
    pub operator_package: String,
    /// The recorder, if it is not the app on the phone, such as `agent-events`.
    pub recorder: Option<String>,
}

/// One event, without its snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When it happened, in milliseconds since 1970.
    pub ts: f64,
    /// Its sequence number in the session.
    pub seq: f64,
    /// Whether it has a snapshot of the screen before it.
    pub has_snapshot: bool,
    /// The event itself.
    pub kind: EventKind,
}

/// The app and the node of an event, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventNode {
    /// The package; empty if unknown.
    pub package: String,
    /// The node's resource id.
    pub resource_id: Option<String>,
    /// The node's text.
    pub text: Option<String>,
    /// The node's content description.
    pub content_desc: Option<String>,
}

/// Bounds in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// The left edge.
    pub left: f64,
    /// The top edge.
    pub top: f64,
    /// The right edge.
    pub right: f64,
    /// The bottom edge.
    pub bottom: f64,
}

/// The kinds of events.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// Another window came to the front.
    Window {
        /// Its app.
        package: String,
        /// Its title.
        title: Option<String>,
    },
    /// A node was clicked, or a point without a known node.
    Click {
        /// The node.
        node: EventNode,
        /// Its bounds.
        bounds: Place,
        /// Whether it was a long press.
        long: bool,
        /// The position of the finger, if the app did not report the click.
        at: Option<(i32, i32)>,
    },
    /// Content moved.
    Scroll {
        /// The app and the container.
        node: EventNode,
        /// The scroll position, horizontally and vertically; negative if unknown.
        offset: (f64, f64),
        /// The maximum scroll position.
        most: (f64, f64),
        /// The direction, if the recorder saw it.
        direction: Option<Direction>,
    },
    /// A key was pressed.
    Key(Key),
    /// The text of a field changed.
    Text {
        /// The app and the field.
        node: EventNode,
        /// The text; for a password field its mask.
        text: String,
        /// Whether the recorder saw a password field.
        password: bool,
    },
    /// The recorder missed something.
    Gap {
        /// The error.
        reason: String,
    },
}

impl EventKind {
    /// The event type in the file.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Window { .. } => "window_change",
            Self::Click { .. } => "click",
            Self::Scroll { .. } => "scroll",
            Self::Key(_) => "press_key",
            Self::Text { .. } => "text_change",
            Self::Gap { .. } => "gap",
        }
    }
}
