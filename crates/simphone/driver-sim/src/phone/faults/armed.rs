//! The armed faults of a phone, and the decision which of them fire.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use driver::{Gesture, Key, NodeAct, NodeRef, Target};

use super::FalseTree;
use crate::phone::View;
use crate::seeded_rng::SeededRng;
use sim_format::fault::{
    Calls, Fault, FaultDuration, FaultError, FaultKind, Input, MAX, Start, too_many,
};

/// How many views are kept for outdated trees.
const KEPT_VIEWS: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FaultId(u64);

impl FaultId {
    pub(crate) const fn number(self) -> u64 {
        self.0
    }
}

#[derive(Debug)]
struct ArmedFault {
    id: FaultId,
    fault: Fault,
    rng: SeededRng,
    since: Duration,
    calls: u32,
    fired: u32,
    until: Option<Duration>,
}

#[derive(Clone, Debug)]
pub(crate) enum QueuedInput {
    Act(NodeRef, NodeAct),
    Touch(Gesture),
    Key(Key),
    Text(String),
    Code(crate::keycode::Keycode),
    Open(Target),
}

#[derive(Debug)]
pub(crate) struct FrozenInput {
    /// When it thaws; never if `None`.
    pub(crate) until: Option<Duration>,
    pub(crate) input: Input,
    pub(crate) queued: Vec<QueuedInput>,
}

/// The faults of a phone. Without any, nothing is drawn and nothing changes.
#[derive(Debug, Default)]
pub struct Faults {
    seed: u64,
    armed: Vec<ArmedFault>,
    ids: u64,
    /// How many faults of each name were set: each has its own generator.
    named: BTreeMap<&'static str, u32>,
    pub(super) apps: BTreeSet<Arc<str>>,
    pub(crate) frozen: Option<FrozenInput>,
    /// The tree of the last observation, if it is not that of the screen.
    pub(crate) false_tree: Option<FalseTree>,
    /// Past views, oldest first, kept while a fault needs them.
    pub(super) past: VecDeque<(Duration, Arc<View>)>,
}

impl Faults {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }

    /// The set faults, in the order in which they were set.
    pub fn list(&self) -> impl Iterator<Item = (FaultId, &Fault)> {
        self.armed.iter().map(|armed| (armed.id, &armed.fault))
    }

    /// How often a fault fired; 0 if it was removed after its last time.
    pub fn fired(&self, id: FaultId) -> u32 {
        self.armed
            .iter()
            .find(|armed| armed.id == id)
            .map_or(0, |armed| armed.fired)
    }

    pub const fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.armed.is_empty()
    }

    pub(super) fn add(&mut self, fault: Fault, now: Duration) -> Result<FaultId, FaultError> {
        if self.armed.len() >= MAX {
            self.armed.retain(|armed| !armed.is_exhausted(now));
        }
        if self.armed.len() >= MAX {
            return Err(too_many(self.armed.len() + 1));
        }
        self.ids += 1;
        let id = FaultId(self.ids);
        let name = fault.kind.name();
        let count = self.named.entry(name).or_default();
        *count += 1;
        // The second fault of a name draws other numbers than the first.
        let rng = match *count {
            1 => SeededRng::new(self.seed, name),
            count => SeededRng::new(self.seed, &format!("{name}/{count}")),
        };
        self.armed.push(ArmedFault {
            id,
            fault,
            rng,
            since: now,
            calls: 0,
            fired: 0,
            until: None,
        });
        Ok(id)
    }

    /// The `wanted` faults that fire on a call, in the order in which they were set, with their durations and
    /// generators.
    pub(super) fn fire(
        &mut self,
        now: Duration,
        calls: Calls,
        app: &str,
        matches: impl Fn(&FaultKind) -> bool,
    ) -> Vec<(FaultKind, FaultDuration, SeededRng)> {
        let mut fired = Vec::new();
        for armed in &mut self.armed {
            if matches(&armed.fault.kind) && armed.fires_on(now, calls, app) {
                // Its decisions use a copy of the generator, which advances by one draw each time it fires.
                let rng = armed.rng.clone();
                armed.rng.next();
                fired.push((armed.fault.kind.clone(), armed.fault.lasts(), rng));
            }
        }
        fired
    }

    /// Fires a scheduled fault; `None` if it was removed or does not fire now.
    pub(super) fn fire_scheduled(
        &mut self,
        id: u64,
        now: Duration,
        app: &str,
    ) -> Option<(FaultKind, FaultDuration, SeededRng)> {
        let armed = self.armed.iter_mut().find(|armed| armed.id.0 == id)?;
        let is_in_app = armed.fault.when.app.as_deref().is_none_or(|own| own == app);
        if !is_in_app || !armed.draw_chance() {
            return None;
        }
        armed.count(now);
        let rng = armed.rng.clone();
        armed.rng.next();
        Some((armed.fault.kind.clone(), armed.fault.lasts(), rng))
    }

    /// Keeps a view while a fault may report it later.
    pub(crate) fn remember(&mut self, now: Duration, view: &Arc<View>) {
        let needed = self
            .armed
            .iter()
            .any(|armed| matches!(armed.fault.kind, FaultKind::StaleTree { .. }));
        if needed {
            self.past.push_back((now, Arc::clone(view)));
            if self.past.len() > KEPT_VIEWS {
                self.past.pop_front();
            }
        }
    }

    /// The view of `age` ago, or the oldest kept.
    pub(super) fn view_before(&self, now: Duration, age: Duration) -> Option<Arc<View>> {
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

impl ArmedFault {
    /// Whether it will never fire again.
    fn is_exhausted(&self, now: Duration) -> bool {
        self.fired >= self.fault.times() && self.until.is_none_or(|until| until <= now)
    }

    fn fires_on(&mut self, now: Duration, calls: Calls, app: &str) -> bool {
        let when = &self.fault.when;
        let on = when.on.unwrap_or_else(|| self.fault.kind.calls());
        if !on.intersects(calls) || when.app.as_deref().is_some_and(|own| own != app) {
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
        let has_started = match when.start {
            Start::AtOnce => true,
            Start::Call(call) => self.calls >= call,
            Start::After(time) => now.saturating_sub(self.since) >= time,
        };
        if !has_started || !self.draw_chance() {
            return false;
        }
        self.count(now);
        true
    }

    /// Whether it may still fire, and its chance is drawn.
    fn draw_chance(&mut self) -> bool {
        self.fired < self.fault.times()
            && self
                .fault
                .when
                .chance
                .is_none_or(|chance| self.rng.hits(chance))
    }

    fn count(&mut self, now: Duration) {
        self.fired = self.fired.saturating_add(1);
        // The phone itself keeps the duration of such faults.
        if self.fault.kind.row().moment {
            return;
        }
        self.until = match self.fault.lasts() {
            FaultDuration::Once => None,
            FaultDuration::For(time) => Some(now.saturating_add(time)),
            FaultDuration::Good => Some(Duration::MAX),
        };
    }
}
