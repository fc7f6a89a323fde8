//! The story of a case for somebody who has never seen it: what was done, what the engine asked of the device, what
//! happened on the phone, and what was answered, in the order of time.

use std::fmt::Display;
use std::time::Duration;

use contract::StepResult;
use driver_sim::{AnimationChoice, JournalEntry, PaceChoice, ThemeChoice};
use serde_json::Value;

use super::trial::{Call, DriverReply, DriverRequest, Trial};
use crate::case::{Case, Op, Setup};
use crate::judge::{Violation, results};

/// How many looks in a row are told one by one; of more the first and the last are.
const LOOKS: usize = 4;

/// A story as it is told so far.
#[derive(Debug, Default)]
pub(crate) struct Story {
    lines: Vec<String>,
    /// How much of the journal has been told.
    told: usize,
    /// How many things have been done.
    ops: usize,
}

/// What came of one thing that was done.
pub(crate) struct Scene<'a> {
    pub(crate) op: &'a Op,
    /// The phone's time when it began.
    pub(crate) at: Duration,
    /// The plan that ran, if it was one.
    pub(crate) trial: Option<&'a Trial>,
    /// The whole journal behind it.
    pub(crate) journal: &'a [JournalEntry],
    pub(crate) violations: &'a [Violation],
}

impl Story {
    /// Begins the story of a case.
    pub(crate) fn of(case: &Case) -> Self {
        let mut story = Self::default();
        story.line(0, format!("The case of the seed {:016x}", case.seed));
        story.line(0, phone(&case.setup));
        for fault in &case.setup.faults {
            story.line(1, format!("fault: {fault}"));
        }
        story
    }

    /// The lines of the story.
    pub(crate) fn into_lines(self) -> Vec<String> {
        self.lines
    }

    fn line(&mut self, depth: usize, text: impl Display) {
        self.lines.push(format!("{:1$}{text}", "", depth * 4));
    }

    /// Tells the journal up to a place.
    fn journal(&mut self, depth: usize, journal: &[JournalEntry], until: usize) {
        for entry in journal.get(self.told..until).unwrap_or_default() {
            self.line(depth, format!("| {entry}"));
        }
        self.told = self.told.max(until);
    }

    /// Tells one thing that was done.
    pub(crate) fn add(&mut self, scene: &Scene<'_>) {
        self.ops += 1;
        let head = format!(
            "{}. at {} ms: {}",
            self.ops,
            moment(scene.at).trim(),
            done(scene.op)
        );
        self.line(0, "");
        self.line(0, head);
        if let Some(trial) = scene.trial {
            self.plan(trial, scene.journal);
        }
        self.journal(1, scene.journal, scene.journal.len());
        if let Some(trial) = scene.trial {
            self.screens(trial, scene.violations);
        }
        self.ends_with(scene.violations);
    }

    /// Shows what was on the screen before the last change of a step that something is wrong with, and behind it.
    fn screens(&mut self, trial: &Trial, violations: &[Violation]) {
        let Some(step) = violations.iter().find_map(|violation| violation.step) else {
            return;
        };
        let calls: Vec<&Call> = trial.calls_of(step).collect();
        let last = calls.iter().rposition(|call| call.changes());
        let (before, behind) = calls.split_at(last.unwrap_or(calls.len()));
        let shown = [
            (
                "before the last change",
                before.iter().rev().find_map(|call| call.seen()),
            ),
            (
                "at the end",
                behind.iter().rev().find_map(|call| call.seen()),
            ),
        ];
        for (when, seen) in shown {
            let Some(seen) = seen else { continue };
            self.line(0, "");
            self.line(0, format!("What step {step} saw {when}:"));
            for line in seen.tree.to_notation().lines() {
                self.line(1, line);
            }
        }
        self.line(0, "");
    }

    /// Tells what is wrong.
    pub(crate) fn ends_with(&mut self, violations: &[Violation]) {
        for violation in violations {
            self.line(0, format!("VIOLATION: {violation}"));
        }
    }

    fn plan(&mut self, trial: &Trial, journal: &[JournalEntry]) {
        let results = trial.report.as_ref().map(results).unwrap_or_default();
        for mark in &trial.marks {
            let action = &trial.payload["actions"][mark.index];
            let (kind, params) = (word(&action["type"]), &action["params"]);
            let params = if params.is_null() {
                String::new()
            } else {
                format!(" {params}")
            };
            self.line(1, format!("step {}: {kind}{params}", mark.index));
            let calls: Vec<&Call> = trial.calls_of(mark.index).collect();
            self.calls(&calls, journal);
            match results.get(mark.index) {
                Some(result) => self.line(2, format!("=> {}", answer(result))),
                None => self.line(2, "=> the run was stopped here"),
            }
        }
        if let Some(Err(error)) = trial.report.as_ref().map(|report| &report.outcome) {
            let text = format!("=> stopped with {}: {}", error.code, error.message);
            self.line(1, text);
        }
        if let Some(refusal) = &trial.refusal {
            self.line(1, format!("=> refused: {refusal}"));
        }
    }

    /// Tells calls; of many looks in a row at which nothing happened the first and the last.
    fn calls(&mut self, calls: &[&Call], journal: &[JournalEntry]) {
        let quiet = |call: &&Call| !call.changes() && call.journal.is_empty();
        let mut rest = calls;
        while let Some(first) = rest.first() {
            let looks = rest.iter().take_while(|call| quiet(call)).count();
            if looks > LOOKS {
                let (own, others) = rest.split_at(looks);
                rest = others;
                self.call(first, journal);
                self.line(2, format!("… {} looks and waits …", looks - 2));
                if let Some(last) = own.last() {
                    self.call(last, journal);
                }
            } else {
                self.call(first, journal);
                rest = rest.get(1..).unwrap_or_default();
            }
        }
    }

    fn call(&mut self, call: &Call, journal: &[JournalEntry]) {
        self.journal(3, journal, call.journal.start);
        let text = format!("{} {}", moment(call.began), asked(&call.what));
        self.line(2, text);
        self.journal(3, journal, call.journal.end);
        let frozen = if call.frozen {
            ", on a frozen screen"
        } else {
            ""
        };
        let text = format!("{} {}{frozen}", moment(call.ended), came(call));
        self.line(2, text);
    }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A moment as the journal writes it, in milliseconds.
fn moment(at: Duration) -> String {
    format!("{:>9.3}", at.as_secs_f64() * 1000.0)
}

/// The phone of a case in a sentence.
fn phone(setup: &Setup) -> String {
    let (width, height) = setup.screen;
    let theme = match setup.theme {
        ThemeChoice::Light => "light",
        ThemeChoice::Dark => "dark",
    };
    let motion = match setup.animations {
        AnimationChoice::On => "with animations",
        AnimationChoice::Off => "without animations",
    };
    let pace = match setup.pace {
        PaceChoice::Instant => "",
        PaceChoice::Phone => " at the pace of a phone",
    };
    let app = setup.app.as_deref().unwrap_or("the home screen");
    format!(
        "A {theme} phone of {width} x {height} pixels, {} of them for a dp, {motion}{pace}, seed {}, begins in {app}",
        setup.density, setup.seed
    )
}

/// What was done, in a few words.
fn done(op: &Op) -> String {
    match op {
        Op::Tap { x, y } => format!("a tap at ({x},{y})"),
        Op::DoubleTap { x, y } => format!("two taps at ({x},{y})"),
        Op::Drag { from, to, ms, up } if from == to => {
            let end = if *up { "leaves" } else { "stays" };
            format!("a finger is held at {from:?} for {ms} ms and {end}")
        }
        Op::Drag { from, to, ms, up } => {
            let end = if *up { "leaves" } else { "stays" };
            format!("a finger goes from {from:?} to {to:?} in {ms} ms and {end}")
        }
        Op::Key(key) => format!("the key {key}"),
        Op::Type(text) => format!("{text:?} is typed"),
        Op::Wait(ms) => format!("{ms} ms pass"),
        Op::Turn(to) => format!("the phone is turned: {to:?}"),
        Op::Theme(theme) => format!("the theme is {theme:?}"),
        Op::FontScale(scale) => format!("text is {scale} times as large"),
        Op::Language(tag) => format!("the language is {tag}"),
        Op::Shade => "the notification shade comes down".to_owned(),
        Op::Run {
            payload,
            cancel,
            budget,
        } => {
            let mut text = format!(
                "the plan {} of {} steps, {} ms",
                word(&payload["commandId"]),
                op.steps(),
                payload["timeoutMs"]
            );
            if let Some(on_failure) = payload["onFailure"].as_str() {
                text += &format!(", on failure {on_failure}");
            }
            if let Some(cancel) = cancel {
                text += &format!(", called off after {cancel} ms");
            }
            if let Some(budget) = budget {
                text += &format!(", with only {budget} ms left");
            }
            text
        }
    }
}

/// What the engine asked of the device.
fn asked(what: &DriverRequest) -> String {
    match what {
        DriverRequest::Observe => "looks".to_owned(),
        DriverRequest::Screenshot => "takes a picture".to_owned(),
        DriverRequest::Act(node, act) => format!(
            "asks node {} of revision {} for {act:?}",
            node.node.index(),
            node.revision.0
        ),
        DriverRequest::Touch(gesture) => format!("touches: {gesture:?}"),
        DriverRequest::Key(key) => format!("presses {key:?}"),
        DriverRequest::Open(target) => format!("opens {target:?}"),
        DriverRequest::Close(app) => format!("closes {app}"),
        DriverRequest::Foreground => "asks for the app in front".to_owned(),
        DriverRequest::Changed => "waits for a change".to_owned(),
        DriverRequest::StartRecording(session) => format!("starts the recording {session:?}"),
        DriverRequest::StopRecording(session) => format!("stops the recording {session:?}"),
    }
}

/// What the device answered.
fn came(call: &Call) -> String {
    match &call.done {
        None => "-> nothing; the engine no longer waited".to_owned(),
        Some(DriverReply::Well) => "-> done".to_owned(),
        Some(DriverReply::Seen(seen)) => format!(
            "-> sees {} nodes in {} windows, revision {}, {} in front",
            seen.tree.nodes().len(),
            seen.windows.len(),
            seen.revision.0,
            seen.foreground.as_deref().unwrap_or("nothing")
        ),
        Some(DriverReply::Picture { png, .. }) => format!("-> a picture of {} bytes", png.len()),
        Some(DriverReply::Recorded(recording)) => format!("-> the recording {}", recording.session),
        Some(DriverReply::Badly(error)) => format!("-> {error}"),
    }
}

/// What a step answered.
fn answer(result: &StepResult) -> String {
    let mut text = if result.success { "ok" } else { "failed" }.to_owned();
    for (key, value) in result.data.iter() {
        // A snapshot is as long as its screen.
        let short: String = value.chars().take(120).collect();
        let more = if short.len() < value.len() { "…" } else { "" };
        text += &format!(", {key} {short:?}{more}");
    }
    text
}
