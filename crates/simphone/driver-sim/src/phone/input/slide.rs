//! Sliders: dragging their thumb.

use std::sync::Arc;

use uitree::{Point, State};

use crate::phone::Phone;
use draw::Flow;
use sim_format::expr::Value;
use sim_format::widget::{Key, Kind};

use super::press::find;

impl Phone {
    /// Whether a widget is an enabled slider.
    pub(super) fn is_slider(&mut self, window: u64, key: Key) -> bool {
        let view = self.view();
        find(&view, window, key).is_some_and(|element| {
            slides(&element.spec.kind) && element.state.contains(State::ENABLED)
        })
    }

    /// Moves the thumb of a slider to the finger.
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
            let context = self.context(window, &element.scope);
            let before = self.frames.revision();
            let then = Arc::clone(&range.on_change);
            self.set(
                &context.app,
                name,
                Value::Number(f64::from(range.at(share))),
            );
            if self.frames.revision() != before {
                self.run(&context, &then);
            }
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
