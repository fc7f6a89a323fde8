//! What is known of the browsers that were started to stay, each in a file of its own, and which of their tabs was driven
//! last.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cdp::{Endpoint, TargetId};
use driver_chrome::browser::Browser;
use serde::{Deserialize, Serialize};

use super::{ChromeSetup, Kept, process};
use crate::lock::safe_name;

/// How long a browser of this machine is given to answer.
pub(super) const ANSWER: Duration = Duration::from_secs(5);

/// A browser that was started to stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The url of its WebSocket, which ends in an id that no other start has.
    pub(super) url: String,
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

/// Where the record of a browser lies.
fn file(folder: &Path, url: &str) -> PathBuf {
    folder.join(format!("{}.json", safe_name(id_of(url))))
}

/// The id in the url of a browser's WebSocket.
fn id_of(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or(url)
}

/// Writes a file that only its user can read, whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let coming = path.with_extension(format!("{}.part", std::process::id()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&coming)?.write_all(bytes)?;
    fs::rename(&coming, path)
}

impl Record {
    pub(super) fn keep(&self, folder: &Path) -> std::io::Result<()> {
        let text = serde_json::to_vec(self).map_err(std::io::Error::other)?;
        write(&file(folder, &self.url), &text)
    }

    /// Forgets a browser that has ended, and its profile where that is its own. A profile that cannot be removed, because
    /// helpers of the browser still write into it, is kept in mind for whoever looks next; `false` then.
    pub(super) fn clear(&self, folder: &Path) -> bool {
        if self.own_profile && fs::remove_dir_all(&self.profile).is_err() && self.profile.exists() {
            return false;
        }
        // Somebody else may have been quicker.
        let _ = fs::remove_file(tab_file(folder, &self.url));
        let resident = resident_file(folder, &self.url);
        let _ = fs::remove_file(resident.with_extension(RESIDENT_LOCK));
        let _ = fs::remove_file(resident);
        let _ = fs::remove_file(file(folder, &self.url));
        true
    }

    /// Looks whether the browser is still there; `None` when it is not.
    async fn look(self, kept: &Kept) -> Option<Found> {
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
            Ok(Err(_)) | Err(_) if process::runs(self.pid, &self.profile) => {
                Some(Found::Silent(self))
            }
            Ok(Err(_)) | Err(_) => None,
        }
    }
}

/// The processes of the browsers that are recorded, whether or not they are still there.
pub(super) fn kept_processes(folder: &Path) -> Vec<u32> {
    records(folder).map(|record| record.pid).collect()
}

/// The records in a folder that can be read.
fn records(folder: &Path) -> impl Iterator<Item = Record> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let records = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"));
    records.filter_map(|path| serde_json::from_slice(&fs::read(path).ok()?).ok())
}

/// Every browser that was started to stay and is still there, by url; records of others are cleared away.
pub(super) async fn known(setup: &ChromeSetup) -> Vec<Found> {
    let folder = &*setup.records;
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return found;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.extension().is_none_or(|end| end != "json") {
            continue;
        }
        let text = fs::read(&path).unwrap_or_default();
        let Ok(record) = serde_json::from_slice::<Record>(&text) else {
            continue;
        };
        match record.clone().look(&setup.kept).await {
            Some(browser) => found.push(browser),
            None => {
                record.clear(folder);
            }
        }
    }
    found.sort_by(|one, other| one.record().url.cmp(&other.record().url));
    found
}

/// How the name of the file ends that only one process beside a browser has locked.
pub(super) const RESIDENT_LOCK: &str = "resident-lock";

/// Where it is written which process stays beside a browser.
pub(super) fn resident_file(folder: &Path, url: &str) -> PathBuf {
    folder.join(format!("{}.resident", safe_name(id_of(url))))
}

/// The urls of the browsers that are recorded, whether or not they are still there.
pub(super) fn recorded(folder: &Path) -> Vec<String> {
    records(folder).map(|record| record.url).collect()
}

fn tab_file(folder: &Path, url: &str) -> PathBuf {
    folder.join(format!("{}.tab", safe_name(id_of(url))))
}

/// Which tab of a browser was driven last.
pub(super) fn last_tab(folder: &Path, url: &str) -> Option<TargetId> {
    let text = fs::read_to_string(tab_file(folder, url)).ok()?;
    Some(TargetId::from(text.trim()))
}

/// Notes which tab of a browser was driven last.
pub(super) fn note_tab(folder: &Path, url: &str, tab: &TargetId) {
    if last_tab(folder, url).as_ref() != Some(tab)
        && let Err(why) = write(&tab_file(folder, url), tab.as_str().as_bytes())
    {
        // The next command has to name the tab where there are several; nothing else depends on it.
        crate::log::event(
            crate::log::Level::Warn,
            "chrome.tab.not_noted",
            "which tab was driven last cannot be kept in mind",
            &[("error", why.to_string().into())],
        );
    }
}
