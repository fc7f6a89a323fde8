//! A phone with the Operator app: what the app is to the system, and how its answers reach the log.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use crate::handset::Handset;
use crate::log::{self, Log, Priority};

/// The action of the broadcast that carries a command.
pub(crate) const ACTION: &str = "app.clawperator.operator.ACTION_AGENT_COMMAND";
/// The extra of it that holds the command.
pub(crate) const EXTRA: &str = "payload";
/// What stands before an answer in the log.
const MARK: &str = "[Clawperator-Result]";
/// The class of its only activity.
pub(crate) const ACTIVITY: &str = "clawperator.activity.MainActivity";

/// What the Operator app does with a command; whoever makes the phone knows it.
#[async_trait]
pub trait OperatorApp: Send + Sync {
    /// Runs a command. Its answer goes to the log ([`report`]), or never comes.
    async fn run(&self, payload: &str, phone: &Handset, log: &Log);
}

/// The Operator app of a phone.
#[derive(Clone)]
pub struct Operator {
    /// `com.clawperator.operator`, or the same with `.dev`.
    pub package: String,
    /// Its `versionName`.
    pub version: String,
    /// What it does.
    pub app: Arc<dyn OperatorApp>,
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operator")
            .field("package", &self.package)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

impl Operator {
    /// The number that goes with its version: `MAJOR.MINOR.PATCH` with a label or without one.
    pub(crate) fn version_code(&self) -> u64 {
        let (numbers, label) = match self.version.split_once('-') {
            Some((numbers, label)) => (numbers, Some(label)),
            None => (self.version.as_str(), None),
        };
        let mut parts = numbers
            .split('.')
            .map(|part| part.parse::<u64>().unwrap_or(0));
        let mut next = || parts.next().unwrap_or(0);
        let whole = next() * 10_000_000 + next() * 100_000 + next() * 1000;
        let offset = match label.map(|label| label.split_once('.').unwrap_or((label, "0"))) {
            None | Some(("d", _)) => 900,
            Some((label, number)) => {
                let base = match label {
                    "rc" => 800,
                    "beta" => 500,
                    "alpha" => 200,
                    _ => 100,
                };
                base + number.parse::<u64>().unwrap_or(0)
            }
        };
        whole + offset
    }
}

/// What other apps write meanwhile: process, tag, message.
const NOISE: [(u32, &str, &str); 3] = [
    (612, "BatteryService", "update: level=87 status=3"),
    (1200, "ActivityManager", "Finished processing broadcast"),
    (
        1431,
        "StatusBar",
        "disable<e i a s b h r c s > disable2<q i n >",
    ),
];

/// Writes an answer of the Operator app into the log as that app does: in pieces, between what other apps write.
pub fn report(log: &Log, pid: u32, json: &str) {
    let message = format!("{MARK} {json}");
    let mut noise = NOISE.iter().cycle();
    for piece in log::cut(&message).into_iter().map(Some).chain([None]) {
        if let Some((pid, tag, text)) = noise.next() {
            log.write(*pid, Priority::Debug, tag, text);
        }
        if let Some(piece) = piece {
            log.write(pid, Priority::Info, "TaskStatusSink", piece);
        }
    }
}
