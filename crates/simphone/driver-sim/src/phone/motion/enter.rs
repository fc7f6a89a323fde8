//! Enter animations of windows, the keyboard and snackbars.

use std::sync::Arc;
use std::time::Duration;

use crate::phone::Phone;
use sim_format::AnimationChoice;
use sim_view::motion::Enter;
use sim_view::window::keyboard_height;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Right,
    Left,
    Below,
}

impl Phone {
    /// Whether anything in a visible window is animated, apart from flings.
    pub(super) fn is_animating(&mut self) -> bool {
        if !self.awake {
            return false;
        }
        // The last drawn frame decides, so that the end of an animation gets a frame.
        let now = self.frames.drawn();
        let keyboard = self.editor.keyboard.as_ref();
        if keyboard.is_some_and(|keyboard| keyboard.local.motion.moves(now)) {
            return true;
        }
        // System windows are animated too.
        let overlays = self.overlays_shown().into_iter().map(|(window, _)| window);
        let mut windows = overlays.chain(self.shade.window());
        if windows.any(|window| {
            self.overlay_open(window)
                .is_some_and(|open| open.local.motion.moves(now))
        }) {
            return true;
        }
        let mut moving: Option<(u64, Duration)> = None;
        if let Some(task) = self.front_task().filter(|task| task.ready)
            && let Some(activity) = task.stack.last()
        {
            let mut opens = std::iter::once(&activity.open).chain(&activity.dialogs);
            if opens.any(|open| open.local.motion.moves(now)) {
                return true;
            }
            let top = task.top().filter(|open| open.page.has_movement);
            moving = top.map(|open| (open.id, now.saturating_sub(open.since)));
        }
        let Some((window, age)) = moving else {
            return false;
        };
        self.view()
            .windows
            .iter()
            .filter(|shown| shown.id == window)
            .flat_map(|shown| &shown.scene.items)
            .filter_map(|item| item.element().spec.movement.as_ref())
            .any(|movement| !movement.ends_by(age))
    }

    pub(super) fn animates(&self, app: &str) -> bool {
        let own = self.task(app).and_then(|task| task.app.animations);
        own.unwrap_or(self.motions.animations) == AnimationChoice::On
    }

    pub(crate) fn window_enters(&mut self, app: &str, window: u64, side: Side) {
        let Some(from) = self.enter_offset(app, side) else {
            return;
        };
        let since = self.clock.now();
        if let Some(open) = self.open_mut(window) {
            open.local.motion.window = Some(Enter { from, since });
        }
    }

    /// Animates the screen that is uncovered when the one above closes, and the dialog on it.
    pub(crate) fn screen_returns(&mut self, app: &str) {
        let task = self.task(app);
        let below = task.and_then(|task| Some((task.stack.last()?.open.id, task.top()?.id)));
        let Some((screen, top)) = below else { return };
        self.window_enters(app, screen, Side::Left);
        if top != screen {
            self.window_enters(app, top, Side::Left);
        }
    }

    pub(crate) fn snackbar_enters(&mut self, app: &str, window: u64) {
        if !self.animates(app) {
            return;
        }
        let (since, from) = (self.clock.now(), (0.0, self.theme.px(64.0).round()));
        if let Some(open) = self.open_mut(window) {
            open.local.motion.message = Some(Enter { from, since });
        }
    }

    pub(crate) fn keyboard_enters(&mut self) {
        let front = Arc::clone(self.tasks.front());
        if !self.animates(&front) {
            return;
        }
        let from = (0.0, keyboard_height(self.display.size()) as f32);
        let since = self.clock.now();
        if let Some(keyboard) = &mut self.editor.keyboard {
            keyboard.local.motion.window = Some(Enter { from, since });
        }
    }

    /// The offset at which a window of an app enters, if it is animated.
    fn enter_offset(&self, app: &str, side: Side) -> Option<(f32, f32)> {
        let width = self.display.size().width as f32;
        self.animates(app).then(|| match side {
            Side::Right => (width, 0.0),
            Side::Left => (-(width / 3.0).round(), 0.0),
            Side::Below => (0.0, self.theme.px(48.0).round()),
        })
    }
}
