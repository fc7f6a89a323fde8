//! Tracks the downloads of a driver: its policy, and which downloads were reported.

use std::collections::BTreeMap;

use driver::DownloadState;

use crate::browser::{Browser, Download, DownloadFolder, Downloads};

/// The download policy of a driver and the downloads that it has reported.
#[derive(Debug)]
pub(crate) struct DownloadTracker {
    policy: Downloads,
    /// Held while the tab is driven.
    folder: Option<DownloadFolder>,
    /// The state in which a download was reported last, by the browser's id.
    reported: BTreeMap<String, DownloadState>,
}

impl DownloadTracker {
    /// Leaves downloads to the browser's own settings.
    pub(crate) const fn new() -> Self {
        Self {
            policy: Downloads::AsBrowser,
            folder: None,
            reported: BTreeMap::new(),
        }
    }

    /// Sets the policy for the browser.
    pub(crate) fn set_policy(&mut self, browser: &Browser, policy: Downloads) {
        // Giving up the only folder resets the browser's settings, which must come before a new policy.
        if matches!(policy, Downloads::Denied | Downloads::AsBrowser) {
            self.folder = None;
        }
        self.folder = browser.set_downloads(&policy);
        self.policy = policy;
    }

    /// Stops using the folder, unless the policy also covers downloads between runs.
    pub(crate) fn release(&mut self) {
        if !matches!(self.policy, Downloads::IntoAlsoBetweenRuns(_)) {
            self.folder = None;
        }
    }

    /// Whether downloads are denied.
    pub(crate) fn denied(&self) -> bool {
        self.policy == Downloads::Denied
    }

    /// The downloads that were not reported before, or not yet as ended.
    pub(crate) fn unreported(
        &mut self,
        browser: &Browser,
        downloads: Vec<Download>,
    ) -> Vec<driver::Download> {
        let mut new = Vec::new();
        for file in downloads {
            let reported = self.reported.get(&file.guid);
            let state = match file.done {
                // The policy may have changed since the download was reported.
                _ if self.denied() && reported.is_none_or(|was| *was == DownloadState::Denied) => {
                    DownloadState::Denied
                }
                None => DownloadState::InProgress,
                Some(true) => DownloadState::Completed,
                Some(false) => DownloadState::Canceled,
            };
            let was = self.reported.insert(file.guid.clone(), state);
            if was == Some(state) || was.is_some_and(|was| was != DownloadState::InProgress) {
                continue;
            }
            new.push(driver::Download {
                was_reported: was.is_some(),
                path: (state == DownloadState::Completed)
                    .then(|| path(browser, &file))
                    .flatten(),
                name: file.name,
                bytes: file.bytes,
                state,
            });
        }
        new
    }
}

/// Describes a download.
pub(crate) fn describe(browser: &Browser, file: &Download) -> String {
    let (name, bytes) = (&file.name, file.bytes);
    match (file.done, path(browser, file)) {
        (Some(true), Some(path)) => format!("a file of {bytes} bytes, now {path:?}"),
        (Some(true), None) => {
            format!("the file {name:?} of {bytes} bytes, stored by the browser")
        }
        (Some(false), _) => format!("the file {name:?}, whose download was canceled"),
        (None, _) => {
            format!("the file {name:?}, {bytes} bytes of which are downloaded so far")
        }
    }
}

/// The path of a completed download, if its place is known.
fn path(browser: &Browser, file: &Download) -> Option<String> {
    if file.done != Some(true) {
        return None;
    }
    let path = browser.downloaded_file(&file.guid, &file.name)?;
    Some(path.display().to_string())
}
