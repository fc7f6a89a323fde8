//! Errors of calls, with the progress of the call.

use std::fmt;

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

/// The progress of a call without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispatch {
    /// Nothing was written, or the browser reported that it had no receiver: no effect.
    NotSent,
    /// The browser received it: it answered this or a later call of the connection.
    Sent,
    /// It was written, at least partly; it is unknown whether the browser read it.
    Unknown,
}

/// Why a session is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoneReason {
    /// The target was closed, or the session detached.
    Detached,
    /// The process of the target crashed. The target still exists and can be reloaded.
    Crashed,
    /// The document of the call was replaced before the answer.
    Navigated,
}

impl fmt::Display for GoneReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GoneReason::Detached => "it was closed",
            GoneReason::Crashed => "its process crashed",
            GoneReason::Navigated => "it navigated to another document",
        })
    }
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The browser refused the call.
    #[error("{method}: {message}")]
    Protocol {
        /// The method.
        method: &'static str,
        /// The protocol's error code.
        code: i64,
        /// The browser's message.
        message: String,
    },
    /// The target of the session is gone, or was replaced during the call.
    #[error("{method}: the page cannot answer: {reason}")]
    Gone {
        /// The method.
        method: &'static str,
        /// The reason.
        reason: GoneReason,
        /// The progress of the call.
        dispatch: Dispatch,
    },
    /// The connection to the browser ended.
    #[error("{method}: the connection to the browser ended: {message}")]
    Lost {
        /// The method.
        method: &'static str,
        /// The reason.
        message: String,
        /// The progress of the call.
        dispatch: Dispatch,
    },
    /// The answer violates the protocol.
    #[error("{method}: the browser's answer cannot be read: {message}")]
    Malformed {
        /// The method.
        method: &'static str,
        /// The problem.
        message: String,
    },
    /// The parameters cannot be serialized; nothing was sent.
    #[error("{method}: the call cannot be written: {message}")]
    Unwritable {
        /// The method.
        method: &'static str,
        /// The problem.
        message: String,
    },
    /// Connecting failed.
    #[error("{url} does not answer as a browser: {message}")]
    Connect {
        /// The URL.
        url: String,
        /// The reason.
        message: String,
    },
}

impl Error {
    /// The progress of the call.
    pub const fn dispatch(&self) -> Dispatch {
        match self {
            Error::Protocol { .. } | Error::Malformed { .. } => Dispatch::Sent,
            Error::Gone { dispatch, .. } | Error::Lost { dispatch, .. } => *dispatch,
            Error::Unwritable { .. } | Error::Connect { .. } => Dispatch::NotSent,
        }
    }

    /// Whether the browser reported that the node, object or execution context of the call does not exist (any
    /// more).
    pub fn is_missing(&self) -> bool {
        let Error::Protocol { message, .. } = self else {
            return false;
        };
        // The protocol has one code for all of these; the messages distinguish them and have been stable for
        // years.
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
