//! The download policy, and the names of downloaded files.

use std::fs::{self, OpenOptions};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use cdp::protocol::browser::{DownloadBehavior, SetDownloadBehavior};

use super::Browser;

/// The download policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Downloads {
    /// Deny downloads.
    #[default]
    Denied,
    /// Save downloads in this folder, an absolute path.
    Into(PathBuf),
    /// Use the browser's own settings.
    AsBrowser,
}

/// Directs a browser's downloads into a folder while a driver holds this; after the last one is dropped, the
/// browser's own settings apply again.
#[derive(Debug)]
pub struct DownloadFolder(Browser);

impl Drop for DownloadFolder {
    fn drop(&mut self) {
        let mut drivers = self.0.download_folders();
        *drivers -= 1;
        if *drivers == 0 {
            self.0
                .set_download_behavior(DownloadBehavior::Default, None);
        }
    }
}

impl Browser {
    /// Sets the policy for all pages of the browser while this connection lives; a folder is used while a driver holds the
    /// returned value.
    #[must_use]
    pub fn set_downloads(&self, downloads: &Downloads) -> Option<DownloadFolder> {
        match downloads {
            Downloads::AsBrowser => None,
            Downloads::Denied => {
                self.set_download_behavior(DownloadBehavior::Deny, None);
                None
            }
            Downloads::Into(folder) => {
                let mut drivers = self.download_folders();
                *drivers += 1;
                // With the suggested names the browser would overwrite existing files.
                self.set_download_behavior(DownloadBehavior::AllowAndName, Some(folder));
                Some(DownloadFolder(self.clone()))
            }
        }
    }

    /// Does not wait for the response: the browser handles messages in order.
    fn set_download_behavior(&self, behavior: DownloadBehavior, folder: Option<&Path>) {
        drop(self.connection().browser().call(&SetDownloadBehavior {
            behavior,
            browser_context_id: None,
            download_path: folder.map(|folder| folder.display().to_string()),
            events_enabled: None,
        }));
    }
}

/// Makes an unused profile deny downloads while no driver sets a policy.
///
/// # Errors
/// If the preferences cannot be written.
pub fn deny_downloads(profile: &Path) -> std::io::Result<()> {
    let folder = profile.join("Default");
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&folder)?;
    // The setting by which administrators forbid downloads.
    fs::write(folder.join("Preferences"), r#"{"download_restrictions":3}"#)
}

/// The maximum number tried to make a file name unique.
const MAX_NAME_NUMBER: u32 = 1_000;
/// The maximum length of a name in characters.
const MAX_NAME: usize = 100;

/// Renames a file from the browser's name to the suggested one, with a number if that exists already.
pub(crate) fn rename(file: &Path, suggested: &str) -> std::io::Result<PathBuf> {
    let name = safe_name(suggested);
    let name = Path::new(&name);
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    for number in 0..MAX_NAME_NUMBER {
        let mut own = stem.clone().into_owned();
        if number > 0 {
            own.push_str(&format!(" ({number})"));
        }
        if let Some(extension) = name.extension() {
            own.push_str(&format!(".{}", extension.to_string_lossy()));
        }
        let to = file.with_file_name(own);
        // Reserves the name, so that no existing file is replaced.
        match OpenOptions::new().write(true).create_new(true).open(&to) {
            Ok(_) => {
                fs::rename(file, &to)?;
                return Ok(to);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::from(ErrorKind::AlreadyExists))
}

/// A suggested name without path separators, leading dots and invalid characters.
fn safe_name(suggested: &str) -> String {
    let last = suggested.rsplit(['/', '\\']).next().unwrap_or_default();
    let letters = last
        .chars()
        .filter(|letter| !letter.is_control() && !"<>:\"|?*".contains(*letter));
    let letters: Vec<char> = letters.collect();
    // The end is kept, since it has the file type.
    let skip = letters.len().saturating_sub(MAX_NAME);
    let name: String = letters.into_iter().skip(skip).collect();
    let name = name.trim_matches([' ', '.']);
    match name {
        "" => "download".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggested_names_cannot_leave_the_folder() {
        for (suggested, name) in [
            ("report.pdf", "report.pdf"),
            ("../../.bashrc", "bashrc"),
            ("C:\\windows\\a.exe", "a.exe"),
            ("a\nb\u{7}.txt", "ab.txt"),
            ("..", "download"),
            ("", "download"),
            ("a/", "download"),
            ("x:y?.txt ", "xy.txt"),
        ] {
            assert_eq!(safe_name(suggested), name, "{suggested:?}");
        }
        assert!(safe_name(&format!("{}.txt", "n".repeat(500))).ends_with("n.txt"));
    }
}
