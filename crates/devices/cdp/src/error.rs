//! What goes wrong between a caller and a browser, and how far the call had come.

use std::fmt;

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

/// How far a call had come that has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispatch {
    /// Nothing of it has been written, or the browser said that nobody took it: it has no effect.
    NotSent,
    /// The browser has it: it answered this call, or a later one of the same connection.
    Sent,
    /// It was written, perhaps in part; nothing tells whether the browser has read it.
    Unknown,
}

/// Why a session cannot be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoneReason {
    /// The target was closed, or somebody detached from it.
    Detached,
    /// The process behind the target died. The target itself is still there and can be loaded again.
    Crashed,
    /// The document that the call was for was replaced by another before it answered.
    Navigated,
}

impl fmt::Display for GoneReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GoneReason::Detached => "it was closed",
            GoneReason::Crashed => "its process crashed",
            GoneReason::Navigated => "it went to another document",
        })
    }
}

/// Why a call has no good answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The browser took the call and refused it.
    #[error("{method}: {message}")]
    Protocol {
        /// Which method.
        method: &'static str,
        /// The protocol's number of the error.
        code: i64,
        /// The browser's words.
        message: String,
    },
    /// The target of the session is gone, or was replaced while the call was on its way.
    #[error("{method}: the page cannot answer: {reason}")]
    Gone {
        /// Which method.
        method: &'static str,
        /// What happened to the target.
        reason: GoneReason,
        /// How far the call had come.
        dispatch: Dispatch,
    },
    /// The connection to the browser ended.
    #[error("{method}: the connection to the browser ended: {message}")]
    Lost {
        /// Which method.
        method: &'static str,
        /// How it ended.
        message: String,
        /// How far the call had come.
        dispatch: Dispatch,
    },
    /// The answer is not what the protocol promises.
    #[error("{method}: the browser's answer cannot be read: {message}")]
    Malformed {
        /// Which method.
        method: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// The parameters of a call cannot be written as JSON; nothing was sent.
    #[error("{method}: the call cannot be written: {message}")]
    Unwritable {
        /// Which method.
        method: &'static str,
        /// What is wrong with them.
        message: String,
    },
    /// No connection could be made.
    #[error("{url} does not answer as a browser: {message}")]
    Connect {
        /// What was connected to.
        url: String,
        /// What went wrong.
        message: String,
    },
}

impl Error {
    /// How far the call had come.
    pub const fn dispatch(&self) -> Dispatch {
        match self {
            Error::Protocol { .. } | Error::Malformed { .. } => Dispatch::Sent,
            Error::Gone { dispatch, .. } | Error::Lost { dispatch, .. } => *dispatch,
            Error::Unwritable { .. } | Error::Connect { .. } => Dispatch::NotSent,
        }
    }

    /// Whether the browser said of this call that the node, object or execution context it names is not there (any more).
    pub fn is_missing(&self) -> bool {
        let Error::Protocol { message, .. } = self else {
            return false;
        };
        // The protocol has one code for all of these; the words are what tells them apart, and have stood for years.
        [
            "Could not find node",
            "No node with given id",
            "No node found for given backend id",
            "Node with given id does not belong to the document",
            "Could not find object with given id",
            "Cannot find context with specified id",
            "Execution context was destroyed",
            "Node is detached from document",
            "Frame with the given id was not found",
            "Frame with the given frameId is not found",
            "No frame for given id found",
        ]
        .iter()
        .any(|words| message.contains(words))
    }
}
