//! Where what moves in a window is now: shifts of widgets, of the window itself, and of its message.

use std::collections::BTreeMap;
use std::time::Duration;

use sim_format::expr::Names;
use sim_format::widget::{Curve, Key, Plays, Spec};

use super::Aside;

/// How long windows, keyboard and messages take to come in.
pub const ENTER: Duration = Duration::from_millis(250);

/// What moves in a window.
#[derive(Clone, Debug, Default)]
pub struct Play {
    now: Duration,
    age: Duration,
    density: f32,
    slides: BTreeMap<Key, Slide>,
    /// The way on which the window comes in.
    pub window: Option<Enter>,
    /// The way on which its message comes in.
    pub message: Option<Enter>,
    /// How far each wheel is pulled down.
    pub pulls: BTreeMap<Key, Pull>,
    /// What was pushed aside.
    pub aside: BTreeMap<Key, Aside>,
}

/// A widget on its way to another place.
#[derive(Clone, Copy, Debug)]
struct Slide {
    from: (f32, f32),
    to: (f32, f32),
    since: Duration,
    duration: Duration,
}

/// Something that comes in from beside its place.
#[derive(Clone, Copy, Debug)]
pub struct Enter {
    pub from: (f32, f32),
    pub since: Duration,
    /// Whether it appears where it is.
    pub fades: bool,
}

/// A list that is pulled down.
#[derive(Clone, Copy, Debug)]
pub struct Pull {
    /// Pixels.
    pub by: f32,
    /// Whether a finger holds it.
    pub held: bool,
}

fn between(from: (f32, f32), to: (f32, f32), time: f64, curve: Curve) -> (f32, f32) {
    let share = curve.at(time);
    let part = |a: f32, b: f32| (f64::from(a) + f64::from(b - a) * share).round() as f32;
    (part(from.0, to.0), part(from.1, to.1))
}

fn share(since: Duration, duration: Duration, now: Duration) -> f64 {
    let passed = now.saturating_sub(since);
    if passed >= duration {
        1.0
    } else {
        passed.as_secs_f64() / duration.as_secs_f64()
    }
}

impl Slide {
    fn at(&self, now: Duration) -> (f32, f32) {
        between(
            self.from,
            self.to,
            share(self.since, self.duration, now),
            Curve::Smooth,
        )
    }
}

impl Enter {
    fn at(&self, now: Duration) -> (f32, f32) {
        between(
            self.from,
            (0.0, 0.0),
            share(self.since, ENTER, now),
            Curve::Decelerate,
        )
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
    pub fn shift(&self, spec: &Spec, key: Key) -> Option<(f32, f32)> {
        let moves = spec.moves.as_ref()?;
        let mut shift = (0.0, 0.0);
        if let Some(travel) = &moves.travel {
            shift = travel.at(self.age, self.density);
        }
        if moves.offset.is_some()
            && let Some(slide) = self.slides.get(&key)
        {
            let (x, y) = slide.at(self.now);
            shift = (shift.0 + x, shift.1 + y);
        }
        if moves.wheel.is_some()
            && let Some(pull) = self.pulls.get(&key)
        {
            shift.1 += (pull.by - super::refresh::WHEEL * self.density).round();
        }
        if moves.swipe.is_some()
            && let Some(away) = self.aside.get(&key)
        {
            shift.0 += away.at(self.now);
        }
        Some(shift)
    }

    /// How far the window is beside its place.
    pub fn window(&self) -> (f32, f32) {
        self.window.map_or((0.0, 0.0), |enter| enter.at(self.now))
    }

    /// The share of the window that is seen while it appears where it is.
    pub fn appears(&self) -> Option<f32> {
        let enter = self.window.as_ref().filter(|enter| enter.fades)?;
        let share = Curve::Decelerate.at(share(enter.since, ENTER, self.now));
        (share < 1.0).then_some(share as f32)
    }

    /// How far its message does.
    pub fn message(&self) -> (f32, f32) {
        self.message.map_or((0.0, 0.0), |enter| enter.at(self.now))
    }

    /// Whether anything but widgets with ways of their own moves at `now`.
    pub fn moves(&self, now: Duration) -> bool {
        let enters = [&self.window, &self.message];
        enters.into_iter().flatten().any(|enter| enter.moves(now))
            || self.aside.values().any(|away| away.moves(now))
            || self
                .slides
                .values()
                .any(|slide| now < slide.since + slide.duration)
    }

    /// Sends widgets whose values have changed on their way; whether any has.
    pub fn follow(
        &mut self,
        plays: &Plays,
        names: &Names<'_>,
        now: Duration,
        density: f32,
    ) -> bool {
        let mut changed = false;
        for (key, spec) in &plays.offsets {
            let Some(offset) = spec.moves.as_ref().and_then(|moves| moves.offset.as_ref()) else {
                continue;
            };
            let px = |expr: &Option<sim_format::expr::Expr>| {
                let value = expr.as_ref().map_or(0.0, |expr| expr.value(names).number());
                ((value * f64::from(density)).round() as f32).clamp(-100_000.0, 100_000.0)
            };
            let to = (px(&offset.x), px(&offset.y));
            let known = self.slides.get(key).copied();
            if known.is_some_and(|slide| slide.to == to) {
                continue;
            }
            changed |= known.is_some() || to != (0.0, 0.0);
            self.slides.insert(
                *key,
                Slide {
                    from: known.map_or(to, |slide| slide.at(now)),
                    to,
                    since: now,
                    duration: known.map_or(Duration::ZERO, |_| offset.duration),
                },
            );
        }
        changed | self.follow_wheels(plays, names, density)
    }

    fn follow_wheels(&mut self, plays: &Plays, names: &Names<'_>, density: f32) -> bool {
        let mut changed = false;
        for (key, _, spec) in &plays.wheels {
            let refreshing = spec
                .moves
                .as_ref()
                .and_then(|moves| moves.wheel.as_ref()?.refreshing.as_ref())
                .is_some_and(|refreshing| refreshing.holds(names));
            let rest = (super::refresh::PULL * density).round();
            let known = self.pulls.get(key);
            match known {
                Some(pull) if pull.held => {}
                Some(pull) if refreshing && pull.by == rest => {}
                _ if refreshing => {
                    let pull = Pull {
                        by: rest,
                        held: false,
                    };
                    self.pulls.insert(*key, pull);
                    changed = true;
                }
                Some(_) => {
                    self.pulls.remove(key);
                    changed = true;
                }
                None => {}
            }
        }
        changed
    }
}
