//! Gestures that pull the notification shade down or up; navigation drawers.
//!
//! The target of a pull is determined when the finger touches the screen, and whether it was pulled when the finger is
//! lifted. Until then the touch is handled like any other.

use uitree::Point;

use sim_format::widget::Axis;
use sim_view::layout::Scene;
use sim_view::widget::Element;
use sim_view::window::Bars;

use super::Phone;

/// The least distance of a pull, in density-independent pixels.
const MIN_DISTANCE: f32 = 56.0;

/// A touch that may become a pull.
#[derive(Debug)]
pub(crate) struct Pull {
    from: Point,
    what: PullTarget,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PullTarget {
    /// The notification shade, down from the status bar.
    Shade,
    OpenShade,
}

impl Phone {
    /// Records what the finger that touched the screen could pull.
    pub(crate) fn begin_pull(&mut self, at: Point) {
        self.gestures.pull = self.pull_target(at).map(|what| Pull { from: at, what });
    }

    /// Ends the touch: if it was a pull, opens or closes the shade and returns true.
    pub(crate) fn end_pull(&mut self, at: Point) -> bool {
        let Some(Pull { from, what }) = self.gestures.pull.take() else {
            return false;
        };
        if !self.gestures.has_finger() {
            // The touch was cancelled.
            return false;
        }
        let far = self.theme.dp(MIN_DISTANCE);
        let (dx, dy) = (at.x - from.x, at.y - from.y);
        let (up, down) = (-dy >= far && -dy > dx.abs(), dy >= far && dy > dx.abs());
        let done = match what {
            PullTarget::Shade => down,
            PullTarget::OpenShade => up,
        };
        if !done {
            return false;
        }
        self.touch_cancel();
        match what {
            PullTarget::Shade => self.open_shade(),
            PullTarget::OpenShade => self.close_shade(),
        }
        self.settle();
        true
    }

    fn pull_target(&mut self, at: Point) -> Option<PullTarget> {
        let bars = Bars::new(&self.theme);
        if at.y < bars.status {
            return self.shade.window().is_none().then_some(PullTarget::Shade);
        }
        let view = self.view();
        let shown = view
            .windows
            .iter()
            .rev()
            .find(|shown| shown.area.contains(at))?;
        if self.shade.window() == Some(shown.id) {
            let scrolls = scroller(&shown.scene, at).is_some_and(|(_, reach)| reach > 0.0);
            return (!scrolls).then_some(PullTarget::OpenShade);
        }
        None
    }

    /// Opens or closes the drawer of a screen.
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

    /// Opens or closes the drawer of an app's topmost screen.
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
        let inside = shown.is_some_and(|shown| {
            shown.scene.find(element.key).is_some_and(|item| {
                shown.scene.ancestors(item).any(|each| {
                    let item = shown.scene.items.get(each);
                    item.is_some_and(|item| item.element().spec.drawer)
                })
            })
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

/// Offset and range of the vertical scroller at a point.
fn scroller(scene: &Scene, at: Point) -> Option<(f32, f32)> {
    let item = scene.hit(at)?;
    scene.ancestors(item).find_map(|item| {
        let found = scene
            .scrolls
            .iter()
            .find(|scroll| scroll.item == item && scroll.axis == Axis::Vertical)?;
        Some((found.offset, found.reach))
    })
}
