//! Simulated phones as background processes, which adb can talk to.

use std::fs;
use std::path::Path;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver_sim::{AppSource, SimOptions, Start, journal::Passwords};
use sim_adb::{Daemon, Options, StartError};

use crate::artifacts::{no_journal, write_journal};
use crate::background::{BackgroundRecord, ControlSocket, REPLY_TIMEOUT, RecordFile, open_folder};
use crate::environment::AdbSetup;
use crate::files;
use crate::runtime::{self, PrivateFolder, safe_name};
use crate::sim::operator::{self, OperatorSetup};
use crate::sim::setup::SimSetup;
use crate::sim::{SimError, app_files, refused};
use crate::sim_registry::{
    PHONES, Record, RunningOperator, RunningPhone, attach, detach, running_phones, server_name,
    with_connection,
};

/// The options of a phone.
#[derive(Clone, Debug, Default)]
pub struct StartOptions {
    /// The port for adb; 0 for any free port.
    pub port: u16,
    /// App files and folders with app files.
    pub apps: Vec<String>,
    /// The Operator app to install.
    pub operator: Option<OperatorSetup>,
    /// Whether the runtime app is installed and its service switched on.
    pub runtime_app: bool,
    /// Everything else.
    pub setup: SimSetup,
}

/// Runs a phone in this process until a stop order arrives or `ends` is ready. Calls `ready` once adb can talk to it.
///
/// # Errors
/// `SIM_APP_INVALID`, `USAGE` when its port is taken or its options are wrong, `INTERNAL_ERROR` when its record cannot be
/// written.
pub async fn run(
    starting: StartOptions,
    setup: &AdbSetup,
    ready: impl FnOnce(&RunningPhone),
    ends: impl Future<Output = ()>,
) -> Result<(), ErrorBody> {
    let mut sim = SimOptions::default();
    starting.setup.apply(&mut sim);
    let recordings = runtime::RecordingFolder::make()?;
    sim.recordings = recordings.path();
    for path in &starting.apps {
        let files = app_files(Path::new(path)).map_err(|error| refused(&[error]))?;
        sim.apps.extend(files.into_iter().map(AppSource::File));
    }
    if !starting.apps.is_empty() {
        sim.start = Start::Own;
    }
    // Problems of the apps are reported as for the embedded phone.
    driver_sim::Phone::start(&sim).map_err(|error| refused(&[SimError::from(error)]))?;
    let record_path = starting.setup.record.clone();
    let sink = record_path.as_deref().map(open_record).transpose()?;
    let options = Options {
        sim,
        port: starting.port,
        faults: starting.setup.wire_faults().to_vec(),
        // A real phone's dump waits until its screen is idle; this one needs no wait.
        idle: Duration::ZERO,
        operator: starting.operator.clone().map(OperatorSetup::into_operator),
        runtime_app: starting.runtime_app,
        installable: Some(operator::installable()),
        ..Options::default()
    };
    let daemon = Daemon::bind(options).await.map_err(|error| match error {
        StartError::Phone(why) => ErrorBody::new(ErrorCode::InternalError, why),
        StartError::Port { .. } => ErrorBody::new(ErrorCode::Usage, error.to_string()).with_hint(
            "Leave --port out for any free port; `clawperator sim list` shows the phones that run",
        ),
    })?;
    let not_recorded = |error: std::io::Error| {
        let message = format!("the record of the phone cannot be written: {error}");
        ErrorBody::new(ErrorCode::InternalError, message)
            .with_hint("Set XDG_RUNTIME_DIR to a writable folder")
    };
    let folder = PrivateFolder::make(&setup.locks)?.make_inner(PHONES)?;
    let control = ControlSocket::open(&folder).await.map_err(not_recorded)?;
    let (serial, phone) = (daemon.address().to_string(), daemon.adb_phone());
    if let Some(sink) = sink {
        phone.record().write_to(Box::new(sink), Passwords::Masked);
        // Dropping the driver records how the phone started: a full disk is reported before the record is used.
        drop(phone.driver().await);
    }
    if let (Some(path), Some(why)) = (&record_path, phone.record().problem()) {
        return Err(no_journal(path, &why));
    }
    let mut serving = std::pin::pin!(daemon.run());
    // The server talks to the phone before it answers.
    let connected = tokio::select! {
        connected = attach(setup, &serial) => connected,
        () = &mut serving => false,
    };
    let record = Record {
        serial: serial.clone(),
        process: control.process(),
        apps: starting.apps,
        operator: starting.operator.map(|operator| RunningOperator {
            package: operator.package,
            version: operator.version,
        }),
        server: server_name(setup),
    };
    let name = format!("{}{}", safe_name(&serial), Record::SUFFIX);
    let file = RecordFile::write(&folder, name, &record).map_err(not_recorded)?;
    ready(&record.phone(connected));
    let (request, serves) = tokio::select! {
        () = &mut serving => (None, false),
        request = control.stop_request() => (Some(request), true),
        () = ends => (None, true),
    };
    // The phone serves until it is detached: a server that loses it first lists it as offline.
    tokio::select! {
        () = detach(setup, &serial) => {}
        () = serving, if serves => {}
    }
    drop(file);
    if let Some(path) = &starting.setup.journal {
        let lines = phone
            .driver()
            .await
            .phone()
            .log()
            .to_json(Passwords::Masked);
        write_journal(path, &lines).map_err(|why| no_journal(path, &why))?;
    }
    // Dropping the driver records what the phone did since it was last read.
    drop(phone.driver().await);
    let unwritten = phone.record().problem();
    if let Some(request) = request {
        request.answer(&()).await;
    }
    match (record_path, unwritten) {
        (Some(path), Some(why)) => Err(no_journal(&path, &why)),
        _ => Ok(()),
    }
}

/// Creates the file that a phone records into.
fn open_record(path: &Path) -> Result<fs::File, ErrorBody> {
    files::reject_other_than_journal(path)
        .and_then(|()| files::create(path))
        .map_err(|why| no_journal(path, &why.to_string()))
}

/// The phones that run, and whether the adb server lists them. Starts no server.
///
/// # Errors
/// `RUNTIME_FOLDER_UNSAFE` and `INTERNAL_ERROR` when their records cannot be read.
pub async fn list(setup: &AdbSetup) -> Result<Vec<RunningPhone>, ErrorBody> {
    let records = running_phones(setup).await?;
    Ok(with_connection(setup, &records).await)
}

/// The phones to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopTarget {
    All,
    /// The one with this serial.
    One(String),
}

/// Stops phones and returns them, with whether the adb server listed them before.
///
/// # Errors
/// `DEVICE_NOT_FOUND` when no phone with the serial runs, `RUNTIME_FOLDER_UNSAFE`, `INTERNAL_ERROR` when one does not stop.
pub async fn stop(setup: &AdbSetup, target: &StopTarget) -> Result<Vec<RunningPhone>, ErrorBody> {
    let running = running_phones(setup).await?;
    if let StopTarget::One(serial) = target
        && !running.iter().any(|record| record.serial == *serial)
    {
        let serials: Vec<&str> = running
            .iter()
            .map(|record| record.serial.as_str())
            .collect();
        let shown = contract::truncate_input(serial);
        let message = format!("no running simulated phone {shown:?}");
        return Err(ErrorBody::new(ErrorCode::DeviceNotFound, message)
            .with_hint("`clawperator sim list` shows the running ones")
            .with_detail("running", serials));
    }
    let Some(folder) = open_folder(&setup.locks, PHONES)? else {
        return Ok(Vec::new());
    };
    let mut stopped = Vec::new();
    let phones = with_connection(setup, &running).await;
    for (record, phone) in running.into_iter().zip(phones) {
        if matches!(target, StopTarget::One(serial) if record.serial != *serial) {
            continue;
        }
        if let Err(error) = record.process.stop::<()>(&folder, REPLY_TIMEOUT).await {
            let message = format!("{} did not stop: {error}", phone.serial);
            return Err(ErrorBody::new(ErrorCode::InternalError, message)
                .with_hint(format!("Its process is {}", phone.pid))
                .with_detail("stopped", serde_json::json!(stopped)));
        }
        stopped.push(phone);
    }
    Ok(stopped)
}
