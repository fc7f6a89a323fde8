//! Running `scroll_to`.

use std::sync::Arc;
use std::time::Duration;

use crate::journal::StopReason;
use crate::phone::Phone;
use crate::phone::input::Ends;
use sim_format::effects::{End, Goal, Pace};
use sim_format::expr::{Names, Scope};
use sim_view::widget::Element;

/// How long the content takes for an inch, and the shortest and the longest way.
const MILLIS_PER_INCH: f64 = 25.0 / 0.3356;
const SHORTEST: f64 = 100.0;
const LONGEST: f64 = 1000.0;

impl Phone {
    /// Scrolls a list of the topmost screen or dialog of an app.
    pub(crate) fn scroll_to(&mut self, app: &Arc<str>, scope: &Arc<Scope>, goal: &Goal) {
        let Some(task) = self.task(app) else { return };
        let row = match &goal.to {
            End::Row(expr) => {
                let names = Names {
                    vars: &task.vars,
                    scope,
                };
                expr.value(&names).number()
            }
            End::Top | End::Bottom => 0.0,
        };
        let depth = task.stack.last().map_or(0, |top| top.dialogs.len());
        let front = *self.tasks.front() == *app;
        // The list as it is after everything that the app has done before this.
        let Some(shown) = self.page_window(app, None, depth) else {
            return;
        };
        let named = |element: &Element| element.spec.id == goal.id;
        let found = shown.scene.scrolls.iter().find(|scroll| {
            let item = shown.scene.items.get(scroll.item);
            item.is_some_and(|item| named(item.element()))
        });
        let Some(scroll) = found else { return };
        let to = match &goal.to {
            End::Top => 0.0,
            End::Bottom => scroll.reach,
            End::Row(_) => {
                let stops = shown.scene.stops(scroll);
                let last = stops.len().saturating_sub(1);
                let row = row.max(0.0) as usize;
                stops.get(row.min(last)).copied().unwrap_or(0.0)
            }
        };
        if goal.pace == Pace::Smooth && front {
            let way = f64::from((to - scroll.offset).abs());
            let inches = way / (f64::from(self.theme.density) * 160.0);
            let millis = (inches * MILLIS_PER_INCH).clamp(SHORTEST, LONGEST);
            let duration = Duration::from_millis(millis.ceil() as u64);
            self.glide(shown.id, scroll.axis, scroll.key, to, duration);
        } else if to != scroll.offset {
            self.stop_runs(shown.id, &[scroll.key], StopReason::Replaced);
            let ends = shown
                .scene
                .items
                .get(scroll.item)
                .map(|item| Ends::of(item.element()));
            let place = (to, scroll.reach);
            self.come_to(
                (app, shown.id),
                scroll.key,
                &ends.unwrap_or_default(),
                place,
            );
            self.bump();
        }
    }
}
