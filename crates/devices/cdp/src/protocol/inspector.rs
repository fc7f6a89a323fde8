//! The process behind a page.

use serde::Deserialize;

use super::{Nothing, bare, events};

bare! {
    /// Lets the session tell when the process of its target dies.
    Enable = "Inspector.enable" -> Nothing;
}

/// The process of the session's target died.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct TargetCrashed {}

/// The session's target was loaded again after its process had died.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct TargetReloadedAfterCrash {}

events! {
    TargetCrashed = "Inspector.targetCrashed";
    TargetReloadedAfterCrash = "Inspector.targetReloadedAfterCrash";
}
