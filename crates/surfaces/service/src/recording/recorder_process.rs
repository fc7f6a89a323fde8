//! Being the recorder of a phone, until somebody says that it is enough.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use contract::recording::is_session_id;
use contract::{ErrorBody, ErrorCode};
use driver_android::{EventCounts, Limits, RecordingEvent, RecordingResult, Session, TouchSupport};
use tokio::io::AsyncWriteExt;
use tokio_util::sync::CancellationToken;

use super::LATEST;
use super::recorder::{Ended, Record, record_name};
use crate::Options;
use crate::control::Control;
use crate::files;
use crate::runtime::{PrivateFolder, Stream};

/// What is to be recorded.
#[derive(Clone, Debug)]
pub struct RecorderOptions {
    /// The phone's serial.
    pub device: String,
    /// The session's id.
    pub session: String,
    /// The file, which must not be there yet.
    pub out: PathBuf,
    /// Where it ends by itself.
    pub limits: Limits,
}

/// Records a phone in this process until it is told to end, `ends` is ready, or one of its limits is reached. When nobody
/// told it to end, its record stays for whoever does so later, and says why it had ended.
///
/// # Errors
/// Those of opening the phone; `RECORDING_START_FAILED` when the file is there already or cannot be begun,
/// `INTERNAL_ERROR` when its record cannot be kept.
pub async fn run_recorder(
    watching: &RecorderOptions,
    options: &Options,
    ends: impl Future<Output = ()>,
) -> Result<(), ErrorBody> {
    let failed = |why: String| ErrorBody::new(ErrorCode::RecordingStartFailed, why);
    if !is_session_id(&watching.session) {
        return Err(failed(format!(
            "{:?} is no id of a session",
            watching.session
        )));
    }
    let phone =
        crate::android::reach(&watching.device, &options.adb, crate::android::FOUND_AGAIN).await?;
    let shown = watching.out.display().to_string();
    let begin = || {
        if let Some(folder) = watching.out.parent() {
            files::make_folder(folder)?;
        }
        files::create_new(&watching.out)
    };
    let mut file = begin().map_err(|error| failed(format!("{shown}: {error}")))?;
    let folder = PrivateFolder::make(&options.adb.locks)?;
    let name = record_name(&watching.device);
    let control = Control::open(&folder)
        .await
        .map_err(|error| failed(error.to_string()))?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let session = Session {
        id: watching.session.clone(),
        serial: watching.device.clone(),
        epoch_ms: u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
        limits: watching.limits,
    };
    let mut record = Record {
        device: watching.device.clone(),
        session: watching.session.clone(),
        path: std::path::absolute(&watching.out).unwrap_or_else(|_| watching.out.clone()),
        pid: std::process::id(),
        control: control.address().clone(),
        secret: control.secret().to_owned(),
        touches: false,
        ended: None,
    };
    let mut kept = None;
    let stop = CancellationToken::new();
    let mut write = |line: &str| line_into(&mut file, line);
    let mut told = |moment| {
        if let RecordingEvent::Ready(hears) = moment {
            record.touches = hears == TouchSupport::Touches;
            let written = folder.write_record(&name, &record);
            if written.is_err() {
                // Nobody could ever tell it to end.
                stop.cancel();
            }
            kept = Some(written);
        }
    };
    let mut told_to = None;
    let ended = {
        let recording =
            driver_android::record(phone, &session, stop.clone(), &mut write, &mut told);
        let mut recording = std::pin::pin!(recording);
        let order = async {
            tokio::select! {
                socket = control.ordered() => ToldTo::End(socket),
                () = ends => ToldTo::Quit,
            }
        };
        tokio::select! {
            ended = &mut recording => ended,
            order = order => {
                told_to = Some(order);
                stop.cancel();
                recording.await
            }
        }
    };
    let finished = ended
        .map_err(|error| error.to_string())
        .and_then(|finished| finish(&file, watching).map(|()| finished));
    let RecordingResult { tally, limit } = finished.clone().unwrap_or(RecordingResult {
        tally: EventCounts::default(),
        limit: None,
    });
    let early = match &told_to {
        Some(ToldTo::Quit) => Some("its process was told to end".to_owned()),
        Some(ToldTo::End(_)) | None => limit.map(|limit| limit.to_string()),
    };
    let ended = Ended {
        events: tally.events,
        gaps: tally.gaps,
        early,
        trouble: finished.clone().err(),
    };
    if let Some(ToldTo::End(mut socket)) = told_to {
        // Whoever is told that it has ended finds no record of it any more.
        let _ = folder.remove(&name);
        let answer = serde_json::to_vec(&ended).unwrap_or_default();
        // Whether the answer arrives changes nothing.
        let _ = socket.write_all(&answer).await;
        let _ = socket.shutdown().await;
    } else if let Some(Ok(())) = kept {
        record.ended = Some(ended);
        kept = Some(folder.write_record(&name, &record));
    }
    kept.unwrap_or(Ok(())).map_err(|error| {
        let message = format!("the record of the recorder cannot be written: {error}");
        ErrorBody::new(ErrorCode::InternalError, message)
            .with_hint("Set XDG_RUNTIME_DIR to a folder that can be written")
    })?;
    finished.map(|_| ()).map_err(|why| {
        ErrorBody::new(ErrorCode::RecordingStopFailed, why).with_detail("filePath", shown)
    })
}

/// Who told a recorder to end.
enum ToldTo {
    /// Somebody who waits for the answer.
    End(Stream),
    /// The system, or a person at its terminal.
    Quit,
}

/// Writes a line, whole, so that it is there whatever happens next.
fn line_into(file: &mut File, line: &str) -> Result<(), String> {
    let mut bytes = Vec::with_capacity(line.len() + 1);
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    file.write_all(&bytes).map_err(|error| error.to_string())
}

/// Ends the file, and makes its session the latest one.
fn finish(file: &File, watching: &RecorderOptions) -> Result<(), String> {
    let folder = watching.out.parent().unwrap_or(Path::new(""));
    file.sync_all()
        .and_then(|()| files::replace(&folder.join(LATEST), watching.session.as_bytes()))
        .map_err(|error| error.to_string())
}
