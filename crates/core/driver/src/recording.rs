//! Recordings of what happens on a device.

/// A recording that was started or ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The session's id.
    pub session: String,
    /// Where its file lies.
    pub path: String,
    /// How many events it holds; the header line does not count.
    pub events: u64,
    /// Set where the device does not record itself and is looked at again and again instead.
    pub polling: Option<Box<Polling>>,
}

/// A recording of a device that is looked at from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polling {
    /// What session files call the recorder.
    pub recorder: String,
    /// How many of the events say that something was missed.
    pub gaps: u64,
    /// Whether touches are heard; without them only the changes of the screen are recorded.
    pub touches: bool,
    /// Why it had ended by itself before it was told to.
    pub ended_early: Option<String>,
}

/// Why a recording could not be started or ended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// One is running.
    #[error("session {} is being recorded", .0.session)]
    AlreadyInProgress(Recording),
    /// None is running.
    #[error("nothing is being recorded")]
    NotInProgress,
    /// The one that is running is another.
    #[error("session {} is being recorded, not {asked}", .running.session)]
    OtherSession {
        /// The session that is running.
        running: Recording,
        /// The session that was asked for.
        asked: String,
    },
    /// There is no place for the file.
    #[error("no place for recordings: {0}")]
    StorageUnavailable(String),
    /// The file could not be begun; an existing one is never overwritten.
    #[error("the recording could not be started: {0}")]
    StartFailed(String),
    /// The file could not be finished.
    #[error("the recording could not be finished: {message}")]
    StopFailed {
        /// What went wrong.
        message: String,
        /// What is there of it.
        recording: Recording,
    },
}
