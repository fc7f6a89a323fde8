//! Why a step failed, before it is written down.

use contract::{ErrorCode, StepData};
use driver::{Dispatch, DriverError, RecordingError};

use crate::words::shortened;

/// Adds every pair of `more` to `data`.
pub(crate) fn append(data: &mut StepData, more: &StepData) {
    for (key, value) in more.iter() {
        data.push(key, value);
    }
}

/// What ends a whole run and not only a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The execution's time is over.
    Deadline,
    /// The caller cancelled it.
    Cancelled,
}

/// Whether trying again could help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// It could not, or something was done that must not be done twice.
    No,
    /// Only on another screen: the one that was seen gives the same answer for as long as it rests.
    OnAnotherScreen,
    /// It could: nothing was done, or what was asked for may still come.
    Yes,
}

/// Why an action did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The step failed; the plan decides what happens next.
    Step(StepFailure),
    /// The run is over.
    End(End),
}

/// A failed step.
#[derive(Debug)]
pub(crate) struct StepFailure {
    /// The stable code, `data.error`.
    pub(crate) code: ErrorCode,
    /// What went wrong, for a reader.
    pub(crate) message: String,
    /// What the step reports besides: keys that stand before `error`.
    pub(crate) before: StepData,
    /// Keys that stand behind `message`.
    pub(crate) after: StepData,
    /// Whether trying again could help.
    pub(crate) again: Again,
    /// Whether the device is gone, so that no later step can run.
    pub(crate) lost: bool,
}

impl Failure {
    /// A failure that trying again does not change.
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Failure::Step(StepFailure {
            code,
            message: message.into(),
            before: StepData::default(),
            after: StepData::default(),
            again: Again::No,
            lost: false,
        })
    }

    /// The same failure, worth another try.
    pub(crate) fn again(self) -> Self {
        self.trying(Again::Yes)
    }

    /// The same failure, worth another try when the screen has changed.
    pub(crate) fn on_another_screen(self) -> Self {
        self.trying(Again::OnAnotherScreen)
    }

    fn trying(mut self, again: Again) -> Self {
        if let Failure::Step(failure) = &mut self {
            failure.again = again;
        }
        self
    }

    /// The same failure, final: something was done that must not be done twice.
    pub(crate) fn once(self) -> Self {
        self.trying(Again::No)
    }

    /// The same failure with a key in front of `error`.
    pub(crate) fn before(mut self, key: &'static str, value: impl Into<String>) -> Self {
        if let Failure::Step(failure) = &mut self {
            failure.before.push(key, value);
        }
        self
    }

    /// The same failure with every pair of `data` in front of `error`.
    pub(crate) fn with(mut self, data: StepData) -> Self {
        if let Failure::Step(failure) = &mut self {
            append(&mut failure.before, &data);
        }
        self
    }

    /// The same failure with a key behind `message`.
    pub(crate) fn after(mut self, key: &'static str, value: impl Into<String>) -> Self {
        if let Failure::Step(failure) = &mut self {
            failure.after.push(key, value);
        }
        self
    }

    /// The same failure with a reason behind its message.
    pub(crate) fn because(mut self, why: &str) -> Self {
        if let Failure::Step(failure) = &mut self {
            failure.message = format!("{}; {why}", failure.message);
        }
        self
    }

    /// The same failure under another code, where the action knows better what a device's answer means.
    pub(crate) fn recode(mut self, from: ErrorCode, to: ErrorCode) -> Self {
        if let Failure::Step(failure) = &mut self
            && failure.code == from
        {
            failure.code = to;
        }
        self
    }

    /// Whether trying again could help.
    pub(crate) fn is_worth_another_try(&self) -> bool {
        matches!(self, Failure::Step(failure) if failure.again != Again::No)
    }

    /// Whether the screen that was seen gives the same answer for as long as it rests.
    pub(crate) fn is_sure_at_rest(&self) -> bool {
        matches!(self, Failure::Step(failure) if failure.again == Again::OnAnotherScreen)
    }

    /// The code, where the failure has one.
    pub(crate) fn code(&self) -> Option<ErrorCode> {
        match self {
            Failure::Step(failure) => Some(failure.code),
            Failure::End(_) => None,
        }
    }
}

impl From<DriverError> for Failure {
    fn from(error: DriverError) -> Self {
        let message = shortened(&error);
        match error {
            DriverError::Deadline => Failure::End(End::Deadline),
            DriverError::Cancelled => Failure::End(End::Cancelled),
            DriverError::NoWindow | DriverError::Incomplete(_) => {
                Failure::new(ErrorCode::ScreenUnavailable, message).again()
            }
            DriverError::NotIdle(_) => Failure::new(
                ErrorCode::ScreenUnavailable,
                error.to_string(),
            )
            .because(
                "wait until it rests, or click at a coordinate, which needs no look at the screen",
            )
            .again(),
            DriverError::TooLarge { .. } => Failure::new(ErrorCode::ScreenTooLarge, message),
            // Somebody may wake or unlock it while it is waited for.
            DriverError::ScreenOff => Failure::new(ErrorCode::DeviceScreenOff, message).again(),
            DriverError::Locked => Failure::new(ErrorCode::DeviceLocked, message).again(),
            DriverError::InputDenied(_) => Failure::new(ErrorCode::DeviceInputDenied, message),
            DriverError::Stale => Failure::new(ErrorCode::NodeStale, message).again(),
            DriverError::Refused(_) => Failure::new(ErrorCode::GestureFailed, message).again(),
            DriverError::Partial(_) => Failure::new(ErrorCode::GestureFailed, message),
            DriverError::Unwritable(_) => Failure::new(ErrorCode::TextNotEntered, message),
            DriverError::OffScreen(_) => Failure::new(ErrorCode::GestureFailed, message),
            DriverError::NotInstalled(_) | DriverError::NoTab(_) => {
                Failure::new(ErrorCode::AppNotFound, message)
            }
            DriverError::NotLoaded { dispatch, .. } => {
                let failure = Failure::new(ErrorCode::PageNotLoaded, message);
                match dispatch {
                    Dispatch::NotSent => failure.again(),
                    Dispatch::Sent | Dispatch::Unknown => failure,
                }
            }
            DriverError::Dialog { buttons, .. } => Failure::new(ErrorCode::DialogOpen, message)
                .before("buttons", serde_json::json!(buttons).to_string()),
            DriverError::NotHandled(_) => Failure::new(ErrorCode::UriNotHandled, message),
            DriverError::LaunchFailed(_) => {
                Failure::new(ErrorCode::AppLaunchFailed, message).again()
            }
            DriverError::Unsupported(_) => Failure::new(ErrorCode::ActionNotSupportedHere, message),
            DriverError::CssInvalid { .. } => Failure::new(ErrorCode::CssInvalid, message),
            DriverError::Recording(error) => recording(&error, message),
            DriverError::Lost { dispatch, .. } => lost(dispatch, message),
        }
    }
}

/// A device that is gone; nothing that comes after can run.
fn lost(dispatch: Dispatch, message: String) -> Failure {
    let mut failure =
        Failure::new(ErrorCode::DeviceLost, message).after("dispatch", dispatch.as_str());
    if let Failure::Step(step) = &mut failure {
        step.lost = true;
    }
    failure
}

/// A recording that could not be started or ended, with what is known of the session.
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
            .before("sessionId", session.session.as_str())
            .before("filePath", session.path.as_str())
            .before("eventCount", session.events.to_string()),
        None => failure,
    }
}
