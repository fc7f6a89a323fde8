//! `slider` and `progress`: how far something has come.

use std::sync::Arc;

use uitree::{Point, Rect, State};

use crate::app::{Expr, Lookup, Reader};
use crate::draw::{Paint, Theme};

use super::element::Brush;
use super::read::Body;

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
}

impl Range {
    pub(super) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
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
            round: !slider && fields.flag(reader, "round").unwrap_or(false),
        }
    }

    pub(super) const fn class(&self) -> &'static str {
        if self.bind.is_some() {
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
        (self.min + (self.max - self.min) * share.clamp(0.0, 1.0)).round()
    }

    pub(super) fn measure(&self, theme: &Theme) -> (f32, f32) {
        match (&self.bind, self.round) {
            (Some(_), _) => (theme.px(200.0), theme.px(48.0).round()),
            (None, true) => (theme.px(40.0).round(), theme.px(40.0).round()),
            (None, false) => (theme.px(200.0), theme.px(16.0).round()),
        }
    }

    pub(super) fn paint(&self, share: Option<f32>, to: &mut Brush<'_>) {
        let palette = to.theme.palette;
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
        let inset = if slider { to.theme.dp(10.0) } else { 0 };
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
}
