//! Whether the Operator app on a phone is compatible with this program.

use contract::{ErrorBody, ErrorCode};
use driver::{Cx, DriverError};
use driver_android::{InstalledOperator, Presence, SUPPORTED, Shell, Version};
use serde::Serialize;

use crate::operator_package::OperatorPackage;

/// The answer of `version --check-compat`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compatibility {
    /// The version of this program.
    pub cli_version: String,
    /// The versions of the app that it supports, such as `0.5.x`.
    pub operator_versions: [&'static str; 2],
    /// The version name of the app, if it can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apk_version: Option<String>,
    /// The version code of the app, if the phone reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apk_version_code: Option<u64>,
    pub operator_package: String,
    pub compatible: bool,
    /// Why it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorBody>,
    /// What to do about it, step by step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remediation: Vec<String>,
}

/// The supported versions, for display.
pub(crate) fn supported_versions() -> String {
    SUPPORTED.join(" or ")
}

/// The command that installs the app on a phone.
pub(crate) fn install_command(serial: &str, package: &str) -> String {
    let mut command = format!("clawperator operator setup --apk <file> --device {serial}");
    if package != OperatorPackage::RELEASE {
        command.push_str(&format!(" --operator-package {package}"));
    }
    command
}

/// Checks the app of this package.
pub(crate) async fn probe(shell: &Shell, cx: &Cx, serial: &str, package: &str) -> Compatibility {
    match driver_android::operator_state(shell, cx, package).await {
        Ok(state) => from_presence(serial, package, &state.presence),
        Err(DriverError::NotInstalled(_)) => {
            let mut answer = blank(package);
            let message = format!("invalid package name {package:?}");
            answer.fail(ErrorCode::OperatorNotInstalled, message);
            answer
        }
        Err(error) => Compatibility {
            error: Some(crate::phone::shell::failed(
                serial,
                "looking for the Operator app",
                &error,
            )),
            ..blank(package)
        },
    }
}

/// An answer for an app that was not checked yet.
fn blank(package: &str) -> Compatibility {
    Compatibility {
        cli_version: env!("CARGO_PKG_VERSION").to_owned(),
        operator_versions: SUPPORTED,
        apk_version: None,
        apk_version_code: None,
        operator_package: package.to_owned(),
        compatible: false,
        error: None,
        remediation: Vec::new(),
    }
}

/// Checks the app from its installation state.
pub(crate) fn from_presence(serial: &str, package: &str, presence: &Presence) -> Compatibility {
    let mut answer = blank(package);
    match presence {
        Presence::Installed(InstalledOperator {
            version: Some(version),
            version_code,
            ..
        }) => {
            answer.apk_version_code = version_code.as_deref().and_then(|code| code.parse().ok());
            check_version(&mut answer, serial, version);
        }
        Presence::Installed(InstalledOperator { version: None, .. }) => {
            let message = format!("{serial} does not report the version of {package}");
            answer.fail(ErrorCode::ApkVersionUnreadable, message);
        }
        Presence::Other(sister) => {
            let message = format!("{serial} has {sister}, not {package}");
            answer.fail(ErrorCode::OperatorVariantMismatch, message);
            answer.remediation = vec![
                format!("Add --operator-package {sister}"),
                install_command(serial, package),
            ];
        }
        Presence::Missing => {
            let message = format!("{serial} has no {package}");
            answer.fail(ErrorCode::OperatorNotInstalled, message);
            answer.remediation = vec![install_command(serial, package)];
        }
        Presence::Unknown { status, message } => {
            let message = format!(
                "{serial}: looking for the Operator app: `pm` ended with {status}: {message}"
            );
            answer.fail(ErrorCode::DeviceShellUnavailable, message);
        }
    }
    answer
}

fn check_version(answer: &mut Compatibility, serial: &str, version: &str) {
    answer.apk_version = Some(version.to_owned());
    let package = answer.operator_package.clone();
    match Version::read(version) {
        None => {
            let message =
                format!("{package} has the version {version:?} (expected the form 1.2.3)");
            answer.fail(ErrorCode::ApkVersionInvalid, message);
            answer.remediation = vec![install_command(serial, &package)];
        }
        Some(read) if read.is_supported() => answer.compatible = true,
        Some(read) => {
            let supported = supported_versions();
            let message = format!("{package} is version {read}; this program supports {supported}");
            answer.fail(ErrorCode::VersionIncompatible, message);
            answer.remediation = vec![
                format!("Get a release {supported} of the Operator app and check its sha256 sum"),
                install_command(serial, &package),
            ];
        }
    }
}

impl Compatibility {
    fn fail(&mut self, code: ErrorCode, message: String) {
        self.error = Some(ErrorBody::new(code, message).with_default_hint());
    }
}
