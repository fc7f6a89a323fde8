//! Simulated phones that live on their own: each a process that adb can talk to, known by a record in the user's folder.

use std::fs;
use std::path::Path;
use std::time::Duration;

use adb::client::server::Server;
use contract::{ErrorBody, ErrorCode};
use driver_sim::{AppSource, SimOptions, Start, journal::Passwords};
use serde::{Deserialize, Serialize};
use sim_adb::{Daemon, Options, StartError};
use tokio::io::AsyncWriteExt;

use crate::control::{self, ANSWER, Control, Liveness};
use crate::environment::AdbSetup;
use crate::files;
use crate::runtime::{self, Address, FolderError, PrivateFolder};
use crate::sim::operator::{self, OperatorSetup};
use crate::sim::setup::SimSetup;
use crate::sim::{SimError, app_files, refused};

/// What a phone answers that was told to end, when it has.
const STOPPED: &str = "stopped";

/// What a phone that is started is to be.
#[derive(Clone, Debug, Default)]
pub struct StartOptions {
    /// The port for adb; 0 for any that is free.
    pub port: u16,
    /// App files and folders with app files.
    pub apps: Vec<String>,
    /// The Operator app, if it is to have it.
    pub operator: Option<OperatorSetup>,
    /// Everything else.
    pub setup: SimSetup,
}

/// A phone that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningPhone {
    /// What `--device` and `adb connect` take.
    pub serial: String,
    /// The process that it lives in.
    pub pid: u32,
    /// Its own app files.
    pub apps: Vec<String>,
    /// The Operator app on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<RunningOperator>,
    /// Whether the adb server knows it.
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

/// What is known of a running phone to whoever may end it.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    phone: RunningPhone,
    /// Where it takes orders.
    control: Address,
    /// What proves that an order comes from its user.
    secret: String,
    /// The adb server that is to know it, running or not.
    #[serde(default)]
    server: Option<String>,
}

/// The folder of records, inside that of runtime state.
const PHONES: &str = "phones";
/// How the names of records end.
const END: &str = ".json";

/// Runs a phone in this process until it is told to end, or `ends` is ready. `ready` hears of it once adb can talk to it.
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
    // What is wrong with the phone is told as it is for one that lives for one command.
    driver_sim::Phone::start(&sim).map_err(|error| refused(&[SimError::from(error)]))?;
    let seen = starting.setup.record.clone();
    let sink = seen.as_deref().map(open_record).transpose()?;
    let options = Options {
        sim,
        port: starting.port,
        faults: starting.setup.wire_faults().to_vec(),
        // A real phone's dump waits until its screen has been still; here nothing has to be waited for.
        idle: Duration::ZERO,
        operator: starting.operator.clone().map(OperatorSetup::into_operator),
        installable: Some(operator::installable()),
        ..Options::default()
    };
    let daemon = Daemon::bind(options).await.map_err(|error| match error {
        StartError::Phone(why) => ErrorBody::new(ErrorCode::InternalError, why),
        StartError::Port { .. } => ErrorBody::new(ErrorCode::Usage, error.to_string())
            .with_hint("Leave --port out for any that is free; `clawperator sim list` shows the phones that run"),
    })?;
    let broken = |why: std::io::Error| {
        let message = format!("the record of the phone cannot be written: {why}");
        ErrorBody::new(ErrorCode::InternalError, message)
            .with_hint("Set XDG_RUNTIME_DIR to a folder that can be written")
    };
    let folder = PrivateFolder::make(&setup.locks)?.make_inner(PHONES)?;
    let control = Control::open(&folder).await.map_err(broken)?;
    let (serial, handset) = (daemon.address().to_string(), daemon.handset());
    if let Some(sink) = sink {
        handset.record().write_to(Box::new(sink), Passwords::Masked);
    }
    let mut serving = std::pin::pin!(daemon.run());
    // A server that is told of a phone talks to it at once, and answers when it has.
    let connected = tokio::select! {
        connected = tell(setup, &serial) => connected,
        () = &mut serving => false,
    };
    let record = Record {
        phone: RunningPhone {
            serial: serial.clone(),
            pid: std::process::id(),
            apps: starting.apps,
            operator: starting.operator.map(|operator| RunningOperator {
                package: operator.package,
                version: operator.version,
            }),
            connected,
        },
        control: control.address().clone(),
        secret: control.secret().to_owned(),
        server: server_name(setup),
    };
    let file = RecordFile::write(folder, &record).map_err(broken)?;
    ready(&record.phone);
    let (ordered, serves) = tokio::select! {
        () = &mut serving => (None, false),
        ordered = control.ordered() => (Some(ordered), true),
        () = ends => (None, true),
    };
    // While the phone still answers: a server that loses it first keeps it as one that is offline.
    tokio::select! {
        () = forget(setup, &serial) => {}
        () = serving, if serves => {}
    }
    drop(file);
    if let Some(path) = &starting.setup.journal {
        let lines = handset
            .driver()
            .await
            .phone()
            .log()
            .to_json(Passwords::Masked);
        crate::write_journal(path, &lines).map_err(|why| crate::no_journal(path, &why))?;
    }
    // What the phone did by itself since the last look at it is part of it.
    drop(handset.driver().await);
    let unwritten = handset.record().problem();
    if let Some(mut ordered) = ordered {
        // Now it is true. Whether the answer arrives changes nothing.
        let _ = ordered.write_all(STOPPED.as_bytes()).await;
    }
    match (seen, unwritten) {
        (Some(path), Some(why)) => Err(crate::no_journal(&path, &why)),
        _ => Ok(()),
    }
}

/// The file that a phone records into, empty.
fn open_record(path: &Path) -> Result<fs::File, ErrorBody> {
    files::create(path).map_err(|why| crate::no_journal(path, &why.to_string()))
}

/// Tells a server that runs, and starts none; gives whether it knows the phone now.
async fn tell(setup: &AdbSetup, serial: &str) -> bool {
    let Ok(address) = &setup.server else {
        return false;
    };
    let server = Server::at(address.clone());
    let told = async {
        // One that was there before under this name may still be listed, and then nothing new is tried.
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
    matches!(tokio::time::timeout(ANSWER, told).await, Ok(Ok(_)))
}

/// What the adb server is called whose phones these are.
fn server_name(setup: &AdbSetup) -> Option<String> {
    setup.server.as_ref().ok().map(ToString::to_string)
}

/// Tells a server that was started just now of the phones that were started for it.
pub(crate) async fn tell_all(setup: &AdbSetup) {
    let phones = known(setup).await.unwrap_or_else(|why| {
        // Other phones can be driven all the same.
        crate::log::event(
            crate::log::Level::Warn,
            "sim.records.not_read",
            "the simulated phones that run cannot be read from their records, so that the adb server does not hear of them",
            &[("error", why.to_string().into())],
        );
        Vec::new()
    });
    for record in phones {
        if record.server == server_name(setup) {
            tell(setup, &record.phone.serial).await;
        }
    }
}

/// Has the server let go of it. One that is gone knows it no longer.
async fn forget(setup: &AdbSetup, serial: &str) {
    if let Ok(address) = &setup.server {
        let server = Server::at(address.clone());
        let _ = tokio::time::timeout(ANSWER, server.detach(serial)).await;
    }
}

/// The file of a record, for as long as its phone runs.
struct RecordFile {
    folder: PrivateFolder,
    name: String,
}

impl RecordFile {
    fn write(folder: PrivateFolder, record: &Record) -> std::io::Result<Self> {
        let name = format!("{}{END}", crate::lock::safe_name(&record.phone.serial));
        folder.write_record(&name, record)?;
        Ok(Self { folder, name })
    }
}

impl Drop for RecordFile {
    fn drop(&mut self) {
        // The next command that reads the record of a phone that is gone removes it.
        let _ = self.folder.remove(&self.name);
    }
}

/// The folder of records; `None` where no phone was ever started.
fn open_folder(setup: &AdbSetup) -> Result<Option<PrivateFolder>, FolderError> {
    match PrivateFolder::open(&setup.locks)? {
        Some(runtime) => runtime.open_inner(PHONES),
        None => Ok(None),
    }
}

/// Every phone that runs; records of those that are gone are removed.
async fn known(setup: &AdbSetup) -> Result<Vec<Record>, FolderError> {
    let mut found = Vec::new();
    let Some(folder) = open_folder(setup)? else {
        return Ok(found);
    };
    for (name, record) in folder.records::<Record>(END)? {
        match control::is_there(&folder, &record.control).await {
            Liveness::Alive => found.push(record),
            Liveness::Gone => {
                // The next command finds out the same.
                let _ = record.control.remove(&folder);
                let _ = folder.remove(&name);
            }
            Liveness::Unknown => {}
        }
    }
    found.sort_by(|one, other| one.phone.serial.cmp(&other.phone.serial));
    Ok(found)
}

/// The phones that run, and whether the adb server knows them now; none is started for that.
///
/// # Errors
/// `RUNTIME_FOLDER_UNSAFE` and `INTERNAL_ERROR` when their records cannot be read.
pub async fn list(setup: &AdbSetup) -> Result<Vec<RunningPhone>, ErrorBody> {
    let records = known(setup).await?;
    Ok(as_seen(setup, &records).await)
}

/// Phones as the adb server knows them now.
async fn as_seen(setup: &AdbSetup, records: &[Record]) -> Vec<RunningPhone> {
    let listed = match &setup.server {
        Ok(address) if !records.is_empty() => {
            let server = Server::at(address.clone());
            let listed = tokio::time::timeout(ANSWER, server.devices()).await;
            // Without a server nobody knows them.
            listed.ok().and_then(Result::ok).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    let phones = records.iter().map(|record| record.phone.clone());
    phones
        .map(|phone| RunningPhone {
            connected: listed.iter().any(|known| known.serial == phone.serial),
            ..phone
        })
        .collect()
}

/// Which phones are to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopTarget {
    /// All of them.
    All,
    /// The one with this serial.
    One(String),
}

/// Ends phones; gives those that have ended, as the adb server knew them until then.
///
/// # Errors
/// `DEVICE_NOT_FOUND` when none has the serial, `RUNTIME_FOLDER_UNSAFE`, `INTERNAL_ERROR` when one does not end.
pub async fn stop(setup: &AdbSetup, which: &StopTarget) -> Result<Vec<RunningPhone>, ErrorBody> {
    let running = known(setup).await?;
    if let StopTarget::One(serial) = which
        && !running.iter().any(|record| record.phone.serial == *serial)
    {
        let serials: Vec<&str> = running
            .iter()
            .map(|record| record.phone.serial.as_str())
            .collect();
        let shown: String = serial.chars().take(80).collect();
        let message = format!("no simulated phone {shown:?} runs");
        return Err(ErrorBody::new(ErrorCode::DeviceNotFound, message)
            .with_hint("`clawperator sim list` shows those that do")
            .with_detail("running", serials));
    }
    let mut ended = Vec::new();
    let seen = as_seen(setup, &running).await;
    for (record, phone) in running.into_iter().zip(seen) {
        if matches!(which, StopTarget::One(serial) if record.phone.serial != *serial) {
            continue;
        }
        match tokio::time::timeout(ANSWER, end(setup, &record)).await {
            Ok(Ok(())) => ended.push(phone),
            other => {
                let serial = &phone.serial;
                let why = match other {
                    Ok(Err(error)) => error.to_string(),
                    _ => "it does not answer".to_owned(),
                };
                let message = format!("{serial} did not end: {why}");
                return Err(ErrorBody::new(ErrorCode::InternalError, message)
                    .with_hint(format!("Its process is {}", phone.pid))
                    .with_detail("stopped", serde_json::json!(ended)));
            }
        }
    }
    Ok(ended)
}

async fn end(setup: &AdbSetup, record: &Record) -> std::io::Result<()> {
    let Some(folder) = open_folder(setup)? else {
        return Err(std::io::ErrorKind::NotFound.into());
    };
    if control::order(&folder, &record.control, &record.secret).await? == STOPPED {
        Ok(())
    } else {
        Err(std::io::Error::other(
            "another process answers in its place",
        ))
    }
}
