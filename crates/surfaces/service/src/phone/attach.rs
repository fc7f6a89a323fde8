//! Attaching to the agent on a phone, in the form that was requested or in the first that can be had.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::{Cx, DriverError};
use driver_android::{
    AgentBinary, AgentDriver, AgentSource, AgentUnavailable, AttachTarget, Shell,
};
use tokio::sync::OnceCell;

use super::agent_failures::{self, AgentFailure};
use super::{Agent, connection};
use crate::environment::AdbSetup;

/// How long `auto` waits for the agent, and then for its app, before it uses the next transport.
const WITHIN: Duration = Duration::from_secs(5);
/// How long `auto` does not try again what would fail again.
const PAUSE: Duration = Duration::from_secs(600);
/// The same for what may have failed because another program held the phone's UI automation, as each `uiautomator dump` does:
/// accessibility services do not run meanwhile.
const SHORT_PAUSE: Duration = Duration::from_secs(10);

/// The embedded agent.
pub(crate) fn agent() -> AgentSource {
    AgentSource::Dex(AgentBinary::embedded())
}

/// An attempt on a phone that was reached.
pub(super) struct Attempt<'a> {
    serial: &'a str,
    shell: &'a Shell,
    setup: &'a AdbSetup,
    cx: &'a Cx,
    /// What the phone is and which agent runs, once it is known.
    target: OnceCell<AttachTarget>,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(serial: &'a str, shell: &'a Shell, setup: &'a AdbSetup, cx: &'a Cx) -> Self {
        Self {
            serial,
            shell,
            setup,
            cx,
            target: OnceCell::new(),
        }
    }

    /// Asks the phone what it is and which agent runs; a phone that does not answer that has no other transport either.
    async fn target(&self) -> Result<AttachTarget, ErrorBody> {
        let query = || AttachTarget::query(self.shell, self.cx);
        let ask = super::ask_again_if_lost(self.serial, self.setup, self.cx, query);
        self.target.get_or_try_init(|| ask).await.cloned()
    }

    /// Attaches to a form, again if the phone is lost meanwhile and comes back.
    async fn open(
        &self,
        target: AttachTarget,
        source: AgentSource,
        cx: &Cx,
    ) -> Result<AgentDriver, AgentUnavailable> {
        let mut reopenings = connection::REOPENINGS;
        let mut first = Some(target);
        loop {
            let opened = async {
                let target = match first.take() {
                    Some(target) => target,
                    None => AttachTarget::query(self.shell, cx).await?,
                };
                let phone = self.shell.phone().clone();
                AgentDriver::open(self.serial, phone, target, source, cx).await
            };
            let opened = opened.await;
            let is_lost = matches!(
                opened,
                Err(AgentUnavailable::Phone(DriverError::Lost { .. }))
            );
            if !is_lost || reopenings == 0 {
                return opened;
            }
            let within = super::reconnect_timeout(cx.remaining());
            if !connection::is_back(self.serial, self.setup, within, cx).await {
                return opened;
            }
            reopenings -= 1;
        }
    }

    /// The error of a phone that has not answered since a moment when this was left of the run's time.
    fn unanswered(&self, error: &DriverError, left: Duration) -> ErrorBody {
        connection::unanswered(self.serial, error, left)
    }

    /// Attaches to this form.
    ///
    /// # Errors
    /// `AGENT_UNAVAILABLE`, and those of a phone that does not answer; nothing was done.
    pub(super) async fn require(&self, source: AgentSource) -> Result<Agent, ErrorBody> {
        let target = self.target().await?;
        let left = self.cx.remaining();
        match self.open(target, source, self.cx).await {
            Ok(driver) => Ok(attached(driver, None)),
            Err(AgentUnavailable::Phone(error)) => Err(self.unanswered(&error, left)),
            Err(error @ AgentUnavailable::Busy) => Err(in_use(self.serial, &error)),
            Err(error) => Err(refusal(self.serial, &error)),
        }
    }

    /// Attaches to the agent, else to its app.
    ///
    /// # Errors
    /// The phone does not answer, the run was cancelled, its time is up, or another clawperator drives the phone.
    pub(super) async fn any(&self) -> Result<Agent, ErrorBody> {
        let why_no_agent = match self.attempt(agent(), self.serial, "the agent").await? {
            Ok(driver) => return Ok(attached(driver, None)),
            Err(why) => why,
        };
        let record = format!("{} app", self.serial);
        Ok(
            match self
                .attempt(AgentSource::App, &record, "the runtime app")
                .await?
            {
                Ok(driver) => attached(driver, Some(why_no_agent)),
                // Most phones do not have the app.
                Err(why) if why.reason == AgentUnavailable::NotInstalled.reason() => {
                    Agent::Unavailable(why_no_agent)
                }
                Err(why) => Agent::Unavailable(AgentFailure {
                    reason: why_no_agent.reason,
                    message: format!("{}; {}", why_no_agent.message, why.message),
                }),
            },
        )
    }

    /// Attaches to a form, unless that failed a short while ago; why it cannot be used otherwise.
    async fn attempt(
        &self,
        source: AgentSource,
        record: &str,
        name: &str,
    ) -> Result<Result<AgentDriver, AgentFailure>, ErrorBody> {
        let folder = &self.setup.locks;
        if let Some(failure) = agent_failures::recent(folder, record) {
            return Ok(Err(failure));
        }
        let target = self.target().await?;
        let left = self.cx.remaining();
        match self.open(target, source, &self.cx.within(WITHIN)).await {
            Ok(driver) => {
                agent_failures::forget(folder, record);
                Ok(Ok(driver))
            }
            Err(AgentUnavailable::Phone(DriverError::Cancelled)) => {
                Err(self.unanswered(&DriverError::Cancelled, left))
            }
            Err(AgentUnavailable::Phone(DriverError::Deadline)) => {
                self.cx
                    .check()
                    .map_err(|error| self.unanswered(&error, left))?;
                let message = format!("{name} did not answer within {} ms", WITHIN.as_millis());
                let failure = AgentFailure {
                    reason: AgentUnavailable::NotReached(String::new())
                        .reason()
                        .to_owned(),
                    message,
                };
                agent_failures::record(folder, record, &failure, PAUSE);
                Ok(Err(failure))
            }
            // Another transport would drive the phone beside it.
            Err(error @ AgentUnavailable::Busy) => Err(in_use(self.serial, &error)),
            Err(error) => {
                let failure = AgentFailure {
                    reason: error.reason().to_owned(),
                    message: error.to_string(),
                };
                if let Some(pause) = pause_after(&error) {
                    agent_failures::record(folder, record, &failure, pause);
                }
                Ok(Err(failure))
            }
        }
    }
}

/// Forgets earlier failures of the app, because it was set up.
pub(crate) fn forget_app_failures(setup: &AdbSetup, serial: &str) {
    agent_failures::forget(&setup.locks, &format!("{serial} app"));
}

fn attached(driver: AgentDriver, instead_of: Option<AgentFailure>) -> Agent {
    Agent::Attached {
        driver: Box::new(driver),
        instead_of,
    }
}

/// How long the form would fail again; `None` if the next command should try.
const fn pause_after(error: &AgentUnavailable) -> Option<Duration> {
    match error {
        AgentUnavailable::NotWritten(_)
        | AgentUnavailable::TooSlow { .. }
        | AgentUnavailable::NotStarted(_)
        | AgentUnavailable::NotInstalled => Some(PAUSE),
        AgentUnavailable::NotReached(_) => Some(SHORT_PAUSE),
        AgentUnavailable::TooOld { .. }
        | AgentUnavailable::SlotTaken(_)
        | AgentUnavailable::Busy
        | AgentUnavailable::Version(_)
        | AgentUnavailable::ServiceOff(_)
        | AgentUnavailable::Phone(_) => None,
    }
}

/// The error of a plan for a phone that another clawperator drives, on another computer or by another name; nothing was done.
fn in_use(serial: &str, error: &AgentUnavailable) -> ErrorBody {
    let code = ErrorCode::ExecutionConflictInFlight;
    ErrorBody::new(code, format!("{serial}: {error}"))
        .with_hint("Wait for the other clawperator that drives this phone, and try again")
        .with_detail("deviceId", serial)
        .with_detail("reason", error.reason())
}

/// The error of a plan for a form that cannot be used; nothing was done.
fn refusal(serial: &str, error: &AgentUnavailable) -> ErrorBody {
    let body = ErrorBody::new(ErrorCode::AgentUnavailable, format!("{serial}: {error}"));
    let body = match remedy(error) {
        Some(remedy) => body.with_hint(format!(
            "{remedy}; `--via auto` uses the first transport that works"
        )),
        None => body.with_default_hint(),
    };
    body.with_detail("deviceId", serial)
        .with_detail("reason", error.reason())
}

/// What a person can do.
pub(crate) const fn remedy(error: &AgentUnavailable) -> Option<&'static str> {
    Some(match error {
        AgentUnavailable::SlotTaken(_) => {
            "Stop the other tool that reads the screen (an Appium or uiautomator2 server, a running test)"
        }
        AgentUnavailable::Busy => "Wait for the other clawperator that drives this phone",
        AgentUnavailable::NotWritten(_) => {
            "Free some storage on the phone, and check that adb's shell may write to /data/local/tmp"
        }
        AgentUnavailable::TooSlow { .. } => {
            "Connect the phone with a cable or over a faster network; the agent is written once and stays"
        }
        AgentUnavailable::NotInstalled => {
            "Build the app with `agent/app/build FILE` and install it with `clawperator operator setup --apk FILE`"
        }
        AgentUnavailable::ServiceOff(_) => {
            "Run `clawperator operator setup --apk FILE` again, or switch the service on in the phone's accessibility settings"
        }
        AgentUnavailable::Version(_) => {
            "Update clawperator or the runtime app, whichever is older; an agent of a later clawperator ends by itself ten \
             minutes after its last use"
        }
        AgentUnavailable::TooOld { .. }
        | AgentUnavailable::NotStarted(_)
        | AgentUnavailable::NotReached(_)
        | AgentUnavailable::Phone(_) => return None,
    })
}
