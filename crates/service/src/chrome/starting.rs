//! Browsers that are being started, each in a file from the moment its process is there: one whose starter was killed before
//! it could be kept in mind is ended by whoever starts or stops browsers next.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::process;
use super::record::ANSWER;

/// How often what is to go is looked at.
const LOOK: Duration = Duration::from_millis(10);
/// How the files end; records of browsers that are kept end otherwise.
const END: &str = "starting";

/// A browser that is being started.
#[derive(Debug, Serialize, Deserialize)]
struct Begun {
    pid: u32,
    profile: PathBuf,
    /// Whether the profile was made for it and goes with it.
    own_profile: bool,
}

/// The file of a browser that is being started; it goes with this value.
#[derive(Debug)]
pub(super) struct Noted(PathBuf);

impl Drop for Noted {
    fn drop(&mut self) {
        // One that stays behind names a process that is kept or gone; both are told apart by whoever reads it.
        let _ = fs::remove_file(&self.0);
    }
}

/// Notes that a browser is being started.
pub(super) fn note(
    folder: &Path,
    pid: u32,
    profile: &Path,
    own_profile: bool,
) -> std::io::Result<Noted> {
    let begun = Begun {
        pid,
        profile: profile.to_owned(),
        own_profile,
    };
    let text = serde_json::to_vec(&begun).map_err(std::io::Error::other)?;
    let path = folder.join(format!("{pid}.{END}"));
    fs::write(&path, text)?;
    Ok(Noted(path))
}

/// Ends every browser whose starter is gone, with its profile. The caller is the only one who starts or ends browsers now, so
/// that nobody is in the middle of a start. `kept` are the processes that are kept in mind.
pub(super) async fn clear(folder: &Path, kept: &[u32]) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.extension().is_none_or(|end| end != END) {
            continue;
        }
        let begun = fs::read(&path).ok();
        let begun = begun.and_then(|text| serde_json::from_slice::<Begun>(&text).ok());
        if let Some(begun) = begun
            && !kept.contains(&begun.pid)
        {
            // What is left after that is ended by whoever looks next.
            if tokio::time::timeout(ANSWER, end(&begun)).await.is_err() {
                continue;
            }
        }
        let _ = fs::remove_file(&path);
    }
}

/// Ends one; returns when it is gone, and its profile where that is its own.
async fn end(begun: &Begun) {
    while process::runs(begun.pid, &begun.profile) {
        // A process that ends by itself in this moment needs no end.
        let _ = process::kill(begun.pid);
        tokio::time::sleep(LOOK).await;
    }
    // Its helpers may write for a moment longer.
    while begun.own_profile && fs::remove_dir_all(&begun.profile).is_err() && begun.profile.exists()
    {
        tokio::time::sleep(LOOK).await;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::*;

    #[tokio::test]
    async fn a_browser_whose_starter_was_killed_is_ended_and_one_that_is_kept_is_not() {
        let folder = std::env::temp_dir().join(format!("clawperator-begun-{}", std::process::id()));
        let profile = folder.join("profile");
        fs::create_dir_all(&profile).unwrap();
        let start = || {
            let mut shell = Command::new("sh");
            shell
                .args(["-c", "while :; do sleep 1; done"])
                .arg(&profile);
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
            // As it stays behind when the starter is killed.
            std::mem::forget(note(&folder, child.id(), &profile, child.id() == lost.id()).unwrap());
        }
        clear(&folder, &[kept.id()]).await;
        assert!(!lost.wait().unwrap().success());
        assert!(!profile.exists());
        assert_eq!(kept.try_wait().unwrap(), None);
        let left: Vec<_> = fs::read_dir(&folder).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
        process::kill(kept.id()).unwrap();
        kept.wait().unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }
}
