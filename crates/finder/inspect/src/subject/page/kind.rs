//! Kinds of the elements of a page.

use dom::{Element, Facts};

use super::super::{Kind, Kinds, text::identifier_words};

/// Kinds by accessible role.
const ROLES: &[(&str, Kind)] = &[
    ("button", Kind::Button),
    ("DisclosureTriangle", Kind::Button),
    ("DisclosureTriangleGrouped", Kind::Button),
    ("ToggleButton", Kind::Button),
    ("PopUpButton", Kind::Dropdown),
    ("link", Kind::Link),
    ("doc-backlink", Kind::Link),
    ("doc-noteref", Kind::Link),
    ("textbox", Kind::TextField),
    ("searchbox", Kind::TextField),
    ("spinbutton", Kind::TextField),
    ("Date", Kind::TextField),
    ("DateTime", Kind::TextField),
    ("InputTime", Kind::TextField),
    ("ColorWell", Kind::Button),
    ("combobox", Kind::Dropdown),
    ("listbox", Kind::Dropdown),
    ("option", Kind::Option),
    ("MenuListOption", Kind::Option),
    ("treeitem", Kind::MenuItem),
    ("checkbox", Kind::CheckBox),
    ("radio", Kind::Radio),
    ("switch", Kind::Switch),
    ("tab", Kind::Tab),
    ("menuitem", Kind::MenuItem),
    ("menuitemcheckbox", Kind::MenuItem),
    ("menuitemradio", Kind::MenuItem),
    ("slider", Kind::Slider),
    ("scrollbar", Kind::Slider),
    ("img", Kind::Image),
    ("image", Kind::Image),
    ("graphics-document", Kind::Image),
    ("graphics-symbol", Kind::Image),
    ("figure", Kind::Image),
    ("Canvas", Kind::Image),
    ("Video", Kind::Media),
    ("Audio", Kind::Media),
    ("heading", Kind::Heading),
    ("LabelText", Kind::Label),
    ("Legend", Kind::Label),
    ("status", Kind::Status),
    ("alert", Kind::Status),
    ("log", Kind::Status),
    ("timer", Kind::Status),
    ("tooltip", Kind::Status),
    ("progressbar", Kind::Status),
    ("meter", Kind::Status),
    ("cell", Kind::Cell),
    ("gridcell", Kind::Cell),
    ("columnheader", Kind::Cell),
    ("rowheader", Kind::Cell),
    ("row", Kind::Row),
    ("listitem", Kind::ListItem),
    ("article", Kind::ListItem),
    ("table", Kind::Table),
    ("grid", Kind::Table),
    ("treegrid", Kind::Table),
    ("list", Kind::List),
    ("feed", Kind::List),
    ("tree", Kind::List),
    ("tablist", Kind::TabBar),
    ("menu", Kind::Menu),
    ("menubar", Kind::Menu),
    ("toolbar", Kind::Menu),
    ("dialog", Kind::Dialog),
    ("alertdialog", Kind::Dialog),
    ("form", Kind::Form),
    ("radiogroup", Kind::Form),
    ("search", Kind::Landmark),
    ("navigation", Kind::Landmark),
    ("main", Kind::Landmark),
    ("banner", Kind::Landmark),
    ("contentinfo", Kind::Landmark),
    ("complementary", Kind::Landmark),
    ("region", Kind::Landmark),
    ("Iframe", Kind::Frame),
];

/// Kinds by tag.
const TAGS: &[(&str, Kind)] = &[
    ("button", Kind::Button),
    ("summary", Kind::Button),
    ("area", Kind::Link),
    ("textarea", Kind::TextField),
    ("select", Kind::Dropdown),
    ("option", Kind::Option),
    ("img", Kind::Image),
    ("svg", Kind::Image),
    ("canvas", Kind::Image),
    ("video", Kind::Media),
    ("audio", Kind::Media),
    ("h1", Kind::Heading),
    ("h2", Kind::Heading),
    ("h3", Kind::Heading),
    ("h4", Kind::Heading),
    ("h5", Kind::Heading),
    ("h6", Kind::Heading),
    ("label", Kind::Label),
    ("legend", Kind::Label),
    ("td", Kind::Cell),
    ("th", Kind::Cell),
    ("tr", Kind::Row),
    ("li", Kind::ListItem),
    ("table", Kind::Table),
    ("dialog", Kind::Dialog),
    ("form", Kind::Form),
    ("fieldset", Kind::Form),
    ("nav", Kind::Landmark),
    ("main", Kind::Landmark),
    ("header", Kind::Landmark),
    ("footer", Kind::Landmark),
    ("aside", Kind::Landmark),
    ("iframe", Kind::Frame),
    ("progress", Kind::Status),
    ("output", Kind::Status),
];

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
pub(super) fn of(element: &Element) -> Kind {
    let by_role = ROLES
        .iter()
        .find(|(role, _)| *role == &*element.role)
        .map(|(_, kind)| *kind);
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
        (_, None) => authored_role(element).unwrap_or_else(|| {
            TAGS.iter()
                .find(|(name, _)| *name == tag)
                .map_or(Kind::Other, |(_, kind)| *kind)
        }),
    }
}

/// Kind by the `role` attribute of an element outside of the accessibility tree, such as a hidden one.
fn authored_role(element: &Element) -> Option<Kind> {
    let role = element.attribute("role")?.split_ascii_whitespace().next()?;
    ROLES
        .iter()
        .find(|(name, _)| *name == role)
        .map(|(_, kind)| *kind)
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
    let mut add = |more: &[Kind]| kinds = kinds.with(Kinds::of(more));
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
    let called = || picks(element.id()) || element.classes().any(picks);
    if clicks && (opens || class_has(&["dropdown", "select"]) || called()) {
        kinds = kinds.with(Kinds::of(&[Kind::Dropdown, Kind::Menu]));
    }
    if clicks && class_has(&["toggle", "switch"]) {
        kinds = kinds.with(Kinds::of(&[Kind::Switch, Kind::CheckBox]));
    }
    if clicks && class_has(&["checkbox"]) && element.text.is_empty() {
        kinds = kinds.with(Kind::CheckBox.into());
    }
    if matches!(kind, Kind::Button | Kind::Link | Kind::Clickable)
        && (class_has(&["tab"]) || element.attribute("data-toggle") == Some("tab"))
    {
        kinds = kinds.with(Kind::Tab.into());
    }
    kinds
}

/// Whether elements of this kind are interactive.
pub(crate) const fn is_interactive(kind: Kind) -> bool {
    match kind {
        Kind::Button
        | Kind::Link
        | Kind::TextField
        | Kind::CheckBox
        | Kind::Radio
        | Kind::Switch
        | Kind::Dropdown
        | Kind::Option
        | Kind::Tab
        | Kind::MenuItem
        | Kind::Slider
        | Kind::File
        | Kind::Clickable => true,
        Kind::Image
        | Kind::Media
        | Kind::Heading
        | Kind::Label
        | Kind::Text
        | Kind::Status
        | Kind::Cell
        | Kind::Row
        | Kind::ListItem
        | Kind::Table
        | Kind::List
        | Kind::TabBar
        | Kind::Menu
        | Kind::Dialog
        | Kind::Form
        | Kind::Landmark
        | Kind::Frame
        | Kind::Other => false,
    }
}
