//! `doctor`: whether a phone can be driven now, by which way, and what keeps it from that; with `--fix`, what can be done
//! about it is done, and everything is looked at again.

mod discovery;
mod host;
mod operator;
mod phone;
mod repair;
mod report;
mod screen_checks;
mod smoke;
mod table;

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::{Cx, Driver};
use driver_android::StockDriver;
use serde_json::json;
use tokio_util::sync::CancellationToken;

pub use table::{CHECKS, CheckRow};

pub use report::{AppliedFix, Check, Fix, Guidance, Outcome, Report, Step, StepKind, Way};

use crate::Service;
use crate::devices::{self, DeviceKind, Purpose};
use crate::operator_package::OperatorPackage;
use crate::phone_shell::PhoneShell;
use crate::transport::TransportChoice;
use host::{Needed, ServerState};
use report::Findings;

/// How long one look at the screen may take; `uiautomator` itself gives up after ten seconds.
const LOOK: Duration = Duration::from_secs(20);

/// How much is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// Whatever can be looked at without changing what the phone shows.
    #[default]
    Usual,
    /// Also a trial run, which opens the phone's settings.
    Full,
}

/// Whether something is done about what is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FixMode {
    /// Report only.
    #[default]
    ReportOnly,
    /// Apply every repair that needs no person.
    Fix,
}

/// What a doctor is asked.
#[derive(Clone, Debug)]
pub struct DoctorRequest {
    /// The device; `None` for the only one that is ready.
    pub device: Option<String>,
    /// The Operator app.
    pub package: OperatorPackage,
    /// By which way it is to be driven.
    pub transport: TransportChoice,
    /// How much is looked at.
    pub depth: Depth,
    /// Whether something is done about it.
    pub fix: FixMode,
    /// How long the phone is looked at.
    pub within: Duration,
    /// How long the Operator app is given to answer that it is there.
    pub handshake: Duration,
}

impl Default for DoctorRequest {
    fn default() -> Self {
        let package = OperatorPackage::meant(None, None);
        Self {
            device: None,
            transport: TransportChoice::default(),
            package,
            depth: Depth::default(),
            fix: FixMode::default(),
            within: Duration::from_secs(60),
            handshake: Duration::from_secs(7),
        }
    }
}

impl Service {
    /// Looks whether a device can be driven. Never fails: what is wrong stands in the report.
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
                return Report::of(found, name, fixed);
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

    /// Looks once.
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
            Some(serial) if crate::android::is_address(serial) => Needed::No,
            _ => Needed::Yes,
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
            // It has an address, and is tried there below.
            ServerState::None => requested.map(str::to_owned),
            ServerState::Broken => None,
        };
        if let Some(serial) = serial {
            self.phone(&serial, request, &mut found).await;
        }
        found
    }

    /// Looks at a phone.
    async fn phone(&self, serial: &str, request: &DoctorRequest, found: &mut Findings) {
        let options = &self.options;
        let phone_shell = match PhoneShell::open(Some(serial), options, request.within).await {
            Ok(phone_shell) => phone_shell,
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
            let summary = format!("{serial} answers at its address, without adb");
            found.checks.push(Check::pass("device.discovery", summary));
        }
        let PhoneShell { shell, cx, .. } = &phone_shell;
        let (capability, profile) = phone::capability(serial, shell, &cx.within(LOOK)).await;
        found.checks.push(capability);
        let Some(profile) = profile else {
            return;
        };
        let lock = match phone_shell.lock(options, "doctor").await {
            Ok(lock) => lock,
            Err(error) => {
                found.checks.push(taken(&error));
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
        if request.transport != TransportChoice::Stock {
            let way = operator::checks(shell, cx, serial, request, found).await;
            found.ways.push(way);
        }
        let by_app = found.ways.iter().any(|way| way.usable == Some(true));
        if request.transport == TransportChoice::Operator || by_app {
            if request.transport != TransportChoice::Operator {
                found.ways.push(Way {
                    way: "stock",
                    usable: None,
                    because: Some(
                        "not tried: `uiautomator dump` would end the app's accessibility service for a while; --via stock tries it"
                            .to_owned(),
                    ),
                });
            }
        } else {
            let mut driver =
                StockDriver::with_profile(serial, phone_shell.shell.phone().clone(), profile);
            let seen = seen(&mut driver, cx).await;
            let touched = screen_checks::input(shell, cx).await;
            stock(seen, touched, found);
        }
        drop(lock);
        if request.depth == Depth::Full && !found.checks.iter().any(Check::stops) {
            found.checks.push(smoke::check(self, serial).await);
        }
    }

    /// Looks at a device without a shell. Of a page the browser is the one that a command would use; it is started where a
    /// command would start one.
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
        let discovery = Check::pass("device.discovery", kind.found(&name));
        found.checks.push(discovery);
        let driver = opened.driver();
        let info = driver.info();
        let size = format!("{}x{}", info.screen.width, info.screen.height);
        let mut evidence = json!({ "model": info.model });
        evidence[kind.size_key()] = size.into();
        let capability = Check::pass("device.capability", format!("{} answers", info.model));
        found.checks.push(capability.with_evidence(evidence));
        found.checks.extend(seen(driver, &cx).await);
        let broken = found.checks.iter().find(|check| check.stops());
        found.ways.push(Way {
            way: kind.way(),
            usable: Some(broken.is_none()),
            because: broken.map(|check| check.summary.clone()),
        });
        devices::release(&mut Some(opened), &self.options).await;
        if request.depth == Depth::Full && broken.is_none() {
            found.checks.push(smoke::check(self, device).await);
        }
    }
}

/// Notes the way of the phone's own programs.
fn stock(seen: [Check; 2], touched: Check, found: &mut Findings) {
    let checks = seen.into_iter().chain([touched]);
    let before = found.checks.len();
    found.checks.extend(checks);
    let own = found.checks.get(before..).unwrap_or_default();
    let broken = own.iter().find(|check| check.stops());
    let way = Way {
        way: "stock",
        usable: Some(broken.is_none()),
        because: broken.map(|check| check.summary.clone()),
    };
    found.ways.push(way);
}

/// Whether the screen can be read and drawn.
async fn seen(driver: &mut dyn Driver, cx: &Cx) -> [Check; 2] {
    [
        screen_checks::snapshot(driver, &cx.within(LOOK)).await,
        screen_checks::screenshot(driver, &cx.within(LOOK)).await,
    ]
}

/// The phone cannot be reached at all.
fn unreachable(error: &ErrorBody) -> Check {
    let check = Check::fail("device.discovery", error.code, error.message.clone());
    let check = if error.code == ErrorCode::DeviceUnauthorized {
        discovery::asking(check)
    } else {
        check.with_manual("Make the device reachable", "host", error.hint.clone())
    };
    match &error.details {
        Some(details) => check.with_evidence(json!(details)),
        None => check,
    }
}

/// Somebody else has the phone.
fn taken(error: &ErrorBody) -> Check {
    let check = Check::fail("device.lock", error.code, error.message.clone());
    check
        .with_manual("Have the phone to yourself", "host", error.hint.clone())
        .with_evidence(json!(error.details))
}

impl Service {
    /// The way that is asked for, by a flag or by the environment.
    ///
    /// # Errors
    /// `USAGE` when the environment names a way that there is not.
    pub fn transport_choice(&self) -> Result<TransportChoice, ErrorBody> {
        self.options.transport.via()
    }
}
