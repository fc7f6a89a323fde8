//! The process that records a phone until it is stopped.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use contract::recording::is_session_id;
use contract::{ErrorBody, ErrorCode};
use driver_android::{
    AgentForm, AgentSource, EventCounts, Limits, RecordingEvent, RecordingResult, Session,
    TouchSupport,
};
use tokio_util::sync::CancellationToken;

use super::{LATEST, Outcome, Record, record_name};
use crate::Options;
use crate::background::{ControlSocket, RecordFile, StopRequest};
use crate::files;
use crate::runtime::PrivateFolder;

#[derive(Clone, Debug)]
pub struct RecorderOptions {
    /// The phone's serial.
    pub device: String,
    /// The session's id.
    pub session: String,
    /// The file to create.
    pub out: PathBuf,
    /// The limits that end the recording.
    pub limits: Limits,
    /// What reports the events.
    pub form: AgentForm,
}

/// Records a phone in this process until a stop order arrives, `ends` is ready, or a limit is reached. Without a stop order,
/// the record stays with the outcome for the next `stop`.
///
/// # Errors
/// Those of opening the phone; `RECORDING_START_FAILED` when the file exists or cannot be created, `INTERNAL_ERROR` when the
/// record cannot be written.
pub async fn run_recorder(
    recorder: &RecorderOptions,
    options: &Options,
    ends: impl Future<Output = ()>,
) -> Result<(), ErrorBody> {
    let failed = |message: String| ErrorBody::new(ErrorCode::RecordingStartFailed, message);
    if !is_session_id(&recorder.session) {
        return Err(failed(format!("invalid session id {:?}", recorder.session)));
    }
    let phone = crate::phone::connection::reach(
        &recorder.device,
        &options.adb,
        crate::phone::connection::RECONNECT_TIMEOUT,
    )
    .await?;
    let path = recorder.out.display().to_string();
    let create = || {
        if let Some(folder) = recorder.out.parent() {
            files::make_folder(folder)?;
        }
        files::create_new(&recorder.out)
    };
    let mut file = create().map_err(|error| failed(format!("{path}: {error}")))?;
    let folder = PrivateFolder::make(&options.adb.locks)?;
    let control = ControlSocket::open(&folder).await;
    let control = control.map_err(|error| failed(error.to_string()))?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let session = Session {
        id: recorder.session.clone(),
        serial: recorder.device.clone(),
        epoch_ms: u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
        limits: recorder.limits,
    };
    let mut record = Record {
        device: recorder.device.clone(),
        session: recorder.session.clone(),
        path: std::path::absolute(&recorder.out).unwrap_or_else(|_| recorder.out.clone()),
        process: control.process(),
        touches: false,
        outcome: None,
    };
    let mut record_file = None;
    let stop = CancellationToken::new();
    let mut write = |line: &str| write_line(&mut file, line);
    let mut on_event = |event| {
        if let RecordingEvent::Ready(support) = event {
            record.touches = support == TouchSupport::Touches;
            let written = RecordFile::write(&folder, record_name(&recorder.device), &record);
            if written.is_err() {
                // Without a record it could not be stopped.
                stop.cancel();
            }
            record_file = Some(written);
        }
    };
    let mut cause = None;
    let recorded = {
        let source = match recorder.form {
            AgentForm::Agent => crate::phone::attach::agent(),
            AgentForm::App => AgentSource::App,
        };
        let recording = driver_android::record(
            phone,
            source,
            &session,
            stop.clone(),
            &mut write,
            &mut on_event,
        );
        let mut recording = std::pin::pin!(recording);
        let stopped = async {
            tokio::select! {
                request = control.stop_request() => StopCause::Order(request),
                () = ends => StopCause::Signal,
            }
        };
        tokio::select! {
            recorded = &mut recording => recorded,
            stopped = stopped => {
                cause = Some(stopped);
                stop.cancel();
                recording.await
            }
        }
    };
    let finished = recorded
        .map_err(|error| error.to_string())
        .and_then(|result| finish(&file, recorder).map(|()| result));
    let RecordingResult { tally, limit } = finished.clone().unwrap_or(RecordingResult {
        tally: EventCounts::default(),
        limit: None,
    });
    let ended_early = match &cause {
        Some(StopCause::Signal) => Some("a signal ended its process".to_owned()),
        Some(StopCause::Order(_)) | None => limit.map(|limit| limit.to_string()),
    };
    let outcome = Outcome {
        events: tally.events,
        gaps: tally.gaps,
        ended_early,
        failure: finished.clone().err(),
    };
    let written = match (record_file.transpose(), cause) {
        (Ok(record_file), Some(StopCause::Order(request))) => {
            // The record is gone when the client reads the answer.
            drop(record_file);
            request.answer(&outcome).await;
            Ok(())
        }
        (Ok(Some(record_file)), _) => {
            record.outcome = Some(outcome);
            record_file.replace(&record)
        }
        (Ok(None), _) => Ok(()),
        (Err(error), _) => Err(error),
    };
    written.map_err(|error| {
        let message = format!("the record of the recorder cannot be written: {error}");
        ErrorBody::new(ErrorCode::InternalError, message)
            .with_hint("Set XDG_RUNTIME_DIR to a writable folder")
    })?;
    finished.map(|_| ()).map_err(|message| {
        ErrorBody::new(ErrorCode::RecordingStopFailed, message).with_detail("filePath", path)
    })
}

/// Why a recorder stops before a limit.
enum StopCause {
    /// A client waits for the answer.
    Order(StopRequest),
    /// The process received a signal.
    Signal,
}

/// Writes a line with one call, so that a killed recorder leaves whole lines.
fn write_line(file: &mut File, line: &str) -> Result<(), String> {
    let mut bytes = Vec::with_capacity(line.len() + 1);
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    file.write_all(&bytes).map_err(|error| error.to_string())
}

/// Syncs the file and makes its session the latest one.
fn finish(file: &File, recorder: &RecorderOptions) -> Result<(), String> {
    let folder = recorder.out.parent().unwrap_or(Path::new(""));
    file.sync_all()
        .and_then(|()| files::replace(&folder.join(LATEST), recorder.session.as_bytes()))
        .map_err(|error| error.to_string())
}
