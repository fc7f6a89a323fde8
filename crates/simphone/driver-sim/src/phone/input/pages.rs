//! Pagers: a horizontal drag turns the page when the finger is lifted.

use std::sync::Arc;

use crate::journal::Event;
use crate::phone::Phone;
use draw::Flow;
use sim_format::expr::Value;
use sim_format::widget::{Key, Kind, Pages};
use sim_view::motion::Fling;
use sim_view::widget::Element;

impl Phone {
    /// Ends a drag of `travel` pixels to the left at `velocity` pixels per second: turns the page of the innermost pager,
    /// unless content inside it can still scroll. Returns whether a page was turned.
    pub(super) fn turn_pager(
        &mut self,
        window: u64,
        scrollers: &[Key],
        travel: f32,
        velocity: f64,
    ) -> bool {
        let view = self.view();
        let Some(scene) = view.window(window).map(|shown| &shown.scene) else {
            return false;
        };
        let pager = scrollers.iter().find_map(|key| {
            let item = scene.items.get(scene.find(*key)?)?;
            pages(item.element()).map(|pages| (item, pages))
        });
        let Some((item, pages)) = pager else {
            return false;
        };
        let moves = |scroll: &sim_view::layout::ScrollBox| match travel > 0.0 {
            true => scroll.offset < scroll.reach,
            false => scroll.offset > 0.0,
        };
        let mut inside = scrollers
            .iter()
            .take_while(|key| **key != item.element().key);
        if inside.any(|key| {
            let mut scrolls = scene.scrolls.iter();
            scrolls.any(|scroll| scroll.key == *key && moves(scroll))
        }) {
            return false;
        }
        let width = item.rect.width();
        let direction = if Fling::new(velocity, self.theme.density).is_some() {
            velocity
        } else if travel.abs() > width as f32 / 2.0 {
            f64::from(travel)
        } else {
            return false;
        };
        let element = item.element();
        let context = self.context(window, &element.scope);
        let chosen = pages.chosen(self.variable(&context.app, &pages.bind).as_ref());
        let next = match (direction > 0.0, element.flow) {
            (true, Flow::LeftToRight) | (false, Flow::RightToLeft) => Some(chosen + 1),
            (false, Flow::LeftToRight) | (true, Flow::RightToLeft) => chosen.checked_sub(1),
        };
        let Some(value) = next.and_then(|next| pages.values.get(next)) else {
            return false;
        };
        self.note(Event::Scrolled {
            widget: self.widget(window, element),
            dx: if direction > 0.0 { width } else { -width },
            dy: 0,
        });
        self.set(&context.app, &pages.bind, Value::Text(Arc::clone(value)));
        self.run(&context, &pages.on_change);
        true
    }
}

pub(super) fn pages(element: &Element) -> Option<&Pages> {
    match &element.spec.kind {
        Kind::Group(group) => group.pages.as_deref().filter(|all| all.values.len() > 1),
        _ => None,
    }
}
