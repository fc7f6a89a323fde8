//! The connection of a driver to its agent: attached again after a loss, with errors as drivers report them.

use agent_protocol::{
    AgentDispatch, AgentError, AgentErrorCode, Answer, Features, HelloAnswer, ReadyLine, Request,
    ScreenCapture,
};
use driver::{Cx, Dispatch, DriverError, Result};
use tokio::time::Instant;

use crate::agent::attach::{self, AgentSource};
use crate::agent::unavailable::AgentUnavailable;
use crate::phone::agent_client::{AgentClient, CallError, ReceivedEvent};
use crate::shell::{RECONNECT_TIMEOUT, RETRY_PAUSE, Shell};

/// The agent of a phone.
#[derive(Debug)]
pub(super) struct AgentLink {
    shell: Shell,
    sdk: u32,
    /// What the agent said of itself.
    hello: HelloAnswer,
    /// `None` between runs.
    client: Option<AgentClient>,
    /// Counts the agents: each knows only its own observations.
    generation: u64,
    /// What to attach to when the agent is gone; `None` for an agent that others started.
    source: Option<AgentSource>,
}

impl AgentLink {
    /// Attaches to the agent that runs on a phone, or starts it.
    pub(super) async fn attach(
        shell: Shell,
        cx: &Cx,
        sdk: u32,
        source: AgentSource,
        running: Option<ReadyLine>,
    ) -> std::result::Result<Self, AgentUnavailable> {
        let client = attach::attach_to(&shell, cx, sdk, &source, running).await?;
        Ok(Self {
            hello: client.hello().clone(),
            client: Some(client),
            shell,
            sdk,
            generation: 0,
            source: Some(source),
        })
    }

    /// An agent that is connected already and cannot be started again.
    pub(super) fn connected(shell: Shell, sdk: u32, client: AgentClient) -> Self {
        Self {
            shell,
            sdk,
            hello: client.hello().clone(),
            client: Some(client),
            generation: 0,
            source: None,
        }
    }

    /// What the agent said of itself.
    pub(super) const fn hello(&self) -> &HelloAnswer {
        &self.hello
    }

    /// Closes the connection until the next request, so that other processes can use the agent.
    pub(super) fn disconnect(&mut self) {
        if self.source.is_some() {
            self.client = None;
        }
    }

    /// The connection, unless it is closed or broke.
    fn client(&self) -> Option<&AgentClient> {
        self.client.as_ref().filter(|client| !client.is_broken())
    }

    /// Whether observations of this generation mean something to the agent.
    pub(super) fn is_current(&self, generation: u64) -> bool {
        self.generation == generation && self.client().is_some()
    }

    /// The number of the agent.
    pub(super) const fn generation(&self) -> u64 {
        self.generation
    }

    /// Attaches again if the connection broke. Nothing of earlier observations is known to the new agent.
    pub(super) async fn restore(&mut self, cx: &Cx) -> Result<()> {
        cx.check()?;
        if self.client().is_some() {
            return Ok(());
        }
        let Some(source) = &self.source else {
            return Err(DriverError::Lost {
                message: "the connection to the agent broke".to_owned(),
                dispatch: Dispatch::NotSent,
            });
        };
        let attached = match self.client {
            // It broke in use: the phone may be lost for a moment only.
            Some(_) => self.attach_when_back(cx, source).await,
            None => self.attach_now(cx, source).await,
        };
        // A phone that stayed away once is not waited for again.
        self.client = None;
        let client = attached?;
        self.hello = client.hello().clone();
        self.client = Some(client);
        self.generation += 1;
        Ok(())
    }

    async fn attach_now(&self, cx: &Cx, source: &AgentSource) -> Result<AgentClient> {
        let attached = attach::attach(&self.shell, cx, self.sdk, source).await;
        attached.map_err(AgentUnavailable::into_driver_error)
    }

    /// Attaches to a phone that may have to come back first.
    async fn attach_when_back(&self, cx: &Cx, source: &AgentSource) -> Result<AgentClient> {
        let back_by = Instant::now() + RECONNECT_TIMEOUT;
        loop {
            match attach::attach(&self.shell, cx, self.sdk, source).await {
                Err(AgentUnavailable::Phone(DriverError::Lost { .. }))
                    if Instant::now() + RETRY_PAUSE < back_by =>
                {
                    cx.sleep(RETRY_PAUSE).await?;
                }
                attached => return attached.map_err(AgentUnavailable::into_driver_error),
            }
        }
    }

    /// Waits for a message that the screen may have changed.
    pub(super) async fn changed(&self) {
        if let Some(client) = &self.client {
            client.changed().await;
        }
    }

    /// The events of apps since the last call.
    pub(super) fn take_events(&self) -> Vec<ReceivedEvent> {
        let client = self.client.as_ref();
        client.map(AgentClient::take_events).unwrap_or_default()
    }

    /// Sends a request on the connection that there is.
    async fn call(
        &self,
        cx: &Cx,
        request: &Request,
    ) -> Result<std::result::Result<Answer, CallError>> {
        let Some(client) = &self.client else {
            return Ok(Err(CallError::Lost {
                message: "there is no connection to the agent".to_owned(),
                dispatch: Dispatch::NotSent,
            }));
        };
        cx.run(client.call(request, cx.remaining())).await
    }

    /// Sends a request that changes the phone, once.
    pub(super) async fn change(&self, cx: &Cx, request: &Request) -> Result<Answer> {
        self.has(request)?;
        let called = self.call(cx, request).await?;
        called.map_err(|error| change_error(cx, error))
    }

    /// Sends a request that changes nothing. If the connection breaks, it is sent once more to the agent that
    /// is found or started then.
    pub(super) async fn read(&mut self, cx: &Cx, request: &Request) -> Result<Answer> {
        self.restore(cx).await?;
        self.has(request)?;
        let called = self.call(cx, request).await?;
        let called = match called {
            Err(CallError::Lost { .. }) if self.source.is_some() => {
                self.restore(cx).await?;
                self.call(cx, request).await?
            }
            called => called,
        };
        called.map_err(|error| read_error(cx, error))
    }

    /// The screen, unless it equals that of the known revision.
    pub(super) async fn observe(
        &mut self,
        cx: &Cx,
        known: u64,
    ) -> Result<(u64, Option<Box<ScreenCapture>>)> {
        let request = Request::Observe { display: 0, known };
        match self.read(cx, &request).await? {
            Answer::Observed { revision, screen } => Ok((revision, screen)),
            other => Err(wrong_answer(&other)),
        }
    }

    /// An error if the agent cannot do this on its phone.
    fn has(&self, request: &Request) -> Result<()> {
        // Any of the features is enough.
        let (feature, name) = match request {
            Request::Touch { .. } => (Features::INPUT | Features::GESTURES, "touches"),
            Request::Key { .. } => (Features::INPUT | Features::SYSTEM_KEYS, "keys"),
            Request::Screenshot { .. } => (Features::SCREENSHOTS, "screenshots"),
            Request::Clipboard { set: None } => (Features::CLIPBOARD, "reading the clipboard"),
            Request::Rotate { .. } => (Features::ROTATION, "turning the screen"),
            Request::Hello(_)
            | Request::Listen(..)
            | Request::Ping
            | Request::Observe { .. }
            | Request::Act { .. }
            | Request::Cancel { .. }
            // An agent that cannot read the clipboard can set it.
            | Request::Clipboard { set: Some(_) }
            | Request::Quit => return Ok(()),
        };
        if self.hello().features.intersects(feature) {
            Ok(())
        } else {
            Err(DriverError::Unsupported(name))
        }
    }
}

/// The decoder never gives an answer of another kind.
pub(super) fn wrong_answer(answer: &Answer) -> DriverError {
    read_lost(format!("the agent gave another answer: {answer:?}"))
}

const fn read_lost(message: String) -> DriverError {
    DriverError::Lost {
        message,
        dispatch: Dispatch::NotSent,
    }
}

/// The error of a request that changes nothing.
fn read_error(cx: &Cx, error: CallError) -> DriverError {
    match error {
        CallError::Agent(error) => match error.code {
            AgentErrorCode::NoWindow => DriverError::NoWindow,
            AgentErrorCode::Cancelled => ended(cx),
            AgentErrorCode::SlotTaken => DriverError::Refused(taken(&error.message)),
            // Most often something was removed from the screen while it was read.
            AgentErrorCode::Failed => {
                DriverError::Incomplete(format!("the agent could not read it: {}", error.message))
            }
            AgentErrorCode::Unsupported => {
                DriverError::Unsupported("this on its version of Android")
            }
            AgentErrorCode::Stale => DriverError::Stale,
            AgentErrorCode::Denied => DriverError::InputDenied(error.message),
            AgentErrorCode::Refused
            | AgentErrorCode::TooLarge
            | AgentErrorCode::BadRequest
            | AgentErrorCode::Version
            | AgentErrorCode::Token
            | AgentErrorCode::Busy
            | AgentErrorCode::ServiceOff => DriverError::Refused(error.to_string()),
        },
        CallError::Lost { message, .. } => read_lost(message),
        CallError::TooLong(error) => DriverError::Refused(error.to_string()),
    }
}

/// The error of a request that changes the phone.
fn change_error(cx: &Cx, error: CallError) -> DriverError {
    let error = match error {
        CallError::Agent(error) => error,
        CallError::Lost { message, dispatch } => return DriverError::Lost { message, dispatch },
        CallError::TooLong(error) => return DriverError::Unwritable(error.to_string()),
    };
    match (error.code, error.dispatch) {
        (AgentErrorCode::Stale, AgentDispatch::Nothing) => DriverError::Stale,
        (AgentErrorCode::NoWindow, AgentDispatch::Nothing) => DriverError::NoWindow,
        (AgentErrorCode::Denied, AgentDispatch::Nothing) => DriverError::InputDenied(error.message),
        (AgentErrorCode::Unsupported, AgentDispatch::Nothing) => {
            DriverError::Unsupported("this on its version of Android")
        }
        (AgentErrorCode::Cancelled, _) => ended(cx),
        (AgentErrorCode::SlotTaken, AgentDispatch::Nothing) => {
            DriverError::Refused(taken(&error.message))
        }
        (_, AgentDispatch::Nothing) => DriverError::Refused(detail(error)),
        (_, AgentDispatch::Done) => DriverError::Partial(detail(error)),
        (_, AgentDispatch::Unknown) => DriverError::Lost {
            message: error.to_string(),
            dispatch: Dispatch::Unknown,
        },
    }
}

fn detail(error: AgentError) -> String {
    if error.message.is_empty() {
        error.code.to_string()
    } else {
        error.message
    }
}

fn taken(holder: &str) -> String {
    AgentUnavailable::SlotTaken(holder.to_owned()).to_string()
}

/// The agent cancels a request whose caller has gone.
fn ended(cx: &Cx) -> DriverError {
    cx.check().err().unwrap_or(DriverError::Deadline)
}
