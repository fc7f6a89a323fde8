//! The process of a page.

use serde::Deserialize;

use super::{EmptyResult, bare, events};

bare! {
    /// Enables crash events of the target's process.
    Enable = "Inspector.enable" -> EmptyResult;
}

/// The process of the session's target crashed.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct TargetCrashed {}

/// The session's target was reloaded after a crash.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct TargetReloadedAfterCrash {}

events! {
    TargetCrashed = "Inspector.targetCrashed";
    TargetReloadedAfterCrash = "Inspector.targetReloadedAfterCrash";
}
