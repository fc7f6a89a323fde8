//! Phones over adb by either way: with what every phone has, or by the Operator app, which takes plans as a whole.

mod answer;
mod plan;
mod run;

use std::time::Duration;

use contract::{ErrorBody, ErrorCode, Execution};
use driver::{Cx, DriverError};
use driver_android::{Operator, OperatorState, Presence, Profile, Shell, StockDriver, probe};
use serde_json::{Value, json};

use crate::environment::AdbSetup;
use crate::transport::{TransportChoice, TransportOptions};
use crate::{android, compat};

pub(crate) use run::run;

/// How long a phone is given to say what it is.
pub(crate) const OPEN_WITHIN: Duration = Duration::from_secs(20);

/// A phone that is open.
#[derive(Debug)]
pub(crate) struct AndroidPhone {
    serial: String,
    /// The way with what every phone has.
    pub(crate) stock: StockDriver,
    /// The Operator app; `None` where it was not asked for.
    app: Option<App>,
    /// Whether the app may not be any more what it was when the phone was opened.
    pub(crate) doubtful: bool,
}

/// What a phone has of the Operator app.
#[derive(Debug)]
struct App {
    operator: Operator,
    /// What keeps every plan from it.
    refusal: Option<ErrorBody>,
    /// Whether its service runs, as far as the phone says.
    serves: bool,
}

/// The way that a plan goes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// With what every phone has; why not by the app.
    Stock(String),
    /// By the Operator app.
    Operator,
}

/// How long a phone is waited for that was lost just now: time is left to say what became of one that does not come back.
fn patience(within: Duration) -> Duration {
    android::FOUND_AGAIN.min(within * 2 / 3)
}

impl AndroidPhone {
    /// Finds a phone by its serial, and asks it nothing.
    ///
    /// # Errors
    /// `USAGE` for a way or package that can be none, and those of finding the phone.
    pub(crate) async fn reach(
        serial: &str,
        setup: &AdbSetup,
        transport: &TransportOptions,
        cx: &Cx,
    ) -> Result<adb::Phone, ErrorBody> {
        transport.via()?;
        if let Err(why) = driver_android::check_package(transport.package().name()) {
            let error = ErrorBody::new(ErrorCode::Usage, why.to_string());
            return Err(error.with_hint(
                "Mend --operator-package or CLAWPERATOR_OPERATOR_PACKAGE: com.clawperator.operator is the app's release",
            ));
        }
        let within = OPEN_WITHIN.min(cx.remaining());
        let cx = cx.within(within);
        let reached = cx
            .run(android::reach(serial, setup, patience(within)))
            .await;
        reached.map_err(|error| android::unanswered(serial, &error, within))?
    }

    /// Opens a phone that was reached: one command asks what it is and what it has.
    ///
    /// # Errors
    /// `DEVICE_SHELL_UNAVAILABLE`, and those of finding the phone where it is lost meanwhile.
    pub(crate) async fn open(
        serial: &str,
        phone: adb::Phone,
        setup: &AdbSetup,
        transport: &TransportOptions,
        cx: &Cx,
    ) -> Result<Self, ErrorBody> {
        let (via, package) = (transport.via()?, transport.package().name());
        let within = OPEN_WITHIN.min(cx.remaining());
        let cx = cx.within(within);
        let unanswered = |error: &DriverError| android::unanswered(serial, error, within);
        let shell = Shell::new(phone.clone());
        let (profile, app) = match via {
            TransportChoice::Stock => (Profile::of(&shell, &cx).await, None),
            TransportChoice::Auto | TransportChoice::Operator => {
                match probe(&shell, &cx, package).await {
                    Ok(found) => {
                        let app = App::of(serial, &shell, &found.operator);
                        (Ok(found.profile), app)
                    }
                    // A phone that cannot say what is installed has all the same what every phone has.
                    Err(DriverError::Refused(_)) if via == TransportChoice::Auto => {
                        (Profile::of(&shell, &cx).await, None)
                    }
                    Err(error) => (Err(error), None),
                }
            }
        };
        let profile = match profile {
            Ok(profile) => profile,
            Err(lost @ DriverError::Lost { .. }) => {
                // What the server thinks of it now may be the reason.
                let again = cx
                    .run(android::reach(serial, setup, patience(within)))
                    .await;
                again.map_err(|error| unanswered(&error))??;
                return Err(unanswered(&lost));
            }
            Err(error) => return Err(unanswered(&error)),
        };
        Ok(Self {
            serial: serial.to_owned(),
            stock: StockDriver::with_profile(serial, phone, profile),
            app,
            doubtful: false,
        })
    }

    /// The way that a plan goes.
    ///
    /// # Errors
    /// What keeps a plan from the way that was asked for by name: nothing has been done then.
    pub(crate) fn route(
        &self,
        execution: &Execution,
        transport: &TransportOptions,
    ) -> Result<Route, ErrorBody> {
        let via = transport.via()?;
        let Some(app) = &self.app else {
            return match via {
                TransportChoice::Operator => Err(ErrorBody::new(
                    ErrorCode::DeviceShellUnavailable,
                    format!("{} was not asked for the Operator app", self.serial),
                )),
                TransportChoice::Stock => Ok(Route::Stock("asked for".to_owned())),
                TransportChoice::Auto => Ok(Route::Stock(
                    "the phone does not say which apps it has".to_owned(),
                )),
            };
        };
        match via {
            TransportChoice::Stock => Ok(Route::Stock("asked for".to_owned())),
            TransportChoice::Operator => {
                if let Some(refusal) = &app.refusal {
                    return Err(refusal.clone());
                }
                self.fits(execution, app)?;
                Ok(Route::Operator)
            }
            TransportChoice::Auto => {
                if let Some(refusal) = &app.refusal {
                    return Ok(Route::Stock(refusal.message.clone()));
                }
                if !app.serves {
                    let package = app.operator.package();
                    let why = format!("the accessibility service of {package} does not run");
                    return Ok(Route::Stock(why));
                }
                Ok(match self.fits(execution, app) {
                    Ok(()) => Route::Operator,
                    Err(why) => Route::Stock(why.message),
                })
            }
        }
    }

    /// Whether plans are to go by the app wherever that is possible: `auto`, where the app is installed or was asked for.
    pub(crate) fn should_have_used_app(&self, transport: &TransportOptions) -> bool {
        let refusal = self.app.as_ref().and_then(|app| app.refusal.as_ref());
        let is_missing = refusal.is_some_and(|why| why.code == ErrorCode::OperatorNotInstalled);
        transport
            .via()
            .is_ok_and(|via| via == TransportChoice::Auto)
            && (transport.reports_transport() || !is_missing)
    }

    /// Whether the app does all of a plan as it is asked.
    fn fits(&self, execution: &Execution, app: &App) -> Result<(), ErrorBody> {
        let package = app.operator.package();
        let css = |action: &contract::Action| !action.params().css().is_empty();
        if let Some(index) = execution.actions().iter().position(css) {
            let code = ErrorCode::SelectorNotSupported;
            let message = format!("actions.{index}.params asks for css, which no phone knows");
            return Err(ErrorBody::new(code, message)
                .with_hint(code.fix())
                .with_detail("deviceId", self.serial.as_str())
                .with_detail("operatorPackage", package));
        }
        let unfit = plan::unfit(execution);
        if let Some(first) = unfit.first() {
            let message = format!(
                "{package} cannot do {} as it is asked: {}",
                first.path, first.why
            );
            let problems: Vec<Value> = unfit.iter().map(plan::Unfit::json).collect();
            return Err(ErrorBody::new(ErrorCode::ActionNotSupportedHere, message)
                .with_hint("`--via stock` does it, and `--via auto` chooses by itself")
                .with_detail("deviceId", self.serial.as_str())
                .with_detail("operatorPackage", package)
                .with_detail("problems", problems));
        }
        for part in plan::parts(execution.actions()) {
            let payload = plan::payload(execution, &part, u64::from(u32::MAX));
            let checked = payload.map(|payload| app.operator.check(&payload));
            if let Ok(Err(too_long)) = checked {
                let message = format!("the plan is too long for a broadcast: {too_long}");
                return Err(ErrorBody::new(ErrorCode::PayloadTooLarge, message)
                    .with_hint(
                        "Split the plan into several executions, or run it with `--via stock`",
                    )
                    .with_detail("deviceId", self.serial.as_str())
                    .with_detail("operatorPackage", package)
                    .with_detail("commandBytes", too_long.bytes));
            }
        }
        Ok(())
    }

    /// In one line, the app by which a plan goes.
    pub(crate) fn app_name(&self) -> String {
        let app = self.app.as_ref();
        app.map_or_else(String::new, |app| app.operator.package().to_owned())
    }
}

impl App {
    fn of(serial: &str, shell: &Shell, state: &OperatorState) -> Option<Self> {
        let operator = Operator::new(shell.clone(), &state.package).ok()?;
        let serves = match &state.presence {
            Presence::Installed(installed) => installed.serves(),
            Presence::Other(_) | Presence::Missing | Presence::Unknown { .. } => false,
        };
        Some(Self {
            operator,
            refusal: refusal(serial, state),
            serves,
        })
    }
}

/// What keeps plans from the app on a phone: it is not there, another one is, or its version is not spoken to.
fn refusal(serial: &str, state: &OperatorState) -> Option<ErrorBody> {
    let package = &state.package;
    let judged = compat::judged(serial, package, &state.presence);
    let error = judged.error?;
    let check = match error.code {
        ErrorCode::OperatorNotInstalled
        | ErrorCode::OperatorVariantMismatch
        | ErrorCode::DeviceShellUnavailable => "readiness.apk.presence",
        _ => "readiness.version.compatibility",
    };
    let install = compat::install_command(serial, package);
    let hint = match judged.remediation.first() {
        Some(first) if judged.remediation.len() > 1 => {
            format!("{first}; or `{install}`; `--via stock` needs no app")
        }
        _ => format!("`{install}`; `--via stock` needs no app"),
    };
    let mut error = error
        .with_hint(hint)
        .with_detail("deviceId", serial)
        .with_detail("operatorPackage", package.as_str())
        .with_detail("checkId", check)
        .with_detail("cliVersion", judged.cli_version)
        .with_detail("operatorVersions", json!(judged.operator_versions))
        .with_detail("installCommand", install);
    if let Some(version) = judged.apk_version {
        error = error.with_detail("apkVersion", version);
    }
    if let Presence::Other(sister) = &state.presence {
        error = error.with_detail("installedPackage", sister.as_str());
    }
    Some(error)
}
