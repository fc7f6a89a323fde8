//! Generates cases: operations that fit the present screen, both valid and mistaken.

mod actions;
mod apps;
mod faults;
mod generate;
mod interrupts;
mod manipulations;
mod matchers;
mod samples;

use std::collections::HashSet;

use driver_sim::{AnimationChoice, PaceChoice, SeededRng, ThemeChoice};
use serde_json::{Value, json};
use uitree::{NodeId, UiTree, WindowKind};

use crate::case::{Op, Setup};

pub use faults::Faults;
pub use generate::{GeneratedCase, generate};

/// Screens of the phones: width, height, density.
const SCREENS: [(i32, i32, f32); 6] = [
    (1080, 2340, 2.625),
    (1080, 2340, 2.625),
    (720, 1280, 2.0),
    (360, 640, 1.0),
    (1440, 3120, 3.5),
    (2340, 1080, 2.625),
];

/// The random generator of operations.
pub(crate) struct Planner {
    rng: SeededRng,
    /// Number of plans so far, for their ids.
    plans: u64,
    faults: Faults,
    /// Hashes of the nodes already touched. Only for lookup; never iterated.
    touched: HashSet<u64>,
}

/// The screen as the planner sees it.
pub(crate) struct View<'a> {
    /// The tree; `None` while the screen is off.
    pub(crate) tree: Option<&'a UiTree>,
    /// The references of the elements on the screen.
    pub(crate) refs: &'a [(String, NodeId)],
    /// The number of the last reference that was given.
    pub(crate) last_ref: u32,
    pub(crate) width: i32,
    pub(crate) height: i32,
}

impl Planner {
    pub(crate) fn new(seed: u64, faults: &Faults) -> Self {
        Self {
            rng: SeededRng::new(seed, "plans"),
            plans: 0,
            faults: faults.clone(),
            touched: HashSet::new(),
        }
    }

    pub(crate) fn setup(&mut self) -> Setup {
        let (width, height, density) = self.pick(&SCREENS);
        let app = self
            .chance(70)
            .then(|| self.pick(&apps::built_in().packages).to_owned());
        let faults = self.choose_faults();
        Setup {
            screen: (width, height),
            density,
            theme: self.either(20, ThemeChoice::Dark, ThemeChoice::Light),
            seed: self.rng.next(),
            app,
            animations: self.either(20, AnimationChoice::On, AnimationChoice::Off),
            pace: self.either(20, PaceChoice::Phone, PaceChoice::Instant),
            faults,
        }
    }

    pub(crate) fn next_op(&mut self, view: &View<'_>) -> Op {
        if self.chance(45) {
            return self.manipulation(view);
        }
        self.plans += 1;
        let mut actions = Vec::new();
        let interrupts = if self.chance(8) {
            self.interrupt_rules(view)
        } else {
            Vec::new()
        };
        if interrupts.is_empty()
            && self.chance(4)
            && let Some(app) = view.tree.and_then(active_app)
        {
            // Restarts the app, which may change its window ids.
            for (id, kind) in [("end", "close_app"), ("begin", "open_app")] {
                actions.push(action_json(id, (kind, json!({ "applicationId": app }))));
            }
        }
        let count = 1 + self.below(6);
        for index in 0..count {
            let action = match interrupts.is_empty() {
                true => self.action(view),
                false => self.quiet_action(view),
            };
            // Duplicate ids are allowed, with a warning.
            let id = if self.chance(2) {
                "again".to_owned()
            } else {
                format!("s{index}")
            };
            actions.push(action_json(&id, action));
        }
        let timeout = match self.below(10) {
            0 => 1000 + self.below(3000),
            1 => 1000 + self.below(20_000),
            _ => 120_000,
        };
        let mut payload = json!({
            "commandId": format!("c{}", self.plans),
            "taskId": format!("t{}", self.plans % 3),
            "source": "proving",
            "expectedFormat": "android-ui-automator",
            "timeoutMs": timeout,
            "actions": actions,
        });
        if !interrupts.is_empty() {
            payload["interrupts"] = interrupts.into();
        }
        if self.chance(60) {
            payload["onFailure"] = "continue".into();
        } else if self.chance(30) {
            payload["onFailure"] = "stop".into();
        }
        if self.chance(10) {
            payload["mode"] = "direct".into();
        }
        Op::Run {
            payload,
            cancel: self.chance(4).then(|| self.below(6000)),
            budget: self.chance(4).then(|| 1 + self.below(4000)),
        }
    }

    pub(super) const fn below(&mut self, end: u64) -> u64 {
        self.rng.below(end)
    }

    /// Returns true with a probability of `percent`.
    pub(super) const fn chance(&mut self, percent: u64) -> bool {
        self.rng.below(100) < percent
    }

    /// Chooses the first value with a chance, else the second.
    pub(super) const fn either<T: Copy>(&mut self, percent: u64, first: T, second: T) -> T {
        if self.chance(percent) { first } else { second }
    }

    /// Chooses an element of a non-empty slice.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let index = self.rng.below(from.len() as u64) as usize;
        from[index.min(from.len() - 1)]
    }

    /// A random pixel coordinate in `least..end`.
    pub(super) fn pixel(&mut self, start: i32, end: i32) -> i32 {
        let span = u64::try_from(end.saturating_sub(start)).unwrap_or(0);
        start + i32::try_from(self.below(span)).unwrap_or(0)
    }
}

fn active_app(tree: &UiTree) -> Option<String> {
    let active = tree.windows().iter().find(|window| window.active)?;
    Some(tree.node(active.root).owner.to_string())
}

/// The root of the topmost window above the active one, such as a menu or dialog, except the keyboard.
fn top_overlay(tree: &UiTree) -> Option<NodeId> {
    let windows = tree.windows();
    let active = windows.iter().find(|window| window.active)?;
    windows
        .iter()
        .filter(|window| window.kind != WindowKind::InputMethod && window.layer > active.layer)
        .max_by_key(|window| window.layer)
        .map(|window| window.root)
}

fn action_json(id: &str, (kind, params): (&'static str, Value)) -> Value {
    let empty = params.as_object().is_some_and(serde_json::Map::is_empty);
    if empty {
        json!({ "id": id, "type": kind })
    } else {
        json!({ "id": id, "type": kind, "params": params })
    }
}
