//! The report of `doctor`.

use contract::ErrorCode;
use serde::Serialize;
use serde_json::Value;

use super::repair::Repair;
use super::trial::TrialReport;
use tracing::Level;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Passed.
    Pass,
    /// A problem that does not prevent driving the phone.
    Warn,
    /// A problem that prevents driving the phone.
    Fail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    /// A command line for a shell of this computer.
    Shell,
    /// Something for the user to do.
    Manual,
}

/// A step of a fix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    pub kind: StepKind,
    /// The command line or the instruction.
    pub value: String,
}

/// How to fix a check that did not pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fix {
    /// A short title.
    pub title: String,
    /// Where it is done: `host`, or `android` for steps that adb does on the phone.
    pub platform: &'static str,
    pub steps: Vec<Step>,
}

/// What to do on the phone's screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Guidance {
    /// Which screen of the phone.
    pub screen: &'static str,
    pub steps: Vec<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// Its stable name.
    pub id: &'static str,
    /// Its result.
    pub status: Outcome,
    /// The error code, if it did not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
    /// One sentence.
    pub summary: String,
    /// Details, such as output of the phone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// How to fix it from this computer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
    /// What to do on the phone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_guidance: Option<Guidance>,
    /// The data behind the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Value>,
    /// The repair for `--fix`.
    #[serde(skip)]
    pub(super) repair: Option<Repair>,
}

impl Check {
    /// A check that passed.
    pub(super) fn pass(id: &'static str, summary: impl Into<String>) -> Self {
        debug_assert!(
            super::CHECKS.iter().any(|row| row.id == id),
            "{id} is not in the table of checks"
        );
        Self {
            id,
            status: Outcome::Pass,
            code: None,
            summary: summary.into(),
            detail: None,
            fix: None,
            device_guidance: None,
            evidence: None,
            repair: None,
        }
    }

    /// A check with a warning.
    pub(super) fn warn(id: &'static str, code: ErrorCode, summary: impl Into<String>) -> Self {
        Self {
            status: Outcome::Warn,
            code: Some(code),
            ..Self::pass(id, summary)
        }
    }

    /// A check that failed.
    pub(super) fn fail(id: &'static str, code: ErrorCode, summary: impl Into<String>) -> Self {
        Self {
            status: Outcome::Fail,
            code: Some(code),
            ..Self::pass(id, summary)
        }
    }

    /// Logs the check.
    fn log(&self, device: Option<&str>) {
        macro_rules! log {
            ($level:expr, $status:literal) => {
                tracing::event!(
                    name: "doctor.check",
                    target: crate::log::TARGET,
                    $level,
                    deviceId = device,
                    check = self.id,
                    status = $status,
                    code = self.code.map(ErrorCode::as_str),
                    "a check of doctor"
                )
            };
        }
        match self.status {
            Outcome::Pass => log!(Level::INFO, "pass"),
            Outcome::Warn => log!(Level::WARN, "warn"),
            Outcome::Fail => log!(Level::ERROR, "fail"),
        }
    }

    pub(super) fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    pub(super) fn with_evidence(mut self, evidence: Value) -> Self {
        self.evidence = Some(evidence);
        self
    }

    pub(super) fn with_repair(mut self, repair: Repair) -> Self {
        self.repair = Some(repair);
        self
    }

    pub(super) fn with_guidance(
        mut self,
        screen: &'static str,
        steps: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        self.device_guidance = Some(Guidance {
            screen,
            steps: steps.into_iter().collect(),
        });
        self
    }

    /// Adds command lines for this computer.
    pub(super) fn with_commands(
        self,
        title: &str,
        platform: &'static str,
        commands: impl IntoIterator<Item = String>,
    ) -> Self {
        self.with_steps(title, platform, StepKind::Shell, commands)
    }

    /// Adds instructions for the user.
    pub(super) fn with_manual(
        self,
        title: &str,
        platform: &'static str,
        steps: impl IntoIterator<Item = String>,
    ) -> Self {
        self.with_steps(title, platform, StepKind::Manual, steps)
    }

    fn with_steps(
        mut self,
        title: &str,
        platform: &'static str,
        kind: StepKind,
        steps: impl IntoIterator<Item = String>,
    ) -> Self {
        let steps = steps.into_iter().map(|value| Step { kind, value });
        let fix = self.fix.get_or_insert_with(|| Fix {
            title: title.to_owned(),
            platform,
            steps: Vec::new(),
        });
        fix.steps.extend(steps);
        self
    }

    /// Whether later checks are skipped.
    pub(super) fn stops(&self) -> bool {
        self.status == Outcome::Fail
    }
}

/// A transport to the device.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TransportReport {
    /// `agent`, `app`, `operator`, `stock` or `embedded`.
    pub via: &'static str,
    /// Whether it can be used now; absent if it was not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usable: Option<bool>,
    /// Why not, or why it was not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// A repair that `--fix` applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AppliedFix {
    /// The check that it repairs.
    pub check: &'static str,
    /// What was done.
    pub action: String,
    /// Whether it was applied; the check itself shows whether it helped.
    pub done: bool,
    /// Why it could not be applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The command lines that restore the previous state; empty if nothing remains changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undo: Vec<String>,
}

/// The whole report, the answer of `doctor`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether the device can be driven.
    pub ok: bool,
    /// The same as `ok`.
    pub critical_ok: bool,
    /// The version of this program.
    pub version: &'static str,
    /// The system of this computer, such as `linux x86_64`.
    pub host: String,
    /// The device; absent if none could be selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_id: Option<String>,
    /// The package of the Operator app that was checked.
    pub operator_package: String,
    /// The transport that works now; absent if none does or none was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transports: Vec<TransportReport>,
    /// The checks, in their order; with `--fix`, after the repairs.
    pub checks: Vec<Check>,
    /// The trial of `--full`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trial: Option<TrialReport>,
    /// The repairs of `--fix`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<AppliedFix>,
    /// What to do next, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next_actions: Vec<String>,
}

impl Report {
    /// Builds the report from the findings.
    pub(super) fn new(found: Findings, operator_package: &str, fixed: Vec<AppliedFix>) -> Self {
        for check in &found.checks {
            check.log(found.device.as_deref());
        }
        let ok = !found
            .checks
            .iter()
            .any(|check| check.status == Outcome::Fail);
        let usable = found
            .transports
            .iter()
            .find(|transport| transport.usable == Some(true));
        let via = usable.map(|transport| transport.via).filter(|_| ok);
        let next_actions = next_actions(&found, via.is_some());
        Self {
            ok,
            critical_ok: ok,
            version: env!("CARGO_PKG_VERSION"),
            host: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            device_id: found.device,
            operator_package: operator_package.to_owned(),
            via,
            transports: found.transports,
            checks: found.checks,
            trial: found.trial,
            fixed,
            next_actions,
        }
    }
}

/// The findings of one round of checks.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) device: Option<String>,
    pub(super) checks: Vec<Check>,
    pub(super) transports: Vec<TransportReport>,
    pub(super) trial: Option<TrialReport>,
    /// What to do if no check needs a fix.
    pub(super) advice: Vec<String>,
}

/// What to do next: fix failures, then warnings. If the device can be driven, a snapshot comes first.
fn next_actions(found: &Findings, driven: bool) -> Vec<String> {
    let mut actions: Vec<String> = Vec::new();
    let mut add = |action: String| {
        if !actions.contains(&action) {
            actions.push(action);
        }
    };
    if driven && let Some(device) = &found.device {
        add(format!(
            "Try: clawperator snapshot --device {}",
            adb::quote(device)
        ));
    }
    for wanted in [Outcome::Fail, Outcome::Warn] {
        let checks = found.checks.iter().filter(|check| check.status == wanted);
        if wanted == Outcome::Warn {
            found.advice.iter().cloned().for_each(&mut add);
        }
        for check in checks {
            if check.repair.is_some() {
                // One command applies all its steps.
                let device = found.device.as_ref();
                let device = device.map(|device| format!(" --device {}", adb::quote(device)));
                add(format!(
                    "clawperator doctor --fix{}",
                    device.unwrap_or_default()
                ));
            } else {
                for step in check.fix.iter().flat_map(|fix| &fix.steps) {
                    add(step.value.clone());
                }
            }
            if let Some(guidance) = &check.device_guidance {
                add(format!(
                    "On the phone, {}: {}",
                    guidance.screen,
                    guidance.steps.join("; ")
                ));
            }
        }
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(checks: Vec<Check>) -> Findings {
        Findings {
            device: Some("X".to_owned()),
            checks,
            transports: vec![TransportReport {
                via: "stock",
                usable: Some(true),
                because: None,
            }],
            trial: None,
            advice: Vec::new(),
        }
    }

    #[test]
    fn only_failed_checks_make_a_report_not_ok() {
        let warned = Check::warn("device.animations", ErrorCode::DeviceAnimationsOn, "w")
            .with_commands("t", "android", ["x".to_owned()]);
        let report = Report::new(found(vec![warned.clone()]), "p", Vec::new());
        assert!(report.ok && report.critical_ok);
        assert_eq!(report.via, Some("stock"));
        assert_eq!(
            report.next_actions,
            ["Try: clawperator snapshot --device X", "x"]
        );
        let failed = Check::fail("device.screen", ErrorCode::DeviceLocked, "f")
            .with_commands("t", "android", ["y".to_owned(), "x".to_owned()])
            .with_guidance("Lock screen", ["unlock it"]);
        let repairable = Check::fail("device.lock", ErrorCode::DeviceScreenOff, "f")
            .with_commands("t", "android", ["z".to_owned()])
            .with_repair(Repair::Wake);
        let mut found = found(vec![warned, failed, repairable]);
        found.transports[0].usable = Some(false);
        let report = Report::new(found, "p", Vec::new());
        assert!(!report.ok && !report.critical_ok);
        assert_eq!(report.via, None);
        assert_eq!(
            report.next_actions,
            [
                "y",
                "x",
                "On the phone, Lock screen: unlock it",
                "clawperator doctor --fix --device X"
            ]
        );
    }

    #[test]
    fn check_serializes_in_order_without_absent_keys() {
        let check = Check::fail("device.screen", ErrorCode::DeviceLocked, "s")
            .with_detail("d")
            .with_manual("t", "host", ["m".to_owned()])
            .with_guidance("Screen", ["g"])
            .with_evidence(serde_json::json!({"e": 1}));
        assert_eq!(
            serde_json::to_string(&check).unwrap(),
            r#"{"id":"device.screen","status":"fail","code":"DEVICE_LOCKED","summary":"s","detail":"d","fix":{"title":"t","platform":"host","steps":[{"kind":"manual","value":"m"}]},"deviceGuidance":{"screen":"Screen","steps":["g"]},"evidence":{"e":1}}"#
        );
        assert_eq!(
            serde_json::to_string(&Check::pass("device.lock", "s")).unwrap(),
            r#"{"id":"device.lock","status":"pass","summary":"s"}"#
        );
    }

    #[test]
    fn report_has_the_documented_keys() {
        let report = Report::new(found(Vec::new()), "com.example.operator", Vec::new());
        let json = serde_json::to_value(&report).unwrap();
        let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
        let expected = [
            "ok",
            "criticalOk",
            "version",
            "host",
            "deviceId",
            "operatorPackage",
            "via",
            "transports",
            "checks",
            "nextActions",
        ];
        assert_eq!(keys, expected);
    }
}
