//! The judge: compares the result of a run with the phone's journal.
//!
//! It shares no code with the engine: it has its own node lookup and its own time limits, and knows for each action what a
//! success and a failure assert.

mod apps;
mod clicks;
mod dispatch;
mod envelope;
mod find;
mod interrupts;
mod limits;
mod observations;
mod scrolls;
mod secrets;
mod stopped;
mod texts;
mod time;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use contract::{Action, Effect, OnMissing, Params, StepResult};
use driver::{NodeAct, Observation};
use driver_sim::JournalEntry;
use driver_sim::journal::{ClickSource, Event};
use uitree::UiTree;

use crate::run::{Call, DriverRequest, Mark, Run};
use limits::Claim;

/// A rule that a run violates, such as a reported success that the journal contradicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// A short, stable name of the rule.
    pub rule: String,
    pub step: Option<usize>,
    /// What was reported and what is true.
    pub message: String,
}

impl Violation {
    pub(crate) fn new(rule: &str, message: impl Into<String>) -> Self {
        Self {
            rule: rule.to_owned(),
            step: None,
            message: message.into(),
        }
    }

    pub(crate) fn panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
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

pub(crate) struct Step<'a> {
    pub(crate) action: &'a Action,
    pub(crate) result: &'a StepResult,
    pub(crate) mark: &'a Mark,
    pub(crate) calls: Vec<&'a Call>,
    /// The whole journal, including entries before the step.
    pub(crate) journal: &'a [JournalEntry],
    pub(crate) run: &'a Run,
}

/// Violations and accepted contradictions so far.
#[derive(Default)]
pub(crate) struct Findings {
    step: Option<usize>,
    violations: Vec<Violation>,
    limits: Vec<&'static str>,
}

#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) violations: Vec<Violation>,
    /// Accepted contradictions, by the names in `docs/guides/proof.md`.
    pub(crate) limits: Vec<&'static str>,
}

impl Findings {
    pub(crate) fn add(&mut self, rule: &str, message: impl Into<String>) {
        self.violations.push(Violation {
            rule: rule.to_owned(),
            step: self.step,
            message: message.into(),
        });
    }

    pub(crate) fn accept(&mut self, name: &'static str) {
        self.limits.push(name);
    }

    /// Adds a violation if a condition does not hold.
    pub(crate) fn require(
        &mut self,
        condition: bool,
        rule: &str,
        message: impl FnOnce() -> String,
    ) {
        if !condition {
            self.add(rule, message());
        }
    }
}

pub(crate) fn judge(run: &Run, journal: &[JournalEntry]) -> Verdict {
    let mut findings = Findings::default();
    let (Some(execution), Some(report)) = (&run.execution, &run.report) else {
        let why = run.parse_error.clone().unwrap_or_default();
        return Verdict {
            violations: vec![Violation::new("plan refused", why)],
            limits: Vec::new(),
        };
    };
    envelope::check(run, execution, report, &mut findings);
    time::check_run(run, execution, report, &mut findings);
    secrets::check(run, journal, &mut findings);
    for reference in &run.moved_refs {
        findings.add("reference of two widgets", reference);
    }
    let results = run.step_results();
    let has_rules = !execution.interrupts().is_empty();
    if has_rules {
        interrupts::check(run, execution, &mut findings);
    }
    for (index, result) in results.iter().enumerate() {
        let (Some(action), Some(mark)) = (execution.actions().get(index), run.marks.get(index))
        else {
            break;
        };
        // What the rules press is no part of a step.
        if has_rules {
            continue;
        }
        findings.step = Some(index);
        let failed = as_failure(action, result, &mut findings);
        let step = Step {
            action,
            result: failed.as_ref().unwrap_or(result),
            mark,
            calls: run.calls_of_step(index).collect(),
            journal,
            run,
        };
        step.check(&mut findings);
    }
    findings.step = None;
    stopped::check(run, journal, results.len(), &mut findings);
    Verdict {
        violations: findings.violations,
        limits: findings.limits,
    }
}

/// A skipped step as the failure that it replaces: the same must be true.
fn as_failure(action: &Action, result: &StepResult, findings: &mut Findings) -> Option<StepResult> {
    if !result.is_skipped() {
        return None;
    }
    let reason = result.data.get("skip_reason").unwrap_or_default();
    let may_skip = action.on_missing() == OnMissing::Skip
        && matches!(reason, "NODE_NOT_FOUND" | "CONTAINER_NOT_FOUND");
    findings.require(may_skip, "skipped", || {
        format!("skipped because of {reason:?}")
    });
    let mut failed = result.clone();
    failed.success = false;
    failed.data.push("error", reason);
    Some(failed)
}

impl Step<'_> {
    fn check(&self, findings: &mut Findings) {
        time::check_step(self, findings);
        self.expected_calls(findings);
        self.refused_calls(findings);
        dispatch::check(self, findings);
        // Each has rules for some actions. The facts of an action apply to every step.
        for check in [
            clicks::check,
            scrolls::check,
            texts::check,
            observations::check,
            apps::check,
        ] {
            check(self, findings);
        }
    }

    /// A step makes only the driver calls of its action, and does not repeat one whose outcome is unknown.
    fn expected_calls(&self, findings: &mut Findings) {
        for call in self.calls.iter().filter(|call| call.changes_device()) {
            findings.require(
                is_expected(self.action.params(), &call.request)
                    || self.brings_into_view(call)
                    || self.corrects_text(call),
                "unexpected call",
                || format!("{} sent {:?}", self.action.kind(), call.request),
            );
        }
        sent_once(&self.calls, findings);
        for call in &self.calls {
            let is_key = matches!(call.request, DriverRequest::Key(_));
            let is_touch = matches!(call.request, DriverRequest::Touch(_));
            let is_act = matches!(call.request, DriverRequest::Act(..));
            for entry in self.entries(call) {
                let expected = match &entry.what {
                    // The enter key clicks the focused widget.
                    Event::Clicked {
                        by: ClickSource::Key,
                        ..
                    }
                    | Event::KeyPressed(_) => is_key || is_touch,
                    Event::Clicked { .. } | Event::LongClicked { .. } => {
                        is_touch || is_act && is_click(&call.request)
                    }
                    Event::TextChanged { .. } | Event::Submitted(_) => is_act || is_key || is_touch,
                    _ => true,
                };
                if !expected {
                    self.contradict(
                        findings,
                        (Claim::NotExecuted, call),
                        "unexpected event",
                        || format!("{entry} happened during {:?}", call.request),
                    );
                }
            }
        }
    }

    /// Whether a swipe may bring a target of the action into view that was observed out of view.
    fn brings_into_view(&self, call: &Call) -> bool {
        let before = self
            .calls
            .iter()
            .take_while(|observe_call| !std::ptr::eq(**observe_call, call));
        // Scrolling actions have their own rules for swipes.
        self.action.kind().facts().finds
            && matches!(
                call.request,
                DriverRequest::Touch(driver::Gesture::Swipe { .. })
            )
            && before
                .filter_map(|observe_call| observe_call.observation())
                .any(|observation| self.is_out_of_view(&observation.tree))
    }

    /// Whether a target of the action is out of view in a tree and can be scrolled into view.
    fn is_out_of_view(&self, tree: &UiTree) -> bool {
        let mut matchers = self.action.params().matchers();
        matchers.any(|matcher| find::is_out_of_view(tree, matcher))
    }

    fn observed_out_of_view(&self) -> bool {
        let mut observations = self
            .calls
            .iter()
            .filter_map(|observe_call| observe_call.observation());
        observations.any(|observation| self.is_out_of_view(&observation.tree))
    }

    /// Whether the call replaces the text of a field that already held other text.
    fn corrects_text(&self, call: &Call) -> bool {
        let Some(entered) = self.action.params().facts().entered() else {
            return false;
        };
        self.run.observe_settles
            && matches!(&call.request, DriverRequest::Act(_, NodeAct::SetText(text)) if text.ends_with(entered))
    }

    fn refused_calls(&self, findings: &mut Findings) {
        for call in self.calls.iter().filter(|call| call.changes_device()) {
            let input = self
                .entries(call)
                .iter()
                .find(|entry| dispatch::is_input(&entry.what));
            if call.is_refused()
                && let Some(input) = input
            {
                self.contradict(
                    findings,
                    (Claim::NotExecuted, call),
                    "refused and executed",
                    || format!("{:?} was refused, and {input} happened", call.request),
                );
            }
        }
    }

    pub(crate) fn entries(&self, call: &Call) -> &[JournalEntry] {
        self.journal.get(call.journal.clone()).unwrap_or_default()
    }

    /// Journal entries from the start of a call to the end of the step.
    pub(crate) fn entries_from(&self, call: &Call) -> &[JournalEntry] {
        let end = self
            .calls
            .last()
            .map_or(call.journal.end, |last| last.journal.end);
        self.journal
            .get(call.journal.start..end)
            .unwrap_or_default()
    }

    /// Journal entries from the start of a call to the next touch of the step, or to the end of the step.
    pub(crate) fn entries_until_next_touch(&self, call: &Call) -> &[JournalEntry] {
        let later = self
            .calls
            .get(self.index_of(call) + 1..)
            .unwrap_or_default();
        match later.iter().find(|call| call.is_touch()) {
            Some(next) => self
                .journal
                .get(call.journal.start..next.journal.start)
                .unwrap_or_default(),
            None => self.entries_from(call),
        }
    }

    /// Index of a call in the step. Times are not unique: a call may take none.
    pub(crate) fn index_of(&self, call: &Call) -> usize {
        let is_this_call = |other: &&Call| std::ptr::eq(*other, call);
        self.calls.iter().position(is_this_call).unwrap_or(0)
    }

    pub(crate) fn last_call(&self, fits: impl Fn(&Call) -> bool) -> Option<&Call> {
        self.calls.iter().rev().copied().find(|call| fits(call))
    }

    /// The last call that observes, if it succeeded or not.
    pub(crate) fn last_observe(&self) -> Option<&Call> {
        self.last_call(|call| matches!(call.request, DriverRequest::Observe))
    }

    /// The last observation of the step.
    pub(crate) fn last_observation(&self) -> Option<&Arc<Observation>> {
        self.calls.iter().rev().find_map(|call| call.observation())
    }

    /// The last observation of a revision before a call. Under the faults `stale_tree` and `missing_subtree` a revision may
    /// have several.
    pub(crate) fn observation_at(
        &self,
        revision: driver::Revision,
        before: &Call,
    ) -> Option<(&Call, &Arc<Observation>)> {
        let until = self.index_of(before);
        self.calls.iter().take(until).rev().find_map(|call| {
            let observation = call.observation()?;
            (observation.revision == revision).then_some((*call, observation))
        })
    }

    pub(crate) fn completed_changes(&self) -> impl Iterator<Item = &Call> {
        self.calls
            .iter()
            .copied()
            .filter(|call| call.changes_device() && call.is_successful())
    }

    pub(crate) fn data(&self, key: &str) -> Option<&str> {
        self.result.data.get(key)
    }

    /// The error code of a failed step.
    pub(crate) fn code(&self) -> Option<&str> {
        if self.result.success {
            None
        } else {
            self.data("error")
        }
    }

    /// Requires a value in the step's data.
    pub(crate) fn expect_data(&self, findings: &mut Findings, key: &str, expected: &str) {
        let actual = self.data(key);
        findings.require(actual == Some(expected), key, || {
            format!("data.{key} is {actual:?}, not {expected:?}")
        });
    }
}

/// After a call with unknown outcome, no further change is sent.
pub(crate) fn sent_once(calls: &[&Call], findings: &mut Findings) {
    let mut unknown = None;
    for call in calls.iter().filter(|call| call.changes_device()) {
        if let Some(earlier) = unknown {
            findings.add(
                "sent again",
                format!(
                    "{:?} was sent after {earlier:?}, whose outcome is unknown",
                    call.request
                ),
            );
        }
        if call.is_unknown() {
            unknown = Some(&call.request);
        }
    }
}

const fn is_click(request: &DriverRequest) -> bool {
    matches!(
        request,
        DriverRequest::Act(_, NodeAct::Click | NodeAct::LongClick)
    )
}

/// Whether an action may make a driver call.
fn is_expected(params: &Params, what: &DriverRequest) -> bool {
    let effects = params.facts().effects;
    effects
        .into_iter()
        .any(|effect| matches_effect(effect, what))
}

/// Whether a driver call causes an effect.
fn matches_effect(effect: Effect<'_>, what: &DriverRequest) -> bool {
    use driver::{Gesture, Target};
    match effect {
        Effect::Press(click) => clicks::is_node_click(click, what),
        Effect::PressAt(click, at) => clicks::is_point_click(click, at, what),
        Effect::Swipe => matches!(what, DriverRequest::Touch(Gesture::Swipe { .. })),
        Effect::SetText(text) => {
            matches!(what, DriverRequest::Act(_, NodeAct::SetText(text_set)) if text_set == text)
        }
        Effect::AppendText(text) => {
            matches!(what, DriverRequest::Act(_, NodeAct::AppendText(text_added)) if text_added == text)
        }
        Effect::Submit => matches!(what, DriverRequest::Act(_, NodeAct::Submit)),
        Effect::Key(contract::KeyPress::Device(key)) => {
            matches!(what, DriverRequest::Key(pressed) if *pressed == crate::run::driver_key(key))
        }
        Effect::Drag => matches!(what, DriverRequest::Touch(Gesture::Drag { .. })),
        // The simulated phone has no mouse, and plans have no keys of a keyboard.
        Effect::Key(contract::KeyPress::Keyboard(..))
        | Effect::Hover
        | Effect::SelectOptions
        | Effect::Upload(_) => false,
        Effect::StartApp(app) => {
            matches!(what, DriverRequest::Open(Target::App(opened)) if opened == app)
        }
        Effect::EndApp(app) => matches!(what, DriverRequest::Close(closed) if closed == app),
        Effect::LoadUri(uri) => {
            matches!(what, DriverRequest::Open(Target::Uri(opened)) if opened == uri)
        }
        Effect::SetClipboard(text) => {
            matches!(what, DriverRequest::SetClipboard(put) if put == text)
        }
        Effect::SetOrientation(orientation) => {
            matches!(what, DriverRequest::SetOrientation(set) if *set == crate::run::driver_orientation(orientation))
        }
        // A phone has no tabs and no window of a browser.
        Effect::ChangeTabs(_) | Effect::ResizeWindow(..) => false,
        Effect::BeginRecording(session) => {
            matches!(what, DriverRequest::StartRecording(begun) if begun.as_deref() == session)
        }
        Effect::EndRecording(session) => {
            matches!(what, DriverRequest::StopRecording(ended) if ended.as_deref() == session)
        }
    }
}
