//! Evaluates widget specs to the elements that are present now.

use std::sync::Arc;

use uitree::State;

use crate::widget::{Element, is_present, resolve};
use draw::Flow;
use sim_format::expr::{Expr, Names, Scope};
use sim_format::widget::{Anchor, Key, Spec};

use super::Layout;

/// Returns the elements of `spec` that are present now, in document order.
pub fn build(layout: &Layout<'_>, spec: &Arc<Spec>, scope: &Arc<Scope>, row: Key) -> Vec<Element> {
    let mut elements = Vec::new();
    let root = InheritedLayout {
        state: State::ENABLED,
        lit: false,
        flow: layout.ruler.theme().flow,
    };
    add(layout, spec, scope, row, root, &mut elements);
    elements
}

/// The properties that an element inherits from its parent.
#[derive(Clone, Copy, Debug)]
struct InheritedLayout {
    /// Disabled and selected states apply to everything inside.
    state: State,
    lit: bool,
    /// The side on which content starts.
    flow: Flow,
}

fn add(
    layout: &Layout<'_>,
    spec: &Arc<Spec>,
    scope: &Arc<Scope>,
    row: Key,
    inherited: InheritedLayout,
    to: &mut Vec<Element>,
) {
    // One element more than allowed is added, so that the layout notices the excess.
    if to.len() > layout.cache.budget.left() {
        return;
    }
    let at = to.len();
    let Some(within) = add_element(layout, spec, scope, row, inherited, to) else {
        return;
    };
    for child in &spec.children {
        add(layout, child, scope, row, within, to);
    }
    let end = to.len();
    if let Some(element) = to.get_mut(at) {
        element.end = end;
    }
}

/// Adds the element of a widget without its children; returns what they inherit, or `None` if it is absent.
fn add_element(
    layout: &Layout<'_>,
    spec: &Arc<Spec>,
    scope: &Arc<Scope>,
    row: Key,
    inherited: InheritedLayout,
    to: &mut Vec<Element>,
) -> Option<InheritedLayout> {
    let names = Names {
        vars: layout.vars,
        scope,
    };
    let shown = (spec.visible.as_ref()).is_none_or(|visible| visible.holds(&names));
    let closed = layout.local.collapse > layout.collapse_range * 0.6;
    let placed = spec.collapsed.is_none_or(|collapsed| collapsed == closed);
    let put_away = spec.drawer && !layout.local.drawer;
    let key = Key::new(row, spec.slot);
    if !shown || !placed || put_away || !spec.is_present_at(layout.age) {
        return None;
    }
    let owner = spec.part.as_ref().map(|part| Key::new(row, part.of));
    if let (Some(part), Some(owner)) = (&spec.part, owner)
        && !is_present(part, owner, &names, layout)
    {
        return None;
    }
    let (content, mut state) = resolve(spec, &names, key, owner, layout);
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
    let enabled = (spec.enabled.as_ref()).is_none_or(|enabled| enabled.holds(&names));
    let mut own = inherited.state;
    own.set(State::ENABLED, enabled && own.contains(State::ENABLED));
    if (spec.selected.as_ref()).is_some_and(|selected| selected.holds(&names)) {
        own |= State::SELECTED;
        if spec.not_clickable_when_selected {
            state -= State::CLICKABLE;
        }
    }
    state |= own;
    let lit = inherited.lit || state.intersects(State::SELECTED | State::CHECKED);
    let spot = match &spec.anchor {
        Some(Anchor::At(sides)) => Some([0, 1, 2, 3].map(|side| {
            let side: Option<&Option<Expr>> = sides.get(side);
            side.and_then(Option::as_ref)
                .map(|expr| expr.value(&names).number() as f32)
        })),
        Some(Anchor::Corner) | None => None,
    };
    let flow = spec.frame.direction.unwrap_or(inherited.flow);
    let within = InheritedLayout {
        state: own,
        lit,
        flow,
    };
    let end = to.len() + 1;
    to.push(Element {
        key,
        spec: Arc::clone(spec),
        scope: Arc::clone(scope),
        content,
        label: spec.label.text(&names),
        state,
        owner,
        lit,
        spot,
        flow,
        end,
    });
    Some(within)
}
