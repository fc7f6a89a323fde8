//! A phone with the Operator app: it takes a whole validated plan in one broadcast and answers in its log.

mod collect;
mod log;
mod version;
mod probe;

use std::time::Duration;

use adb::command;
use driver::{Cx, Dispatch, DriverError, Result};
use tokio::io::AsyncReadExt;

use crate::names::check_package;
use crate::shell::{Shell, complaint};
use collect::Collector;
pub use collect::Said;
pub use version::{SPOKEN, Version};
pub use probe::{Installed, OperatorState, Presence, Probe, Switch, plain_version, probe, sister};

/// What the app listens for.
const ACTION: &str = "app.clawperator.operator.ACTION_AGENT_COMMAND";
/// The class of its accessibility service, behind the name of its package.
pub const SERVICE: &str = "clawperator.operator.accessibilityservice.OperatorAccessibilityService";

/// An Operator app on a phone.
#[derive(Clone, Debug)]
pub struct Operator {
    shell: Shell,
    package: String,
}

/// How a dispatch ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// The app answered.
    Answered(Said),
    /// The time was over; what was said until then.
    Silent(Said),
    /// The broadcast reached nobody, in the phone's words; nothing was done.
    NotTaken(String),
}

impl Operator {
    /// The app of this name.
    ///
    /// # Errors
    /// `NotInstalled` when it is no name of a package.
    pub fn new(shell: Shell, package: &str) -> Result<Self> {
        check_package(package).map_err(|_| DriverError::NotInstalled(package.to_owned()))?;
        Ok(Self {
            shell,
            package: package.to_owned(),
        })
    }

    /// Its name.
    pub fn package(&self) -> &str {
        &self.package
    }

    /// Hands the app a payload and waits for its answer, at most for `patience`.
    ///
    /// # Errors
    /// `Lost` with how far the broadcast had come, and the ends of the context. Nothing is sent twice.
    pub async fn dispatch(
        &self,
        cx: &Cx,
        command_id: &str,
        payload: &str,
        patience: Duration,
    ) -> Result<Ended> {
        let asked = format!("pidof {0}; echo; date +%s", adb::quote(&self.package));
        let output = self.shell.ask(cx, &asked).await?;
        let text = output.text();
        let mut numbers = text
            .lines()
            .map(str::trim)
            .filter_map(|line| line.parse::<u64>().ok());
        let seconds = numbers.next_back();
        let pid = numbers.next_back().and_then(|pid| u32::try_from(pid).ok());
        // From the second before this one on: the log is asked from a time, so that it need not be there first.
        let since = seconds.map_or(0, |seconds| seconds.saturating_sub(1));
        let log = format!("shell:logcat -v threadtime -T {since}.000 2>/dev/null");
        let opened = cx.run(self.shell.phone().open(&log)).await?;
        let mut log = opened.map_err(|error| DriverError::Lost {
            message: format!("the log cannot be read: {error}"),
            dispatch: Dispatch::NotSent,
        })?;
        let payload = payload.replace(['\n', '\r'], "");
        let broadcast = command([
            "am",
            "broadcast",
            "-a",
            ACTION,
            "-p",
            &self.package,
            "--es",
            "payload",
            &payload,
            "--receiver-foreground",
        ]);
        let sent = match self.shell.change(cx, &broadcast).await {
            Ok(sent) => sent,
            Err(DriverError::Refused(said)) => return Ok(Ended::NotTaken(said)),
            Err(error) => return Err(error),
        };
        if !sent.text().contains("Broadcast completed") {
            return Ok(Ended::NotTaken(complaint(&sent)));
        }
        let mut collector = Collector::new(command_id, pid);
        let read = tokio::time::timeout(patience, cx.run(listen(&mut log, &mut collector))).await;
        match read {
            Ok(Ok(Ok(()))) => Ok(Ended::Answered(collector.finish())),
            Ok(Ok(Err(message))) => Err(DriverError::Lost {
                message,
                dispatch: Dispatch::Unknown,
            }),
            Ok(Err(end)) => Err(end),
            Err(_) => Ok(Ended::Silent(collector.finish())),
        }
    }
}

/// Reads the log until the answer is there.
async fn listen(
    log: &mut adb::client::Pipe,
    collector: &mut Collector,
) -> std::result::Result<(), String> {
    let mut bytes = vec![0; 64 * 1024];
    let mut rest: Vec<u8> = Vec::new();
    while collector.said().envelope.is_none() {
        let read = log
            .read(&mut bytes)
            .await
            .map_err(|error| error.to_string())?;
        if read == 0 {
            return Err("the phone's log ended".to_owned());
        }
        rest.extend_from_slice(bytes.get(..read).unwrap_or_default());
        // Whole lines only: a sign of several bytes may come in two pieces.
        let Some(end) = rest.iter().rposition(|byte| *byte == b'\n') else {
            continue;
        };
        let lines: Vec<u8> = rest.drain(..=end).collect();
        for line in String::from_utf8_lossy(&lines).lines() {
            if collector.take(line) {
                break;
            }
        }
    }
    Ok(())
}
