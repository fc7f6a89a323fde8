//! Tracks the downloads of a driven browser: policy, paths, and which were reported.

use std::collections::BTreeMap;

use cdp::TargetId;
use driver::DownloadState;

use crate::browser::{Browser, Download, DownloadFolder, Downloads, rename};

/// The download policy of a driver and the downloads that it has handled.
#[derive(Debug)]
pub(crate) struct DownloadTracker {
    policy: Downloads,
    /// Held while the tab is driven.
    folder: Option<DownloadFolder>,
    /// The number of downloads per tab that were reported as side effects.
    reported: BTreeMap<TargetId, usize>,
    /// Reported paths, which no longer change, by the browser's id of a download.
    paths: BTreeMap<String, String>,
}

impl DownloadTracker {
    /// Leaves downloads to the browser's own settings.
    pub(crate) const fn new() -> Self {
        Self {
            policy: Downloads::AsBrowser,
            folder: None,
            reported: BTreeMap::new(),
            paths: BTreeMap::new(),
        }
    }

    /// Sets the policy for the browser.
    pub(crate) fn set_policy(&mut self, browser: &Browser, policy: Downloads) {
        self.folder = browser.set_downloads(&policy);
        self.policy = policy;
    }

    /// Stops using the folder.
    pub(crate) fn release(&mut self) {
        self.folder = None;
    }

    /// Whether downloads are denied.
    pub(crate) fn denied(&self) -> bool {
        self.policy == Downloads::Denied
    }

    /// The downloads of a tab that were not reported before.
    pub(crate) fn unreported(
        &mut self,
        tab: &TargetId,
        downloads: Vec<Download>,
    ) -> Vec<driver::Download> {
        let reported = self.reported.entry(tab.clone()).or_default();
        let new: Vec<Download> = downloads.into_iter().skip(*reported).collect();
        *reported += new.len();
        let mut report = |file: Download| driver::Download {
            path: self.path(&file),
            state: match file.done {
                _ if self.denied() => DownloadState::Denied,
                None => DownloadState::InProgress,
                Some(true) => DownloadState::Completed,
                Some(false) => DownloadState::Canceled,
            },
            name: file.name,
            bytes: file.bytes,
        };
        new.into_iter().map(&mut report).collect()
    }

    /// Describes a download.
    pub(crate) fn describe(&mut self, file: &Download) -> String {
        let (name, bytes) = (&file.name, file.bytes);
        match (file.done, self.path(file)) {
            (Some(true), Some(path)) => format!("a file of {bytes} bytes, now {path:?}"),
            (Some(true), None) => {
                format!("the file {name:?} of {bytes} bytes, stored by the browser")
            }
            (Some(false), _) => format!("the file {name:?}, whose download was canceled"),
            (None, Some(path)) => {
                format!("the file {name:?}, {bytes} bytes of which are in {path:?} so far")
            }
            (None, None) => {
                format!("the file {name:?}, {bytes} bytes of which are downloaded so far")
            }
        }
    }

    /// The path of a download: the page's name, or the browser's if the download was incomplete when it was first reported.
    fn path(&mut self, file: &Download) -> Option<String> {
        if let Some(path) = self.paths.get(&file.guid) {
            return Some(path.clone());
        }
        let Downloads::Into(folder) = &self.policy else {
            return None;
        };
        let own = folder.join(&file.guid);
        let path = match file.done {
            None => own,
            Some(false) => return None,
            // A file that cannot be renamed keeps the browser's name.
            Some(true) => rename(&own, &file.name).unwrap_or(own),
        };
        let path = path.display().to_string();
        self.paths.insert(file.guid.clone(), path.clone());
        Some(path)
    }
}
