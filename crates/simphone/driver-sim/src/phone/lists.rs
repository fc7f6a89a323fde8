//! Effects that append to, update and remove from lists.

use std::sync::Arc;

use crate::journal::Event;
use sim_format::effects::{Appended, Update, changed};
use sim_format::expr::{ENTRIES, ENTRY, Expr, Names, Record, Scope, Value, same_entry};

use super::{Context, Phone};

impl Phone {
    /// Appends an entry to a list, or text to a text.
    pub(super) fn append(&mut self, context: &Context, name: &Arc<str>, what: &Appended) {
        let Some(old) = self.variable(&context.app, name) else {
            return;
        };
        let new = match (what, old) {
            (Appended::Entry(_), Value::List(list)) if list.len() >= ENTRIES => {
                self.note(Event::EffectsStopped(Arc::clone(&context.app)));
                return;
            }
            (Appended::Entry(fields), Value::List(list)) => {
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
            (Appended::Text(value), old) => {
                let more = self.evaluate(context, value);
                let more = more.map_or_else(String::new, |more| more.to_string());
                Value::text(&format!("{old}{more}"))
            }
            (Appended::Entry(_), old) => old,
        };
        self.set(&context.app, name, new);
    }

    pub(super) fn update(&mut self, context: &Context, update: &Update) {
        for (name, pairs) in &update.lists {
            let mut cut = false;
            let new = self.with_list(context, name, |list, task_names| {
                list.iter()
                    .enumerate()
                    .map(|(index, entry)| {
                        let scope = within(entry, index, context);
                        let names = Names {
                            vars: task_names.vars,
                            scope: &scope,
                        };
                        if !applies_to(update.condition.as_ref(), entry, context, &names) {
                            return Arc::clone(entry);
                        }
                        let pairs = pairs
                            .iter()
                            .map(|(name, value)| {
                                let (value, less) = value.value(&names).capped();
                                cut |= less;
                                (Arc::clone(name), value)
                            })
                            .collect();
                        Arc::new(changed(entry, pairs))
                    })
                    .collect()
            });
            if cut {
                self.note(Event::EffectsStopped(Arc::clone(&context.app)));
            }
            if let Some(new) = new {
                self.set(&context.app, name, Value::List(Arc::new(new)));
            }
        }
    }

    pub(super) fn remove(&mut self, context: &Context, name: &Arc<str>, condition: Option<&Expr>) {
        let new = self.with_list(context, name, |list, task_names| {
            list.iter()
                .enumerate()
                .filter(|(index, entry)| {
                    let scope = within(entry, *index, context);
                    let names = Names {
                        vars: task_names.vars,
                        scope: &scope,
                    };
                    !applies_to(condition, entry, context, &names)
                })
                .map(|(_, entry)| Arc::clone(entry))
                .collect()
        });
        if let Some(new) = new {
            self.set(&context.app, name, Value::List(Arc::new(new)));
        }
    }

    fn with_list(
        &self,
        context: &Context,
        name: &str,
        make: impl FnOnce(&[Record], &Names<'_>) -> Vec<Record>,
    ) -> Option<Vec<Record>> {
        let Some(Value::List(list)) = self.variable(&context.app, name) else {
            return None;
        };
        self.with_names(context, |names| make(&list, names))
    }
}

/// The scope of an entry, inside that of the effect.
fn within(entry: &Record, index: usize, context: &Context) -> Scope {
    Scope {
        record: Some(Arc::clone(entry)),
        index,
        outer: Some(Arc::clone(&context.scope)),
    }
}

/// Whether an effect applies to this entry: its condition holds or, without one, the effect comes from the entry's row
/// or a row inside it.
fn applies_to(
    condition: Option<&Expr>,
    entry: &Record,
    context: &Context,
    names: &Names<'_>,
) -> bool {
    match condition {
        Some(condition) => condition.holds(names),
        None => {
            let mut scope = Some(&context.scope);
            while let Some(each) = scope {
                if each
                    .record
                    .as_ref()
                    .is_some_and(|own| same_entry(own, entry))
                {
                    return true;
                }
                scope = each.outer.as_ref();
            }
            false
        }
    }
}
