//! Why a phone cannot be driven through the agent.

use agent_protocol::{APP_PACKAGE, VERSION};
use driver::{Dispatch, DriverError};

/// The first Android that the agent runs on.
pub const OLDEST_AGENT_SDK: u32 = 23;

/// Why a phone cannot be driven through the agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentUnavailable {
    /// Its Android is too old.
    #[error("the agent needs Android 6 (API {OLDEST_AGENT_SDK}); the phone has API {sdk}")]
    TooOld {
        /// The phone's API level.
        sdk: u32,
    },
    /// Another program holds the phone's UiAutomation.
    #[error("another program holds the phone's UI automation{}", holder(.0))]
    SlotTaken(String),
    /// Another clawperator uses the agent.
    #[error("another clawperator uses the agent on the phone")]
    Busy,
    /// The agent is of a later clawperator, or the app of another one.
    #[error(
        "the agent or the runtime app on the phone speaks version {0} of its protocol, this clawperator version {VERSION}"
    )]
    Version(String),
    /// The app is not installed.
    #[error("the runtime app ({APP_PACKAGE}) is not installed on the phone")]
    NotInstalled,
    /// The app's accessibility service does not run; why.
    #[error("the runtime app's accessibility service does not run: {0}")]
    ServiceOff(String),
    /// The program could not be written to the phone.
    #[error("the agent could not be written to the phone: {0}")]
    NotWritten(String),
    /// The program did not reach the phone within the time.
    #[error("the agent, {bytes} bytes, did not reach the phone in time; the connection is slow")]
    TooSlow {
        /// Its size.
        bytes: usize,
    },
    /// The program did not start.
    #[error("the agent did not start: {0}")]
    NotStarted(String),
    /// The agent started and cannot be reached.
    #[error("the agent cannot be reached: {0}")]
    NotReached(String),
    /// The phone was lost, or the time is up.
    #[error(transparent)]
    Phone(#[from] DriverError),
}

fn holder(message: &str) -> String {
    if message.is_empty() {
        return String::new();
    }
    format!(": {message}")
}

impl AgentUnavailable {
    /// A stable word for the reason.
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::TooOld { .. } => "android_too_old",
            Self::SlotTaken(_) => "ui_automation_taken",
            Self::Busy => "agent_busy",
            Self::Version(_) => "agent_version",
            Self::NotInstalled => "app_not_installed",
            Self::ServiceOff(_) => "app_service_off",
            Self::NotWritten(_) => "agent_not_written",
            Self::TooSlow { .. } => "connection_slow",
            Self::NotStarted(_) => "agent_not_started",
            Self::NotReached(_) => "agent_not_reached",
            Self::Phone(_) => "phone_lost",
        }
    }

    /// The error of a driver whose agent is gone.
    pub(super) fn into_driver_error(self) -> DriverError {
        match self {
            Self::Phone(error) => error,
            other => DriverError::Lost {
                message: other.to_string(),
                dispatch: Dispatch::NotSent,
            },
        }
    }
}

pub(super) type AttachResult<T> = std::result::Result<T, AgentUnavailable>;

/// The error of a request that changed nothing.
pub(super) fn lost(error: adb::Error) -> DriverError {
    DriverError::Lost {
        message: error.to_string(),
        dispatch: Dispatch::NotSent,
    }
}
