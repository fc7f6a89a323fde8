//! The report: what was looked at, what came of it, what to do next. It asks no phone.

use contract::ErrorCode;
use serde::Serialize;
use serde_json::Value;

use super::repair::Repair;
use crate::log::Level;

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// All is well.
    Pass,
    /// Something is not as it could be, and keeps nobody from driving the phone.
    Warn,
    /// This keeps the phone from being driven.
    Fail,
}

/// What a step of a remedy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    /// A command line for a shell of this computer.
    Shell,
    /// Something that a person does.
    Manual,
}

/// A step of a remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Who does it.
    pub kind: StepKind,
    /// The command line, or what is to be done.
    pub value: String,
}

/// What can be done about a check that did not pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fix {
    /// What it comes to, in a few words.
    pub title: String,
    /// Where it is done: `host`, or `android` for what is done by adb on the phone.
    pub platform: &'static str,
    /// The steps.
    pub steps: Vec<Step>,
}

/// What is to be done on the phone's own screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Guidance {
    /// Which screen of the phone.
    pub screen: &'static str,
    /// What to do there.
    pub steps: Vec<&'static str>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// Its stable name.
    pub id: &'static str,
    /// How it ended.
    pub status: Outcome,
    /// What is wrong, as a code to branch on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
    /// One sentence.
    pub summary: String,
    /// More about it, such as the phone's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What can be done about it from this computer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
    /// What is to be done on the phone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_guidance: Option<Guidance>,
    /// What was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Value>,
    /// What `--fix` does about it.
    #[serde(skip)]
    pub(super) repair: Option<Repair>,
}

impl Check {
    /// A check that passed.
    pub(super) fn pass(id: &'static str, summary: impl Into<String>) -> Self {
        debug_assert!(
            super::CHECKS.iter().any(|row| row.id == id),
            "{id} is no check of the table"
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

    /// A check that found something to improve.
    pub(super) fn warn(id: &'static str, code: ErrorCode, summary: impl Into<String>) -> Self {
        Self {
            status: Outcome::Warn,
            code: Some(code),
            ..Self::pass(id, summary)
        }
    }

    /// A check that found what keeps the phone from being driven.
    pub(super) fn fail(id: &'static str, code: ErrorCode, summary: impl Into<String>) -> Self {
        Self {
            status: Outcome::Fail,
            code: Some(code),
            ..Self::pass(id, summary)
        }
    }

    /// Leaves a line in the log: which check, and how it went.
    fn log(&self, device: Option<&str>) {
        let (level, status) = match self.status {
            Outcome::Pass => (Level::Info, "pass"),
            Outcome::Warn => (Level::Warn, "warn"),
            Outcome::Fail => (Level::Error, "fail"),
        };
        let fields = [
            ("deviceId", device.into()),
            ("check", self.id.into()),
            ("status", status.into()),
            ("code", self.code.map(ErrorCode::as_str).into()),
        ];
        crate::log::event(level, "doctor.check", "something was checked", &fields);
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

    /// With command lines to be run on this computer.
    pub(super) fn with_commands(
        self,
        title: &str,
        platform: &'static str,
        commands: impl IntoIterator<Item = String>,
    ) -> Self {
        self.with_steps(title, platform, StepKind::Shell, commands)
    }

    /// With something that a person does.
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

    /// Whether the run goes no further after it.
    pub(super) fn stops(&self) -> bool {
        self.status == Outcome::Fail
    }
}

/// A way to drive the phone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Way {
    /// `stock`, `operator` or `embedded`.
    pub way: &'static str,
    /// Whether it can be gone now; absent when it was not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usable: Option<bool>,
    /// Why it cannot, or why it was not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// Something that `--fix` did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AppliedFix {
    /// The check that asked for it.
    pub check: &'static str,
    /// What was done, in words.
    pub action: String,
    /// Whether it could be done; the check itself says what came of it.
    pub done: bool,
    /// Why it could not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The command lines that set the phone back to what it was; empty where nothing stays changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undo: Vec<String>,
}

/// The whole report. Serialised, it is the answer of `doctor`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether the phone can be driven, as far as was looked.
    pub ok: bool,
    /// The same.
    pub critical_ok: bool,
    /// The phone; absent when none could be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_id: Option<String>,
    /// The package of the Operator app that was looked for.
    pub operator_package: String,
    /// The way by which the phone can be driven now; absent when there is none, or none was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub way: Option<&'static str>,
    /// The ways, those that cannot be gone, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<Way>,
    /// The checks, in the order in which they were made; with `--fix` as they ended after it.
    pub checks: Vec<Check>,
    /// What `--fix` did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<AppliedFix>,
    /// What to do next, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next_actions: Vec<String>,
}

impl Report {
    /// Puts a report together from what was found.
    pub(super) fn of(found: Findings, operator_package: &str, fixed: Vec<AppliedFix>) -> Self {
        for check in &found.checks {
            check.log(found.device.as_deref());
        }
        let ok = !found
            .checks
            .iter()
            .any(|check| check.status == Outcome::Fail);
        let usable = found.ways.iter().find(|way| way.usable == Some(true));
        let way = usable.map(|way| way.way).filter(|_| ok);
        let next_actions = next_actions(&found, way.is_some());
        Self {
            ok,
            critical_ok: ok,
            device_id: found.device,
            operator_package: operator_package.to_owned(),
            way,
            ways: found.ways,
            checks: found.checks,
            fixed,
            next_actions,
        }
    }
}

/// What a round of looking found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) device: Option<String>,
    pub(super) checks: Vec<Check>,
    pub(super) ways: Vec<Way>,
    /// What can be done instead, when there is nothing to do about the checks.
    pub(super) advice: Vec<String>,
}

/// What to do: about what keeps the phone from being driven first, about the rest afterwards; when nothing does, the first
/// thing that anybody wants of a phone.
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
                // One command does what its steps say.
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
            ways: vec![Way {
                way: "stock",
                usable: Some(true),
                because: None,
            }],
            advice: Vec::new(),
        }
    }

    #[test]
    fn only_a_failure_makes_it_not_ok() {
        let warned = Check::warn("device.animations", ErrorCode::DeviceAnimationsOn, "w")
            .with_commands("t", "android", ["x".to_owned()]);
        let report = Report::of(found(vec![warned.clone()]), "p", Vec::new());
        assert!(report.ok && report.critical_ok);
        assert_eq!(report.way, Some("stock"));
        assert_eq!(
            report.next_actions,
            ["Try: clawperator snapshot --device X", "x"]
        );
        let failed = Check::fail("device.screen", ErrorCode::DeviceLocked, "f")
            .with_commands("t", "android", ["y".to_owned(), "x".to_owned()])
            .with_guidance("Lock screen", ["unlock it"]);
        let mended = Check::fail("device.lock", ErrorCode::DeviceScreenOff, "f")
            .with_commands("t", "android", ["z".to_owned()])
            .with_repair(Repair::Wake);
        let mut found = found(vec![warned, failed, mended]);
        found.ways[0].usable = Some(false);
        let report = Report::of(found, "p", Vec::new());
        assert!(!report.ok && !report.critical_ok);
        assert_eq!(report.way, None);
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
    fn keys_come_in_one_order_and_absent_ones_stay_absent() {
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
        let report = Report::of(found(Vec::new()), "com.example.operator", Vec::new());
        let json = serde_json::to_value(&report).unwrap();
        let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
        let expected = [
            "ok",
            "criticalOk",
            "deviceId",
            "operatorPackage",
            "way",
            "ways",
            "checks",
            "nextActions",
        ];
        assert_eq!(keys, expected);
    }
}
