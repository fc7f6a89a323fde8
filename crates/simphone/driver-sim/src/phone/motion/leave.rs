//! What leaves the screen: the content that was there before stays in sight until the next one has taken its place.

use std::sync::Arc;
use std::time::Duration;

use uitree::{Rect, Size};

use crate::phone::Phone;
use sim_view::window::ScreenWindow;

use super::play::Side;
use sim_format::widget::Curve;
use sim_view::motion::ENTER;

/// A window that leaves, as it was when it began to: an activity that is paused changes no more.
#[derive(Debug)]
pub(crate) struct Leaving {
    app: Arc<str>,
    /// What comes in its place.
    next: u64,
    shown: ScreenWindow,
    /// The screen that it was on.
    screen: Size,
    since: Duration,
    way: Leave,
}

/// How a window leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leave {
    /// Below the one that comes in, a third of the screen to the left.
    Under,
    /// Above the one that comes in, out of the screen to the right.
    Aside,
}

/// The order of a leaving window and the one that replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Below,
    Above,
}

/// A leaving window as it is painted.
#[derive(Debug)]
pub(crate) struct Trail {
    pub(crate) shown: ScreenWindow,
    pub(crate) order: Order,
}

impl Leaving {
    const fn order(&self) -> Order {
        match self.way {
            Leave::Under => Order::Below,
            Leave::Aside => Order::Above,
        }
    }

    fn is_over(&self, now: Duration) -> bool {
        now >= self.since + ENTER
    }

    /// The share of its way at a moment.
    fn passed(&self, now: Duration) -> f64 {
        let passed = now.saturating_sub(self.since).as_secs_f64() / ENTER.as_secs_f64();
        Curve::Decelerate.at(passed)
    }

    /// The window at a moment, seen within `area`.
    fn at(&self, now: Duration, area: Rect) -> ScreenWindow {
        let width = f64::from(self.screen.width);
        let to = match self.way {
            Leave::Under => -(width / 3.0).round(),
            Leave::Aside => width,
        };
        let dx = (to * self.passed(now)).round() as i32;
        let shown = &self.shown;
        let place = shown.area;
        let place = Rect::new(place.left + dx, place.top, place.right + dx, place.bottom);
        ScreenWindow {
            id: shown.id,
            kind: shown.kind,
            package: Arc::clone(&shown.package),
            class: Arc::clone(&shown.class),
            title: Arc::clone(&shown.title),
            layer: match self.order() {
                Order::Below => -1,
                Order::Above => 1,
            },
            active: false,
            area: place.intersect(&area).unwrap_or_default(),
            scene: shown.scene.moved((dx, 0), area),
            static_screen: None,
            focus: None,
            cursor: sim_view::cursor::Cursor::default(),
            ring: false,
            toolkit: shown.toolkit,
        }
    }
}

impl Phone {
    /// The screen of an app at `level` of its stack as it is now; `None` where windows do not slide.
    fn freeze(&mut self, app: &str, level: Option<usize>) -> Option<ScreenWindow> {
        let seen = self.awake && **self.tasks.front() == *app && self.animates(app);
        if !seen || self.system_window().is_some() {
            return None;
        }
        let shown = self.page_window(app, level, 0)?;
        shown.static_screen.is_none().then_some(shown)
    }

    /// The topmost screen of an app, which is about to leave.
    pub(crate) fn freeze_top(&mut self, app: &str) -> Option<ScreenWindow> {
        self.freeze(app, None)
    }

    /// A screen has opened: it comes in, and the one below leaves.
    pub(crate) fn screen_comes(&mut self, app: &Arc<str>, window: u64) {
        self.motions.leaving = None;
        self.window_enters(app, window, Side::Right);
        let below = self
            .task(app)
            .and_then(|task| task.stack.len().checked_sub(2));
        let before = below.and_then(|level| self.freeze(app, Some(level)));
        self.screen_replaced(app, before);
    }

    /// Another screen has taken the place of one that is gone.
    pub(crate) fn screen_replaced(&mut self, app: &Arc<str>, before: Option<ScreenWindow>) {
        if let Some(shown) = before {
            self.leaves(app, shown, Leave::Under);
        }
    }

    /// A screen has closed: it leaves, and the one that was below comes in.
    pub(crate) fn screen_goes(&mut self, app: &Arc<str>, gone: Option<ScreenWindow>) {
        self.motions.leaving = None;
        let Some(shown) = gone else {
            return;
        };
        let below = self
            .task(app)
            .and_then(|task| Some((task.stack.last()?.open.id, task.top()?.id)));
        let Some((screen, top)) = below else { return };
        self.window_enters(app, screen, Side::Left);
        if top != screen {
            self.window_enters(app, top, Side::Left);
        }
        self.leaves(app, shown, Leave::Aside);
    }

    fn leaves(&mut self, app: &Arc<str>, shown: ScreenWindow, way: Leave) {
        let Some(next) = self.task(app).and_then(|task| Some(task.top()?.id)) else {
            return;
        };
        self.motions.leaving = Some(Box::new(Leaving {
            app: Arc::clone(app),
            next,
            shown,
            screen: self.display.size(),
            since: self.clock.now(),
            way,
        }));
        self.bump();
    }

    /// What leaves the screen at a moment, while what has come in its place is what the user works in.
    fn leaving_at(&self, now: Duration) -> Option<&Leaving> {
        let leaving = self.motions.leaving.as_deref()?;
        let seen = self.awake
            && !leaving.is_over(now)
            && leaving.screen == self.display.size()
            && leaving.app == *self.tasks.front()
            && self.animates(&leaving.app)
            && self.active_id() == Some(leaving.next)
            && leaving.shown.id != leaving.next;
        seen.then_some(leaving)
    }

    /// Whether something leaves the screen; once nothing does, what has left is forgotten. What was painted last
    /// counts: the frame that shows the end is still to come.
    pub(super) fn is_leaving(&mut self) -> bool {
        let leaves = self.leaving_at(self.frames.drawn()).is_some();
        if !leaves {
            self.motions.leaving = None;
        }
        leaves
    }

    /// The leaving window as accessibility tells of it.
    pub(crate) fn leaving_window(&self) -> Option<ScreenWindow> {
        let leaving = self.leaving_at(self.frames.drawn())?;
        let area = self.display.size().to_rect();
        let next = self
            .active()
            .is_some_and(|open| open.page.static_screen.is_none());
        next.then(|| leaving.at(self.frames.drawn(), area))
    }

    /// The leaving window as it is painted.
    pub(crate) fn trail(&self) -> Option<Trail> {
        let leaving = self.leaving_at(self.frames.drawn())?;
        let area = self.display.size().to_rect();
        Some(Trail {
            shown: leaving.at(self.frames.drawn(), area),
            order: leaving.order(),
        })
    }

    /// How a window that leaves is to the active one; `None` for one that does not leave. What falls on it is lost.
    pub(crate) fn leaves_as(&self, window: u64) -> Option<Order> {
        let leaving = self.leaving_at(self.frames.drawn())?;
        (leaving.shown.id == window).then(|| leaving.order())
    }
}
