//! The recorder: a background process that records a phone.

mod process;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::background::{Launcher, Liveness, ProcessRecord, StopError, reap};
use crate::files;
use crate::runtime::{PrivateFolder, safe_name};
use async_trait::async_trait;
use contract::recording::is_session_id;
use driver::{Cx, DriverError, RecorderReport, Recording, RecordingError, Result};
use driver_android::{AgentForm, EVENT_RECORDER, Recorder};
use serde::{Deserialize, Serialize};

pub use process::{RecorderOptions, run_recorder};

/// How long a recorder may take to complete its file.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause between checks for the record of a recorder that was started.
const START_POLL: Duration = Duration::from_millis(20);

/// The file with the id of the session that was stopped last.
pub(crate) const LATEST: &str = "latest";

/// The folder of a phone's recordings.
pub(crate) fn folder(root: Option<&Path>, device: &str) -> PathBuf {
    root_of(root).join(safe_name(device))
}

/// The folder of all recordings.
pub(crate) fn root_of(root: Option<&Path>) -> PathBuf {
    let default = || crate::environment::home().join("recordings");
    root.map_or_else(default, Path::to_owned)
}

pub(crate) fn file_of(folder: &Path, session: &str) -> PathBuf {
    folder.join(format!("{session}.ndjson"))
}

/// The record of a recorder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) device: String,
    pub(crate) session: String,
    pub(crate) path: PathBuf,
    pub(crate) process: ProcessRecord,
    /// Whether the phone reports its touches and buttons.
    pub(crate) touches: bool,
    /// The outcome of a recorder that ended without a stop order, for the next `stop`.
    #[serde(default)]
    pub(crate) outcome: Option<Outcome>,
}

/// The outcome of a recorder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) events: u64,
    pub(crate) gaps: u64,
    /// Why it ended without a stop order.
    #[serde(default)]
    pub(crate) ended_early: Option<String>,
    /// Why its file is not complete.
    pub(crate) failure: Option<String>,
}

/// Records one phone with a background process.
#[derive(Debug)]
pub(crate) struct ProcessRecorder {
    /// The phone.
    pub(crate) device: String,
    /// The folder of its recordings.
    pub(crate) folder: PathBuf,
    /// The folder of runtime state, which holds the records.
    pub(crate) runtime: PathBuf,
    /// How recorders are started.
    pub(crate) launcher: Launcher,
    /// What reports the events; without it recordings can only be stopped.
    pub(crate) form: Option<AgentForm>,
}

/// The begin and the end of the names of records.
pub(crate) const PREFIX: &str = "recorder-";
pub(crate) const SUFFIX: &str = ".json";

/// Whether this computer records the phone, or has an outcome to report.
pub(crate) fn is_known(runtime: &Path, device: &str) -> bool {
    match PrivateFolder::open(runtime) {
        // `recording stop` reports the problem.
        Ok(Some(folder)) => !matches!(Record::read(&folder, device), Ok(None)),
        Ok(None) => false,
        Err(_) => true,
    }
}

/// The name of the record of the phone's recorder.
pub(crate) fn record_name(device: &str) -> String {
    format!("{PREFIX}{}{SUFFIX}", safe_name(device))
}

impl Record {
    /// Reads the record of the phone's recorder; one in another format counts as none.
    fn read(folder: &PrivateFolder, device: &str) -> std::result::Result<Option<Self>, String> {
        match folder.read_record(&record_name(device)) {
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Ok(None),
            read => read.map_err(|error| folder.failed(error).to_string()),
        }
    }

    /// Whether its process runs.
    pub(crate) async fn is_alive(&self, folder: &PrivateFolder) -> bool {
        self.outcome.is_none() && self.process.liveness(folder).await == Liveness::Alive(())
    }

    /// Removes the record of a recorder that has ended.
    fn remove(&self, folder: &PrivateFolder) -> std::io::Result<()> {
        self.process.remove(folder, &record_name(&self.device))
    }

    /// The answer of `stop`.
    fn stopped(&self, outcome: Outcome) -> Result<Recording> {
        let mut recording = self.recording(outcome.events, outcome.gaps);
        if let Some(recorder) = &mut recording.recorder {
            recorder.ended_early = outcome.ended_early;
        }
        match outcome.failure {
            None => Ok(recording),
            Some(message) => Err(RecordingError::StopFailed {
                message,
                recording: self.recording_from_file(),
            }
            .into()),
        }
    }

    fn recording(&self, events: u64, gaps: u64) -> Recording {
        Recording {
            session: self.session.clone(),
            path: self.path.display().to_string(),
            events,
            recorder: Some(Box::new(RecorderReport {
                name: EVENT_RECORDER.to_owned(),
                gaps,
                touches: self.touches,
                ended_early: None,
            })),
        }
    }

    fn recording_from_file(&self) -> Recording {
        let (events, gaps) = count_events(&self.path);
        self.recording(events, gaps)
    }
}

/// The number of events in a file, and of gaps among them. An incomplete last line, left by a killed recorder, does not count.
fn count_events(path: &Path) -> (u64, u64) {
    let Ok(file) = fs::File::open(path) else {
        return (0, 0);
    };
    let mut lines = BufReader::new(file)
        .split(b'\n')
        .map_while(std::io::Result::ok);
    // Skip the header.
    lines.next();
    lines.fold(
        (0, 0),
        |(events, gaps), line| match serde_json::from_slice::<serde_json::Value>(&line) {
            Ok(event) => (events + 1, gaps + u64::from(event["type"] == "gap")),
            Err(_) => (events, gaps),
        },
    )
}

#[async_trait]
impl Recorder for ProcessRecorder {
    async fn start(&self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        let failed = |message: String| RecordingError::StartFailed(message);
        let Some(form) = self.form else {
            return Err(DriverError::Unsupported("recording without the agent"));
        };
        if let Some(id) = session
            && !is_session_id(id)
        {
            let message =
                format!("invalid session id {id:?} (expected letters, digits, `_` and `-`)");
            return Err(failed(message).into());
        }
        let records = PrivateFolder::make(&self.runtime);
        let records = records.map_err(|error| failed(error.to_string()))?;
        if let Some(record) = Record::read(&records, &self.device).map_err(failed)? {
            if record.is_alive(&records).await {
                return Err(RecordingError::AlreadyInProgress(record.recording_from_file()).into());
            }
            // It has ended or was killed. Its file stays.
            let removed = record.remove(&records);
            removed.map_err(|error| failed(error.to_string()))?;
        }
        files::make_folder(&self.folder).map_err(|error| {
            RecordingError::StorageUnavailable(format!("{}: {error}", self.folder.display()))
        })?;
        let id = session.map_or_else(|| new_id(&self.folder), ToOwned::to_owned);
        let path = file_of(&self.folder, &id);
        if path.exists() {
            return Err(failed(format!("the session {id} already exists")).into());
        }
        let mut child = self.launch(form, &id, &path).map_err(failed)?;
        loop {
            let record = Record::read(&records, &self.device).map_err(failed)?;
            if let Some(record) = record.filter(|record| record.session == id) {
                reap(child);
                return Ok(record.recording(0, 0));
            }
            match child.try_wait() {
                Ok(None) => {}
                Ok(Some(_)) => return Err(failed(start_error(&mut child)).into()),
                Err(error) => return Err(failed(error.to_string()).into()),
            }
            if let Err(end) = cx.sleep(START_POLL).await {
                // The child has recorded nothing yet.
                let _ = child.kill();
                let _ = child.wait();
                return Err(end);
            }
        }
    }

    async fn stop(&self, _: &Cx, session: Option<&str>) -> Result<Recording> {
        let failed = RecordingError::StorageUnavailable;
        let records = PrivateFolder::open(&self.runtime);
        let Some(records) = records.map_err(|error| failed(error.to_string()))? else {
            return Err(RecordingError::NotInProgress.into());
        };
        let record = Record::read(&records, &self.device).map_err(failed)?;
        let Some(record) = record else {
            return Err(RecordingError::NotInProgress.into());
        };
        if let Some(other) = session.filter(|session| *session != record.session) {
            return Err(RecordingError::OtherSession {
                running: record.recording_from_file(),
                asked: other.to_owned(),
            }
            .into());
        }
        if let Some(outcome) = record.outcome.clone() {
            // The outcome is reported once; the next `stop` finds no recording.
            let _ = record.remove(&records);
            return record.stopped(outcome);
        }
        match record.process.stop(&records, STOP_TIMEOUT).await {
            Ok(outcome) => record.stopped(outcome),
            Err(StopError::Failed(error)) => {
                // The process was killed.
                let _ = record.remove(&records);
                let message = format!(
                    "the recorder was killed before it was stopped ({error}); its file has what it recorded until then"
                );
                Err(RecordingError::StopFailed {
                    message,
                    recording: record.recording_from_file(),
                }
                .into())
            }
            Err(StopError::TimedOut) => Err(RecordingError::StopFailed {
                message: format!(
                    "the recorder, process {}, does not answer",
                    record.process.pid
                ),
                recording: record.recording_from_file(),
            }
            .into()),
        }
    }
}

impl ProcessRecorder {
    fn launch(&self, form: AgentForm, id: &str, path: &Path) -> std::result::Result<Child, String> {
        let mut command = self.launcher.command();
        command
            .args(["--device", &self.device, "--session-id", id])
            .args(["--form", form.as_str(), "--out"])
            .arg(path)
            .stdout(Stdio::piped());
        command
            .spawn()
            .map_err(|error| format!("{}: {error}", self.launcher.program.display()))
    }
}

/// Why a recorder did not start: the error that it printed.
fn start_error(child: &mut Child) -> String {
    let mut output = String::new();
    if let Some(out) = child.stdout.take() {
        // The child has ended.
        let _ = out.take(64 * 1024).read_to_string(&mut output);
    }
    let error: Option<contract::ErrorBody> = serde_json::from_str(output.trim()).ok();
    error.map_or_else(
        || "the recorder ended at once".to_owned(),
        |error| format!("{}: {}", error.code, error.message),
    )
}

/// A new id for a session, from the time.
fn new_id(folder: &Path) -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let mut attempt = u64::from(std::process::id());
    loop {
        let id = format!("record-{}-{:08x}", now.as_millis(), attempt & 0xffff_ffff);
        if !file_of(folder, &id).exists() {
            return id;
        }
        attempt += 1;
    }
}
