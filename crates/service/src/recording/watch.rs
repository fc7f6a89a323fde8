//! Being the recorder of a phone, until somebody says that it is enough.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use contract::recording::is_session_id;
use contract::{ErrorBody, ErrorCode};
use driver_android::{Hears, Moment, Session, Tally};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::LATEST;
use super::keeper::{Ended, Record, STOP, record_path};
use crate::Options;

/// What is to be recorded.
#[derive(Clone, Debug)]
pub struct Watching {
    /// The phone's serial.
    pub device: String,
    /// The session's id.
    pub session: String,
    /// The file, which must not be there yet.
    pub out: PathBuf,
}

/// Records a phone in this process until it is told to end, or `ends` is ready.
///
/// # Errors
/// Those of opening the phone; `RECORDING_START_FAILED` when the file is there already or cannot be begun,
/// `INTERNAL_ERROR` when its record cannot be kept.
pub async fn watch(
    watching: &Watching,
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
    let phone = crate::android::reach(&watching.device, &options.adb).await?;
    let shown = watching.out.display().to_string();
    let begin = || {
        if let Some(folder) = watching.out.parent() {
            fs::create_dir_all(folder)?;
        }
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&watching.out)
    };
    let mut file = begin().map_err(|error| failed(format!("{shown}: {error}")))?;
    let control = TcpListener::bind(("127.0.0.1", 0))
        .await
        .map_err(|error| failed(error.to_string()))?;
    let port = control
        .local_addr()
        .map_err(|error| failed(error.to_string()))?
        .port();
    let secret = crate::sim::running::secret();
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let session = Session {
        id: watching.session.clone(),
        serial: watching.device.clone(),
        epoch_ms: u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
    };
    let mut record = Record {
        device: watching.device.clone(),
        session: watching.session.clone(),
        path: std::path::absolute(&watching.out).unwrap_or_else(|_| watching.out.clone()),
        pid: std::process::id(),
        control: port,
        secret,
        touches: false,
    };
    let secret = record.secret.clone();
    let place = record_path(&options.adb.locks, &watching.device);
    let mut kept = Ok(());
    let stop = CancellationToken::new();
    let mut write = |line: &str| line_into(&mut file, line);
    let mut told = |moment| {
        if let Moment::Ready(hears) = moment {
            record.touches = hears == Hears::Touches;
            kept = keep(&place, &record);
            if kept.is_err() {
                // Nobody could ever tell it to end.
                stop.cancel();
            }
        }
    };
    let mut orderer = None;
    let ended = {
        let recording =
            driver_android::record(phone, &session, stop.clone(), &mut write, &mut told);
        let mut recording = std::pin::pin!(recording);
        let told = async {
            tokio::select! {
                socket = orders(&control, &secret) => Some(socket),
                () = ends => None,
            }
        };
        tokio::select! {
            ended = &mut recording => ended,
            socket = told => {
                orderer = socket;
                stop.cancel();
                recording.await
            }
        }
    };
    let trouble = match ended {
        Ok(tally) => finish(&file, watching).map(|()| tally),
        Err(error) => Err(error.to_string()),
    };
    // Whoever is told that it has ended finds no record of it any more.
    if kept.is_ok() {
        let _ = fs::remove_file(&place);
    }
    if let Some(mut socket) = orderer {
        let (Tally { events, gaps }, trouble) = match &trouble {
            Ok(tally) => (*tally, None),
            Err(why) => (Tally::default(), Some(why.clone())),
        };
        let ended = Ended {
            events,
            gaps,
            trouble,
        };
        let answer = serde_json::to_vec(&ended).unwrap_or_default();
        // Whether the answer arrives changes nothing.
        let _ = socket.write_all(&answer).await;
        let _ = socket.shutdown().await;
    }
    kept.map_err(|error| {
        let message = format!("the recorder cannot be kept in mind: {error}");
        ErrorBody::new(ErrorCode::InternalError, message)
            .with_hint("Set XDG_RUNTIME_DIR to a folder that can be written")
    })?;
    trouble.map(|_| ()).map_err(|why| {
        ErrorBody::new(ErrorCode::RecordingStopFailed, why).with_detail("filePath", shown)
    })
}

/// Writes a line, whole, so that it is there whatever happens next.
fn line_into(file: &mut File, line: &str) -> Result<(), String> {
    let mut bytes = Vec::with_capacity(line.len() + 1);
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    file.write_all(&bytes).map_err(|error| error.to_string())
}

/// Ends the file, and makes its session the latest one.
fn finish(file: &File, watching: &Watching) -> Result<(), String> {
    let folder = watching.out.parent().unwrap_or(Path::new(""));
    file.sync_all()
        .and_then(|()| fs::write(folder.join(LATEST), &watching.session))
        .map_err(|error| error.to_string())
}

/// Writes the record so that nobody else can read it, whole or not at all.
fn keep(place: &Path, record: &Record) -> std::io::Result<()> {
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    let part = place.with_extension(format!("{}.part", record.pid));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let text = serde_json::to_vec(record).map_err(std::io::Error::other)?;
    options.open(&part)?.write_all(&text)?;
    fs::rename(&part, place)
}

/// Waits for the order to end; gives the connection on which it is to be answered.
async fn orders(control: &TcpListener, secret: &str) -> TcpStream {
    loop {
        let Ok((mut socket, _)) = control.accept().await else {
            tokio::task::yield_now().await;
            continue;
        };
        let mut line = String::new();
        let limited = tokio::io::AsyncReadExt::take(&mut socket, 256);
        let mut reader = BufReader::new(limited);
        let heard = reader.read_line(&mut line);
        let within = std::time::Duration::from_secs(5);
        // Who says nothing for long, or something else, is not listened to any more.
        if let Ok(Ok(_)) = tokio::time::timeout(within, heard).await
            && line.trim_end().strip_prefix(STOP) == Some(secret)
        {
            return socket;
        }
    }
}
