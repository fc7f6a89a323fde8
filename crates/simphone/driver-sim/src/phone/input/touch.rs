//! Touch: its target, and whether it becomes a click, a drag or a long press.

use std::time::Duration;

use driver::Key as DeviceKey;
use uitree::{Point, Rect, State};

use crate::journal::{ClickSource, Event, LostReason, StopReason, Widget};
use crate::phone::Phone;
use crate::phone::clock::TimerKind;
use sim_format::app::Header;
use sim_format::widget::{Axis, Key, Kind};
use sim_view::layout::{Scene, ScrollBox};
use sim_view::motion::VelocityTracker;
use sim_view::widget::Element;
use sim_view::window::{Bars, KEYBOARD_WINDOW};

use super::pages::pages;
use super::press::{bounds_of, find};
use super::scroll::ScrollCause;
use super::slide::slides;

pub(crate) const LONG_PRESS: Duration = Duration::from_millis(400);

const SLOP: f32 = 8.0;

#[derive(Debug)]
pub(crate) struct Finger {
    from: Point,
    last: Point,
    track: VelocityTracker,
    state: FingerState,
}

#[derive(Clone, Debug, PartialEq)]
enum FingerState {
    /// It may become a click on `target` or a drag of `scrollers`.
    Window {
        window: u64,
        target: Option<Target>,
        scrollers: Vec<(Key, Axis)>,
    },
    /// It drags content; `Finger::last` is where it was last.
    Dragging {
        window: u64,
        axis: Axis,
        scrollers: Vec<Key>,
    },
    /// It drags the thumb of a slider.
    Sliding {
        window: u64,
        slider: Key,
    },
    /// It is on a button of the navigation bar.
    Bar(DeviceKey),
    /// It is outside a dialog.
    Outside,
    Nothing,
}

/// The topmost widget under the finger when it touched the screen.
#[derive(Clone, Debug, PartialEq)]
struct Target {
    key: Key,
    widget: Widget,
    /// Whether it was enabled then; otherwise the touch never presses it.
    enabled: bool,
}

impl Phone {
    /// Touches the screen. The topmost widget there takes the whole touch; a fling under the finger stops, and nothing is
    /// pressed.
    pub fn touch_down(&mut self, at: Point) {
        if !self.awake {
            return;
        }
        self.touch_cancel();
        let state = self.state_at(at);
        self.note_down(at, &state);
        self.enter_touch_mode();
        self.begin_pull(at);
        let state = self.stop_flings_under(state);
        if matches!(state, FingerState::Window { .. }) {
            self.clock.add_in(LONG_PRESS, TimerKind::LongPress);
        }
        let mut track = VelocityTracker::default();
        track.add(self.clock.now(), at);
        self.gestures.finger = Some(Finger {
            from: at,
            last: at,
            track,
            state,
        });
        self.settle();
    }

    /// Stops the fling under the finger, which then drags the content from its first movement on.
    fn stop_flings_under(&mut self, state: FingerState) -> FingerState {
        let FingerState::Window {
            window, scrollers, ..
        } = &state
        else {
            return state;
        };
        let (window, scrollers) = (*window, scrollers.clone());
        for axis in [Axis::Vertical, Axis::Horizontal] {
            let along: Vec<Key> = along(&scrollers, axis);
            if self.stop_flings(window, &along, StopReason::Touch) {
                return FingerState::Dragging {
                    window,
                    axis,
                    scrollers: along,
                };
            }
        }
        state
    }

    pub fn is_under_bar(&self, at: Point) -> bool {
        let bars = Bars::new(&self.theme);
        !self.shows_static_screen()
            && (at.y < bars.status || bars.navigation_area(self.display.size()).contains(at))
    }

    fn note_down(&mut self, at: Point, state: &FingerState) {
        let on = match state {
            FingerState::Window {
                target: Some(target),
                ..
            } => Some(target.widget.clone()),
            _ => None,
        };
        let secret = self.is_typing_secret(at);
        self.note(Event::TouchedDown { at, on, secret });
    }

    /// Whether a touch here is on the keyboard of a password field.
    fn is_typing_secret(&mut self, at: Point) -> bool {
        let Some(keyboard) = &self.editor.keyboard else {
            return false;
        };
        let (window, key) = (keyboard.window, keyboard.key);
        let view = self.view();
        let typed = view
            .windows
            .iter()
            .any(|shown| shown.id == KEYBOARD_WINDOW && shown.area.contains(at));
        typed
            && find(&view, window, key).is_some_and(|element| match &element.spec.kind {
                Kind::Field(field) => field.password,
                _ => false,
            })
    }

    fn state_at(&mut self, at: Point) -> FingerState {
        let bars = Bars::new(&self.theme);
        let navigation = bars.navigation_area(self.display.size());
        let static_screen = self.shows_static_screen();
        if navigation.contains(at) && !static_screen {
            return FingerState::Bar(match bars.button_at(self.display.size(), at) {
                0 => DeviceKey::Back,
                1 => DeviceKey::Home,
                _ => DeviceKey::Recents,
            });
        }
        if at.y < bars.status && !static_screen {
            return FingerState::Nothing;
        }
        let view = self.view();
        let Some(shown) = view
            .windows
            .iter()
            .rev()
            .find(|shown| shown.area.contains(at))
        else {
            return FingerState::Outside;
        };
        let scene = &shown.scene;
        // The topmost widget here that takes touches or blocks them.
        let clickable = State::CLICKABLE | State::LONG_CLICKABLE;
        let target = scene
            .items
            .iter()
            .rev()
            .filter(|item| item.bounds.contains(at))
            .map(sim_view::layout::Item::element)
            .find(|element| {
                element.spec.solid
                    || element.state.intersects(clickable)
                    || slides(&element.spec.kind)
            })
            .filter(|element| element.state.intersects(clickable) || slides(&element.spec.kind))
            .map(|element| Target {
                key: element.key,
                widget: self.widget(shown.id, element),
                enabled: element.state.contains(State::ENABLED),
            });
        let scrollers = scene.hit(at).map_or_else(Vec::new, |item| {
            scene
                .ancestors(item)
                .filter_map(|item| drag_target(scene, item))
                .collect()
        });
        FingerState::Window {
            window: shown.id,
            target,
            scrollers,
        }
    }

    pub fn touch_move(&mut self, to: Point) {
        let Some(mut finger) = self.gestures.finger.take() else {
            return;
        };
        finger.track.add(self.clock.now(), to);
        if let FingerState::Window {
            window,
            target,
            scrollers,
        } = &finger.state
            && let Some((state, lost)) =
                self.beyond_slop(&finger, *window, target.as_ref(), scrollers, to)
        {
            let slop = self.theme.px(SLOP) as i32;
            // The content does not move by the slop.
            match &state {
                FingerState::Dragging {
                    axis: Axis::Horizontal,
                    ..
                } => finger.last.x += slop * (to.x - finger.from.x).signum(),
                FingerState::Dragging { .. } => {
                    finger.last.y += slop * (to.y - finger.from.y).signum()
                }
                _ => {}
            }
            finger.state = state;
            self.clock.keep(|due| !matches!(due, TimerKind::LongPress));
            if let Some(widget) = lost {
                self.note(Event::TouchLost {
                    widget,
                    why: LostReason::LeftIt,
                });
            }
        }
        match &finger.state {
            FingerState::Dragging {
                window,
                axis,
                scrollers,
            } => {
                let travel = axis.choose(finger.last.y - to.y, finger.last.x - to.x);
                finger.last = to;
                self.drag(
                    *window,
                    *axis,
                    scrollers,
                    travel as f32,
                    ScrollCause::Finger,
                );
            }
            FingerState::Sliding { window, slider } => self.slide(*window, *slider, to),
            _ => {}
        }
        self.gestures.finger = Some(finger);
    }

    /// The state of a touch that has moved to `to` beyond the slop: a drag, or nothing after leaving its target. `None` if
    /// it is unchanged.
    fn beyond_slop(
        &mut self,
        finger: &Finger,
        window: u64,
        target: Option<&Target>,
        scrollers: &[(Key, Axis)],
        to: Point,
    ) -> Option<(FingerState, Option<Widget>)> {
        let slop = self.theme.px(SLOP);
        let (dx, dy) = (to.x - finger.from.x, to.y - finger.from.y);
        let (far_x, far_y) = (dx.abs() as f32 > slop, dy.abs() as f32 > slop);
        if !far_x && !far_y {
            return None;
        }
        let slider = target.filter(|target| target.enabled && self.is_slider(window, target.key));
        if let Some(slider) = slider.filter(|_| far_x && dx.abs() > dy.abs()) {
            let slider = slider.key;
            return Some((FingerState::Sliding { window, slider }, None));
        }
        let header = window != KEYBOARD_WINDOW
            && self
                .open_mut(window)
                .is_some_and(|open| open.page.header == Header::Large);
        let drags = |axis: Axis, far: bool| {
            far && (scrollers.iter().any(|(_, each)| *each == axis)
                || (header && axis == Axis::Vertical))
        };
        let (sideways, downwards) = (drags(Axis::Horizontal, far_x), drags(Axis::Vertical, far_y));
        if sideways || downwards {
            let axis = match sideways && (!downwards || dx.abs() > dy.abs()) {
                true => Axis::Horizontal,
                false => Axis::Vertical,
            };
            let dragging = FingerState::Dragging {
                window,
                axis,
                scrollers: along(scrollers, axis),
            };
            return Some((dragging, None));
        }
        let Some(target) = target else {
            return Some((FingerState::Nothing, None));
        };
        let view = self.view();
        // A target that is gone or has moved is detected when the finger is lifted.
        let left = bounds_of(&view, window, target.key)
            .is_some_and(|place| !contains(place, to, slop) && contains(place, finger.from, slop));
        left.then(|| (FingerState::Nothing, Some(target.widget.clone())))
    }

    /// Lifts the finger. It clicks its target if that is still there under it; content that it dragged fast enough is
    /// flung.
    pub fn touch_up(&mut self, at: Point) {
        if self.end_pull(at) {
            return;
        }
        let finger = self.gestures.finger.as_ref();
        if finger.is_some_and(|finger| finger.last != at) {
            self.touch_move(at);
        }
        let Some(finger) = self.gestures.finger.take() else {
            return;
        };
        let secret = self.is_typing_secret(at);
        self.note(Event::TouchedUp { at, secret });
        self.clock.keep(|due| !matches!(due, TimerKind::LongPress));
        match finger.state {
            FingerState::Window { window, target, .. } => self.press(window, target, at),
            FingerState::Bar(key) => self.press_key(key),
            FingerState::Outside => self.tap_outside(),
            FingerState::Dragging {
                window,
                axis,
                scrollers,
            } => {
                let (x, y) = finger.track.velocity(self.clock.now());
                let travel = (finger.from.x - at.x) as f32;
                match axis {
                    Axis::Horizontal if self.turn_pager(window, &scrollers, travel, -x) => {}
                    Axis::Horizontal => self.release(window, axis, &scrollers, x),
                    Axis::Vertical | Axis::Depth => self.release(window, axis, &scrollers, y),
                }
            }
            FingerState::Sliding { .. } | FingerState::Nothing => {}
        }
        self.settle();
    }

    /// Cancels the touch: nothing is pressed, dragged content stays.
    pub fn touch_cancel(&mut self) {
        if self.gestures.finger.is_some() {
            self.note(Event::TouchCancelled);
        }
        self.clock.keep(|due| !matches!(due, TimerKind::LongPress));
        if let Some(FingerState::Dragging {
            window,
            axis,
            scrollers,
        }) = self.gestures.finger.take().map(|finger| finger.state)
        {
            self.release(window, axis, &scrollers, 0.0);
            self.settle();
        }
    }

    /// Drops a touch whose window is no longer active.
    pub(crate) fn drop_touch_outside(&mut self, active: Option<u64>) {
        let Some(finger) = &mut self.gestures.finger else {
            return;
        };
        let window = match &finger.state {
            FingerState::Window { window, .. }
            | FingerState::Dragging { window, .. }
            | FingerState::Sliding { window, .. } => *window,
            FingerState::Outside => u64::MAX,
            FingerState::Bar(_) | FingerState::Nothing => return,
        };
        if window == KEYBOARD_WINDOW || Some(window) == active {
            return;
        }
        let state = std::mem::replace(&mut finger.state, FingerState::Nothing);
        self.clock.keep(|due| !matches!(due, TimerKind::LongPress));
        if let FingerState::Window {
            target: Some(target),
            ..
        } = state
        {
            self.note(Event::TouchLost {
                widget: target.widget,
                why: LostReason::Covered,
            });
        }
    }

    /// Touches the screen and lifts the finger.
    pub fn tap(&mut self, at: Point) {
        self.touch_down(at);
        self.touch_up(at);
    }

    fn press(&mut self, window: u64, target: Option<Target>, at: Point) {
        let Some(target) = target else {
            return self.note(Event::Missed(at));
        };
        let widget = target.widget.clone();
        let element = match self.under_finger(window, &target, at) {
            Ok(element) => element,
            Err(why) => return self.note(Event::TouchLost { widget, why }),
        };
        if !target.enabled || !element.state.contains(State::ENABLED) {
            self.note(Event::Swallowed(target.widget));
        } else if slides(&element.spec.kind) {
            self.slide(window, element.key, at);
        } else if element.state.contains(State::CLICKABLE) {
            // Determined before the keyboard moves the field.
            let place = self.character_under(window, element.key, at);
            let had_focus = self.has_focus(window, element.key);
            self.click(window, &element, ClickSource::Touch);
            if let Some(place) = place {
                self.place_cursor_by_touch(window, element.key, (place, had_focus));
            }
        } else {
            self.note(Event::Missed(at));
        }
    }

    fn under_finger(
        &mut self,
        window: u64,
        target: &Target,
        at: Point,
    ) -> Result<Element, LostReason> {
        let view = self.view();
        let place = bounds_of(&view, window, target.key).ok_or(LostReason::Vanished)?;
        if !contains(place, at, self.theme.px(SLOP)) {
            return Err(LostReason::MovedAway);
        }
        let found = find(&view, window, target.key).cloned();
        found.ok_or(LostReason::Vanished)
    }

    pub(crate) fn long_press(&mut self) {
        let Some(Finger {
            last,
            state:
                FingerState::Window {
                    window,
                    target: Some(target),
                    ..
                },
            ..
        }) = &self.gestures.finger
        else {
            return;
        };
        let (window, target, at) = (*window, target.clone(), *last);
        let Ok(element) = self.under_finger(window, &target, at) else {
            return;
        };
        let required_state = State::LONG_CLICKABLE | State::ENABLED;
        if target.enabled && element.state.contains(required_state) {
            if let Some(finger) = &mut self.gestures.finger {
                finger.state = FingerState::Nothing;
            }
            self.long_click(window, &element, ClickSource::Touch);
            self.select_on_hold(window, &element);
        }
    }
}

fn along(scrollers: &[(Key, Axis)], axis: Axis) -> Vec<Key> {
    let along = scrollers.iter().filter(|(_, each)| *each == axis);
    along.map(|(key, _)| *key).collect()
}

/// The scroller or pager that a drag from this item moves.
fn drag_target(scene: &Scene, item: usize) -> Option<(Key, Axis)> {
    let scroll = scene.scrolls.iter().find(|scroll| scroll.item == item);
    if let Some(scroll) = scroll {
        return takes_drags(scene, scroll).then_some((scroll.key, scroll.axis));
    }
    let element = scene.items.get(item)?.element();
    pages(element).map(|_| (element.key, Axis::Horizontal))
}

/// Whether a scroller can be dragged: a recycler view always, a scroll view only if its content is larger.
fn takes_drags(scene: &Scene, scroll: &ScrollBox) -> bool {
    let recycles = scene.items.get(scroll.item).is_some_and(
        |item| matches!(&item.element().spec.kind, Kind::Scroller(scroller) if scroller.recycles),
    );
    recycles || scroll.reach > 0.0
}

/// Whether a point is inside a rectangle enlarged by `slop` pixels.
fn contains(place: Rect, at: Point, slop: f32) -> bool {
    let s = slop as i32;
    Rect::new(
        place.left - s,
        place.top - s,
        place.right + s,
        place.bottom + s,
    )
    .contains(at)
}
