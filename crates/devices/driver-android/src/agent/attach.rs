//! Attaches to the agent on a phone: to the one that runs, or to one that it starts.

use std::time::Duration;

use adb::Progress;
use agent_protocol::{
    AgentError, AgentErrorCode, MAIN_CLASS, ReadyLine, StartLine, VERSION, end_start_command,
    start_command,
};
use driver::{Cx, Dispatch, DriverError};
use tokio::io::AsyncReadExt;
use tokio_util::sync::CancellationToken;

use crate::agent::app;
use crate::agent::dex::{self, AgentBinary, DexState};
use crate::agent::unavailable::{AgentUnavailable, AttachResult, OLDEST_AGENT_SDK, lost};
use crate::phone::agent_client::AgentClient;
use crate::phone::running_agent::{
    ConnectResult, OTHER_CLIENT_TIMEOUT, Role, connect_as, connect_running, read_state,
    running_agent, state_command,
};
use crate::phone::ui_automation::{IDLE_SECONDS, quit};
use crate::profile::{Identity, PART_SEPARATOR};
use crate::shell::{RETRY_PAUSE, Shell};

/// Timeout of the start line: `app_process` starts a virtual machine. Shorter than the time for opening a phone, so that the
/// error says what did not answer.
const START: Duration = Duration::from_secs(15);
/// Timeout for ending a start that hangs, beyond the caller's own time.
const END_START: Duration = Duration::from_secs(2);
/// The maximum output before the start line.
const MAX_OUTPUT: usize = 64 * 1024;

/// What speaks the agent's protocol on a phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentSource {
    /// The agent, which is started as adb's shell if it does not run.
    Dex(AgentBinary),
    /// The installed app, which runs as long as its accessibility service does.
    App,
}

impl From<AgentBinary> for AgentSource {
    fn from(binary: AgentBinary) -> Self {
        Self::Dex(binary)
    }
}

impl AgentSource {
    /// The agent that runs; an app answers that itself.
    async fn running(&self, shell: &Shell, cx: &Cx) -> Result<Option<ReadyLine>, DriverError> {
        match self {
            Self::Dex(_) => read_state(shell, cx).await,
            Self::App => Ok(None),
        }
    }
}

/// A phone to attach to: what it is, and the agent that runs there.
#[derive(Clone, Debug)]
pub struct AttachTarget {
    pub(super) identity: Identity,
    pub(super) running: Option<ReadyLine>,
}

impl AttachTarget {
    /// Reads it from a phone, in one command that starts no tool of the framework: each takes 50 ms to a second.
    ///
    /// # Errors
    /// `Lost` if the phone cannot be reached, `Refused` if the output is unexpected, and the end of the context.
    pub async fn query(shell: &Shell, cx: &Cx) -> Result<Self, DriverError> {
        let (identity, state) = (Identity::SCRIPT, state_command());
        let script = format!("{identity}; echo {PART_SEPARATOR}; {state}");
        let output = shell.query(cx, &script).await?;
        let text = output.text();
        let state = text.split(PART_SEPARATOR).nth(Identity::PARTS);
        Ok(Self {
            identity: Identity::read_or_refuse(&text, &output)?,
            running: state.and_then(running_agent),
        })
    }
}

/// Connects to the agent of a source on a phone.
pub(super) async fn attach(
    shell: &Shell,
    cx: &Cx,
    sdk: u32,
    source: &AgentSource,
) -> AttachResult<AgentClient> {
    let running = source.running(shell, cx).await?;
    attach_to(shell, cx, sdk, source, running).await
}

/// Connects to the agent of a source on a phone where this one ran a moment ago.
pub(super) async fn attach_to(
    shell: &Shell,
    cx: &Cx,
    sdk: u32,
    source: &AgentSource,
    mut running: Option<ReadyLine>,
) -> AttachResult<AgentClient> {
    let other_client = cx.within(OTHER_CLIENT_TIMEOUT);
    loop {
        let attached = match source {
            AgentSource::Dex(binary) => attach_dex(shell, cx, sdk, binary, running).await,
            AgentSource::App => app::attach(shell, cx, sdk).await,
        };
        match attached {
            // The agent detects a moment later that the previous client has disconnected.
            Err(AgentUnavailable::Busy) if other_client.sleep(RETRY_PAUSE).await.is_ok() => {
                running = source.running(shell, cx).await?;
            }
            attached => return attached,
        }
    }
}

/// Connects to the agent of a source to listen to events of these types, beside another client.
pub(crate) async fn listen(
    shell: &Shell,
    cx: &Cx,
    sdk: u32,
    source: &AgentSource,
    types: u64,
) -> AttachResult<AgentClient> {
    let ready = match source {
        AgentSource::App => app::ready(shell, cx, sdk).await?,
        AgentSource::Dex(binary) => {
            let running = read_state(shell, cx).await?;
            match attach_dex(shell, cx, sdk, binary, running).await {
                // Another client uses it, which does not matter.
                Err(AgentUnavailable::Busy) => {}
                attached => drop(attached?),
            }
            let running = read_state(shell, cx).await?;
            let gone = || AgentUnavailable::NotReached("it ended again".to_owned());
            running.ok_or_else(gone)?
        }
    };
    match connect_as(shell, cx, &ready, Role::Listener(types)).await? {
        ConnectResult::Client(client) if client.hello().version == VERSION => Ok(client),
        ConnectResult::Client(client) => Err(other_version(&client)),
        ConnectResult::Dead(why) => Err(AgentUnavailable::NotReached(why)),
        ConnectResult::Refused(error) => Err(refusal(&error)),
    }
}

/// Connects to the agent that runs on a phone; starts it, or another one, if that is necessary.
async fn attach_dex(
    shell: &Shell,
    cx: &Cx,
    sdk: u32,
    binary: &AgentBinary,
    running: Option<ReadyLine>,
) -> AttachResult<AgentClient> {
    if sdk < OLDEST_AGENT_SDK {
        return Err(AgentUnavailable::TooOld { sdk });
    }
    if let Some(running) = running
        && let Some(client) = connect_to(shell, cx, binary, &running).await?
    {
        return Ok(client);
    }
    let written = dex::push(shell, cx, binary).await?;
    match start_and_connect(shell, cx, binary).await {
        Err(AgentUnavailable::NotStarted(_))
            if written == DexState::Before && dex::remove_damaged(shell, cx, binary).await? => {}
        attached => return attached,
    }
    // What runs from the damaged file ends first.
    if let Some(client) = attach_running(shell, cx, binary).await? {
        return Ok(client);
    }
    dex::push(shell, cx, binary).await?;
    start_and_connect(shell, cx, binary).await
}

/// Starts the agent from its file, and connects to it.
async fn start_and_connect(
    shell: &Shell,
    cx: &Cx,
    binary: &AgentBinary,
) -> AttachResult<AgentClient> {
    let line = match start(shell, cx, binary).await? {
        Some(line) => line,
        // A connection to the phone that broke looks the same as an agent that ended without a start line.
        None => match attach_running(shell, cx, binary).await? {
            Some(client) => return Ok(client),
            None => start(shell, cx, binary)
                .await?
                .ok_or_else(|| AgentUnavailable::NotStarted("it said nothing".to_owned()))?,
        },
    };
    let ready = match line {
        StartLine::Ready(ready) => ready,
        StartLine::Failed { code, message } => {
            return match code {
                AgentErrorCode::SlotTaken => attach_to_taken(shell, cx, binary, message).await,
                _ => Err(AgentUnavailable::NotStarted(format!("{code}: {message}"))),
            };
        }
    };
    if ready.sha256 != binary.sha256 {
        let why = "it runs another program than the one that was written";
        return Err(AgentUnavailable::NotStarted(why.to_owned()));
    }
    match connect_running(shell, cx, &ready).await? {
        ConnectResult::Client(client) if client.hello().version == VERSION => Ok(client),
        ConnectResult::Client(client) => Err(other_version(&client)),
        ConnectResult::Dead(why) => Err(AgentUnavailable::NotReached(why)),
        ConnectResult::Refused(error) => Err(refusal(&error)),
    }
}

/// Connects to the agent that another client started meanwhile, or is starting: it holds the UiAutomation before it has
/// written its state.
async fn attach_to_taken(
    shell: &Shell,
    cx: &Cx,
    binary: &AgentBinary,
    holder: String,
) -> AttachResult<AgentClient> {
    let other_client = cx.within(OTHER_CLIENT_TIMEOUT);
    loop {
        if let Some(client) = attach_running(shell, cx, binary).await? {
            return Ok(client);
        }
        if !holder.contains(MAIN_CLASS) || other_client.sleep(RETRY_PAUSE).await.is_err() {
            return Err(AgentUnavailable::SlotTaken(holder));
        }
    }
}

/// The agent that runs, if it is this program. Another one is asked to quit.
async fn attach_running(
    shell: &Shell,
    cx: &Cx,
    binary: &AgentBinary,
) -> AttachResult<Option<AgentClient>> {
    match read_state(shell, cx).await? {
        Some(running) => connect_to(shell, cx, binary, &running).await,
        None => Ok(None),
    }
}

/// This agent, if it is this program. Another one is asked to quit.
async fn connect_to(
    shell: &Shell,
    cx: &Cx,
    binary: &AgentBinary,
    running: &ReadyLine,
) -> AttachResult<Option<AgentClient>> {
    match connect_running(shell, cx, running).await? {
        ConnectResult::Client(client)
            if client.hello().version == VERSION
                && running.sha256 == binary.sha256
                && client
                    .hello()
                    .sha256
                    .is_none_or(|hash| hash == binary.sha256) =>
        {
            Ok(Some(client))
        }
        ConnectResult::Client(client) => {
            quit(shell, cx, &client).await?;
            Ok(None)
        }
        ConnectResult::Dead(_) => Ok(None),
        // It has no version in common with us, so it answers no request.
        ConnectResult::Refused(error) if error.code == AgentErrorCode::Token => Ok(None),
        ConnectResult::Refused(error) => Err(refusal(&error)),
    }
}

/// The error for an agent that does not speak the version of this program.
pub(super) fn other_version(client: &AgentClient) -> AgentUnavailable {
    AgentUnavailable::Version(client.hello().version.to_string())
}

pub(super) fn refusal(error: &AgentError) -> AgentUnavailable {
    match error.code {
        AgentErrorCode::Busy => AgentUnavailable::Busy,
        AgentErrorCode::Version => AgentUnavailable::Version(error.message.clone()),
        AgentErrorCode::SlotTaken => AgentUnavailable::SlotTaken(error.message.clone()),
        _ => AgentUnavailable::NotReached(error.to_string()),
    }
}

/// Starts the agent and reads its start line; `None` if the output has none. A start that hangs is ended: it would hold the
/// UiAutomation, or take it later.
async fn start(shell: &Shell, cx: &Cx, binary: &AgentBinary) -> AttachResult<Option<StartLine>> {
    let within = cx.within(START);
    let mark = dex::random()?;
    let read = within.run(async {
        let service = format!("exec:{}", start_command(&binary.sha256, IDLE_SECONDS, mark));
        let mut pipe = shell.phone().open(&service).await.map_err(|error| {
            // What may have been started holds the UiAutomation; the next attempt finds its state.
            let dispatch = match error.reach {
                Progress::NotStarted => Dispatch::NotSent,
                Progress::Unknown | Progress::Started => Dispatch::Unknown,
            };
            DriverError::Lost {
                message: error.to_string(),
                dispatch,
            }
        })?;
        let mut output = Vec::new();
        let mut piece = [0; 4096];
        loop {
            if let Some(line) = start_line(&output) {
                return Ok(Some(line));
            }
            let read = pipe.read(&mut piece).await;
            let read = read.map_err(|error| lost(adb::Error::from(error)))?;
            output.extend_from_slice(piece.get(..read).unwrap_or_default());
            if read == 0 && output.is_empty() {
                return Ok(None);
            }
            if read == 0 || output.len() > MAX_OUTPUT {
                // The last line may lack its end.
                output.push(b'\n');
                return match start_line(&output) {
                    Some(line) => Ok(Some(line)),
                    None => Err(AgentUnavailable::NotStarted(last_words(&output))),
                };
            }
        }
    });
    match read.await {
        Ok(read) => read,
        Err(end) => {
            let ending = Cx::new(END_START, CancellationToken::new());
            // Nothing more can be done about a phone that does not answer.
            let _ = shell.query(&ending, &end_start_command(mark)).await;
            cx.check()?;
            match end {
                DriverError::Deadline => Err(AgentUnavailable::NotStarted(format!(
                    "it said nothing within {START:?}"
                ))),
                end => Err(end.into()),
            }
        }
    }
}

/// The agent's line among the complete lines of the output.
fn start_line(output: &[u8]) -> Option<StartLine> {
    let (complete, _) = output.split_at(output.iter().rposition(|byte| *byte == b'\n')? + 1);
    let text = String::from_utf8_lossy(complete);
    text.lines().find_map(|line| StartLine::parse(line).ok())
}

/// What the phone said instead of the line.
fn last_words(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.next_back().unwrap_or("it said nothing");
    line.chars().take(300).collect()
}
