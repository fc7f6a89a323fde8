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
pub use log::{Journal, Retention};

#[derive(Clone, Debug, PartialEq)]
pub struct JournalEntry {
    /// Virtual time since the phone was started.
    pub at: Duration,
    pub what: Event,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Widget {
    pub app: Arc<str>,
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
    #[serde(skip_serializing_if = "json::absent")]
    pub name: Arc<str>,
    /// Its text, or that of the first widget inside it.
    #[serde(skip)]
    pub text: Arc<str>,
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
    pub enum ClickSource {
        Touch = "touch",
        Accessibility = "accessibility",
        Key = "key",
    }
}

words! {
    pub enum LostReason {
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
    pub enum StopReason {
        End = "its way",
        Edge = "the edge",
        Touch = "a touch",
        Left = "its window was left",
    }
}

words! {
    pub enum Setting {
        Theme = "theme",
        FontScale = "font scale",
        Language = "language",
        AutoRotate = "auto rotate",
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind")]
#[non_exhaustive]
pub enum Event {
    #[serde(rename = "touch_down")]
    TouchedDown {
        #[serde(serialize_with = "json::point")]
        at: Point,
        /// The widget under it that takes touches.
        #[serde(rename = "widget", skip_serializing_if = "Option::is_none")]
        on: Option<Widget>,
        #[serde(skip)]
        secret: bool,
    },
    #[serde(rename = "touch_up")]
    TouchedUp {
        #[serde(serialize_with = "json::point")]
        at: Point,
        #[serde(skip)]
        secret: bool,
    },
    #[serde(rename = "touch_cancel")]
    TouchCancelled,
    #[serde(rename = "focus", serialize_with = "json::widget")]
    Focused(Widget),
    #[serde(rename = "fault")]
    Fault {
        name: &'static str,
        details: Arc<str>,
    },
    /// A touch hit no widget that takes touches.
    #[serde(rename = "missed", serialize_with = "json::place")]
    Missed(Point),
    #[serde(rename = "click")]
    Clicked { by: ClickSource, widget: Widget },
    #[serde(rename = "long_click")]
    LongClicked { by: ClickSource, widget: Widget },
    /// A disabled widget took a touch and did nothing.
    #[serde(rename = "swallowed", serialize_with = "json::widget")]
    Swallowed(Widget),
    /// Content was scrolled by a finger, or to reveal a field.
    #[serde(rename = "scroll")]
    Scrolled { dx: i32, dy: i32, widget: Widget },
    /// A touch on a widget did not press it.
    #[serde(rename = "touch_lost")]
    TouchLost { why: LostReason, widget: Widget },
    /// A finger was lifted while it moved content, which is flung.
    #[serde(rename = "fling")]
    Flung {
        /// Pixels per second, to the right or down in the content.
        velocity: i32,
        widget: Widget,
    },
    #[serde(rename = "rest")]
    Rested {
        dx: i32,
        dy: i32,
        why: StopReason,
        widget: Widget,
    },
    #[serde(rename = "text")]
    TextChanged {
        text: Arc<str>,
        #[serde(skip_serializing_if = "json::unset")]
        password: bool,
        widget: Widget,
    },
    #[serde(rename = "submit", serialize_with = "json::widget")]
    Submitted(Widget),
    #[serde(rename = "key", serialize_with = "json::key")]
    KeyPressed(driver::Key),
    #[serde(rename = "key", serialize_with = "json::hardware_key")]
    HardwareKey(crate::Keycode),
    #[serde(rename = "copy")]
    Copied {
        app: Arc<str>,
        /// Which text; masked text cannot be copied.
        text: Arc<str>,
    },
    #[serde(rename = "state")]
    Changed {
        app: Arc<str>,
        name: Arc<str>,
        from: Arc<str>,
        to: Arc<str>,
    },
    #[serde(rename = "configured")]
    Configured {
        setting: Setting,
        from: Arc<str>,
        to: Arc<str>,
    },
    /// An app requested an invalid setting.
    #[serde(rename = "not_configured")]
    NotConfigured {
        app: Arc<str>,
        setting: Setting,
        value: Arc<str>,
    },
    #[serde(rename = "open")]
    Opened { app: Arc<str>, screen: Arc<str> },
    #[serde(rename = "close")]
    Closed { app: Arc<str>, screen: Arc<str> },
    #[serde(rename = "start", serialize_with = "json::app")]
    Started(Arc<str>),
    #[serde(rename = "stop", serialize_with = "json::app")]
    Stopped(Arc<str>),
    #[serde(rename = "launch_failed", serialize_with = "json::app")]
    LaunchFailed(Arc<str>),
    #[serde(rename = "front", serialize_with = "json::app")]
    Front(Arc<str>),
    #[serde(rename = "uri")]
    UriOpened { uri: Arc<str>, app: Arc<str> },
    #[serde(rename = "fetch")]
    Fetched {
        app: Arc<str>,
        ok: bool,
        #[serde(rename = "tookMs", serialize_with = "json::whole_millis")]
        took: Duration,
    },
    /// An app requested a permission that it does not have.
    #[serde(rename = "permission_asked")]
    PermissionAsked {
        app: Arc<str>,
        permission: sim_format::Permission,
    },
    #[serde(rename = "message", serialize_with = "json::text")]
    Message(Arc<str>),
    #[serde(rename = "crash", serialize_with = "json::app")]
    Crashed(Arc<str>),
    #[serde(rename = "screen_turned")]
    ScreenTurned {
        #[serde(flatten, serialize_with = "json::size")]
        screen: uitree::Size,
        #[serde(serialize_with = "json::turns")]
        rotation: sim_format::Rotation,
    },
    /// A fault that an app requested could not be set.
    #[serde(rename = "fault_not_set")]
    FaultNotSet { name: &'static str, why: String },
    #[serde(rename = "notification")]
    Notified { app: Arc<str>, title: Arc<str> },
    #[serde(rename = "permission")]
    PermissionAnswered {
        app: Arc<str>,
        permission: sim_format::Permission,
        granted: bool,
    },
    #[serde(rename = "keyboard_shown")]
    KeyboardShown,
    #[serde(rename = "keyboard_hidden")]
    KeyboardHidden,
    #[serde(rename = "power")]
    Power { on: bool },
    /// An event caused more effects than the limit; the rest was dropped.
    #[serde(rename = "effects_stopped", serialize_with = "json::app")]
    EffectsStopped(Arc<str>),
    /// A window has more widgets than the limit; the rest was left out.
    #[serde(rename = "widgets_cut")]
    WidgetsCut { app: Arc<str>, most: usize },
}
