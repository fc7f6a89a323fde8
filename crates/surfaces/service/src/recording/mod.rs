//! Recordings: recorder processes for phones that cannot record themselves, and fetching, listing and reading recordings.

mod list;
mod parse;
mod pull;
mod recorder;
mod recorder_process;

use std::path::{Path, PathBuf};

pub use driver_android::Limits;
pub use list::{State, StoredRecording, list};
pub use parse::{OutputFormat, ParseOutput, ParseRequest, parse};
pub use pull::{PullRequest, PullResult, pull};
pub(crate) use recorder::ProcessRecorder;
pub use recorder_process::{RecorderOptions, run_recorder};

/// The file with the id of the session that was stopped last.
const LATEST: &str = "latest";

/// The folder of the recordings of a phone that cannot record itself.
pub(crate) fn folder(root: Option<&Path>, device: &str) -> PathBuf {
    root_of(root).join(crate::runtime::safe_name(device))
}

/// The folder of all recordings.
fn root_of(root: Option<&Path>) -> PathBuf {
    let default = || crate::environment::home().join("recordings");
    root.map_or_else(default, Path::to_owned)
}

/// The file of a session in a folder.
fn file_of(folder: &Path, session: &str) -> PathBuf {
    folder.join(format!("{session}.ndjson"))
}
