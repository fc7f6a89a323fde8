//! Paths of the files of a run.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use contract::{ErrorBody, ErrorCode};
use engine::Artifacts;

use crate::paths::{Paths, Replace};
use crate::{files, runtime};

/// Writes screenshots to the path from the plan, or to a new file in a folder.
pub(crate) struct Folder {
    folder: Option<PathBuf>,
    named: Paths,
    uploads: Paths,
    replace: Replace,
    command: String,
}

/// The number of screenshots of this process without a path in the plan; a command may run more than once.
static NEXT_SCREENSHOT: AtomicU32 = AtomicU32::new(1);

impl Folder {
    /// The folder for the run of this command.
    pub(crate) fn new(
        folder: Option<PathBuf>,
        named: Paths,
        uploads: Paths,
        replace: Replace,
        command_id: &str,
    ) -> Self {
        Self {
            folder,
            named,
            uploads,
            replace,
            command: safe(command_id),
        }
    }

    /// A path for a screenshot without one in the plan, unlikely to collide with that of another process.
    fn own_path(&self) -> Result<PathBuf, String> {
        let name = format!(
            "clawperator-screenshot-{}-{}-{}.png",
            self.command,
            std::process::id(),
            NEXT_SCREENSHOT.fetch_add(1, Ordering::Relaxed)
        );
        match &self.folder {
            Some(folder) => Ok(folder.join(name)),
            None => {
                let folder = runtime::make_screenshots().map_err(|error| error.to_string())?;
                Ok(folder.path().join(name))
            }
        }
    }
}

impl Artifacts for Folder {
    fn upload(&self, path: &str) -> Result<PathBuf, String> {
        self.uploads.existing_file(path)
    }

    fn keep_screenshot(&mut self, path: Option<&str>, file: &[u8]) -> Result<String, String> {
        let path = match path {
            Some(path) => {
                let place = self.named.resolve(path)?;
                self.replace.check(&place)?;
                place
            }
            None => self.own_path()?,
        };
        write(&path, file).map_err(|why| format!("{}: {why}", path.display()))?;
        Ok(path.display().to_string())
    }
}

/// Writes a file atomically. Replaces only regular files.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    files::reject_foreign_link(path).map_err(|error| error.to_string())?;
    // A link is followed, so that its target is written and the link stays.
    let target = match fs::canonicalize(path) {
        Ok(target) if target.is_file() => target,
        Ok(_) => return Err("it is not a regular file".to_owned()),
        Err(_) if path.is_symlink() => return Err("it is a dangling link".to_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error.to_string()),
    };
    let folder = target.parent().unwrap_or(Path::new(""));
    if !folder.is_dir() {
        return Err(format!("the folder {} does not exist", folder.display()));
    }
    files::replace(&target, bytes).map_err(|error| error.to_string())
}

/// A command's id as a safe part of a file name.
fn safe(command_id: &str) -> String {
    command_id
        .chars()
        .take(64)
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || "-_".contains(letter) {
                letter
            } else {
                '_'
            }
        })
        .collect()
}

/// Writes the journal of the embedded phone atomically.
pub(crate) fn write_journal(path: &Path, lines: &str) -> Result<(), String> {
    let path = std::path::absolute(path).map_err(|error| error.to_string())?;
    files::reject_other_than_journal(&path).map_err(|error| error.to_string())?;
    write(&path, lines.as_bytes())
}

/// The error of a journal that cannot be written.
pub(crate) fn no_journal(path: &Path, why: &str) -> ErrorBody {
    let message = format!("the journal cannot be written: {}: {why}", path.display());
    ErrorBody::new(ErrorCode::Usage, message).with_hint("Name a file in an existing folder")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_names_stay_in_their_folder() {
        assert_eq!(safe("../../etc/passwd a:b"), "______etc_passwd_a_b");
    }

    #[test]
    fn screenshot_is_written_atomically_or_fails_with_a_reason() {
        let folder = testkit::TempFolder::new("artifacts");
        let mut files = Folder::new(
            Some(folder.to_path_buf()),
            Paths::Anywhere,
            Paths::nowhere(),
            Replace::Any,
            "cmd/1",
        );
        let generated = files.keep_screenshot(None, b"one").unwrap();
        assert!(Path::new(&generated).starts_with(&folder));
        let named = folder.join("shot.png");
        let named = named.to_str().unwrap();
        for bytes in [b"two", b"new"] {
            assert_eq!(files.keep_screenshot(Some(named), bytes).unwrap(), named);
            assert_eq!(fs::read(named).unwrap(), bytes);
        }
        let no_file = files
            .keep_screenshot(folder.to_str(), b"three")
            .unwrap_err();
        assert!(no_file.ends_with("it is not a regular file"), "{no_file}");
        let deep = folder.join("no/such/shot.png");
        let no_folder = files.keep_screenshot(deep.to_str(), b"four").unwrap_err();
        assert!(no_folder.contains("does not exist"), "{no_folder}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    }

    #[test]
    fn links_are_followed_and_special_files_refused() {
        let folder = testkit::TempFolder::new("links");
        let (target, link) = (folder.join("target.png"), folder.join("link.png"));
        fs::write(&target, b"old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let mut files = Folder::new(None, Paths::Anywhere, Paths::nowhere(), Replace::Any, "c");
        files.keep_screenshot(link.to_str(), b"new").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert!(link.is_symlink());
        let refused = files.keep_screenshot(Some("/dev/null"), b"x").unwrap_err();
        assert!(refused.contains("not a regular file"), "{refused}");
    }
}
