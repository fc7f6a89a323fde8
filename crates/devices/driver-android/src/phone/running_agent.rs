//! Finds the agent that runs on a phone, and connects to it.

use std::time::Duration;

use adb::ErrorKind;
use agent_protocol::{AgentError, ReadyLine, STATE_FILE, StartLine};
use driver::{Cx, Dispatch, DriverError, Result};

use crate::phone::agent_client::{AgentClient, CallError};
use crate::shell::Shell;

/// Timeout of a handshake, and of the end of an agent.
pub(crate) const HANDSHAKE: Duration = Duration::from_secs(5);
/// How long a client waits for another one that leaves, and for an agent that another one starts.
pub(crate) const OTHER_CLIENT_TIMEOUT: Duration = Duration::from_secs(2);
/// The maximum length of `agent.state`.
const MAX_STATE: usize = 4096;

/// The ready line of the agent that runs, or ran.
pub(crate) async fn read_state(shell: &Shell, cx: &Cx) -> Result<Option<ReadyLine>> {
    let output = shell.query(cx, &format!("cat {STATE_FILE}")).await?;
    if output.status != 0 || output.stdout.len() > MAX_STATE {
        return Ok(None);
    }
    Ok(match StartLine::parse(&output.text()) {
        Ok(StartLine::Ready(ready)) => Some(ready),
        // A file that is being written is as good as none.
        Ok(StartLine::Failed { .. }) | Err(_) => None,
    })
}

/// The result of a connection attempt.
pub(crate) enum ConnectResult {
    Client(AgentClient),
    /// Nothing answers; why.
    Dead(String),
    /// The agent does not want this client.
    Refused(AgentError),
}

/// Connects to an agent that `agent.state` names. If its process is gone, an app may have taken the name of its socket, and
/// whatever answers there is not trusted.
pub(crate) async fn connect_running(
    shell: &Shell,
    cx: &Cx,
    running: &ReadyLine,
) -> Result<ConnectResult> {
    // Succeeds only for a process of the shell itself.
    let probe = format!("kill -0 {}", running.pid);
    let (connected, alive) = tokio::join!(connect(shell, cx, running), shell.query(cx, &probe));
    if alive?.status != 0 {
        return Ok(ConnectResult::Dead("its process is gone".to_owned()));
    }
    match connected? {
        // The connection to the phone may have broken for a moment, and nothing but the handshake was sent.
        ConnectResult::Dead(_) => connect(shell, cx, running).await,
        connected => Ok(connected),
    }
}

pub(crate) async fn connect(shell: &Shell, cx: &Cx, ready: &ReadyLine) -> Result<ConnectResult> {
    connect_as(shell, cx, ready, Role::Client).await
}

/// What a connection is for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role {
    /// Requests.
    Client,
    /// Only events of these types, beside a client.
    Listener(u64),
}

pub(crate) async fn connect_as(
    shell: &Shell,
    cx: &Cx,
    ready: &ReadyLine,
    role: Role,
) -> Result<ConnectResult> {
    let within = cx.within(HANDSHAKE);
    let service = format!("localabstract:{}", ready.socket);
    let pipe = match within.run(shell.phone().open(&service)).await {
        Ok(Ok(pipe)) => pipe,
        Ok(Err(error)) => return refused_connection(error),
        Err(end) => return silent(cx, end),
    };
    let greeted = match role {
        Role::Client => within.run(AgentClient::connect(pipe, &ready.token)).await,
        Role::Listener(types) => {
            let listening = AgentClient::listen(pipe, &ready.token, types);
            within.run(listening).await
        }
    };
    match greeted {
        Ok(Ok(client)) => Ok(ConnectResult::Client(client)),
        Ok(Err(CallError::Agent(error))) => Ok(ConnectResult::Refused(error)),
        Ok(Err(error)) => Ok(ConnectResult::Dead(error.to_string())),
        Err(end) => silent(cx, end),
    }
}

/// A phone without a listener on the socket closes or refuses the stream; other errors are those of the phone.
fn refused_connection(error: adb::Error) -> Result<ConnectResult> {
    match error.kind {
        ErrorKind::Refused(why) => Ok(ConnectResult::Dead(why)),
        ErrorKind::Closed => Ok(ConnectResult::Dead(error.to_string())),
        _ => Err(DriverError::Lost {
            message: error.to_string(),
            dispatch: Dispatch::NotSent,
        }),
    }
}

/// An agent that does not answer in time is dead, unless the caller's own time is up.
fn silent(cx: &Cx, end: DriverError) -> Result<ConnectResult> {
    cx.check()?;
    match end {
        DriverError::Deadline => Ok(ConnectResult::Dead(format!(
            "no answer within {HANDSHAKE:?}"
        ))),
        end => Err(end),
    }
}
