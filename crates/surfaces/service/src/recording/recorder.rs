//! Starting and ending the process that records a phone, whoever started it: each is known by a record in the user's
//! folder, and takes orders from whoever knows the record's secret. Nothing is ended by its number.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::file_of;
use crate::control::{self, Liveness};
use crate::files;
use crate::launcher::Launcher;
use crate::runtime::{Address, PrivateFolder};
use async_trait::async_trait;
use contract::recording::is_session_id;
use driver::{Cx, DriverError, Polling, Recording, RecordingError, Result};
use driver_android::{RECORDER, Recorder};
use serde::{Deserialize, Serialize};

/// How long a recorder is given to end its file.
const ANSWER: Duration = Duration::from_secs(10);
/// How often it is looked whether a process has begun.
const LOOK: Duration = Duration::from_millis(20);

/// What is known of a recorder to whoever may end it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) device: String,
    pub(super) session: String,
    pub(super) path: PathBuf,
    pub(super) pid: u32,
    /// Where it takes orders.
    pub(super) control: Address,
    /// What proves that an order comes from its user.
    pub(super) secret: String,
    /// Whether it hears touches.
    pub(super) touches: bool,
    /// Set when it has ended although nobody told it to: its process is gone, and what became of it is not lost.
    #[serde(default)]
    pub(super) ended: Option<Ended>,
}

/// What a recorder leaves when it has ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Ended {
    pub(super) events: u64,
    pub(super) gaps: u64,
    /// Why it ended before it was told to.
    #[serde(default)]
    pub(super) early: Option<String>,
    /// What went wrong with the file, if anything did.
    pub(super) trouble: Option<String>,
}

/// Keeps the recordings of one phone.
#[derive(Debug)]
pub(crate) struct ProcessRecorder {
    /// The phone.
    pub(crate) device: String,
    /// The folder of its recordings.
    pub(crate) folder: PathBuf,
    /// The folder of runtime state, in which the records lie.
    pub(crate) runtime: PathBuf,
    /// How a recorder is started; nobody who embeds the service has to have one.
    pub(crate) launcher: Option<Launcher>,
}

/// How the names of records begin, and how they end.
pub(super) const BEGIN: &str = "recorder-";
pub(super) const END: &str = ".json";

/// The name of the record of the phone's recorder.
pub(super) fn record_name(device: &str) -> String {
    format!("{BEGIN}{}{END}", crate::lock::safe_name(device))
}

impl Record {
    /// That of the phone's recorder; one that is not understood is none.
    fn read(folder: &PrivateFolder, device: &str) -> std::result::Result<Option<Self>, String> {
        match folder.read_record(&record_name(device)) {
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Ok(None),
            read => read.map_err(|error| folder.failed(error).to_string()),
        }
    }

    /// Whether its process still takes orders.
    pub(super) async fn is_alive(&self, folder: &PrivateFolder) -> bool {
        self.ended.is_none() && control::is_there(folder, &self.control).await == Liveness::Alive
    }

    /// Removes the record of a recorder that has ended, and what it left.
    fn remove(&self, folder: &PrivateFolder) -> std::io::Result<()> {
        self.control.remove(folder)?;
        folder.remove(&record_name(&self.device))
    }

    /// What `stop` says of a recording that ended so.
    fn told(&self, ended: Ended) -> Result<Recording> {
        let mut recording = self.recording(ended.events, ended.gaps);
        if let Some(polling) = &mut recording.polling {
            polling.ended_early = ended.early;
        }
        match ended.trouble {
            None => Ok(recording),
            // What the file holds all the same, it says itself.
            Some(message) => Err(RecordingError::StopFailed {
                message,
                recording: self.found(),
            }
            .into()),
        }
    }

    fn recording(&self, events: u64, gaps: u64) -> Recording {
        Recording {
            session: self.session.clone(),
            path: self.path.display().to_string(),
            events,
            polling: Some(Box::new(Polling {
                recorder: RECORDER.to_owned(),
                gaps,
                touches: self.touches,
                ended_early: None,
            })),
        }
    }

    /// What the file holds, however it came to its end.
    fn found(&self) -> Recording {
        let (events, gaps) = counted(&self.path);
        self.recording(events, gaps)
    }
}

/// How many events a file holds, and how many of them are gaps. The last line of a recorder that was killed may not be
/// whole, and is none then.
fn counted(path: &Path) -> (u64, u64) {
    let Ok(file) = fs::File::open(path) else {
        return (0, 0);
    };
    let mut lines = BufReader::new(file)
        .split(b'\n')
        .map_while(std::io::Result::ok);
    // The header.
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
        let Some(launcher) = &self.launcher else {
            return Err(DriverError::Unsupported("recording"));
        };
        if let Some(id) = session
            && !is_session_id(id)
        {
            let message = format!("a session's id holds letters, digits, `_` and `-`, not {id:?}");
            return Err(failed(message).into());
        }
        let records = PrivateFolder::make(&self.runtime);
        let records = records.map_err(|error| failed(error.to_string()))?;
        if let Some(record) = Record::read(&records, &self.device).map_err(failed)? {
            if record.is_alive(&records).await {
                return Err(RecordingError::AlreadyInProgress(record.found()).into());
            }
            // It has ended, or its process was killed; what it had recorded stays where it is.
            let removed = record.remove(&records);
            removed.map_err(|error| failed(error.to_string()))?;
        }
        files::make_folder(&self.folder).map_err(|error| {
            RecordingError::StorageUnavailable(format!("{}: {error}", self.folder.display()))
        })?;
        let id = session.map_or_else(|| new_id(&self.folder), ToOwned::to_owned);
        let path = file_of(&self.folder, &id);
        if path.exists() {
            return Err(failed(format!("there is already a session {id}")).into());
        }
        let mut child = self.launch(launcher, &id, &path).map_err(failed)?;
        loop {
            let record = Record::read(&records, &self.device).map_err(failed)?;
            if let Some(record) = record.filter(|record| record.session == id) {
                // Who stays longer than it must not keep what is left of it.
                std::thread::spawn(move || child.wait());
                return Ok(record.recording(0, 0));
            }
            match child.try_wait() {
                Ok(None) => {}
                Ok(Some(_)) => return Err(failed(last_words(&mut child)).into()),
                Err(error) => return Err(failed(error.to_string()).into()),
            }
            if let Err(end) = cx.sleep(LOOK).await {
                // Nobody waits for it any more; it is our own child, and has recorded nothing yet.
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
        if let Some(asked) = session.filter(|asked| *asked != record.session) {
            return Err(RecordingError::OtherSession {
                running: record.found(),
                asked: asked.to_owned(),
            }
            .into());
        }
        if let Some(ended) = record.ended.clone() {
            // It is told once; the next `stop` finds nothing that runs.
            let _ = record.remove(&records);
            return record.told(ended);
        }
        match tokio::time::timeout(ANSWER, order(&records, &record)).await {
            Ok(Ok(ended)) => record.told(ended),
            Ok(Err(error)) => {
                // Nobody takes its orders: its process has ended without a word.
                let _ = record.remove(&records);
                let message = format!(
                    "the recorder was killed before it was told to end ({error}); what it had recorded until then is kept"
                );
                Err(RecordingError::StopFailed {
                    message,
                    recording: record.found(),
                }
                .into())
            }
            Err(_) => Err(RecordingError::StopFailed {
                message: format!("the recorder, process {}, does not answer", record.pid),
                recording: record.found(),
            }
            .into()),
        }
    }
}

impl ProcessRecorder {
    fn launch(
        &self,
        launcher: &Launcher,
        id: &str,
        path: &Path,
    ) -> std::result::Result<Child, String> {
        let mut command = launcher.command();
        command
            .args(["--device", &self.device, "--session-id", id, "--out"])
            .arg(path)
            .stdout(Stdio::piped());
        command
            .spawn()
            .map_err(|error| format!("{}: {error}", launcher.program.display()))
    }
}

/// Tells a recorder to end, and waits until it has.
async fn order(folder: &PrivateFolder, record: &Record) -> std::io::Result<Ended> {
    let said = control::order(folder, &record.control, &record.secret).await?;
    serde_json::from_str(&said)
        .map_err(|_| std::io::Error::other("another process answers in its place"))
}

/// Why a recorder did not start: the error that it printed.
fn last_words(child: &mut Child) -> String {
    let mut said = String::new();
    if let Some(out) = child.stdout.take() {
        // What it said is all there is to know; it has ended.
        let _ = out.take(64 * 1024).read_to_string(&mut said);
    }
    let error: Option<contract::ErrorBody> = serde_json::from_str(said.trim()).ok();
    error.map_or_else(
        || "the recorder ended at once".to_owned(),
        |error| format!("{}: {}", error.code, error.message),
    )
}

/// A name for a session that has none: from the time, and unlike those that are there.
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
