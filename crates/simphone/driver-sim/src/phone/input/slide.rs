//! Sliders: dragging their thumb, and setting their value.

use std::sync::Arc;

use uitree::{Point, State};

use crate::phone::Phone;
use draw::Flow;
use driver::{DriverError, Result};
use sim_format::expr::Value;
use sim_format::widget::{Key, Kind, Range};
use sim_view::widget::Element;

use super::press::find;

impl Phone {
    pub(super) fn is_slider(&mut self, window: u64, key: Key) -> bool {
        let view = self.view();
        find(&view, window, key).is_some_and(|element| {
            slides(&element.spec.kind) && element.state.contains(State::ENABLED)
        })
    }

    pub(super) fn slide(&mut self, window: u64, slider: Key, to: Point) {
        let view = self.view();
        let Some((_, item)) = view.item(window, slider) else {
            return;
        };
        let element = item.element();
        if let Kind::Range(range) = &element.spec.kind
            && let Some(name) = &range.bind
        {
            let inset = self.theme.px(10.0);
            let width = (item.rect.width() as f32 - 2.0 * inset).max(1.0);
            let share = ((to.x - item.rect.left) as f32 - inset) / width;
            let share = match element.flow {
                Flow::LeftToRight => share,
                Flow::RightToLeft => 1.0 - share,
            };
            self.set_value(window, element, (range, name), share);
        }
    }

    /// Sets a slider to a number, or to the nearest one that it takes.
    pub(super) fn slide_to(&mut self, window: u64, slider: &Element, number: &str) -> Result<()> {
        let Kind::Range(range) = &slider.spec.kind else {
            return Err(DriverError::Refused("the node is no slider".to_owned()));
        };
        let value: Option<f32> = number.parse().ok();
        let (Some(name), Some(value)) = (&range.bind, value.filter(|value| value.is_finite()))
        else {
            return Err(DriverError::Refused("the node takes a number".to_owned()));
        };
        let share = (value - range.min) / (range.max - range.min);
        self.set_value(window, slider, (range, name), share);
        Ok(())
    }

    /// Sets the variable of a slider to the value at a fraction.
    fn set_value(
        &mut self,
        window: u64,
        slider: &Element,
        (range, name): (&Range, &Arc<str>),
        share: f32,
    ) {
        let context = self.context(window, &slider.scope);
        let before = self.frames.revision();
        let value = Value::Number(f64::from(range.at(share)));
        self.set(&context.app, name, value);
        if self.frames.revision() != before {
            self.run(&context, &range.on_change);
        }
    }
}

/// Whether a widget has a thumb that can be dragged.
pub(super) const fn slides(kind: &Kind) -> bool {
    match kind {
        Kind::Range(range) => range.bind.is_some(),
        _ => false,
    }
}
