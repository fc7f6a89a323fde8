//! The judge: compares what an answer claims with what the phone's journal says.
//!
//! It shares no code with the engine: it looks nodes up in its own way, adds up its own times, and knows for each
//! action what a success asserts and what a failure denies.

mod apps;
mod clicks;
mod envelope;
mod fate;
mod find;
mod limits;
mod looks;
mod scrolls;
mod secrets;
mod stopped;
mod texts;
mod time;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use contract::{Action, Effect, Params, StepResult};
use driver::{NodeAct, Observation};
use driver_sim::JournalEntry;
use driver_sim::journal::{ClickSource, Event};
use uitree::UiTree;

pub(crate) use stopped::results;

use crate::world::{Call, DriverRequest, Mark, Trial};
use limits::Claim;

/// Something that an answer claims and the phone denies, or a rule that a run broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule, in a word or two that stay the same.
    pub rule: String,
    /// The step of the plan.
    pub step: Option<usize>,
    /// What was claimed and what is true.
    pub message: String,
}

impl Violation {
    /// A violation of a whole run.
    pub(crate) fn new(rule: &str, message: impl Into<String>) -> Self {
        Self {
            rule: rule.to_owned(),
            step: None,
            message: message.into(),
        }
    }

    /// Something panicked.
    pub(crate) fn panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("without words");
        Self::new("panic", text)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rule)?;
        if let Some(step) = self.step {
            write!(f, ", step {step}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Everything that is known of one step that ended.
pub(crate) struct Step<'a> {
    pub(crate) action: &'a Action,
    pub(crate) result: &'a StepResult,
    pub(crate) mark: &'a Mark,
    pub(crate) calls: Vec<&'a Call>,
    /// The whole journal, so that what came before can be asked for.
    pub(crate) journal: &'a [JournalEntry],
    pub(crate) trial: &'a Trial,
}

/// What the judge has found so far.
#[derive(Default)]
pub(crate) struct Findings {
    step: Option<usize>,
    violations: Vec<Violation>,
    limits: Vec<&'static str>,
}

/// What the judge has to say of a run.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// What is wrong with it.
    pub(crate) violations: Vec<Violation>,
    /// Where an answer was wrong as the documents say that it may be, because nobody could know better.
    pub(crate) limits: Vec<&'static str>,
}

impl Findings {
    /// Notes a violation.
    pub(crate) fn note(&mut self, rule: &str, message: impl Into<String>) {
        self.violations.push(Violation {
            rule: rule.to_owned(),
            step: self.step,
            message: message.into(),
        });
    }

    /// Notes that a limit was met which the documents name.
    pub(crate) fn limit(&mut self, name: &'static str) {
        self.limits.push(name);
    }

    /// Notes a violation unless something holds.
    pub(crate) fn must(&mut self, holds: bool, rule: &str, message: impl FnOnce() -> String) {
        if !holds {
            self.note(rule, message());
        }
    }
}

/// Everything that is wrong with a run.
pub(crate) fn judge(trial: &Trial, journal: &[JournalEntry]) -> Verdict {
    let mut found = Findings::default();
    let (Some(execution), Some(report)) = (&trial.execution, &trial.report) else {
        let why = trial.refusal.clone().unwrap_or_default();
        return Verdict {
            violations: vec![Violation::new("plan refused", why)],
            limits: Vec::new(),
        };
    };
    envelope::check(trial, execution, report, &mut found);
    time::whole(trial, execution, report, &mut found);
    secrets::check(trial, journal, &mut found);
    let results = stopped::results(report);
    for (index, result) in results.iter().enumerate() {
        let (Some(action), Some(mark)) = (execution.actions().get(index), trial.marks.get(index))
        else {
            break;
        };
        found.step = Some(index);
        let step = Step {
            action,
            result,
            mark,
            calls: trial.calls_of(index).collect(),
            journal,
            trial,
        };
        step.check(&mut found);
    }
    found.step = None;
    stopped::check(trial, journal, results.len(), &mut found);
    Verdict {
        violations: found.violations,
        limits: found.limits,
    }
}

impl Step<'_> {
    fn check(&self, found: &mut Findings) {
        time::step(self, found);
        self.nothing_else(found);
        self.refused(found);
        fate::of_step(self, found);
        // Each has rules for some actions; what the facts of an action say is held against every step.
        for check in [
            clicks::check,
            scrolls::check,
            texts::check,
            looks::check,
            apps::check,
        ] {
            check(self, found);
        }
    }

    /// A step asks of the device only what its action is for, and never again what may have been done.
    fn nothing_else(&self, found: &mut Findings) {
        for call in self.calls.iter().filter(|call| call.changes()) {
            found.must(
                allowed(self.action.params(), &call.what)
                    || self.brings_into_view(call)
                    || self.corrects_text(call),
                "other call",
                || {
                    format!(
                        "{} asked the device for {:?}",
                        self.action.kind(),
                        call.what
                    )
                },
            );
        }
        once(&self.calls, found);
        for call in &self.calls {
            for entry in self.entries(call) {
                let expected = match &entry.what {
                    // The enter key presses what has the focus.
                    Event::Clicked {
                        by: ClickSource::Key,
                        ..
                    } => {
                        matches!(call.what, DriverRequest::Key(_) | DriverRequest::Touch(_))
                    }
                    Event::Clicked { .. } | Event::LongClicked { .. } => {
                        matches!(call.what, DriverRequest::Touch(_))
                            || matches!(&call.what, DriverRequest::Act(_, act) if is_press(act))
                    }
                    Event::KeyPressed(_) => {
                        matches!(call.what, DriverRequest::Key(_) | DriverRequest::Touch(_))
                    }
                    Event::TextChanged { .. } | Event::Submitted(_) => {
                        matches!(
                            call.what,
                            DriverRequest::Act(..)
                                | DriverRequest::Key(_)
                                | DriverRequest::Touch(_)
                        )
                    }
                    _ => true,
                };
                if !expected {
                    self.deny(found, (Claim::Refused, call), "unasked", || {
                        format!("{entry} happened during {:?}", call.what)
                    });
                }
            }
        }
    }

    /// Whether a swipe may bring a node into view that the action is for and that a look has shown outside of it.
    fn brings_into_view(&self, call: &Call) -> bool {
        let before = self
            .calls
            .iter()
            .take_while(|look| !std::ptr::eq(**look, call));
        // Those that scroll by themselves are held to what they were asked for.
        self.action.kind().facts().finds
            && matches!(
                call.what,
                DriverRequest::Touch(driver::Gesture::Swipe { .. })
            )
            && before
                .filter_map(|look| look.seen())
                .any(|seen| self.is_out_of_view(&seen.tree))
    }

    /// Whether a node that the action is for can be brought into view.
    fn is_out_of_view(&self, tree: &UiTree) -> bool {
        let mut matchers = self.action.params().matchers();
        matchers.any(|matcher| find::is_out_of_view(tree, matcher))
    }

    /// Whether a look of the step has shown such a node.
    fn has_seen_out_of_view(&self) -> bool {
        let mut looks = self.calls.iter().filter_map(|look| look.seen());
        looks.any(|seen| self.is_out_of_view(&seen.tree))
    }

    /// Whether the call rewrites a field that held a text beside something else, by keys and not by a node action.
    fn corrects_text(&self, call: &Call) -> bool {
        let Some(entered) = self.action.params().facts().entered() else {
            return false;
        };
        self.trial.rested_looks
            && matches!(&call.what, DriverRequest::Act(_, NodeAct::SetText(text)) if text.ends_with(entered))
    }

    /// What the device refused has not happened.
    fn refused(&self, found: &mut Findings) {
        for call in self.calls.iter().filter(|call| call.changes()) {
            let input = self
                .entries(call)
                .iter()
                .find(|entry| fate::is_input(&entry.what));
            if call.is_refused()
                && let Some(input) = input
            {
                self.deny(found, (Claim::Refused, call), "refused and done", || {
                    format!("{:?} was refused, and {input} happened", call.what)
                });
            }
        }
    }

    /// What was written into the journal during a call.
    pub(crate) fn entries(&self, call: &Call) -> &[JournalEntry] {
        self.journal.get(call.journal.clone()).unwrap_or_default()
    }

    /// What was written into the journal from the beginning of a call to the end of the step.
    pub(crate) fn entries_from(&self, call: &Call) -> &[JournalEntry] {
        let end = self
            .calls
            .last()
            .map_or(call.journal.end, |last| last.journal.end);
        self.journal
            .get(call.journal.start..end)
            .unwrap_or_default()
    }

    /// What was written into the journal from the beginning of a call to the next touch of the step, or to the step's end.
    pub(crate) fn entries_until_next_touch(&self, call: &Call) -> &[JournalEntry] {
        let later = self
            .calls
            .get(self.place_of(call) + 1..)
            .unwrap_or_default();
        match later.iter().find(|call| call.is_touch()) {
            Some(next) => self
                .journal
                .get(call.journal.start..next.journal.start)
                .unwrap_or_default(),
            None => self.entries_from(call),
        }
    }

    /// The place of a call among those of the step. Times do not tell it: a call may take none.
    pub(crate) fn place_of(&self, call: &Call) -> usize {
        let own = |other: &&Call| std::ptr::eq(*other, call);
        self.calls.iter().position(own).unwrap_or(0)
    }

    /// The screen that the step saw last.
    pub(crate) fn last_seen(&self) -> Option<&Arc<Observation>> {
        self.calls.iter().rev().find_map(|call| call.seen())
    }

    /// The screen of a revision that the step saw last before a call. A device that gives an old tree, or one without a
    /// part, may give several under one revision.
    pub(crate) fn seen_at(
        &self,
        revision: driver::Revision,
        before: &Call,
    ) -> Option<(&Call, &Arc<Observation>)> {
        let until = self.place_of(before);
        self.calls.iter().take(until).rev().find_map(|call| {
            let seen = call.seen()?;
            (seen.revision == revision).then_some((*call, seen))
        })
    }

    /// The calls that changed the device.
    pub(crate) fn changes(&self) -> impl Iterator<Item = &Call> {
        self.calls
            .iter()
            .copied()
            .filter(|call| call.changes() && call.is_done())
    }

    /// A value of the step's data.
    pub(crate) fn data(&self, key: &str) -> Option<&str> {
        self.result.data.get(key)
    }

    /// The code of a step that failed.
    pub(crate) fn code(&self) -> Option<&str> {
        if self.result.success {
            None
        } else {
            self.data("error")
        }
    }

    /// That a value of the step's data is what it must be.
    pub(crate) fn says(&self, found: &mut Findings, key: &str, truth: &str) {
        let said = self.data(key);
        found.must(said == Some(truth), key, || {
            format!("data.{key} is {said:?}, not {truth:?}")
        });
    }
}

/// Whatever may have been done is not asked for again.
pub(crate) fn once(calls: &[&Call], found: &mut Findings) {
    let mut doubt = None;
    for call in calls.iter().filter(|call| call.changes()) {
        if let Some(earlier) = doubt {
            found.note(
                "asked again",
                format!("{:?} after {earlier:?}, whose fate is unknown", call.what),
            );
        }
        if call.is_in_doubt() {
            doubt = Some(&call.what);
        }
    }
}

const fn is_press(act: &NodeAct) -> bool {
    match act {
        NodeAct::Click | NodeAct::LongClick => true,
        NodeAct::Focus | NodeAct::SetText(_) | NodeAct::AppendText(_) | NodeAct::Submit => false,
    }
}

/// Whether an action may ask this of the device.
fn allowed(params: &Params, what: &DriverRequest) -> bool {
    let effects = params.facts().effects;
    effects.into_iter().any(|effect| asks(effect, what))
}

/// Whether a change of the device is asked for like this.
fn asks(effect: Effect<'_>, what: &DriverRequest) -> bool {
    use driver::{Gesture, Target};
    match effect {
        Effect::Press(click) => clicks::on_node(click, what),
        Effect::PressAt(click, at) => clicks::at_point(click, at, what),
        Effect::Swipe => matches!(what, DriverRequest::Touch(Gesture::Swipe { .. })),
        Effect::SetText(text) => {
            matches!(what, DriverRequest::Act(_, NodeAct::SetText(set)) if set == text)
        }
        Effect::AppendText(text) => {
            matches!(what, DriverRequest::Act(_, NodeAct::AppendText(added)) if added == text)
        }
        Effect::Submit => matches!(what, DriverRequest::Act(_, NodeAct::Submit)),
        Effect::Key(key) => {
            matches!(what, DriverRequest::Key(pressed) if *pressed == crate::world::driver_key(key))
        }
        Effect::StartApp(app) => {
            matches!(what, DriverRequest::Open(Target::App(opened)) if opened == app)
        }
        Effect::EndApp(app) => matches!(what, DriverRequest::Close(closed) if closed == app),
        Effect::LoadUri(uri) => {
            matches!(what, DriverRequest::Open(Target::Uri(opened)) if opened == uri)
        }
        Effect::BeginRecording(session) => {
            matches!(what, DriverRequest::StartRecording(begun) if begun.as_deref() == session)
        }
        Effect::EndRecording(session) => {
            matches!(what, DriverRequest::StopRecording(ended) if ended.as_deref() == session)
        }
    }
}
