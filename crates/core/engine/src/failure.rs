//! Failures of steps, before they become step results.

use contract::{ErrorCode, StepData};
use driver::{Dispatch, DriverError, RecordingError};

use crate::describe::truncated;

/// Adds every pair of `more` to `data`.
pub(crate) fn append(data: &mut StepData, more: &StepData) {
    for (key, value) in more.iter() {
        data.push(key, value);
    }
}

/// Why the whole run ends, not only a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interruption {
    /// The execution timed out.
    Deadline,
    /// The caller cancelled it.
    Cancelled,
}

/// Whether a retry could help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retryable {
    /// No: it would fail again or repeat a change.
    No,
    /// Only after the screen has changed: an idle screen gives the same answer.
    AfterChange,
    /// While the screen shows that work is in progress, even if the work began before the run.
    WhileAtWork,
    /// Until the screen has settled: it may still bring what is missing.
    UntilSettled,
    /// Yes: nothing was done, or the target may still appear.
    Yes,
}

/// Why an action failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The step failed; the plan decides what happens next.
    Step(StepFailure),
    /// The run is over.
    End(Interruption),
}

/// A failed step.
#[derive(Debug)]
pub(crate) struct StepFailure {
    /// The stable code, `data.error`.
    pub(crate) code: ErrorCode,
    /// The message for people.
    pub(crate) message: String,
    /// Step data before `error`.
    pub(crate) before: StepData,
    /// Step data after `message`.
    pub(crate) after: StepData,
    /// What to do, if it differs from the code's hint.
    pub(crate) hint: Option<&'static str>,
    /// Whether a retry could help.
    pub(crate) retryable: Retryable,
    /// Whether the device is lost, so that no later step can run.
    pub(crate) lost: bool,
}

impl Failure {
    /// A failure that is not retryable.
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Failure::Step(StepFailure {
            code,
            message: message.into(),
            before: StepData::default(),
            after: StepData::default(),
            hint: None,
            retryable: Retryable::No,
            lost: false,
        })
    }

    /// Marks the failure as retryable.
    pub(crate) fn retryable(self) -> Self {
        self.with_retryable(Retryable::Yes)
    }

    /// Marks the failure as retryable once the screen has changed.
    pub(crate) fn retryable_after_change(self) -> Self {
        self.with_retryable(Retryable::AfterChange)
    }

    /// Marks the failure as retryable while the screen shows that work is in progress.
    pub(crate) fn retryable_while_at_work(self) -> Self {
        self.with_retryable(Retryable::WhileAtWork)
    }

    /// Marks the failure as retryable until the screen has settled.
    pub(crate) fn retryable_until_settled(self) -> Self {
        self.with_retryable(Retryable::UntilSettled)
    }

    fn with_retryable(mut self, retryable: Retryable) -> Self {
        if let Failure::Step(failure) = &mut self {
            failure.retryable = retryable;
        }
        self
    }

    /// Marks the failure as final: a retry would repeat a change.
    pub(crate) fn not_retryable(self) -> Self {
        self.with_retryable(Retryable::No)
    }

    /// Adds a key before `error`.
    pub(crate) fn with_leading_data(mut self, key: &'static str, value: impl Into<String>) -> Self {
        if let Failure::Step(failure) = &mut self {
            failure.before.push(key, value);
        }
        self
    }

    /// Adds every pair of `data` before `error`.
    pub(crate) fn with_leading(mut self, data: StepData) -> Self {
        if let Failure::Step(failure) = &mut self {
            append(&mut failure.before, &data);
        }
        self
    }

    /// Adds a key after `message`.
    pub(crate) fn with_data(mut self, key: &'static str, value: impl Into<String>) -> Self {
        if let Failure::Step(failure) = &mut self {
            failure.after.push(key, value);
        }
        self
    }

    /// Replaces the code's hint.
    pub(crate) fn with_hint(mut self, hint: &'static str) -> Self {
        if let Failure::Step(failure) = &mut self {
            failure.hint = Some(hint);
        }
        self
    }

    /// Replaces the message.
    pub(crate) fn with_message(mut self, message: String) -> Self {
        if let Failure::Step(failure) = &mut self {
            failure.message = message;
        }
        self
    }

    /// Appends a reason to the message.
    pub(crate) fn with_reason(mut self, why: &str) -> Self {
        if let Failure::Step(failure) = &mut self {
            failure.message = format!("{}; {why}", failure.message);
        }
        self
    }

    /// Replaces the code `from` by a more specific one that only the action knows.
    pub(crate) fn recode(mut self, from: ErrorCode, to: ErrorCode) -> Self {
        if let Failure::Step(failure) = &mut self
            && failure.code == from
        {
            failure.code = to;
        }
        self
    }

    /// The failure of an observation that the device refused, for example because another program holds what it needs.
    pub(crate) fn not_observed(error: &DriverError) -> Self {
        Failure::new(ErrorCode::ScreenUnavailable, truncated(error)).retryable()
    }

    /// Whether a retry could help.
    pub(crate) fn is_retryable(&self) -> bool {
        matches!(self, Failure::Step(failure) if failure.retryable != Retryable::No)
    }

    /// Whether an idle screen gives the same answer every time.
    pub(crate) fn is_final_when_idle(&self) -> bool {
        matches!(self, Failure::Step(failure) if failure.retryable == Retryable::AfterChange)
    }

    /// Whether the work that the screen shows may bring another answer.
    pub(crate) fn waits_for_work(&self) -> bool {
        matches!(self, Failure::Step(failure) if failure.retryable == Retryable::WhileAtWork)
    }

    /// Whether a settled screen gives the same answer every time.
    pub(crate) fn is_final_when_settled(&self) -> bool {
        matches!(self, Failure::Step(failure) if failure.retryable == Retryable::UntilSettled)
    }

    /// The message of a failed step.
    pub(crate) fn message(&self) -> Option<&str> {
        match self {
            Failure::Step(failure) => Some(&failure.message),
            Failure::End(_) => None,
        }
    }

    /// The error code of a failed step.
    pub(crate) fn code(&self) -> Option<ErrorCode> {
        match self {
            Failure::Step(failure) => Some(failure.code),
            Failure::End(_) => None,
        }
    }
}

impl From<DriverError> for Failure {
    fn from(error: DriverError) -> Self {
        let message = truncated(&error);
        match error {
            DriverError::Deadline => Failure::End(Interruption::Deadline),
            DriverError::Cancelled => Failure::End(Interruption::Cancelled),
            DriverError::NoWindow | DriverError::Incomplete(_) => {
                Failure::new(ErrorCode::ScreenUnavailable, message).retryable()
            }
            DriverError::NotIdle(_) => Failure::new(
                ErrorCode::ScreenUnavailable,
                error.to_string(),
            )
            .with_reason(
                "wait until it is idle, or click at a coordinate, which needs no observation",
            )
            .retryable(),
            DriverError::TooLarge { .. } => Failure::new(ErrorCode::ScreenTooLarge, message),
            // The user may turn on or unlock the screen during the wait.
            DriverError::ScreenOff => Failure::new(ErrorCode::DeviceScreenOff, message).retryable(),
            DriverError::Locked => Failure::new(ErrorCode::DeviceLocked, message).retryable(),
            DriverError::InputDenied(_) => Failure::new(ErrorCode::DeviceInputDenied, message),
            DriverError::Stale => Failure::new(ErrorCode::NodeStale, message).retryable(),
            DriverError::Refused(_) => Failure::new(ErrorCode::GestureFailed, message).retryable(),
            DriverError::Unreachable(_) => {
                Failure::new(ErrorCode::GestureFailed, message).retryable_after_change()
            }
            DriverError::Partial(_) => Failure::new(ErrorCode::GestureFailed, message)
                .with_reason("observe the screen before you repeat it"),
            DriverError::Unwritable(_) => Failure::new(ErrorCode::TextNotEntered, message),
            DriverError::OffScreen(_) => Failure::new(ErrorCode::GestureFailed, message),
            DriverError::NotInstalled(_) | DriverError::NoTab(_) => {
                Failure::new(ErrorCode::AppNotFound, message)
            }
            DriverError::NotLoaded { dispatch, .. } => {
                let failure = Failure::new(ErrorCode::PageNotLoaded, message);
                match dispatch {
                    Dispatch::NotSent => failure.retryable(),
                    Dispatch::Sent | Dispatch::Unknown => failure,
                }
            }
            DriverError::Dialog { buttons, .. } => Failure::new(ErrorCode::DialogOpen, message)
                .with_leading_data("buttons", serde_json::json!(buttons).to_string()),
            DriverError::NotHandled(_) => Failure::new(ErrorCode::UriNotHandled, message),
            DriverError::LaunchFailed(_) => {
                Failure::new(ErrorCode::AppLaunchFailed, message).retryable()
            }
            DriverError::Unsupported(_) => Failure::new(ErrorCode::ActionNotSupportedHere, message),
            DriverError::CssInvalid { .. } => Failure::new(ErrorCode::CssInvalid, message),
            DriverError::Recording(error) => recording(&error, message),
            DriverError::Lost { dispatch, .. } => lost(dispatch, message),
        }
    }
}

/// The failure of a lost device; no later step can run.
fn lost(dispatch: Dispatch, message: String) -> Failure {
    let mut failure =
        Failure::new(ErrorCode::DeviceLost, message).with_data("dispatch", dispatch.as_str());
    if let Failure::Step(step) = &mut failure {
        step.lost = true;
    }
    failure
}

/// The failure of a recording that could not be started or stopped, with its session.
fn recording(error: &RecordingError, message: String) -> Failure {
    let (code, session) = match error {
        RecordingError::AlreadyInProgress(running) => {
            (ErrorCode::RecordingAlreadyInProgress, Some(running))
        }
        RecordingError::OtherSession { running, .. } => {
            (ErrorCode::RecordingStopFailed, Some(running))
        }
        RecordingError::NotInProgress => (ErrorCode::RecordingNotInProgress, None),
        RecordingError::StorageUnavailable(_) => (ErrorCode::RecordingStorageUnavailable, None),
        RecordingError::StartFailed(_) => (ErrorCode::RecordingStartFailed, None),
        RecordingError::StopFailed { recording, .. } => {
            (ErrorCode::RecordingStopFailed, Some(recording))
        }
    };
    let failure = Failure::new(code, message);
    match session {
        Some(session) => failure
            .with_leading_data("sessionId", session.session.as_str())
            .with_leading_data("filePath", session.path.as_str())
            .with_leading_data("eventCount", session.events.to_string()),
        None => failure,
    }
}
