//! `move`: the animated movement of a widget.

use std::sync::Arc;
use std::time::Duration;

use crate::reader::{Fields, Located, Reader, read_offset};
use crate::schema::Topic;
use crate::style::Dim;
use crate::units::FRAME;
use crate::widget::Spec;
use crate::words::{Words, words};

use super::Curve;

#[derive(Debug)]
pub struct Movement {
    to: (Dim, Dim),
    duration: Duration,
    delay: Duration,
    repeat: Repeat,
}

words! {
    #[derive(Default)]
    enum Repeat {
        #[default]
        Once = "once",
        Restart = "restart",
        Reverse = "reverse",
    }
}

impl Movement {
    pub(crate) fn read(reader: &mut Reader, at: &Located<'_>) -> Option<Self> {
        let mut fields = Fields::read_keys(reader, at, Topic::Part("move"))?;
        let to = fields.read(reader, "to", read_offset);
        let movement = Self {
            to: to.unwrap_or_default(),
            duration: fields
                .duration(reader, "duration")
                .unwrap_or(Duration::from_millis(300))
                .max(FRAME),
            delay: fields.duration(reader, "delay").unwrap_or_default(),
            repeat: fields
                .word(reader, "repeat", Repeat::TABLE)
                .unwrap_or_default(),
        };
        fields.finish(reader);
        Some(movement)
    }

    /// Returns the offset at this age of the screen, in pixels.
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
        let share = Curve::Smooth.at(time);
        let part = |dim: Dim| (f64::from(dim.px(density)) * share).round() as f32;
        (part(self.to.0), part(self.to.1))
    }

    pub fn ends_by(&self, age: Duration) -> bool {
        self.repeat == Repeat::Once && age >= self.delay + self.duration
    }
}

impl Spec {
    pub(crate) fn has_movement(&self) -> bool {
        let inside = self.children.iter().chain(self.row_specs());
        self.movement.is_some()
            || inside
                .into_iter()
                .any(|spec: &Arc<Spec>| spec.has_movement())
    }
}
