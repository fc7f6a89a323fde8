//! Dialogs in which the user chooses a day or a time of day: the platform's own, with its views and their ids.

mod date;
mod parts;
mod time;

use std::sync::Arc;

use crate::app::{
    Computed, Date, Effects, Locale, Names, Page, Pick, PickAct, Picked, Scope, Time, Value,
};
use crate::clock;
use crate::draw::Flow;
use crate::layout::Cache;

use super::popup::{Choice, RowLook};
use super::{Context, Open, Phone};
use date::DateFace;
use time::TimeFace;

/// A picker while it is open.
#[derive(Debug)]
pub(crate) struct Picker {
    pick: Arc<Pick>,
    /// Where it was opened from.
    context: Context,
    face: Face,
}

#[derive(Debug)]
enum Face {
    Date(DateFace),
    Time(TimeFace),
}

/// What a picker looks like besides what is chosen in it.
#[derive(Clone, Copy, Debug)]
struct Looks {
    locale: Locale,
    flow: Flow,
    /// Whether the screen is wider than high: the header then stands beside the rest.
    wide: bool,
    density: f32,
}

/// What a part of a picker has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Led {
    /// It shows something else.
    Anew,
    /// It shows what it showed.
    Same,
}

impl Picker {
    fn page(&self, looks: Looks) -> Page {
        match &self.face {
            Face::Date(face) => face.page(looks),
            Face::Time(face) => face.page(looks),
        }
    }
}

impl Phone {
    fn picker_looks(&self) -> Looks {
        Looks {
            locale: Locale::of(&self.config.language),
            flow: self.theme.flow,
            wide: self.screen.width > self.screen.height,
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
        let face = match &pick.what {
            Picked::Date { min, max } => {
                let end = |end: &Option<Computed>, otherwise: Date| {
                    let value = end.as_ref().and_then(|end| self.work_out(context, end));
                    value
                        .and_then(|value| Date::parse(&value.to_text()))
                        .unwrap_or(otherwise)
                };
                let (first, last) = Picked::ENDS;
                let ends = (end(min, first), end(max, last));
                let today = clock::today(self.now);
                Face::Date(DateFace::new(Date::parse(&kept), ends, today))
            }
            Picked::Time { hour_24, face } => {
                let now = Time::parse(&clock::wall(self.now));
                let chosen = Time::parse(&kept).or(now);
                let hour_24 = hour_24.unwrap_or_else(|| looks.locale.has_24_hours());
                Face::Time(TimeFace::new(chosen.unwrap_or_default(), hour_24, *face))
            }
        };
        let picker = Picker {
            pick: Arc::clone(pick),
            context: context.clone(),
            face,
        };
        let page = Arc::new(picker.page(looks));
        let mut open = self.open_page(&context.app, Arc::clone(&page), Arc::default());
        if let Face::Time(face) = &picker.face {
            face.write(&mut open.local);
        }
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
        if act == PickAct::Halves {
            self.offer_halves(context);
            return;
        }
        let looks = self.picker_looks();
        let touched = self.place_of(context);
        let Some(open) = self.top_dialog(&context.app) else {
            return;
        };
        let Some(mut picker) = open.picker.take() else {
            return;
        };
        if act == PickAct::Confirm {
            let value = match &mut picker.face {
                Face::Date(face) => Some(face.chosen.to_string()),
                Face::Time(face) => face.confirmed(&open.local).map(|time| time.to_string()),
            };
            if let Some(value) = value {
                open.picker = Some(picker);
                self.pick(&context.app, value);
                return;
            }
        }
        let led = match &mut picker.face {
            Face::Date(face) => face.act(act, looks, &mut open.local),
            Face::Time(face) => face.act(act, touched, &mut open.local),
        };
        if led == Led::Anew {
            open.page = Arc::new(picker.page(looks));
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

    /// The place of a touch that a picker is told of.
    fn place_of(&self, context: &Context) -> Option<(f32, f32)> {
        self.with_names(context, |names: &Names<'_>| {
            use crate::app::Lookup;
            let number = |name: &str| names.get(name).map(|value| value.number() as f32);
            number("x").zip(number("y"))
        })?
    }

    /// Opens the list with both halves of a day, at the widget that was pressed.
    fn offer_halves(&mut self, context: &Context) {
        let looks = self.picker_looks();
        let afternoon =
            self.top_dialog(&context.app)
                .and_then(|open| match &open.picker.as_ref()?.face {
                    Face::Time(face) => Some(face.chosen.is_afternoon()),
                    Face::Date(_) => None,
                });
        let (Some(afternoon), Some((window, key))) = (afternoon, self.pressed) else {
            return;
        };
        let acts = [PickAct::Morning, PickAct::Afternoon];
        let halves = looks.locale.halves().into_iter().zip(acts);
        let choices: Vec<Choice> = halves
            .map(|(text, act)| Choice {
                text: Arc::from(text),
                icon: None,
                enabled: true,
                checked: None,
                selected: (act == PickAct::Afternoon) == afternoon,
                effects: Effects::from(vec![crate::app::Effect::Picker(act)]),
                row: RowLook::Checked,
            })
            .collect();
        self.open_choices(window, key, &Arc::new(Scope::default()), &choices);
    }

    /// Tells the apps that ask for them the day and the time.
    pub(crate) fn tell_time(&mut self) {
        if !self.tasks.iter().any(|task| task.app.clock) {
            return;
        }
        let (today, now) = (clock::today(self.now).to_string(), clock::wall(self.now));
        let mut changed = false;
        for task in self.tasks.iter_mut().filter(|task| task.app.clock) {
            changed |= task.vars.tell_time(&today, &now);
        }
        if changed {
            self.bump();
        }
    }
}
