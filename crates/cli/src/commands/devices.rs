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
        "`sim:app.yaml` is the same phone with an app of your own, which it starts in; `sim:folder` has every app of the folder, and starts at the home screen when there are several",
    ],
    positional: None,
    flags: &[],
    timeout: None,
    examples: &["devices --output pretty"],
    build: |_| Ok(Job::Devices),
};
