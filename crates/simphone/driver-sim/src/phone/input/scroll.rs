//! Scrolling: the large header collapses first, then the scrollers move from the inside out.

use std::sync::Arc;

use crate::journal::{Event, Widget};
use crate::phone::{Phone, collapse_range};
use sim_format::widget::{Axis, Key, Kind};

/// What scrolls content, which decides how it is noted in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScrollCause {
    /// A finger; every step is noted.
    Finger,
    /// A fling; it is noted when it ends.
    Fling,
}

/// The state of a scroller when it was last laid out or scrolled.
#[derive(Clone, Debug)]
pub(crate) struct ScrollerBounds {
    /// The revision of the screen for which this holds.
    revision: u64,
    window: u64,
    key: Key,
    axis: Axis,
    pub(crate) offset: f32,
    pub(crate) reach: f32,
    pub(crate) widget: Widget,
    /// Whether content scrolled to its end stays there when it grows.
    sticks_to_end: bool,
}

impl Phone {
    /// Scrolls by `travel` pixels: forwards the large header collapses first, backwards it expands last. Returns the
    /// unused rest.
    pub(crate) fn drag(
        &mut self,
        window: u64,
        axis: Axis,
        scrollers: &[Key],
        travel: f32,
        cause: ScrollCause,
    ) -> f32 {
        let mut left = travel;
        if axis == Axis::Vertical && left > 0.0 {
            left -= self.collapse(window, left, cause);
        }
        for key in scrollers {
            if left == 0.0 {
                break;
            }
            left -= self.scroll(window, *key, left, cause);
        }
        if axis == Axis::Vertical && left < 0.0 {
            left -= self.collapse(window, left, cause);
        }
        left
    }

    /// The widget that would scroll first for this `travel`.
    pub(crate) fn scrollable(
        &mut self,
        window: u64,
        axis: Axis,
        scrollers: &[Key],
        travel: f32,
    ) -> Option<Widget> {
        let can_move = |offset: f32, reach: f32| match travel > 0.0 {
            true => offset < reach,
            false => offset > 0.0,
        };
        let density = self.theme.density;
        let open = self.open_mut(window).filter(|_| axis == Axis::Vertical);
        let header = open.is_some_and(|open| {
            can_move(
                open.local.collapse,
                collapse_range(open.page.header, density),
            )
        });
        let found = scrollers.iter().find_map(|key| {
            let known = self.scroller_bounds(window, *key)?;
            can_move(known.offset, known.reach).then_some(known.widget)
        });
        found.or_else(|| header.then(|| self.header_of(window)))
    }

    fn header_of(&mut self, window: u64) -> Widget {
        let open = self.open_mut(window);
        let screen = open
            .map(|open| Arc::clone(&open.page.name))
            .unwrap_or_default();
        Widget {
            app: Arc::clone(self.tasks.front()),
            screen,
            id: Arc::from(""),
            shown_id: Arc::from(""),
            reports_touches: true,
            name: Arc::from("header"),
            text: Arc::from("header"),
            description: Arc::default(),
            row: None,
            window,
            bounds: None,
        }
    }

    /// Collapses or expands the large header; returns the distance.
    fn collapse(&mut self, window: u64, by: f32, cause: ScrollCause) -> f32 {
        let density = self.theme.density;
        let Some(open) = self.open_mut(window) else {
            return 0.0;
        };
        let range = collapse_range(open.page.header, density);
        let now = (open.local.collapse + by).clamp(0.0, range);
        let moved = now - open.local.collapse;
        open.local.collapse = now;
        if moved != 0.0 {
            self.bump();
            if cause == ScrollCause::Finger {
                let header = self.header_of(window);
                self.note(Event::Scrolled {
                    widget: header,
                    dx: 0,
                    dy: moved.round() as i32,
                });
            }
        }
        moved
    }

    /// The current state of a scroller, which is not laid out again while only its own content moves.
    pub(crate) fn scroller_bounds(&mut self, window: u64, key: Key) -> Option<ScrollerBounds> {
        let known = self.gestures.scroller.as_ref().filter(|known| {
            (known.revision, known.window, known.key) == (self.frames.revision(), window, key)
        });
        if let Some(known) = known {
            return Some(known.clone());
        }
        let view = self.view();
        let shown = view.window(window)?;
        let scene = &shown.scene;
        let scroll = scene.scrolls.iter().find(|scroll| scroll.key == key)?;
        let item = scene.items.get(scroll.item)?;
        let known = ScrollerBounds {
            revision: self.frames.revision(),
            window,
            key,
            axis: scroll.axis,
            offset: scroll.offset,
            reach: scroll.reach,
            widget: self.widget(window, item.element()),
            sticks_to_end: matches!(&item.element().spec.kind, Kind::Scroller(scroller) if scroller.from_end),
        };
        self.gestures.scroller = Some(known.clone());
        Some(known)
    }

    /// Scrolls one scroller; returns the distance.
    fn scroll(&mut self, window: u64, key: Key, by: f32, cause: ScrollCause) -> f32 {
        let Some(mut known) = self.scroller_bounds(window, key) else {
            return 0.0;
        };
        let to = (known.offset + by).clamp(0.0, known.reach);
        let moved = to - known.offset;
        if moved == 0.0 {
            return 0.0;
        }
        if let Some(open) = self.open_mut(window) {
            if known.sticks_to_end && to.round() >= known.reach.round() {
                open.local.scroll.remove(&key);
            } else {
                open.local.scroll.insert(key, to);
            }
        }
        self.bump();
        if cause == ScrollCause::Finger {
            let step = moved.round() as i32;
            let (dx, dy) = known.axis.choose((0, step), (step, 0));
            let widget = known.widget.clone();
            self.record_scroll(&widget.app, known.axis, to, known.reach);
            self.note(Event::Scrolled { widget, dx, dy });
        }
        // Scrolling does not change the length of the content or anything around it.
        known.revision = self.frames.revision();
        known.offset = to.round();
        self.gestures.scroller = Some(known);
        moved
    }
}
