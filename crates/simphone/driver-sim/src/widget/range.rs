//! `slider`, `progress` and `rating`: how far something has come.

use std::sync::Arc;

use uitree::{Point, Rect, State};

use crate::app::{Effects, Expr, Lookup, Reader, no_effects, take_effects};
use draw::{Paint, Theme};

use super::element::Brush;
use super::read::Body;

/// How far the track of a slider and the row of stars stay away from the edges.
const INSET: f32 = 10.0;

/// A value between two ends.
#[derive(Debug)]
pub(crate) struct Range {
    /// The variable that a slider changes.
    pub(crate) bind: Option<Arc<str>>,
    /// What a progress bar shows; without it, it only says that something is going on.
    pub(crate) value: Option<Expr>,
    pub(crate) min: f32,
    pub(crate) max: f32,
    pub(crate) round: bool,
    /// How many stars, for a rating.
    pub(crate) stars: Option<u32>,
    /// What happens each time a slider has another value.
    pub(crate) on_change: Effects,
}

impl Range {
    pub(super) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        if body.name == "rating" {
            return Self::read_rating(reader, body);
        }
        let slider = body.name == "slider";
        let main = body.main_or(if slider { "bind" } else { "value" });
        let fields = &mut body.fields;
        let min = fields.number(reader, "min").unwrap_or(0.0);
        let max = fields.number(reader, "max").unwrap_or(100.0);
        let path = fields.path.clone();
        if min >= max {
            reader.problem_here(&path, "`min` must lie below `max`");
        }
        if slider && main.is_none() {
            reader.problem_here(&path, "`bind` is missing");
        }
        Self {
            bind: main
                .as_ref()
                .filter(|_| slider)
                .and_then(|at| reader.bound(at)),
            value: main
                .as_ref()
                .filter(|_| !slider)
                .and_then(|at| reader.expr(at)),
            min,
            max: max.max(min + 1.0),
            stars: None,
            on_change: if slider {
                take_effects(reader, fields, "on_change")
            } else {
                no_effects()
            },
            round: !slider && fields.flag(reader, "round").unwrap_or(false),
        }
    }

    fn read_rating(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        let main = body.main_or("bind");
        let fields = &mut body.fields;
        let stars = fields.take("stars").and_then(|at| reader.count(&at, 1));
        let value = fields.expr(reader, "value");
        let path = fields.path.clone();
        if main.is_none() == value.is_none() {
            reader.problem_here(&path, "either `bind` or `value` is needed, not both");
        }
        let stars = stars.unwrap_or(5).min(20);
        Self {
            bind: main.as_ref().and_then(|at| reader.bound(at)),
            value,
            min: 0.0,
            max: stars as f32,
            round: false,
            stars: Some(stars),
            on_change: no_effects(),
        }
    }

    pub(super) const fn class(&self) -> &'static str {
        if self.stars.is_some() {
            "android.widget.RatingBar"
        } else if self.bind.is_some() {
            "android.widget.SeekBar"
        } else {
            "android.widget.ProgressBar"
        }
    }

    pub(super) const fn state(&self) -> State {
        if self.bind.is_some() {
            State::FOCUSABLE
        } else {
            State::empty()
        }
    }

    /// The share that is done, from 0 to 1; `None` when it is not known.
    pub(super) fn share(&self, names: &dyn Lookup) -> Option<f32> {
        let value = match (&self.bind, &self.value) {
            (Some(name), _) => names.get(name)?.number(),
            (None, Some(value)) => value.value(names).number(),
            (None, None) => return None,
        };
        Some(((value as f32 - self.min) / (self.max - self.min)).clamp(0.0, 1.0))
    }

    /// The value at a share of the way.
    pub(crate) fn at(&self, share: f32) -> f32 {
        let share = share.clamp(0.0, 1.0);
        if let Some(stars) = self.stars {
            // A touch anywhere on a star gives that star.
            return (share * stars as f32).ceil().max(1.0);
        }
        (self.min + (self.max - self.min) * share).round()
    }

    pub(super) fn measure(&self, theme: &Theme) -> (f32, f32) {
        if let Some(stars) = self.stars {
            let star = if self.bind.is_some() { 48.0 } else { 24.0 };
            let side = theme.px(star).round();
            return (side * stars as f32 + 2.0 * theme.px(INSET), side);
        }
        match (&self.bind, self.round) {
            (Some(_), _) => (theme.px(200.0), theme.px(48.0).round()),
            (None, true) => (theme.px(40.0).round(), theme.px(40.0).round()),
            (None, false) => (theme.px(200.0), theme.px(16.0).round()),
        }
    }

    pub(super) fn paint(&self, share: Option<f32>, to: &mut Brush<'_>) {
        let palette = to.theme.palette;
        if let Some(stars) = self.stars {
            self.paint_stars(stars, share.unwrap_or(0.0), to);
            return;
        }
        if self.round {
            to.push(Paint::Arc {
                rect: to.inner,
                start: 0.0,
                sweep: share.unwrap_or(0.75) * 360.0,
                width: to.theme.px(4.0),
                color: palette.primary,
            });
            return;
        }
        let slider = self.bind.is_some();
        let inset = if slider { to.theme.dp(INSET) } else { 0 };
        let middle = to.inner.center().y;
        let half = to.theme.dp(2.0);
        let (left, right) = (to.inner.left + inset, to.inner.right - inset);
        let reach = left + ((right - left) as f32 * share.unwrap_or(0.4)) as i32;
        let active = if to.enabled {
            palette.primary
        } else {
            palette.text_disabled
        };
        to.fill(
            Rect::new(left, middle - half, right, middle + half),
            half as f32,
            palette.surface_variant,
        );
        to.fill(
            Rect::new(left, middle - half, reach, middle + half),
            half as f32,
            active,
        );
        if slider {
            to.push(Paint::Circle {
                center: Point::new(reach, middle),
                radius: to.theme.px(10.0),
                color: active,
            });
        }
    }
    fn paint_stars(&self, stars: u32, share: f32, to: &mut Brush<'_>) {
        let palette = to.theme.palette;
        let left = to.inner.left + to.theme.dp(INSET);
        let cell = (to.inner.width() - 2 * to.theme.dp(INSET)) / stars as i32;
        let side = to.theme.dp(if self.bind.is_some() { 36.0 } else { 20.0 });
        let shown = share * stars as f32;
        for star in 0..stars {
            let center = left + cell * star as i32 + cell / 2;
            let top = to.inner.center().y - side / 2;
            let rect = Rect::new(center - side / 2, top, center - side / 2 + side, top + side);
            let filled = shown - star as f32;
            let (name, color) = if filled >= 0.75 {
                ("star", palette.accent)
            } else if filled >= 0.25 {
                ("star_half", palette.accent)
            } else {
                ("star_outline", palette.outline)
            };
            to.icon(name, rect, color);
        }
    }
}
