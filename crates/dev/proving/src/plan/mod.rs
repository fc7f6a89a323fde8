//! Makes cases: looks at the present screen and writes what a caller might do on it, plausible or mistaken.

mod actions;
mod apps;
mod faults;
mod make;
mod matchers;
mod monkey;
mod words;

use std::collections::HashSet;

use driver_sim::{AnimationChoice, Dice, PaceChoice, ThemeChoice};
use serde_json::{Value, json};
use uitree::{NodeId, UiTree, WindowKind};

use crate::case::{Op, Setup};

pub use faults::Faults;
pub use make::{GeneratedCase, make};

/// The phones that cases run on: width, height, density.
const SCREENS: [(i32, i32, f32); 6] = [
    (1080, 2340, 2.625),
    (1080, 2340, 2.625),
    (720, 1280, 2.0),
    (360, 640, 1.0),
    (1440, 3120, 3.5),
    (2340, 1080, 2.625),
];

/// What a plan may take of the things that are there.
pub(crate) struct Planner {
    dice: Dice,
    /// Counts the plans, so that each has a name.
    plans: u64,
    /// The app that the case is about; any without one.
    app: Option<String>,
    /// What goes wrong on its phones.
    faults: Faults,
    /// What a finger has been put on; asked for, and never gone through in order.
    chosen: HashSet<u64>,
}

/// What the planner sees.
pub(crate) struct View<'a> {
    /// The screen; `None` while it is off.
    pub(crate) tree: Option<&'a UiTree>,
    pub(crate) width: i32,
    pub(crate) height: i32,
}

impl Planner {
    pub(crate) fn new(seed: u64, app: Option<&str>, faults: &Faults) -> Self {
        Self {
            dice: Dice::new(seed, "plans"),
            plans: 0,
            app: app.map(ToOwned::to_owned),
            faults: faults.clone(),
            chosen: HashSet::new(),
        }
    }

    /// The phone of the case.
    pub(crate) fn setup(&mut self) -> Setup {
        let (width, height, density) = self.pick(&SCREENS);
        let app = match self.app.clone() {
            Some(app) => Some(app),
            None if self.chance(70) => Some(self.pick(&apps::all().packages).to_owned()),
            None => None,
        };
        let faults = self.faults_of_case();
        Setup {
            screen: (width, height),
            density,
            theme: if self.chance(20) {
                ThemeChoice::Dark
            } else {
                ThemeChoice::Light
            },
            seed: self.dice.next(),
            app,
            animations: if self.chance(20) {
                AnimationChoice::On
            } else {
                AnimationChoice::Off
            },
            pace: if self.chance(20) {
                PaceChoice::Phone
            } else {
                PaceChoice::Instant
            },
            faults,
        }
    }

    /// What is done next.
    pub(crate) fn next(&mut self, view: &View<'_>) -> Op {
        if self.chance(45) {
            return self.monkey(view);
        }
        self.plans += 1;
        let mut actions = Vec::new();
        if self.chance(4)
            && let Some(app) = view.tree.and_then(front)
        {
            // What was seen before an app was started again: its ids may be others then.
            for (id, kind) in [("end", "close_app"), ("begin", "open_app")] {
                actions.push(with_id(id, (kind, json!({ "applicationId": app }))));
            }
        }
        let count = 1 + self.below(6);
        for place in 0..count {
            let action = self.action(view);
            // Ids that occur twice are allowed, with a warning.
            let id = if self.chance(2) {
                "again".to_owned()
            } else {
                format!("s{place}")
            };
            actions.push(with_id(&id, action));
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
        self.dice.below(end)
    }

    /// Whether something happens that happens `percent` times out of a hundred.
    pub(super) const fn chance(&mut self, percent: u64) -> bool {
        self.dice.below(100) < percent
    }

    /// One of these; there is at least one.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let place = self.dice.below(from.len() as u64) as usize;
        from[place.min(from.len() - 1)]
    }

    /// A number of pixels from `least` up to and without `end`.
    pub(super) fn pixel(&mut self, least: i32, end: i32) -> i32 {
        let span = u64::try_from(end.saturating_sub(least)).unwrap_or(0);
        least + i32::try_from(self.below(span)).unwrap_or(0)
    }
}

/// The app that the user works in.
fn front(tree: &UiTree) -> Option<String> {
    let active = tree.windows().iter().find(|window| window.active)?;
    Some(tree.node(active.root).owner.to_string())
}

/// The root of what lies over the window that the user works in, such as a menu, a list of suggestions or the buttons
/// over a selection; the keyboard is none of it.
fn uppermost(tree: &UiTree) -> Option<NodeId> {
    let windows = tree.windows();
    let own = windows.iter().find(|window| window.active)?;
    windows
        .iter()
        .filter(|window| window.kind != WindowKind::InputMethod && window.layer > own.layer)
        .max_by_key(|window| window.layer)
        .map(|window| window.root)
}

/// An action with its id in front.
fn with_id(id: &str, (kind, params): (&'static str, Value)) -> Value {
    let empty = params.as_object().is_some_and(serde_json::Map::is_empty);
    if empty {
        json!({ "id": id, "type": kind })
    } else {
        json!({ "id": id, "type": kind, "params": params })
    }
}
