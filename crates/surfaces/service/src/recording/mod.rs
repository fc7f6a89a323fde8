//! Recordings: those of phones that cannot record themselves are kept by processes of this machine; all of them are
//! fetched and read here.

mod keeper;
mod list;
mod parse;
mod pull;
mod watch;

use std::path::{Path, PathBuf};

pub use driver_android::Limits;
pub(crate) use keeper::Keeper;
pub use list::{Kept, State, list};
pub use parse::{As, Parsing, Written, parse};
pub use pull::{Pulled, Pulling, pull};
pub use watch::{Watching, watch};

/// The file that names the session that was stopped last.
const LATEST: &str = "latest";

/// Where recordings of phones lie that cannot record themselves: one folder for each phone in the user's own.
pub(crate) fn folder(root: Option<&Path>, device: &str) -> PathBuf {
    root_of(root).join(crate::lock::safe_name(device))
}

/// Where all of them lie.
fn root_of(root: Option<&Path>) -> PathBuf {
    let usual = || crate::environment::home().join("recordings");
    root.map_or_else(usual, Path::to_owned)
}

/// The file of a session in a folder.
fn file_of(folder: &Path, session: &str) -> PathBuf {
    folder.join(format!("{session}.ndjson"))
}
