//! What stands in a session file: its header and its events.

use crate::words::{Direction, Key};

/// The first line.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The session.
    pub session_id: String,
    /// When it began, in milliseconds since 1970.
    pub started_at: f64,
    /// The app that recorded, as the file names it.
    pub operator_package: String,
    /// What recorded, where that is not the app on the phone, such as `stock-polling`.
    pub recorder: Option<String>,
}

/// One event, without its snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When it happened, in milliseconds since 1970.
    pub ts: f64,
    /// Its place in the session.
    pub seq: f64,
    /// Whether the screen of before it is there.
    pub has_snapshot: bool,
    /// What happened.
    pub what: What,
}

/// Whose something is: the app, and the node as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whose {
    /// The package, empty where it is unknown.
    pub package: String,
    /// The node's resource id.
    pub resource_id: Option<String>,
    /// The node's text.
    pub text: Option<String>,
    /// The node's content description.
    pub content_desc: Option<String>,
}

/// Edges in pixels.
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

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Another window came to the front.
    Window {
        /// Its app.
        package: String,
        /// Its title.
        title: Option<String>,
    },
    /// A node was clicked, or a place where no node is known.
    Click {
        /// The node.
        node: Whose,
        /// Where it is.
        bounds: Place,
        /// Whether the finger stayed for a long press.
        long: bool,
        /// Where the finger was, where the recorder saw it.
        at: Option<(i32, i32)>,
    },
    /// Content moved.
    Scroll {
        /// The app and the container.
        node: Whose,
        /// How far it stands, horizontally and vertically; negative where the recorder does not know.
        offset: (f64, f64),
        /// How far it can stand.
        most: (f64, f64),
        /// The way that the recorder saw it go.
        direction: Option<Direction>,
    },
    /// A key was pressed.
    Key(Key),
    /// A field holds another text.
    Text {
        /// The app and the field.
        node: Whose,
        /// The text; what a password field shows of it there.
        text: String,
        /// Whether the recorder saw a password field.
        password: bool,
    },
    /// The recorder saw less than there was.
    Gap {
        /// The error.
        reason: String,
    },
}

impl What {
    /// The name of the type in the file.
    #[must_use]
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
