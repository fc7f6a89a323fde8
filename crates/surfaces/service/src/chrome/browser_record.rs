//! Records of the browsers that `chrome start` started, and of the tab that was driven last.

use std::path::PathBuf;
use std::time::Duration;

use cdp::{Endpoint, TargetId};
use driver_chrome::browser::Browser;
use serde::{Deserialize, Serialize};

use super::persistent::{endpoint_of, is_at};
use super::{ChromeSetup, ConnectionCache, OpenPort, daemon, process};
use crate::background::{self, BackgroundRecord, Liveness, REPLY_TIMEOUT};
use crate::runtime::{self, FolderError, PrivateFolder, safe_name};

/// The pause between checks for the end of a process or the removal of its files.
pub(super) const EXIT_POLL: Duration = Duration::from_millis(10);

/// The record of a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BrowserRecord {
    /// The url of its socket or its WebSocket, with an id that is unique to this start.
    pub(super) url: String,
    /// The url of its WebSocket, if it listens on a port.
    #[serde(default)]
    pub(super) port: Option<String>,
    /// Its process.
    pub(super) pid: u32,
    /// Whether it shows no windows.
    pub(super) headless: bool,
    /// Its product name.
    pub(super) product: String,
    /// The folder of its profile.
    pub(super) profile: PathBuf,
    /// Whether the profile was made for it and is removed with it.
    pub(super) own_profile: bool,
}

/// A recorded browser that runs.
#[derive(Debug)]
pub(super) enum RunningRecord {
    Answers(BrowserRecord, Browser),
    /// Its process runs and does not answer in time.
    Silent(BrowserRecord),
}

impl RunningRecord {
    pub(super) const fn record(&self) -> &BrowserRecord {
        match self {
            Self::Answers(record, _) | Self::Silent(record) => record,
        }
    }
}

/// The folder of records, inside the runtime folder.
const BROWSERS: &str = "browsers";

/// Opens or creates the folder of records.
pub(super) fn make_folder(setup: &ChromeSetup) -> Result<PrivateFolder, FolderError> {
    PrivateFolder::make(&setup.runtime)?.make_inner(BROWSERS)
}

/// Opens the folder of records; `None` if there is none.
pub(super) fn open_folder(setup: &ChromeSetup) -> Result<Option<PrivateFolder>, FolderError> {
    background::open_folder(&setup.runtime, BROWSERS)
}

/// The name of the record of a browser.
fn file(url: &str) -> String {
    format!("{}{}", safe_name(id_of(url)), BrowserRecord::SUFFIX)
}

/// The id in the url of a browser.
fn id_of(url: &str) -> &str {
    let name = url.rsplit('/').next().unwrap_or(url);
    name.strip_suffix(SOCKET).unwrap_or(name)
}

/// The end of the names of sockets.
pub(super) const SOCKET: &str = ".socket";

impl BrowserRecord {
    /// The endpoint for `--cdp`.
    pub(super) fn endpoint(&self) -> String {
        endpoint_of(&self.url)
    }

    /// Its port, if it listens on one.
    pub(super) fn open_port(&self) -> Option<OpenPort> {
        self.port.as_deref().map(|url| OpenPort {
            endpoint: endpoint_of(url),
            opens: OpenPort::OPENS,
        })
    }

    /// Whether a url, an endpoint or `host:port` names this browser.
    pub(super) fn is_at(&self, named: &str) -> bool {
        let mut urls = self.port.iter().chain([&self.url]);
        urls.any(|url| is_at(url, named))
    }

    /// Waits until its process has ended; until then it may write into its profile.
    pub(super) async fn ended(&self) {
        while process::runs(self.pid, &self.profile) {
            tokio::time::sleep(EXIT_POLL).await;
        }
    }

    pub(super) fn write(&self, folder: &PrivateFolder) -> std::io::Result<()> {
        folder.write_record(&file(&self.url), self)
    }

    /// Removes the record of a browser that has ended, and its own profile. Waits for helpers of the browser that still write
    /// into the profile; after a time limit the rest is left to the next command.
    pub(super) async fn remove_files(&self, folder: &PrivateFolder) {
        let removed = async {
            while !self.try_remove(folder) {
                tokio::time::sleep(EXIT_POLL).await;
            }
        };
        let _ = tokio::time::timeout(REPLY_TIMEOUT, removed).await;
    }

    /// Removes the record and the profile. While helpers of the browser write into the profile, the record stays: `false`.
    fn try_remove(&self, folder: &PrivateFolder) -> bool {
        if self.own_profile && !runtime::remove_profile(&self.profile) {
            return false;
        }
        daemon::remove(folder, &self.url);
        for name in [
            tab_file(&self.url),
            format!("{}{SOCKET}", safe_name(id_of(&self.url))),
            file(&self.url),
        ] {
            // A file that stays is removed by the next command.
            let _ = folder.remove(&name);
        }
        true
    }
}

impl BackgroundRecord for BrowserRecord {
    type Context = ConnectionCache;
    type Running = RunningRecord;
    const SUFFIX: &str = ".json";

    async fn check(
        &self,
        _: &PrivateFolder,
        connections: &ConnectionCache,
    ) -> Liveness<RunningRecord> {
        if let Some(browser) = connections.browser(&self.url) {
            return Liveness::Alive(RunningRecord::Answers(self.clone(), browser));
        }
        let Ok(endpoint) = Endpoint::parse(&self.url) else {
            return Liveness::Gone;
        };
        // The url has the id of this start: another browser at this port refuses it.
        let connected = tokio::time::timeout(REPLY_TIMEOUT, Browser::connect(&endpoint)).await;
        if let Ok(Ok(browser)) = connected {
            connections.keep(&self.url, &browser);
            return Liveness::Alive(RunningRecord::Answers(self.clone(), browser));
        }
        let refused = connected.is_ok();
        // A browser ends by itself when its broker is gone.
        if refused
            && endpoint.is_socket()
            && tokio::time::timeout(REPLY_TIMEOUT, self.ended())
                .await
                .is_ok()
        {
            return Liveness::Gone;
        }
        if process::runs(self.pid, &self.profile) {
            return Liveness::Alive(RunningRecord::Silent(self.clone()));
        }
        Liveness::Gone
    }

    fn remove(&self, folder: &PrivateFolder, _: &str) {
        self.try_remove(folder);
    }
}

/// All recorded browsers, running or not.
pub(super) fn records(folder: &PrivateFolder) -> Result<Vec<BrowserRecord>, FolderError> {
    let records = folder.records(BrowserRecord::SUFFIX)?.into_iter();
    Ok(records.map(|(_, record)| record).collect())
}

/// Whether a trusted record shows that clawperator started a browser.
pub(super) fn is_recorded(setup: &ChromeSetup, browser: &Browser) -> bool {
    let folder = open_folder(setup).ok().flatten();
    let records = folder.and_then(|folder| records(&folder).ok());
    let mut records = records.into_iter().flatten();
    records.any(|record| record.is_at(browser.url()))
}

/// The recorded browsers that run, by url. Stale records are removed.
pub(super) async fn running_browsers(
    setup: &ChromeSetup,
) -> Result<Vec<RunningRecord>, FolderError> {
    let Some(folder) = open_folder(setup)? else {
        return Ok(Vec::new());
    };
    let mut found = background::live_records::<BrowserRecord>(&folder, &setup.connections).await?;
    found.sort_by(|one, other| one.record().url.cmp(&other.record().url));
    Ok(found)
}

/// The name of the lock that keeps a second daemon from a browser.
pub(super) fn daemon_lock(url: &str) -> String {
    format!("{}.daemon-lock", safe_name(id_of(url)))
}

/// The name of the file with the numbers of references that daemons of a browser may have given.
pub(super) fn refs_file(url: &str) -> String {
    format!("{}.refs", safe_name(id_of(url)))
}

/// The name of the record of the daemon of a browser.
pub(super) fn daemon_file(url: &str) -> String {
    format!("{}.daemon", safe_name(id_of(url)))
}

/// The name of the file with the tab of a browser that was driven last.
fn tab_file(url: &str) -> String {
    format!("{}.tab", safe_name(id_of(url)))
}

/// The tab of a browser that was driven last.
pub(super) fn last_tab(setup: &ChromeSetup, url: &str) -> Option<TargetId> {
    let folder = open_folder(setup).ok()??;
    let text = folder.read(&tab_file(url)).ok()??;
    Some(TargetId::from(String::from_utf8(text).ok()?.trim()))
}

/// Records the tab of a browser that was driven last.
pub(super) fn write_last_tab(setup: &ChromeSetup, url: &str, tab: &TargetId) {
    if last_tab(setup, url).as_ref() == Some(tab) {
        return;
    }
    let folder = make_folder(setup).map_err(std::io::Error::from);
    let written = folder.and_then(|folder| folder.write(&tab_file(url), tab.as_str().as_bytes()));
    if let Err(why) = written {
        // If there are several tabs, the next command has to name one.
        tracing::warn!(
            name: "chrome.tab.not_noted",
            target: crate::log::TARGET,
            error = %why,
            "the tab that was driven last cannot be recorded"
        );
    }
}
