//! Pulling a recording: from a phone with the Operator app, or from the recordings of this machine.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use adb::{ErrorKind, Phone};
use contract::recording::is_session_id;
use contract::{ErrorBody, ErrorCode};
use serde::Serialize;

use crate::recorder::{LATEST, file_of, folder};
use crate::{Options, devices, files};

/// The maximal size of a recording, in bytes.
const MAX_SIZE: usize = 4 * 1024 * 1024 * 1024;

/// The maximal length of a header, in bytes.
const MAX_HEADER: u64 = 64 * 1024;

/// A request to pull a recording.
#[derive(Clone, Debug)]
pub struct PullRequest {
    /// The phone; by default the only one.
    pub device: Option<String>,
    /// The session; by default the one that was stopped last.
    pub session: Option<String>,
    /// The folder to copy it into.
    pub out: PathBuf,
    /// The package of the Operator app.
    pub package: String,
}

/// A pulled recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PullResult {
    /// Always true, as the format requires.
    pub ok: bool,
    /// The file.
    pub local_path: String,
    pub session_id: String,
    /// The phone.
    pub device_id: String,
    /// The recorder: `operator`, or the name in the file's header.
    pub recorder: String,
}

/// A session and the location of its file.
enum Location {
    Here(String, PathBuf),
    OnPhone(String, String),
}

/// Copies a recording into a folder. Replaces a file with the same name.
///
/// # Errors
/// `RECORDING_SESSION_NOT_FOUND`, `RECORDING_PULL_FAILED`, `ACTION_NOT_SUPPORTED_HERE` for the embedded phone, and those of
/// naming and opening a phone.
pub async fn pull(pulling: &PullRequest, options: &Options) -> Result<PullResult, ErrorBody> {
    let device = pulling.device.as_deref();
    devices::kind_for(device, options).check_recordings(device)?;
    let device = devices::resolve_name(device, options).await?;
    if let Some(id) = &pulling.session
        && !is_session_id(id)
    {
        let message = format!(
            "invalid session id {:?} (expected letters, digits, `_` and `-`)",
            contract::truncate_input(id)
        );
        return Err(
            ErrorBody::new(ErrorCode::RecordingSessionNotFound, message).with_default_hint()
        );
    }
    let here = folder(options.recordings.as_deref(), &device);
    let found = match &pulling.session {
        Some(id) if file_of(&here, id).is_file() => Location::Here(id.clone(), file_of(&here, id)),
        _ => find(pulling, options, &device, &here).await?,
    };
    files::make_folder(&pulling.out)
        .map_err(|error| failed(&device, &format!("{}: {error}", pulling.out.display())))?;
    let (session, recorder) = match &found {
        Location::Here(session, path) => (session.clone(), recorder_of(path)),
        Location::OnPhone(session, _) => (session.clone(), "operator".to_owned()),
    };
    let target = file_of(&pulling.out, &session);
    let part = files::part_of(&target);
    let fetched = fetch(&found, options, &device, &part).await;
    let unplaced = |why: &str| failed(&device, &format!("{}: {why}", target.display()));
    let placed = fetched.and_then(|()| match files::would_lose(&target, &part) {
        Ok(true) => Err(
            unplaced("it exists and holds something else, so it is not replaced")
                .with_hint("Name another folder with --out, or move the file"),
        ),
        Ok(false) => files::place(&part, &target).map_err(|error| unplaced(&error.to_string())),
        Err(error) => Err(unplaced(&error.to_string())),
    });
    if let Err(error) = placed {
        // Remove the incomplete file, if there is one.
        let _ = fs::remove_file(&part);
        return Err(error);
    }
    Ok(PullResult {
        ok: true,
        local_path: target.display().to_string(),
        session_id: session,
        device_id: device,
        recorder,
    })
}

/// The recorder that the header of a file names.
fn recorder_of(path: &Path) -> String {
    let first = fs::File::open(path).and_then(|file| {
        let mut line = String::new();
        BufReader::new(file).take(MAX_HEADER).read_line(&mut line)?;
        Ok(line)
    });
    let header = first.ok().and_then(|line| {
        let header: serde_json::Value = serde_json::from_str(&line).ok()?;
        Some(header.get("recorder")?.as_str()?.to_owned())
    });
    // `recording parse` reports what is wrong with the file.
    header.unwrap_or_else(|| "unknown".to_owned())
}

async fn fetch(
    found: &Location,
    options: &Options,
    device: &str,
    part: &Path,
) -> Result<(), ErrorBody> {
    let broken = |error: std::io::Error| failed(device, &format!("{}: {error}", part.display()));
    match found {
        Location::Here(_, path) => {
            let copied = File::open(path).and_then(|mut from| {
                let mut to = files::create_new(part)?;
                std::io::copy(&mut from, &mut to)
            });
            copied.map(drop).map_err(broken)
        }
        Location::OnPhone(session, path) => {
            let phone = phone(device, options).await?;
            let mut file = files::create_new(part).map_err(broken)?;
            match phone.pull_to(path, &mut file, MAX_SIZE).await {
                Ok(_) => Ok(()),
                Err(error) if is_missing(&error) => Err(not_found(device, Some(session))),
                Err(error) => Err(failed(device, &error.to_string())),
            }
        }
    }
}

/// Finds a session, on this machine or on the phone; without an id, the one that was stopped last.
async fn find(
    pulling: &PullRequest,
    options: &Options,
    device: &str,
    here: &Path,
) -> Result<Location, ErrorBody> {
    let there = format!(
        "/sdcard/Android/data/{}/files/recordings",
        checked(&pulling.package)?
    );
    if let Some(id) = &pulling.session {
        let path = format!("{there}/{id}.ndjson");
        let phone = phone(device, options).await?;
        let known = phone
            .stat(&path)
            .await
            .map_err(|error| failed(device, &error.to_string()))?;
        return match known {
            Some(_) => Ok(Location::OnPhone(id.clone(), path)),
            None => Err(not_found(device, Some(id))),
        };
    }
    let ours = latest_session(&here.join(LATEST));
    // If the phone cannot be reached, recordings of this machine can still be pulled.
    let theirs = match phone(device, options).await {
        Ok(phone) => latest(&phone, &there).await,
        Err(_) if ours.is_some() => None,
        Err(error) => return Err(error),
    };
    match (ours, theirs) {
        (Some((id, at)), theirs) if theirs.as_ref().is_none_or(|(_, other)| at >= *other) => {
            let path = file_of(here, &id);
            Ok(Location::Here(id, path))
        }
        (_, Some((id, _))) => {
            let path = format!("{there}/{id}.ndjson");
            Ok(Location::OnPhone(id, path))
        }
        (_, None) => Err(not_found(device, None)),
    }
}

/// The latest session on this machine, and when it was stopped, in seconds since 1970.
fn latest_session(path: &Path) -> Option<(String, u64)> {
    let id = fs::read_to_string(path).ok()?.trim().to_owned();
    let written = fs::metadata(path).ok()?.modified().ok()?;
    let at = written.duration_since(UNIX_EPOCH).ok()?.as_secs();
    is_session_id(&id).then_some((id, at))
}

/// The latest session on the phone.
async fn latest(phone: &Phone, folder: &str) -> Option<(String, u64)> {
    let path = format!("{folder}/{LATEST}");
    let stat = phone.stat(&path).await.ok()??;
    let id = phone.pull(&path, 4096).await.ok()?;
    let id = String::from_utf8(id).ok()?.trim().to_owned();
    is_session_id(&id).then_some((id, stat.modified))
}

async fn phone(device: &str, options: &Options) -> Result<Phone, ErrorBody> {
    crate::phone::connection::reach(
        device,
        &options.adb,
        crate::phone::connection::RECONNECT_TIMEOUT,
    )
    .await
}

fn checked(package: &str) -> Result<&str, ErrorBody> {
    match driver_android::check_package(package) {
        Ok(()) => Ok(package),
        Err(error) => Err(ErrorBody::new(
            ErrorCode::Usage,
            format!("the package of the Operator app: {error}"),
        )
        .with_hint("Correct --operator-package or CLAWPERATOR_OPERATOR_PACKAGE")),
    }
}

fn is_missing(error: &adb::Error) -> bool {
    matches!(&error.kind, ErrorKind::Refused(output) if output.contains("No such file"))
}

fn not_found(device: &str, session: Option<&str>) -> ErrorBody {
    let message = match session {
        Some(id) => format!("{device} has no recording {id}, nor has this computer"),
        None => {
            format!("{device} has no recording that was stopped, nor has this computer")
        }
    };
    ErrorBody::new(ErrorCode::RecordingSessionNotFound, message)
        .with_default_hint()
        .with_detail("deviceId", device)
}

fn failed(device: &str, why: &str) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::RecordingPullFailed,
        format!("the recording could not be pulled: {why}"),
    )
    .with_default_hint()
    .with_detail("deviceId", device)
}
