//! Recordings: those of phones that cannot record themselves are kept by processes of this machine; all of them are
//! fetched and read here.

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

/// The file that names the session that was stopped last.
const LATEST: &str = "latest";

/// Where recordings of phones lie that cannot record themselves: one folder for each phone in the user's own.
pub(crate) fn folder(root: Option<&Path>, device: &str) -> PathBuf {
    root_of(root).join(crate::lock::safe_name(device))
}

/// Where all of them lie.
fn root_of(root: Option<&Path>) -> PathBuf {
    let usual = || crate::environment::home().join("recordings");
    root.map_or_else(usual, Path::to_owned)
}

/// The file of a session in a folder.
fn file_of(folder: &Path, session: &str) -> PathBuf {
    folder.join(format!("{session}.ndjson"))
}
