//! `doctor`: checks whether a phone can be driven, through which transport, and why not; `--fix` repairs what it can and
//! checks again.

mod agent;
mod discovery;
mod front_app;
mod host;
mod operator;
mod phone;
mod repair;
mod report;
mod screen_checks;
mod smoke;
mod table;
mod trial;

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::{Cx, Driver};
use driver_android::{AgentForm, StockDriver};
use serde_json::json;
use tokio_util::sync::CancellationToken;

pub use table::{CHECKS, CheckRow};

pub use report::{
    AppliedFix, Check, Fix, Guidance, Outcome, Report, Step, StepKind, TransportReport,
};
pub use trial::{TRIALS, TrialDevice, TrialReport, TrialRow, TrialStatus, TrialTableRow};

use crate::Service;
use crate::devices::{self, DeviceKind, Purpose};
use crate::operator_package::OperatorPackage;
use crate::phone::shell::PhoneShell;
use crate::transport::TransportChoice;
use agent::{AgentCheck, AgentNeed};
use host::{AdbNeed, ServerState};
use report::Findings;
use trial::TrialPhone;

/// The time limit for one snapshot or screenshot; `uiautomator` itself gives up after ten seconds.
const SCREEN_TIMEOUT: Duration = Duration::from_secs(20);

/// Which checks to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// Checks that do not change what the phone shows.
    #[default]
    Usual,
    /// Also trials, which open the phone's settings, and end with the app in front that was there before.
    Full,
}

/// Whether to repair what the checks find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FixMode {
    #[default]
    ReportOnly,
    /// Apply every repair that needs no person.
    Fix,
}

/// The options of a diagnosis.
#[derive(Clone, Debug)]
pub struct DoctorRequest {
    /// The device; `None` for the only one that is ready.
    pub device: Option<String>,
    /// The Operator app.
    pub package: OperatorPackage,
    /// The requested transport.
    pub transport: TransportChoice,
    /// Which checks to run.
    pub depth: Depth,
    /// Whether to repair what they find.
    pub fix: FixMode,
    /// The time limit for the phone.
    pub within: Duration,
    /// How long the Operator app may take to answer the ping.
    pub handshake: Duration,
    /// Stops the checks; what a trial changed is restored.
    pub cancel: CancellationToken,
}

impl Default for DoctorRequest {
    fn default() -> Self {
        let package = OperatorPackage::select(None, None);
        Self {
            device: None,
            transport: TransportChoice::default(),
            package,
            depth: Depth::default(),
            fix: FixMode::default(),
            within: Duration::from_secs(60),
            handshake: Duration::from_secs(7),
            cancel: CancellationToken::new(),
        }
    }
}

impl Service {
    /// Checks whether a device can be driven. Problems are part of the report.
    pub async fn doctor(&self, request: &DoctorRequest) -> Report {
        let name = request.package.name();
        let mut fixed: Vec<AppliedFix> = Vec::new();
        let mut tried = Vec::new();
        loop {
            let found = self.examine(request).await;
            let remedies: Vec<_> = match request.fix {
                FixMode::ReportOnly => Vec::new(),
                FixMode::Fix => found
                    .checks
                    .iter()
                    .filter(|check| check.status != Outcome::Pass)
                    .filter_map(|check| Some((check.id, check.repair.clone()?)))
                    .filter(|(_, remedy)| !tried.contains(remedy))
                    .collect(),
            };
            if remedies.is_empty() {
                return Report::new(found, name, fixed);
            }
            for (check, remedy) in remedies {
                let device = found.device.as_deref();
                let mut undo = Vec::new();
                let done = remedy.perform(&self.options, device, name, &mut undo).await;
                fixed.push(AppliedFix {
                    check,
                    action: remedy.action(),
                    done: done.is_ok(),
                    error: done.err(),
                    undo,
                });
                tried.push(remedy);
            }
        }
    }

    /// Runs the checks once.
    async fn examine(&self, request: &DoctorRequest) -> Findings {
        let mut found = Findings::default();
        let options = &self.options;
        let requested = request.device.as_deref();
        if let Some(device) = requested {
            let kind = devices::kind_of(device);
            if !kind.has_adb_shell() {
                self.examine_opened(kind, device, request, &mut found).await;
                return found;
            }
        }
        let needed = match requested {
            Some(serial) if crate::phone::connection::is_address(serial) => AdbNeed::No,
            _ => AdbNeed::Yes,
        };
        let (checks, state) = host::checks(&options.adb, needed).await;
        found.device = request.device.clone();
        let stopped = checks.iter().any(Check::stops);
        found.checks.extend(checks);
        if stopped {
            return found;
        }
        let serial = match state {
            ServerState::Answers(server) => discovery::find(&server, requested, &mut found).await,
            // It has an address and is connected to directly below.
            ServerState::None => requested.map(str::to_owned),
            ServerState::Broken => None,
        };
        if let Some(serial) = serial {
            self.phone(&serial, request, &mut found).await;
        }
        found
    }

    /// Checks a phone.
    async fn phone(&self, serial: &str, request: &DoctorRequest, found: &mut Findings) {
        let options = &self.options;
        let phone_shell = match devices::phone_shell(Some(serial), options, request.within).await {
            Ok(phone_shell) => PhoneShell {
                cx: Cx::new(request.within, request.cancel.clone()),
                ..phone_shell
            },
            Err(error) => {
                found.checks.push(unreachable(&error));
                return;
            }
        };
        if !found
            .checks
            .iter()
            .any(|check| check.id == "device.discovery")
        {
            let summary = format!("{serial} answers without adb");
            found.checks.push(Check::pass("device.discovery", summary));
        }
        let PhoneShell { shell, cx, .. } = &phone_shell;
        let (capability, profile) =
            phone::capability(serial, shell, &cx.within(SCREEN_TIMEOUT)).await;
        found.checks.push(capability);
        let Some(profile) = profile else {
            return;
        };
        let lock = match phone_shell.lock(&options.adb, "doctor").await {
            Ok(lock) => lock,
            Err(error) => {
                found.checks.push(in_use(&error));
                return;
            }
        };
        found.checks.extend(phone::developer(shell, cx).await);
        found
            .checks
            .push(phone::animations(shell, cx, serial).await);
        let screen = phone::screen(shell, cx, serial).await;
        let dark = screen.stops();
        found.checks.push(screen);
        if dark {
            return;
        }
        let wanted = request.transport;
        let is_wanted = |choice| wanted == TransportChoice::Auto || wanted == choice;
        let mut agent = None;
        if is_wanted(TransportChoice::Agent) {
            agent = agent::check(&AgentCheck::agent(), &phone_shell, wanted, found).await;
        }
        // Where the agent works, only a full report queries its app.
        let is_full = request.depth == Depth::Full;
        if (agent.is_none() || is_full) && is_wanted(TransportChoice::App) {
            let need = match agent {
                Some(_) => AgentNeed::IfInstalled,
                None => AgentNeed::Always,
            };
            let app = agent::check(&AgentCheck::app(need), &phone_shell, wanted, found).await;
            agent = agent.or(app);
        }
        if is_wanted(TransportChoice::Operator) {
            let transport = operator::checks(shell, cx, serial, request, found).await;
            found.transports.push(transport);
        }
        let is_usable = found
            .transports
            .iter()
            .any(|transport| transport.usable == Some(true));
        if let Some(mut agent) = agent.take() {
            let screen = check_screen(&mut agent, cx).await;
            found.checks.extend(screen);
            // The app touches the screen as an accessibility service, which needs no such right.
            if agent.form() == AgentForm::Agent {
                found.checks.push(screen_checks::input(shell, cx).await);
            }
        }
        if request.transport == TransportChoice::Auto && is_usable {
            found.transports.push(TransportReport {
                via: "stock",
                usable: None,
                because: Some(
                    "not tried: `uiautomator dump` would stop the agent, or the app's accessibility service for a while; \
                     --via stock tries it"
                        .to_owned(),
                ),
            });
        } else if matches!(
            request.transport,
            TransportChoice::Auto | TransportChoice::Stock
        ) {
            let mut driver =
                StockDriver::with_profile(serial, shell.phone().clone(), profile.clone());
            let screen = check_screen(&mut driver, cx).await;
            let input = screen_checks::input(shell, cx).await;
            stock(screen, input, found);
        }
        if !is_full {
            return;
        }
        let mut stock = StockDriver::with_profile(serial, shell.phone().clone(), profile.clone());
        let front = front_app::find(&mut stock, cx).await;
        // A failure of the agent to start is a row of the report.
        let agent = is_wanted(TransportChoice::Agent).then_some(AgentForm::Agent);
        let mut transports = found.transports.iter();
        let app = transports
            .any(|transport| transport.via == "app" && transport.usable == Some(true))
            .then_some(AgentForm::App);
        let forms: Vec<AgentForm> = agent.into_iter().chain(app).collect();
        if !forms.is_empty() {
            let phone = TrialPhone {
                serial,
                shell,
                profile: &profile,
                cancel: &request.cancel,
            };
            found.trial = Some(Box::pin(phone.run(&forms)).await);
        }
        drop(lock);
        if !found.checks.iter().any(Check::stops) {
            // The transport of a command is first, and stock is last: its dumps stop the agent.
            let transports: Vec<_> = found
                .transports
                .iter()
                .filter(|transport| transport.usable != Some(false))
                .map(|transport| transport.via)
                .collect();
            found
                .checks
                .push(smoke::check(self, serial, &transports, request).await);
        }
        front_app::restore(&mut stock, front).await;
    }

    /// Checks a device without a shell. For a page, uses or starts the browser as a command would.
    async fn examine_opened(
        &self,
        kind: &dyn DeviceKind,
        device: &str,
        request: &DoctorRequest,
        found: &mut Findings,
    ) {
        found.device = Some(device.to_owned());
        let cx = Cx::new(request.within, CancellationToken::new());
        let opened = async {
            let resolved = devices::resolve(Some(device), &self.options).await?;
            let opened = devices::open_within(&resolved, &self.options, Purpose::Any, &cx).await?;
            Ok::<_, ErrorBody>((resolved.name, opened))
        };
        let (name, mut opened) = match opened.await {
            Ok(opened) => opened,
            Err(error) => {
                found.checks.push(unreachable(&error));
                return;
            }
        };
        let discovery = Check::pass("device.discovery", kind.opened_summary(&name));
        found.checks.push(discovery);
        let driver = opened.driver();
        let info = driver.info();
        let size = format!("{}x{}", info.screen.width, info.screen.height);
        let mut evidence = json!({ "model": info.model });
        evidence[kind.size_key()] = size.into();
        let capability = Check::pass("device.capability", format!("{} answers", info.model));
        found.checks.push(capability.with_evidence(evidence));
        found.checks.extend(check_screen(driver, &cx).await);
        let broken = found.checks.iter().find(|check| check.stops());
        found.transports.push(TransportReport {
            via: kind.transport(),
            usable: Some(broken.is_none()),
            because: broken.map(|check| check.summary.clone()),
        });
        devices::release(&mut Some(opened), &self.options).await;
        if request.depth == Depth::Full && broken.is_none() {
            let trial = smoke::check(self, device, &[kind.transport()], request).await;
            found.checks.push(trial);
        }
    }
}

/// Adds the stock transport and its checks.
fn stock(screen: [Check; 2], input: Check, found: &mut Findings) {
    let checks = screen.into_iter().chain([input]);
    let before = found.checks.len();
    found.checks.extend(checks);
    let new_checks = found.checks.get(before..).unwrap_or_default();
    let broken = new_checks.iter().find(|check| check.stops());
    let transport = TransportReport {
        via: "stock",
        usable: Some(broken.is_none()),
        because: broken.map(|check| check.summary.clone()),
    };
    found.transports.push(transport);
}

/// Checks reading the screen and taking a screenshot.
async fn check_screen(driver: &mut dyn Driver, cx: &Cx) -> [Check; 2] {
    [
        screen_checks::snapshot(driver, &cx.within(SCREEN_TIMEOUT)).await,
        screen_checks::screenshot(driver, &cx.within(SCREEN_TIMEOUT)).await,
    ]
}

/// The check of a phone that cannot be reached.
fn unreachable(error: &ErrorBody) -> Check {
    let check = Check::fail("device.discovery", error.code, error.message.clone());
    let check = if error.code == ErrorCode::DeviceUnauthorized {
        discovery::with_authorization_steps(check)
    } else {
        check.with_manual("Make the device reachable", "host", error.hint.clone())
    };
    match &error.details {
        Some(details) => check.with_evidence(json!(details)),
        None => check,
    }
}

/// The check of a phone that is in use.
fn in_use(error: &ErrorBody) -> Check {
    let check = Check::fail("device.lock", error.code, error.message.clone());
    check
        .with_manual(
            "Wait for the other run, or stop it",
            "host",
            error.hint.clone(),
        )
        .with_evidence(json!(error.details))
}

impl Service {
    /// The requested transport, from a flag or the environment.
    ///
    /// # Errors
    /// `USAGE` when the environment names an unknown transport.
    pub fn transport_choice(&self) -> Result<TransportChoice, ErrorBody> {
        self.options.transport.via()
    }
}
