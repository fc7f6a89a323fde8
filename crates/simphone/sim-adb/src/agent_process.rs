//! The agent without an adb daemon, for a program that stands for `app_process` on another phone.

use std::sync::Arc;
use std::time::Duration;

use agent_protocol::{AgentForm, ReadyLine};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::adb_phone::{AdbPhone, Options};
use crate::agent;
use crate::agent_slot::RunningAgent;
use crate::daemon::StartError;

/// An agent on a simulated phone. The caller writes its files and accepts its clients.
#[derive(Debug)]
pub struct AgentProcess {
    adb_phone: AdbPhone,
    agent: Arc<RunningAgent>,
}

impl AgentProcess {
    /// Starts a phone and an agent on it, which ends after the time `idle` without a client.
    pub fn start(options: Options, ready: ReadyLine, idle: Duration) -> Result<Self, StartError> {
        let adb_phone = AdbPhone::new(options).map_err(StartError::Phone)?;
        let started = adb_phone.agents().start(ready, idle, AgentForm::Agent);
        // The slot of a phone that was just started is free.
        let agent = started.unwrap_or_else(|running| running);
        Ok(Self { adb_phone, agent })
    }

    pub const fn adb_phone(&self) -> &AdbPhone {
        &self.adb_phone
    }

    /// Serves a client until one of them ends.
    pub async fn serve(&self, stream: impl AsyncRead + AsyncWrite) {
        agent::serve(stream, &self.adb_phone, &self.agent).await;
    }

    /// Waits until a client has asked the agent to end, or none was connected for the idle time.
    pub async fn ended(&self) {
        while let Some(left) = self.agent.time_left() {
            tokio::select! {
                () = self.agent.ended() => {}
                () = tokio::time::sleep(left) => {}
            }
        }
        // Clients that have not introduced themselves do not keep it.
        self.adb_phone.agents().kill();
    }
}
