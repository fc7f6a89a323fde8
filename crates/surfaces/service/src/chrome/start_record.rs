//! Browsers that are being started, each with a record from the moment its process is there: one whose starter was killed
//! before it could write the lasting record is ended by the next command that starts or stops browsers.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::process;
use super::record::{ANSWER, LOOK, Record};
use crate::runtime::{self, FolderError, PrivateFolder};

/// How the names of these records end.
const END: &str = ".starting";

/// A browser that is being started.
#[derive(Debug, Serialize, Deserialize)]
struct Begun {
    pid: u32,
    profile: PathBuf,
    /// Whether the profile was made for it and goes with it.
    own_profile: bool,
}

/// The record of a browser that is being started; it is removed with this value.
#[derive(Debug)]
pub(super) struct StartRecord {
    folder: PrivateFolder,
    name: String,
}

impl Drop for StartRecord {
    fn drop(&mut self) {
        // One that stays names a process that is recorded or gone; the next command tells both apart.
        let _ = self.folder.remove(&self.name);
    }
}

/// Records that a browser is being started.
pub(super) fn record(
    folder: PrivateFolder,
    pid: u32,
    profile: &Path,
    own_profile: bool,
) -> std::io::Result<StartRecord> {
    let begun = Begun {
        pid,
        profile: profile.to_owned(),
        own_profile,
    };
    let name = format!("{pid}{END}");
    folder.write_record(&name, &begun)?;
    Ok(StartRecord { folder, name })
}

/// Ends every browser whose starter is gone, with its profile. The caller is the only one who starts or ends browsers now, so
/// that nobody is in the middle of a start. Browsers with a record of their own are left alone.
pub(super) async fn end_abandoned(
    folder: &PrivateFolder,
    recorded: &[Record],
) -> Result<(), FolderError> {
    for (name, begun) in folder.records::<Begun>(END)? {
        let is_recorded = recorded.iter().any(|record| record.pid == begun.pid);
        // What is left after that is ended by the next command.
        if !is_recorded && tokio::time::timeout(ANSWER, end(&begun)).await.is_err() {
            continue;
        }
        folder.remove(&name).map_err(|error| folder.failed(error))?;
    }
    Ok(())
}

/// Ends one; returns when it is gone, and its profile where that was made for it.
async fn end(begun: &Begun) {
    while process::runs(begun.pid, &begun.profile) {
        // A process that ends by itself in this moment needs no end.
        let _ = process::kill(begun.pid);
        tokio::time::sleep(LOOK).await;
    }
    // Its helpers may write for a moment longer.
    while begun.own_profile && !runtime::remove_profile(&begun.profile) {
        tokio::time::sleep(LOOK).await;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::*;

    #[tokio::test]
    async fn a_browser_whose_starter_was_killed_is_ended_and_one_that_is_recorded_is_not() {
        let root = std::env::temp_dir().join(format!("clawperator-begun-{}", std::process::id()));
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
            // A process that has just begun has no arguments yet by which it could be known.
            while !process::runs(child.id(), &profile) {
                assert_eq!(child.try_wait().unwrap(), None);
                tokio::time::sleep(LOOK).await;
            }
        }
        for child in [&lost, &kept] {
            let own = child.id() == lost.id();
            // As it stays behind when the starter is killed.
            std::mem::forget(record(folder(), child.id(), &profile, own).unwrap());
        }
        let recorded = Record {
            url: "unix:///nowhere/x.socket".to_owned(),
            port: None,
            pid: kept.id(),
            headless: true,
            product: String::new(),
            profile: profile.clone(),
            own_profile: true,
        };
        end_abandoned(&folder(), &[recorded]).await.unwrap();
        assert!(!lost.wait().unwrap().success());
        assert!(!profile.exists());
        assert_eq!(kept.try_wait().unwrap(), None);
        assert_eq!(folder().names().unwrap(), [""; 0]);
        process::kill(kept.id()).unwrap();
        kept.wait().unwrap();
        std::fs::remove_dir_all(&root).unwrap();
    }
}
