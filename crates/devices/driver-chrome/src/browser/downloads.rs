//! Files that pages give: where they go, if anywhere.

use std::fs::{self, OpenOptions};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use cdp::protocol::browser::{DownloadBehavior, SetDownloadBehavior};

use super::Browser;

/// What becomes of files that pages give.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Downloads {
    /// They are denied.
    #[default]
    Denied,
    /// They are put into this folder, whose path is absolute.
    Into(PathBuf),
    /// The browser's own settings decide.
    AsBrowser,
}

/// Has downloads of a browser put into a folder for one driver; when the last one is dropped, the browser's own settings
/// apply again.
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
                // Under the name that the page suggests, the browser would replace what is there.
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

/// Has a profile that no browser has used yet deny downloads while nobody drives its browser.
///
/// # Errors
/// When it cannot be written.
pub fn deny_downloads(profile: &Path) -> std::io::Result<()> {
    let folder = profile.join("Default");
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&folder)?;
    // What browsers are told by administrators who allow no downloads.
    fs::write(folder.join("Preferences"), r#"{"download_restrictions":3}"#)
}

/// How many files of one name a folder may have before another is not named so.
const MOST_OF_A_NAME: u32 = 1_000;
/// The most letters of a name.
const LONGEST_NAME: usize = 100;

/// Gives a file that lies under the browser's name for it the one that its page suggests, and a number where there is one of
/// that name already.
pub(crate) fn rename(file: &Path, suggested: &str) -> std::io::Result<PathBuf> {
    let name = safe_name(suggested);
    let name = Path::new(&name);
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    for number in 0..MOST_OF_A_NAME {
        let mut own = stem.clone().into_owned();
        if number > 0 {
            own.push_str(&format!(" ({number})"));
        }
        if let Some(extension) = name.extension() {
            own.push_str(&format!(".{}", extension.to_string_lossy()));
        }
        let to = file.with_file_name(own);
        // Only what was not there is replaced.
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

/// A name as a page suggests it, without what leads to another folder, hides the file, or cannot be in a name.
fn safe_name(suggested: &str) -> String {
    let last = suggested.rsplit(['/', '\\']).next().unwrap_or_default();
    let letters = last
        .chars()
        .filter(|letter| !letter.is_control() && !"<>:\"|?*".contains(*letter));
    let letters: Vec<char> = letters.collect();
    // The end says what kind of file it is.
    let skip = letters.len().saturating_sub(LONGEST_NAME);
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
    fn names_of_pages_lead_nowhere() {
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
