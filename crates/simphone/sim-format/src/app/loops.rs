//! What goes round in circles: screens that open themselves when they open, components that nothing uses and that use
//! each other.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::model::App;
use crate::effects::Effect;
use crate::reader::parameters::Component;
use crate::yaml::{Node, Yaml};

/// The way from a screen back to itself by what opens when screens open, whatever the variables say; the shortest one.
pub(crate) fn opens_itself(app: &App, name: &Arc<str>) -> Option<String> {
    way_back(name, |screen| {
        let mut opened = Vec::new();
        if let Some(page) = app.screens.get(screen) {
            opens(app, &page.on_open, &mut Vec::new(), &mut opened);
        }
        opened
    })
}

/// The way from a component back to itself.
pub(crate) fn uses_itself(components: &[Arc<Component>], name: &Arc<str>) -> Option<String> {
    way_back(name, |component| {
        let mut used = Vec::new();
        let found = components.iter().find(|each| each.name() == component);
        if let Some(body) = found.and_then(|each| each.body()) {
            uses(body, &mut used);
        }
        used
    })
}

/// The shortest way from a name to itself, written with arrows.
fn way_back(name: &Arc<str>, next: impl Fn(&Arc<str>) -> Vec<Arc<str>>) -> Option<String> {
    let mut seen = BTreeSet::new();
    let mut ways = vec![vec![Arc::clone(name)]];
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let Some(last) = way.last() else { continue };
            for step in next(last) {
                let mut way = way.clone();
                way.push(Arc::clone(&step));
                if step == *name {
                    return Some(way.join(" → "));
                }
                if seen.insert(step) {
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    None
}

/// The screens that effects open at once and under no condition.
fn opens(app: &App, effects: &[Effect], inside: &mut Vec<Arc<str>>, opened: &mut Vec<Arc<str>>) {
    for effect in effects {
        match effect {
            Effect::Push(call) | Effect::Replace(call) => opened.push(Arc::clone(&call.screen)),
            Effect::Do(name) if !inside.contains(name) => {
                if let Some(effects) = app.actions.get(name) {
                    inside.push(Arc::clone(name));
                    opens(app, effects, inside, opened);
                    inside.pop();
                }
            }
            _ => {}
        }
    }
}

/// The components that a piece of the file uses.
fn uses(node: &Node<'_>, used: &mut Vec<Arc<str>>) {
    match &node.value {
        Yaml::List(entries) => entries.iter().for_each(|entry| uses(entry, used)),
        Yaml::Map(entries) => {
            for (key, value) in entries {
                match &value.value {
                    Yaml::Text(name) if key.text == "use" => used.push(Arc::from(&**name)),
                    Yaml::Map(inner) if key.text == "use" => {
                        let named = inner.iter().find(|(key, _)| key.text == "component");
                        if let Some(Yaml::Text(name)) = named.map(|(_, value)| &value.value) {
                            used.push(Arc::from(&**name));
                        }
                    }
                    _ => {}
                }
                uses(value, used);
            }
        }
        Yaml::Null | Yaml::Bool(_) | Yaml::Number(_) | Yaml::Text(_) => {}
    }
}
