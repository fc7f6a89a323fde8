//! Where the files of a run go.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use engine::Artifacts;

use crate::paths::{Paths, Replace};
use crate::{files, runtime};

/// Puts screenshots where the plan says, or into a folder under a name of their own.
pub(crate) struct Folder {
    folder: Option<PathBuf>,
    named: Paths,
    replace: Replace,
    command: String,
}

/// How many screenshots of this process got a path of their own; the same command may run more than once.
static KEPT: AtomicU32 = AtomicU32::new(1);

impl Folder {
    /// The files of the run of this command.
    pub(crate) fn new(
        folder: Option<PathBuf>,
        named: Paths,
        replace: Replace,
        command_id: &str,
    ) -> Self {
        Self {
            folder,
            named,
            replace,
            command: safe(command_id),
        }
    }

    /// A path for a screenshot whose plan names none; no other process is likely to have it.
    fn own_path(&self) -> Result<PathBuf, String> {
        let name = format!(
            "clawperator-screenshot-{}-{}-{}.png",
            self.command,
            std::process::id(),
            KEPT.fetch_add(1, Ordering::Relaxed)
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
    fn keep_screenshot(&mut self, path: Option<&str>, png: &[u8]) -> Result<String, String> {
        let path = match path {
            Some(path) => {
                let place = self.named.resolve(path)?;
                self.replace.check(&place)?;
                place
            }
            None => self.own_path()?,
        };
        write(&path, png).map_err(|why| format!("{}: {why}", path.display()))?;
        Ok(path.display().to_string())
    }
}

/// Writes a file whole or not at all: a reader never finds half of it, and nothing but a file is ever replaced.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    files::refuse_foreign_link(path).map_err(|error| error.to_string())?;
    // A link is followed, so that what it names is written and the link stays.
    let target = match fs::canonicalize(path) {
        Ok(target) if target.is_file() => target,
        Ok(_) => return Err("there is something else than a file".to_owned()),
        Err(_) if path.is_symlink() => return Err("there is a link that leads nowhere".to_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error.to_string()),
    };
    let folder = target.parent().unwrap_or(Path::new(""));
    if !folder.is_dir() {
        return Err(format!("there is no folder {}", folder.display()));
    }
    files::replace(&target, bytes).map_err(|error| error.to_string())
}

/// A command's id as part of a file name, whatever stands in it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_never_leaves_its_folder() {
        assert_eq!(safe("../../etc/passwd a:b"), "______etc_passwd_a_b");
    }

    #[test]
    fn a_screenshot_is_written_whole_or_says_why_not() {
        let folder =
            std::env::temp_dir().join(format!("clawperator-artifacts-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut files = Folder::new(Some(folder.clone()), Paths::Anywhere, Replace::Any, "cmd/1");
        let own = files.keep_screenshot(None, b"one").unwrap();
        assert!(Path::new(&own).starts_with(&folder));
        let named = folder.join("shot.png");
        let named = named.to_str().unwrap();
        for bytes in [b"two", b"new"] {
            assert_eq!(files.keep_screenshot(Some(named), bytes).unwrap(), named);
            assert_eq!(fs::read(named).unwrap(), bytes);
        }
        let no_file = files
            .keep_screenshot(folder.to_str(), b"three")
            .unwrap_err();
        assert!(
            no_file.ends_with("there is something else than a file"),
            "{no_file}"
        );
        let deep = folder.join("no/such/shot.png");
        let no_folder = files.keep_screenshot(deep.to_str(), b"four").unwrap_err();
        assert!(no_folder.contains("there is no folder"), "{no_folder}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_written_through_and_a_device_is_left_alone() {
        let folder = std::env::temp_dir().join(format!("clawperator-links-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (target, link) = (folder.join("target.png"), folder.join("link.png"));
        fs::write(&target, b"old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let mut files = Folder::new(None, Paths::Anywhere, Replace::Any, "c");
        files.keep_screenshot(link.to_str(), b"new").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert!(link.is_symlink());
        let refused = files.keep_screenshot(Some("/dev/null"), b"x").unwrap_err();
        assert!(refused.contains("something else than a file"), "{refused}");
        fs::remove_dir_all(folder).unwrap();
    }
}
