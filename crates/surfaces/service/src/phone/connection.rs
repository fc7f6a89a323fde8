//! Phones over adb: listing them, choosing one, and connecting to it.

use std::sync::Arc;
use std::time::Duration;

use adb::client::direct::{DirectLink, Timeouts};
use adb::client::server::{ListedDevice, Server, ServerLink};
use adb::{ErrorKind, key};
use contract::{ErrorBody, ErrorCode};
use driver::{Cx, DriverError};

use crate::Device;
use crate::environment::AdbSetup;

/// The state of a phone that is ready.
pub(crate) const READY: &str = "device";
/// How long to wait for a phone that the adb server has just lost.
pub(crate) const RECONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// How often a lost phone is looked for.
const RECONNECT_POLL: Duration = Duration::from_millis(100);
/// How often a phone that is lost while it is opened is opened again; nothing was done to it.
pub(crate) const REOPENINGS: u32 = 2;

/// How long the user may take to allow this computer on the phone; shorter than the time limit for opening a phone, so that
/// the error still arrives.
const AUTHORIZATION_TIMEOUT: Duration = Duration::from_secs(12);

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

/// Starts the adb server if none runs, and attaches the simulated phones that belong to it. Whether it was started.
///
/// # Errors
/// `NoProgram`, `NotStarted`, `NoServer`.
pub(crate) async fn start_server(server: &Server, setup: &AdbSetup) -> adb::Result<bool> {
    let started = server.ensure(&setup.places).await?;
    if started {
        tracing::info!(
            name: "adb.server.started",
            target: crate::log::TARGET,
            "an adb server was started because none was running"
        );
        crate::sim_registry::attach_all(setup).await;
    }
    Ok(started)
}

pub(crate) fn server(setup: &AdbSetup) -> Result<Server, ErrorBody> {
    match &setup.server {
        Ok(address) => Ok(Server::at(address.clone())),
        Err(why) => Err(ErrorBody::new(ErrorCode::Usage, why.clone())
            .with_hint("Correct or unset the variable")),
    }
}

/// The only phone that is ready, for commands that name none.
///
/// # Errors
/// `NO_DEVICES`, `MULTIPLE_DEVICES_DEVICE_ID_REQUIRED`, `DEVICE_UNAUTHORIZED` and `DEVICE_OFFLINE` if none is ready, and
/// those of the server.
pub(crate) async fn only(setup: &AdbSetup) -> Result<String, ErrorBody> {
    let listed = match list(setup).await {
        Ok(listed) => listed,
        // Without adb there is no phone, and the user may not want one.
        Err(error) if error.code == ErrorCode::AdbNotFound => {
            let mut none = none();
            none.message = format!("{}; {}", none.message, error.message);
            return Err(none.with_detail("adb", error.message));
        }
        Err(error) => return Err(error),
    };
    let ready: Vec<&ListedDevice> = listed.iter().filter(|phone| phone.state == READY).collect();
    match (ready.as_slice(), listed.as_slice()) {
        ([one], _) => Ok(one.serial.clone()),
        ([], []) => Err(none()),
        ([], [one])
            if reconnects(&server(setup)?, &one.serial, &one.state, RECONNECT_TIMEOUT).await =>
        {
            Ok(one.serial.clone())
        }
        ([], [one]) => Err(not_ready(&one.serial, &one.state)),
        ([], several) => {
            let states: Vec<String> = several
                .iter()
                .map(|phone| format!("{} is {}", phone.serial, phone.state))
                .collect();
            let first = easiest_to_fix(several)
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
                    "Add --device {} or another of them",
                    serials.first().copied().unwrap_or_default()
                ))
                .with_detail("devices", serials))
        }
    }
}

fn none() -> ErrorBody {
    ErrorBody::new(ErrorCode::NoDevices, "no device is connected").with_hint(
        "Connect a phone with USB debugging enabled, start an emulator, or add `--device sim` for the embedded \
         phone or `--device chrome` for web pages; `clawperator doctor` reports what is missing",
    )
}

/// The phone that the user can do most about, if none is ready: an unauthorized one needs only a confirmation.
pub(crate) fn easiest_to_fix(phones: &[ListedDevice]) -> Option<&ListedDevice> {
    let asks = phones.iter().find(|phone| is_unauthorized(&phone.state));
    asks.or_else(|| phones.first())
}

fn is_unauthorized(state: &str) -> bool {
    matches!(state, "unauthorized" | "authorizing")
}

/// The error for a phone that adb lists and that is not ready.
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

/// Connects to a phone by its serial. Without adb, a serial of the form `host:port` is connected to directly. A phone that
/// the server has just lost may reconnect within `timeout`.
///
/// # Errors
/// `DEVICE_NOT_FOUND`, `DEVICE_UNAUTHORIZED`, `DEVICE_OFFLINE`, `ADB_NO_USB_PERMISSIONS`, and those of the server.
pub(crate) async fn reach(
    serial: &str,
    setup: &AdbSetup,
    timeout: Duration,
) -> Result<adb::Phone, ErrorBody> {
    let link: Arc<dyn adb::client::Link> = match by_server(serial, setup, timeout).await {
        Ok(link) => Arc::new(link),
        Err(error) if error.code == ErrorCode::AdbNotFound => {
            if !is_address(serial) {
                let shown = contract::truncate_input(serial);
                let message = format!("cannot reach device {shown:?}: {}", error.message);
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

/// Whether a phone whose connection broke is back within this time.
pub(crate) async fn is_back(serial: &str, setup: &AdbSetup, timeout: Duration, cx: &Cx) -> bool {
    let cx = cx.within(timeout);
    loop {
        if let Ok(Ok(_)) = cx.run(reach(serial, setup, timeout)).await {
            return true;
        }
        if cx.sleep(RECONNECT_POLL).await.is_err() {
            return false;
        }
    }
}

/// The error for a phone whose properties cannot be read.
pub(crate) fn unanswered(serial: &str, error: &DriverError, within: Duration) -> ErrorBody {
    let (code, message) = match error {
        DriverError::Deadline => (ErrorCode::DeviceShellUnavailable, {
            // Rounded up, because the time is taken a moment after it began.
            let millis = within.as_micros().div_ceil(1000);
            format!("{serial} did not answer within {millis} ms")
        }),
        DriverError::Cancelled => (
            ErrorCode::ExecutionCancelled,
            format!("cancelled before {serial} was open; nothing was done"),
        ),
        error => (
            ErrorCode::DeviceShellUnavailable,
            format!("{serial}: {error}"),
        ),
    };
    let body = ErrorBody::new(code, message);
    let body = match error {
        DriverError::Deadline => body.with_hint(
            "Try again, with a cable if the phone's connection is slow; `clawperator doctor` shows what does not respond",
        ),
        _ => body.with_default_hint(),
    };
    body.with_detail("deviceId", serial)
}

/// Connects to a phone through the server, whose list is read only if that fails.
async fn by_server(
    serial: &str,
    setup: &AdbSetup,
    timeout: Duration,
) -> Result<ServerLink, ErrorBody> {
    let link = server(setup)?.lasting_link(serial, setup.places.clone());
    let Err(error) = link.reach().await else {
        return Ok(link);
    };
    if let ErrorKind::NotReady { serial, state } = &error.kind {
        if !reconnects(&server(setup)?, serial, state, timeout).await {
            return Err(not_ready(serial, state));
        }
        return match link.reach().await {
            Ok(()) => Ok(link),
            Err(error) => Err(unreachable_by(&error)),
        };
    }
    if matches!(error.kind, ErrorKind::Silent(_)) {
        // The list would not arrive either.
        return Err(refusal(&error));
    }
    // Starts a server if none runs.
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

/// Whether an offline phone with an address comes back soon: the server reconnects to it by itself.
async fn reconnects(server: &Server, serial: &str, state: &str, timeout: Duration) -> bool {
    state == "offline"
        && is_address(serial)
        && wait_until_ready(server, serial, timeout).await.is_ok()
}

/// Waits until the server lists a phone as ready.
pub(crate) async fn wait_until_ready(
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

/// Connects to a phone at an address, without a server.
async fn direct(address: &str) -> Result<DirectLink, ErrorBody> {
    let key = || {
        let path = key::default_path().ok_or_else(|| {
            let path = "~/.android/adbkey".to_owned();
            adb::Error::from(ErrorKind::Key {
                path,
                why: "no home directory".to_owned(),
            })
        })?;
        key::Key::at(&path)
    };
    let timeout = Timeouts {
        person: AUTHORIZATION_TIMEOUT,
        ..Timeouts::default()
    };
    DirectLink::connect(address, key, timeout)
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

/// The error for an unknown name, which is shortened.
fn not_found(name: &str, listed: &[ListedDevice]) -> ErrorBody {
    let shown = contract::truncate_input(name);
    let connected: Vec<&str> = listed
        .iter()
        .filter(|phone| phone.state == READY)
        .map(|phone| phone.serial.as_str())
        .collect();
    ErrorBody::new(ErrorCode::DeviceNotFound, format!("no device {shown:?} is connected"))
        .with_hint(
            "`clawperator devices` lists the devices; `--device sim` is the embedded phone, `--device sim:app.yaml` the \
             same with your own app",
        )
        .with_detail("deviceId", shown)
        .with_detail("connected", connected)
        .with_detail("embedded", vec!["sim"])
}

/// The error for a failure of the server.
fn refusal(error: &adb::Error) -> ErrorBody {
    let code = match &error.kind {
        ErrorKind::NoProgram { .. } => ErrorCode::AdbNotFound,
        _ => ErrorCode::AdbServerFailed,
    };
    let message = match &error.kind {
        ErrorKind::Silent(_) => {
            format!("the adb server, or another program at its address, does not answer: {error}")
        }
        _ => error.to_string(),
    };
    ErrorBody::new(code, message).with_default_hint()
}

/// The name of the lock on a phone. Phones of two adb servers may have the same serial; a phone with an address is the same for
/// every server of this machine and without one.
pub(crate) fn lock_name(setup: &AdbSetup, serial: &str) -> String {
    match &setup.server {
        Ok(server) => match server.is_local() {
            true if is_address(serial) => serial.to_owned(),
            true => format!("{serial}@{}", server.port),
            false => format!("{serial}@{server}"),
        },
        Err(_) => serial.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_serial_on_two_servers_has_two_locks() {
        let at = |host: &str, port| AdbSetup {
            server: Ok(adb::client::server::Address {
                host: host.to_owned(),
                port,
            }),
            ..AdbSetup::default()
        };
        let (one, other) = (at("127.0.0.1", 5037), at("127.0.0.1", 5038));
        let far = at("lab.example", 5037);
        assert_ne!(
            lock_name(&one, "emulator-5554"),
            lock_name(&other, "emulator-5554")
        );
        assert_ne!(
            lock_name(&one, "emulator-5554"),
            lock_name(&far, "emulator-5554")
        );
        assert_eq!(
            lock_name(&one, "emulator-5554"),
            lock_name(&at("localhost", 5037), "emulator-5554")
        );
        // Every local server reaches the same phone at an address.
        assert_eq!(
            lock_name(&one, "10.0.0.2:5555"),
            lock_name(&other, "10.0.0.2:5555")
        );
        assert_ne!(
            lock_name(&one, "10.0.0.2:5555"),
            lock_name(&far, "10.0.0.2:5555")
        );
    }
}
