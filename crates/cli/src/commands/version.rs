//! `version`: which version this is.

use serde_json::json;

use super::Job;
use crate::table::{Command, Group};

/// The program's version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) static COMMAND: Command = Command {
    name: "version",
    synonyms: &[],
    group: Group::Setup,
    usage: &["version"],
    summary: "Show the version as JSON",
    notes: &["`clawperator --version` prints the bare version"],
    positional: None,
    flags: &[],
    timeout: None,
    examples: &["version"],
    build: |_| Ok(Job::Document(json!({ "cliVersion": VERSION }))),
};
