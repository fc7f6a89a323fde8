//! Recordings of a device.

/// A started or stopped recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The session's id.
    pub session: String,
    /// The path of its file.
    pub path: String,
    /// The number of its events, without the header line.
    pub events: u64,
    /// What recorded it, if the device did not record itself.
    pub recorder: Option<Box<RecorderReport>>,
}

/// What a recorder on this computer reports of its recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecorderReport {
    /// The recorder's name in session files.
    pub name: String,
    /// The number of events that report a gap.
    pub gaps: u64,
    /// Whether the device reports touches and keys of the system.
    pub touches: bool,
    /// Why it ended before it was stopped.
    pub ended_early: Option<String>,
}

/// Why a recording could not be started or stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// A recording is running.
    #[error("session {} is being recorded", .0.session)]
    AlreadyInProgress(Recording),
    /// No recording is running.
    #[error("nothing is being recorded")]
    NotInProgress,
    /// Another session is running.
    #[error("session {} is being recorded, not {asked}", .running.session)]
    OtherSession {
        /// The running session.
        running: Recording,
        /// The requested session.
        asked: String,
    },
    /// There is no storage for the file.
    #[error("no storage for recordings: {0}")]
    StorageUnavailable(String),
    /// The file could not be created; an existing one is never overwritten.
    #[error("the recording could not be started: {0}")]
    StartFailed(String),
    /// The file could not be finished.
    #[error("the recording could not be finished: {message}")]
    StopFailed {
        /// What went wrong.
        message: String,
        /// What was recorded.
        recording: Recording,
    },
}
