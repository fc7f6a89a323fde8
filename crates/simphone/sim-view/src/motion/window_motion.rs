//! Current animation offsets of a window, its message and its widgets.

use std::time::Duration;

use sim_format::widget::{Curve, Spec};

/// The duration of enter animations of windows, keyboard and messages.
pub const ENTER: Duration = Duration::from_millis(250);

#[derive(Clone, Debug, Default)]
pub struct WindowMotion {
    now: Duration,
    age: Duration,
    density: f32,
    pub window: Option<Enter>,
    pub message: Option<Enter>,
}

/// An enter animation that starts at an offset.
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

impl WindowMotion {
    /// Sets the time for the next layout.
    pub const fn set_time(&mut self, now: Duration, age: Duration, density: f32) {
        self.now = now;
        self.age = age;
        self.density = density;
    }

    /// Returns the offset of a widget and its content.
    pub fn shift(&self, spec: &Spec) -> Option<(f32, f32)> {
        let movement = spec.movement.as_ref()?;
        Some(movement.at(self.age, self.density))
    }

    pub fn window(&self) -> (f32, f32) {
        self.window.map_or((0.0, 0.0), |enter| enter.at(self.now))
    }

    pub fn message(&self) -> (f32, f32) {
        self.message.map_or((0.0, 0.0), |enter| enter.at(self.now))
    }

    /// Whether an enter animation of the window or its message runs at `now`.
    pub fn moves(&self, now: Duration) -> bool {
        let enters = [&self.window, &self.message];
        enters.into_iter().flatten().any(|enter| enter.moves(now))
    }
}
