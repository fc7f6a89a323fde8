//! Roles and states that only class names declare: a `div` styled as a switch, the selected tab of a tab bar.

use uitree::{Rect, Role};

use super::code_name::named_by_attribute;
use crate::{Dom, Element, ElementId, Facts};

/// Classes of a switch or another element that is on.
const ON_CLASSES: [&str; 8] = [
    "active",
    "checked",
    "enabled",
    "is-active",
    "is-checked",
    "is-on",
    "on",
    "selected",
];

/// Classes of the selected one of several elements.
const SELECTED_CLASSES: [&str; 6] = [
    "active",
    "current",
    "is-active",
    "is-current",
    "is-selected",
    "selected",
];

/// Classes of the control that marks a record, once the record is marked.
const MARKED_CLASSES: [&str; 14] = [
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

/// Classes of a record that the user has not opened.
const UNREAD_CLASSES: [&str; 3] = ["is-unread", "not-read", "unread"];

/// Words of the classes of a mark without text that is drawn on a control.
const BADGE_WORDS: [&str; 6] = ["badge", "notification", "notif", "unread", "new", "alert"];

/// The last words of such classes, if they do not say what is drawn themselves.
const DOT_WORDS: [&str; 3] = ["bubble", "dot", "indicator"];

/// Maximum side of a mark, in CSS pixels.
const MAX_BADGE_SIDE: f64 = 24.0;

/// Maximum number of elements in a control that may be a mark.
const MAX_CONTROL_PARTS: usize = 24;

/// Maximum number of elements from the text of a record out to the record.
const MAX_UNREAD_DEPTH: usize = 3;

/// Classes of elements that a click switches on and off; also as the end of a class: `custom-checkbox`.
const TOGGLE_CLASSES: [(&str, Role); 5] = [
    ("checkbox", Role::CheckBox),
    ("radio", Role::Radio),
    ("switch", Role::Switch),
    ("toggle", Role::Switch),
    ("toggler", Role::Switch),
];

/// Maximum side of a drawn switch or box, in CSS pixels.
const MAX_TOGGLE_SIDE: f64 = 80.0;

/// Attributes with which a page declares a state.
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

/// The switch that an element is by its classes and size: it has no role and no text, and takes clicks.
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
        let known = TOGGLE_CLASSES.iter().find(|(name, _)| *name == last);
        known.map(|(_, role)| *role)
    })?;
    Some(StyledToggle {
        role,
        is_on: has_class(element, &ON_CLASSES),
    })
}

/// Whether a clickable element is the selected one of its siblings by its classes, or marks a record of a list.
pub(super) fn is_chosen(dom: &Dom, id: ElementId) -> bool {
    let element = dom.element(id);
    if declares_state(element) {
        return false;
    }
    let siblings = || {
        let parent = element.parent.into_iter();
        parent.flat_map(|parent| dom.children(parent))
    };
    // The first mark of a record also changes other classes: there was no counter before.
    let is_alike = |other: &ElementId| has_text(dom, *other) == has_text(dom, id);
    // The name of another action says nothing about the state.
    let action = named_by_attribute(element);
    let does_same = |other: &ElementId| named_by_attribute(dom.element(*other)) == action;
    is_distinguished(
        dom,
        element,
        &SELECTED_CLASSES,
        siblings().filter(does_same),
    ) || has_class(element, &MARKED_CLASSES)
        && is_distinguished(
            dom,
            element,
            &MARKED_CLASSES,
            dom.ids().filter(is_alike).filter(does_same),
        )
        && !names_class(dom, id)
}

/// Whether an element is in a record that its list shows as unread.
pub(super) fn is_unread(dom: &Dom, id: ElementId) -> bool {
    let record = std::iter::once(id)
        .chain(dom.ancestors(id))
        .take(MAX_UNREAD_DEPTH)
        .find(|around| has_class(dom.element(*around), &UNREAD_CLASSES));
    record.is_some_and(|record| {
        let element = dom.element(record);
        let siblings = element.parent.into_iter();
        let siblings = siblings.flat_map(|parent| dom.children(parent));
        is_distinguished(dom, element, &UNREAD_CLASSES, siblings)
    })
}

/// Whether a mark without text is drawn on a control: something new is behind it.
pub(super) fn has_badge(dom: &Dom, control: ElementId) -> bool {
    let max = (MAX_BADGE_SIDE * dom.viewport().scale).round() as i32;
    let mut parts = dom.subtree(control).skip(1).take(MAX_CONTROL_PARTS);
    parts.any(|part| {
        let element = dom.element(part);
        let is_small = |size: Rect| size.width() <= max && size.height() <= max;
        element.is(Facts::VISIBLE)
            && element.classes().any(is_badge_class)
            && element.bounds.is_some_and(is_small)
            && !has_text(dom, part)
    })
}

fn is_badge_class(class: &str) -> bool {
    let class = class.to_ascii_lowercase();
    let words: Vec<&str> = class.split(['-', '_']).collect();
    let says = |known: &[&str]| words.iter().any(|word| known.contains(word));
    match words.last() {
        Some(&"badge") => true,
        Some(last) => DOT_WORDS.contains(last) && says(&BADGE_WORDS),
        None => false,
    }
}

fn has_text(dom: &Dom, id: ElementId) -> bool {
    dom.subtree(id)
        .any(|inner| !dom.element(inner).text.trim().is_empty())
}

/// Whether an element has one of these classes, and another element of the same kind has none.
fn is_distinguished(
    dom: &Dom,
    element: &Element,
    classes: &[&str],
    mut others: impl Iterator<Item = ElementId>,
) -> bool {
    let first_other_class = |element: &'_ Element| {
        let mut all = element.classes();
        all.find(|class| !classes.contains(class))
            .map(str::to_owned)
    };
    has_class(element, classes) && {
        let kind = first_other_class(element);
        others.any(|other| {
            let other = dom.element(other);
            other.tag == element.tag
                && !has_class(other, classes)
                && first_other_class(other) == kind
        })
    }
}

/// Whether the text of an element contains one of the marking classes, as the tab `Saved` does.
fn names_class(dom: &Dom, id: ElementId) -> bool {
    let texts = dom
        .subtree(id)
        .map(|inner| dom.element(inner).text.to_lowercase());
    let mut texts = texts.filter(|text| !text.trim().is_empty());
    texts.any(|text| MARKED_CLASSES.iter().any(|class| text.contains(class)))
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
