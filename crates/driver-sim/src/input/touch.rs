//! Fingers: what a touch meets, when it is a press and when it moves the content.

use std::sync::Arc;
use std::time::Duration;

use driver::Key as DeviceKey;
use uitree::{Point, State};

use crate::app::Value;
use crate::clock::Due;
use crate::journal::{By, Happening, Widget};
use crate::phone::{Phone, collapse_range};
use crate::widget::{Axis, Key, Kind};
use crate::window::Bars;

use super::press::find;

/// How long a finger stays down before it is a long press.
pub(crate) const LONG_PRESS: Duration = Duration::from_millis(400);

/// How far a finger may wander before it is no press any more, in density-independent pixels.
const SLOP: f32 = 8.0;

/// A finger on the screen.
#[derive(Debug)]
pub(crate) struct Finger {
    from: Point,
    last: Point,
    meets: Meets,
}

/// What a finger does.
#[derive(Clone, Debug, PartialEq)]
enum Meets {
    /// It may become a press of `target` or move one of `scrollers`.
    Window {
        window: u64,
        target: Option<Key>,
        scrollers: Vec<(Key, Axis)>,
    },
    /// It moves content; what it moved away from the threshold on is in `last`.
    Dragging {
        window: u64,
        axis: Axis,
        scrollers: Vec<Key>,
    },
    /// It drags the thumb of a slider.
    Sliding { window: u64, slider: Key },
    /// It lies on a button of the navigation bar.
    Bar(DeviceKey),
    /// It lies beside a dialog.
    Beside,
    /// It has done what it does, or never will do anything.
    Nothing,
}

impl Phone {
    /// A finger comes down.
    pub fn touch_down(&mut self, at: Point) {
        if !self.awake {
            return;
        }
        self.touch_cancel();
        let meets = self.meets(at);
        if matches!(meets, Meets::Window { .. }) {
            self.agenda.add(self.now + LONG_PRESS, Due::LongPress);
        }
        self.finger = Some(Finger {
            from: at,
            last: at,
            meets,
        });
    }

    fn meets(&mut self, at: Point) -> Meets {
        let bars = Bars::of(&self.theme);
        let navigation = bars.navigation_area(self.screen);
        if navigation.contains(at) {
            let third = self.screen.width / 3;
            return Meets::Bar(if at.x < third {
                DeviceKey::Back
            } else if at.x < 2 * third {
                DeviceKey::Home
            } else {
                DeviceKey::Recents
            });
        }
        if at.y < bars.status {
            return Meets::Nothing;
        }
        let view = self.view();
        let Some(shown) = view
            .windows
            .iter()
            .rev()
            .find(|shown| shown.area.contains(at))
        else {
            return Meets::Beside;
        };
        let scene = &shown.scene;
        // The last widget painted here that takes touches, or stops them.
        let takes = State::CLICKABLE | State::LONG_CLICKABLE;
        let target = scene
            .items
            .iter()
            .rev()
            .filter(|item| item.bounds.contains(at))
            .map(crate::layout::Item::element)
            .find(|element| {
                element.spec.solid || element.state.intersects(takes) || slides(&element.spec.kind)
            })
            .filter(|element| element.state.intersects(takes) || slides(&element.spec.kind));
        let scrollers = scene.hit(at).map_or_else(Vec::new, |item| {
            scene
                .ancestors(item)
                .filter_map(|item| scene.scrolls.iter().find(|scroll| scroll.item == item))
                .map(|scroll| (scroll.key, scroll.axis))
                .collect()
        });
        Meets::Window {
            window: shown.id,
            target: target.map(|element| element.key),
            scrollers,
        }
    }

    /// The finger moves.
    pub fn touch_move(&mut self, to: Point) {
        let Some(mut finger) = self.finger.take() else {
            return;
        };
        if let Meets::Window {
            window,
            target,
            scrollers,
        } = &finger.meets
        {
            let slop = self.theme.px(SLOP);
            let (dx, dy) = (to.x - finger.from.x, to.y - finger.from.y);
            if (dx.abs().max(dy.abs())) as f32 > slop {
                let axis = if dx.abs() > dy.abs() {
                    Axis::Horizontal
                } else {
                    Axis::Vertical
                };
                let slider =
                    target.filter(|key| axis == Axis::Horizontal && self.is_slider(*window, *key));
                finger.meets = match slider {
                    Some(slider) => Meets::Sliding {
                        window: *window,
                        slider,
                    },
                    None => {
                        // The content does not follow over the threshold itself.
                        let slop = slop as i32;
                        match axis {
                            Axis::Horizontal => finger.last.x += slop * dx.signum(),
                            Axis::Vertical | Axis::Depth => finger.last.y += slop * dy.signum(),
                        }
                        let along = scrollers.iter().filter(|(_, each)| *each == axis);
                        Meets::Dragging {
                            window: *window,
                            axis,
                            scrollers: along.map(|(key, _)| *key).collect(),
                        }
                    }
                };
                self.agenda.keep(|due| !matches!(due, Due::LongPress));
            }
        }
        match &finger.meets {
            Meets::Dragging {
                window,
                axis,
                scrollers,
            } => {
                let travel = match axis {
                    Axis::Horizontal => finger.last.x - to.x,
                    Axis::Vertical | Axis::Depth => finger.last.y - to.y,
                };
                finger.last = to;
                self.drag(*window, *axis, scrollers, travel as f32);
            }
            Meets::Sliding { window, slider } => self.slide(*window, *slider, to),
            _ => {}
        }
        self.finger = Some(finger);
    }

    /// The finger leaves.
    pub fn touch_up(&mut self, at: Point) {
        self.touch_move(at);
        let Some(finger) = self.finger.take() else {
            return;
        };
        self.agenda.keep(|due| !matches!(due, Due::LongPress));
        match finger.meets {
            Meets::Window { window, target, .. } => self.press(window, target, at),
            Meets::Bar(key) => self.press_key(key),
            Meets::Beside => self.tap_beside(),
            Meets::Dragging { .. } | Meets::Sliding { .. } | Meets::Nothing => {}
        }
        self.settle();
    }

    /// The touch ends without a press.
    pub fn touch_cancel(&mut self) {
        if self.finger.take().is_some() {
            self.agenda.keep(|due| !matches!(due, Due::LongPress));
        }
    }

    /// Down and up in one place.
    pub fn tap(&mut self, at: Point) {
        self.touch_down(at);
        self.touch_up(at);
    }

    fn press(&mut self, window: u64, target: Option<Key>, at: Point) {
        let view = self.view();
        let element = target.and_then(|key| find(&view, window, key)).cloned();
        match element {
            None => self.note(Happening::Missed(at)),
            Some(element) if !element.state.contains(State::ENABLED) => {
                let widget = self.widget(window, &element);
                self.note(Happening::Swallowed(widget));
            }
            Some(element) if slides(&element.spec.kind) => self.slide(window, element.key, at),
            Some(element) if element.state.contains(State::CLICKABLE) => {
                self.click(window, &element, By::Touch);
            }
            Some(_) => self.note(Happening::Missed(at)),
        }
    }

    /// The finger has been down long enough.
    pub(crate) fn long_press(&mut self) {
        let Some(Meets::Window {
            window,
            target: Some(key),
            ..
        }) = self.finger.as_ref().map(|finger| finger.meets.clone())
        else {
            return;
        };
        let view = self.view();
        let Some(element) = find(&view, window, key).cloned() else {
            return;
        };
        if element
            .state
            .contains(State::LONG_CLICKABLE | State::ENABLED)
        {
            if let Some(finger) = &mut self.finger {
                finger.meets = Meets::Nothing;
            }
            self.long_click(window, &element, By::Touch);
        }
    }

    fn is_slider(&mut self, window: u64, key: Key) -> bool {
        let view = self.view();
        find(&view, window, key).is_some_and(|element| {
            slides(&element.spec.kind) && element.state.contains(State::ENABLED)
        })
    }

    /// Puts the thumb of a slider under the finger.
    fn slide(&mut self, window: u64, slider: Key, to: Point) {
        let view = self.view();
        let shown = view.windows.iter().find(|shown| shown.id == window);
        let item = shown.and_then(|shown| shown.scene.items.get(shown.scene.find(slider)?));
        let Some(item) = item else { return };
        let element = item.element();
        if let Kind::Range(range) = &element.spec.kind
            && let Some(name) = &range.bind
        {
            let inset = self.theme.px(10.0);
            let width = (item.rect.width() as f32 - 2.0 * inset).max(1.0);
            let share = ((to.x - item.rect.left) as f32 - inset) / width;
            let context = self.context(window, &element.scope);
            self.set(
                &context.app,
                name,
                Value::Number(f64::from(range.at(share))),
            );
        }
    }

    /// Moves content by `travel` pixels: first the large header away, then the scrollers from the inside out; back in
    /// the opposite order.
    fn drag(&mut self, window: u64, axis: Axis, scrollers: &[Key], travel: f32) {
        let mut left = travel;
        if axis == Axis::Vertical && left > 0.0 {
            left -= self.collapse(window, left);
        }
        for key in scrollers {
            if left == 0.0 {
                break;
            }
            left -= self.scroll(window, *key, axis, left);
        }
        if axis == Axis::Vertical && left < 0.0 {
            self.collapse(window, left);
        }
    }

    /// Scrolls the large header away or back; how far it went.
    fn collapse(&mut self, window: u64, by: f32) -> f32 {
        let density = self.theme.density;
        let Some(open) = self.open_mut(window) else {
            return 0.0;
        };
        let range = collapse_range(open.page.header, density);
        let now = (open.local.collapse + by).clamp(0.0, range);
        let moved = now - open.local.collapse;
        open.local.collapse = now;
        let screen = Arc::clone(&open.page.name);
        if moved != 0.0 {
            let header = Widget {
                app: Arc::clone(&self.front),
                screen,
                id: Arc::from(""),
                name: Arc::from("header"),
                row: None,
            };
            self.bump();
            self.note(Happening::Scrolled {
                widget: header,
                dx: 0,
                dy: moved.round() as i32,
            });
        }
        moved
    }

    /// Scrolls one scroller; how far it went.
    fn scroll(&mut self, window: u64, key: Key, axis: Axis, by: f32) -> f32 {
        let view = self.view();
        let shown = view.windows.iter().find(|shown| shown.id == window);
        let Some((shown, found)) = shown.and_then(|shown| {
            let found = shown
                .scene
                .scrolls
                .iter()
                .find(|scroll| scroll.key == key)?;
            Some((shown, *found))
        }) else {
            return 0.0;
        };
        let to = (found.offset + by).clamp(0.0, found.reach);
        let moved = to - found.offset;
        if moved == 0.0 {
            return 0.0;
        }
        if let Some(open) = self.open_mut(window) {
            open.local.scroll.insert(key, to);
        }
        self.bump();
        if let Some(item) = shown.scene.items.get(found.item) {
            let widget = self.widget(window, item.element());
            let step = moved.round() as i32;
            let (dx, dy) = match axis {
                Axis::Horizontal => (step, 0),
                Axis::Vertical | Axis::Depth => (0, step),
            };
            self.record_scroll(&widget.app, axis, to, found.reach);
            self.note(Happening::Scrolled { widget, dx, dy });
        }
        moved
    }
}

/// Whether a widget's thumb follows the finger.
const fn slides(kind: &Kind) -> bool {
    match kind {
        Kind::Range(range) => range.bind.is_some(),
        _ => false,
    }
}
