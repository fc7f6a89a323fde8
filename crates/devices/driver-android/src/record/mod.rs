//! Records what a person does on a phone: the agent reports events and screens, `getevent` the keys of the system.

mod event_writer;
mod getevent;
mod input_queue;
mod kernel;
mod keys;
mod limits;
mod recording;
mod screens;
mod touch;
mod touch_tracker;

use std::sync::Arc;
use std::time::Duration;

use driver::DriverError;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::profile::Profile;
pub use event_writer::EventCounts;
pub use limits::{Limit, Limits};
pub use recording::{EVENT_RECORDER, record};

/// Timeout of reading the phone's data, and of observing its screen.
const OBSERVE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long to wait for the first output of `getevent`.
const FIRST_OUTPUT_TIMEOUT: Duration = Duration::from_secs(10);
/// The delay before the first reconnection attempt.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);
/// The maximum delay between attempts.
const MAX_RECONNECT_DELAY: Duration = Duration::from_secs(30);

/// The session to record.
#[derive(Clone, Debug)]
pub struct Session {
    /// The session's id.
    pub id: String,
    /// The phone's serial.
    pub serial: String,
    /// The current time in milliseconds since 1970.
    pub epoch_ms: u64,
    /// Its limits.
    pub limits: Limits,
}

/// The result of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingResult {
    /// Its contents.
    pub tally: EventCounts,
    /// The limit that ended it; `None` if it was stopped.
    pub limit: Option<Limit>,
}

/// Receives the lines of the file one by one, without line ends; an error ends the recording.
pub type Write<'a> = &'a mut (dyn FnMut(&str) -> Result<(), String> + Send);

/// Why a recording failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordError {
    /// The phone's data could not be read.
    #[error(transparent)]
    Phone(#[from] DriverError),
    /// The agent cannot be used; why.
    #[error("{0}")]
    Agent(String),
    /// The file could not be written.
    #[error("the recording cannot be written: {0}")]
    Write(String),
}

/// An event of a recording, for its caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordingEvent {
    /// The header is written and the first screen captured.
    Ready(TouchSupport),
    /// The screen was observed; what an agent would see of the newest one.
    Observed(Arc<str>),
}

/// Whether the phone reports its touches and buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchSupport {
    /// It does.
    Touches,
    /// It does not: keys and gestures of the system are unknown.
    Nothing,
}

/// The first line of a recording.
fn header(session: &Session, profile: &Profile, touches: TouchSupport) -> Value {
    json!({
        "type": "recording_header",
        "schemaVersion": 1,
        "sessionId": session.id,
        "startedAt": session.epoch_ms,
        "operatorPackage": "",
        "recorder": EVENT_RECORDER,
        "deviceId": session.serial,
        "model": profile.model,
        "screen": { "width": profile.screen.width, "height": profile.screen.height },
        "touches": touches == TouchSupport::Touches,
    })
}

/// Writes lines and counts them.
struct Writer<'a> {
    write: Write<'a>,
    bytes: u64,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) -> Result<(), RecordError> {
        (self.write)(line).map_err(RecordError::Write)?;
        self.bytes += line.len() as u64 + 1;
        Ok(())
    }
}

fn since(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1000.0
}
