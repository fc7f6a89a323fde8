//! Where what moves in a window is now: shifts of widgets, of the window itself, and of its message.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::app::Names;
use crate::phone::Phone;
use crate::widget::{Element, Key};

use super::Curve;
use super::moves::Plays;
use super::swipe::Aside;

/// How long windows, keyboard and messages take to come in.
pub(super) const ENTER: Duration = Duration::from_millis(250);

/// What moves in a window.
#[derive(Clone, Debug, Default)]
pub(crate) struct Play {
    now: Duration,
    age: Duration,
    density: f32,
    slides: BTreeMap<Key, Slide>,
    /// The way on which the window comes in.
    window: Option<Enter>,
    /// The way on which its message comes in.
    message: Option<Enter>,
    /// How far each wheel is pulled down.
    pub(crate) pulls: BTreeMap<Key, Pull>,
    /// What was pushed aside.
    pub(super) aside: BTreeMap<Key, Aside>,
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
struct Enter {
    from: (f32, f32),
    since: Duration,
    /// Whether it appears where it stands.
    fades: bool,
}

/// A list that is pulled down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull {
    /// Pixels.
    pub(crate) by: f32,
    /// Whether a finger holds it.
    pub(crate) held: bool,
}

/// From which side something comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Right,
    Left,
    Below,
    /// It appears where it stands.
    Nowhere,
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
    pub(crate) const fn tell(&mut self, now: Duration, age: Duration, density: f32) {
        self.now = now;
        self.age = age;
        self.density = density;
    }

    /// How far a widget and all in it stand beside their place.
    pub(crate) fn shift(&self, element: &Element) -> Option<(f32, f32)> {
        let moves = element.spec.moves.as_ref()?;
        let mut shift = (0.0, 0.0);
        if let Some(travel) = &moves.travel {
            shift = travel.at(self.age, self.density);
        }
        if moves.offset.is_some()
            && let Some(slide) = self.slides.get(&element.key)
        {
            let (x, y) = slide.at(self.now);
            shift = (shift.0 + x, shift.1 + y);
        }
        if moves.wheel.is_some()
            && let Some(pull) = self.pulls.get(&element.key)
        {
            shift.1 += (pull.by - super::refresh::WHEEL * self.density).round();
        }
        if moves.swipe.is_some()
            && let Some(away) = self.aside.get(&element.key)
        {
            shift.0 += away.at(self.now);
        }
        Some(shift)
    }

    /// Whether a widget was pushed aside.
    pub(crate) fn is_aside(&self, key: Key) -> bool {
        self.aside.contains_key(&key)
    }

    /// How far the window stands beside its place.
    pub(crate) fn window(&self) -> (f32, f32) {
        self.window.map_or((0.0, 0.0), |enter| enter.at(self.now))
    }

    /// The share of the window that is seen while it appears where it stands.
    pub(crate) fn appears(&self) -> Option<f32> {
        let enter = self.window.as_ref().filter(|enter| enter.fades)?;
        let share = Curve::Decelerate.at(share(enter.since, ENTER, self.now));
        (share < 1.0).then_some(share as f32)
    }

    /// How far its message does.
    pub(crate) fn message(&self) -> (f32, f32) {
        self.message.map_or((0.0, 0.0), |enter| enter.at(self.now))
    }

    /// Whether anything but widgets with ways of their own moves at `now`.
    fn moves(&self, now: Duration) -> bool {
        let enters = [&self.window, &self.message];
        enters.into_iter().flatten().any(|enter| enter.moves(now))
            || self.aside.values().any(|away| away.moves(now))
            || self
                .slides
                .values()
                .any(|slide| now < slide.since + slide.duration)
    }

    /// Sends widgets whose values have changed on their way; whether any has.
    fn follow(&mut self, plays: &Plays, names: &Names<'_>, now: Duration, density: f32) -> bool {
        let mut changed = false;
        for (key, spec) in &plays.offsets {
            let Some(offset) = spec.moves.as_ref().and_then(|moves| moves.offset.as_ref()) else {
                continue;
            };
            let px = |expr: &Option<crate::app::Expr>| {
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

impl Phone {
    /// Lets what follows values follow them: called after everything that happens.
    pub(crate) fn follow_values(&mut self) {
        let (now, density) = (self.clock.now(), self.theme.density);
        let mut changed = false;
        let app = Arc::clone(self.tasks.front());
        if let Some(task) = self.task_mut(&app)
            && let Some(activity) = task.stack.last_mut()
        {
            for open in std::iter::once(&mut activity.open).chain(&mut activity.dialogs) {
                let plays = &open.page.plays;
                if !plays.are_none() {
                    let names = Names {
                        vars: &task.vars,
                        scope: &open.scope,
                    };
                    let did = open.local.play.follow(plays, &names, now, density);
                    open.local.version += u64::from(did);
                    changed |= did;
                }
            }
        }
        if changed {
            self.bump();
        }
    }

    /// Whether something in a window in sight moves, beside content that runs.
    pub(super) fn is_playing(&mut self) -> bool {
        if !self.awake {
            return false;
        }
        // What was painted last counts: between two frames nothing ends without the frame that shows its end.
        let now = self.frames.drawn();
        let keyboard = self.keyboard.as_ref();
        if keyboard.is_some_and(|keyboard| keyboard.local.play.moves(now)) {
            return true;
        }
        // Windows of the system lie above the apps; they come in, too.
        let overlays = self.overlays_shown().into_iter().map(|(window, _)| window);
        if self
            .shade
            .window()
            .into_iter()
            .chain(overlays)
            .filter_map(|window| self.overlay_open(window))
            .any(|open| open.local.play.moves(now))
        {
            return true;
        }
        let mut travelling: Option<(u64, Duration)> = None;
        if let Some(task) = self.front_task().filter(|task| task.ready)
            && let Some(activity) = task.stack.last()
        {
            if std::iter::once(&activity.open)
                .chain(&activity.dialogs)
                .any(|open| open.local.play.moves(now))
            {
                return true;
            }
            let top = task.top().filter(|open| open.page.plays.travels);
            travelling = top.map(|open| (open.id, now.saturating_sub(open.since)));
        }
        let Some((window, age)) = travelling else {
            return false;
        };
        self.view()
            .windows
            .iter()
            .filter(|shown| shown.id == window)
            .flat_map(|shown| &shown.scene.items)
            .filter_map(|item| item.element().spec.moves.as_ref()?.travel.as_ref())
            .any(|travel| !travel.ends_by(age))
    }

    /// Whether windows of an app slide in.
    pub(super) fn animates(&self, app: &str) -> bool {
        self.task(app)
            .and_then(|task| task.app.animations)
            .unwrap_or(self.animations)
            == super::AnimationChoice::On
    }

    /// A window of an app comes in from a side.
    pub(crate) fn window_enters(&mut self, app: &str, window: u64, side: Side) {
        let Some(from) = self.side_of(app, side) else {
            return;
        };
        let since = self.clock.now();
        if let Some(open) = self.open_mut(window) {
            open.local.play.window = Some(Enter {
                from,
                since,
                fades: side == Side::Nowhere,
            });
        }
    }

    /// The message of a window comes in from below.
    pub(crate) fn message_enters(&mut self, app: &str, window: u64) {
        if !self.animates(app) {
            return;
        }
        let (since, from) = (self.clock.now(), (0.0, self.theme.px(64.0).round()));
        if let Some(open) = self.open_mut(window) {
            open.local.play.message = Some(Enter {
                from,
                since,
                fades: false,
            });
        }
    }

    /// The keyboard comes in from below.
    pub(crate) fn keyboard_enters(&mut self) {
        let front = Arc::clone(self.tasks.front());
        if !self.animates(&front) {
            return;
        }
        let from = (
            0.0,
            crate::window::keyboard_height(self.display.size()) as f32,
        );
        let since = self.clock.now();
        if let Some(keyboard) = &mut self.keyboard {
            keyboard.local.play.window = Some(Enter {
                from,
                since,
                fades: false,
            });
        }
    }

    /// From where a window of an app comes in, if it does not just stand there.
    fn side_of(&self, app: &str, side: Side) -> Option<(f32, f32)> {
        let width = self.display.size().width as f32;
        self.animates(app).then(|| match side {
            Side::Right => (width, 0.0),
            Side::Left => (-(width / 3.0).round(), 0.0),
            Side::Below => (0.0, self.theme.px(48.0).round()),
            Side::Nowhere => (0.0, 0.0),
        })
    }
}
