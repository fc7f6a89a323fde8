//! From widgets as the file describes them to those that stand on the screen now.

use std::sync::Arc;

use uitree::State;

use crate::widget::{Element, Key, Spec};

use super::{Env, Names, Scope};

/// The widgets of `spec` that are there now, in document order.
pub(crate) fn build(env: &Env<'_>, spec: &Arc<Spec>, scope: &Arc<Scope>, row: Key) -> Vec<Element> {
    let mut elements = Vec::new();
    add(env, spec, scope, row, State::ENABLED, &mut elements);
    elements
}

fn add(
    env: &Env<'_>,
    spec: &Arc<Spec>,
    scope: &Arc<Scope>,
    row: Key,
    inherited: State,
    to: &mut Vec<Element>,
) {
    let names = Names {
        vars: env.vars,
        scope,
    };
    let shown = spec
        .visible
        .as_ref()
        .is_none_or(|visible| visible.holds(&names));
    let closed = env.local.collapse > env.collapse_range * 0.6;
    let placed = spec.collapsed.is_none_or(|collapsed| collapsed == closed);
    if !shown || !placed || !spec.is_there_at(env.age) {
        return;
    }
    let key = Key::of(row, spec.slot);
    let (look, mut state) = spec.resolve(&names, key, env);
    if !spec.on_click.is_empty() {
        state |= State::CLICKABLE | State::FOCUSABLE;
    }
    if !spec.on_long_click.is_empty() {
        state |= State::LONG_CLICKABLE;
    }
    match spec.clickable {
        Some(true) => state |= State::CLICKABLE | State::FOCUSABLE,
        Some(false) => state -= State::CLICKABLE | State::FOCUSABLE,
        None => {}
    }
    let enabled = spec
        .enabled
        .as_ref()
        .is_none_or(|enabled| enabled.holds(&names));
    // What stands in a disabled row is disabled with it.
    let own = if enabled { inherited } else { State::empty() };
    state |= own;
    let selected = spec
        .selected
        .as_ref()
        .is_some_and(|selected| selected.holds(&names));
    state.set(State::SELECTED, selected);
    let at = to.len();
    to.push(Element {
        key,
        spec: Arc::clone(spec),
        scope: Arc::clone(scope),
        look,
        label: spec.label.text(&names),
        state,
        end: at + 1,
    });
    for child in &spec.children {
        add(env, child, scope, row, own, to);
    }
    let end = to.len();
    if let Some(element) = to.get_mut(at) {
        element.end = end;
    }
}
