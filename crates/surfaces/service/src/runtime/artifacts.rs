//! Pictures and recordings that nobody has named: they lie in the user's folder in the temporary folder, and are removed a
//! week after they were last written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, SystemTime};

use super::{FolderError, PrivateFolder, make_temporary, temporary};
use crate::random::secret;

/// How long a file stays after it was last written.
const KEPT: Duration = Duration::from_hours(7 * 24);
/// The folder of pictures.
const SCREENSHOTS: &str = "screenshots";
/// The folder of recordings of simulated phones; each phone has a folder in it.
const RECORDINGS: &str = "recordings";

/// Opens the folder of pictures; old ones go the first time that a process does.
pub(crate) fn make_screenshots() -> Result<PrivateFolder, FolderError> {
    static ONCE: Once = Once::new();
    let folder = make_temporary(SCREENSHOTS)?;
    // What cannot be removed now is removed another time.
    ONCE.call_once(|| drop(remove_old(&folder, SystemTime::now())));
    Ok(folder)
}

/// Makes the folder of recordings; old ones go the first time that a process does.
pub(crate) fn make_recordings() -> Result<PrivateFolder, FolderError> {
    static ONCE: Once = Once::new();
    let folder = make_temporary(RECORDINGS)?;
    ONCE.call_once(|| drop(remove_old_in_each(&folder, SystemTime::now())));
    Ok(folder)
}

/// A folder for the recordings of one embedded phone, which is made when the phone records.
pub(crate) fn new_recordings() -> PathBuf {
    temporary().join(RECORDINGS).join(secret())
}

/// A folder for the recordings of one phone, which goes with this value.
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
        // What stays is removed in a week.
        let _ = self.folder.remove_tree(&self.name);
    }
}

/// Removes the files of a folder that are too old.
fn remove_old(folder: &PrivateFolder, now: SystemTime) -> io::Result<()> {
    for name in folder.names()? {
        if is_old(&folder.path().join(&name), now) {
            folder.remove(&name)?;
        }
    }
    Ok(())
}

/// The same in each folder of a folder, and the folders that have been empty for as long.
fn remove_old_in_each(folder: &PrivateFolder, now: SystemTime) -> io::Result<()> {
    for name in folder.names()? {
        let Some(inner) = folder.open_inner(&name)? else {
            continue;
        };
        let was_left = is_old(inner.path(), now);
        remove_old(&inner, now)?;
        if was_left && inner.names()?.is_empty() {
            fs::remove_dir(inner.path())?;
        }
    }
    Ok(())
}

fn is_old(path: &Path, now: SystemTime) -> bool {
    let written = fs::symlink_metadata(path).and_then(|found| found.modified());
    let age = written.ok().and_then(|then| now.duration_since(then).ok());
    age.is_some_and(|age| age > KEPT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_go_a_week_after_they_were_written() {
        let root = std::env::temp_dir().join(format!("runtime-old-{}", std::process::id()));
        let folder = PrivateFolder::make(&root).unwrap();
        let phone = folder.make_inner("phone").unwrap();
        let empty = folder.make_inner("empty").unwrap();
        phone.write("old", b"").unwrap();
        phone.write("new", b"").unwrap();
        let week = SystemTime::now() + KEPT - Duration::from_secs(30);
        let old = fs::File::options().write(true).open(root.join("phone/old"));
        let written = SystemTime::now() - Duration::from_secs(60);
        old.unwrap().set_modified(written).unwrap();
        remove_old_in_each(&folder, week).unwrap();
        assert_eq!(phone.names().unwrap(), ["new"]);
        assert_eq!(folder.names().unwrap(), ["empty", "phone"]);
        let later = week + Duration::from_secs(3600);
        remove_old_in_each(&folder, later).unwrap();
        assert!(phone.names().unwrap().is_empty());
        assert!(!empty.path().exists());
        fs::remove_dir_all(root).unwrap();
    }
}
