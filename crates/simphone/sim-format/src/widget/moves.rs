//! What an app file says of widgets that move: ways of their own, places that follow a value, the wheel of a refresh.

use std::sync::Arc;
use std::time::Duration;

use crate::effects::Effects;
use crate::expr::Expr;
use crate::reader::{Fields, Located, Reader, read_way};
use crate::schema::Topic;
use crate::style::Dim;
use crate::units::FRAME;
use crate::widget::{Key, Kind, Source, Spec};
use crate::words::{Words, words};

use super::Curve;
use crate::effects::take as take_effects;

/// How a widget moves.
#[derive(Debug, Default)]
pub struct Moves {
    pub travel: Option<Travel>,
    pub offset: Option<Offset>,
    /// It is the wheel that a list shows while it is pulled down.
    pub wheel: Option<Refresh>,
    /// What happens when it is pushed aside, to either side.
    pub swipe: Option<Effects>,
}

/// A way that a widget goes by itself.
#[derive(Debug)]
pub struct Travel {
    to: (Dim, Dim),
    duration: Duration,
    delay: Duration,
    repeat: Repeat,
    curve: Curve,
}

words! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    enum Repeat {
        #[default]
        Once = "once",
        Restart = "restart",
        Reverse = "reverse",
    }
}

/// A place that follows a value.
#[derive(Debug)]
pub struct Offset {
    pub x: Option<Expr>,
    pub y: Option<Expr>,
    pub duration: Duration,
}

/// What happens when a list is pulled down at its top.
#[derive(Debug)]
pub struct Refresh {
    pub effects: Effects,
    pub refreshing: Option<Expr>,
    /// The slot of the list.
    pub list: u32,
}

const CURVES: [(&str, Curve); 3] = [
    ("linear", Curve::Linear),
    ("smooth", Curve::Smooth),
    ("decelerate", Curve::Decelerate),
];

impl Moves {
    pub(crate) fn of_wheel(refresh: Refresh) -> Self {
        Self {
            wheel: Some(refresh),
            ..Self::default()
        }
    }

    /// Takes `move`, `offset_x`, `offset_y` and `animate` out of a widget's keys.
    pub(crate) fn read(reader: &mut Reader, fields: &mut Fields<'_>) -> Option<Box<Self>> {
        let travel = fields.take("move").and_then(|at| Travel::read(reader, &at));
        let place = fields.take("offset_x");
        let x = place.as_ref().and_then(|at| reader.expr(at));
        let other = fields.take("offset_y");
        let y = other.as_ref().and_then(|at| reader.expr(at));
        let animate = fields.take("animate");
        let duration = animate.as_ref().and_then(|at| reader.duration(at));
        let offset = place.or(other);
        match (&offset, &animate) {
            (Some(at), _) if reader.rows > 0 => reader.problem(
                at,
                "`offset_x` and `offset_y` do not work in the rows of `items`; `move` does",
            ),
            (None, Some(at)) => {
                reader.problem(
                    at,
                    "`animate` is the time of a change of `offset_x` or `offset_y`",
                );
            }
            _ => {}
        }
        let swipe = fields
            .has("on_swipe")
            .then(|| take_effects(reader, fields, "on_swipe"));
        if travel.is_none() && offset.is_none() && swipe.is_none() {
            return None;
        }
        Some(Box::new(Self {
            travel,
            offset: offset.map(|_| Offset {
                x,
                y,
                duration: duration.unwrap_or_default(),
            }),
            wheel: None,
            swipe,
        }))
    }
}

impl Travel {
    fn read(reader: &mut Reader, at: &Located<'_>) -> Option<Self> {
        let mut fields = Fields::of(reader, at, Topic::Part("move"))?;
        let to = fields.take("to");
        if to.is_none() {
            reader.problem(at, "`to` is missing: how far it goes, right and down");
        }
        let to = to.and_then(|at| read_way(reader, &at));
        let travel = Self {
            to: to.unwrap_or_default(),
            duration: fields
                .duration(reader, "duration")
                .unwrap_or(Duration::from_millis(300))
                .max(FRAME),
            delay: fields.duration(reader, "delay").unwrap_or_default(),
            repeat: fields
                .word(reader, "repeat", Repeat::TABLE)
                .unwrap_or_default(),
            curve: fields
                .word(reader, "curve", &CURVES)
                .unwrap_or(Curve::Smooth),
        };
        fields.finish(reader);
        Some(travel)
    }

    /// How far it has come at this age of its screen, in pixels.
    pub fn at(&self, age: Duration, density: f32) -> (f32, f32) {
        let passed = age.saturating_sub(self.delay).as_nanos();
        let round = self.duration.as_nanos().max(1);
        let (rounds, within) = (passed / round, passed % round);
        let time = within as f64 / round as f64;
        let time = match self.repeat {
            Repeat::Once if rounds > 0 => 1.0,
            Repeat::Reverse if rounds % 2 == 1 => 1.0 - time,
            Repeat::Once | Repeat::Restart | Repeat::Reverse => time,
        };
        let share = self.curve.at(time);
        let part = |dim: Dim| (f64::from(dim.px(density)) * share).round() as f32;
        (part(self.to.0), part(self.to.1))
    }

    pub fn ends_by(&self, age: Duration) -> bool {
        self.repeat == Repeat::Once && age >= self.delay + self.duration
    }
}

impl Spec {
    /// Whether it is there only while its list is pulled down or refreshes; touches go through it.
    pub fn is_wheel(&self) -> bool {
        self.moves
            .as_ref()
            .is_some_and(|moves| moves.wheel.is_some())
    }
}

/// What moves on a page.
#[derive(Debug, Default)]
pub struct Plays {
    /// Whether anything goes a way by itself.
    pub travels: bool,
    /// The widgets whose places follow values.
    pub offsets: Vec<(Key, Arc<Spec>)>,
    /// The wheels, each with the key of its list.
    pub wheels: Vec<(Key, Key, Arc<Spec>)>,
}

impl Plays {
    /// Everything that moves below this widget.
    pub fn of(root: &Arc<Spec>) -> Self {
        let mut plays = Self::default();
        plays.collect(root, Some(Key(0)));
        plays
    }

    pub const fn are_none(&self) -> bool {
        self.offsets.is_empty() && self.wheels.is_empty()
    }

    /// `row` is `None` in rows that there are many of.
    fn collect(&mut self, spec: &Arc<Spec>, row: Option<Key>) {
        if let Some(moves) = &spec.moves {
            self.travels |= moves.travel.is_some();
            if let Some(row) = row {
                let key = Key::of(row, spec.slot);
                if moves.offset.is_some() {
                    self.offsets.push((key, Arc::clone(spec)));
                }
                if let Some(refresh) = &moves.wheel {
                    let list = Key::of(row, refresh.list);
                    self.wheels.push((key, list, Arc::clone(spec)));
                }
            }
        }
        for child in &spec.children {
            self.collect(child, row);
        }
        if let Kind::Scroller(scroller) = &spec.kind {
            let inner = row.map(|row| Key::of(row, spec.slot));
            match &scroller.source {
                Source::Written(rows) => {
                    for (content, _) in rows {
                        self.collect(content, inner);
                    }
                }
                Source::Records {
                    row: content,
                    empty,
                    ..
                } => {
                    self.collect(content, None);
                    if let Some((empty, _)) = empty {
                        self.collect(empty, inner);
                    }
                }
            }
        }
    }
}

impl Refresh {
    /// Takes `on_refresh` and `refreshing` out of a list's keys.
    pub(crate) fn read(reader: &mut Reader, fields: &mut Fields<'_>, list: u32) -> Option<Self> {
        let has = fields.take("on_refresh");
        let condition = fields.take("refreshing");
        let Some(at) = has else {
            if let Some(at) = condition {
                reader.problem(&at, "`refreshing` goes with `on_refresh`");
            }
            return None;
        };
        if reader.rows > 0 {
            reader.problem(&at, "a list in the rows of `items` cannot be pulled down");
        }
        Some(Self {
            effects: crate::effects::read(reader, &at),
            refreshing: condition.and_then(|at| reader.expr(&at)),
            list,
        })
    }
}
