//! The Operator app: its package and process, and how its answers reach the log.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use super::AdbPhone;
use super::system::SYSTEM_PID;
use crate::apk::Apk;
use crate::log::{self, Log, Priority};
use crate::operator_names::{SERVICE, SERVICES};

/// The prefix of an answer in the log.
const MARK: &str = "[Clawperator-Result]";
/// The prefix of a screen in the log.
const SCREEN: &str = "[TaskScope] UI Hierarchy:";
const FIRST_PID: u32 = 2477;

/// Runs the commands of the Operator app; provided by the creator of the phone.
#[async_trait]
pub trait OperatorApp: Send + Sync {
    /// Runs a command. It writes its answer into the log ([`report`]), or never answers.
    async fn run(&self, payload: &str, phone: &AdbPhone, log: &Log);
}

#[derive(Clone)]
pub struct Operator {
    /// `com.clawperator.operator`, or the same with `.dev`.
    pub package: String,
    pub version: String,
    /// The code that runs its commands.
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
    pub(crate) fn service(&self) -> String {
        format!("{}/{SERVICE}", self.package)
    }

    /// The `versionCode` of its version: `MAJOR.MINOR.PATCH`, optionally with a label.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    /// Its id, or that of the last one that ran.
    pid: u32,
    state: AppState,
}

/// Whether an app runs, and what can start it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AppState {
    Runs,
    /// It does not run, and a broadcast starts it.
    Ended,
    /// It was force-stopped: only an activity or an enabled service starts it.
    Stopped,
}

impl Default for Process {
    fn default() -> Self {
        Self {
            pid: FIRST_PID,
            state: AppState::Runs,
        }
    }
}

impl Process {
    /// Its id, while it runs.
    pub(crate) fn pid(self) -> Option<u32> {
        (self.state == AppState::Runs).then_some(self.pid)
    }

    /// Starts it in a new process, unless it runs.
    pub(crate) fn start(&mut self) {
        if self.state != AppState::Runs {
            // Other processes have started since.
            self.pid += 113;
            self.state = AppState::Runs;
        }
    }
}

/// Creates the Operator app when it is installed while the phone runs; provided by the creator of the phone.
#[derive(Clone)]
pub struct Installable(pub Arc<dyn Fn(&Apk) -> Operator + Send + Sync>);

impl fmt::Debug for Installable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Installable")
    }
}

impl AdbPhone {
    /// The Operator app, while it is installed.
    pub fn operator(&self) -> Option<Operator> {
        self.state().app.clone()
    }

    /// Installs or replaces the app. A new app does not start; a replaced one restarts if its service is enabled.
    pub(crate) fn install_operator(&self, operator: Operator) {
        {
            let mut state = self.state();
            let old = state.app.as_ref().map(|old| &old.package);
            state.operator.state = match old == Some(&operator.package) {
                true => AppState::Ended,
                false => AppState::Stopped,
            };
            state.app = Some(operator);
        }
        self.bind_operator();
    }

    /// Uninstalls the app and disables its service.
    pub(crate) fn uninstall_operator(&self) {
        self.stop_operator();
        self.state().app = None;
    }

    /// The process of the Operator app, while it runs.
    pub fn operator_pid(&self) -> Option<u32> {
        let state = self.state();
        state.app.as_ref()?;
        state.operator.pid()
    }

    pub fn operator_serves(&self) -> bool {
        let operator = self.operator().filter(|_| self.operator_pid().is_some());
        operator.is_some_and(|operator| self.lists_service(&operator.service()))
    }

    /// Starts the app for a broadcast and returns its process id; `None` if it was force-stopped.
    pub(crate) fn wake_operator(&self) -> Option<u32> {
        let mut state = self.state();
        if state.operator.state == AppState::Ended {
            state.operator.start();
        }
        state.operator.pid()
    }

    /// Starts the app for one of its activities.
    pub(crate) fn start_operator(&self) {
        self.state().operator.start();
    }

    /// Applies the setting of enabled services: starts the app if its service is enabled.
    pub(crate) fn bind_operator(&self) {
        let Some(operator) = self.operator() else {
            return;
        };
        let (table, key) = SERVICES;
        let services = self.setting(table, key).unwrap_or_default();
        let enabled = self.lists_service(&operator.service());
        let mut state = self.state();
        if enabled {
            state.operator.start();
        }
        let any = services.split(':').any(|each| each.contains('/'));
        let place = ("secure".to_owned(), "accessibility_enabled".to_owned());
        let value = if any { "1" } else { "0" };
        state.settings.insert(place, value.to_owned());
    }

    /// Force-stops the app, which disables its service, as on Android.
    pub(crate) fn stop_operator(&self) {
        let Some(operator) = self.operator() else {
            return;
        };
        self.state().operator.state = AppState::Stopped;
        self.drop_service(&operator.service());
        self.bind_operator();
    }

    /// Ends the app at a reboot; it starts again if its service is enabled.
    pub(crate) fn boot_operator(&self) {
        {
            let mut state = self.state();
            if state.operator.state == AppState::Runs {
                state.operator.state = AppState::Ended;
            }
        }
        self.bind_operator();
    }
}

/// Log entries of other apps: process id (`None`: the app's own), tag, message.
const NOISE: [(Option<u32>, &str, &str); 4] = [
    (Some(612), "BatteryService", "update: level=87 status=3"),
    (
        Some(SYSTEM_PID),
        "ActivityManager",
        "Finished processing broadcast",
    ),
    (
        None,
        "OperatorAccessibilityService",
        "[Operator-AccessibilityService] onAccessibilityEvent(EventType: TYPE_WINDOW_CONTENT_CHANGED)",
    ),
    (
        Some(1431),
        "StatusBar",
        "disable<e i a s b h r c s > disable2<q i n >",
    ),
];

/// Writes an answer into the log as the Operator app does: in pieces, between entries of other apps.
pub fn report(log: &Log, pid: u32, json: &str) {
    let message = format!("{MARK} {json}");
    write_among_noise(log, (pid, Priority::Info, "TaskStatusSink"), &message, 1);
}

/// Writes a screen into the log as the Operator app does for a snapshot.
pub fn report_screen(log: &Log, pid: u32, xml: &str) {
    let message = format!("{SCREEN}\n{xml}");
    // A screen has a line for each of its nodes.
    write_among_noise(log, (pid, Priority::Debug, "TaskScopeDefault"), &message, 8);
}

/// Writes a message in pieces, with an entry of another app before it, after it and after every `every` pieces.
fn write_among_noise(
    log: &Log,
    (own, priority, tag): (u32, Priority, &str),
    message: &str,
    every: usize,
) {
    let mut noise = NOISE.iter().cycle();
    let mut others = || {
        if let Some((pid, tag, text)) = noise.next() {
            log.write(pid.unwrap_or(own), Priority::Debug, tag, text);
        }
    };
    for (place, piece) in log::cut(message).into_iter().enumerate() {
        if place % every.max(1) == 0 {
            others();
        }
        log.write(own, priority, tag, piece);
    }
    others();
}
