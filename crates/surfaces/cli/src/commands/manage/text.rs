//! The doctor's report as text.

use std::borrow::Cow;

use service::doctor::{Check, Outcome, Report, TrialReport, TrialStatus};

/// Advisory checks.
const ADVISORY: [&str; 2] = ["readiness.settings.", "device.animations"];

/// The report as text.
pub(super) fn report(report: &Report) -> String {
    let program = format!("Clawperator {} on {}", report.version, report.host);
    let mut lines = vec!["Clawperator doctor".to_owned(), String::new(), program];
    let device = report.device_id.as_deref().unwrap_or("(none chosen)");
    lines.push(format!("Device: {}", plain(device)));
    lines.push(format!("Operator package: {}", report.operator_package));
    if let Some(via) = report.via {
        lines.push(format!("Transport: {via}"));
    }
    let (advisory, critical): (Vec<&Check>, Vec<&Check>) =
        report.checks.iter().partition(|check| is_advisory(check));
    lines.push(String::new());
    lines.push("Critical checks:".to_owned());
    for check in critical {
        entry(&mut lines, check);
    }
    let passed = advisory
        .iter()
        .filter(|check| check.status == Outcome::Pass)
        .count();
    if passed < advisory.len() {
        lines.push(String::new());
        lines.push("Advisory checks:".to_owned());
        for check in advisory
            .iter()
            .filter(|check| check.status != Outcome::Pass)
        {
            entry(&mut lines, check);
        }
    }
    if passed > 0 {
        let word = if passed == 1 { "check" } else { "checks" };
        lines.push(format!("  {passed} other {word} passed"));
    }
    lines.extend(report.trial.iter().flat_map(trial));
    if !report.fixed.is_empty() {
        lines.push(String::new());
        lines.push("Fixed:".to_owned());
        for fixed in &report.fixed {
            let (mark, why) = match &fixed.error {
                None => ("[OK]", String::new()),
                Some(error) => ("[FAIL]", format!(": {}", plain(error))),
            };
            lines.push(format!("  {mark} {}{why}", plain(&fixed.action)));
            for command in &fixed.undo {
                lines.push(format!("       to undo: {}", plain(command)));
            }
        }
    }
    lines.push(String::new());
    lines.push(verdict(report));
    if !report.next_actions.is_empty() {
        lines.push(String::new());
        lines.push("Next actions:".to_owned());
        for action in &report.next_actions {
            lines.push(format!("  - {}", plain(action)));
        }
    }
    lines.join("\n")
}

fn is_advisory(check: &Check) -> bool {
    ADVISORY.iter().any(|begin| check.id.starts_with(begin))
}

fn entry(lines: &mut Vec<String>, check: &Check) {
    let mark = match check.status {
        Outcome::Pass => "[OK]",
        Outcome::Warn => "[WARN]",
        Outcome::Fail => "[FAIL]",
    };
    lines.push(format!("  {mark} {}", plain(&check.summary)));
    if check.status == Outcome::Pass {
        return;
    }
    if let Some(detail) = &check.detail {
        lines.push(format!("       {}", plain(detail)));
    }
    if let Some(fix) = &check.fix {
        lines.push(format!("       {}:", plain(&fix.title)));
        for step in &fix.steps {
            lines.push(format!("         {}", plain(&step.value)));
        }
    }
    if let Some(guidance) = &check.device_guidance {
        lines.push(format!("       On the phone, {}:", guidance.screen));
        for step in &guidance.steps {
            lines.push(format!("         {step}"));
        }
    }
}

/// The trial as a table.
fn trial(trial: &TrialReport) -> Vec<String> {
    let device = &trial.device;
    let mut lines = vec![
        String::new(),
        format!(
            "Trial on {}, Android {} (API {}), {} at {} dpi, in {} ms:",
            plain(&device.model),
            plain(&device.android_version),
            device.sdk,
            device.screen,
            device.density,
            trial.elapsed_ms
        ),
        format!(
            "  build {}",
            plain(device.fingerprint.as_deref().unwrap_or("unknown"))
        ),
        format!("  dex   {}", trial.program),
    ];
    lines.extend(trial.rows.iter().map(|row| {
        let mark = match row.status {
            TrialStatus::Pass => "[OK]",
            TrialStatus::Fail => "[FAIL]",
            TrialStatus::NotTried => "[-]",
        };
        let name = row.id.trim_start_matches("trial.");
        format!("  {mark:6} {:5} {name:10} {}", row.via, plain(&row.summary))
    }));
    lines
}

/// The summary line.
fn verdict(report: &Report) -> String {
    let warned = report
        .checks
        .iter()
        .any(|check| check.status == Outcome::Warn && !is_advisory(check));
    match (report.ok, report.via) {
        (false, _) => "[FAIL] The device cannot be driven.".to_owned(),
        (true, None) => "[WARN] No device was checked.".to_owned(),
        (true, Some("stock")) if warned => {
            "[OK] The device can be driven, with the phone's own tools.".to_owned()
        }
        (true, Some(_)) => "[OK] The device can be driven.".to_owned(),
    }
}

/// Text of a phone on one line.
fn plain(text: &str) -> Cow<'_, str> {
    escape::line(text)
}
