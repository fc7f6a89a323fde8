//! Canvases under the finger: their world moves with it, and they are told the place of a tap.

use std::sync::Arc;
use std::time::Duration;

use uitree::Point;

use crate::app::{Scope, Value};
use crate::journal::{By, Happening};
use crate::phone::Phone;
use crate::widget::{Element, Key};

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

impl Phone {
    /// Moves the world of a canvas by so many pixels, as far as there is more of it.
    pub(crate) fn pan(&mut self, window: u64, canvas: Key, (dx, dy): (i32, i32)) {
        let view = self.view();
        let shown = view.windows.iter().find(|shown| shown.id == window);
        let item = shown.and_then(|shown| shown.scene.items.get(shown.scene.find(canvas)?));
        let Some(item) = item else { return };
        let element = item.element();
        let (Some(looks), Some((x, y))) = (
            element.scenery.as_ref().and_then(|scenery| scenery.view),
            element.canvas().and_then(|canvas| canvas.pans()),
        ) else {
            return;
        };
        let lens = |looks: crate::widget::View| {
            let (width, height) = (item.rect.width() as f32, item.rect.height() as f32);
            looks.lens(width, height, self.theme.density)
        };
        let before = lens(looks).middle;
        let after = lens(looks.around(lens(looks).moved((dx as f32, dy as f32)))).middle;
        if before == after {
            return;
        }
        // What is left of the way after the edge of the world has stopped it.
        let went = |before: f32, after: f32| {
            ((after - before) * looks.zoom * self.theme.density).round() as i32
        };
        let (right, down) = (went(before.0, after.0), went(before.1, after.1));
        let widget = self.widget(window, element);
        let context = self.context(window, &element.scope);
        for (name, value) in [(x, after.0), (y, after.1)] {
            self.set(&context.app, name, Value::Number(f64::from(value)));
        }
        self.note(Happening::Scrolled {
            widget,
            dx: right,
            dy: down,
        });
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
        let shown = view.windows.iter().find(|shown| shown.id == window);
        let item = shown.and_then(|shown| shown.scene.items.get(shown.scene.find(element.key)?));
        let Some(rect) = item.map(|item| item.rect) else {
            return false;
        };
        let first = FirstTap {
            canvas: element.key,
            at,
            since: self.now,
        };
        let double = self.first_tap.take().is_some_and(|before| {
            let reach = self.theme.px(DOUBLE_TAP_SLOP);
            before.canvas == element.key
                && self.now.saturating_sub(before.since) <= DOUBLE_TAP
                && (before.at.x - at.x).abs() as f32 <= reach
                && (before.at.y - at.y).abs() as f32 <= reach
        }) && !canvas.on_double_tap.is_empty();
        if !double {
            self.first_tap = Some(first);
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
        self.pressed = Some((window, element.key));
        let widget = self.widget(window, element);
        self.note(Happening::Clicked {
            widget,
            by: By::Touch,
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
