//! A readable report of a case: manipulations, driver calls, journal entries and step results in chronological order.

use std::fmt::Display;
use std::time::Duration;

use contract::StepResult;
use driver_sim::{JournalEntry, Words};
use serde_json::Value;

use crate::case::{Case, Op, Setup};
use crate::judge::Violation;
use crate::run::{Call, DriverReply, Run};

/// Longer series of observations are abbreviated to the first and last.
const MAX_OBSERVATIONS: usize = 4;

#[derive(Debug, Default)]
pub(crate) struct CaseReport {
    lines: Vec<String>,
    /// Number of journal entries already reported.
    reported_entries: usize,
    /// Number of operations already reported.
    ops: usize,
}

pub(crate) struct OpRecord<'a> {
    pub(crate) op: &'a Op,
    /// The phone's time at its start.
    pub(crate) time: Duration,
    pub(crate) run: Option<&'a Run>,
    pub(crate) journal: &'a [JournalEntry],
    pub(crate) violations: &'a [Violation],
}

impl CaseReport {
    /// Starts the report of a case.
    pub(crate) fn new(case: &Case) -> Self {
        let mut report = Self::default();
        report.line(0, format!("case of seed {:016x}", case.seed));
        report.line(0, describe_setup(&case.setup));
        for fault in &case.setup.faults {
            report.line(1, format!("fault: {fault}"));
        }
        report
    }

    pub(crate) fn into_lines(self) -> Vec<String> {
        self.lines
    }

    fn line(&mut self, depth: usize, text: impl Display) {
        self.lines.push(format!("{:1$}{text}", "", depth * 4));
    }

    /// Adds journal entries up to an index.
    fn journal(&mut self, depth: usize, journal: &[JournalEntry], until: usize) {
        for entry in journal
            .get(self.reported_entries..until)
            .unwrap_or_default()
        {
            self.line(depth, format!("| {entry}"));
        }
        self.reported_entries = self.reported_entries.max(until);
    }

    pub(crate) fn add(&mut self, scene: &OpRecord<'_>) {
        self.ops += 1;
        let time = milliseconds(scene.time);
        let (number, op) = (self.ops, describe_op(scene.op));
        let head = format!("{number}. at {} ms: {op}", time.trim());
        self.line(0, "");
        self.line(0, head);
        if let Some(run) = scene.run {
            self.plan(run, scene.journal);
        }
        self.journal(1, scene.journal, scene.journal.len());
        if let Some(run) = scene.run {
            self.screens(run, scene.violations);
        }
        self.add_violations(scene.violations);
    }

    /// Adds the screens that a violating step observed before its last change and at its end.
    fn screens(&mut self, run: &Run, violations: &[Violation]) {
        let Some(step) = violations.iter().find_map(|violation| violation.step) else {
            return;
        };
        let calls: Vec<&Call> = run.calls_of_step(step).collect();
        let last = calls.iter().rposition(|call| call.changes_device());
        let (before, after) = calls.split_at(last.unwrap_or(calls.len()));
        for (when, calls) in [("before the last change", before), ("at the end", after)] {
            let Some(observation) = calls.iter().rev().find_map(|call| call.observation()) else {
                continue;
            };
            self.line(0, "");
            self.line(0, format!("Observed by step {step} {when}:"));
            for line in observation.tree.to_notation().lines() {
                self.line(1, line);
            }
        }
        self.line(0, "");
    }

    pub(crate) fn add_violations(&mut self, violations: &[Violation]) {
        for violation in violations {
            self.line(0, format!("VIOLATION: {violation}"));
        }
    }

    fn plan(&mut self, run: &Run, journal: &[JournalEntry]) {
        let results = run.step_results();
        for mark in &run.marks {
            let action = &run.payload["actions"][mark.index];
            let (kind, params) = (word(&action["type"]), &action["params"]);
            let params = match params {
                Value::Null => String::new(),
                params => format!(" {params}"),
            };
            self.line(1, format!("step {}: {kind}{params}", mark.index));
            let calls: Vec<&Call> = run.calls_of_step(mark.index).collect();
            self.calls(&calls, journal);
            match results.get(mark.index) {
                Some(result) => self.line(2, format!("=> {}", describe_result(result))),
                None => self.line(2, "=> the run stopped here"),
            }
        }
        if let Some(Err(error)) = run.report.as_ref().map(|report| &report.outcome) {
            let text = format!("=> stopped with {}: {}", error.code, error.message);
            self.line(1, text);
        }
        if let Some(parse_error) = &run.parse_error {
            self.line(1, format!("=> refused: {parse_error}"));
        }
    }

    /// Adds calls, abbreviating long series of observations without journal entries.
    fn calls(&mut self, calls: &[&Call], journal: &[JournalEntry]) {
        let is_idle = |call: &&Call| !call.changes_device() && call.journal.is_empty();
        let mut remaining = calls;
        while let Some(first) = remaining.first() {
            let count = remaining.iter().take_while(|call| is_idle(call)).count();
            if count > MAX_OBSERVATIONS {
                let (idle, following) = remaining.split_at(count);
                remaining = following;
                self.call(first, journal);
                self.line(2, format!("… {} observations and waits …", count - 2));
                if let Some(last) = idle.last() {
                    self.call(last, journal);
                }
            } else {
                self.call(first, journal);
                remaining = remaining.get(1..).unwrap_or_default();
            }
        }
    }

    fn call(&mut self, call: &Call, journal: &[JournalEntry]) {
        self.journal(3, journal, call.journal.start);
        let (started, ended) = (milliseconds(call.started), milliseconds(call.ended));
        self.line(2, format!("{started} {:?}", call.request));
        self.journal(3, journal, call.journal.end);
        let frozen = match call.frozen {
            true => ", on a frozen screen",
            false => "",
        };
        self.line(2, format!("{ended} {}{frozen}", describe_reply(call)));
    }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A time in milliseconds, as in the journal.
fn milliseconds(time: Duration) -> String {
    format!("{:>9.3}", time.as_secs_f64() * 1000.0)
}

/// Describes the phone of a case, without its faults.
fn describe_setup(setup: &Setup) -> String {
    let app = setup.app.as_deref().unwrap_or("the home screen");
    let (width, height) = setup.screen;
    format!(
        "{} phone, {width} x {height} pixels, {} per dp, animations {}, pace {}, seed {}, starts in {app}",
        setup.theme.word(),
        setup.density,
        setup.animations.word(),
        setup.pace.word(),
        setup.seed
    )
}

fn describe_op(op: &Op) -> String {
    let Op::Run {
        payload,
        cancel,
        budget,
    } = op
    else {
        return format!("{op:?}");
    };
    let mut text = format!(
        "run plan {} with {} steps, timeout {} ms",
        word(&payload["commandId"]),
        op.steps(),
        payload["timeoutMs"]
    );
    if let Some(on_failure) = payload["onFailure"].as_str() {
        text += &format!(", on failure {on_failure}");
    }
    if let Some(cancel) = cancel {
        text += &format!(", cancelled after {cancel} ms");
    }
    if let Some(budget) = budget {
        text += &format!(", with a budget of {budget} ms");
    }
    text
}

/// Describes the result of a driver call.
fn describe_reply(call: &Call) -> String {
    match &call.reply {
        None => "-> dropped by the engine".to_owned(),
        Some(DriverReply::Done) => "-> done".to_owned(),
        Some(DriverReply::Observed(observation)) => format!(
            "-> {} nodes in {} windows, revision {}, foreground {}",
            observation.tree.nodes().len(),
            observation.windows.len(),
            observation.revision.0,
            observation.foreground.as_deref().unwrap_or("unknown")
        ),
        Some(DriverReply::Screenshot { png, .. }) => {
            format!("-> screenshot of {} bytes", png.len())
        }
        Some(DriverReply::Recording(recording)) => format!("-> recording {}", recording.session),
        Some(DriverReply::Failed(error)) => format!("-> {error}"),
    }
}

fn describe_result(result: &StepResult) -> String {
    let mut text = if result.success { "ok" } else { "failed" }.to_owned();
    for (key, value) in result.data.iter() {
        // Long values, such as snapshots, are cut.
        let short: String = value.chars().take(120).collect();
        let more = if short.len() < value.len() { "…" } else { "" };
        text += &format!(", {key} {short:?}{more}");
    }
    text
}
