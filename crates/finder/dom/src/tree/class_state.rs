//! Roles and states that a page shows only by class names: a `div` that is styled as a switch, the chosen one of some tabs.

use uitree::Role;

use crate::{Dom, Element, ElementId, Facts};

/// Classes of a switch or another element that is on.
const ON: [&str; 8] = [
    "active",
    "checked",
    "enabled",
    "is-active",
    "is-checked",
    "is-on",
    "on",
    "selected",
];

/// Classes of the chosen one of some elements.
const CHOSEN: [&str; 6] = [
    "active",
    "current",
    "is-active",
    "is-current",
    "is-selected",
    "selected",
];

/// The classes of elements that are switched on and off by a click; also as the end of a class: `custom-checkbox`.
const TOGGLES: [(&str, Role); 5] = [
    ("checkbox", Role::CheckBox),
    ("radio", Role::Radio),
    ("switch", Role::Switch),
    ("toggle", Role::Switch),
    ("toggler", Role::Switch),
];

/// The longest side of a drawn switch or box in CSS pixels.
const MAX_TOGGLE_SIDE: f64 = 80.0;

/// Attributes by which a page tells assistive technology about a state.
const ARIA_STATES: [&str; 4] = [
    "aria-checked",
    "aria-current",
    "aria-pressed",
    "aria-selected",
];

/// A switch, checkbox or radio button that is drawn by styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StyledToggle {
    pub(super) role: Role,
    pub(super) is_on: bool,
}

/// The switch that `element` is by its classes and size. It has no role and no text, and takes clicks.
pub(super) fn toggle(dom: &Dom, id: ElementId) -> Option<StyledToggle> {
    let element = dom.element(id);
    let max = (MAX_TOGGLE_SIDE * dom.viewport().scale).round() as i32;
    let size = element.bounds?;
    let is_small = size.width() <= max && size.height() <= max;
    let takes_clicks = element.facts.intersects(Facts::LISTENS | Facts::POINTER);
    let has_text = || {
        dom.subtree(id)
            .any(|inner| !dom.element(inner).text.trim().is_empty())
    };
    if !is_small || !takes_clicks || declares_state(element) || has_text() {
        return None;
    }
    let role = element.classes().find_map(|class| {
        let class = class.to_ascii_lowercase();
        let last = class.rsplit(['-', '_']).next().unwrap_or_default();
        let known = TOGGLES.iter().find(|(name, _)| *name == last);
        known.map(|(_, role)| *role)
    })?;
    Some(StyledToggle {
        role,
        is_on: has_class(element, &ON),
    })
}

/// Whether an element that takes clicks is the chosen one of its siblings by its classes: it has one of [`CHOSEN`], and a
/// sibling that looks alike otherwise has not.
pub(super) fn is_chosen(dom: &Dom, id: ElementId) -> bool {
    let element = dom.element(id);
    if !has_class(element, &CHOSEN) || declares_state(element) {
        return false;
    }
    let Some(parent) = element.parent else {
        return false;
    };
    let own = first_class(element);
    let mut siblings = dom.children(parent).filter(|sibling| *sibling != id);
    siblings.any(|sibling| {
        let sibling = dom.element(sibling);
        sibling.tag == element.tag && first_class(sibling) == own && !has_class(sibling, &CHOSEN)
    })
}

fn first_class(element: &Element) -> Option<&str> {
    element.classes().find(|class| !CHOSEN.contains(class))
}

fn has_class(element: &Element, names: &[&str]) -> bool {
    element.classes().any(|class| names.contains(&class))
}

fn declares_state(element: &Element) -> bool {
    element.is(Facts::CHECKABLE)
        || ARIA_STATES
            .iter()
            .any(|name| element.attribute(name).is_some())
}
