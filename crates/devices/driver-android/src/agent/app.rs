//! The agent's app form: an installed app with an accessibility service. It returns its socket and token on request; nothing is started.

use agent_protocol::{APP_QUERY, AgentErrorCode, AgentForm, ReadyLine, StartLine, VERSION};
use driver::Cx;

use crate::agent::attach::{other_version, refusal};
use crate::agent::unavailable::{AgentUnavailable, AttachResult, OLDEST_AGENT_SDK};
use crate::phone::agent_client::AgentClient;
use crate::phone::running_agent::{ConnectResult, connect};
use crate::shell::Shell;

/// What `content` prints for a provider of an app that is not installed.
const NO_PROVIDER: &str = "Could not find provider";

/// Connects to the app on a phone.
pub(super) async fn attach(shell: &Shell, cx: &Cx, sdk: u32) -> AttachResult<AgentClient> {
    let ready = ready(shell, cx, sdk).await?;
    match connect(shell, cx, &ready).await? {
        ConnectResult::Client(client) if client.hello().form == AgentForm::App => {
            match client.hello().version {
                VERSION => Ok(client),
                _ => Err(other_version(&client)),
            }
        }
        ConnectResult::Client(_) => {
            let why = "another program answers on the socket of the runtime app".to_owned();
            Err(AgentUnavailable::NotReached(why))
        }
        ConnectResult::Dead(why) => Err(AgentUnavailable::NotReached(why)),
        ConnectResult::Refused(error) => Err(refusal(&error)),
    }
}

/// How to reach the app's service.
pub(super) async fn ready(shell: &Shell, cx: &Cx, sdk: u32) -> AttachResult<ReadyLine> {
    if sdk < OLDEST_AGENT_SDK {
        return Err(AgentUnavailable::TooOld { sdk });
    }
    match query_start_line(shell, cx).await? {
        StartLine::Ready(ready) => Ok(ready),
        StartLine::Failed { code, message } => Err(match code {
            AgentErrorCode::ServiceOff => AgentUnavailable::ServiceOff(message),
            _ => AgentUnavailable::NotReached(message),
        }),
    }
}

/// The app's start line.
async fn query_start_line(shell: &Shell, cx: &Cx) -> AttachResult<StartLine> {
    let output = shell.query(cx, APP_QUERY).await?;
    if let Some(line) = StartLine::of_query(&output.text()) {
        return Ok(line);
    }
    let output_text = format!("{}\n{}", output.error_text(), output.text());
    if output_text.contains(NO_PROVIDER) {
        return Err(AgentUnavailable::NotInstalled);
    }
    let mut lines = output_text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let line: String = lines
        .next()
        .unwrap_or("nothing")
        .chars()
        .take(300)
        .collect();
    let why = format!("the runtime app did not report its socket; the phone answered: {line}");
    Err(AgentUnavailable::NotReached(why))
}
