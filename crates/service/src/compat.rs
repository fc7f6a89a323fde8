//! Whether the Operator app on a phone can be spoken to.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::{Cx, DriverError};
use driver_android::{Operator, Presence, SPOKEN, Shell, Version};
use serde::Serialize;

use crate::Service;
use crate::operator_package::OperatorPackage;
use crate::patient::Patient;

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
        let patient = Patient::open(device, &self.options, within).await?;
        Ok(probe(&patient.shell, &patient.cx, &patient.serial, package.name()).await)
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
    let mut answer = Compatibility {
        cli_version: env!("CARGO_PKG_VERSION").to_owned(),
        operator_versions: SPOKEN,
        apk_version: None,
        apk_version_code: None,
        operator_package: package.to_owned(),
        compatible: false,
        error: None,
        remediation: Vec::new(),
    };
    let look = async {
        let operator = Operator::new(shell.clone(), package)?;
        operator.presence(cx).await
    };
    match look.await {
        Ok(Presence::Installed(Some(version))) => {
            answer.apk_version_code = code(shell, cx, package).await;
            judge(&mut answer, serial, &version);
        }
        Ok(Presence::Installed(None)) => {
            let message = format!("{serial} does not say which version {package} is");
            answer.refuse(ErrorCode::ApkVersionUnreadable, message);
        }
        Ok(Presence::Other(sister)) => {
            let message = format!("{serial} has {sister}, not {package}");
            answer.refuse(ErrorCode::OperatorVariantMismatch, message);
            answer.remediation = vec![
                format!("Add --operator-package {sister}"),
                install_command(serial, package),
            ];
        }
        Ok(Presence::Missing) => {
            let message = format!("{serial} has no {package}");
            answer.refuse(ErrorCode::OperatorNotInstalled, message);
            answer.remediation = vec![install_command(serial, package)];
        }
        Err(DriverError::NotInstalled(_)) => {
            let message = format!("{package:?} is no name of a package");
            answer.refuse(ErrorCode::OperatorNotInstalled, message);
        }
        Err(error) => {
            answer.error = Some(crate::patient::failed(
                serial,
                "looking for the Operator app",
                &error,
            ));
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

/// The number of the version. Only for show: a phone that does not say it is none the worse.
async fn code(shell: &Shell, cx: &Cx, package: &str) -> Option<u64> {
    let dump = adb::command(["dumpsys", "package", package]);
    let output = shell.ask(cx, &dump).await.ok()?;
    let text = output.text();
    let mut lines = text.lines().map(str::trim);
    let value = lines.find_map(|line| line.strip_prefix("versionCode="))?;
    let digits = value.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}
