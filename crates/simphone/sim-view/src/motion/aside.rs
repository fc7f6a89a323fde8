//! Rows that a finger pushes aside: they follow it, and go or come back when it leaves.

use std::time::Duration;

use sim_format::widget::Curve;

/// How long a row takes to go or to come back.
pub const TIME: Duration = Duration::from_millis(200);

/// A widget beside its place.
#[derive(Clone, Copy, Debug)]
pub enum Aside {
    /// A finger holds it so many pixels to the right.
    Held(f32),
    /// It goes on by itself.
    Going { from: f32, to: f32, since: Duration },
}

impl Aside {
    pub fn at(&self, now: Duration) -> f32 {
        match self {
            Aside::Held(by) => *by,
            Aside::Going { from, to, since } => {
                let passed = now.saturating_sub(*since).as_secs_f64() / TIME.as_secs_f64();
                let share = Curve::Decelerate.at(passed);
                (f64::from(*from) + f64::from(to - from) * share).round() as f32
            }
        }
    }

    pub fn moves(&self, now: Duration) -> bool {
        match self {
            Aside::Held(_) => false,
            Aside::Going { since, .. } => now < *since + TIME,
        }
    }
}
