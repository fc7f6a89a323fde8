//! Phones on which the agent did not start: `auto` does not try again for a while, because an attempt takes time.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::runtime::{PrivateFolder, safe_name};

/// A failed attempt.
#[derive(Debug, Deserialize, Serialize)]
struct Failure {
    reason: String,
    /// When, in seconds since 1970.
    at: u64,
    /// For how many seconds `auto` does not try again.
    pause: u64,
}

/// The reason of a failure whose pause is not over. A record that cannot be read counts as none.
pub(crate) fn recent(folder: &Path, device: &str) -> Option<String> {
    recent_at(folder, device, now())
}

fn recent_at(folder: &Path, device: &str, now: u64) -> Option<String> {
    let folder = PrivateFolder::open(folder).ok()??;
    let failure: Failure = folder.read_record(&name(device)).ok()??;
    let age = now.checked_sub(failure.at)?;
    (age < failure.pause).then_some(failure.reason)
}

/// Records a failure: `auto` does not try again before the pause is over. Without the record the next command tries again.
pub(crate) fn record(folder: &Path, device: &str, reason: &str, pause: Duration) {
    let failure = Failure {
        reason: reason.to_owned(),
        at: now(),
        pause: pause.as_secs(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_is_remembered_for_its_pause() {
        let folder = testkit::TempFolder::new("agent-failures");
        let before = now();
        record(&folder, "X", "taken", Duration::from_secs(10));
        let reason = |now| recent_at(&folder, "X", now);
        assert_eq!(reason(before + 9).as_deref(), Some("taken"));
        assert_eq!(reason(now() + 10), None);
        assert_eq!(reason(before - 1), None, "the clock was set back");
        forget(&folder, "X");
        assert_eq!(reason(before), None);
    }
}
