//! Input to a device.

use std::time::Duration;

use uitree::Point;

use crate::{FormRefusal, NodeRef};

/// Minimum rest after which a lifted finger causes no fling. Android considers the last 100 ms of a finger, some apps the last
/// 200.
pub const NO_FLING_REST: Duration = Duration::from_millis(210);

/// A touch of the screen, in device pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// Down and up in one place, without moving.
    Tap {
        /// Where.
        at: Point,
    },
    /// Down, held as a long press, and up.
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
        /// How long the finger rests at `to` before it lifts; after [`NO_FLING_REST`] content stops where the finger
        /// left it. Only devices with [`swipe_rests`](crate::Capabilities::swipe_rests) take more than zero.
        rest: Duration,
    },
    /// Down and up twice in one place, as fast as the platform expects of a double tap.
    DoubleTap {
        /// Where.
        at: Point,
    },
    /// Down, held as a long press, a straight move, and up.
    Drag {
        /// Where the finger comes down.
        from: Point,
        /// Where it leaves.
        to: Point,
        /// How long the move takes.
        duration: Duration,
    },
}

/// Where the mouse is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseTarget {
    /// On a node, which must receive the event.
    Node(NodeRef),
    /// At a point, in device pixels; whatever is there receives the event.
    Point(Point),
}

/// An action of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseAct {
    /// Two clicks that the platform counts as a double click.
    DoubleClick,
    /// A click of the right button.
    RightClick,
    /// A move without a press.
    Hover,
    /// A press, a move to another place, and the release there.
    DragTo {
        /// Where the button is released.
        to: MouseTarget,
        /// How long the move takes.
        duration: Duration,
    },
}

/// The result of a scroll without a gesture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScrollOutcome {
    /// The content moved.
    Moved,
    /// The content ends in this direction; nothing was done.
    AtEdge,
    /// The content does not end here, but did not move.
    NotMoved,
}

/// An action on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeAct {
    /// Tap it.
    Click,
    /// Long-press it.
    LongClick,
    /// Give it the input focus only.
    Focus,
    /// Replace its text.
    SetText(String),
    /// Append to its text.
    AppendText(String),
    /// Send the field's editor action (search, go, done), or Enter where it has none.
    Submit,
}

/// What an input did, as far as the device reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActOutcome {
    /// Where it touched the screen; `None` on devices that act on nodes directly, even on covered ones.
    pub touched: Option<Point>,
    /// Whether it pressed without clicking: the node was covered, moved or replaced between press and release, which the
    /// platform does not count as a click although the press may have acted.
    pub missed: bool,
    /// The text of the field afterwards, if it differs from the requested text but is equivalent: the label of an option that
    /// was selected by its value.
    pub text: Option<String>,
    /// Why the form was not submitted, if the device checked its fields and refused it.
    pub refused_form: Option<FormRefusal>,
    /// The options of the list that was pressed, if the device shows them where no press reaches them.
    pub options: Vec<String>,
}

impl ActOutcome {
    /// The outcome of a touch at a point.
    pub fn touched(at: Point) -> Self {
        Self {
            touched: Some(at),
            ..Self::default()
        }
    }
}

/// What was opened, as far as the device reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenOutcome {
    /// The HTTP status of the page, after redirects; `None` for apps, and for pages that did not come over HTTP.
    pub http_status: Option<u16>,
}

/// What `open` brings to the front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The app or tab that `open` brings to the front.
    App(String),
    /// The default handler of this URI.
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
    /// Whether the key works while the screen is off.
    pub const fn works_while_screen_off(self) -> bool {
        matches!(self, Self::Power | Self::VolumeUp | Self::VolumeDown)
    }
}
