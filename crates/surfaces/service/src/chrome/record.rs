//! What is known of the browsers that were started to stay, each in a file of its own, and which of their tabs was driven
//! last.

use std::path::PathBuf;
use std::time::Duration;

use cdp::{Endpoint, TargetId};
use driver_chrome::browser::Browser;
use serde::{Deserialize, Serialize};

use super::persistent::{endpoint_of, is_at};
use super::{ChromeSetup, ConnectionCache, OpenPort, daemon, process};
use crate::lock::safe_name;
use crate::runtime::{self, FolderError, PrivateFolder};

/// How long a browser of this machine is given to answer.
pub(super) const ANSWER: Duration = Duration::from_secs(5);

/// How often a process or a folder is looked at that is to go.
pub(super) const LOOK: Duration = Duration::from_millis(10);

/// A browser that was started to stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The url of its socket, or of its WebSocket, with an id that no other start has.
    pub(super) url: String,
    /// The url of its WebSocket, if it listens on a port.
    #[serde(default)]
    pub(super) port: Option<String>,
    /// Its process.
    pub(super) pid: u32,
    /// Whether it shows no windows.
    pub(super) headless: bool,
    /// What it calls itself.
    pub(super) product: String,
    /// The folder of its profile.
    pub(super) profile: PathBuf,
    /// Whether the profile was made for it and goes with it.
    pub(super) own_profile: bool,
}

/// What a look at a recorded browser found.
#[derive(Debug)]
pub(super) enum Found {
    /// It answers.
    Answers(Record, Browser),
    /// Its process is there, and does not answer in time.
    Silent(Record),
}

impl Found {
    pub(super) const fn record(&self) -> &Record {
        match self {
            Self::Answers(record, _) | Self::Silent(record) => record,
        }
    }
}

/// The folder of what is known of browsers, inside that of runtime state.
const BROWSERS: &str = "browsers";
/// How the names of records end.
const END: &str = ".json";

/// Opens the folder of records, and makes it where it is not there.
pub(super) fn make_folder(setup: &ChromeSetup) -> Result<PrivateFolder, FolderError> {
    PrivateFolder::make(&setup.runtime)?.make_inner(BROWSERS)
}

/// Opens the folder of records; `None` where nothing was ever recorded.
pub(super) fn open_folder(setup: &ChromeSetup) -> Result<Option<PrivateFolder>, FolderError> {
    match PrivateFolder::open(&setup.runtime)? {
        Some(runtime) => runtime.open_inner(BROWSERS),
        None => Ok(None),
    }
}

/// The name of the record of a browser.
fn file(url: &str) -> String {
    format!("{}{END}", safe_name(id_of(url)))
}

/// The id in the url of a browser.
fn id_of(url: &str) -> &str {
    let name = url.rsplit('/').next().unwrap_or(url);
    name.strip_suffix(SOCKET).unwrap_or(name)
}

/// How the names of sockets end.
const SOCKET: &str = ".socket";

/// The name of the socket of the browser with this id.
pub(super) fn socket_file(id: &str) -> String {
    format!("{}{SOCKET}", safe_name(id))
}

impl Record {
    /// What `--cdp` takes.
    pub(super) fn endpoint(&self) -> String {
        endpoint_of(&self.url)
    }

    /// Its id, which no other start has.
    #[cfg(unix)]
    pub(super) fn id(&self) -> &str {
        id_of(&self.url)
    }

    /// Its port, if every user of this computer can connect to one.
    pub(super) fn open_port(&self) -> Option<OpenPort> {
        self.port.as_deref().map(|url| OpenPort {
            endpoint: endpoint_of(url),
            opens: OpenPort::OPENS,
        })
    }

    /// Whether it is the browser that is named: by a url, by what `--cdp` takes, or by host and port.
    pub(super) fn is_at(&self, named: &str) -> bool {
        let mut urls = self.port.iter().chain([&self.url]);
        urls.any(|url| is_at(url, named))
    }

    /// Waits until its process is gone: only then does it write into its profile no more.
    pub(super) async fn gone(&self) {
        while process::runs(self.pid, &self.profile) {
            tokio::time::sleep(LOOK).await;
        }
    }

    pub(super) fn write(&self, folder: &PrivateFolder) -> std::io::Result<()> {
        folder.write_record(&file(&self.url), self)
    }

    /// Removes the record of a browser that has ended, and its profile where that was made for it. While helpers of the
    /// browser still write into the profile, the record stays for the next command; `false` then.
    pub(super) fn remove(&self, folder: &PrivateFolder) -> bool {
        if self.own_profile && !runtime::remove_profile(&self.profile) {
            return false;
        }
        daemon::remove(folder, &self.url);
        for name in [
            tab_file(&self.url),
            socket_file(id_of(&self.url)),
            file(&self.url),
        ] {
            // The next command that finds it tries again.
            let _ = folder.remove(&name);
        }
        true
    }

    /// Looks whether the browser is still there; `None` when it is not.
    async fn look(self, kept: &ConnectionCache) -> Option<Found> {
        if let Some(browser) = kept.browser(&self.url) {
            return Some(Found::Answers(self, browser));
        }
        let endpoint = Endpoint::parse(&self.url).ok()?;
        // The url has the id of this start: another browser at this port refuses it.
        match tokio::time::timeout(ANSWER, Browser::connect(&endpoint)).await {
            Ok(Ok(browser)) => {
                kept.keep(&self.url, &browser);
                Some(Found::Answers(self, browser))
            }
            // A browser whose pipe nobody holds any more ends by itself.
            Ok(Err(_))
                if endpoint.is_socket()
                    && tokio::time::timeout(ANSWER, self.gone()).await.is_ok() =>
            {
                None
            }
            Ok(Err(_)) | Err(_) if process::runs(self.pid, &self.profile) => {
                Some(Found::Silent(self))
            }
            Ok(Err(_)) | Err(_) => None,
        }
    }
}

/// The browsers that are recorded, whether or not they are still there.
pub(super) fn records(folder: &PrivateFolder) -> Result<Vec<Record>, FolderError> {
    let records = folder.records(END)?.into_iter();
    Ok(records.map(|(_, record)| record).collect())
}

/// Whether a record shows that clawperator started a browser. Records that cannot be trusted do not count.
pub(super) fn is_recorded(setup: &ChromeSetup, browser: &Browser) -> bool {
    let folder = open_folder(setup).ok().flatten();
    let records = folder.and_then(|folder| records(&folder).ok());
    let mut records = records.into_iter().flatten();
    records.any(|record| record.is_at(browser.url()))
}

/// Every browser that was started to stay and is still there, by url; records of others are removed.
pub(super) async fn known(setup: &ChromeSetup) -> Result<Vec<Found>, FolderError> {
    let mut found = Vec::new();
    let Some(folder) = open_folder(setup)? else {
        return Ok(found);
    };
    for record in records(&folder)? {
        match record.clone().look(&setup.connections).await {
            Some(browser) => found.push(browser),
            None => {
                record.remove(&folder);
            }
        }
    }
    found.sort_by(|one, other| one.record().url.cmp(&other.record().url));
    Ok(found)
}

/// The name of the lock that only one process beside a browser has.
pub(super) fn daemon_lock(url: &str) -> String {
    format!("{}.resident-lock", safe_name(id_of(url)))
}

/// The name of the record of the process that stays beside a browser.
pub(super) fn daemon_file(url: &str) -> String {
    format!("{}.resident", safe_name(id_of(url)))
}

/// The name of the file that says which tab of a browser was driven last.
fn tab_file(url: &str) -> String {
    format!("{}.tab", safe_name(id_of(url)))
}

/// Which tab of a browser was driven last.
pub(super) fn last_tab(setup: &ChromeSetup, url: &str) -> Option<TargetId> {
    let folder = open_folder(setup).ok()??;
    let text = folder.read(&tab_file(url)).ok()??;
    Some(TargetId::from(String::from_utf8(text).ok()?.trim()))
}

/// Writes down which tab of a browser was driven last.
pub(super) fn write_last_tab(setup: &ChromeSetup, url: &str, tab: &TargetId) {
    if last_tab(setup, url).as_ref() == Some(tab) {
        return;
    }
    let folder = make_folder(setup).map_err(std::io::Error::from);
    let written = folder.and_then(|folder| folder.write(&tab_file(url), tab.as_str().as_bytes()));
    if let Err(why) = written {
        // The next command has to name the tab where there are several; nothing else depends on it.
        crate::log::event(
            crate::log::Level::Warn,
            "chrome.tab.not_noted",
            "which tab was driven last cannot be written down",
            &[("error", why.to_string().into())],
        );
    }
}
