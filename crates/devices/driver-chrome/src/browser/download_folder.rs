//! The download policy, and the names of downloaded files.

use std::collections::{BTreeMap, BTreeSet};
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
    /// Save downloads in this folder, an absolute path, while the browser is driven.
    Into(PathBuf),
    /// Save downloads in this folder also while the tab is paused: a server may prepare a file for longer than a run lasts.
    IntoAlsoBetweenRuns(PathBuf),
    /// Use the browser's own settings.
    AsBrowser,
}

/// Directs a browser's downloads into a folder while a driver holds this; after the last one is dropped, the
/// browser's own settings apply again.
#[derive(Debug)]
pub struct DownloadFolder(Browser);

/// The folders and files of downloads, by the browser's id of a download.
#[derive(Debug, Default)]
pub(super) struct DownloadNames {
    /// The number of drivers that hold a [`DownloadFolder`].
    drivers: usize,
    /// The folder of new downloads.
    folder: Option<PathBuf>,
    /// The started downloads whose file the browser has not created yet: it does so by the settings of that moment.
    pending: BTreeSet<String>,
    /// The folders of started downloads.
    folders: BTreeMap<String, PathBuf>,
    /// The files of completed downloads.
    files: BTreeMap<String, PathBuf>,
}

impl Drop for DownloadFolder {
    fn drop(&mut self) {
        self.0.download_names().drivers -= 1;
        self.0.reset_downloads_if_unused();
    }
}

impl DownloadNames {
    /// Removes the downloads whose file exists from the pending ones.
    fn note_created_files(&mut self) {
        let folders = &self.folders;
        self.pending.retain(|guid| {
            let folder = folders.get(guid);
            !folder.is_some_and(|folder| {
                let unfinished = folder.join(format!("{guid}.crdownload"));
                unfinished.exists() || folder.join(guid).exists()
            })
        });
    }
}

impl Browser {
    /// Sets the policy for all pages of the browser while this connection is open; a folder is used while a driver holds the
    /// returned value.
    pub fn set_downloads(&self, downloads: &Downloads) -> Option<DownloadFolder> {
        match downloads {
            Downloads::AsBrowser => None,
            Downloads::Denied => {
                let mut names = self.download_names();
                names.folder = None;
                names.pending.clear();
                self.set_download_behavior(DownloadBehavior::Deny, None);
                None
            }
            Downloads::Into(folder) | Downloads::IntoAlsoBetweenRuns(folder) => {
                let mut names = self.download_names();
                names.drivers += 1;
                names.folder = Some(folder.clone());
                // With the suggested names the browser would overwrite existing files.
                self.set_download_behavior(DownloadBehavior::AllowAndName, Some(folder));
                Some(DownloadFolder(self.clone()))
            }
        }
    }

    /// Records the folder of a download that starts.
    pub(super) fn note_download_start(&self, guid: &str) {
        let mut names = self.download_names();
        let Some(folder) = names.folder.clone() else {
            return;
        };
        if !names.folders.contains_key(guid) {
            names.folders.insert(guid.to_owned(), folder);
            names.pending.insert(guid.to_owned());
        }
    }

    /// Records the progress of a download; a completed file gets its name, also when no command is running.
    pub(super) fn note_download_progress(&self, file: &super::Download) {
        if file.done.is_some() {
            self.download_names().pending.remove(&file.guid);
        }
        if file.done == Some(true) {
            self.downloaded_file(&file.guid, &file.name);
        }
        self.reset_downloads_if_unused();
    }

    /// Restores the browser's own settings when no driver holds the folder and each started download has its file.
    fn reset_downloads_if_unused(&self) {
        let mut names = self.download_names();
        if names.drivers > 0 || names.folder.is_none() {
            return;
        }
        names.note_created_files();
        if names.pending.is_empty() {
            names.folder = None;
            self.set_download_behavior(DownloadBehavior::Default, None);
        }
    }

    /// The file of a completed download, which gets the suggested name the first time; `None` if the browser chose its place.
    pub(crate) fn downloaded_file(&self, guid: &str, suggested: &str) -> Option<PathBuf> {
        let mut names = self.download_names();
        if let Some(file) = names.files.get(guid) {
            return Some(file.clone());
        }
        let browser_path = names.folders.get(guid)?.join(guid);
        let file = match rename(&browser_path, suggested) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return None,
            // A file that cannot be renamed keeps the browser's name.
            Err(_) => browser_path,
        };
        names.files.insert(guid.to_owned(), file.clone());
        Some(file)
    }

    /// Does not wait for the response: the browser handles messages in order.
    fn set_download_behavior(&self, behavior: DownloadBehavior, folder: Option<&Path>) {
        drop(self.connection().browser().call(&SetDownloadBehavior {
            behavior,
            browser_context_id: None,
            download_path: folder.map(|folder| folder.display().to_string()),
            // Downloads of tabs without an attached session are reported only to the browser's session.
            events_enabled: Some(true),
        }));
    }
}

/// Makes an unused profile deny downloads while no driver sets a policy.
pub fn deny_downloads(profile: &Path) -> std::io::Result<()> {
    let folder = profile.join("Default");
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&folder)?;
    // The setting with which administrators forbid downloads.
    fs::write(folder.join("Preferences"), r#"{"download_restrictions":3}"#)
}

/// Maximum number that is appended to make a file name unique.
const MAX_NAME_NUMBER: u32 = 1_000;
/// The maximum length of a name in characters.
const MAX_NAME: usize = 100;

/// Renames a file from the browser's name to the suggested one, with a number if that exists already.
fn rename(file: &Path, suggested: &str) -> std::io::Result<PathBuf> {
    let name = safe_name(suggested);
    let name = Path::new(&name);
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    for number in 0..MAX_NAME_NUMBER {
        let mut file_name = stem.clone().into_owned();
        if number > 0 {
            file_name.push_str(&format!(" ({number})"));
        }
        if let Some(extension) = name.extension() {
            file_name.push_str(&format!(".{}", extension.to_string_lossy()));
        }
        let to = file.with_file_name(file_name);
        // Reserves the name, so that no existing file is replaced.
        match OpenOptions::new().write(true).create_new(true).open(&to) {
            Ok(_) => {
                return match fs::rename(file, &to) {
                    Ok(()) => Ok(to),
                    Err(error) => {
                        drop(fs::remove_file(&to));
                        Err(error)
                    }
                };
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
