//! What a device says when it does not do what it was asked.

use crate::RecordingError;

/// The result of a call to a device.
pub type Result<T> = std::result::Result<T, DriverError>;

/// How far a request that changes something has come when its answer is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dispatch {
    /// Nothing has left for the device.
    #[default]
    NotSent,
    /// The device has it.
    Sent,
    /// It may or may not have reached the device; it must not be sent again.
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

/// Why a device did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriverError {
    /// No window can be read at the moment.
    #[error("no window can be read at the moment")]
    NoWindow,
    /// The screen is off: nothing is shown, and nothing takes a touch or a key.
    #[error("the screen is off")]
    ScreenOff,
    /// The lock screen is shown instead of an app.
    #[error("the phone shows its lock screen")]
    Locked,
    /// The phone does not let what drives it touch the screen or press keys, in its own words.
    #[error("the phone does not let adb's shell touch the screen or press keys: {0}")]
    InputDenied(String),
    /// A tree came, but not all of it.
    #[error("the screen could not be read whole: {0}")]
    Incomplete(String),
    /// The screen cannot be read while something on it moves, and nothing came to rest within the device's own limit.
    #[error("the screen does not come to rest: {0}")]
    NotIdle(String),
    /// The page has more elements than can be read in the time of a step.
    #[error("the page has {elements} elements, and pages of more than {most} are not read")]
    TooLarge {
        /// How many it has.
        elements: usize,
        /// How many it may have.
        most: usize,
    },
    /// The node of an earlier observation is no longer there.
    #[error("the node is no longer on the screen")]
    Stale,
    /// The device took the request and refused it.
    #[error("the device refused: {0}")]
    Refused(String),
    /// The device did a part of what it was asked and refused the rest; it must not be asked for all of it again.
    #[error("the device did a part of it and refused the rest: {0}")]
    Partly(String),
    /// A text that this device has no way to write, however often it is asked; nothing was changed.
    #[error("{0}. Nothing was changed")]
    Unwritable(String),
    /// A touch outside the screen.
    #[error("{0} lies outside the screen")]
    OffScreen(uitree::Point),
    /// No such app.
    #[error("no app {0} is installed")]
    NotInstalled(String),
    /// No tab shows a page of this host.
    #[error("no tab shows a page of {0}")]
    NoTab(String),
    /// A page that was asked for did not come; the tab may show another now.
    #[error("{uri} was not loaded: {reason}")]
    NotLoaded {
        /// What was asked for.
        uri: String,
        /// What the browser or the page says.
        reason: String,
        /// Whether a server was asked for it, which is not asked again.
        dispatch: Dispatch,
    },
    /// A dialog of the page keeps it still until it is answered.
    #[error("{message}")]
    Dialog {
        /// What was to be done, and what the dialog says.
        message: String,
        /// Its buttons.
        buttons: &'static [&'static str],
    },
    /// Nothing takes this uri.
    #[error("nothing on the device opens {0}")]
    NotHandled(String),
    /// The app is there but did not start.
    #[error("{0} did not start")]
    LaunchFailed(String),
    /// A CSS selector that the browser does not take.
    #[error("{selector} is no CSS selector: {reason}")]
    CssInvalid {
        /// The selector as it was given.
        selector: String,
        /// What is wrong with it.
        reason: String,
    },
    /// This device has no such ability.
    #[error("this device cannot do {0}")]
    Unsupported(&'static str),
    /// A recording could not be started or stopped.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The time was over first.
    #[error("the time was over")]
    Deadline,
    /// The caller no longer wants it.
    #[error("cancelled")]
    Cancelled,
    /// The connection to the device broke.
    #[error("the device was lost: {message}")]
    Lost {
        /// What the connection said.
        message: String,
        /// How far the request had come.
        dispatch: Dispatch,
    },
}
