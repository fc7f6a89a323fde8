//! Pulls of the notification shade, down from the status bar and up again; and the drawers of screens.
//!
//! What a finger could pull is found when it comes down; whether it did so is decided when it leaves. In between the
//! touch is one like any other.

use uitree::Point;

use sim_format::widget::Axis;
use sim_view::layout::Scene;
use sim_view::widget::Element;
use sim_view::window::Bars;

use super::Phone;

/// How far a finger moves before it has pulled, in density-independent pixels.
const FAR: f32 = 56.0;

/// A finger that may pull something.
#[derive(Debug)]
pub(crate) struct Pull {
    from: Point,
    what: Pulled,
}

/// What is pulled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pulled {
    /// The notification shade, down from the status bar.
    Shade,
    /// The open shade, up.
    OpenShade,
}

impl Phone {
    /// A finger has come down: remembers what it could pull.
    pub(crate) fn begin_pull(&mut self, at: Point) {
        self.gestures.pull = self.pulled(at).map(|what| Pull { from: at, what });
    }

    /// The finger leaves: whether it has pulled something. Then that is done, and the touch is nothing else.
    pub(crate) fn end_pull(&mut self, at: Point) -> bool {
        let Some(Pull { from, what }) = self.gestures.pull.take() else {
            return false;
        };
        if !self.gestures.has_finger() {
            // The touch was taken away.
            return false;
        }
        let far = self.theme.dp(FAR);
        let (dx, dy) = (at.x - from.x, at.y - from.y);
        let (up, down) = (-dy >= far && -dy > dx.abs(), dy >= far && dy > dx.abs());
        let done = match what {
            Pulled::Shade => down,
            Pulled::OpenShade => up,
        };
        if !done {
            return false;
        }
        self.touch_cancel();
        match what {
            Pulled::Shade => self.open_shade(),
            Pulled::OpenShade => self.close_shade(),
        }
        self.settle();
        true
    }

    fn pulled(&mut self, at: Point) -> Option<Pulled> {
        let bars = Bars::of(&self.theme);
        if at.y < bars.status {
            return self.shade.window().is_none().then_some(Pulled::Shade);
        }
        let view = self.view();
        let shown = view
            .windows
            .iter()
            .rev()
            .find(|shown| shown.area.contains(at))?;
        if self.shade.window() == Some(shown.id) {
            let scrolls = scroller(&shown.scene, at).is_some_and(|(_, reach)| reach > 0.0);
            return (!scrolls).then_some(Pulled::OpenShade);
        }
        None
    }

    /// Opens or closes the drawer of a screen.
    pub(crate) fn move_drawer(&mut self, window: u64, to: Drawer) {
        let wanted = to == Drawer::Open;
        let moved = self.open_mut(window).is_some_and(|open| {
            let moves = open.page.drawer && open.local.drawer != wanted;
            open.local.drawer = wanted && open.page.drawer;
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

    /// A press inside an open drawer closes it, before it does anything else.
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

/// What becomes of a drawer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawer {
    Open,
    Closed,
}

/// How far the vertical scroller at a point is scrolled, and how far it can be.
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
