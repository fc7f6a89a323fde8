//! Gestures that pull the notification shade down or up; navigation drawers.
//!
//! The target of a pull is determined when the finger touches the screen, and whether it was pulled when the finger is
//! lifted. Until then the touch is handled like any other.

use uitree::Point;

use sim_view::widget::Element;
use sim_view::window::Bars;

use super::Phone;

/// The least distance of a pull, in density-independent pixels.
const MIN_DISTANCE: f32 = 56.0;

#[derive(Debug)]
pub(crate) struct Pull {
    from: Point,
    /// Whether it closes the shade; otherwise it opens the shade.
    closes: bool,
}

impl Phone {
    /// Records what the finger that touched the screen could pull.
    pub(crate) fn begin_pull(&mut self, at: Point) {
        let closes = self.pull_closes(at);
        self.gestures.pull = closes.map(|closes| Pull { from: at, closes });
    }

    /// Ends the touch: if it was a pull, opens or closes the shade and returns true.
    pub(crate) fn end_pull(&mut self, at: Point) -> bool {
        let Some(Pull { from, closes }) = self.gestures.pull.take() else {
            return false;
        };
        if !self.gestures.has_finger() {
            // The touch was cancelled.
            return false;
        }
        let far = self.theme.dp(MIN_DISTANCE);
        let (dx, dy) = (at.x - from.x, at.y - from.y);
        let along = if closes { -dy } else { dy };
        if along < far || along <= dx.abs() {
            return false;
        }
        self.touch_cancel();
        match closes {
            true => self.close_shade(),
            false => self.open_shade(),
        }
        self.settle();
        true
    }

    /// Whether a pull from here would close the shade or open it; `None` if it does neither.
    fn pull_closes(&mut self, at: Point) -> Option<bool> {
        if at.y < Bars::new(&self.theme).status {
            return self.shade.window().is_none().then_some(false);
        }
        let view = self.view();
        let mut windows = view.windows.iter().rev();
        let shown = windows.find(|shown| shown.area.contains(at))?;
        let scene = &shown.scene;
        let scroll = scene.hit(at).and_then(|item| scene.scroller_of(item));
        let scrolls = scroll.is_some_and(|scroll| scroll.reach > 0.0);
        (self.shade.window() == Some(shown.id) && !scrolls).then_some(true)
    }

    pub(crate) fn move_drawer(&mut self, window: u64, to: Drawer) {
        let opens = to == Drawer::Open;
        let moved = self.open_mut(window).is_some_and(|open| {
            let moves = open.page.drawer && open.local.drawer != opens;
            open.local.drawer = opens && open.page.drawer;
            moves
        });
        if moved {
            self.hide_keyboard();
            self.bump();
        }
    }

    pub(super) fn move_drawer_of(&mut self, app: &str, to: Drawer) {
        let top = self.task(app).and_then(|task| task.stack.last());
        if let Some(window) = top.map(|activity| activity.open.id) {
            self.move_drawer(window, to);
        }
    }

    /// Closes an open drawer when a widget inside it is pressed.
    pub(crate) fn leave_drawer(&mut self, window: u64, element: &Element) {
        let open = self
            .active()
            .is_some_and(|open| open.id == window && open.local.drawer);
        if !open || element.spec.on_click.is_empty() {
            return;
        }
        let view = self.view();
        let shown = view.window(window);
        let place = shown.and_then(|shown| Some((&shown.scene, shown.scene.find(element.key)?)));
        let inside = place.is_some_and(|(scene, item)| {
            let mut items = scene
                .ancestors(item)
                .filter_map(|each| scene.items.get(each));
            items.any(|item| item.element().spec.drawer)
        });
        if inside {
            self.move_drawer(window, Drawer::Closed);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawer {
    Open,
    Closed,
}
