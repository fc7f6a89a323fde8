//! Simulated phones as background processes, which adb can talk to.

use std::fs;
use std::path::Path;
use std::time::Duration;

use adb::client::server::Server;
use contract::{ErrorBody, ErrorCode};
use driver_sim::{AppSource, SimOptions, Start, journal::Passwords};
use serde::{Deserialize, Serialize};
use sim_adb::{Daemon, Options, StartError};

use crate::background::{
    BackgroundRecord, ControlSocket, Liveness, ProcessRecord, REPLY_TIMEOUT, RecordFile,
    live_records, open_folder,
};
use crate::environment::AdbSetup;
use crate::files;
use crate::runtime::{self, FolderError, PrivateFolder, safe_name};
use crate::sim::operator::{self, OperatorSetup};
use crate::sim::setup::SimSetup;
use crate::sim::{SimError, app_files, refused};

/// The options of a phone.
#[derive(Clone, Debug, Default)]
pub struct StartOptions {
    /// The port for adb; 0 for any free port.
    pub port: u16,
    /// App files and folders with app files.
    pub apps: Vec<String>,
    /// The Operator app to install.
    pub operator: Option<OperatorSetup>,
    /// Everything else.
    pub setup: SimSetup,
}

/// A phone that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningPhone {
    /// The serial that `--device` and `adb connect` take.
    pub serial: String,
    /// Its process.
    pub pid: u32,
    /// Its own app files.
    pub apps: Vec<String>,
    /// The Operator app on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<RunningOperator>,
    /// Whether the adb server lists it.
    pub connected: bool,
}

/// The Operator app of a phone that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningOperator {
    /// Its package.
    pub package: String,
    /// Its version.
    pub version: String,
}

/// The record of a running phone.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Record {
    serial: String,
    process: ProcessRecord,
    apps: Vec<String>,
    operator: Option<RunningOperator>,
    /// The adb server that the phone connects to.
    server: Option<String>,
}

/// The folder of records, inside the runtime folder.
const PHONES: &str = "phones";

impl Record {
    fn phone(&self, connected: bool) -> RunningPhone {
        RunningPhone {
            serial: self.serial.clone(),
            pid: self.process.pid,
            apps: self.apps.clone(),
            operator: self.operator.clone(),
            connected,
        }
    }
}

impl BackgroundRecord for Record {
    type Context = ();
    type Running = Self;
    const SUFFIX: &str = ".json";

    async fn check(&self, folder: &PrivateFolder, (): &()) -> Liveness<Self> {
        self.process.liveness(folder).await.with(self.clone())
    }

    fn remove(&self, folder: &PrivateFolder, name: &str) {
        let _ = self.process.remove(folder, name);
    }
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
            .with_hint("Set XDG_RUNTIME_DIR to a folder that can be written")
    };
    let folder = PrivateFolder::make(&setup.locks)?.make_inner(PHONES)?;
    let control = ControlSocket::open(&folder).await.map_err(not_recorded)?;
    let (serial, phone) = (daemon.address().to_string(), daemon.handset());
    if let Some(sink) = sink {
        phone.record().write_to(Box::new(sink), Passwords::Masked);
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
        crate::write_journal(path, &lines).map_err(|why| crate::no_journal(path, &why))?;
    }
    // Dropping the driver records what the phone did since it was last read.
    drop(phone.driver().await);
    let unwritten = phone.record().problem();
    if let Some(request) = request {
        request.answer(&()).await;
    }
    match (record_path, unwritten) {
        (Some(path), Some(why)) => Err(crate::no_journal(&path, &why)),
        _ => Ok(()),
    }
}

/// Creates the file that a phone records into.
fn open_record(path: &Path) -> Result<fs::File, ErrorBody> {
    files::create(path).map_err(|why| crate::no_journal(path, &why.to_string()))
}

/// Attaches a phone to an adb server that runs; whether the server lists it now.
async fn attach(setup: &AdbSetup, serial: &str) -> bool {
    let Ok(address) = &setup.server else {
        return false;
    };
    let server = Server::at(address.clone());
    let attached = async {
        // The server does not connect to a serial that it still lists.
        if server
            .devices()
            .await?
            .iter()
            .any(|phone| phone.serial == serial)
        {
            server.detach(serial).await?;
        }
        server.attach(serial).await
    };
    matches!(
        tokio::time::timeout(REPLY_TIMEOUT, attached).await,
        Ok(Ok(_))
    )
}

/// The name of the adb server in records.
fn server_name(setup: &AdbSetup) -> Option<String> {
    setup.server.as_ref().ok().map(ToString::to_string)
}

/// Attaches the phones that belong to an adb server that was started just now.
pub(crate) async fn attach_all(setup: &AdbSetup) {
    let phones = running_phones(setup).await.unwrap_or_else(|error| {
        // Other phones can be driven all the same.
        crate::log::event(
            crate::log::Level::Warn,
            "sim.records.not_read",
            "the records of simulated phones cannot be read; running ones are not attached to the adb server",
            &[("error", error.to_string().into())],
        );
        Vec::new()
    });
    for record in phones {
        if record.server == server_name(setup) {
            attach(setup, &record.serial).await;
        }
    }
}

/// Detaches a phone from the adb server, if that still runs.
async fn detach(setup: &AdbSetup, serial: &str) {
    if let Ok(address) = &setup.server {
        let server = Server::at(address.clone());
        let _ = tokio::time::timeout(REPLY_TIMEOUT, server.detach(serial)).await;
    }
}

/// The records of the phones that run, by serial. Stale records are removed.
async fn running_phones(setup: &AdbSetup) -> Result<Vec<Record>, FolderError> {
    let Some(folder) = open_folder(&setup.locks, PHONES)? else {
        return Ok(Vec::new());
    };
    let mut running = live_records::<Record>(&folder, &()).await?;
    running.sort_by(|one, other| one.serial.cmp(&other.serial));
    Ok(running)
}

/// The phones that run, and whether the adb server lists them. Starts no server.
///
/// # Errors
/// `RUNTIME_FOLDER_UNSAFE` and `INTERNAL_ERROR` when their records cannot be read.
pub async fn list(setup: &AdbSetup) -> Result<Vec<RunningPhone>, ErrorBody> {
    let records = running_phones(setup).await?;
    Ok(with_connection(setup, &records).await)
}

/// Phones, with whether the adb server lists them.
async fn with_connection(setup: &AdbSetup, records: &[Record]) -> Vec<RunningPhone> {
    let listed = match &setup.server {
        Ok(address) if !records.is_empty() => {
            let server = Server::at(address.clone());
            let listed = tokio::time::timeout(REPLY_TIMEOUT, server.devices()).await;
            // A server that does not run lists none.
            listed.ok().and_then(Result::ok).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    let connected = |record: &Record| listed.iter().any(|phone| phone.serial == record.serial);
    records
        .iter()
        .map(|record| record.phone(connected(record)))
        .collect()
}

/// The phones to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopTarget {
    /// All.
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
        let shown: String = serial.chars().take(80).collect();
        let message = format!("no simulated phone {shown:?} runs");
        return Err(ErrorBody::new(ErrorCode::DeviceNotFound, message)
            .with_hint("`clawperator sim list` shows those that do")
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
