//! Browsers and their tabs as devices: finding running browsers, resolving tabs, and sharing a browser between commands.

mod broker;
mod browser_record;
mod browser_start_record;
mod browser_state;
mod connection_cache;
pub(crate) mod daemon;
mod launch;
mod persistent;
mod process;
mod state_file;
mod tabs;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::DriverError;
use driver_chrome::browser::{Browser, Downloads, LaunchError, ProgramSearch};
use driver_chrome::{ChromeDriver, FileAccess};
use serde::Serialize;

use crate::background::{Launcher, REPLY_TIMEOUT};
use crate::environment::variable;

pub use broker::run_broker;
pub use browser_state::{
    OriginReport, SkippedItem, StateReport, StateScope, load_state, save_state,
};
pub use connection_cache::ConnectionCache;
pub(crate) use connection_cache::LeftoverDialogs;
pub use daemon::{DaemonMode, run_daemon};
pub use driver_chrome::browser::{Sandbox, Window};
pub use persistent::{ExistingBrowser, StartOptions, StopTarget, list, start, stop};
pub use state_file::ExistingFile;
pub use tabs::is_chrome;
pub(crate) use tabs::without_tab;
pub(crate) use tabs::{ResolvedTab, TabList, devices, note_last_tab, resolve};

/// The name of the tab that was driven last.
pub(crate) const CHROME: &str = "chrome";
/// The prefix of the names of tabs.
pub(crate) const CHROME_TAB: &str = "chrome:";
/// The state of a tab that can be driven.
pub(crate) const PAGE: &str = "page";

/// How to find and start browsers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChromeSetup {
    /// Where to look for the program.
    pub places: ProgramSearch,
    /// The endpoint of a running browser, `http://host:port`, `ws://…` or `unix://…`; if set, no other is used or started.
    pub endpoint: Option<String>,
    /// Whether the endpoint comes from the command line, so that it also selects the device.
    pub named_by_flag: bool,
    /// Whether pages may be opened from files of this computer.
    pub files: FileAccess,
    /// The download folder; without one, browsers that clawperator starts deny downloads.
    pub downloads: Option<PathBuf>,
    /// Additional flags for browsers that are started, after ours.
    pub flags: Vec<OsString>,
    /// The folder of runtime state, which holds the records of browsers.
    pub runtime: PathBuf,
    /// Connections and tabs that are kept between runs.
    pub connections: ConnectionCache,
    /// Whether commands use a daemon.
    pub daemon: DaemonMode,
    /// How to start a broker; without it no browser is started.
    pub broker: Option<Launcher>,
}

impl ChromeSetup {
    /// The download policy for a browser. A browser that its user started keeps its own settings, at least between the runs.
    ///
    /// # Errors
    /// `USAGE` if the folder does not exist or its path is relative.
    pub(crate) fn downloads(&self, browser: &Browser) -> Result<Downloads, ErrorBody> {
        match &self.downloads {
            None if self.endpoint.is_some() && !browser_record::is_recorded(self, browser) => {
                Ok(Downloads::AsBrowser)
            }
            None => Ok(Downloads::Denied),
            Some(folder) if folder.is_absolute() && folder.is_dir() => {
                Ok(match browser_record::is_recorded(self, browser) {
                    true => Downloads::IntoAlsoBetweenRuns(folder.clone()),
                    // Its user may download files meanwhile.
                    false => Downloads::Into(folder.clone()),
                })
            }
            Some(folder) => {
                let message = format!(
                    "the download directory {} does not exist, or its path is relative",
                    folder.display()
                );
                Err(ErrorBody::new(ErrorCode::Usage, message)
                    .with_hint("Pass an existing directory with --downloads, or an absolute path with CLAWPERATOR_CHROME_DOWNLOADS"))
            }
        }
    }

    /// The setup from the environment; `--cdp` wins.
    pub fn from_flags(endpoint: Option<&str>) -> Self {
        let mut setup = Self::default();
        if let Some(endpoint) = endpoint {
            setup.endpoint = Some(endpoint.to_owned());
            setup.named_by_flag = true;
        }
        setup
    }
}

impl Default for ChromeSetup {
    fn default() -> Self {
        let flags = variable("CLAWPERATOR_CHROME_FLAGS").unwrap_or_default();
        let files = match variable("CLAWPERATOR_CHROME_FILES").as_deref() {
            Some("allow") => FileAccess::Allowed,
            _ => FileAccess::Denied,
        };
        Self {
            named_by_flag: false,
            files,
            downloads: variable("CLAWPERATOR_CHROME_DOWNLOADS").map(PathBuf::from),
            places: ProgramSearch::from_env(),
            endpoint: variable("CLAWPERATOR_CDP"),
            flags: flags.split_whitespace().map(OsString::from).collect(),
            runtime: crate::runtime::default_folder(),
            connections: ConnectionCache::default(),
            daemon: DaemonMode::Off,
            broker: None,
        }
    }
}

/// A browser that `chrome start` has started and that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunningBrowser {
    /// The endpoint for `--cdp`.
    pub endpoint: String,
    /// The port on which it also listens, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<OpenPort>,
    /// Its process.
    pub pid: u32,
    /// Its product name.
    pub browser: String,
    /// Whether it shows no windows.
    pub headless: bool,
    /// The folder of its profile.
    pub profile: String,
    /// Whether it answers. One that does not is left alone until `chrome stop`.
    pub answers: bool,
    /// Its tabs, ordered by url.
    pub tabs: Vec<OpenTab>,
}

/// A port of a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenPort {
    /// Its endpoint, such as `http://127.0.0.1:9222`.
    pub endpoint: String,
    /// What the port gives access to.
    pub opens: &'static str,
}

impl OpenPort {
    /// What an open port gives access to.
    pub const OPENS: &'static str = "Every user of this computer can drive this browser through the port, and read every file that it can read";
}

/// A tab of a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenTab {
    /// The name for `--device`.
    pub device: String,
    /// The title of its page.
    pub title: String,
    /// The url of its page.
    pub url: String,
}

/// The error of a browser that did not start.
fn not_started(error: &LaunchError) -> ErrorBody {
    let body = ErrorBody::new(ErrorCode::ChromeStartFailed, error.to_string());
    if body.message.contains("Socket path too long") {
        return body.with_hint("Set TMPDIR to a folder whose path is short");
    }
    match error {
        LaunchError::PortTaken { .. } => {
            body.with_hint("Leave --port out for any free port; `clawperator chrome list` shows the browsers that run")
        }
        LaunchError::NoSandbox { .. } => body.with_hint(
            "Start it with `clawperator chrome start --no-sandbox`, in a container that isolates its pages",
        ),
        LaunchError::NoScreen { .. } => {
            body.with_hint("Leave --headed out, or set DISPLAY or WAYLAND_DISPLAY to an available display")
        }
        LaunchError::ProfileTaken { .. } => {
            body.with_hint("Name another folder with --profile, or leave it out for a new profile")
        }
        LaunchError::NotRun { .. } | LaunchError::Ended { .. } | LaunchError::Silent { .. } => {
            body.with_default_hint()
        }
    }
}

/// The error of a browser that does not answer.
pub(crate) fn unreachable(error: &cdp::Error) -> ErrorBody {
    ErrorBody::new(ErrorCode::ChromeUnreachable, error.to_string()).with_default_hint()
}

/// The error of a tab that exists and cannot be attached to.
pub(crate) fn not_attached(device: &str, error: &DriverError, within: Duration) -> ErrorBody {
    match error {
        DriverError::Cancelled => ErrorBody::new(
            ErrorCode::ExecutionCancelled,
            format!("cancelled before {device} was attached"),
        )
        .with_default_hint(),
        DriverError::Deadline => {
            let message = format!(
                "the page of {device} did not respond within {} ms: its scripts are busy, or a dialog is open",
                within.as_millis()
            );
            ErrorBody::new(ErrorCode::ChromeUnreachable, message).with_hint(
                "`clawperator open <url>` navigates to another page; raise --timeout if it is only slow",
            )
        }
        other => {
            let message = format!("cannot attach to {device}: {other}");
            ErrorBody::new(ErrorCode::ChromeUnreachable, message)
                .with_hint("`clawperator devices` lists the open tabs")
        }
    }
    .with_detail("deviceId", device)
}

/// Detaches from the tabs of a driver, or parks them. Returns the dialogs that were open.
pub(crate) async fn leave_tab(
    page: ChromeDriver,
    connections: &ConnectionCache,
) -> LeftoverDialogs {
    // A browser that does not answer needs no detaching.
    let left = tokio::time::timeout(REPLY_TIMEOUT, connections.leave(page)).await;
    left.unwrap_or_default()
}
