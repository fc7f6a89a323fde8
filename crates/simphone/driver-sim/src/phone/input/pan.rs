//! Panning and taps on canvases.

use std::sync::Arc;
use std::time::Duration;

use uitree::Point;

use crate::journal::{ClickSource, Event, Widget};
use crate::phone::Phone;
use sim_format::expr::{Scope, Value};
use sim_format::widget::Key;
use sim_view::widget::Element;

use super::press::find;

/// Within which time and distance, in density-independent pixels, two taps are a double tap.
const DOUBLE_TAP: Duration = Duration::from_millis(300);
const DOUBLE_TAP_SLOP: f32 = 100.0;

/// A tap on a canvas that may be the first of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstTap {
    canvas: Key,
    at: Point,
    since: Duration,
}

/// What a canvas shows after it was moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pushed {
    /// The place of the world in the middle.
    pub(crate) after: (f32, f32),
    /// How far the content went, in pixels: right and down where the finger went left and up.
    pub(crate) moved: (i32, i32),
}

impl Phone {
    /// Moves the world of a canvas by so many pixels, as far as there is more of it.
    pub(crate) fn pan(&mut self, window: u64, canvas: Key, by: (i32, i32)) {
        let Some(pushed) = self.push_canvas(window, canvas, by) else {
            return;
        };
        let Some(widget) = self.canvas_widget(window, canvas) else {
            return;
        };
        self.set_middle(window, canvas, pushed.after);
        self.note(Event::Scrolled {
            widget,
            dx: pushed.moved.0,
            dy: pushed.moved.1,
        });
    }

    /// What a canvas would show that is moved by so many pixels; `None` when there is no more of its world.
    pub(crate) fn push_canvas(
        &mut self,
        window: u64,
        canvas: Key,
        (dx, dy): (i32, i32),
    ) -> Option<Pushed> {
        let view = self.view();
        let shown = view.window(window)?;
        let item = shown.scene.items.get(shown.scene.find(canvas)?)?;
        let element = item.element();
        element.canvas()?.pans()?;
        let looks = element.scenery.as_ref().and_then(|scenery| scenery.view)?;
        let lens = |looks: sim_view::widget::View| {
            let (width, height) = (item.rect.width() as f32, item.rect.height() as f32);
            looks.lens(width, height, self.theme.density)
        };
        let before = lens(looks).middle;
        let after = lens(looks.around(lens(looks).moved((dx as f32, dy as f32)))).middle;
        // What is left of the way after the edge of the world has stopped it.
        let went = |before: f32, after: f32| {
            ((after - before) * looks.zoom * self.theme.density).round() as i32
        };
        let moved = (went(before.0, after.0), went(before.1, after.1));
        (before != after).then_some(Pushed { after, moved })
    }

    /// Brings a place of its world into the middle of a canvas.
    pub(crate) fn set_middle(&mut self, window: u64, canvas: Key, middle: (f32, f32)) {
        let view = self.view();
        let Some(element) = find(&view, window, canvas) else {
            return;
        };
        let Some((x, y)) = element.canvas().and_then(|canvas| canvas.pans()) else {
            return;
        };
        let context = self.context(window, &element.scope);
        for (name, value) in [(x, middle.0), (y, middle.1)] {
            self.set(&context.app, name, Value::Number(f64::from(value)));
        }
    }

    /// How the journal calls a canvas.
    pub(crate) fn canvas_widget(&mut self, window: u64, canvas: Key) -> Option<Widget> {
        let view = self.view();
        let element = find(&view, window, canvas)?;
        Some(self.widget(window, element))
    }

    /// Tells a canvas where it was tapped; whether it wanted to know.
    pub(crate) fn tap_canvas(&mut self, window: u64, element: &Element, at: Point) -> bool {
        let (Some(canvas), Some(scenery)) = (element.canvas(), &element.scenery) else {
            return false;
        };
        if !canvas.takes_taps() {
            return false;
        }
        let view = self.view();
        let shown = view.window(window);
        let item = shown.and_then(|shown| shown.scene.items.get(shown.scene.find(element.key)?));
        let Some(rect) = item.map(|item| item.rect) else {
            return false;
        };
        let first = FirstTap {
            canvas: element.key,
            at,
            since: self.clock.now(),
        };
        let double = self.gestures.first_tap.take().is_some_and(|before| {
            let reach = self.theme.px(DOUBLE_TAP_SLOP);
            before.canvas == element.key
                && self.clock.now().saturating_sub(before.since) <= DOUBLE_TAP
                && (before.at.x - at.x).abs() as f32 <= reach
                && (before.at.y - at.y).abs() as f32 <= reach
        }) && !canvas.on_double_tap.is_empty();
        if !double {
            self.gestures.first_tap = Some(first);
        }
        let (x, y) = scenery.place(
            ((at.x - rect.left) as f32, (at.y - rect.top) as f32),
            (rect.width() as f32, rect.height() as f32),
            self.theme.density,
        );
        let number = |name: &str, value: f32| {
            // A tenth of a unit is less than a finger knows.
            let value = (f64::from(value) * 10.0).round() / 10.0;
            (Arc::from(name), Value::Number(value))
        };
        let scope = Scope {
            record: Some(Arc::new(vec![number("x", x), number("y", y)])),
            index: 0,
            outer: Some(Arc::clone(&element.scope)),
        };
        self.gestures.pressed = Some((window, element.key));
        let widget = self.widget(window, element);
        self.note(Event::Clicked {
            widget,
            by: ClickSource::Touch,
        });
        let context = self.context(window, &Arc::new(scope));
        let effects = if double {
            &canvas.on_double_tap
        } else {
            &canvas.on_tap
        };
        self.run(&context, effects);
        true
    }
}
