//! Phones on which the agent did not start: `auto` does not try again for a while, because an attempt takes time.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::runtime::{PrivateFolder, safe_name};

/// How long `auto` does not try again.
const PAUSE: Duration = Duration::from_secs(600);

/// A failed start.
#[derive(Debug, Deserialize, Serialize)]
struct Failure {
    reason: String,
    /// When, in seconds since 1970.
    at: u64,
}

/// The reason of a failure that is not long ago. A record that cannot be read counts as none.
pub(crate) fn recent(folder: &Path, device: &str) -> Option<String> {
    let folder = PrivateFolder::open(folder).ok()??;
    let failure: Failure = folder.read_record(&name(device)).ok()??;
    let age = now().checked_sub(failure.at)?;
    (age < PAUSE.as_secs()).then_some(failure.reason)
}

/// Records a failure. Without the record the next command tries again.
pub(crate) fn record(folder: &Path, device: &str, reason: &str) {
    let failure = Failure {
        reason: reason.to_owned(),
        at: now(),
    };
    let written = PrivateFolder::make(folder)
        .map_err(std::io::Error::from)
        .and_then(|folder| folder.write_record(&name(device), &failure));
    if let Err(error) = written {
        tracing::warn!(
            name: "agent.failure.not_recorded",
            target: crate::log::TARGET,
            deviceId = device,
            %error,
            "the failure of the agent cannot be recorded; the next command tries again"
        );
    }
}

/// Removes the record after a success.
pub(crate) fn forget(folder: &Path, device: &str) {
    if let Ok(Some(folder)) = PrivateFolder::open(folder) {
        // Most phones have none.
        let _ = folder.remove(&name(device));
    }
}

fn name(device: &str) -> String {
    format!("agent-{}.json", safe_name(device))
}

fn now() -> u64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH);
    passed.map_or(0, |passed| passed.as_secs())
}
