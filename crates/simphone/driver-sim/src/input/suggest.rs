//! Suggestions for what is typed: the list below the field, and what choosing one of it does.

use std::sync::Arc;

use crate::app::{Names, Scope};
use crate::layout::records;
use crate::phone::{FloatSort, Floating, Phone, Suggested};
use crate::widget::{Element, Field, Key, Kind};

use super::press::find;

fn field_of(element: &Element) -> Option<&Field> {
    match &element.spec.kind {
        Kind::Field(field) => Some(field),
        _ => None,
    }
}

impl Phone {
    /// Something was typed into a field: what fits is suggested, if it has the focus.
    pub(crate) fn suggest(&mut self, window: u64, key: Key, text: &str) {
        let focused = self
            .active()
            .is_some_and(|open| open.id == window && open.local.focus == Some(key));
        let view = self.view();
        let Some(element) = find(&view, window, key).filter(|_| focused) else {
            return;
        };
        let Some(suggest) = field_of(element).and_then(|field| field.suggest.as_ref()) else {
            return;
        };
        let context = self.context(window, &element.scope);
        let Some(task) = self.task(&context.app) else {
            return;
        };
        let listed = suggest
            .source()
            .map(|source| records(&task.app, &task.vars, &self.system, source));
        let listed = listed.as_deref().map_or(&[][..], Vec::as_slice);
        let names = Names {
            vars: &task.vars,
            scope: &element.scope,
        };
        let texts: Vec<Suggested> = suggest.fitting(text, &names, &element.scope, listed);
        if texts.is_empty() {
            self.close_float(FloatSort::Suggestions);
        } else {
            self.open_float(window, key, Floating::Suggestions(texts));
        }
    }

    /// Writes a suggestion into its field.
    pub(crate) fn take_suggestion(&mut self, window: u64, key: Key, taken: &Suggested) {
        self.close_float(FloatSort::Suggestions);
        let view = self.view();
        let Some(element) = find(&view, window, key).cloned() else {
            return;
        };
        let written = self.write_with(window, &element, &taken.text, None);
        debug_assert!(written.is_ok(), "it is a field");
        // What was chosen calls for no further suggestion.
        self.close_float(FloatSort::Suggestions);
        let effects = field_of(&element)
            .and_then(|field| field.suggest.as_ref())
            .map(|suggest| Arc::clone(&suggest.on_choose));
        if let Some(effects) = effects {
            let scope: Arc<Scope> = Arc::clone(&taken.scope);
            let context = self.context(window, &scope);
            self.run(&context, &effects);
        }
    }
}
