//! The process that stays beside a browser and drives its tabs for the commands of its user.
//!
//! A command that attaches to a page by itself has the browser draw the page anew, sets up its own scripts there, and looks
//! at all of it for the first time. A process that stays attached does this once. It is a help and nothing else: where none
//! is there, or it was started in other surroundings, a command drives the page by itself, and leaves one behind for those
//! that come after it. It ends with its browser.

mod client;
mod protocol;
mod server;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use super::record::{daemon_file, daemon_lock};
use crate::environment::VARIABLES;
use crate::launcher::Launcher;
use crate::runtime::{Address, PrivateFolder};

pub(crate) use client::{ask, ensure};
pub(crate) use protocol::{Reply, Task};
pub use server::run_daemon;

/// What is known of one to the commands that may use it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    /// Its process.
    pid: u32,
    /// Where it listens.
    address: Address,
    /// What proves that a command comes from its user.
    secret: String,
    /// Where it was started.
    environment: Environment,
}

/// What a command does on a page depends on its program and on these variables: only who was started in the same may do it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Environment {
    program: PathBuf,
    /// Its length, and the seconds and nanoseconds since 1970 when it was made: it may have been replaced under its name.
    made: (u64, u64, u32),
    variables: BTreeMap<String, String>,
}

impl Environment {
    /// Those of this process, if its program can be found.
    fn own() -> Option<Self> {
        /// What decides where files lie.
        const FOLDERS: [&str; 3] = ["HOME", "TMPDIR", "XDG_RUNTIME_DIR"];
        /// How the names of the others begin that a run on a page depends on.
        const PAGES: [&str; 3] = ["CLAWPERATOR_CDP", "CLAWPERATOR_CHROME", "CLAWPERATOR_LOG"];
        let program = std::env::current_exe().ok()?;
        let file = std::fs::metadata(&program).ok()?;
        let made = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let names = VARIABLES.iter().map(|variable| variable.name);
        let own = names.filter(|name| PAGES.iter().any(|begin| name.starts_with(begin)));
        let variables = own.chain(FOLDERS).filter_map(|name| {
            let value = std::env::var_os(name)?;
            Some((name.to_owned(), value.to_string_lossy().into_owned()))
        });
        Some(Self {
            program,
            made: (file.len(), made.as_secs(), made.subsec_nanos()),
            variables: variables.collect(),
        })
    }
}

impl Record {
    /// That of the browser of this url, if one is there. Where it cannot be read, commands do without.
    fn read(folder: &PrivateFolder, url: &str) -> Option<Self> {
        folder.read_record(&daemon_file(url)).ok()?
    }
}

/// Removes what is left of the process beside a browser that has ended.
pub(super) fn remove(folder: &PrivateFolder, url: &str) {
    // The next command that finds the browser gone tries again.
    if let Some(record) = Record::read(folder, url) {
        let _ = record.address.remove(folder);
    }
    for name in [daemon_lock(url), daemon_file(url)] {
        let _ = folder.remove(&name);
    }
}

/// How it is started, and whether commands use it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DaemonMode {
    /// It is neither asked nor started: for those who stay themselves.
    #[default]
    Off,
    /// It is asked where one is there, and started for those who come later.
    StartedBy(Launcher),
}
