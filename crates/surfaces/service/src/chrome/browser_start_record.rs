//! Records of browsers that are being started. If the broker is killed before it writes the browser's record, the next command
//! that starts or stops browsers kills the browser.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::browser_record::{BrowserRecord, EXIT_POLL};
use super::process;
use crate::background::{REPLY_TIMEOUT, RecordFile};
use crate::runtime::{self, FolderError, PrivateFolder};

/// The end of the names of these records.
const SUFFIX: &str = ".starting";

/// The record of a browser that is being started.
#[derive(Debug, Serialize, Deserialize)]
struct StartRecord {
    pid: u32,
    profile: PathBuf,
    /// Whether the profile was made for it and is removed with it.
    own_profile: bool,
}

/// Records that a browser is being started.
pub(super) fn write(
    folder: &PrivateFolder,
    pid: u32,
    profile: &Path,
    own_profile: bool,
) -> std::io::Result<RecordFile> {
    let record = StartRecord {
        pid,
        profile: profile.to_owned(),
        own_profile,
    };
    RecordFile::write(folder, format!("{pid}{SUFFIX}"), &record)
}

/// Kills every browser whose broker is gone, and removes its profile. The caller holds the lock on starts, so that no start is
/// in progress. Browsers in `recorded` are left alone.
pub(super) async fn kill_abandoned(
    folder: &PrivateFolder,
    recorded: &[BrowserRecord],
) -> Result<(), FolderError> {
    for (name, started) in folder.records::<StartRecord>(SUFFIX)? {
        let is_recorded = recorded.iter().any(|record| record.pid == started.pid);
        if !is_recorded
            && tokio::time::timeout(REPLY_TIMEOUT, kill(&started))
                .await
                .is_err()
        {
            // The next command tries again.
            continue;
        }
        folder.remove(&name).map_err(|error| folder.failed(error))?;
    }
    Ok(())
}

/// Kills a browser, waits for its end, and removes its own profile.
async fn kill(started: &StartRecord) {
    while process::runs(started.pid, &started.profile) {
        // It may end by itself in this moment.
        let _ = process::kill(started.pid);
        tokio::time::sleep(EXIT_POLL).await;
    }
    // Its helpers may write for a moment longer.
    while started.own_profile && !runtime::remove_profile(&started.profile) {
        tokio::time::sleep(EXIT_POLL).await;
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::*;

    #[tokio::test]
    async fn browser_without_broker_is_killed_unless_recorded() {
        let root = testkit::TempFolder::new("start-record");
        let folder = || PrivateFolder::make(&root).unwrap();
        let profile = runtime::new_profile().unwrap();
        let start = || {
            let mut shell = Command::new("sh");
            shell.args(["-c", "while :; do sleep 1; done"]);
            shell.arg(format!("--user-data-dir={}", profile.display()));
            shell.process_group(0).spawn().unwrap()
        };
        let (mut lost, mut kept) = (start(), start());
        for child in [&mut lost, &mut kept] {
            // A process that was just started may not show its arguments yet.
            while !process::runs(child.id(), &profile) {
                assert_eq!(child.try_wait().unwrap(), None);
                tokio::time::sleep(EXIT_POLL).await;
            }
        }
        for child in [&lost, &kept] {
            let is_own_child = child.id() == lost.id();
            // As a broker that is killed leaves it.
            std::mem::forget(write(&folder(), child.id(), &profile, is_own_child).unwrap());
        }
        let recorded = BrowserRecord {
            url: "unix:///nowhere/x.socket".to_owned(),
            port: None,
            pid: kept.id(),
            headless: true,
            product: String::new(),
            profile: profile.clone(),
            own_profile: true,
        };
        kill_abandoned(&folder(), &[recorded]).await.unwrap();
        assert!(!lost.wait().unwrap().success());
        assert!(!profile.exists());
        assert_eq!(kept.try_wait().unwrap(), None);
        assert_eq!(folder().names().unwrap(), [""; 0]);
        process::kill(kept.id()).unwrap();
        kept.wait().unwrap();
    }
}
