//! Where what moves in a window is now: shifts of widgets, of the window itself, and of its message.

use std::time::Duration;

use sim_format::widget::{Curve, Spec};

/// How long windows, keyboard and messages take to come in.
pub const ENTER: Duration = Duration::from_millis(250);

/// What moves in a window.
#[derive(Clone, Debug, Default)]
pub struct Play {
    now: Duration,
    age: Duration,
    density: f32,
    /// The way on which the window comes in.
    pub window: Option<Enter>,
    /// The way on which its message comes in.
    pub message: Option<Enter>,
}

/// Something that comes in from beside its place.
#[derive(Clone, Copy, Debug)]
pub struct Enter {
    pub from: (f32, f32),
    pub since: Duration,
}

fn share(since: Duration, duration: Duration, now: Duration) -> f64 {
    let passed = now.saturating_sub(since);
    if passed >= duration {
        1.0
    } else {
        passed.as_secs_f64() / duration.as_secs_f64()
    }
}

impl Enter {
    fn at(&self, now: Duration) -> (f32, f32) {
        let left = 1.0 - Curve::Decelerate.at(share(self.since, ENTER, now));
        let part = |from: f32| (f64::from(from) * left).round() as f32;
        (part(self.from.0), part(self.from.1))
    }

    fn moves(&self, now: Duration) -> bool {
        now < self.since + ENTER
    }
}

impl Play {
    /// What time it is for what is about to be placed.
    pub const fn tell(&mut self, now: Duration, age: Duration, density: f32) {
        self.now = now;
        self.age = age;
        self.density = density;
    }

    /// How far a widget and all in it are beside their place.
    pub fn shift(&self, spec: &Spec) -> Option<(f32, f32)> {
        let travel = spec.travel.as_ref()?;
        Some(travel.at(self.age, self.density))
    }

    /// How far the window is beside its place.
    pub fn window(&self) -> (f32, f32) {
        self.window.map_or((0.0, 0.0), |enter| enter.at(self.now))
    }

    /// How far its message does.
    pub fn message(&self) -> (f32, f32) {
        self.message.map_or((0.0, 0.0), |enter| enter.at(self.now))
    }

    /// Whether anything but widgets with ways of their own moves at `now`.
    pub fn moves(&self, now: Duration) -> bool {
        let enters = [&self.window, &self.message];
        enters.into_iter().flatten().any(|enter| enter.moves(now))
    }
}
