//! Phones on which the agent did not start: `auto` does not try again for a while, because an attempt takes time.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::runtime::{PrivateFolder, safe_name};

/// Why the agent cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct AgentFailure {
    /// A stable word, see [`AgentUnavailable::reason`](driver_android::AgentUnavailable::reason).
    pub(crate) reason: String,
    /// A sentence without its full stop.
    pub(crate) message: String,
}

/// A failed attempt.
#[derive(Debug, Deserialize, Serialize)]
struct Record {
    failure: AgentFailure,
    /// When, in seconds since 1970.
    at: u64,
    /// For how many seconds `auto` does not try again.
    pause: u64,
}

/// A failure whose pause is not over. A record that cannot be read counts as none.
pub(crate) fn recent(folder: &Path, device: &str) -> Option<AgentFailure> {
    recent_at(folder, device, now())
}

fn recent_at(folder: &Path, device: &str, now: u64) -> Option<AgentFailure> {
    let folder = PrivateFolder::open(folder).ok()??;
    let record: Record = folder.read_record(&name(device)).ok()??;
    let age = now.checked_sub(record.at)?;
    (age < record.pause).then_some(record.failure)
}

/// Records a failure: `auto` does not try again before the pause is over. Without the record the next command tries again.
pub(crate) fn record(folder: &Path, device: &str, failure: &AgentFailure, pause: Duration) {
    let record = Record {
        failure: failure.clone(),
        at: now(),
        pause: pause.as_secs(),
    };
    let written = PrivateFolder::make(folder)
        .map_err(std::io::Error::from)
        .and_then(|folder| folder.write_record(&name(device), &record));
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
        let taken = AgentFailure {
            reason: "ui_automation_taken".to_owned(),
            message: "held by another".to_owned(),
        };
        record(&folder, "X", &taken, Duration::from_secs(10));
        let failure = |now| recent_at(&folder, "X", now);
        assert_eq!(failure(before + 9), Some(taken));
        assert_eq!(failure(now() + 10), None);
        assert_eq!(failure(before - 1), None, "the clock was set back");
        forget(&folder, "X");
        assert_eq!(failure(before), None);
    }
}
