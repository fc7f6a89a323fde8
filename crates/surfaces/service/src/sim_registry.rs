//! The records of simulated phones that run as background processes, and their connections to the adb server.

use adb::client::server::Server;
use serde::{Deserialize, Serialize};

use crate::background::{
    BackgroundRecord, Liveness, ProcessRecord, REPLY_TIMEOUT, live_records, open_folder,
};
use crate::environment::AdbSetup;
use crate::runtime::{FolderError, PrivateFolder};

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
    pub package: String,
    pub version: String,
}

/// The record of a running phone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) serial: String,
    pub(crate) process: ProcessRecord,
    pub(crate) apps: Vec<String>,
    pub(crate) operator: Option<RunningOperator>,
    /// The adb server that the phone connects to.
    pub(crate) server: Option<String>,
}

/// The folder of records, inside the runtime folder.
pub(crate) const PHONES: &str = "phones";

impl Record {
    pub(crate) fn phone(&self, connected: bool) -> RunningPhone {
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

/// Attaches a phone to an adb server that runs; whether the server lists it now.
pub(crate) async fn attach(setup: &AdbSetup, serial: &str) -> bool {
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
pub(crate) fn server_name(setup: &AdbSetup) -> Option<String> {
    setup.server.as_ref().ok().map(ToString::to_string)
}

/// Attaches the phones that belong to an adb server that was started just now.
pub(crate) async fn attach_all(setup: &AdbSetup) {
    let phones = running_phones(setup).await.unwrap_or_else(|error| {
        // Other phones can be driven all the same.
        tracing::warn!(
            name: "sim.records.not_read",
            target: crate::log::TARGET,
            error = %error,
            "the records of simulated phones cannot be read; running ones are not attached to the adb server"
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
pub(crate) async fn detach(setup: &AdbSetup, serial: &str) {
    if let Ok(address) = &setup.server {
        let server = Server::at(address.clone());
        let _ = tokio::time::timeout(REPLY_TIMEOUT, server.detach(serial)).await;
    }
}

/// The records of the phones that run, by serial. Stale records are removed.
pub(crate) async fn running_phones(setup: &AdbSetup) -> Result<Vec<Record>, FolderError> {
    let Some(folder) = open_folder(&setup.locks, PHONES)? else {
        return Ok(Vec::new());
    };
    let mut running = live_records::<Record>(&folder, &()).await?;
    running.sort_by(|one, other| one.serial.cmp(&other.serial));
    Ok(running)
}

/// Phones, with whether the adb server lists them.
pub(crate) async fn with_connection(setup: &AdbSetup, records: &[Record]) -> Vec<RunningPhone> {
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
