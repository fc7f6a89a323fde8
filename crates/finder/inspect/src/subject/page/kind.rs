//! Kinds of the elements of a page.

use std::{collections::HashMap, sync::LazyLock};

use dom::{Element, Facts};

use super::super::{Kind, Kinds, text::identifier_words};
use crate::data;

type Table = HashMap<&'static str, Kind>;

static BY_ROLE: LazyLock<Table> =
    LazyLock::new(|| read(include_str!("../../../data/kinds_by_role.txt")));
static BY_TAG: LazyLock<Table> =
    LazyLock::new(|| read(include_str!("../../../data/kinds_by_tag.txt")));

fn read(table: &'static str) -> Table {
    data::keyed(table)
        .filter_map(|(name, kind)| Some((name, Kind::named(kind)?)))
        .collect()
}

impl Kind {
    /// Kind by accessible role.
    pub(crate) fn of_role(role: &str) -> Option<Self> {
        BY_ROLE.get(role).copied()
    }
}

/// Kind of an input by its type.
fn input(element: &Element) -> Kind {
    let kind = element.attribute("type").unwrap_or("text");
    match kind.to_ascii_lowercase().as_str() {
        "button" | "submit" | "reset" | "image" | "color" => Kind::Button,
        "checkbox" => Kind::CheckBox,
        "radio" => Kind::Radio,
        "range" => Kind::Slider,
        "file" => Kind::File,
        _ => Kind::TextField,
    }
}

/// Kind by role and tag. Mere listeners are [`Kind::Other`].
pub(super) fn from_element(element: &Element) -> Kind {
    let by_role = Kind::of_role(&element.role);
    let tag = &*element.tag;
    match (tag, by_role) {
        // A file input has the role of a button, and a switch may be an `<input type=checkbox>`.
        ("input", None | Some(Kind::Button)) => input(element),
        // A link with a container role is still a link.
        ("a", Some(kind)) if !is_interactive(kind) && element.attribute("href").is_some() => {
            Kind::Link
        }
        (_, Some(kind)) => kind,
        ("a", None) if element.attribute("href").is_some() => Kind::Link,
        _ if element.is(Facts::EDITABLE) && element.attribute("contenteditable").is_some() => {
            Kind::TextField
        }
        (_, None) => authored_role(element)
            .unwrap_or_else(|| BY_TAG.get(tag).copied().unwrap_or(Kind::Other)),
    }
}

/// Kind by the `role` attribute of an element outside of the accessibility tree, such as a hidden one.
fn authored_role(element: &Element) -> Option<Kind> {
    let role = element.attribute("role")?.split_ascii_whitespace().next()?;
    Kind::of_role(role)
}

/// All kinds that users may call it: a link styled as a button, a button that opens a menu, a field with suggestions.
pub(super) fn all_kinds(element: &Element, kind: Kind) -> Kinds {
    let mut kinds = Kinds::from(kind);
    let tag = &*element.tag;
    let class_has = |parts: &[&str]| {
        element.classes().any(|class| {
            let class = class.to_ascii_lowercase();
            parts.iter().any(|part| class.contains(part))
        })
    };
    let mut add = |more: &[Kind]| kinds = kinds.union(Kinds::new(more));
    match kind {
        Kind::Link | Kind::Clickable if class_has(&["btn", "button", "cta"]) => {
            add(&[Kind::Button]);
        }
        Kind::Dropdown if (tag == "input" || tag == "textarea" || element.is(Facts::EDITABLE)) => {
            add(&[Kind::TextField]);
        }
        Kind::TextField
            if (element.attribute("list").is_some()
                || element.attribute("aria-haspopup").is_some()) =>
        {
            add(&[Kind::Dropdown]);
        }
        Kind::Option | Kind::MenuItem => add(&[Kind::ListItem, Kind::Option, Kind::MenuItem]),
        Kind::Switch => add(&[Kind::CheckBox]),
        Kind::CheckBox => add(&[Kind::Switch]),
        Kind::File => add(&[Kind::Button, Kind::TextField]),
        Kind::Label | Kind::Heading | Kind::Status => add(&[Kind::Text]),
        _ => {}
    }
    let opens = element
        .attribute("aria-haspopup")
        .is_some_and(|value| value != "false")
        || element.attribute("aria-expanded").is_some();
    let clicks = matches!(
        kind,
        Kind::Button | Kind::Link | Kind::Clickable | Kind::Other
    );
    let picks = |words: &str| {
        identifier_words(words)
            .iter()
            .any(|word| matches!(&**word, "picker" | "chooser" | "selector" | "switcher"))
    };
    let has_name = || picks(element.id()) || element.classes().any(picks);
    if clicks && (opens || class_has(&["dropdown", "select"]) || has_name()) {
        kinds = kinds.union(kinds![Dropdown, Menu]);
    }
    if clicks && class_has(&["toggle", "switch"]) {
        kinds = kinds.union(kinds![Switch, CheckBox]);
    }
    if clicks && class_has(&["checkbox"]) && element.text.is_empty() {
        kinds = kinds.union(Kind::CheckBox.into());
    }
    if matches!(kind, Kind::Button | Kind::Link | Kind::Clickable)
        && (class_has(&["tab"]) || element.attribute("data-toggle") == Some("tab"))
    {
        kinds = kinds.union(Kind::Tab.into());
    }
    kinds
}

/// Whether elements of this kind are interactive.
pub(crate) const fn is_interactive(kind: Kind) -> bool {
    const INTERACTIVE: Kinds = kinds![
        Button, Link, TextField, CheckBox, Radio, Switch, Dropdown, Option, Tab, MenuItem, Slider,
        File, Clickable
    ];
    INTERACTIVE.contains(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_the_tables_is_known() {
        for table in [
            include_str!("../../../data/kinds_by_role.txt"),
            include_str!("../../../data/kinds_by_tag.txt"),
        ] {
            assert!(data::keyed(table).all(|(_, kind)| Kind::named(kind).is_some()));
        }
    }
}
