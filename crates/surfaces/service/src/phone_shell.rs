//! A phone that is looked after: its shell, for commands about the phone itself rather than about its screen.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::{Cx, Dispatch, DriverError};
use driver_android::Shell;
use tokio_util::sync::CancellationToken;

use crate::lock::DeviceLock;
use crate::{Options, android, devices};

/// A phone, and until when it is looked after.
#[derive(Debug)]
pub(crate) struct PhoneShell {
    pub(crate) serial: String,
    pub(crate) shell: Shell,
    pub(crate) cx: Cx,
}

impl PhoneShell {
    /// The phone that is meant.
    ///
    /// # Errors
    /// `ACTION_NOT_SUPPORTED_HERE` for the embedded phone, and those of finding a phone.
    pub(crate) async fn open(
        device: Option<&str>,
        options: &Options,
        within: Duration,
    ) -> Result<Self, ErrorBody> {
        // What is no phone is not looked for first: that could start a browser.
        if !devices::kind_for(device, options).has_adb_shell() {
            let serial = device.unwrap_or("the device");
            let message = format!("{serial} has no Operator app and needs none");
            return Err(
                ErrorBody::new(ErrorCode::ActionNotSupportedHere, message).with_hint(
                    "Name a phone with --device; `clawperator sim start` starts a simulated one on which it can be tried",
                ),
            );
        }
        let serial = devices::resolve_name(device, options).await?;
        let phone = android::reach(&serial, &options.adb, android::FOUND_AGAIN).await?;
        Ok(Self {
            serial,
            shell: Shell::new(phone),
            cx: Cx::new(within, CancellationToken::new()),
        })
    }

    /// Keeps everybody else from the phone while `what` is done to it.
    ///
    /// # Errors
    /// `EXECUTION_CONFLICT_IN_FLIGHT`.
    pub(crate) async fn lock(
        &self,
        options: &Options,
        what: &str,
    ) -> Result<DeviceLock, ErrorBody> {
        DeviceLock::take(&options.adb, &self.serial, what).await
    }

    /// The phone did not do what it was asked; `what` says what that was.
    pub(crate) fn failed(&self, what: &str, error: &DriverError) -> ErrorBody {
        failed(&self.serial, what, error)
    }
}

/// The phone of this serial did not do what it was asked.
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
        // Nobody knows how far it had come.
        DriverError::Deadline => body.with_detail("dispatch", Dispatch::Unknown.as_str()),
        _ => body,
    }
}
