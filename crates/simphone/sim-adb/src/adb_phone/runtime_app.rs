//! The agent's app form: its installation, its accessibility service and the socket that the service opens.

use std::sync::Arc;
use std::time::Duration;

use agent_protocol::{
    APP_PACKAGE, APP_SERVICE, AgentErrorCode, AgentForm, ReadyLine, StartLine, VERSION, hex,
};
use sha2::{Digest, Sha256};

use super::AdbPhone;
use crate::agent_slot::RunningAgent;
use crate::fault::{AgentFault, WireFault};

/// It never ends for lack of clients.
const NO_IDLE: Duration = Duration::from_secs(1 << 32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RuntimeApp {
    pub(crate) sha256: [u8; 32],
}

impl RuntimeApp {
    pub(crate) fn of_file(bytes: &[u8]) -> Self {
        Self {
            sha256: Sha256::digest(bytes).into(),
        }
    }
}

impl AdbPhone {
    /// Installs the app; ends an older one that runs.
    pub(crate) fn install_runtime_app(&self, app: RuntimeApp) {
        self.app_agents().kill();
        self.state().runtime_app = Some(app);
    }

    /// Removes the app and its service from the settings.
    pub(crate) fn uninstall_runtime_app(&self) {
        self.app_agents().kill();
        self.state().runtime_app = None;
        self.drop_service(APP_SERVICE);
    }

    /// The listening agent, if its service is enabled.
    pub(crate) fn runtime_app_agent(&self) -> Option<Arc<RunningAgent>> {
        let app = self.state().runtime_app;
        let (Some(app), true) = (app, self.lists_service(APP_SERVICE)) else {
            self.app_agents().kill();
            return None;
        };
        if let Some(agent) = self.app_agents().running() {
            return Some(agent);
        }
        let ready = new_ready_line(self, app.sha256);
        let started = self.app_agents().start(ready, NO_IDLE, AgentForm::App);
        Some(started.unwrap_or_else(|running| running))
    }

    /// The app's answer to a query of the shell; `None` if it is not installed.
    pub(crate) fn runtime_app_line(&self) -> Option<StartLine> {
        self.state().runtime_app?;
        let off = |message: &str| StartLine::Failed {
            code: AgentErrorCode::ServiceOff,
            message: message.to_owned(),
        };
        if self.faults().has(&WireFault::Agent(AgentFault::ServiceOff)) {
            self.app_agents().kill();
            return Some(off(match self.lists_service(APP_SERVICE) {
                true => {
                    "the accessibility service is switched on, but Android does not run it; switch it off and on again"
                }
                false => "the accessibility service is switched off",
            }));
        }
        Some(match self.runtime_app_agent() {
            Some(agent) => StartLine::Ready(agent.ready.clone()),
            None => off("the accessibility service is switched off"),
        })
    }
}

/// The ready line of a new process, with its own socket name and token.
pub(crate) fn new_ready_line(adb_phone: &AdbPhone, sha256: [u8; 32]) -> ReadyLine {
    let pid = adb_phone.new_pid();
    let random = |what: &str| -> [u8; 32] {
        let serial = &adb_phone.options().serial;
        Sha256::digest(format!("{what} {serial} {pid}")).into()
    };
    let mut digits = hex(&random("socket"));
    digits.truncate(16);
    ReadyLine {
        version: VERSION,
        socket: format!("clawperator-{digits}"),
        token: random("token"),
        pid,
        sha256,
    }
}

pub(crate) fn is_runtime_app(package: &str) -> bool {
    package == APP_PACKAGE
}
