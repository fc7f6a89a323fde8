//! Content that moves: the large header first, then the scrollers from the inside out.

use std::sync::Arc;

use crate::journal::{Event, Widget};
use crate::phone::{Phone, collapse_range};
use sim_format::expr::Value;
use sim_format::widget::{Axis, Key, Kind};
use sim_view::widget::Element;

/// Who moves content, and so what is written down of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trace {
    /// A finger: every move.
    Finger,
    /// It runs by itself: it is written down when it rests.
    Run,
}

/// A scroller as it was seen last.
#[derive(Clone, Debug)]
pub(crate) struct ScrollerBounds {
    /// The state of the screen for which this holds.
    revision: u64,
    window: u64,
    key: Key,
    axis: Axis,
    pub(crate) offset: f32,
    pub(crate) reach: f32,
    pub(crate) widget: Widget,
    ends: Ends,
}

/// What the end of a scroller's content means to its app.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    /// Whether content that has come there stays there.
    pub(crate) stays: bool,
    /// The variable that says whether it is there.
    pub(crate) at_end: Option<Arc<str>>,
}

impl Ends {
    pub(crate) fn of(element: &Element) -> Self {
        match &element.spec.kind {
            Kind::Scroller(scroller) => Self {
                stays: scroller.from_end,
                at_end: scroller.at_end.clone(),
            },
            _ => Self::default(),
        }
    }
}

impl Phone {
    /// Puts the content of a scroller somewhere and tells the app whether its end is in sight.
    pub(crate) fn come_to(
        &mut self,
        (app, window): (&Arc<str>, u64),
        key: Key,
        ends: &Ends,
        (to, reach): (f32, f32),
    ) {
        let at_end = to.round() >= reach.round();
        if let Some(open) = self.open_mut(window) {
            if ends.stays && at_end {
                open.local.scroll.remove(&key);
            } else {
                open.local.scroll.insert(key, to);
            }
        }
        if let Some(name) = &ends.at_end {
            self.set(app, name, Value::Bool(at_end));
        }
    }

    /// Moves content by `travel` pixels: first the large header away, then the scrollers from the inside out; back in
    /// the opposite order. Gives the rest.
    pub(crate) fn drag(
        &mut self,
        window: u64,
        axis: Axis,
        scrollers: &[Key],
        travel: f32,
        trace: Trace,
    ) -> f32 {
        let mut left = travel;
        if axis == Axis::Vertical && left > 0.0 {
            left -= self.collapse(window, left, trace);
        }
        for key in scrollers {
            if left == 0.0 {
                break;
            }
            left -= self.scroll(window, *key, left, trace);
        }
        if axis == Axis::Vertical && left < 0.0 {
            left -= self.collapse(window, left, trace);
        }
        left
    }

    /// What would move first if content moved by `travel` pixels.
    pub(crate) fn scrollable(
        &mut self,
        window: u64,
        axis: Axis,
        scrollers: &[Key],
        travel: f32,
    ) -> Option<Widget> {
        let header = axis == Axis::Vertical && {
            let density = self.theme.density;
            self.open_mut(window).is_some_and(|open| {
                let range = collapse_range(open.page.header, density);
                if travel > 0.0 {
                    open.local.collapse < range
                } else {
                    open.local.collapse > 0.0
                }
            })
        };
        let found = scrollers.iter().find_map(|key| {
            let known = self.known_scroll(window, *key)?;
            let moves = if travel > 0.0 {
                known.offset < known.reach
            } else {
                known.offset > 0.0
            };
            moves.then_some(known.widget)
        });
        found.or_else(|| header.then(|| self.header_of(window)))
    }

    fn header_of(&mut self, window: u64) -> Widget {
        let screen = self
            .open_mut(window)
            .map_or_else(|| Arc::from(""), |open| Arc::clone(&open.page.name));
        Widget {
            app: Arc::clone(self.tasks.front()),
            screen,
            id: Arc::from(""),
            name: Arc::from("header"),
            row: None,
            window,
            bounds: None,
        }
    }

    /// Scrolls the large header away or back; how far it went.
    fn collapse(&mut self, window: u64, by: f32, trace: Trace) -> f32 {
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
            if trace == Trace::Finger {
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

    /// A scroller as it is now. As long as nothing but its own content has moved it is not laid out again for this.
    pub(crate) fn known_scroll(&mut self, window: u64, key: Key) -> Option<ScrollerBounds> {
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
            ends: Ends::of(item.element()),
        };
        self.gestures.scroller = Some(known.clone());
        Some(known)
    }

    /// Scrolls one scroller; how far it went.
    fn scroll(&mut self, window: u64, key: Key, by: f32, trace: Trace) -> f32 {
        let Some(mut known) = self.known_scroll(window, key) else {
            return 0.0;
        };
        let to = (known.offset + by).clamp(0.0, known.reach);
        let moved = to - known.offset;
        if moved == 0.0 {
            return 0.0;
        }
        let before = self.frames.revision();
        let app = Arc::clone(&known.widget.app);
        self.come_to((&app, window), key, &known.ends, (to, known.reach));
        let changed = self.frames.revision() != before;
        self.bump();
        if trace == Trace::Finger {
            let step = moved.round() as i32;
            let (dx, dy) = match known.axis {
                Axis::Horizontal => (step, 0),
                Axis::Vertical | Axis::Depth => (0, step),
            };
            let widget = known.widget.clone();
            self.record_scroll(&widget.app, known.axis, to, known.reach);
            self.note(Event::Scrolled { widget, dx, dy });
        }
        // Where the content is changes neither its length nor anything around it, unless the app has a variable for it.
        if changed {
            self.gestures.scroller = None;
            return moved;
        }
        known.revision = self.frames.revision();
        known.offset = to.round();
        self.gestures.scroller = Some(known);
        moved
    }
}
