//! The recordings that this computer keeps, and their states.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use contract::ErrorBody;
use serde::Serialize;
use serde_json::Value;

use crate::Options;
use crate::recorder::{PREFIX, Record, SUFFIX, root_of};
use crate::runtime::{FolderError, PrivateFolder};

/// The longest header that is read, in bytes.
const MAX_HEADER: u64 = 64 * 1024;

/// A recording that this computer keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredRecording {
    pub session_id: String,
    /// The phone.
    pub device_id: String,
    pub state: State,
    /// Why it ended without a stop order, until `stop` has reported it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_early: Option<String>,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// The size of its file.
    pub bytes: u64,
    pub file_path: String,
}

/// The state of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It is running.
    Recording,
    Ended,
    /// Its process was killed.
    Killed,
}

/// The recordings that this computer keeps, of all phones or of one; the newest first.
///
/// # Errors
/// `RUNTIME_FOLDER_UNSAFE` and `INTERNAL_ERROR` when the records of recorders cannot be read.
pub async fn list(
    device: Option<&str>,
    options: &Options,
) -> Result<Vec<StoredRecording>, ErrorBody> {
    let mut found: Vec<StoredRecording> = folders(&root_of(options.recordings.as_deref()))
        .iter()
        .flat_map(|folder| files(folder))
        .filter_map(|file| read(&file))
        .filter(|kept| device.is_none_or(|device| kept.device_id == device))
        .collect();
    for (record, is_alive) in recorders(&options.adb.locks).await? {
        let path = record.path.display().to_string();
        let Some(kept) = found.iter_mut().find(|kept| kept.file_path == path) else {
            continue;
        };
        (kept.state, kept.ended_early) = match record.outcome {
            Some(outcome) => (State::Ended, outcome.failure.or(outcome.ended_early)),
            None if is_alive => (State::Recording, None),
            None => (State::Killed, None),
        };
    }
    found.sort_by(|a, b| (b.started_at, &a.file_path).cmp(&(a.started_at, &b.file_path)));
    Ok(found)
}

/// The entries of a folder; none if there is no folder.
fn entries(folder: &Path) -> impl Iterator<Item = std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.flatten().map(|entry| entry.path())
}

fn folders(root: &Path) -> Vec<std::path::PathBuf> {
    entries(root).filter(|path| path.is_dir()).collect()
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let is_session =
        |path: &std::path::PathBuf| path.extension().is_some_and(|its| its == "ndjson");
    entries(folder).filter(is_session).collect()
}

/// Reads the header of a file; `None` if it is not a recording.
fn read(path: &Path) -> Option<StoredRecording> {
    let file = File::open(path).ok()?;
    let bytes = file.metadata().ok()?.len();
    let mut line = String::new();
    BufReader::new(file.take(MAX_HEADER))
        .read_line(&mut line)
        .ok()?;
    let header: Value = serde_json::from_str(&line).ok()?;
    let text = |key: &str| header.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(StoredRecording {
        session_id: text("sessionId")?,
        device_id: text("deviceId")?,
        state: State::Ended,
        ended_early: None,
        started_at: header.get("startedAt").and_then(Value::as_u64)?,
        bytes,
        file_path: path.display().to_string(),
    })
}

/// The recorders that run or have an outcome to report, and whether they run.
async fn recorders(runtime: &Path) -> Result<Vec<(Record, bool)>, FolderError> {
    let mut found = Vec::new();
    if let Some(folder) = PrivateFolder::open(runtime)? {
        for (name, record) in folder.records::<Record>(SUFFIX)? {
            if name.starts_with(PREFIX) {
                let is_alive = record.is_alive(&folder).await;
                found.push((record, is_alive));
            }
        }
    }
    Ok(found)
}
