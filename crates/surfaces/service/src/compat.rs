//! Whether the Operator app on a phone can be spoken to.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::{Cx, DriverError};
use driver_android::{InstalledOperator, Presence, SPOKEN, Shell, Version};
use serde::Serialize;

use crate::Service;
use crate::operator_package::OperatorPackage;
use crate::phone_shell::PhoneShell;

/// The answer of `version --check-compat`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compatibility {
    /// The version of this program.
    pub cli_version: String,
    /// The versions of the app that it speaks to, such as `0.5.x`.
    pub operator_versions: [&'static str; 2],
    /// The version of the app, where it has one that can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apk_version: Option<String>,
    /// Its number, where the phone says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apk_version_code: Option<u64>,
    /// Its package.
    pub operator_package: String,
    /// Whether it can be spoken to.
    pub compatible: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorBody>,
    /// What to do about it, step by step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remediation: Vec<String>,
}

impl Service {
    /// Asks a phone whether its Operator app can be spoken to.
    ///
    /// # Errors
    /// Those of finding the phone; everything else stands in the answer.
    pub async fn compatibility(
        &self,
        device: Option<&str>,
        package: &OperatorPackage,
        within: Duration,
    ) -> Result<Compatibility, ErrorBody> {
        let phone_shell = PhoneShell::open(device, &self.options, within).await?;
        Ok(probe(
            &phone_shell.shell,
            &phone_shell.cx,
            &phone_shell.serial,
            package.name(),
        )
        .await)
    }
}

/// The versions that are spoken, as people write them.
pub(crate) fn spoken() -> String {
    SPOKEN.join(" or ")
}

/// The command that installs the app on a phone.
pub(crate) fn install_command(serial: &str, package: &str) -> String {
    let mut command = format!("clawperator operator setup --apk <file> --device {serial}");
    if package != OperatorPackage::RELEASE {
        command.push_str(&format!(" --operator-package {package}"));
    }
    command
}

/// Looks at the app of this package.
pub(crate) async fn probe(shell: &Shell, cx: &Cx, serial: &str, package: &str) -> Compatibility {
    match driver_android::operator_state(shell, cx, package).await {
        Ok(state) => judged(serial, package, &state.presence),
        Err(DriverError::NotInstalled(_)) => {
            let mut answer = blank(package);
            let message = format!("{package:?} is no name of a package");
            answer.refuse(ErrorCode::OperatorNotInstalled, message);
            answer
        }
        Err(error) => Compatibility {
            error: Some(crate::phone_shell::failed(
                serial,
                "looking for the Operator app",
                &error,
            )),
            ..blank(package)
        },
    }
}

/// Nothing is known of the app yet.
fn blank(package: &str) -> Compatibility {
    Compatibility {
        cli_version: env!("CARGO_PKG_VERSION").to_owned(),
        operator_versions: SPOKEN,
        apk_version: None,
        apk_version_code: None,
        operator_package: package.to_owned(),
        compatible: false,
        error: None,
        remediation: Vec::new(),
    }
}

/// Whether an app can be spoken to of which it is known whether it is there.
pub(crate) fn judged(serial: &str, package: &str, presence: &Presence) -> Compatibility {
    let mut answer = blank(package);
    match presence {
        Presence::Installed(InstalledOperator {
            version: Some(version),
            version_code,
            ..
        }) => {
            answer.apk_version_code = version_code.as_deref().and_then(|code| code.parse().ok());
            judge(&mut answer, serial, version);
        }
        Presence::Installed(InstalledOperator { version: None, .. }) => {
            let message = format!("{serial} does not say which version {package} is");
            answer.refuse(ErrorCode::ApkVersionUnreadable, message);
        }
        Presence::Other(sister) => {
            let message = format!("{serial} has {sister}, not {package}");
            answer.refuse(ErrorCode::OperatorVariantMismatch, message);
            answer.remediation = vec![
                format!("Add --operator-package {sister}"),
                install_command(serial, package),
            ];
        }
        Presence::Missing => {
            let message = format!("{serial} has no {package}");
            answer.refuse(ErrorCode::OperatorNotInstalled, message);
            answer.remediation = vec![install_command(serial, package)];
        }
        Presence::Unknown { status, message } => {
            let message = format!(
                "{serial}: looking for the Operator app: `pm` ended with {status}: {message}"
            );
            answer.refuse(ErrorCode::DeviceShellUnavailable, message);
        }
    }
    answer
}

/// Says whether a version is spoken.
fn judge(answer: &mut Compatibility, serial: &str, version: &str) {
    answer.apk_version = Some(version.to_owned());
    let package = answer.operator_package.clone();
    match Version::read(version) {
        None => {
            let message =
                format!("{package} is version {version:?}, which is none of the form 1.2.3");
            answer.refuse(ErrorCode::ApkVersionInvalid, message);
            answer.remediation = vec![install_command(serial, &package)];
        }
        Some(read) if read.is_spoken() => answer.compatible = true,
        Some(read) => {
            let spoken = spoken();
            let message = format!("{package} is version {read}; this program speaks to {spoken}");
            answer.refuse(ErrorCode::VersionIncompatible, message);
            answer.remediation = vec![
                format!("Get a release {spoken} of the Operator app and check its sha256 sum"),
                install_command(serial, &package),
            ];
        }
    }
}

impl Compatibility {
    fn refuse(&mut self, code: ErrorCode, message: String) {
        self.error = Some(ErrorBody::new(code, message).with_default_hint());
    }
}
