//! Who holds the phone's UiAutomation. There is one, and the agent quits before others need it: `uiautomator dump` when it finds
//! the UiAutomation taken ([`release`]), and setup before it enables an accessibility service that must not share the phone
//! ([`quit_if_running`]).

use std::time::Duration;

use agent_protocol::{AgentErrorCode, Request, VERSION};
use driver::{Cx, DriverError, Result};

use crate::phone::agent_client::{AgentClient, CallError};
use crate::phone::running_agent::{
    ConnectResult, HANDSHAKE, OTHER_CLIENT_TIMEOUT, connect_running, read_state,
};
use crate::shell::{RETRY_PAUSE, Shell};

/// How long an agent stays without a client.
pub const IDLE_SECONDS: u32 = 600;
/// How often the end of an agent is looked for.
const END_POLL: Duration = Duration::from_millis(20);

/// The error of `uiautomator dump` if the UiAutomation is taken.
pub(crate) const TAKEN: &str = "another tool holds the phone's UI automation (an Appium or uiautomator2 server, a test that runs)";
/// The error if it is taken by our agent, which serves another client.
const HELD_BY_OUR_AGENT: &str =
    "another clawperator holds the phone's UI automation with the agent that it uses";

/// Takes the UiAutomation from our own agent, for a tool that found it taken.
///
/// # Errors
/// `Refused` if another program holds it, or another client uses the agent, and those of [`quit_if_running`].
pub(crate) async fn release(shell: &Shell, cx: &Cx) -> Result<()> {
    match quit_if_running(shell, cx).await? {
        QuitOutcome::Ended => Ok(()),
        QuitOutcome::NoneRan => Err(DriverError::Refused(TAKEN.to_owned())),
        QuitOutcome::InUse => Err(DriverError::Refused(HELD_BY_OUR_AGENT.to_owned())),
    }
}

/// What [`quit_if_running`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuitOutcome {
    /// No agent ran.
    NoneRan,
    /// The agent ended.
    Ended,
    /// Another client uses it; it goes on.
    InUse,
}

/// Ends our agent on a phone, if one runs, so that the phone's UiAutomation is free. One shell command if none
/// runs.
///
/// The order: first the agent quits, then `uiautomator dump` runs or an accessibility service is enabled.
///
/// # Errors
/// `Refused` if it does not end, `Lost`, `Deadline` and `Cancelled`.
pub async fn quit_if_running(shell: &Shell, cx: &Cx) -> Result<QuitOutcome> {
    let Some(running) = read_state(shell, cx).await? else {
        return Ok(QuitOutcome::NoneRan);
    };
    let other_client = cx.within(OTHER_CLIENT_TIMEOUT);
    loop {
        match connect_running(shell, cx, &running).await? {
            ConnectResult::Client(client) => {
                quit(shell, cx, &client).await?;
                return Ok(QuitOutcome::Ended);
            }
            ConnectResult::Dead(_) => return Ok(QuitOutcome::NoneRan),
            ConnectResult::Refused(error) if error.code == AgentErrorCode::Busy => {
                // The agent detects a moment later that a client has disconnected.
                if other_client.sleep(RETRY_PAUSE).await.is_err() {
                    return Ok(QuitOutcome::InUse);
                }
            }
            ConnectResult::Refused(error) => {
                let why = match error.code {
                    AgentErrorCode::Version => format!(
                        "an agent of version {}, not {VERSION}, holds the UI automation; it ends {} minutes after its last use",
                        error.message,
                        IDLE_SECONDS / 60
                    ),
                    _ => format!("the agent does not end: {error}"),
                };
                return Err(DriverError::Refused(why));
            }
        }
    }
}

/// Asks the agent to end, and waits until its process is gone: the UiAutomation is free then.
pub(crate) async fn quit(shell: &Shell, cx: &Cx, client: &AgentClient) -> Result<()> {
    let within = cx.within(HANDSHAKE);
    let pid = client.hello().pid;
    let ended = async {
        match within.run(client.call(&Request::Quit, HANDSHAKE)).await? {
            // However it answers, the end of the process is what counts.
            Ok(_) | Err(CallError::Lost { .. }) => {}
            Err(error) => {
                let why = format!("the agent does not end: {error}");
                return Err(DriverError::Refused(why));
            }
        }
        within.run(client.closed()).await?;
        while shell
            .query(&within, &format!("kill -0 {pid}"))
            .await?
            .status
            == 0
        {
            within.sleep(END_POLL).await?;
        }
        Ok(())
    };
    match ended.await {
        Err(DriverError::Deadline) => {
            cx.check()?;
            let why = format!("the agent does not end within {HANDSHAKE:?}");
            Err(DriverError::Refused(why))
        }
        ended => ended,
    }
}
