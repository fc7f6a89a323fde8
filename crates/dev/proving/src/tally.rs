//! Counts of a proof: steps, results, screens, widgets.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use contract::{ActionKind, StepResult};
use driver_sim::JournalEntry;
use driver_sim::journal::Event;

use crate::refs;
use crate::run::Run;

/// Counts of one case or of many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Steps by action and outcome: `ok` or an error code.
    pub outcomes: BTreeMap<&'static str, BTreeMap<String, u64>>,
    /// Stopped runs by error code.
    pub stopped: BTreeMap<String, u64>,
    pub accepted: BTreeMap<&'static str, u64>,
    pub faults: BTreeMap<&'static str, u64>,
    pub events: BTreeMap<&'static str, u64>,
    /// Steps with references: found, stale, or stale although the phone shows their widget.
    pub references: BTreeMap<&'static str, u64>,
    pub plans: u64,
    pub entries: u64,
    /// Opened screens and dialogs as `app/screen`.
    pub screens: BTreeSet<String>,
    /// Pressed widgets as `app/screen id "name"`.
    pub widgets: BTreeSet<String>,
}

impl Tally {
    pub fn steps(&self) -> u64 {
        self.outcomes.values().flat_map(BTreeMap::values).sum()
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: Self) {
        for (action, outcomes) in other.outcomes {
            merge_counts(self.outcomes.entry(action).or_default(), outcomes);
        }
        merge_counts(&mut self.stopped, other.stopped);
        merge_counts(&mut self.accepted, other.accepted);
        merge_counts(&mut self.faults, other.faults);
        merge_counts(&mut self.events, other.events);
        merge_counts(&mut self.references, other.references);
        self.plans += other.plans;
        self.entries += other.entries;
        self.screens.extend(other.screens);
        self.widgets.extend(other.widgets);
    }

    pub(crate) fn add(&mut self, run: &Run, accepted: &[&'static str]) {
        self.plans += 1;
        for name in accepted {
            *self.accepted.entry(name).or_default() += 1;
        }
        if let Some(Err(error)) = run.report.as_ref().map(|report| &report.outcome) {
            *self
                .stopped
                .entry(error.code.as_str().to_owned())
                .or_default() += 1;
        }
        for (index, result) in run.step_results().iter().enumerate() {
            if let Some(found) = reference_outcome(run, index, result) {
                *self.references.entry(found).or_default() += 1;
            }
            let outcome = if result.success {
                "ok".to_owned()
            } else {
                result.data.get("error").unwrap_or("none").to_owned()
            };
            *self
                .outcomes
                .entry(result.action_type.as_str())
                .or_default()
                .entry(outcome)
                .or_default() += 1;
        }
    }

    pub(crate) fn add_journal(&mut self, journal: &[JournalEntry]) {
        self.entries += journal.len() as u64;
        for entry in journal {
            if let Some(event) = event_name(&entry.what) {
                *self.events.entry(event).or_default() += 1;
            }
            match &entry.what {
                Event::Opened { app, screen } => {
                    self.screens.insert(format!("{app}/{screen}"));
                }
                Event::Clicked { widget, .. } | Event::LongClicked { widget, .. } => {
                    let name = if widget.id.is_empty() {
                        format!("{}/{} {:?}", widget.app, widget.screen, widget.name)
                    } else {
                        format!("{}/{} {}", widget.app, widget.screen, widget.id)
                    };
                    self.widgets.insert(name);
                }
                Event::Fault { name, .. } => {
                    *self.faults.entry(name).or_default() += 1;
                }
                _ => {}
            }
        }
    }
}

/// What became of the references of a step; `None` if it has none, or none of them was looked up.
fn reference_outcome(run: &Run, index: usize, result: &StepResult) -> Option<&'static str> {
    let action = run.execution.as_ref()?.actions().get(index)?;
    let reference = action.params().references().next()?;
    if result.success {
        return Some("found");
    }
    let last = run
        .calls_of_step(index)
        .filter_map(|call| call.observation());
    let is_shown = last.last().is_some_and(|seen| {
        let mut nodes = refs::nodes_of(&seen.tree, reference).iter();
        nodes.any(|id| seen.tree.is_on_screen(*id))
    });
    match (result.data.get("error")?, is_shown) {
        ("REF_STALE", true) => Some("stale although shown"),
        ("REF_STALE", false) => Some("stale"),
        _ => None,
    }
}

/// The name under which a journal event is counted.
const fn event_name(event: &Event) -> Option<&'static str> {
    Some(match event {
        Event::Clicked { .. } => "click",
        Event::LongClicked { .. } => "long click",
        Event::Scrolled { .. } => "scroll",
        Event::Flung { .. } => "fling",
        Event::Copied { .. } => "copy",
        Event::TextChanged { .. } => "text",
        Event::Submitted(_) => "submit",
        Event::Configured { .. } => "setting",
        _ => return None,
    })
}

fn merge_counts<K: Ord>(counts: &mut BTreeMap<K, u64>, other: BTreeMap<K, u64>) {
    for (key, count) in other {
        *counts.entry(key).or_default() += count;
    }
}

/// Formats names with their counts, the most frequent first.
fn format_counts<'a>(counts: impl IntoIterator<Item = (&'a str, u64)>) -> String {
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    let words: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    if words.is_empty() {
        "none".to_owned()
    } else {
        words.join(", ")
    }
}

/// The tables at the end of a proof.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<20} {:>9} {:>9}  failures by code",
            "action", "steps", "ok"
        )?;
        for kind in ActionKind::ALL {
            let none = BTreeMap::new();
            let outcomes = self.outcomes.get(kind.as_str()).unwrap_or(&none);
            let all: u64 = outcomes.values().sum();
            let ok = outcomes.get("ok").copied().unwrap_or(0);
            let failures = outcomes.iter().filter(|(code, _)| *code != "ok");
            let failures = failures.map(|(code, count)| (code.as_str(), *count));
            let failures = format_counts(failures);
            writeln!(f, "{:<20} {all:>9} {ok:>9}  {failures}", kind.as_str())?;
        }
        let mut apps: BTreeMap<&str, (Vec<&str>, usize)> = BTreeMap::new();
        for screen in &self.screens {
            if let Some((app, screen)) = screen.split_once('/') {
                apps.entry(app).or_default().0.push(screen);
            }
        }
        for widget in &self.widgets {
            if let Some((app, _)) = widget.split_once('/') {
                apps.entry(app).or_default().1 += 1;
            }
        }
        writeln!(f, "\n{:<28} {:>7}  screens and dialogs", "app", "pressed")?;
        for (app, (screens, widgets)) in apps {
            let (count, names) = (screens.len(), screens.join(" "));
            writeln!(f, "{app:<28} {widgets:>7}  {count}: {names}")?;
        }
        let pairs: usize = self.outcomes.values().map(BTreeMap::len).sum();
        let stopped = self.stopped.iter();
        let stopped = format_counts(stopped.map(|(code, count)| (code.as_str(), *count)));
        let faults = format_counts(self.faults.iter().map(|(name, count)| (*name, *count)));
        let accepted: u64 = self.accepted.values().sum();
        writeln!(f, "\nplans: {}; stopped: {stopped}", self.plans)?;
        writeln!(f, "pairs of action and outcome: {pairs}")?;
        writeln!(f, "journal entries: {}", self.entries)?;
        let events = self.events.iter().map(|(name, count)| (*name, *count));
        writeln!(f, "events: {}", format_counts(events))?;
        let references = self.references.iter();
        let references = format_counts(references.map(|(name, count)| (*name, *count)));
        writeln!(f, "steps with references: {references}")?;
        writeln!(f, "faults that fired: {faults}")?;
        writeln!(
            f,
            "accepted contradictions (docs/guides/proof.md): {accepted}"
        )?;
        for (name, count) in &self.accepted {
            writeln!(f, "{count:>9}  {name}")?;
        }
        Ok(())
    }
}
