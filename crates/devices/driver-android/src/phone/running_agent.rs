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

/// The command that prints the line of `agent.state` if its process runs. It starts no tool of the framework.
///
/// If the process is gone, an app may have taken the name of its socket, and whatever answers there is not trusted: `kill`
/// succeeds only for a process of the shell itself.
pub(crate) fn state_command() -> String {
    format!(
        "{{ read -r name verb version socket token pid program <{STATE_FILE} && kill -0 \"$pid\" && \
         echo \"$name $verb $version $socket $token $pid $program\"; }} 2>/dev/null"
    )
}

/// The ready line in the output of [`state_command`].
pub(crate) fn running_agent(output_text: &str) -> Option<ReadyLine> {
    output_text
        .lines()
        .find_map(|line| match StartLine::parse(line) {
            Ok(StartLine::Ready(ready)) => Some(ready),
            // A file that is being written is as good as none.
            Ok(StartLine::Failed { .. }) | Err(_) => None,
        })
}

/// The ready line of the agent that runs.
pub(crate) async fn read_state(shell: &Shell, cx: &Cx) -> Result<Option<ReadyLine>> {
    let output = shell.query(cx, &state_command()).await?;
    Ok(running_agent(&output.text()))
}

/// The result of a connection attempt.
pub(crate) enum ConnectResult {
    Client(AgentClient),
    /// Nothing answers; why.
    Dead(String),
    /// The agent does not want this client.
    Refused(AgentError),
}

/// Connects to an agent that runs.
pub(crate) async fn connect_running(
    shell: &Shell,
    cx: &Cx,
    running: &ReadyLine,
) -> Result<ConnectResult> {
    match connect(shell, cx, running).await? {
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
