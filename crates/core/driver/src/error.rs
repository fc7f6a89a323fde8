//! Errors of devices.

use crate::RecordingError;

/// The result of a call to a device.
pub type Result<T> = std::result::Result<T, DriverError>;

/// How far a changing request got before its answer was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dispatch {
    /// Nothing was sent.
    #[default]
    NotSent,
    /// The device received it.
    Sent,
    /// It may have reached the device, so it must not be sent again.
    Unknown,
}

impl Dispatch {
    /// The name used in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Dispatch::NotSent => "not_sent",
            Dispatch::Sent => "sent",
            Dispatch::Unknown => "unknown",
        }
    }
}

/// Why a device did not perform a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriverError {
    /// No window can be read at the moment.
    #[error("no window can be read at the moment")]
    NoWindow,
    /// The screen is off: nothing is shown, and touches and keys have no effect.
    #[error("the screen is off")]
    ScreenOff,
    /// The lock screen is shown instead of an app.
    #[error("the phone shows its lock screen")]
    Locked,
    /// The phone denies input injection; its own message.
    #[error("the phone does not let adb's shell touch the screen or press keys: {0}")]
    InputDenied(String),
    /// Only a part of the tree was read.
    #[error("the screen could not be read completely: {0}")]
    Incomplete(String),
    /// The screen did not become idle within the device's own limit, and cannot be read before.
    #[error("the screen does not become idle: {0}")]
    NotIdle(String),
    /// The page has more elements than can be read within a step.
    #[error("the page has {elements} elements; the limit is {most}")]
    TooLarge {
        /// The maximum.
        elements: usize,
        /// The limit.
        most: usize,
    },
    /// The node of an earlier observation is no longer there.
    #[error("the node is no longer on the screen")]
    Stale,
    /// The device refused the request.
    #[error("the device refused: {0}")]
    Refused(String),
    /// The node takes no input until the screen changes: something covers it permanently, or it is disabled. Nothing was done.
    #[error("the device refused: {0}")]
    Unreachable(String),
    /// The device did part of the request and refused the rest, so the whole must not be repeated.
    #[error("the device did part of it and refused the rest: {0}")]
    Partial(String),
    /// The device cannot type this text; nothing was changed, and retrying does not help.
    #[error("{0}. Nothing was changed")]
    Unwritable(String),
    /// A touch outside the screen.
    #[error("{0} is outside of the screen")]
    OffScreen(uitree::Point),
    /// No such app.
    #[error("no app {0} is installed")]
    NotInstalled(String),
    /// No tab shows a page of this host.
    #[error("no tab shows a page of {0}")]
    NoTab(String),
    /// A page did not load; the tab may show another now.
    #[error("{uri} was not loaded: {reason}")]
    NotLoaded {
        /// The requested URI.
        uri: String,
        /// The browser's or the page's message.
        reason: String,
        /// Whether a server received the request; if so, it is not repeated.
        dispatch: Dispatch,
    },
    /// A dialog blocks the page until it is answered.
    #[error("{message}")]
    Dialog {
        /// The blocked operation, and the dialog's text.
        message: String,
        /// Its buttons.
        buttons: &'static [&'static str],
    },
    /// Nothing handles this URI.
    #[error("nothing on the device opens {0}")]
    NotHandled(String),
    /// The app is installed but did not start.
    #[error("{0} did not start")]
    LaunchFailed(String),
    /// An invalid CSS selector.
    #[error("{selector} is no CSS selector: {reason}")]
    CssInvalid {
        /// The given selector.
        selector: String,
        /// What is wrong with it.
        reason: String,
    },
    /// This device lacks this ability.
    #[error("this device does not support {0}")]
    Unsupported(&'static str),
    /// A recording could not be started or stopped.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The deadline passed.
    #[error("the deadline passed")]
    Deadline,
    /// The caller cancelled it.
    #[error("cancelled")]
    Cancelled,
    /// The connection to the device was lost.
    #[error("the device was lost: {message}")]
    Lost {
        /// The connection's message.
        message: String,
        /// How far the request got.
        dispatch: Dispatch,
    },
}
