//! The truth: everything that happened on the phone, in order.
//!
//! What a test or a report claims about a run is compared with this. The journal shows texts as they were typed,
//! passwords too: it is for those who made the run, never for its answers. Its JSON form masks them.

mod json;
mod kinds;
mod log;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use uitree::{Point, Rect};

pub use crate::motion::SwipeTo;
use crate::words::Words;

pub use json::Passwords;
pub use log::{Journal, Keep};

/// One thing that happened, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalEntry {
    /// Virtual time since the phone was started.
    pub at: Duration,
    /// What happened.
    pub what: Happening,
}

/// A widget, as a reader of the journal recognises it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widget {
    /// The package of its app.
    pub app: Arc<str>,
    /// The screen or dialog it stands on.
    pub screen: Arc<str>,
    /// Its resource id; empty without one.
    pub id: Arc<str>,
    /// Its text or description.
    pub name: Arc<str>,
    /// Which entry of a list it belongs to, from 0.
    pub row: Option<usize>,
    /// The window it stands in; a number that no other window of the phone has had.
    pub window: u64,
    /// Where it stands on the screen, as far as it can be seen; `None` for what is no node.
    pub bounds: Option<Rect>,
}

/// How a click came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A finger.
    Touch,
    /// The accessibility interface.
    Accessibility,
    /// The on-screen keyboard or a key.
    Key,
}

/// Why a touch pressed nothing although it came down on something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The finger went somewhere else.
    LeftIt,
    /// It was no longer there when the finger left.
    Vanished,
    /// It was no longer under the finger when the finger left.
    MovedAway,
    /// Another window came up.
    Covered,
}

/// Why content that ran came to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// It had run its way.
    End,
    /// It had come to its edge.
    Edge,
    /// A finger stopped it.
    Touch,
    /// Its window was left.
    Left,
    /// It was sent somewhere else.
    Replaced,
}

/// What is set for the whole phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Whether content is dark or light.
    Theme,
    /// How much larger than designed text is.
    FontScale,
    /// The language.
    Language,
    /// Whether the screen follows when the phone is turned.
    AutoRotate,
}

/// What can happen on the phone.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Happening {
    /// A finger came down.
    TouchedDown {
        /// Where.
        at: Point,
        /// The widget under it that takes touches, if there is one.
        on: Option<Widget>,
        /// Whether it types into a password field.
        secret: bool,
    },
    /// A finger left.
    TouchedUp {
        /// Where.
        at: Point,
        /// Whether it types into a password field.
        secret: bool,
    },
    /// A touch ended without having been one.
    TouchCancelled,
    /// A widget has the input focus.
    Focused(Widget),
    /// A fault struck.
    Fault {
        /// Its name.
        name: &'static str,
        /// What it did.
        details: Arc<str>,
    },
    /// A finger came down where nothing takes it.
    Missed(Point),
    /// A widget was pressed.
    Clicked {
        /// Which.
        widget: Widget,
        /// How.
        by: By,
    },
    /// A widget was held.
    LongClicked {
        /// Which.
        widget: Widget,
        /// How.
        by: By,
    },
    /// A disabled widget took a touch and did nothing.
    Swallowed(Widget),
    /// Content moved by this many pixels, under a finger or to bring a field into sight.
    Scrolled {
        /// What scrolled.
        widget: Widget,
        /// To the right.
        dx: i32,
        /// Down.
        dy: i32,
    },
    /// A touch came down on a widget and did not press it.
    TouchLost {
        /// Which.
        widget: Widget,
        /// Why.
        why: Lost,
    },
    /// A finger left content while it moved, and the content runs on.
    Flung {
        /// What runs.
        widget: Widget,
        /// Pixels a second, to the right or down in the content.
        velocity: i32,
    },
    /// Content that ran by itself has come to rest.
    Rested {
        /// What ran.
        widget: Widget,
        /// How far it ran to the right.
        dx: i32,
        /// How far it ran down.
        dy: i32,
        /// Why it runs no further.
        why: Rest,
    },
    /// A list was pulled down and let go: it refreshes.
    Refreshed(Widget),
    /// A widget was pushed aside, and what the app says of that happens.
    Swiped {
        /// Which widget.
        widget: Widget,
        /// To which side.
        to: SwipeTo,
    },
    /// A field holds another text.
    TextChanged {
        /// Which field.
        widget: Widget,
        /// What it holds now.
        text: Arc<str>,
        /// Whether it shows dots instead.
        password: bool,
    },
    /// The editor action of a field was sent.
    Submitted(Widget),
    /// A key of the device was pressed.
    KeyPressed(driver::Key),
    /// A key of a hardware keyboard was pressed.
    HardwareKey(crate::Keycode),
    /// A part of a text was selected; characters are counted from 0.
    Selected {
        /// In which field.
        widget: Widget,
        /// Its first character.
        from: usize,
        /// One past its last character.
        to: usize,
    },
    /// A text went into the clipboard.
    Copied {
        /// From which app.
        app: Arc<str>,
        /// Which text; one that shows as dots cannot be copied.
        text: Arc<str>,
    },
    /// A widget was tapped twice at the speed of a double tap.
    DoubleClicked(Widget),
    /// A state variable has another value.
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
    Configured {
        /// In what.
        setting: Setting,
        /// The old value as it is written.
        from: Arc<str>,
        /// The new value as it is written.
        to: Arc<str>,
    },
    /// An app asked for a setting that means nothing.
    NotConfigured {
        /// Which app.
        app: Arc<str>,
        /// What it wanted to set.
        setting: Setting,
        /// What it asked for.
        value: Arc<str>,
    },
    /// A screen or dialog opened.
    Opened {
        /// Whose.
        app: Arc<str>,
        /// Which.
        screen: Arc<str>,
    },
    /// A screen or dialog closed.
    Closed {
        /// Whose.
        app: Arc<str>,
        /// Which.
        screen: Arc<str>,
    },
    /// An app was started.
    Started(Arc<str>),
    /// An app was ended.
    Stopped(Arc<str>),
    /// An app did not start.
    LaunchFailed(Arc<str>),
    /// An app came to the front.
    Front(Arc<str>),
    /// A uri was opened.
    UriOpened {
        /// The uri.
        uri: Arc<str>,
        /// The app that took it.
        app: Arc<str>,
    },
    /// Work that an app had begun came to its end.
    Fetched {
        /// Whose.
        app: Arc<str>,
        /// Whether it succeeded.
        ok: bool,
        /// How long it took.
        took: Duration,
    },
    /// An app asked for a permission that it does not have.
    PermissionAsked {
        /// Which app.
        app: Arc<str>,
        /// Which permission.
        permission: crate::Permission,
    },
    /// A message was shown for a while.
    Message(Arc<str>),
    /// An app crashed.
    Crashed(Arc<str>),
    /// The screen was turned or has another size.
    ScreenTurned {
        /// Its size now.
        screen: uitree::Size,
        /// How it is turned now.
        rotation: crate::Rotation,
    },
    /// An app asked for a fault that the phone could not be given.
    FaultNotSet {
        /// The name of the fault.
        name: &'static str,
        /// Why not.
        why: String,
    },
    /// An app sent a notification.
    Notified {
        /// Which app.
        app: Arc<str>,
        /// What it is called.
        title: Arc<str>,
    },
    /// The user answered a permission prompt.
    PermissionAnswered {
        /// The app that asked.
        app: Arc<str>,
        /// What for.
        permission: crate::Permission,
        /// Whether it may.
        granted: bool,
    },
    /// The on-screen keyboard came up.
    KeyboardShown,
    /// The on-screen keyboard went away.
    KeyboardHidden,
    /// The volume is another, from 0 to 15.
    Volume(u8),
    /// The screen was switched on or off.
    Power {
        /// Whether it is on now.
        on: bool,
    },
    /// An event set off more effects than one event may; the rest was dropped.
    EffectsStopped(Arc<str>),
    /// A window of an app asks for more widgets than it may hold; those behind the first ones are not there.
    WidgetsCut {
        /// The app.
        app: Arc<str>,
        /// How many are there.
        most: usize,
    },
}

impl fmt::Display for Widget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.app, self.screen)?;
        if !self.id.is_empty() {
            write!(f, " {}", self.id)?;
        }
        if !self.name.is_empty() {
            write!(f, " {:?}", self.name)?;
        }
        if let Some(row) = self.row {
            write!(f, " row {row}")?;
        }
        Ok(())
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            By::Touch => "touch",
            By::Accessibility => "accessibility",
            By::Key => "key",
        })
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lost::LeftIt => "the finger left it",
            Lost::Vanished => "it vanished",
            Lost::MovedAway => "it moved away",
            Lost::Covered => "a window covered it",
        })
    }
}

impl fmt::Display for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rest::End => "its way",
            Rest::Edge => "the edge",
            Rest::Touch => "a touch",
            Rest::Left => "its window was left",
            Rest::Replaced => "another way",
        })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Setting::Theme => "theme",
            Setting::FontScale => "font scale",
            Setting::Language => "language",
            Setting::AutoRotate => "auto rotate",
        })
    }
}

impl fmt::Display for JournalEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.at.as_secs_f64() * 1000.0;
        write!(f, "{millis:>9.3} ")?;
        match &self.what {
            Happening::TouchedDown { at, on, .. } => match on {
                Some(widget) => write!(f, "down at {at}: {widget}"),
                None => write!(f, "down at {at}"),
            },
            Happening::TouchedUp { at, .. } => write!(f, "up at {at}"),
            Happening::TouchCancelled => f.write_str("touch cancelled"),
            Happening::Focused(widget) => write!(f, "focus: {widget}"),
            Happening::Fault { name, details } => write!(f, "fault {name}: {details}"),
            Happening::Missed(at) => write!(f, "missed at {at}"),
            Happening::Clicked { widget, by } => write!(f, "click by {by}: {widget}"),
            Happening::LongClicked { widget, by } => write!(f, "long click by {by}: {widget}"),
            Happening::Swallowed(widget) => write!(f, "swallowed by disabled {widget}"),
            Happening::Scrolled { widget, dx, dy } => write!(f, "scroll by ({dx},{dy}): {widget}"),
            Happening::TouchLost { widget, why } => write!(f, "touch lost, {why}: {widget}"),
            Happening::Flung { widget, velocity } => write!(f, "fling at {velocity}: {widget}"),
            Happening::Rested {
                widget,
                dx,
                dy,
                why,
            } => write!(f, "rest after ({dx},{dy}) by {why}: {widget}"),
            Happening::TextChanged { widget, text, .. } => write!(f, "text {text:?}: {widget}"),
            Happening::Refreshed(widget) => write!(f, "refresh: {widget}"),
            Happening::Swiped { widget, to } => write!(f, "swipe {}: {widget}", to.as_str()),
            Happening::Submitted(widget) => write!(f, "submit: {widget}"),
            Happening::KeyPressed(key) => write!(f, "key {key:?}"),
            Happening::HardwareKey(key) => write!(f, "key {}", key.name()),
            Happening::Selected { widget, from, to } => {
                write!(f, "select {from} to {to}: {widget}")
            }
            Happening::Copied { app, text } => write!(f, "copy {text:?}: {app}"),
            Happening::DoubleClicked(widget) => write!(f, "double click: {widget}"),
            Happening::Changed {
                app,
                name,
                from,
                to,
            } => write!(f, "{app} {name}: {from:?} -> {to:?}"),
            Happening::Configured { setting, from, to } => {
                write!(f, "{setting}: {from:?} -> {to:?}")
            }
            Happening::NotConfigured {
                app,
                setting,
                value,
            } => write!(f, "{app} cannot set {setting} to {value:?}"),
            Happening::Opened { app, screen } => write!(f, "open {app}/{screen}"),
            Happening::Closed { app, screen } => write!(f, "close {app}/{screen}"),
            Happening::Started(app) => write!(f, "start {app}"),
            Happening::Stopped(app) => write!(f, "stop {app}"),
            Happening::LaunchFailed(app) => write!(f, "launch failed {app}"),
            Happening::Front(app) => write!(f, "front {app}"),
            Happening::UriOpened { uri, app } => write!(f, "uri {uri} by {app}"),
            Happening::Fetched { app, ok, took } => {
                let how = if *ok { "fetched" } else { "failed to fetch" };
                write!(f, "{app} {how} after {} ms", took.as_millis())
            }
            Happening::PermissionAsked { app, permission } => {
                write!(f, "{app} asks for {}", permission.word())
            }
            Happening::Message(text) => write!(f, "message {text:?}"),
            Happening::Crashed(app) => write!(f, "crash {app}"),
            Happening::ScreenTurned { screen, rotation } => {
                let turns = rotation.quarter_turns();
                write!(
                    f,
                    "screen {}x{} turned {turns}",
                    screen.width, screen.height
                )
            }
            Happening::FaultNotSet { name, why } => write!(f, "fault {name} not set: {why}"),
            Happening::Notified { app, title } => write!(f, "notification {title:?}: {app}"),
            Happening::PermissionAnswered {
                app,
                permission,
                granted,
            } => {
                let answer = if *granted { "granted" } else { "denied" };
                write!(f, "permission {} {answer}: {app}", permission.word())
            }
            Happening::KeyboardShown => f.write_str("keyboard shown"),
            Happening::KeyboardHidden => f.write_str("keyboard hidden"),
            Happening::Volume(level) => write!(f, "volume {level}"),
            Happening::Power { on } => write!(f, "screen {}", if *on { "on" } else { "off" }),
            Happening::EffectsStopped(app) => write!(f, "too many effects in {app}"),
            Happening::WidgetsCut { app, most } => {
                write!(f, "{app}: a window holds {most} widgets and no more")
            }
        }
    }
}
