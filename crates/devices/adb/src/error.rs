//! What goes wrong between us and a phone, and how far a request had come by then.

use std::io;

/// The result of a call over adb.
pub type Result<T> = std::result::Result<T, Error>;

/// How far a request had come when its answer went missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Progress {
    /// The phone has not seen it.
    #[default]
    NotStarted,
    /// It was on its way; the phone may or may not have begun with it.
    Unknown,
    /// The phone has begun with it. How it ended is not known.
    Started,
}

/// A failure, and how far the request had come.
#[derive(Debug, thiserror::Error)]
#[error("{kind}")]
pub struct Error {
    /// What went wrong.
    #[source]
    pub kind: ErrorKind,
    /// How far the request had come.
    pub reach: Progress,
}

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Nobody listens at the address of the adb server.
    #[error("no adb server answers at {address}: {why}")]
    NoServer {
        /// Where it should be.
        address: String,
        /// What the system said.
        why: String,
    },
    /// The adb program that should start a server is not there.
    #[error("the program adb was not found ({looked})")]
    NoProgram {
        /// Where it was looked for.
        looked: String,
    },
    /// The adb program did not start a server.
    #[error("{program} did not start a server: {why}")]
    NotStarted {
        /// The program that was run.
        program: String,
        /// What it said.
        why: String,
    },
    /// The server or the phone refused the request in words.
    #[error("{0}")]
    Refused(String),
    /// The server knows no phone of that name.
    #[error("adb knows no device {0:?}")]
    UnknownDevice(String),
    /// The phone is known but cannot be used.
    #[error("device {serial:?} is {state}")]
    NotReady {
        /// The phone.
        serial: String,
        /// `offline`, `unauthorized`, `authorizing`, `no permissions`, …
        state: String,
    },
    /// The phone wants another kind of connection than ours.
    #[error("{0}")]
    Unsupported(String),
    /// The connection ended before the answer did.
    #[error("the connection ended early")]
    Closed,
    /// The connection failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// What came is not what the protocol says.
    #[error("{0}")]
    Protocol(String),
    /// The answer is larger than the caller allows.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The other side kept silent for too long.
    #[error("no answer within {0:?}")]
    Silent(std::time::Duration),
    /// The key that proves who we are cannot be read or made.
    #[error("the key {path}: {why}")]
    Key {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
}

impl ErrorKind {
    /// A refusal with the words of the other side, which may be none.
    pub(crate) fn refused(reason: String) -> Self {
        if reason.trim().is_empty() {
            return Self::Refused("adb refused and gave no reason".to_owned());
        }
        Self::Refused(reason)
    }
}

impl Error {
    /// This failure, after the request had come so far.
    #[must_use]
    pub fn after(mut self, reach: Progress) -> Self {
        self.reach = self.reach.max(reach);
        self
    }

    /// What came is not what the protocol says.
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
