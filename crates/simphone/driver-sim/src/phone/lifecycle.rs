//! The life of screens: coming to the front and leaving it, going back over several.

use std::sync::Arc;

use sim_format::app::Page;
use sim_format::effects::Effects;
use sim_format::expr::Scope;

use super::{Context, Phone};

/// How many screens may come to the front because of one another.
const TURNS: u32 = 16;

/// The screen that the user works with, dialogs aside.
#[derive(Clone, Debug)]
pub(crate) struct Resumed {
    window: u64,
    app: Arc<str>,
    page: Arc<Page>,
    scope: Arc<Scope>,
}

impl Phone {
    /// Tells screens that they have come to the front or are there no longer.
    pub(super) fn live(&mut self) {
        for _ in 0..TURNS {
            let now = self.resumed_screen();
            let window = |resumed: &Option<Resumed>| resumed.as_ref().map(|each| each.window);
            if window(&self.tasks.resumed) == window(&now) {
                return;
            }
            let before = std::mem::replace(&mut self.tasks.resumed, now.clone());
            if let Some(before) = before {
                self.tell(&before, &before.page.on_pause);
            }
            if let Some(now) = now {
                self.tell(&now, &now.page.on_resume);
            }
        }
    }

    fn resumed_screen(&self) -> Option<Resumed> {
        let task = self.front_task().filter(|task| task.ready && self.awake)?;
        let open = &task.stack.last()?.open;
        Some(Resumed {
            window: open.id,
            app: Arc::clone(&task.package),
            page: Arc::clone(&open.page),
            scope: Arc::clone(&open.scope),
        })
    }

    fn tell(&mut self, to: &Resumed, effects: &Effects) {
        if !effects.is_empty() {
            let context = Context {
                app: Arc::clone(&to.app),
                scope: Arc::clone(&to.scope),
            };
            self.run(&context, effects);
        }
    }

    /// What the back key does on this screen or dialog instead of leaving it; whether it does anything of the kind.
    pub(super) fn back_is_taken(&mut self) -> bool {
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

    /// Leaves screens until one of this name is on top; nothing happens if none is open.
    pub(super) fn pop_to(&mut self, app: &Arc<str>, screen: &str) {
        let Some(task) = self.task(app) else { return };
        let place = task
            .stack
            .iter()
            .rposition(|activity| &*activity.open.page.name == screen);
        let Some(place) = place else { return };
        let above = task.stack.len() - 1 - place;
        for _ in 0..above {
            self.pop_silently(app);
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
