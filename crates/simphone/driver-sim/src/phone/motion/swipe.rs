//! Rows that a finger pushes aside: they follow it, and go or come back when it leaves.

use uitree::{Point, State};

use crate::journal::{Event, Widget};
use crate::phone::Phone;
use crate::phone::clock::Due;
use crate::phone::input::find;
use sim_format::SwipeTo;
use sim_format::widget::Key;
use sim_view::layout::Scene;
use sim_view::motion::{Aside, TIME, Track};
use sim_view::widget::Element;

/// How fast a finger must leave a row that it has not pushed half of its way, in density-independent pixels a second.
const ESCAPE: f64 = 120.0;

/// A widget that goes aside, as it was when the finger left it.
#[derive(Clone, Debug)]
pub(crate) struct RemovedRow {
    pub(crate) window: u64,
    element: Element,
    widget: Widget,
    to: SwipeTo,
}

/// The rows at an item that can be pushed aside, from the inside out.
pub(crate) fn rows_aside(scene: &Scene, item: usize) -> Vec<Key> {
    scene
        .ancestors(item)
        .filter_map(|item| scene.items.get(item).map(sim_view::layout::Item::element))
        .filter(|element| element.state.contains(State::ENABLED))
        .filter(|element| {
            let moves = element.spec.moves.as_ref();
            moves.is_some_and(|moves| moves.swipe.is_some())
        })
        .map(|element| element.key)
        .collect()
}

/// The row that a finger takes hold of which has gone from `from` to `to`, and where the row begins to follow it: it does
/// not follow over the threshold, `slop` pixels, itself.
pub(crate) fn taken(rows: &[Key], from: Point, to: Point, slop: f32) -> Option<(Key, Point)> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    if dx.abs() <= dy.abs() || dx.abs() as f32 <= slop {
        return None;
    }
    let row = *rows.first()?;
    Some((row, Point::new(from.x + slop as i32 * dx.signum(), from.y)))
}

impl Phone {
    /// A finger has pushed a widget so many pixels to the right of its place.
    pub(crate) fn push_aside(&mut self, window: u64, key: Key, by: f32) {
        let view = self.view();
        if find(&view, window, key).is_none() {
            return;
        }
        let Some(open) = self.open_mut(window) else {
            return;
        };
        let before = open.local.play.aside.insert(key, Aside::Held(by.round()));
        open.local.version += u64::from(before.is_none());
        self.bump();
    }

    /// The finger leaves a widget that it has pushed aside by so many pixels.
    pub(crate) fn release_row(&mut self, window: u64, key: Key, by: f32, track: &Track) {
        let velocity = track.velocity(self.clock.now());
        let view = self.view();
        let shown = view.window(window);
        let item = shown.and_then(|shown| shown.scene.items.get(shown.scene.find(key)?));
        let Some(item) = item else {
            self.come_back(window, key);
            return;
        };
        let width = item.rect.width() as f32;
        let way = SwipeTo::of(f64::from(by));
        let fast = velocity.0.abs() >= ESCAPE * f64::from(self.theme.density)
            && velocity.0.abs() > velocity.1.abs()
            && SwipeTo::of(velocity.0) == way;
        let element = item.element();
        if !(fast || by.abs() > width / 2.0) {
            self.come_back(window, key);
            return;
        }
        let app = self.context(window, &element.scope).app;
        let gone = RemovedRow {
            window,
            element: element.clone(),
            widget: self.widget(window, element),
            to: way,
        };
        let to = if way == SwipeTo::Left { -width } else { width };
        if self.animates(&app) {
            let since = self.clock.now();
            if let Some(open) = self.open_mut(window) {
                let from = by;
                let going = Aside::Going { from, to, since };
                open.local.play.aside.insert(key, going);
            }
            let due = Due::Swiped(Box::new(gone));
            self.clock.add(self.clock.now() + TIME, due);
            self.bump();
        } else {
            self.swiped(&gone);
        }
    }

    /// A widget has gone to a side: what the app says happens. What is still there then comes back.
    pub(crate) fn swiped(&mut self, gone: &RemovedRow) {
        if let Some(open) = self.open_mut(gone.window) {
            open.local.play.aside.remove(&gone.element.key);
            open.local.version += 1;
        }
        self.bump();
        let swipe = gone.element.spec.moves.as_ref();
        let Some(swipe) = swipe.and_then(|moves| moves.swipe.as_ref()) else {
            return;
        };
        self.note(Event::Swiped {
            widget: gone.widget.clone(),
            to: gone.to,
        });
        let context = self.context(gone.window, &gone.element.scope);
        self.run(&context, swipe);
    }

    /// A widget that was pushed aside goes back to its place.
    pub(crate) fn come_back(&mut self, window: u64, key: Key) {
        let now = self.clock.now();
        let slides = self
            .tasks
            .of_window(window)
            .map(|task| task.package.clone())
            .is_some_and(|app| self.animates(&app));
        let Some(open) = self.open_mut(window) else {
            return;
        };
        let Some(away) = open.local.play.aside.remove(&key) else {
            return;
        };
        if slides {
            let back = Aside::Going {
                from: away.at(now),
                to: 0.0,
                since: now,
            };
            open.local.play.aside.insert(key, back);
        }
        open.local.version += 1;
        self.bump();
    }
}
