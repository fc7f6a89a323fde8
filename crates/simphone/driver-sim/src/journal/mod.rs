//! The truth: everything that happened on the phone, in order.
//!
//! What a test or a report claims about a run is compared with this. The journal shows texts as they were typed,
//! passwords too: it is for those who made the run, never for its answers. Its JSON form masks them.

mod json;
mod log;

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use uitree::{Point, Rect};

use sim_format::words::words;

pub use json::Passwords;
pub use log::{Journal, Keep};

/// One thing that happened, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalEntry {
    /// Virtual time since the phone was started.
    pub at: Duration,
    /// What happened.
    pub what: Event,
}

/// A widget, as a reader of the journal recognises it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Widget {
    /// The package of its app.
    pub app: Arc<str>,
    /// The screen or dialog it is on.
    #[serde(skip_serializing_if = "json::absent")]
    pub screen: Arc<str>,
    /// Its resource id; empty without one.
    #[serde(skip_serializing_if = "json::absent")]
    pub id: Arc<str>,
    /// Its text or description.
    #[serde(skip_serializing_if = "json::absent")]
    pub name: Arc<str>,
    /// Which entry of a list it belongs to, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<usize>,
    /// The window it is in; a number that no other window of the phone has had.
    pub window: u64,
    /// Where it is on the screen, as far as it can be seen; `None` for what is no node.
    #[serde(serialize_with = "json::rect", skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Rect>,
}

words! {
    /// How a click came about.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ClickSource {
        /// A finger.
        Touch = "touch",
        /// The accessibility interface.
        Accessibility = "accessibility",
        /// The on-screen keyboard or a key.
        Key = "key",
    }
}

words! {
    /// Why a touch pressed nothing although it came down on something.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LostReason {
        /// The finger went somewhere else.
        LeftIt = "the finger left it",
        /// It was no longer there when the finger left.
        Vanished = "it vanished",
        /// It was no longer under the finger when the finger left.
        MovedAway = "it moved away",
        /// Another window came up.
        Covered = "a window covered it",
    }
}

words! {
    /// Why content that ran came to rest.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum StopReason {
        /// It had run its way.
        End = "its way",
        /// It had come to its edge.
        Edge = "the edge",
        /// A finger stopped it.
        Touch = "a touch",
        /// Its window was left.
        Left = "its window was left",
    }
}

words! {
    /// What is set for the whole phone.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Setting {
        /// Whether content is dark or light.
        Theme = "theme",
        /// How much larger than designed text is.
        FontScale = "font scale",
        /// The language.
        Language = "language",
        /// Whether the screen follows when the phone is turned.
        AutoRotate = "auto rotate",
    }
}

/// What can happen on the phone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind")]
#[non_exhaustive]
pub enum Event {
    /// A finger came down.
    #[serde(rename = "touch_down")]
    TouchedDown {
        /// Where.
        #[serde(serialize_with = "json::point")]
        at: Point,
        /// The widget under it that takes touches, if there is one.
        #[serde(rename = "widget", skip_serializing_if = "Option::is_none")]
        on: Option<Widget>,
        /// Whether it types into a password field.
        #[serde(skip)]
        secret: bool,
    },
    /// A finger left.
    #[serde(rename = "touch_up")]
    TouchedUp {
        /// Where.
        #[serde(serialize_with = "json::point")]
        at: Point,
        /// Whether it types into a password field.
        #[serde(skip)]
        secret: bool,
    },
    /// A touch ended without having been one.
    #[serde(rename = "touch_cancel")]
    TouchCancelled,
    /// A widget has the input focus.
    #[serde(rename = "focus", serialize_with = "json::widget")]
    Focused(Widget),
    /// A fault struck.
    #[serde(rename = "fault")]
    Fault {
        /// Its name.
        name: &'static str,
        /// What it did.
        details: Arc<str>,
    },
    /// A finger came down where nothing takes it.
    #[serde(rename = "missed", serialize_with = "json::place")]
    Missed(Point),
    /// A widget was pressed.
    #[serde(rename = "click")]
    Clicked {
        /// How.
        #[serde(serialize_with = "json::word")]
        by: ClickSource,
        /// Which.
        widget: Widget,
    },
    /// A widget was held.
    #[serde(rename = "long_click")]
    LongClicked {
        /// How.
        #[serde(serialize_with = "json::word")]
        by: ClickSource,
        /// Which.
        widget: Widget,
    },
    /// A disabled widget took a touch and did nothing.
    #[serde(rename = "swallowed", serialize_with = "json::widget")]
    Swallowed(Widget),
    /// Content moved by this many pixels, under a finger or to bring a field into sight.
    #[serde(rename = "scroll")]
    Scrolled {
        /// To the right.
        dx: i32,
        /// Down.
        dy: i32,
        /// What scrolled.
        widget: Widget,
    },
    /// A touch came down on a widget and did not press it.
    #[serde(rename = "touch_lost")]
    TouchLost {
        /// Why.
        #[serde(serialize_with = "json::word")]
        why: LostReason,
        /// Which.
        widget: Widget,
    },
    /// A finger left content while it moved, and the content runs on.
    #[serde(rename = "fling")]
    Flung {
        /// Pixels a second, to the right or down in the content.
        velocity: i32,
        /// What runs.
        widget: Widget,
    },
    /// Content that ran by itself has come to rest.
    #[serde(rename = "rest")]
    Rested {
        /// How far it ran to the right.
        dx: i32,
        /// How far it ran down.
        dy: i32,
        /// Why it runs no further.
        #[serde(serialize_with = "json::word")]
        why: StopReason,
        /// What ran.
        widget: Widget,
    },
    /// A field holds another text.
    #[serde(rename = "text")]
    TextChanged {
        /// What it holds now.
        text: Arc<str>,
        /// Whether it shows dots instead.
        #[serde(skip_serializing_if = "json::unset")]
        password: bool,
        /// Which field.
        widget: Widget,
    },
    /// The editor action of a field was sent.
    #[serde(rename = "submit", serialize_with = "json::widget")]
    Submitted(Widget),
    /// A key of the device was pressed.
    #[serde(rename = "key", serialize_with = "json::key")]
    KeyPressed(driver::Key),
    /// A key of a hardware keyboard was pressed.
    #[serde(rename = "key", serialize_with = "json::hardware_key")]
    HardwareKey(crate::Keycode),
    /// A text went into the clipboard.
    #[serde(rename = "copy")]
    Copied {
        /// From which app.
        app: Arc<str>,
        /// Which text; one that shows as dots cannot be copied.
        text: Arc<str>,
    },
    /// A state variable has another value.
    #[serde(rename = "state")]
    Changed {
        /// Whose.
        app: Arc<str>,
        /// Which.
        name: Arc<str>,
        /// The old value as it is written.
        from: Arc<str>,
        /// The new value as it is written.
        to: Arc<str>,
    },
    /// The phone was set up differently.
    #[serde(rename = "configured")]
    Configured {
        /// In what.
        #[serde(serialize_with = "json::word")]
        setting: Setting,
        /// The old value as it is written.
        from: Arc<str>,
        /// The new value as it is written.
        to: Arc<str>,
    },
    /// An app asked for a setting that means nothing.
    #[serde(rename = "not_configured")]
    NotConfigured {
        /// Which app.
        app: Arc<str>,
        /// What it wanted to set.
        #[serde(serialize_with = "json::word")]
        setting: Setting,
        /// What it asked for.
        value: Arc<str>,
    },
    /// A screen or dialog opened.
    #[serde(rename = "open")]
    Opened {
        /// Whose.
        app: Arc<str>,
        /// Which.
        screen: Arc<str>,
    },
    /// A screen or dialog closed.
    #[serde(rename = "close")]
    Closed {
        /// Whose.
        app: Arc<str>,
        /// Which.
        screen: Arc<str>,
    },
    /// An app was started.
    #[serde(rename = "start", serialize_with = "json::app")]
    Started(Arc<str>),
    /// An app was ended.
    #[serde(rename = "stop", serialize_with = "json::app")]
    Stopped(Arc<str>),
    /// An app did not start.
    #[serde(rename = "launch_failed", serialize_with = "json::app")]
    LaunchFailed(Arc<str>),
    /// An app came to the front.
    #[serde(rename = "front", serialize_with = "json::app")]
    Front(Arc<str>),
    /// A uri was opened.
    #[serde(rename = "uri")]
    UriOpened {
        /// The uri.
        uri: Arc<str>,
        /// The app that took it.
        app: Arc<str>,
    },
    /// Work that an app had begun came to its end.
    #[serde(rename = "fetch")]
    Fetched {
        /// Whose.
        app: Arc<str>,
        /// Whether it succeeded.
        ok: bool,
        /// How long it took.
        #[serde(rename = "tookMs", serialize_with = "json::whole_millis")]
        took: Duration,
    },
    /// An app asked for a permission that it does not have.
    #[serde(rename = "permission_asked")]
    PermissionAsked {
        /// Which app.
        app: Arc<str>,
        /// Which permission.
        #[serde(serialize_with = "json::word")]
        permission: sim_format::Permission,
    },
    /// A message was shown for a while.
    #[serde(rename = "message", serialize_with = "json::text")]
    Message(Arc<str>),
    /// An app crashed.
    #[serde(rename = "crash", serialize_with = "json::app")]
    Crashed(Arc<str>),
    /// The screen was turned or has another size.
    #[serde(rename = "screen_turned")]
    ScreenTurned {
        /// Its size now.
        #[serde(flatten, serialize_with = "json::size")]
        screen: uitree::Size,
        /// How it is turned now.
        #[serde(serialize_with = "json::turns")]
        rotation: sim_format::Rotation,
    },
    /// An app asked for a fault that the phone could not be given.
    #[serde(rename = "fault_not_set")]
    FaultNotSet {
        /// The name of the fault.
        name: &'static str,
        /// Why not.
        why: String,
    },
    /// An app sent a notification.
    #[serde(rename = "notification")]
    Notified {
        /// Which app.
        app: Arc<str>,
        /// What it is called.
        title: Arc<str>,
    },
    /// The user answered a permission prompt.
    #[serde(rename = "permission")]
    PermissionAnswered {
        /// The app that asked.
        app: Arc<str>,
        /// What for.
        #[serde(serialize_with = "json::word")]
        permission: sim_format::Permission,
        /// Whether it may.
        granted: bool,
    },
    /// The on-screen keyboard came up.
    #[serde(rename = "keyboard_shown")]
    KeyboardShown,
    /// The on-screen keyboard went away.
    #[serde(rename = "keyboard_hidden")]
    KeyboardHidden,
    /// The screen was switched on or off.
    #[serde(rename = "power")]
    Power {
        /// Whether it is on now.
        on: bool,
    },
    /// An event set off more effects than one event may; the rest was dropped.
    #[serde(rename = "effects_stopped", serialize_with = "json::app")]
    EffectsStopped(Arc<str>),
    /// A window of an app asks for more widgets than it may hold; those behind the first ones are not there.
    #[serde(rename = "widgets_cut")]
    WidgetsCut {
        /// The app.
        app: Arc<str>,
        /// How many are there.
        most: usize,
    },
}
