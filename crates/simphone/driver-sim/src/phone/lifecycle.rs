//! The lifecycle of screens: resume, pause, back.

use std::sync::Arc;

use sim_format::app::Page;
use sim_format::effects::Effects;
use sim_format::expr::Scope;

use super::{Context, Phone};

/// The most changes of the resumed screen that one event may cause.
const MAX_CHANGES: u32 = 16;

#[derive(Clone, Debug)]
pub(crate) struct ResumedScreen {
    window: u64,
    app: Arc<str>,
    page: Arc<Page>,
    scope: Arc<Scope>,
}

impl Phone {
    /// Runs `on_pause` and `on_resume` after a change of the screen in the foreground.
    pub(super) fn update_lifecycle(&mut self) {
        for _ in 0..MAX_CHANGES {
            let now = self.resumed_screen();
            let window = |resumed: &Option<ResumedScreen>| resumed.as_ref().map(|each| each.window);
            if window(&self.tasks.resumed) == window(&now) {
                return;
            }
            let before = std::mem::replace(&mut self.tasks.resumed, now.clone());
            if let Some(before) = before {
                self.run_for(&before, &before.page.on_pause);
            }
            if let Some(now) = now {
                self.run_for(&now, &now.page.on_resume);
            }
        }
    }

    fn resumed_screen(&self) -> Option<ResumedScreen> {
        let task = self.front_task().filter(|task| task.ready && self.awake)?;
        let open = &task.stack.last()?.open;
        Some(ResumedScreen {
            window: open.id,
            app: Arc::clone(&task.package),
            page: Arc::clone(&open.page),
            scope: Arc::clone(&open.scope),
        })
    }

    fn run_for(&mut self, to: &ResumedScreen, effects: &Effects) {
        if !effects.is_empty() {
            let context = Context {
                app: Arc::clone(&to.app),
                scope: Arc::clone(&to.scope),
            };
            self.run(&context, effects);
        }
    }

    /// Runs `on_back` of the active screen or dialog; returns whether there is one.
    pub(super) fn run_on_back(&mut self) -> bool {
        let Some(open) = self.active().filter(|open| !open.page.on_back.is_empty()) else {
            return false;
        };
        let (effects, scope) = (Arc::clone(&open.page.on_back), Arc::clone(&open.scope));
        let context = Context {
            app: Arc::clone(self.tasks.front()),
            scope,
        };
        self.run(&context, &effects);
        true
    }

    /// Closes screens until the one with this name is on top; no effect if it is not open.
    pub(super) fn pop_to(&mut self, app: &Arc<str>, screen: &str) {
        let Some(task) = self.task(app) else { return };
        let place = task
            .stack
            .iter()
            .rposition(|activity| &*activity.open.page.name == screen);
        let Some(place) = place else { return };
        let above = task.stack.len() - 1 - place;
        for _ in 0..above {
            self.close_top_screen(app);
        }
        while self
            .task(app)
            .and_then(|task| task.stack.last())
            .is_some_and(|top| !top.dialogs.is_empty())
        {
            self.dismiss(app);
        }
    }
}
