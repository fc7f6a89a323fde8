//! The daemon: a background process that stays attached to the tabs of a browser and runs the plans of its user's commands.
//!
//! Attaching makes the browser redraw the page, installs scripts, and reads the whole page. The daemon does this once for all
//! commands. It is only an optimization: without a daemon, or with one that was started in another environment, a command
//! drives the page by itself and starts a daemon for the next one. The daemon ends with its browser.

mod client;
mod protocol;
mod ref_numbers;
mod server;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use super::browser_record::{daemon_file, daemon_lock, refs_file};
use crate::background::{Launcher, ProcessRecord};
use crate::environment::VARIABLES;
use crate::runtime::PrivateFolder;

pub(crate) use client::{ensure, run};
pub(crate) use protocol::{Reply, Task};
pub use server::run_daemon;

/// The record of a daemon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct DaemonRecord {
    process: ProcessRecord,
    environment: Environment,
}

/// What affects a run besides its plan. A daemon runs only plans of commands with an equal environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Environment {
    program: PathBuf,
    /// The length of the program and its modification time in seconds and nanoseconds: it may have been replaced.
    version: (u64, u64, u32),
    variables: BTreeMap<String, String>,
}

impl Environment {
    /// The environment of this process, if its program can be found.
    fn current() -> Option<Self> {
        /// The variables that locate files.
        const FOLDERS: [&str; 3] = ["HOME", "TMPDIR", "XDG_RUNTIME_DIR"];
        /// The prefixes of the other variables that affect runs on pages.
        const PAGES: [&str; 3] = ["CLAWPERATOR_CDP", "CLAWPERATOR_CHROME", "CLAWPERATOR_LOG"];
        let program = std::env::current_exe().ok()?;
        let file = std::fs::metadata(&program).ok()?;
        let modified = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let names = VARIABLES.iter().map(|variable| variable.name);
        let own = names.filter(|name| PAGES.iter().any(|begin| name.starts_with(begin)));
        let variables = own.chain(FOLDERS).filter_map(|name| {
            let value = std::env::var_os(name)?;
            Some((name.to_owned(), value.to_string_lossy().into_owned()))
        });
        Some(Self {
            program,
            version: (file.len(), modified.as_secs(), modified.subsec_nanos()),
            variables: variables.collect(),
        })
    }
}

impl DaemonRecord {
    /// Reads the record of a browser's daemon. If that fails, commands do without.
    fn read(folder: &PrivateFolder, url: &str) -> Option<Self> {
        folder.read_record(&daemon_file(url)).ok()?
    }
}

/// Removes the files of the daemon of a browser that has ended. Files that stay are removed by the next command.
pub(super) fn remove(folder: &PrivateFolder, url: &str) {
    let record = daemon_file(url);
    match DaemonRecord::read(folder, url) {
        Some(daemon) => drop(daemon.process.remove(folder, &record)),
        None => drop(folder.remove(&record)),
    }
    let _ = folder.remove(&daemon_lock(url));
    let _ = folder.remove(&refs_file(url));
}

/// Whether commands use a daemon, and how they start one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DaemonMode {
    /// Without a daemon, for servers, which stay attached themselves.
    #[default]
    Off,
    /// Commands use a running daemon and start one for later commands.
    StartedBy(Launcher),
}
