//! The date picker of the platform, with its views and their ids.

mod date;
mod parts;

use std::sync::Arc;

use crate::app::{Computed, Date, Locale, Pick, PickAct, Value};
use crate::clock;
use crate::layout::Cache;
use draw::Flow;

use super::{Context, Open, Phone};
use date::DateFace;

/// A picker while it is open.
#[derive(Debug)]
pub(crate) struct Picker {
    pick: Arc<Pick>,
    /// Where it was opened from.
    context: Context,
    face: DateFace,
}

/// What a picker looks like besides what is chosen in it.
#[derive(Clone, Copy, Debug)]
struct PickerStyle {
    locale: Locale,
    flow: Flow,
    /// Whether the screen is wider than high: the header then stands beside the rest.
    wide: bool,
    density: f32,
}

/// What a part of a picker has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// It shows something else.
    Anew,
    /// It shows what it showed.
    Same,
}

impl Phone {
    fn picker_looks(&self) -> PickerStyle {
        PickerStyle {
            locale: Locale::of(&self.config.language),
            flow: self.theme.flow,
            wide: self.display.size().width > self.display.size().height,
            density: self.theme.density,
        }
    }

    /// Opens the dialog in which a day or a time is chosen.
    pub(crate) fn open_picker(&mut self, context: &Context, pick: &Arc<Pick>) {
        let Some(kept) = self.variable(&context.app, &pick.bind) else {
            return;
        };
        if self.is_full(&context.app) {
            return;
        }
        let kept = kept.to_text();
        let looks = self.picker_looks();
        let end = |end: &Option<Computed>, otherwise: Date| {
            let value = end.as_ref().and_then(|end| self.work_out(context, end));
            value
                .and_then(|value| Date::parse(&value.to_text()))
                .unwrap_or(otherwise)
        };
        let (first, last) = Pick::ENDS;
        let ends = (end(&pick.min, first), end(&pick.max, last));
        let face = DateFace::new(Date::parse(&kept), ends, clock::today(self.clock.now()));
        let picker = Picker {
            pick: Arc::clone(pick),
            context: context.clone(),
            face,
        };
        let page = Arc::new(picker.face.page(looks));
        let mut open = self.open_page(&context.app, Arc::clone(&page), Arc::default());
        open.picker = Some(Box::new(picker));
        let id = open.id;
        let activity = self
            .task_mut(&context.app)
            .and_then(|task| task.stack.last_mut());
        if let Some(activity) = activity {
            activity.dialogs.push(open);
            self.opened(&context.app, id, &page);
        }
    }

    /// A part of a picker was pressed.
    pub(crate) fn picker_act(&mut self, context: &Context, act: PickAct) {
        let looks = self.picker_looks();
        let Some(open) = self.top_dialog(&context.app) else {
            return;
        };
        let Some(mut picker) = open.picker.take() else {
            return;
        };
        if act == PickAct::Confirm {
            let value = picker.face.chosen.to_string();
            open.picker = Some(picker);
            self.pick(&context.app, value);
            return;
        }
        let led = picker.face.act(act, looks, &mut open.local);
        if led == Outcome::Anew {
            open.page = Arc::new(picker.face.page(looks));
            open.cache = Cache::default();
            open.local.version += 1;
        }
        open.picker = Some(picker);
        self.bump();
    }

    /// The dialog closes, and the variable gets what was chosen in it.
    fn pick(&mut self, app: &Arc<str>, value: String) {
        let picker = self
            .top_dialog(app)
            .and_then(|open| open.picker.take())
            .map(|picker| (Arc::clone(&picker.pick), picker.context.clone()));
        let Some((pick, context)) = picker else {
            return;
        };
        self.dismiss(app);
        let before = self.variable(app, &pick.bind);
        self.set(app, &pick.bind, Value::text(&value));
        if self.variable(app, &pick.bind) != before {
            self.run(&context, &pick.on_change);
        }
    }

    fn top_dialog(&mut self, app: &str) -> Option<&mut Open> {
        self.task_mut(app)?.stack.last_mut()?.dialogs.last_mut()
    }

    /// Tells the apps that ask for them the day and the time.
    pub(crate) fn tell_time(&mut self) {
        if !self.tasks.iter().any(|task| task.app.clock) {
            return;
        }
        let (today, now) = (
            clock::today(self.clock.now()).to_string(),
            clock::wall(self.clock.now()),
        );
        let mut changed = false;
        for task in self.tasks.iter_mut().filter(|task| task.app.clock) {
            changed |= task.vars.tell_time(&today, &now);
        }
        if changed {
            self.bump();
        }
    }
}
