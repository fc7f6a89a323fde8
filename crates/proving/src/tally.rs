//! What a proof counted: steps, outcomes, places.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use contract::ActionKind;
use driver_sim::JournalEntry;
use driver_sim::journal::Happening;

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
            match &entry.what {
                Happening::Opened { app, screen } => {
                    self.screens.insert(format!("{app}/{screen}"));
                }
                Happening::Clicked { widget, .. } | Happening::LongClicked { widget, .. } => {
                    let name = if widget.id.is_empty() {
                        format!("{}/{} {:?}", widget.app, widget.screen, widget.name)
                    } else {
                        format!("{}/{} {}", widget.app, widget.screen, widget.id)
                    };
                    self.pressed.insert(name);
                }
                _ => {}
            }
        }
    }
}

/// The table at the end of a proof.
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
            write!(f, "{:<20} {all:>9} {ok:>9} ", kind.as_str())?;
            for (code, count) in outcomes.iter().filter(|(code, _)| *code != "ok") {
                write!(f, " {code} {count}")?;
            }
            writeln!(f)?;
        }
        write!(f, "{} steps in {} plans;", self.steps(), self.plans)?;
        for (code, count) in &self.stopped {
            write!(f, " {count} stopped with {code};")?;
        }
        let pairs: usize = self.outcomes.values().map(BTreeMap::len).sum();
        writeln!(
            f,
            " {pairs} pairs of action and outcome; {} entries in the journals",
            self.entries
        )?;
        for (limit, count) in &self.limits {
            writeln!(f, "known limit, {limit}: {count}")?;
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
        for (app, (screens, widgets)) in apps {
            writeln!(
                f,
                "{app}: {widgets} widgets pressed, {} screens and dialogs open: {}",
                screens.len(),
                screens.join(" ")
            )?;
        }
        Ok(())
    }
}
