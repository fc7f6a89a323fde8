//! Setting up the Operator app or the runtime app on a phone: install, grant permissions, verify.

use std::path::Path;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::DriverError;
use driver_android::APP_PACKAGE;
use driver_android::manage::{self, GrantOutcome, Grants, InstallOutcome};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::operator_package::OperatorPackage;
use crate::phone::attach;
use crate::phone::operator::compat::{self, Compatibility};
use crate::phone::shell::PhoneShell;
use crate::{Options, Service, devices};

mod runtime_app;

/// The package of an app that is not known yet.
const UNKNOWN: &str = "<unknown>";

/// The result of the installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Installation {
    /// Whether the app is installed.
    pub ok: bool,
    /// The exit status of the package manager, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
    /// Why not, as the phone or this machine reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The result of the verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// Whether the app was found on the phone.
    pub ok: bool,
    /// The app's line in the phone's list of packages.
    pub package_installed: bool,
    /// Why it was not found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The answer of `operator setup`. Steps that were not reached are absent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetupAnswer {
    /// The error code, if a step failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
    /// The error message.
    pub message: String,
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The phone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_id: Option<String>,
    /// The package that was installed.
    pub operator_package: String,
    pub install: Installation,
    /// The grants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
}

/// The answer of `grant-device-permissions`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrantAnswer {
    /// The error code, if a grant failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
    /// The error message.
    pub message: String,
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The phone.
    pub device_id: String,
    /// The package that received the grants.
    pub operator_package: String,
    /// The grants, by name.
    #[serde(flatten)]
    pub grants: Map<String, Value>,
}

impl SetupAnswer {
    fn new(package: &str) -> Self {
        Self {
            code: None,
            message: String::new(),
            hint: None,
            device_id: None,
            operator_package: package.to_owned(),
            install: Installation {
                ok: true,
                exit_code: None,
                error: None,
            },
            permissions: None,
            verification: None,
        }
    }

    /// The answer of a setup that did everything.
    fn verified(mut self, message: String) -> Self {
        self.message = message;
        self.verification = Some(Verification {
            ok: true,
            package_installed: true,
            error: None,
        });
        self
    }

    fn failed(mut self, code: ErrorCode, message: String) -> Self {
        self.code = Some(code);
        self.message = message;
        self.hint = Some(code.hint().to_owned());
        self
    }

    fn not_installed(
        mut self,
        code: ErrorCode,
        error: String,
        exit_code: Option<u8>,
        message: String,
    ) -> Self {
        self.install = Installation {
            ok: false,
            exit_code,
            error: Some(error),
        };
        self.failed(code, message)
    }

    fn not_verified(mut self, why: String) -> Self {
        self.verification = Some(Verification {
            ok: false,
            package_installed: false,
            error: Some(why.clone()),
        });
        self.failed(ErrorCode::OperatorVerifyFailed, why)
    }
}

impl Service {
    /// Checks whether the Operator app on a phone is compatible.
    ///
    /// # Errors
    /// Those of finding the phone; everything else is part of the answer.
    pub async fn compatibility(
        &self,
        device: Option<&str>,
        package: &OperatorPackage,
        within: Duration,
    ) -> Result<Compatibility, ErrorBody> {
        let phone = devices::phone_shell(device, &self.options, within).await?;
        Ok(compat::probe(&phone.shell, &phone.cx, &phone.serial, package.name()).await)
    }

    /// Installs the Operator app or the runtime app from a file of this machine, grants its permissions, and verifies that it
    /// is installed; of the runtime app also that its service answers.
    ///
    /// # Errors
    /// Those of finding the phone, `EXECUTION_CONFLICT_IN_FLIGHT` when it is being driven, and `DEVICE_LOST`,
    /// `DEVICE_SHELL_UNAVAILABLE` with the steps that were done if it is lost meanwhile. A refusal of the phone is part of
    /// the answer.
    pub async fn operator_setup(
        &self,
        device: Option<&str>,
        package: &OperatorPackage,
        apk: &Path,
        within: Duration,
    ) -> Result<SetupAnswer, ErrorBody> {
        let known = if package.is_explicit() {
            package.name()
        } else {
            UNKNOWN
        };
        if let Err(why) = check_file(apk) {
            let message = format!("{}: {why}", apk.display());
            let code = ErrorCode::OperatorApkNotFound;
            return Ok(SetupAnswer::new(known).not_installed(code, why, None, message));
        }
        let phone_shell = devices::phone_shell(device, &self.options, within).await?;
        let _lock = phone_shell
            .lock(&self.options.adb, "operator setup")
            .await?;
        let mut answer = SetupAnswer::new(known);
        answer.device_id = Some(phone_shell.serial.clone());
        let before = candidates(&phone_shell).await?;
        let installed = manage::install(&phone_shell.shell, &phone_shell.cx, apk).await;
        match installed
            .map_err(|error| phone_shell.failed("installing the Operator app", &error))?
        {
            InstallOutcome::Yes => {}
            InstallOutcome::No {
                details: output,
                status,
            } => {
                let serial = &phone_shell.serial;
                let message = format!("{serial} did not install {}: {output}", apk.display());
                let code = ErrorCode::OperatorInstallFailed;
                return Ok(answer.not_installed(code, output, status, message));
            }
        }
        let package = if package.is_explicit() {
            package.name().to_owned()
        } else {
            match which(&before, &candidates(&phone_shell).await?) {
                Ok(package) => package,
                Err(why) => return Ok(answer.not_verified(why)),
            }
        };
        answer.operator_package.clone_from(&package);
        if !is_there(&phone_shell, &package).await? {
            let why = format!(
                "{} does not list {package} after the installation",
                phone_shell.serial
            );
            return Ok(answer.not_verified(why));
        }
        if package == APP_PACKAGE {
            let answer = runtime_app::set_up(&phone_shell, apk, answer).await?;
            attach::forget_app_failures(&self.options.adb, &phone_shell.serial);
            return Ok(answer);
        }
        let grants = granted(&phone_shell, &package).await?;
        answer.permissions = Some(Value::Object(grants_json(&grants)));
        match grants.outcome() {
            GrantOutcome::Not(what) => {
                let message = format!("{package} is installed, but {what} could not be granted");
                return Ok(answer.failed(ErrorCode::OperatorGrantFailed, message));
            }
            GrantOutcome::Already => {
                answer.message =
                    format!("{package} is installed; all permissions were granted before")
            }
            GrantOutcome::Now => {
                answer.message = format!("{package} is installed, and its permissions are granted")
            }
        }
        // Some phones remove an app again right after the installation.
        let is_installed = is_there(&phone_shell, &package).await?;
        if !is_installed {
            let why = format!(
                "{} does not list {package} after the grants",
                phone_shell.serial
            );
            return Ok(answer.not_verified(why));
        }
        let message = std::mem::take(&mut answer.message);
        Ok(answer.verified(message))
    }

    /// Grants the permissions of the Operator app. If no package was named and only the debug build is installed, uses that
    /// one.
    ///
    /// # Errors
    /// As [`Service::operator_setup`], and `OPERATOR_NOT_INSTALLED`.
    pub async fn grant_permissions(
        &self,
        device: Option<&str>,
        package: &OperatorPackage,
        within: Duration,
    ) -> Result<GrantAnswer, ErrorBody> {
        let phone_shell = devices::phone_shell(device, &self.options, within).await?;
        let _lock = phone_shell
            .lock(&self.options.adb, "grant-device-permissions")
            .await?;
        let mut name = package.name().to_owned();
        if !package.is_explicit() {
            let installed_variants = variants(&phone_shell).await?;
            if let [only] = installed_variants.as_slice() {
                name.clone_from(only);
            }
        }
        if !is_there(&phone_shell, &name).await? {
            let message = format!("{} has no {name}", phone_shell.serial);
            return Err(ErrorBody::new(ErrorCode::OperatorNotInstalled, message)
                .with_default_hint()
                .with_detail("deviceId", phone_shell.serial.clone())
                .with_detail("operatorPackage", name));
        }
        let grants = granted(&phone_shell, &name).await?;
        let code = ErrorCode::GrantDevicePermissionsFailed;
        let (code, message) = match grants.outcome() {
            GrantOutcome::Already => (
                None,
                format!("all permissions of {name} were granted before"),
            ),
            GrantOutcome::Now => (None, format!("the permissions of {name} are granted")),
            GrantOutcome::Not(what) => {
                (Some(code), format!("{what} could not be granted to {name}"))
            }
        };
        Ok(GrantAnswer {
            code,
            message,
            hint: code.map(|code| code.hint().to_owned()),
            device_id: phone_shell.serial,
            operator_package: name,
            grants: grants_json(&grants),
        })
    }
}

/// Checks that the file can be sent.
fn check_file(apk: &Path) -> Result<(), String> {
    let file = std::fs::File::open(apk).map_err(|error| error.to_string())?;
    let about = file.metadata().map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is not a file".to_owned());
    }
    if about.len() == 0 {
        return Err("the file is empty".to_owned());
    }
    Ok(())
}

/// The installed apps that a setup can be for.
async fn candidates(phone_shell: &PhoneShell) -> Result<Vec<String>, ErrorBody> {
    installed(phone_shell, |name| is_variant(name) || name == APP_PACKAGE).await
}

/// The installed builds of the Operator app.
async fn variants(phone_shell: &PhoneShell) -> Result<Vec<String>, ErrorBody> {
    installed(phone_shell, is_variant).await
}

fn is_variant(name: &str) -> bool {
    name == OperatorPackage::RELEASE
        || name == driver_android::sibling_package(OperatorPackage::RELEASE)
}

async fn installed(
    phone_shell: &PhoneShell,
    predicate: impl Fn(&str) -> bool,
) -> Result<Vec<String>, ErrorBody> {
    let all = manage::packages(
        &phone_shell.shell,
        &phone_shell.cx,
        manage::PackageFilter::All,
    )
    .await;
    let all = all.map_err(|error| phone_shell.failed("listing its packages", &error))?;
    Ok(all.into_iter().filter(|name| predicate(name)).collect())
}

/// The build that was installed: the only one, or the new one.
fn which(before: &[String], now: &[String]) -> Result<String, String> {
    let fresh: Vec<&String> = now.iter().filter(|name| !before.contains(name)).collect();
    match (now, fresh.as_slice()) {
        ([], _) => Err(
            "the file was installed, but it is not the Operator app: the phone lists neither its release nor its debug build, nor \
             the runtime app"
                .to_owned(),
        ),
        ([only], _) => Ok(only.clone()),
        (_, [fresh]) => Ok((*fresh).clone()),
        _ => Err(format!(
            "the phone has {}; select one with --operator-package",
            now.join(" and ")
        )),
    }
}

async fn is_there(phone_shell: &PhoneShell, package: &str) -> Result<bool, ErrorBody> {
    let installed = manage::is_installed(&phone_shell.shell, &phone_shell.cx, package).await;
    installed.map_err(|error| phone_shell.failed("looking for the Operator app", &error))
}

async fn granted(phone_shell: &PhoneShell, package: &str) -> Result<Grants, ErrorBody> {
    let granted = manage::grant(&phone_shell.shell, &phone_shell.cx, package).await;
    granted.map_err(|error| match error {
        DriverError::NotInstalled(name) => {
            let message = format!("invalid package name {name:?}");
            ErrorBody::new(ErrorCode::OperatorNotInstalled, message).with_default_hint()
        }
        error => phone_shell.failed("granting permissions", &error),
    })
}

/// The grants of an answer.
pub(crate) fn grants_json(grants: &Grants) -> Map<String, Value> {
    let one = |grant: &manage::Grant| {
        let mut shown = Map::new();
        shown.insert("ok".to_owned(), json!(grant.ok));
        let rest = [
            ("alreadyEnabled", grant.already_enabled.map(Value::from)),
            ("skipped", grant.skipped.map(Value::from)),
            ("error", grant.error.clone().map(Value::from)),
        ];
        for (key, value) in rest {
            if let Some(value) = value {
                shown.insert(key.to_owned(), value);
            }
        }
        Value::Object(shown)
    };
    let all = [
        ("accessibility", &grants.accessibility),
        ("notification", &grants.notification),
        ("notificationListener", &grants.notification_listener),
    ];
    all.into_iter()
        .map(|(key, grant)| (key.to_owned(), one(grant)))
        .collect()
}

impl Options {
    /// The package of the Operator app, from a flag or the environment.
    pub fn operator_package(flag: Option<&str>) -> OperatorPackage {
        let variable = std::env::var(OperatorPackage::VARIABLE).ok();
        OperatorPackage::select(flag, variable.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn installed_build_is_identified() {
        let names = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        let (release, debug) = ("com.clawperator.operator", "com.clawperator.operator.dev");
        assert_eq!(which(&[], &names(&[debug])).as_deref(), Ok(debug));
        assert_eq!(
            which(&names(&[release]), &names(&[release, debug])).as_deref(),
            Ok(debug)
        );
        assert_eq!(
            which(&names(&[release]), &names(&[release])).as_deref(),
            Ok(release)
        );
        let both = names(&[release, debug]);
        assert!(
            which(&both, &both)
                .unwrap_err()
                .contains("--operator-package")
        );
        assert!(
            which(&[], &[])
                .unwrap_err()
                .contains("not the Operator app")
        );
    }
}
