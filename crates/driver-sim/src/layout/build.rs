//! From widgets as the file describes them to those that stand on the screen now.

use std::sync::Arc;

use uitree::State;

use crate::app::Expr;
use crate::draw::Flow;
use crate::widget::{Afloat, Element, Key, Kind, Spec};

use super::{Env, Names, Scope};

/// The widgets of `spec` that are there now, in document order.
pub(crate) fn build(env: &Env<'_>, spec: &Arc<Spec>, scope: &Arc<Scope>, row: Key) -> Vec<Element> {
    let mut elements = Vec::new();
    let from = Inherited {
        state: State::ENABLED,
        lit: false,
        flow: env.ruler.theme().flow,
        zoom: None,
    };
    add(env, spec, scope, row, from, &mut elements);
    elements
}

/// What a widget takes over from the one that it stands in.
#[derive(Clone, Copy, Debug)]
struct Inherited {
    /// What stands in a disabled row is disabled with it, and what stands in a selected one is selected.
    state: State,
    lit: bool,
    /// The side on which it begins.
    flow: Flow,
    /// On the canvas that it stands on directly: how long a unit of its world is.
    zoom: Option<f32>,
}

fn add(
    env: &Env<'_>,
    spec: &Arc<Spec>,
    scope: &Arc<Scope>,
    row: Key,
    inherited: Inherited,
    to: &mut Vec<Element>,
) {
    // What is beyond is noticed by the layout: it holds one widget more than there may be.
    if to.len() > env.cache.budget.left() {
        return;
    }
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
    let put_away = spec.drawer && !env.local.drawer;
    let key = Key::of(row, spec.slot);
    let pulled = !spec.is_wheel() || env.local.play.pulls.contains_key(&key);
    if !shown || !placed || put_away || !pulled || !spec.is_there_at(env.age) {
        return;
    }
    let owner = spec.part.as_ref().map(|part| Key::of(row, part.of));
    if let (Some(part), Some(owner)) = (&spec.part, owner)
        && !part.is_there(owner, &names, env)
    {
        return;
    }
    let (look, mut state) = spec.resolve(&names, key, owner, env);
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
    let mut own = inherited.state;
    own.set(State::ENABLED, enabled && own.contains(State::ENABLED));
    let selected = spec
        .selected
        .as_ref()
        .is_some_and(|selected| selected.holds(&names));
    if selected {
        own |= State::SELECTED;
        if spec.rests {
            state -= State::CLICKABLE;
        }
    }
    state |= own;
    let lit = inherited.lit || state.intersects(State::SELECTED | State::CHECKED);
    let spot = match &spec.afloat {
        Some(Afloat::At(sides)) => Some([0, 1, 2, 3].map(|side| {
            let side: Option<&Option<Expr>> = sides.get(side);
            side.and_then(Option::as_ref)
                .map(|expr| expr.value(&names).number() as f32)
        })),
        Some(Afloat::Corner) | None => None,
    };
    let flow = spec.frame.direction.unwrap_or(inherited.flow);
    let canvas = match &spec.kind {
        Kind::Group(group) => group.canvas.as_deref(),
        _ => None,
    };
    let scenery = canvas.map(|canvas| {
        let records = |name: &str| env.records(name);
        Arc::new(canvas.scenery(&names, scope, &records))
    });
    let view = scenery.as_ref().and_then(|scenery| scenery.view);
    let within = Inherited {
        state: own,
        lit,
        flow,
        zoom: view.map(|view| view.zoom),
    };
    let at = to.len();
    to.push(Element {
        key,
        spec: Arc::clone(spec),
        scope: Arc::clone(scope),
        look,
        label: spec.label.text(&names),
        state,
        owner,
        lit,
        zoom: spot.and(inherited.zoom),
        spot,
        scenery,
        flow,
        end: at + 1,
    });
    for child in &spec.children {
        add(env, child, scope, row, within, to);
    }
    if let Some((each, nodes)) = canvas.and_then(|canvas| canvas.each.as_ref()) {
        let records = env.records(&each.name);
        for (index, scope) in each.scopes(&records, &names, scope) {
            if to.len() > env.cache.budget.left() {
                break;
            }
            let key = key.record(index, scope.record.as_ref());
            for node in nodes {
                add(env, node, &scope, key, within, to);
            }
        }
    }
    let end = to.len();
    if let Some(element) = to.get_mut(at) {
        element.end = end;
    }
}
