//! A phone with the Operator app: what the app is to the system, and how its answers reach the log.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use super::AdbPhone;
use super::system::SYSTEM_PID;
use crate::apk::Apk;
use crate::log::{self, Log, Priority};
use crate::operator_names::{SERVICE, SERVICES};

/// What is before an answer in the log.
const MARK: &str = "[Clawperator-Result]";
/// What is before a screen in the log.
const SCREEN: &str = "[TaskScope] UI Hierarchy:";
/// The process of the app when the phone starts.
const FIRST_PID: u32 = 2477;

/// Runs the commands of the Operator app; provided by the creator of the phone.
#[async_trait]
pub trait OperatorApp: Send + Sync {
    /// Runs a command. Its answer goes to the log ([`report`]), or never comes.
    async fn run(&self, payload: &str, phone: &AdbPhone, log: &Log);
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
    /// Its accessibility service, as the settings name it.
    pub(crate) fn service(&self) -> String {
        format!("{}/{SERVICE}", self.package)
    }

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

/// The app as the system runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    /// The id of its process, or of the last one that it had.
    pid: u32,
    life: AppState,
}

/// Whether an app runs, and whether it may be woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AppState {
    Runs,
    /// It does not, and a broadcast starts it.
    Ended,
    /// Somebody stopped it by force: only an activity or a service that is switched on starts it again.
    Stopped,
}

impl Default for Process {
    fn default() -> Self {
        Self {
            pid: FIRST_PID,
            life: AppState::Runs,
        }
    }
}

impl Process {
    /// Its id, while it runs.
    pub(crate) fn pid(self) -> Option<u32> {
        (self.life == AppState::Runs).then_some(self.pid)
    }

    /// It runs from now on: in a process of its own, if it did not.
    pub(crate) fn starts(&mut self) {
        if self.life != AppState::Runs {
            // Other programs came and went meanwhile.
            self.pid += 113;
            self.life = AppState::Runs;
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

    /// Installs the app in place of the one that is there. One that was not there is not started by that; one that was
    /// is started anew when its service is switched on.
    pub(crate) fn install_operator(&self, operator: Operator) {
        {
            let mut state = self.state();
            let known = state
                .app
                .as_ref()
                .is_some_and(|old| old.package == operator.package);
            state.operator.life = if known {
                AppState::Ended
            } else {
                AppState::Stopped
            };
            state.app = Some(operator);
        }
        self.bind_operator();
    }

    /// Takes the app away again, with what it was granted.
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

    /// Whether the Operator app's accessibility service runs: it is switched on in the settings.
    pub fn operator_serves(&self) -> bool {
        let Some(operator) = self.operator() else {
            return false;
        };
        self.operator_pid().is_some() && self.lists_service(&operator.service())
    }

    /// A broadcast for the app: it runs when this has returned its process, unless it was force-stopped.
    pub(crate) fn wake_operator(&self) -> Option<u32> {
        let mut state = self.state();
        if state.operator.life == AppState::Ended {
            state.operator.starts();
        }
        state.operator.pid()
    }

    /// The system starts the app for an activity of it.
    pub(crate) fn start_operator(&self) {
        self.state().operator.starts();
    }

    /// What is switched on has changed: a service of the app that is switched on runs.
    pub(crate) fn bind_operator(&self) {
        let Some(operator) = self.operator() else {
            return;
        };
        let (table, key) = SERVICES;
        let services = self.setting(table, key).unwrap_or_default();
        let on = self.lists_service(&operator.service());
        let mut state = self.state();
        if on {
            state.operator.starts();
        }
        let any = services.split(':').any(|each| each.contains('/'));
        let place = ("secure".to_owned(), "accessibility_enabled".to_owned());
        let value = if any { "1" } else { "0" };
        state.settings.insert(place, value.to_owned());
    }

    /// Somebody stops the app by force, which switches its service off, as on a phone.
    pub(crate) fn stop_operator(&self) {
        let Some(operator) = self.operator() else {
            return;
        };
        self.state().operator.life = AppState::Stopped;
        self.drop_service(&operator.service());
        self.bind_operator();
    }

    /// The phone starts anew: the app runs when its service is switched on.
    pub(crate) fn boot_operator(&self) {
        {
            let mut state = self.state();
            if state.operator.life == AppState::Runs {
                state.operator.life = AppState::Ended;
            }
        }
        self.bind_operator();
    }
}

/// What is written meanwhile: by which process (`None`: by the app itself), under which tag, what.
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

/// Writes an answer of the Operator app into the log as that app does: in pieces, between what other apps write.
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

/// Writes a message in pieces, with a line of another app before it, behind it, and after every so many pieces.
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
