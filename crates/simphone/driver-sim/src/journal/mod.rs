//! The journal: everything that happened on the phone, in order.
//!
//! Tests and reports compare their claims about a run with it. It holds texts as they were typed, passwords included,
//! so it never becomes part of an answer. Its JSON form masks them.

mod json;
mod log;

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use uitree::{Point, Rect};

use sim_format::words::words;

pub use json::Passwords;
pub use log::{Journal, Keep};

/// An event and its time.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalEntry {
    /// Virtual time since the phone was started.
    pub at: Duration,
    /// What happened.
    pub what: Event,
}

/// A widget that an event is about.
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
    /// The resource id that its node shows: that of a Compose screen is the test tag.
    #[serde(skip)]
    pub shown_id: Arc<str>,
    /// Whether its app reports the clicks of fingers to accessibility services: apps made with Compose do not.
    #[serde(skip)]
    pub reports_touches: bool,
    /// Its text or description.
    #[serde(skip_serializing_if = "json::absent")]
    pub name: Arc<str>,
    /// Its text, or that of the first widget inside it.
    #[serde(skip)]
    pub text: Arc<str>,
    /// Its description.
    #[serde(skip)]
    pub description: Arc<str>,
    /// Which entry of a list it belongs to, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<usize>,
    /// Its window; window numbers are never reused.
    pub window: u64,
    /// Its visible bounds on the screen; `None` for a widget without a node.
    #[serde(serialize_with = "json::rect", skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Rect>,
}

words! {
    /// The source of a click.
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
    /// Why a touch on a widget did not press it.
    pub enum LostReason {
        /// The finger moved off it.
        LeftIt = "the finger left it",
        /// It was gone when the finger was lifted.
        Vanished = "it vanished",
        /// It was no longer under the finger when that was lifted.
        MovedAway = "it moved away",
        /// Another window opened above it.
        Covered = "a window covered it",
    }
}

words! {
    /// Why a fling ended.
    pub enum StopReason {
        /// It had covered its distance.
        End = "its way",
        /// It reached the edge of the content.
        Edge = "the edge",
        /// A finger stopped it.
        Touch = "a touch",
        /// Its window was no longer active.
        Left = "its window was left",
    }
}

words! {
    /// A setting of the whole phone.
    pub enum Setting {
        /// Whether content is dark or light.
        Theme = "theme",
        /// The text scale.
        FontScale = "font scale",
        /// The language.
        Language = "language",
        /// Whether the screen rotates with the phone.
        AutoRotate = "auto rotate",
    }
}

/// An event on the phone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind")]
#[non_exhaustive]
pub enum Event {
    /// A finger touched the screen.
    #[serde(rename = "touch_down")]
    TouchedDown {
        /// Where.
        #[serde(serialize_with = "json::point")]
        at: Point,
        /// The widget under it that takes touches.
        #[serde(rename = "widget", skip_serializing_if = "Option::is_none")]
        on: Option<Widget>,
        /// Whether it types into a password field.
        #[serde(skip)]
        secret: bool,
    },
    /// A finger was lifted.
    #[serde(rename = "touch_up")]
    TouchedUp {
        /// Where.
        #[serde(serialize_with = "json::point")]
        at: Point,
        /// Whether it types into a password field.
        #[serde(skip)]
        secret: bool,
    },
    /// A touch was cancelled.
    #[serde(rename = "touch_cancel")]
    TouchCancelled,
    /// A widget got the input focus.
    #[serde(rename = "focus", serialize_with = "json::widget")]
    Focused(Widget),
    /// A fault fired.
    #[serde(rename = "fault")]
    Fault {
        /// Its name.
        name: &'static str,
        /// What it did.
        details: Arc<str>,
    },
    /// A touch hit no widget that takes touches.
    #[serde(rename = "missed", serialize_with = "json::place")]
    Missed(Point),
    /// A widget was pressed.
    #[serde(rename = "click")]
    Clicked {
        /// How.
        by: ClickSource,
        /// Which.
        widget: Widget,
    },
    /// A widget was held.
    #[serde(rename = "long_click")]
    LongClicked {
        /// How.
        by: ClickSource,
        /// Which.
        widget: Widget,
    },
    /// A disabled widget took a touch and did nothing.
    #[serde(rename = "swallowed", serialize_with = "json::widget")]
    Swallowed(Widget),
    /// Content was scrolled by a finger, or to reveal a field.
    #[serde(rename = "scroll")]
    Scrolled {
        /// Pixels to the right.
        dx: i32,
        /// Pixels down.
        dy: i32,
        /// What scrolled.
        widget: Widget,
    },
    /// A touch on a widget did not press it.
    #[serde(rename = "touch_lost")]
    TouchLost {
        /// Why.
        why: LostReason,
        /// Which.
        widget: Widget,
    },
    /// A finger was lifted while it moved content, which is flung.
    #[serde(rename = "fling")]
    Flung {
        /// Pixels per second, to the right or down in the content.
        velocity: i32,
        /// The flung widget.
        widget: Widget,
    },
    /// A fling ended.
    #[serde(rename = "rest")]
    Rested {
        /// Pixels moved to the right.
        dx: i32,
        /// Pixels moved down.
        dy: i32,
        /// Why it ended.
        why: StopReason,
        /// The flung widget.
        widget: Widget,
    },
    /// The text of a field changed.
    #[serde(rename = "text")]
    TextChanged {
        /// The new text.
        text: Arc<str>,
        /// Whether the field masks it.
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
    /// A text was copied to the clipboard.
    #[serde(rename = "copy")]
    Copied {
        /// From which app.
        app: Arc<str>,
        /// Which text; masked text cannot be copied.
        text: Arc<str>,
    },
    /// The value of a state variable changed.
    #[serde(rename = "state")]
    Changed {
        /// Whose.
        app: Arc<str>,
        /// Which.
        name: Arc<str>,
        /// The old value as text.
        from: Arc<str>,
        /// The new value as text.
        to: Arc<str>,
    },
    /// A setting of the phone changed.
    #[serde(rename = "configured")]
    Configured {
        /// Which setting.
        setting: Setting,
        /// The old value as text.
        from: Arc<str>,
        /// The new value as text.
        to: Arc<str>,
    },
    /// An app requested an invalid setting.
    #[serde(rename = "not_configured")]
    NotConfigured {
        /// Which app.
        app: Arc<str>,
        /// Which setting.
        setting: Setting,
        /// The requested value.
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
    /// An app came to the foreground.
    #[serde(rename = "front", serialize_with = "json::app")]
    Front(Arc<str>),
    /// A URI was opened.
    #[serde(rename = "uri")]
    UriOpened {
        /// The URI.
        uri: Arc<str>,
        /// The app that opened it.
        app: Arc<str>,
    },
    /// A simulated network request of an app ended.
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
    /// An app requested a permission that it does not have.
    #[serde(rename = "permission_asked")]
    PermissionAsked {
        /// Which app.
        app: Arc<str>,
        /// Which permission.
        permission: sim_format::Permission,
    },
    /// A toast or snackbar was shown.
    #[serde(rename = "message", serialize_with = "json::text")]
    Message(Arc<str>),
    /// An app crashed.
    #[serde(rename = "crash", serialize_with = "json::app")]
    Crashed(Arc<str>),
    /// The screen rotated or changed its size.
    #[serde(rename = "screen_turned")]
    ScreenTurned {
        /// The new size.
        #[serde(flatten, serialize_with = "json::size")]
        screen: uitree::Size,
        /// The new rotation.
        #[serde(serialize_with = "json::turns")]
        rotation: sim_format::Rotation,
    },
    /// A fault that an app requested could not be set.
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
        /// Its title.
        title: Arc<str>,
    },
    /// A permission prompt was answered.
    #[serde(rename = "permission")]
    PermissionAnswered {
        /// The app that asked.
        app: Arc<str>,
        /// Which permission.
        permission: sim_format::Permission,
        /// Whether it was granted.
        granted: bool,
    },
    /// The on-screen keyboard opened.
    #[serde(rename = "keyboard_shown")]
    KeyboardShown,
    /// The on-screen keyboard closed.
    #[serde(rename = "keyboard_hidden")]
    KeyboardHidden,
    /// The screen was switched on or off.
    #[serde(rename = "power")]
    Power {
        /// Whether it is on now.
        on: bool,
    },
    /// An event caused more effects than the limit; the rest was dropped.
    #[serde(rename = "effects_stopped", serialize_with = "json::app")]
    EffectsStopped(Arc<str>),
    /// A window has more widgets than the limit; the rest was left out.
    #[serde(rename = "widgets_cut")]
    WidgetsCut {
        /// The app.
        app: Arc<str>,
        /// The limit.
        most: usize,
    },
}
