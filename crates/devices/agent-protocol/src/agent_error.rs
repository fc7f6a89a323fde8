//! Errors of the agent.

use std::fmt;

use crate::body::{BodyReader, BodyWriter, Decoded};

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $name:literal;)+) => {
        /// Why the agent did not do what was asked.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AgentErrorCode { $($(#[$doc])* $variant = $number,)+ }

        impl AgentErrorCode {
            /// All codes.
            pub const ALL: &'static [AgentErrorCode] = &[$(AgentErrorCode::$variant,)+];

            /// Its name in the documents.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

codes! {
    /// No common version; the message is `<lowest>-<highest>`.
    Version = 1, "VERSION";
    /// The token is wrong, or the first frame was no `HELLO`.
    Token = 2, "TOKEN";
    /// Another client is connected.
    Busy = 3, "BUSY";
    /// The frame does not follow the protocol.
    BadRequest = 4, "BAD_REQUEST";
    /// Another program holds the phone's only UiAutomation.
    SlotTaken = 5, "SLOT_TAKEN";
    /// The display has no window that can be read.
    NoWindow = 6, "NO_WINDOW";
    /// The node of that revision is gone.
    Stale = 7, "STALE";
    /// The app or the system refused the action.
    Refused = 8, "REFUSED";
    /// The phone does not allow input injection.
    Denied = 9, "DENIED";
    /// Cancelled, or its limit passed.
    Cancelled = 10, "CANCELLED";
    /// An exception.
    Failed = 11, "FAILED";
    /// Not on this version of Android.
    Unsupported = 12, "UNSUPPORTED";
    /// The answer does not fit a frame, or the screen has too many nodes.
    TooLarge = 13, "TOO_LARGE";
    /// The app's accessibility service is off.
    ServiceOff = 14, "SERVICE_OFF";
}

impl AgentErrorCode {
    /// Its number in a frame.
    pub const fn number(self) -> u64 {
        self as u64
    }

    /// The code with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name)
    }

    /// The code with this number.
    pub fn of_number(number: u64) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.number() == number)
    }
}

impl fmt::Display for AgentErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How far a change of the phone got before an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentDispatch {
    /// Nothing was done.
    Nothing = 0,
    /// It was done, or a part of it.
    Done = 1,
    Unknown = 2,
}

/// An error answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct AgentError {
    /// Why.
    pub code: AgentErrorCode,
    /// How far it got.
    pub dispatch: AgentDispatch,
    /// The details.
    pub message: String,
}

impl AgentError {
    pub(crate) fn encode(&self, body: &mut BodyWriter) {
        body.uint(self.code.number());
        body.uint(self.dispatch as u64);
        body.text(&self.message);
    }

    pub(crate) fn decode(body: &mut BodyReader<'_>) -> Decoded<Self> {
        Ok(Self {
            code: body.known("error code", AgentErrorCode::of_number)?,
            dispatch: body.known("dispatch", |value| match value {
                0 => Some(AgentDispatch::Nothing),
                1 => Some(AgentDispatch::Done),
                2 => Some(AgentDispatch::Unknown),
                _ => None,
            })?,
            message: body.text("message")?.to_owned(),
        })
    }
}
