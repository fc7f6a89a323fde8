//! The protocol of the phone agent (`docs/reference/agent-protocol.md`), for both sides: the host and the
//! simulated phone encode and decode with the same code.
//!
//! This crate is pure: no IO, no async, no clock. Everything that is decoded may be hostile: sizes are checked
//! before memory is reserved, and an unknown value is an error that says what and where.

mod agent_error;
mod answer;
mod body;
mod capture;
mod content;
mod decode_error;
mod frame;
mod handshake;
mod message;
mod node;
mod request;
mod start;

pub use agent_error::{AgentDispatch, AgentError, AgentErrorCode};
pub use answer::{Answer, ScreenImage};
pub use capture::{
    Bounds, MAX_NODES, MAX_TEXTS, MAX_WINDOWS, OtherScreen, ScreenCapture, WindowFlags,
    WindowRecord, window_type,
};
pub use content::{ScreenCopy, SentContent};
pub use decode_error::{DecodeError, Problem};
pub use frame::{Frame, FrameReader, FrameTooLong, MAX_FRAME, encode_frame, kind};
pub use handshake::{AgentForm, Features, Hello, HelloAnswer, MAGIC, OLDEST_VERSION, VERSION};
pub use message::{AppEvent, AppEventKind, Change, EventSource, Message};
pub use node::{
    Collection, CollectionItem, MAX_EXTRAS, NodeActions, NodeFlags, NodeRecord, Range, Selection,
};
pub use request::{NodeAction, Request, RequestKind};
pub use start::{
    APP_PACKAGE, APP_QUERY, APP_SERVICE, FOLDER, MAIN_CLASS, NotAStartLine, READY_PREFIX,
    ReadyLine, STATE_FILE, StartLine, dex_path, end_start_command, hex, start_command,
};
