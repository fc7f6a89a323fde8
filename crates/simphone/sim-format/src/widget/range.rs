//! `slider` and `progress`.

use std::sync::Arc;

use uitree::State;

use crate::effects::{Effects, take as take_effects};
use crate::expr::{Expr, Lookup};
use crate::reader::Reader;

use super::read::Body;

#[derive(Debug)]
pub struct Range {
    pub bind: Option<Arc<str>>,
    /// The value of a progress bar; without it, it is indeterminate.
    pub value: Option<Expr>,
    pub min: f32,
    pub max: f32,
    pub round: bool,
    pub on_change: Effects,
}

impl Range {
    pub(crate) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        let slider = body.name == "slider";
        let main = body.main_or(if slider { "bind" } else { "value" });
        let fields = &mut body.fields;
        let min = fields.number(reader, "min").unwrap_or(0.0);
        let max = fields.number(reader, "max").unwrap_or(100.0);
        let path = fields.path.clone();
        if min >= max {
            reader.problem_here(&path, "`min` must be less than `max`");
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
            on_change: if slider {
                take_effects(reader, fields, "on_change")
            } else {
                Effects::default()
            },
            round: !slider && fields.flag(reader, "round").unwrap_or(false),
        }
    }

    pub const fn class(&self) -> &'static str {
        if self.bind.is_some() {
            "android.widget.SeekBar"
        } else {
            "android.widget.ProgressBar"
        }
    }

    pub const fn state(&self) -> State {
        if self.bind.is_some() {
            State::FOCUSABLE
        } else {
            State::empty()
        }
    }

    /// Returns the fraction from 0 to 1; `None` if it is indeterminate.
    pub fn share(&self, names: &dyn Lookup) -> Option<f32> {
        let value = match (&self.bind, &self.value) {
            (Some(name), _) => names.get(name)?.number(),
            (None, Some(value)) => value.value(names).number(),
            (None, None) => return None,
        };
        Some(((value as f32 - self.min) / (self.max - self.min)).clamp(0.0, 1.0))
    }

    pub fn at(&self, share: f32) -> f32 {
        let share = share.clamp(0.0, 1.0);
        (self.min + (self.max - self.min) * share).round()
    }
}
