//! The faults that a phone has, and the decision which of them strike.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use driver::{Gesture, Key, NodeAct, NodeRef, Target};

use super::Mask;
use crate::phone::View;
use crate::seed::Dice;
use sim_format::fault::{Calls, Fault, FaultError, FaultKind, Input, Lasts, MAX, Start, too_many};

/// How many trees are kept for one of some time ago.
const REMEMBERED: usize = 64;

/// Names a fault of a phone for as long as the phone lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaultId(u64);

impl FaultId {
    pub(crate) const fn number(self) -> u64 {
        self.0
    }
}

/// A fault that a phone has.
#[derive(Debug)]
struct Armed {
    id: FaultId,
    fault: Fault,
    dice: Dice,
    since: Duration,
    /// How many calls that it is about were made.
    calls: u32,
    /// How often it has struck.
    strikes: u32,
    /// Until when it goes on.
    until: Option<Duration>,
}

/// An input that a frozen screen keeps for later.
#[derive(Clone, Debug)]
pub(crate) enum QueuedInput {
    Act(NodeRef, NodeAct),
    Touch(Gesture),
    Key(Key),
    Text(String),
    Code(crate::keycode::Keycode),
    Open(Target),
}

/// A screen that does not answer.
#[derive(Debug)]
pub(crate) struct Frozen {
    /// When it does again; never without.
    pub(crate) until: Option<Duration>,
    pub(crate) input: Input,
    pub(crate) kept: Vec<QueuedInput>,
}

/// The faults of a phone. Without any it asks nothing, throws no dice and changes nothing.
#[derive(Debug, Default)]
pub struct Faults {
    seed: u64,
    armed: Vec<Armed>,
    ids: u64,
    /// How many faults of each name there have been: each has dice of its own.
    named: BTreeMap<&'static str, u32>,
    /// The apps whose own faults were set.
    pub(super) apps: BTreeSet<Arc<str>>,
    pub(crate) frozen: Option<Frozen>,
    /// The last tree that was reported instead of the screen.
    pub(crate) mask: Option<Mask>,
    /// What was seen, oldest first, as long as a fault needs it.
    pub(super) past: VecDeque<(Duration, Arc<View>)>,
}

impl Faults {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }

    /// Every fault that is set, in the order in which they were.
    pub fn list(&self) -> impl Iterator<Item = (FaultId, &Fault)> {
        self.armed.iter().map(|armed| (armed.id, &armed.fault))
    }

    /// How often a fault has struck; 0 when it had struck for the last time and made room for another.
    pub fn strikes(&self, id: FaultId) -> u32 {
        self.armed
            .iter()
            .find(|armed| armed.id == id)
            .map_or(0, |armed| armed.strikes)
    }

    /// Whether the screen is frozen at this moment.
    pub const fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.armed.is_empty()
    }

    pub(super) fn add(&mut self, fault: Fault, now: Duration) -> Result<FaultId, FaultError> {
        if self.armed.len() >= MAX {
            self.armed.retain(|armed| !armed.spent(now));
        }
        if self.armed.len() >= MAX {
            return Err(too_many(self.armed.len() + 1));
        }
        self.ids += 1;
        let id = FaultId(self.ids);
        let name = fault.kind.name();
        let count = self.named.entry(name).or_default();
        *count += 1;
        // The second fault of a name throws other dice than the first.
        let dice = match *count {
            1 => Dice::new(self.seed, name),
            count => Dice::new(self.seed, &format!("{name}/{count}")),
        };
        self.armed.push(Armed {
            id,
            fault,
            dice,
            since: now,
            calls: 0,
            strikes: 0,
            until: None,
        });
        Ok(id)
    }

    /// The faults among `wanted` that strike a call, in the order in which they were set, each with how long it goes on and
    /// with its dice thrown.
    pub(super) fn strike(
        &mut self,
        now: Duration,
        calls: Calls,
        app: &str,
        wanted: impl Fn(&FaultKind) -> bool,
    ) -> Vec<(FaultKind, Lasts, Dice)> {
        let mut struck = Vec::new();
        for armed in &mut self.armed {
            if wanted(&armed.fault.kind) && armed.strikes(now, calls, app) {
                // What it decides comes from the dice of this strike alone.
                let dice = armed.dice.clone();
                armed.dice.next();
                struck.push((armed.fault.kind.clone(), armed.fault.lasts(), dice));
            }
        }
        struck
    }

    /// A fault whose moment has come, and how long it goes on; `None` when it was removed or does not strike now.
    pub(super) fn due(
        &mut self,
        id: u64,
        now: Duration,
        app: &str,
    ) -> Option<(FaultKind, Lasts, Dice)> {
        let armed = self.armed.iter_mut().find(|armed| armed.id.0 == id)?;
        let there = armed.fault.when.app.as_deref().is_none_or(|own| own == app);
        if !there || !armed.lot() {
            return None;
        }
        armed.hit(now);
        let dice = armed.dice.clone();
        armed.dice.next();
        Some((armed.fault.kind.clone(), armed.fault.lasts(), dice))
    }

    /// Keeps what was seen, as long as a fault may show it later.
    pub(crate) fn remember(&mut self, now: Duration, view: &Arc<View>) {
        let needed = self
            .armed
            .iter()
            .any(|armed| matches!(armed.fault.kind, FaultKind::StaleTree { .. }));
        if needed {
            self.past.push_back((now, Arc::clone(view)));
            if self.past.len() > REMEMBERED {
                self.past.pop_front();
            }
        }
    }

    /// What was seen `age` ago, or the oldest that is known.
    pub(super) fn seen_before(&self, now: Duration, age: Duration) -> Option<Arc<View>> {
        let then = now.checked_sub(age);
        let old = self
            .past
            .iter()
            .rev()
            .find(|(at, _)| then.is_some_and(|then| *at <= then))
            .or_else(|| self.past.front());
        old.map(|(_, view)| Arc::clone(view))
    }
}

impl Armed {
    /// Whether it will never strike again.
    fn spent(&self, now: Duration) -> bool {
        self.strikes >= self.fault.times() && self.until.is_none_or(|until| until <= now)
    }

    fn strikes(&mut self, now: Duration, calls: Calls, app: &str) -> bool {
        let when = &self.fault.when;
        let on = when.on.unwrap_or_else(|| self.fault.kind.calls());
        if !on.meets(calls) || when.app.as_deref().is_some_and(|own| own != app) {
            return false;
        }
        if self.fault.own_moment().is_some() {
            return false;
        }
        self.calls = self.calls.saturating_add(1);
        if let Some(until) = self.until {
            if now < until {
                return true;
            }
            self.until = None;
        }
        let begun = match when.start {
            Start::AtOnce => true,
            Start::Call(call) => self.calls >= call,
            Start::After(time) => now.saturating_sub(self.since) >= time,
        };
        if !begun || !self.lot() {
            return false;
        }
        self.hit(now);
        true
    }

    /// Whether it still may strike, and its dice say so.
    fn lot(&mut self) -> bool {
        self.strikes < self.fault.times()
            && self
                .fault
                .when
                .chance
                .is_none_or(|chance| self.dice.hits(chance))
    }

    fn hit(&mut self, now: Duration) {
        self.strikes = self.strikes.saturating_add(1);
        // What happens to the phone has its length there.
        if self.fault.kind.row().moment {
            return;
        }
        self.until = match self.fault.lasts() {
            Lasts::Once => None,
            Lasts::For(time) => Some(now.saturating_add(time)),
            Lasts::Good => Some(Duration::MAX),
        };
    }
}
