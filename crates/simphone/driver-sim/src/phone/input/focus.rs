//! The input focus: the order of Tab, and touch mode.

use std::cmp::Ordering;

use uitree::{Rect, State};

use crate::phone::{Phone, View};
use draw::Flow;
use sim_format::widget::{Key, Kind};
use sim_view::layout::Item;
use sim_view::widget::Element;

struct Candidate {
    element: Element,
    rect: Rect,
}

/// The focusable widgets of a window, in reading order.
fn candidates(view: &View, window: u64) -> Vec<Candidate> {
    let Some(shown) = view.window(window) else {
        return Vec::new();
    };
    let scene = &shown.scene;
    let scrolled = |index: usize| {
        // Widgets scrolled out of view can still be focused.
        let mut ancestors = scene.ancestors(index);
        ancestors
            .any(|each| each != index && scene.scrolls.iter().any(|scroll| scroll.item == each))
    };
    let is_focusable = |item: &Item| {
        let element = item.element();
        element.state.contains(State::FOCUSABLE | State::ENABLED)
            && !matches!(element.spec.kind, Kind::Scroller(_))
            && item.rect.width() > 0
            && item.rect.height() > 0
    };
    let mut found: Vec<Candidate> = scene
        .items
        .iter()
        .enumerate()
        .filter(|(index, item)| is_focusable(item) && (item.is_visible() || scrolled(*index)))
        .map(|(_, item)| Candidate {
            element: item.element().clone(),
            rect: item.rect,
        })
        .collect();
    let by_place = |one: &Candidate, other: &Candidate| -> Ordering {
        let side = |each: &Candidate| match each.element.flow {
            Flow::LeftToRight => each.rect.left,
            Flow::RightToLeft => -each.rect.right,
        };
        (one.rect.top, side(one)).cmp(&(other.rect.top, side(other)))
    };
    found.sort_by(by_place);
    found
}

impl Phone {
    pub(crate) fn has_focus(&mut self, window: u64, key: Key) -> bool {
        self.open_mut(window)
            .is_some_and(|open| open.local.focus == Some(key))
    }

    /// Enters touch mode: only text fields keep the focus, and the focus ring is hidden.
    pub(crate) fn enter_touch_mode(&mut self) {
        let Some(window) = self.active_id() else {
            return;
        };
        let ringed = self.open_mut(window).is_some_and(|open| open.local.ring);
        if !ringed {
            return;
        }
        let focus = self.active().and_then(|open| open.local.focus);
        let view = self.view();
        let is_field = focus
            .and_then(|key| super::press::find(&view, window, key))
            .is_some_and(|element| matches!(element.spec.kind, Kind::Field(_)));
        if let Some(open) = self.open_mut(window) {
            open.local.ring = false;
            if !is_field {
                open.local.focus = None;
            }
        }
        self.bump();
    }

    /// Moves the focus to the next widget in reading order, and from the last to the first.
    pub(crate) fn focus_next(&mut self) {
        let Some((window, focus)) = self.active().map(|open| (open.id, open.local.focus)) else {
            return;
        };
        let view = self.view();
        let all = candidates(&view, window);
        let place = all.iter().position(|each| Some(each.element.key) == focus);
        let next = place.and_then(|place| all.get(place + 1));
        if let Some(next) = next.or(all.first()) {
            self.focus_by_key(window, &next.element);
        }
    }

    fn focus_by_key(&mut self, window: u64, element: &Element) {
        self.focus(window, element);
        if let Some(open) = self.open_mut(window)
            && !open.local.ring
        {
            open.local.ring = true;
            self.bump();
        }
    }
}
