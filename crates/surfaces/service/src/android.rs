//! Phones over adb: which there are, which one is meant, how one is opened.

use std::sync::Arc;
use std::time::Duration;

use adb::client::direct::{DirectLink, Timeouts};
use adb::client::server::{ListedDevice, Server, ServerLink};
use adb::{ErrorKind, key};
use contract::{ErrorBody, ErrorCode};
use driver::DriverError;

use crate::Device;
use crate::environment::AdbSetup;

/// The state of a phone that is ready.
pub(crate) const READY: &str = "device";
/// How long a phone is waited for that the server has lost just now.
pub(crate) const FOUND_AGAIN: Duration = Duration::from_secs(3);

/// How long somebody is given to allow this computer on a phone that does not know it; shorter than opening a phone may take,
/// so that there is time to say so.
const ALLOWED_WITHIN: Duration = Duration::from_secs(12);

/// The phones that adb knows, ready or not.
///
/// # Errors
/// `ADB_NOT_FOUND`, `ADB_SERVER_FAILED`.
pub(crate) async fn phones(setup: &AdbSetup) -> Result<Vec<Device>, ErrorBody> {
    let listed = list(setup).await?;
    Ok(listed
        .into_iter()
        .map(|phone| Device::new(phone.serial, phone.state))
        .collect())
}

pub(crate) async fn list(setup: &AdbSetup) -> Result<Vec<ListedDevice>, ErrorBody> {
    let server = server(setup)?;
    let listed = match server.devices().await {
        Err(error) if matches!(error.kind, ErrorKind::NoServer { .. }) => {
            start_server(&server, setup)
                .await
                .map_err(|error| refusal(&error))?;
            server.devices().await
        }
        listed => listed,
    };
    listed.map_err(|error| refusal(&error))
}

/// Starts the server where none runs, and tells it of the simulated phones that were started for it; whether it was us.
///
/// # Errors
/// `NoProgram`, `NotStarted`, `NoServer`.
pub(crate) async fn start_server(server: &Server, setup: &AdbSetup) -> adb::Result<bool> {
    let started = server.ensure(&setup.places).await?;
    if started {
        crate::log::event(
            crate::log::Level::Info,
            "adb.server.started",
            "no adb server ran, so one was started",
            &[],
        );
        crate::sim::running::attach_all(setup).await;
    }
    Ok(started)
}

pub(crate) fn server(setup: &AdbSetup) -> Result<Server, ErrorBody> {
    match &setup.server {
        Ok(address) => Ok(Server::at(address.clone())),
        Err(why) => {
            Err(ErrorBody::new(ErrorCode::Usage, why.clone())
                .with_hint("Mend or unset the variable"))
        }
    }
}

/// The one phone that is ready, where none was named.
///
/// # Errors
/// `NO_DEVICES`, `MULTIPLE_DEVICES_DEVICE_ID_REQUIRED`, `DEVICE_UNAUTHORIZED` and `DEVICE_OFFLINE` where none is ready, and
/// those of the server.
pub(crate) async fn only(setup: &AdbSetup) -> Result<String, ErrorBody> {
    let listed = match list(setup).await {
        Ok(listed) => listed,
        // Whoever has no adb has no phone either, and may not want one.
        Err(error) if error.code == ErrorCode::AdbNotFound => {
            return Err(none().with_detail("adb", error.message));
        }
        Err(error) => return Err(error),
    };
    let ready: Vec<&ListedDevice> = listed.iter().filter(|phone| phone.state == READY).collect();
    match (ready.as_slice(), listed.as_slice()) {
        ([one], _) => Ok(one.serial.clone()),
        ([], []) => Err(none()),
        ([], [one])
            if is_found_again(&server(setup)?, &one.serial, &one.state, FOUND_AGAIN).await =>
        {
            Ok(one.serial.clone())
        }
        ([], [one]) => Err(not_ready(&one.serial, &one.state)),
        ([], several) => {
            let states: Vec<String> = several
                .iter()
                .map(|phone| format!("{} is {}", phone.serial, phone.state))
                .collect();
            let first = first_to_mend(several)
                .map_or_else(none, |phone| not_ready(&phone.serial, &phone.state));
            Err(first.with_detail("states", states))
        }
        (several, _) => {
            let serials: Vec<&str> = several.iter().map(|phone| phone.serial.as_str()).collect();
            let message = format!(
                "{} devices are connected: {}",
                serials.len(),
                serials.join(", ")
            );
            Err(ErrorBody::new(ErrorCode::MultipleDevices, message)
                .with_hint(format!(
                    "Add --device {}, or another of them",
                    serials.first().copied().unwrap_or_default()
                ))
                .with_detail("devices", serials))
        }
    }
}

fn none() -> ErrorBody {
    ErrorBody::new(ErrorCode::NoDevices, "no device is connected").with_hint(
        "Connect a phone with USB debugging switched on, start an emulator, or add `--device sim` to run on the embedded \
         phone, which needs nothing; `clawperator doctor` says what is missing",
    )
}

/// Of several phones that are not ready, the one about which most can be done: it only waits for somebody to allow it.
pub(crate) fn first_to_mend(phones: &[ListedDevice]) -> Option<&ListedDevice> {
    let asks = phones.iter().find(|phone| is_unauthorized(&phone.state));
    asks.or_else(|| phones.first())
}

fn is_unauthorized(state: &str) -> bool {
    matches!(state, "unauthorized" | "authorizing")
}

/// A phone that adb lists and that cannot be used.
pub(crate) fn not_ready(serial: &str, state: &str) -> ErrorBody {
    let code = match state {
        state if is_unauthorized(state) => ErrorCode::DeviceUnauthorized,
        state if state.starts_with("no permissions") => ErrorCode::AdbNoUsbPermissions,
        _ => ErrorCode::DeviceOffline,
    };
    ErrorBody::new(code, format!("{serial} is {state}"))
        .with_default_hint()
        .with_detail("deviceId", serial)
        .with_detail("state", state)
}

/// The way to a phone by its serial. One of the form `host:port` that no server knows is reached without one where there
/// is no adb; one that the server has just lost is waited for as long as `patience` says.
///
/// # Errors
/// `DEVICE_NOT_FOUND`, `DEVICE_UNAUTHORIZED`, `DEVICE_OFFLINE`, `ADB_NO_USB_PERMISSIONS`, and those of the server.
pub(crate) async fn reach(
    serial: &str,
    setup: &AdbSetup,
    patience: Duration,
) -> Result<adb::Phone, ErrorBody> {
    let link: Arc<dyn adb::client::Link> = match by_server(serial, setup, patience).await {
        Ok(link) => Arc::new(link),
        Err(error) if error.code == ErrorCode::AdbNotFound => {
            if !is_address(serial) {
                let shown: String = serial.chars().take(80).collect();
                let message = format!("no device {shown:?} can be reached: {}", error.message);
                return Err(ErrorBody::new(ErrorCode::AdbNotFound, message)
                    .with_default_hint()
                    .with_detail("deviceId", shown)
                    .with_detail("embedded", vec!["sim"]));
            }
            Arc::new(direct(serial).await?)
        }
        Err(error) => return Err(error),
    };
    Ok(adb::Phone::new(link))
}

/// A phone that does not say what it is.
pub(crate) fn unanswered(serial: &str, error: &DriverError, within: Duration) -> ErrorBody {
    let (code, message) = match error {
        DriverError::Deadline => (
            ErrorCode::DeviceShellUnavailable,
            format!("{serial} did not answer within {} ms", within.as_millis()),
        ),
        DriverError::Cancelled => (
            ErrorCode::ExecutionCancelled,
            format!("cancelled before {serial} was open; nothing was done"),
        ),
        error => (
            ErrorCode::DeviceShellUnavailable,
            format!("{serial}: {error}"),
        ),
    };
    ErrorBody::new(code, message)
        .with_default_hint()
        .with_detail("deviceId", serial)
}

/// The way to a phone by the server, which is asked for its list only when there is none.
async fn by_server(
    serial: &str,
    setup: &AdbSetup,
    patience: Duration,
) -> Result<ServerLink, ErrorBody> {
    let link = server(setup)?.link(serial);
    let Err(error) = link.reach().await else {
        return Ok(link);
    };
    if let ErrorKind::NotReady { serial, state } = &error.kind {
        if !is_found_again(&server(setup)?, serial, state, patience).await {
            return Err(not_ready(serial, state));
        }
        return match link.reach().await {
            Ok(()) => Ok(link),
            Err(error) => Err(unreachable_by(&error)),
        };
    }
    if matches!(error.kind, ErrorKind::Silent(_)) {
        // It would be as silent about its list.
        return Err(refusal(&error));
    }
    // Starts a server where there is none.
    let listed = list(setup).await?;
    match listed.iter().find(|phone| phone.serial == serial) {
        Some(phone) if phone.state != READY => Err(not_ready(serial, &phone.state)),
        Some(_) => {
            link.reach().await.map_err(|error| unreachable_by(&error))?;
            Ok(link)
        }
        None => Err(not_found(serial, &listed)),
    }
}

fn unreachable_by(error: &adb::Error) -> ErrorBody {
    match &error.kind {
        ErrorKind::NotReady { serial, state } => not_ready(serial, state),
        _ => refusal(error),
    }
}

/// Whether a phone with an address that is offline is there again soon: after a connection has broken the server looks for
/// it by itself.
async fn is_found_again(server: &Server, serial: &str, state: &str, patience: Duration) -> bool {
    state == "offline" && is_address(serial) && comes_back(server, serial, patience).await.is_ok()
}

/// Waits until the server lists a phone as ready.
///
/// # Errors
/// What kept it from that, in words.
pub(crate) async fn comes_back(
    server: &Server,
    serial: &str,
    within: Duration,
) -> Result<(), String> {
    let waiting = async {
        let mut track = server.track().await?;
        loop {
            let listed = track.next().await?;
            let mut phones = listed.iter();
            if phones.any(|phone| phone.serial == serial && phone.state == READY) {
                return Ok::<_, adb::Error>(());
            }
        }
    };
    match tokio::time::timeout(within, waiting).await {
        Ok(ended) => ended.map_err(|error| error.to_string()),
        Err(_) => Err(format!("{serial} did not come back within {within:?}")),
    }
}

/// A phone at an address, by ourselves.
async fn direct(address: &str) -> Result<DirectLink, ErrorBody> {
    let key = || {
        let path = key::default_path().ok_or_else(|| {
            let path = "~/.android/adbkey".to_owned();
            adb::Error::from(ErrorKind::Key {
                path,
                why: "there is no home folder".to_owned(),
            })
        })?;
        key::Key::at(&path)
    };
    let patience = Timeouts {
        person: ALLOWED_WITHIN,
        ..Timeouts::default()
    };
    DirectLink::connect(address, key, patience)
        .await
        .map_err(|error| match &error.kind {
            ErrorKind::NotReady { serial, state } => not_ready(serial, state),
            _ => ErrorBody::new(ErrorCode::DeviceOffline, format!("{address}: {error}"))
                .with_default_hint()
                .with_detail("deviceId", address),
        })
}

/// Whether a serial is `host:port`.
pub(crate) fn is_address(serial: &str) -> bool {
    let parts = serial.rsplit_once(':');
    parts.is_some_and(|(host, port)| {
        !host.is_empty() && port.parse::<u16>().is_ok_and(|port| port > 0)
    })
}

/// The refusal of a name that no phone has; a long one is cut, it is the caller's own.
fn not_found(name: &str, listed: &[ListedDevice]) -> ErrorBody {
    let shown: String = name.chars().take(80).collect();
    let connected: Vec<&str> = listed
        .iter()
        .filter(|phone| phone.state == READY)
        .map(|phone| phone.serial.as_str())
        .collect();
    ErrorBody::new(ErrorCode::DeviceNotFound, format!("no device {shown:?} is connected"))
        .with_hint(
            "`clawperator devices` lists what there is; `--device sim` is the embedded phone, `--device sim:app.yaml` the \
             same with an app of your own",
        )
        .with_detail("deviceId", shown)
        .with_detail("connected", connected)
        .with_detail("embedded", vec!["sim"])
}

/// What is the matter with the server.
fn refusal(error: &adb::Error) -> ErrorBody {
    let code = match &error.kind {
        ErrorKind::NoProgram { .. } => ErrorCode::AdbNotFound,
        _ => ErrorCode::AdbServerFailed,
    };
    let message = match &error.kind {
        ErrorKind::Silent(_) => {
            format!("the adb server, or what listens in its place, says nothing: {error}")
        }
        _ => error.to_string(),
    };
    ErrorBody::new(code, message).with_default_hint()
}
