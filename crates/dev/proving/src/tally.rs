//! What a proof counted: steps, outcomes, places.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use contract::ActionKind;
use driver_sim::JournalEntry;
use driver_sim::journal::Event;

use crate::world::Trial;

/// Counts of one case or of many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Steps by action, then by outcome: `ok` or a code.
    pub outcomes: BTreeMap<&'static str, BTreeMap<String, u64>>,
    /// Runs that were stopped, by code.
    pub stopped: BTreeMap<String, u64>,
    /// Answers that were wrong within a limit that the documents name.
    pub limits: BTreeMap<&'static str, u64>,
    /// Faults that struck, by name.
    pub struck: BTreeMap<&'static str, u64>,
    /// What is done in several ways and happened at least once, by its name, with how often.
    pub happened: BTreeMap<&'static str, u64>,
    /// Plans that ran.
    pub plans: u64,
    /// Entries of journals.
    pub entries: u64,
    /// Screens and dialogs that were open, as `app/screen`.
    pub screens: BTreeSet<String>,
    /// Widgets that were pressed, as `app/screen id "name"`.
    pub pressed: BTreeSet<String>,
}

impl Tally {
    /// How many steps ended.
    pub fn steps(&self) -> u64 {
        self.outcomes.values().flat_map(BTreeMap::values).sum()
    }

    /// Adds what another has counted.
    pub fn merge(&mut self, other: Self) {
        for (action, outcomes) in other.outcomes {
            let own = self.outcomes.entry(action).or_default();
            for (outcome, count) in outcomes {
                *own.entry(outcome).or_default() += count;
            }
        }
        for (code, count) in other.stopped {
            *self.stopped.entry(code).or_default() += count;
        }
        for (limit, count) in other.limits {
            *self.limits.entry(limit).or_default() += count;
        }
        for (fault, count) in other.struck {
            *self.struck.entry(fault).or_default() += count;
        }
        for (what, count) in other.happened {
            *self.happened.entry(what).or_default() += count;
        }
        self.plans += other.plans;
        self.entries += other.entries;
        self.screens.extend(other.screens);
        self.pressed.extend(other.pressed);
    }

    pub(crate) fn add(&mut self, trial: &Trial, limits: &[&'static str]) {
        self.plans += 1;
        for limit in limits {
            *self.limits.entry(limit).or_default() += 1;
        }
        let Some(report) = &trial.report else { return };
        if let Err(error) = &report.outcome {
            *self
                .stopped
                .entry(error.code.as_str().to_owned())
                .or_default() += 1;
        }
        for result in crate::judge::results(report) {
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
            if let Some(what) = name_of(&entry.what) {
                *self.happened.entry(what).or_default() += 1;
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
                    self.pressed.insert(name);
                }
                Event::Fault { name, .. } => {
                    *self.struck.entry(name).or_default() += 1;
                }
                _ => {}
            }
        }
    }
}

/// The name under which an entry of the journal is counted.
const fn name_of(what: &Event) -> Option<&'static str> {
    Some(match what {
        Event::Clicked { .. } => "click",
        Event::LongClicked { .. } => "long click",
        Event::Scrolled { .. } => "scroll",
        Event::Flung { .. } => "fling",
        Event::Swiped { .. } => "pushed aside",
        Event::Refreshed(_) => "refresh",
        Event::Selected { .. } => "selection",
        Event::Copied { .. } => "copy",
        Event::TextChanged { .. } => "text",
        Event::Submitted(_) => "submit",
        Event::Configured { .. } => "setting",
        _ => return None,
    })
}

/// Where the time of the processor went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// Starting phones.
    pub starting: Duration,
    /// Looking at the screen and writing the next thing to do.
    pub planning: Duration,
    /// The phone and the engine.
    pub playing: Duration,
    /// Holding answers against journals.
    pub judging: Duration,
}

impl Spent {
    /// Adds what another has spent.
    pub fn merge(&mut self, other: &Self) {
        self.starting += other.starting;
        self.planning += other.planning;
        self.playing += other.playing;
        self.judging += other.judging;
    }

    /// All of it.
    pub fn whole(&self) -> Duration {
        self.starting + self.planning + self.playing + self.judging
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.whole();
        let share = |part: Duration| 100.0 * part.as_secs_f64() / whole.as_secs_f64().max(1e-9);
        write!(
            f,
            "{:.1} s of the processor: {:.0} % starting phones, {:.0} % planning, {:.0} % playing, {:.0} % judging",
            whole.as_secs_f64(),
            share(self.starting),
            share(self.planning),
            share(self.playing),
            share(self.judging),
        )
    }
}

/// Names with their counts, the most frequent first.
fn counted<'a>(counts: impl IntoIterator<Item = (&'a str, u64)>) -> String {
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
            let failures = counted(failures);
            writeln!(f, "{:<20} {all:>9} {ok:>9}  {failures}", kind.as_str())?;
        }
        let mut apps: BTreeMap<&str, (Vec<&str>, usize)> = BTreeMap::new();
        for screen in &self.screens {
            if let Some((app, screen)) = screen.split_once('/') {
                apps.entry(app).or_default().0.push(screen);
            }
        }
        for widget in &self.pressed {
            if let Some((app, _)) = widget.split_once('/') {
                apps.entry(app).or_default().1 += 1;
            }
        }
        writeln!(
            f,
            "\n{:<28} {:>7}  screens and dialogs that were open",
            "app", "pressed"
        )?;
        for (app, (screens, widgets)) in apps {
            let (count, names) = (screens.len(), screens.join(" "));
            writeln!(f, "{app:<28} {widgets:>7}  {count}: {names}")?;
        }
        let pairs: usize = self.outcomes.values().map(BTreeMap::len).sum();
        let stopped = self.stopped.iter();
        let stopped = counted(stopped.map(|(code, count)| (code.as_str(), *count)));
        let struck = counted(self.struck.iter().map(|(name, count)| (*name, *count)));
        let known: u64 = self.limits.values().sum();
        writeln!(f, "\nplans: {}; stopped: {stopped}", self.plans)?;
        writeln!(f, "pairs of action and outcome: {pairs}")?;
        writeln!(f, "entries in the journals: {}", self.entries)?;
        let happened = self.happened.iter().map(|(name, count)| (*name, *count));
        writeln!(f, "what fingers and keys did: {}", counted(happened))?;
        writeln!(f, "faults that struck: {struck}")?;
        writeln!(f, "let through, as docs/guides/proof.md says: {known}")?;
        for (limit, count) in &self.limits {
            writeln!(f, "{count:>9}  {limit}")?;
        }
        Ok(())
    }
}
