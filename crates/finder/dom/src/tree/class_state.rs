//! Roles and states that a page shows only by class names: a `div` that is styled as a switch, the chosen one of some tabs.

use uitree::Role;

use super::code_name::named_by_attribute;
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

/// Classes of a record that a user has marked, on the control that does it.
const MARKED: [&str; 14] = [
    "bookmarked",
    "disliked",
    "downvoted",
    "favorited",
    "favourited",
    "followed",
    "following",
    "liked",
    "pinned",
    "saved",
    "starred",
    "subscribed",
    "upvoted",
    "voted",
];

/// Classes of a record that a user has not opened.
const UNREAD: [&str; 3] = ["is-unread", "not-read", "unread"];

/// How many elements around the text of a record, its own included, the record may be.
const MAX_UNREAD_DEPTH: usize = 3;

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
    if !is_small || !takes_clicks || declares_state(element) || has_text(dom, id) {
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

/// Whether an element that takes clicks is the chosen one of its siblings by its classes, or is marked in a list of records.
pub(super) fn is_chosen(dom: &Dom, id: ElementId) -> bool {
    let element = dom.element(id);
    if declares_state(element) {
        return false;
    }
    let siblings = || {
        let parent = element.parent.into_iter();
        parent.flat_map(|parent| dom.children(parent))
    };
    // One that is marked by its first mark only looks otherwise, too: it has no number yet.
    let is_alike = |other: &ElementId| has_text(dom, *other) == has_text(dom, id);
    // Another action than that of the element tells nothing of its state.
    let action = named_by_attribute(element);
    let does_same = |other: &ElementId| named_by_attribute(dom.element(*other)) == action;
    is_distinguished(dom, element, &CHOSEN, siblings().filter(does_same))
        || has_class(element, &MARKED)
            && is_distinguished(
                dom,
                element,
                &MARKED,
                dom.ids().filter(is_alike).filter(does_same),
            )
            && !names_class(dom, id)
}

/// Whether an element is in a record that its list shows as unread.
pub(super) fn is_unread(dom: &Dom, id: ElementId) -> bool {
    let record = std::iter::once(id)
        .chain(dom.ancestors(id))
        .take(MAX_UNREAD_DEPTH)
        .find(|around| has_class(dom.element(*around), &UNREAD));
    record.is_some_and(|record| {
        let element = dom.element(record);
        let siblings = element.parent.into_iter();
        let siblings = siblings.flat_map(|parent| dom.children(parent));
        is_distinguished(dom, element, &UNREAD, siblings)
    })
}

fn has_text(dom: &Dom, id: ElementId) -> bool {
    dom.subtree(id)
        .any(|inner| !dom.element(inner).text.trim().is_empty())
}

/// Whether an element has one of these classes, and one of the others, which looks alike otherwise, has not.
fn is_distinguished(
    dom: &Dom,
    element: &Element,
    classes: &[&str],
    mut others: impl Iterator<Item = ElementId>,
) -> bool {
    let first = |element: &'_ Element| {
        let mut own = element.classes();
        own.find(|class| !classes.contains(class))
            .map(str::to_owned)
    };
    has_class(element, classes) && {
        let own = first(element);
        others.any(|other| {
            let other = dom.element(other);
            other.tag == element.tag && !has_class(other, classes) && first(other) == own
        })
    }
}

/// Whether the text of an element is its class, as that of a tab with what is saved.
fn names_class(dom: &Dom, id: ElementId) -> bool {
    let texts = dom
        .subtree(id)
        .map(|inner| dom.element(inner).text.to_lowercase());
    let mut texts = texts.filter(|text| !text.trim().is_empty());
    texts.any(|text| MARKED.iter().any(|class| text.contains(class)))
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
