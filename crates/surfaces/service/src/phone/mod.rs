//! Phones over adb with four transports: the agent, its app, the Operator app, which runs whole plans, or stock tools.

pub(crate) mod agent_failures;
pub(crate) mod attach;
pub(crate) mod connection;
pub(crate) mod operator;
pub(crate) mod shell;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use contract::{
    Action, Effect, ErrorBody, ErrorCode, Execution, Transport, ViaReason, ViaReasonCode,
};
use driver::{Cx, Driver, DriverError};
use driver_android::{
    AgentDriver, AgentForm, AgentSource, Operator, OperatorState, Presence, Profile, Recorder,
    Shell, StockDriver, operator_state, probe, quit_if_running,
};
use serde_json::{Value, json};

use crate::environment::AdbSetup;
use crate::transport::{TransportChoice, TransportOptions};
use agent_failures::AgentFailure;
use attach::Attempt;
use operator::{compat, plan};

/// How long reading a phone's properties may take.
pub(crate) const OPEN_WITHIN: Duration = Duration::from_secs(20);
/// How long opening a device may take at least, however short the timeout of the plan is.
pub(crate) const SHORTEST_OPENING: Duration = Duration::from_secs(5);

/// The records of the recorders of this computer.
#[derive(Debug)]
pub(crate) struct RecorderRecords {
    pub(crate) folder: PathBuf,
    /// Whether a recorder of the phone with this serial runs, or has an outcome to report.
    pub(crate) is_known: fn(&Path, &str) -> bool,
}

/// An open phone.
#[derive(Debug)]
pub(crate) struct AndroidPhone {
    serial: String,
    shell: Shell,
    pub(crate) stock: StockDriver,
    agent: Agent,
    /// The records of recorders; `None` without recorders.
    records: Option<RecorderRecords>,
    /// The Operator app; `None` if it was not looked for, or the phone does not list its apps.
    app: Option<App>,
    /// Whether the state of the app may have changed since the phone was opened.
    pub(crate) doubtful: bool,
}

/// The agent on a phone, in one of its forms.
#[derive(Debug)]
enum Agent {
    /// It runs. `instead_of` says why not the form that was tried first.
    Attached {
        driver: Box<AgentDriver>,
        instead_of: Option<AgentFailure>,
    },
    /// Why it does not.
    Unavailable(AgentFailure),
    NotRequested,
}

/// The Operator app on a phone.
#[derive(Debug)]
struct App {
    operator: Operator,
    /// Why it cannot run any plan.
    refusal: Option<ErrorBody>,
    /// Whether its accessibility service runs, if the phone reports it.
    serves: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PlanTransport {
    /// The agent or its app, and why.
    Agent(Transport, String),
    /// Stock tools, and why not the app.
    Stock(String),
    /// The Operator app.
    Operator,
}

/// Reads the properties of a phone without the agent and, if the transport may need it, the state of the app.
async fn properties(
    serial: &str,
    shell: &Shell,
    via: TransportChoice,
    package: &str,
    cx: &Cx,
) -> Result<(Profile, Option<App>), DriverError> {
    let wants_app = match via {
        TransportChoice::Stock | TransportChoice::Agent | TransportChoice::App => false,
        TransportChoice::Auto | TransportChoice::Operator => true,
    };
    if wants_app {
        match probe(shell, cx, package).await {
            Ok(found) => {
                let app = App::from_state(serial, shell, &found.operator);
                return Ok((found.profile, app));
            }
            // The stock transport works even if the packages cannot be listed.
            Err(DriverError::Refused(_)) if via == TransportChoice::Auto => {}
            Err(error) => return Err(error),
        }
    }
    Ok((Profile::query(shell, cx).await?, None))
}

/// Asks a phone that is being opened, again if it is lost meanwhile and comes back.
///
/// # Errors
/// `DEVICE_SHELL_UNAVAILABLE`, and those of finding the phone.
async fn ask_again_if_lost<T, F>(
    serial: &str,
    setup: &AdbSetup,
    cx: &Cx,
    query: impl Fn() -> F,
) -> Result<T, ErrorBody>
where
    F: Future<Output = Result<T, DriverError>>,
{
    let within = cx.remaining();
    let unanswered = |error: &DriverError| connection::unanswered(serial, error, within);
    let mut reopenings = connection::REOPENINGS;
    loop {
        let lost = match query().await {
            Ok(found) => return Ok(found),
            Err(lost @ DriverError::Lost { .. }) => lost,
            Err(error) => return Err(unanswered(&error)),
        };
        let timeout = reconnect_timeout(within);
        if reopenings == 0 || !connection::is_back(serial, setup, timeout, cx).await {
            // The state in the server may be the reason.
            let again = cx.run(connection::reach(serial, setup, timeout)).await;
            again.map_err(|error| unanswered(&error))??;
            return Err(unanswered(&lost));
        }
        reopenings -= 1;
    }
}

/// How long to wait for a phone that was just lost; shorter than the time limit for opening, so that the error still arrives.
pub(super) fn reconnect_timeout(within: Duration) -> Duration {
    connection::RECONNECT_TIMEOUT.min(within * 2 / 3)
}

impl AndroidPhone {
    /// Connects to a phone by its serial, without a request.
    ///
    /// # Errors
    /// `USAGE` for an invalid transport or package, and those of finding the phone.
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
                "Correct --operator-package or CLAWPERATOR_OPERATOR_PACKAGE: com.clawperator.operator is the app's release",
            ));
        }
        let within = OPEN_WITHIN.min(cx.remaining());
        let cx = cx.within(within);
        let reached = cx
            .run(connection::reach(serial, setup, reconnect_timeout(within)))
            .await;
        reached.map_err(|error| connection::unanswered(serial, &error, within))?
    }

    /// Opens a phone that was reached. With the agent, one command reads what it is and which agent runs; only without the
    /// agent another one starts the tools that tell its screen and the state of the Operator app.
    ///
    /// # Errors
    /// `DEVICE_SHELL_UNAVAILABLE`, and those of finding the phone if it was lost meanwhile.
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
        let shell = Shell::new(phone.clone());
        let attempt = Attempt::new(serial, &shell, setup, &cx);
        let agent = match via {
            TransportChoice::Stock | TransportChoice::Operator => Agent::NotRequested,
            TransportChoice::Agent => attempt.require(attach::agent()).await?,
            TransportChoice::App => attempt.require(AgentSource::App).await?,
            TransportChoice::Auto => attempt.any().await?,
        };
        let (profile, app) = match &agent {
            Agent::Attached { driver, .. } => (driver.profile().clone(), None),
            Agent::Unavailable(_) | Agent::NotRequested => {
                let query = || properties(serial, &shell, via, package, &cx);
                ask_again_if_lost(serial, setup, &cx, query).await?
            }
        };
        Ok(Self {
            serial: serial.to_owned(),
            shell,
            stock: StockDriver::with_profile(serial, phone, profile),
            agent,
            records: None,
            app,
            doubtful: false,
        })
    }

    /// Adds recorders: `make` makes that of the agent, if it is attached, and one of the stock driver, which only stops recordings.
    #[must_use]
    pub(crate) fn with_recorders(
        mut self,
        records: RecorderRecords,
        make: impl Fn(Option<AgentForm>) -> Arc<dyn Recorder>,
    ) -> Self {
        self.records = Some(records);
        self.stock = self.stock.with_recorder(make(None));
        if let Agent::Attached { driver, instead_of } = self.agent {
            let recorder = make(Some(driver.form()));
            self.agent = Agent::Attached {
                driver: Box::new(driver.with_recorder(recorder)),
                instead_of,
            };
        }
        self
    }

    /// The best driver that is open.
    pub(crate) fn driver(&mut self) -> &mut dyn Driver {
        match &mut self.agent {
            Agent::Attached { driver, .. } => &mut **driver,
            Agent::Unavailable(_) | Agent::NotRequested => &mut self.stock,
        }
    }

    /// Leaves the agent to other processes until the next run.
    pub(crate) fn disconnect_agent(&mut self) {
        if let Agent::Attached { driver, .. } = &mut self.agent {
            driver.disconnect();
        }
    }

    /// Ends the agent, so that another program can have the phone's UI automation.
    ///
    /// # Errors
    /// Those of [`quit_if_running`], as errors of the phone.
    pub(crate) async fn quit_agent(&mut self, cx: &Cx) -> Result<(), ErrorBody> {
        self.agent = Agent::NotRequested;
        match quit_if_running(&self.shell, cx).await {
            Ok(_) => Ok(()),
            Err(error) => Err(connection::unanswered(&self.serial, &error, cx.remaining())),
        }
    }

    /// Why the agent is not used, if it was requested.
    fn without_agent(&self, why: String) -> PlanTransport {
        PlanTransport::Stock(match &self.agent {
            Agent::Unavailable(failure) => format!("{}; {why}", failure.message),
            Agent::Attached { .. } | Agent::NotRequested => why,
        })
    }

    /// Why a run that used this transport, for the given reason, did not use the agent; `None` if it did, or none was requested.
    pub(crate) fn fallback(&self, used: Transport, why_used: &str) -> Option<ViaReason> {
        let failure = match (&self.agent, used) {
            (Agent::NotRequested, _) | (_, Transport::Agent) => return None,
            (Agent::Attached { .. }, Transport::Operator) => {
                let why = "the plan stops a recording that only the Operator app can have started";
                return Some(ViaReason {
                    code: ViaReasonCode::OperatorRecording,
                    reason: None,
                    message: why.to_owned(),
                });
            }
            (Agent::Attached { instead_of, .. }, _) => instead_of.as_ref()?,
            (Agent::Unavailable(failure), _) => failure,
        };
        let message = match used {
            Transport::Operator => failure.message.as_str(),
            Transport::Agent | Transport::App | Transport::Stock => why_used,
        };
        Some(ViaReason {
            code: ViaReasonCode::AgentUnavailable,
            reason: Some(failure.reason.clone()),
            message: message.to_owned(),
        })
    }

    /// The transport of a plan.
    ///
    /// # Errors
    /// The requested transport cannot run the plan; nothing was done.
    pub(crate) fn plan_transport(
        &self,
        execution: &Execution,
        transport: &TransportOptions,
    ) -> Result<PlanTransport, ErrorBody> {
        let via = transport.via()?;
        if via == TransportChoice::Auto && self.may_be_recorded_by_app(execution) {
            return Ok(PlanTransport::Operator);
        }
        if let Agent::Attached { driver, instead_of } = &self.agent {
            let (used, reason) = match driver.form() {
                AgentForm::Agent => (Transport::Agent, "the agent runs on the phone"),
                AgentForm::App => (
                    Transport::App,
                    "the runtime app's service runs on the phone",
                ),
            };
            return Ok(PlanTransport::Agent(
                used,
                match instead_of {
                    Some(failure) => format!("{}; {reason}", failure.message),
                    None => reason.to_owned(),
                },
            ));
        }
        let Some(app) = &self.app else {
            return match via {
                TransportChoice::Agent | TransportChoice::App => Err(ErrorBody::new(
                    ErrorCode::AgentUnavailable,
                    format!("the agent on {} was not started", self.serial),
                )),
                TransportChoice::Operator => Err(ErrorBody::new(
                    ErrorCode::DeviceShellUnavailable,
                    format!("the Operator app on {} was not checked", self.serial),
                )),
                TransportChoice::Stock => Ok(PlanTransport::Stock("requested".to_owned())),
                TransportChoice::Auto => {
                    Ok(self.without_agent("the phone does not list its apps".to_owned()))
                }
            };
        };
        match via {
            TransportChoice::Stock | TransportChoice::Agent | TransportChoice::App => {
                Ok(PlanTransport::Stock("requested".to_owned()))
            }
            TransportChoice::Operator => {
                if let Some(refusal) = &app.refusal {
                    return Err(refusal.clone());
                }
                self.fits(execution, app)?;
                Ok(PlanTransport::Operator)
            }
            TransportChoice::Auto => {
                if let Some(refusal) = &app.refusal {
                    return Ok(self.without_agent(refusal.message.clone()));
                }
                if !app.serves {
                    let package = app.operator.package();
                    let why = format!("the accessibility service of {package} is not running");
                    return Ok(self.without_agent(why));
                }
                Ok(match self.fits(execution, app) {
                    Ok(()) => PlanTransport::Operator,
                    Err(why) => self.without_agent(why.message),
                })
            }
        }
    }

    /// Refuses a plan for stock tools that starts a recording; nothing was done. `reason` says why no recorder can be used.
    pub(crate) fn refuse_recording(
        &self,
        execution: &Execution,
        reason: &str,
    ) -> Result<(), ErrorBody> {
        let starts = |action: &Action| {
            let mut effects = action.params().facts().effects.into_iter();
            effects.any(|effect| matches!(effect, Effect::BeginRecording(_)))
        };
        let Some(index) = execution.actions().iter().position(starts) else {
            return Ok(());
        };
        let message = format!(
            "actions.{index}: {} can be recorded only with the agent, the runtime app or the Operator app, and none of them is \
             used: {reason}",
            self.serial
        );
        let hint = format!(
            "Record with `--via auto` or `--via agent`; `clawperator doctor --device {}` says what prevents it",
            self.serial
        );
        let error = ErrorBody::new(ErrorCode::ActionNotSupportedHere, message);
        Err(error
            .with_hint(hint)
            .with_detail("deviceId", self.serial.as_str())
            .with_detail("reason", reason))
    }

    /// Looks for the Operator app if a plan for `auto` stops a recording that the app may have started.
    ///
    /// # Errors
    /// Those of a phone that does not answer; nothing was done.
    pub(crate) async fn find_app_that_records(
        &mut self,
        execution: &Execution,
        transport: &TransportOptions,
        cx: &Cx,
    ) -> Result<(), ErrorBody> {
        let is_needed = self.app.is_none()
            && transport.via()? == TransportChoice::Auto
            && self.stops_unknown_recording(execution);
        if !is_needed {
            return Ok(());
        }
        let cx = cx.within(OPEN_WITHIN.min(cx.remaining()));
        let within = cx.remaining();
        match operator_state(&self.shell, &cx, transport.package().name()).await {
            Ok(state) => self.app = App::from_state(&self.serial, &self.shell, &state),
            // The phone does not list its apps.
            Err(DriverError::Refused(_)) => {}
            Err(error) => return Err(connection::unanswered(&self.serial, &error, within)),
        }
        Ok(())
    }

    /// Whether a plan stops a recording that no recorder of this computer started.
    fn stops_unknown_recording(&self, execution: &Execution) -> bool {
        let actions = execution.actions().iter();
        let mut effects = actions.flat_map(|action| action.params().facts().effects);
        let first = effects
            .find(|effect| matches!(effect, Effect::BeginRecording(_) | Effect::EndRecording(_)));
        let stops = matches!(first, Some(Effect::EndRecording(_)));
        let is_known =
            |records: &RecorderRecords| (records.is_known)(&records.folder, &self.serial);
        stops && !self.records.as_ref().is_some_and(is_known)
    }

    /// Whether a plan stops a recording that only the Operator app can have started.
    fn may_be_recorded_by_app(&self, execution: &Execution) -> bool {
        self.stops_unknown_recording(execution)
            && self.app.as_ref().is_some_and(|app| {
                app.refusal.is_none() && app.serves && self.fits(execution, app).is_ok()
            })
    }

    /// Whether plans prefer the app: `auto`, if the app is installed or was named.
    pub(crate) fn should_have_used_app(&self, transport: &TransportOptions) -> bool {
        let refusal = self.app.as_ref().and_then(|app| app.refusal.as_ref());
        let is_missing = refusal.is_some_and(|why| why.code == ErrorCode::OperatorNotInstalled);
        transport
            .via()
            .is_ok_and(|via| via == TransportChoice::Auto)
            && (transport.reports_transport() || !is_missing)
    }

    /// Whether the app supports everything in a plan.
    fn fits(&self, execution: &Execution, app: &App) -> Result<(), ErrorBody> {
        engine::refuse_unsupported(execution, self.stock.info())?;
        let package = app.operator.package();
        let css = |action: &Action| !action.params().css().is_empty();
        if let Some(index) = execution.actions().iter().position(css) {
            let code = ErrorCode::SelectorNotSupported;
            let message = format!("actions.{index}.params has css, which phones do not support");
            return Err(ErrorBody::new(code, message)
                .with_hint(code.hint())
                .with_detail("deviceId", self.serial.as_str())
                .with_detail("operatorPackage", package));
        }
        let with_ref = |action: &Action| action.params().references().next().is_some();
        if let Some(index) = execution.actions().iter().position(with_ref) {
            let message =
                format!("actions.{index}.params has ref, which {package} does not support");
            return Err(ErrorBody::new(ErrorCode::ActionNotSupportedHere, message)
                .with_hint("`--via stock` supports it, and `--via auto` selects a transport")
                .with_detail("deviceId", self.serial.as_str())
                .with_detail("operatorPackage", package));
        }
        let unsupported = plan::unsupported(execution);
        if let Some(first) = unsupported.first() {
            let message = format!("{package} does not support {}: {}", first.path, first.why);
            let problems: Vec<Value> = unsupported.iter().map(plan::Unsupported::json).collect();
            return Err(ErrorBody::new(ErrorCode::ActionNotSupportedHere, message)
                .with_hint("`--via stock` supports it, and `--via auto` selects a transport")
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

    /// The app as one line.
    pub(crate) fn app_name(&self) -> String {
        let app = self.app.as_ref();
        app.map_or_else(String::new, |app| app.operator.package().to_owned())
    }
}

impl App {
    fn from_state(serial: &str, shell: &Shell, state: &OperatorState) -> Option<Self> {
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

/// Why the app on a phone cannot be used: not installed, another build, or incompatible.
fn refusal(serial: &str, state: &OperatorState) -> Option<ErrorBody> {
    let package = &state.package;
    let compatibility = compat::from_presence(serial, package, &state.presence);
    let error = compatibility.error?;
    let check = match error.code {
        ErrorCode::OperatorNotInstalled
        | ErrorCode::OperatorVariantMismatch
        | ErrorCode::DeviceShellUnavailable => "readiness.apk.presence",
        _ => "readiness.version.compatibility",
    };
    let install = compat::install_command(serial, package);
    let hint = match compatibility.remediation.first() {
        Some(first) if compatibility.remediation.len() > 1 => {
            format!("{first}; or `{install}`; `--via stock` does not need the Operator app")
        }
        _ => format!("`{install}`; `--via stock` does not need the Operator app"),
    };
    let mut error = error
        .with_hint(hint)
        .with_detail("deviceId", serial)
        .with_detail("operatorPackage", package.as_str())
        .with_detail("checkId", check)
        .with_detail("cliVersion", compatibility.cli_version)
        .with_detail("operatorVersions", json!(compatibility.operator_versions))
        .with_detail("installCommand", install);
    if let Some(version) = compatibility.apk_version {
        error = error.with_detail("apkVersion", version);
    }
    if let Presence::Other(sister) = &state.presence {
        error = error.with_detail("installedPackage", sister.as_str());
    }
    Some(error)
}
