//! Effects that append to, update and remove from lists.

use std::iter::successors;
use std::sync::Arc;

use crate::journal::Event;
use sim_format::effects::{NewEntry, Update, changed};
use sim_format::expr::{ENTRIES, ENTRY, Expr, Names, Record, Scope, Value, same_entry};

use super::{Context, Phone};

impl Phone {
    /// Appends an entry to a list, or text to a text.
    pub(super) fn append(&mut self, context: &Context, name: &Arc<str>, what: &NewEntry) {
        let Some(old) = self.variable(&context.app, name) else {
            return;
        };
        let new = match (what, old) {
            (NewEntry::Entry(_), Value::List(list)) if list.len() >= ENTRIES => {
                self.note(Event::EffectsStopped(Arc::clone(&context.app)));
                return;
            }
            (NewEntry::Entry(fields), Value::List(list)) => {
                let mut entry: Vec<(Arc<str>, Value)> = Vec::with_capacity(fields.len() + 1);
                for (name, value) in fields {
                    if let Some(value) = self.evaluate(context, value) {
                        let value = self.capped(&context.app, value);
                        entry.push((Arc::clone(name), value));
                    }
                }
                let number = self
                    .task_mut(&context.app)
                    .map_or(0, |task| task.vars.entry_number());
                entry.push((Arc::from(ENTRY), Value::Number(number as f64)));
                let mut list = (*list).clone();
                list.push(Arc::new(entry));
                Value::List(Arc::new(list))
            }
            (NewEntry::Text(value), old) => {
                let more = self.evaluate(context, value);
                let more = more.map_or_else(String::new, |more| more.to_string());
                Value::text(&format!("{old}{more}"))
            }
            (NewEntry::Entry(_), old) => old,
        };
        self.set(&context.app, name, new);
    }

    pub(super) fn update(&mut self, context: &Context, update: &Update) {
        for (name, pairs) in &update.lists {
            let mut cut = false;
            self.change_list(context, name, update.condition.as_ref(), |entry, names| {
                let pairs = pairs.iter().map(|(name, value)| {
                    let (value, less) = value.value(names).capped();
                    cut |= less;
                    (Arc::clone(name), value)
                });
                Some(Arc::new(changed(entry, pairs.collect())))
            });
            self.note_limit(&context.app, cut);
        }
    }

    pub(super) fn remove(&mut self, context: &Context, name: &Arc<str>, condition: Option<&Expr>) {
        self.change_list(context, name, condition, |_, _| None);
    }

    /// Changes or removes the entries of a list for which the condition holds; without one, the entry in whose row, or in
    /// a row inside it, the effect runs.
    fn change_list(
        &mut self,
        context: &Context,
        name: &Arc<str>,
        condition: Option<&Expr>,
        mut change: impl FnMut(&Record, &Names<'_>) -> Option<Record>,
    ) {
        let Some(task) = self.task(&context.app) else {
            return;
        };
        let Some(Value::List(list)) = task.vars.get(name) else {
            return;
        };
        let changed = list.iter().enumerate().filter_map(|(index, entry)| {
            let scope = Scope {
                record: Some(Arc::clone(entry)),
                index,
                outer: Some(Arc::clone(&context.scope)),
            };
            let names = Names {
                vars: &task.vars,
                scope: &scope,
            };
            let mut around = successors(Some(&context.scope), |scope| scope.outer.as_ref());
            let applies = match condition {
                Some(condition) => condition.holds(&names),
                None => around
                    .any(|scope| (scope.record.as_ref()).is_some_and(|own| same_entry(own, entry))),
            };
            match applies {
                true => change(entry, &names),
                false => Some(Arc::clone(entry)),
            }
        });
        let changed = Value::List(Arc::new(changed.collect()));
        self.set(&context.app, name, changed);
    }
}
