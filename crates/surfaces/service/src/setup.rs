//! The Operator app comes to a phone: installed, granted what it needs, and looked for.

use std::path::Path;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::DriverError;
use driver_android::manage::{self, GrantOutcome, Grants, InstallOutcome};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::operator_package::OperatorPackage;
use crate::phone_shell::PhoneShell;
use crate::{Options, Service};

/// The package of an app that is not known yet.
const UNKNOWN: &str = "<unknown>";

/// How a part of the work ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Installation {
    /// Whether the app is installed now.
    pub ok: bool,
    /// The status with which the package manager ended, where it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
    /// Why not, in the words of the phone or of this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Whether the app was found on the phone when all was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// Whether it was.
    pub ok: bool,
    /// The same, as the phone's list of packages says it.
    pub package_installed: bool,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The answer of `operator setup`. The parts of the work that were not reached are absent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetupAnswer {
    /// What went wrong; absent when nothing did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
    /// One sentence for a reader.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The phone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_id: Option<String>,
    /// The package that was installed.
    pub operator_package: String,
    /// The installation.
    pub install: Installation,
    /// What it was granted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Value>,
    /// The last look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
}

/// The answer of `grant-device-permissions`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrantAnswer {
    /// What went wrong; absent when nothing did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
    /// One sentence for a reader.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The phone.
    pub device_id: String,
    /// The package that was granted something.
    pub operator_package: String,
    /// The grants, each by its name.
    #[serde(flatten)]
    pub grants: Map<String, Value>,
}

impl SetupAnswer {
    fn begun(package: &str) -> Self {
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

    fn failed(mut self, code: ErrorCode, message: String) -> Self {
        self.code = Some(code);
        self.message = message;
        self.hint = Some(code.fix().to_owned());
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
    /// Installs the Operator app from a file of this machine, grants it what it needs, and looks whether it is there.
    ///
    /// # Errors
    /// Those of finding the phone, `EXECUTION_CONFLICT_IN_FLIGHT` when it is being driven, and `DEVICE_LOST`,
    /// `DEVICE_SHELL_UNAVAILABLE` with how far it had come when it went away meanwhile. Whatever the phone refused
    /// stands in the answer.
    pub async fn operator_setup(
        &self,
        device: Option<&str>,
        package: &OperatorPackage,
        apk: &Path,
        within: Duration,
    ) -> Result<SetupAnswer, ErrorBody> {
        let known = if package.is_asked_for() {
            package.name()
        } else {
            UNKNOWN
        };
        if let Err(why) = readable(apk) {
            let message = format!("{}: {why}", apk.display());
            let code = ErrorCode::OperatorApkNotFound;
            return Ok(SetupAnswer::begun(known).not_installed(code, why, None, message));
        }
        let phone_shell = PhoneShell::open(device, &self.options, within).await?;
        let _lock = phone_shell.lock(&self.options, "operator setup").await?;
        let mut answer = SetupAnswer::begun(known);
        answer.device_id = Some(phone_shell.serial.clone());
        let before = variants(&phone_shell).await?;
        let installed = manage::install(&phone_shell.shell, &phone_shell.cx, apk).await;
        match installed
            .map_err(|error| phone_shell.failed("installing the Operator app", &error))?
        {
            InstallOutcome::Yes => {}
            InstallOutcome::No {
                details: said,
                status,
            } => {
                let serial = &phone_shell.serial;
                let message = format!("{serial} did not install {}: {said}", apk.display());
                let code = ErrorCode::OperatorInstallFailed;
                return Ok(answer.not_installed(code, said, status, message));
            }
        }
        let package = if package.is_asked_for() {
            package.name().to_owned()
        } else {
            match which(&before, &variants(&phone_shell).await?) {
                Ok(package) => package,
                Err(why) => return Ok(answer.not_verified(why)),
            }
        };
        answer.operator_package.clone_from(&package);
        if !is_there(&phone_shell, &package).await? {
            let why = format!(
                "{} has no {package} after the installation",
                phone_shell.serial
            );
            return Ok(answer.not_verified(why));
        }
        let grants = granted(&phone_shell, &package).await?;
        answer.permissions = Some(Value::Object(shown(&grants)));
        match grants.outcome() {
            GrantOutcome::Not(what) => {
                let message = format!("{package} is installed, but {what} could not be granted");
                return Ok(answer.failed(ErrorCode::OperatorGrantFailed, message));
            }
            GrantOutcome::Already => {
                answer.message = format!("{package} is installed, all it needs was granted before")
            }
            GrantOutcome::Now => {
                answer.message = format!("{package} is installed and granted what it needs")
            }
        }
        // A phone that takes an app away again does so by now.
        let there = is_there(&phone_shell, &package).await?;
        if !there {
            let why = format!("{} has no {package} after the grants", phone_shell.serial);
            return Ok(answer.not_verified(why));
        }
        answer.verification = Some(Verification {
            ok: true,
            package_installed: true,
            error: None,
        });
        Ok(answer)
    }

    /// Grants the Operator app what it needs. Where no package was asked for and only the debug build is there, it is
    /// the one that is meant.
    ///
    /// # Errors
    /// As [`Service::operator_setup`], and `OPERATOR_NOT_INSTALLED`.
    pub async fn grant_permissions(
        &self,
        device: Option<&str>,
        package: &OperatorPackage,
        within: Duration,
    ) -> Result<GrantAnswer, ErrorBody> {
        let phone_shell = PhoneShell::open(device, &self.options, within).await?;
        let _lock = phone_shell
            .lock(&self.options, "grant-device-permissions")
            .await?;
        let mut name = package.name().to_owned();
        if !package.is_asked_for() {
            let there = variants(&phone_shell).await?;
            if let [only] = there.as_slice() {
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
            GrantOutcome::Already => (None, format!("{name} had been granted all it needs")),
            GrantOutcome::Now => (None, format!("{name} has been granted what it needs")),
            GrantOutcome::Not(what) => {
                (Some(code), format!("{what} could not be granted to {name}"))
            }
        };
        Ok(GrantAnswer {
            code,
            message,
            hint: code.map(|code| code.fix().to_owned()),
            device_id: phone_shell.serial,
            operator_package: name,
            grants: shown(&grants),
        })
    }
}

/// Whether the file is one that can be sent.
fn readable(apk: &Path) -> Result<(), String> {
    let file = std::fs::File::open(apk).map_err(|error| error.to_string())?;
    let about = file.metadata().map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is no file".to_owned());
    }
    if about.len() == 0 {
        return Err("the file is empty".to_owned());
    }
    Ok(())
}

/// The builds of the app that are installed.
async fn variants(phone_shell: &PhoneShell) -> Result<Vec<String>, ErrorBody> {
    let all = manage::packages(
        &phone_shell.shell,
        &phone_shell.cx,
        manage::PackageFilter::All,
    )
    .await;
    let all = all.map_err(|error| phone_shell.failed("listing its packages", &error))?;
    let sister = driver_android::sibling_package(OperatorPackage::RELEASE);
    let own = |name: &String| *name == OperatorPackage::RELEASE || *name == sister;
    Ok(all.into_iter().filter(own).collect())
}

/// Which of the builds was installed: the only one, or the one that was not there before.
fn which(before: &[String], now: &[String]) -> Result<String, String> {
    let fresh: Vec<&String> = now.iter().filter(|name| !before.contains(name)).collect();
    match (now, fresh.as_slice()) {
        ([], _) => Err(
            "the file was installed, but it is not the Operator app: the phone has neither its release nor its debug build"
                .to_owned(),
        ),
        ([only], _) => Ok(only.clone()),
        (_, [fresh]) => Ok((*fresh).clone()),
        _ => Err(format!(
            "the phone has {}; name the one that is meant with --operator-package",
            now.join(" and ")
        )),
    }
}

async fn is_there(phone_shell: &PhoneShell, package: &str) -> Result<bool, ErrorBody> {
    let there = manage::is_installed(&phone_shell.shell, &phone_shell.cx, package).await;
    there.map_err(|error| phone_shell.failed("looking for the Operator app", &error))
}

async fn granted(phone_shell: &PhoneShell, package: &str) -> Result<Grants, ErrorBody> {
    let granted = manage::grant(&phone_shell.shell, &phone_shell.cx, package).await;
    granted.map_err(|error| match error {
        DriverError::NotInstalled(name) => {
            let message = format!("{name:?} is no name of a package");
            ErrorBody::new(ErrorCode::OperatorNotInstalled, message).with_default_hint()
        }
        error => phone_shell.failed("granting permissions", &error),
    })
}

/// The grants as answers have them.
pub(crate) fn shown(grants: &Grants) -> Map<String, Value> {
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
    /// The package of the Operator app that is meant, by a flag or by the environment.
    pub fn operator_package(flag: Option<&str>) -> OperatorPackage {
        let variable = std::env::var(OperatorPackage::VARIABLE).ok();
        OperatorPackage::meant(flag, variable.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_that_was_installed() {
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
