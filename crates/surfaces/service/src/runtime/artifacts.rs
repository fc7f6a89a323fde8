//! Screenshots and recordings without a path in the plan: kept in the user's folder in the temporary folder for a week after
//! their last change.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use super::{FolderError, PrivateFolder, make_temporary, temporary};
use crate::random::secret;

/// How long files are kept.
const RETENTION: Duration = Duration::from_hours(7 * 24);
/// How often a process deletes old files.
const SWEEP_INTERVAL: Duration = Duration::from_hours(1);
/// The folder of screenshots.
const SCREENSHOTS: &str = "screenshots";
/// The folder of recordings of simulated phones, with a folder for each phone.
const RECORDINGS: &str = "recordings";

/// Opens the folder of screenshots, and deletes old files once in an hour.
pub(crate) fn make_screenshots() -> Result<PrivateFolder, FolderError> {
    static LAST: LastSweep = Mutex::new(None);
    let folder = make_temporary(SCREENSHOTS)?;
    sweep(&LAST, || remove_old(&folder, SystemTime::now()));
    Ok(folder)
}

/// Opens the folder of recordings, and deletes old files once in an hour.
pub(crate) fn make_recordings() -> Result<PrivateFolder, FolderError> {
    static LAST: LastSweep = Mutex::new(None);
    let folder = make_temporary(RECORDINGS)?;
    sweep(&LAST, || remove_old_in_each(&folder, SystemTime::now()));
    Ok(folder)
}

/// When this process last deleted the old files of a folder.
type LastSweep = Mutex<Option<Instant>>;

/// Deletes old files unless that was done within [`SWEEP_INTERVAL`]. What cannot be deleted now is deleted another time.
fn sweep(last: &LastSweep, remove: impl FnOnce() -> io::Result<()>) {
    let Ok(mut last) = last.try_lock() else {
        return;
    };
    if last.is_none_or(|last| last.elapsed() >= SWEEP_INTERVAL) {
        *last = Some(Instant::now());
        drop(remove());
    }
}

/// A new folder for the recordings of an embedded phone, created when the phone records.
pub(crate) fn new_recordings() -> PathBuf {
    temporary().join(RECORDINGS).join(secret())
}

/// A folder for the recordings of one phone, deleted on drop.
#[derive(Debug)]
pub(crate) struct RecordingFolder {
    folder: PrivateFolder,
    name: String,
}

impl RecordingFolder {
    pub(crate) fn make() -> Result<Self, FolderError> {
        let folder = make_recordings()?;
        let name = secret();
        folder.make_inner(&name)?;
        Ok(Self { folder, name })
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }
}

impl Drop for RecordingFolder {
    fn drop(&mut self) {
        // What stays is deleted after a week.
        let _ = self.folder.remove_tree(&self.name);
    }
}

/// Deletes old files of a folder; one that cannot be deleted does not keep the others.
fn remove_old(folder: &PrivateFolder, now: SystemTime) -> io::Result<()> {
    for name in folder.names()? {
        if is_old(&folder.path().join(&name), now) {
            let _ = folder.remove(&name);
        }
    }
    Ok(())
}

/// Deletes old files of the folders in a folder, and folders that have been empty for as long.
fn remove_old_in_each(folder: &PrivateFolder, now: SystemTime) -> io::Result<()> {
    for name in folder.names()? {
        // Anything else is not of this program.
        let Ok(Some(inner)) = folder.open_inner(&name) else {
            continue;
        };
        let was_left = is_old(inner.path(), now);
        if remove_old(&inner, now).is_ok()
            && was_left
            && inner.names().is_ok_and(|names| names.is_empty())
        {
            let _ = fs::remove_dir(inner.path());
        }
    }
    Ok(())
}

fn is_old(path: &Path, now: SystemTime) -> bool {
    let written = fs::symlink_metadata(path).and_then(|found| found.modified());
    let age = written.ok().and_then(|then| now.duration_since(then).ok());
    age.is_some_and(|age| age > RETENTION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_deleted_a_week_after_their_last_change() {
        let root = testkit::TempFolder::new("old");
        let folder = PrivateFolder::make(&root).unwrap();
        let phone = folder.make_inner("phone").unwrap();
        let empty = folder.make_inner("empty").unwrap();
        phone.write("old", b"").unwrap();
        phone.write("new", b"").unwrap();
        // What is no folder comes first and does not stop the deletion.
        folder.write("a file", b"").unwrap();
        let week = SystemTime::now() + RETENTION - Duration::from_secs(30);
        let old = fs::File::options().write(true).open(root.join("phone/old"));
        let written = SystemTime::now() - Duration::from_secs(60);
        old.unwrap().set_modified(written).unwrap();
        remove_old_in_each(&folder, week).unwrap();
        assert_eq!(phone.names().unwrap(), ["new"]);
        assert_eq!(folder.names().unwrap(), ["a file", "empty", "phone"]);
        let later = week + Duration::from_secs(3600);
        remove_old_in_each(&folder, later).unwrap();
        assert!(phone.names().unwrap().is_empty());
        assert!(!empty.path().exists());
    }
}
