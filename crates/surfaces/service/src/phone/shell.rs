//! The shell of a phone, for commands about the phone rather than its screen.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::{Cx, Dispatch, DriverError};
use driver_android::Shell;
use tokio_util::sync::CancellationToken;

use crate::device_lock::DeviceLock;
use crate::environment::AdbSetup;
use crate::phone::connection;

/// A phone's shell, with a deadline.
#[derive(Debug)]
pub(crate) struct PhoneShell {
    pub(crate) serial: String,
    pub(crate) shell: Shell,
    pub(crate) cx: Cx,
}

impl PhoneShell {
    /// Opens the shell of a phone.
    pub(crate) async fn open(
        serial: String,
        setup: &AdbSetup,
        within: Duration,
    ) -> Result<Self, ErrorBody> {
        let phone = connection::reach(&serial, setup, connection::RECONNECT_TIMEOUT).await?;
        Ok(Self {
            serial,
            shell: Shell::new(phone),
            cx: Cx::new(within, CancellationToken::new()),
        })
    }

    /// Locks the phone for a maintenance command.
    pub(crate) async fn lock(&self, setup: &AdbSetup, what: &str) -> Result<DeviceLock, ErrorBody> {
        let name = connection::lock_name(setup, &self.serial);
        DeviceLock::take(&setup.locks, &name, &self.serial, what).await
    }

    /// The error of a command that failed; `what` is its purpose.
    pub(crate) fn failed(&self, what: &str, error: &DriverError) -> ErrorBody {
        failed(&self.serial, what, error)
    }
}

/// The error of a command that failed on the phone with this serial.
pub(crate) fn failed(serial: &str, what: &str, error: &DriverError) -> ErrorBody {
    let code = match error {
        DriverError::Lost { .. } => ErrorCode::DeviceLost,
        DriverError::InputDenied(_) => ErrorCode::DeviceInputDenied,
        DriverError::Cancelled => ErrorCode::ExecutionCancelled,
        _ => ErrorCode::DeviceShellUnavailable,
    };
    let why = match error {
        DriverError::Deadline => "no answer in time".to_owned(),
        error => error.to_string(),
    };
    let body = ErrorBody::new(code, format!("{serial}: {what}: {why}"))
        .with_default_hint()
        .with_detail("deviceId", serial);
    match error {
        DriverError::Lost { dispatch, .. } => body.with_detail("dispatch", dispatch.as_str()),
        // It is unknown what was done.
        DriverError::Deadline => body.with_detail("dispatch", Dispatch::Unknown.as_str()),
        _ => body,
    }
}
