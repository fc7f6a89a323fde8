//! `devices`: what can be named with `--device`.

use super::Job;
use crate::table::{Command, Group};

pub(crate) static COMMAND: Command = Command {
    name: "devices",
    synonyms: &[],
    group: Group::Devices,
    usage: &["devices"],
    summary: "List the devices",
    notes: &[
        "`sim`, the embedded simulated phone, is always there; it lives as long as one command",
    ],
    positional: None,
    flags: &[],
    timeout: None,
    examples: &["devices --output pretty"],
    build: |_| Ok(Job::Devices),
};
