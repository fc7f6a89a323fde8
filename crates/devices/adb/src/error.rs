//! Errors of connections, and the progress of the failed request.

use std::io;

/// The result of a call over adb.
pub type Result<T> = std::result::Result<T, Error>;

/// What the server answers for a service that the phone does not have, and for a phone that was lost meanwhile.
const CLOSED: &str = "closed";

/// The progress of a request whose answer was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Progress {
    /// The phone has not received it.
    #[default]
    NotStarted,
    /// It was sent; the phone may have started it.
    Unknown,
    /// The phone started it; the result is unknown.
    Started,
}

/// An error, and the progress of the request.
#[derive(Debug, thiserror::Error)]
#[error("{kind}")]
pub struct Error {
    #[source]
    pub kind: ErrorKind,
    /// The progress of the request.
    pub reach: Progress,
}

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Nothing listens at the address of the adb server.
    #[error("no adb server answers at {address}: {why}")]
    NoServer {
        address: String,
        /// The system's message.
        why: String,
    },
    /// The adb program was not found.
    #[error("the program adb was not found ({looked})")]
    NoProgram {
        /// The searched places.
        looked: String,
    },
    /// The adb program did not start a server.
    #[error("{program} did not start a server: {why}")]
    NotStarted {
        program: String,
        /// Its message.
        why: String,
    },
    /// The server or the phone refused the request; its message.
    #[error("{0}")]
    Refused(String),
    /// The server knows no phone with this serial.
    #[error("adb knows no device {0:?}")]
    UnknownDevice(String),
    /// The phone is known but not usable.
    #[error("device {serial:?} is {state}")]
    NotReady {
        /// The phone.
        serial: String,
        /// `offline`, `unauthorized`, `authorizing`, `no permissions`, …
        state: String,
    },
    /// The phone requires another kind of connection.
    #[error("{0}")]
    Unsupported(String),
    /// The connection ended before the answer.
    #[error("the connection ended early")]
    Closed,
    /// The connection failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The data violates the protocol.
    #[error("{0}")]
    Protocol(String),
    /// The answer exceeds the caller's limit.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// Timeout.
    #[error("no answer within {0:?}")]
    Silent(std::time::Duration),
    /// The authentication key cannot be read or created.
    #[error("the key {path}: {why}")]
    Key {
        /// The file.
        path: String,
        /// The problem.
        why: String,
    },
}

impl ErrorKind {
    /// A refusal with the other side's message, which may be empty.
    pub(crate) fn refused(reason: String) -> Self {
        if reason.trim().is_empty() {
            return Self::Refused("adb refused and gave no reason".to_owned());
        }
        Self::Refused(reason)
    }
}

impl Error {
    /// Sets the progress of the request.
    #[must_use]
    pub fn after(mut self, reach: Progress) -> Self {
        self.reach = self.reach.max(reach);
        self
    }

    /// Whether the request was closed without a reason: the phone does not have the service, or was lost.
    pub fn is_closed(&self) -> bool {
        match &self.kind {
            ErrorKind::Closed => true,
            ErrorKind::Refused(message) => message == CLOSED,
            _ => false,
        }
    }

    /// The data violates the protocol.
    pub(crate) fn protocol(message: impl Into<String>) -> Self {
        ErrorKind::Protocol(message.into()).into()
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self {
            kind,
            reach: Progress::NotStarted,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            ErrorKind::Closed.into()
        } else {
            ErrorKind::Io(error).into()
        }
    }
}
