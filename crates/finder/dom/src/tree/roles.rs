//! Maps ARIA roles to roles of a screen.

use std::{collections::HashMap, sync::LazyLock};

use uitree::Role;

use crate::{Element, Facts};

/// How a role becomes part of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Acts when clicked and is named by its text: a button, a link, a tab.
    Control,
    /// Has a value: a field, a slider, a checkbox. Its text is that value.
    Field,
    /// Is named by its text and does nothing: a heading, the caption of a list.
    Words,
    /// Has a position in a row, even if it is empty.
    Cell,
    /// Structures its content: a list, a table, a dialog.
    Frame,
    /// A landmark of the page, always a node.
    Landmark,
    /// An image.
    Picture,
    /// Embeds another document.
    Document,
    /// A group, a node only if it has a name.
    Group,
    /// Never a node.
    Nothing,
}

/// Every role of ARIA 1.2 and its graphics modules, by what it becomes. Abstract roles (`widget`, `structure` …) do not
/// occur in documents.
const ROLES: &[(&str, Role, Part)] = &[
    (
        "alert application article blockquote comment document figure graphics-object group log marquee \
      math note radiogroup status suggestion tabpanel timer tooltip",
        Role::Container,
        Part::Group,
    ),
    ("alertdialog dialog", Role::Dialog, Part::Frame),
    (
        "banner complementary contentinfo form main navigation region search",
        Role::Container,
        Part::Landmark,
    ),
    ("button", Role::Button, Part::Control),
    ("caption", Role::Label, Part::Words),
    ("cell gridcell", Role::Container, Part::Cell),
    ("checkbox", Role::CheckBox, Part::Field),
    (
        "code definition deletion emphasis insertion mark paragraph strong subscript superscript term \
      time",
        Role::Text,
        Part::Nothing,
    ),
    ("columnheader rowheader", Role::Label, Part::Cell),
    ("combobox", Role::Dropdown, Part::Field),
    ("directory feed list listbox tree", Role::List, Part::Frame),
    (
        "generic none presentation rowgroup",
        Role::Container,
        Part::Nothing,
    ),
    (
        "graphics-document graphics-symbol image img",
        Role::Image,
        Part::Picture,
    ),
    ("grid table treegrid", Role::Grid, Part::Frame),
    ("heading", Role::Heading, Part::Words),
    ("link", Role::Link, Part::Control),
    ("listitem", Role::ListItem, Part::Frame),
    ("menu menubar", Role::Menu, Part::Frame),
    (
        "menuitem menuitemcheckbox menuitemradio",
        Role::MenuItem,
        Part::Control,
    ),
    ("meter progressbar", Role::Progress, Part::Field),
    ("option treeitem", Role::ListItem, Part::Control),
    ("radio", Role::Radio, Part::Field),
    ("row", Role::Row, Part::Frame),
    ("scrollbar slider", Role::Slider, Part::Field),
    ("searchbox spinbutton textbox", Role::TextField, Part::Field),
    ("separator", Role::Unknown, Part::Nothing),
    ("switch", Role::Switch, Part::Field),
    ("tab", Role::Tab, Part::Control),
    ("tablist", Role::TabBar, Part::Frame),
    ("toolbar", Role::Toolbar, Part::Frame),
];

/// The screen role for the ARIA role `name`.
fn named(name: &str) -> Option<(Role, Part)> {
    static BY_NAME: LazyLock<HashMap<&str, (Role, Part)>> = LazyLock::new(|| {
        let names = |(names, role, part): &'static (&str, Role, Part)| {
            names.split(' ').map(|name| (name, (*role, *part)))
        };
        ROLES.iter().flat_map(names).collect()
    });
    BY_NAME.get(name).copied()
}

/// The role by tag, if the browser did not compute one because the element is ignored or the capture lacks it.
fn by_tag(element: &Element) -> (Role, Part) {
    match &*element.tag {
        "a" | "area" if element.attribute("href").is_some() => (Role::Link, Part::Control),
        "button" | "summary" => (Role::Button, Part::Control),
        "input" => match element.attribute("type").unwrap_or("text") {
            "button" | "submit" | "reset" | "image" | "file" | "color" => {
                (Role::Button, Part::Control)
            }
            "checkbox" => (Role::CheckBox, Part::Field),
            "radio" => (Role::Radio, Part::Field),
            "range" => (Role::Slider, Part::Field),
            _ => (Role::TextField, Part::Field),
        },
        "select" => (Role::Dropdown, Part::Field),
        "textarea" => (Role::TextField, Part::Field),
        "option" => (Role::ListItem, Part::Control),
        "progress" | "meter" => (Role::Progress, Part::Field),
        "img" | "canvas" | "video" | "svg" => (Role::Image, Part::Picture),
        "iframe" | "frame" | "object" | "embed" => (Role::WebView, Part::Document),
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => (Role::Heading, Part::Words),
        "ul" | "ol" => (Role::List, Part::Frame),
        "li" => (Role::ListItem, Part::Frame),
        "dialog" => (Role::Dialog, Part::Frame),
        _ => (Role::Container, Part::Nothing),
    }
}

/// The screen role of `element`.
pub(super) fn role(element: &Element) -> (Role, Part) {
    // A frame stays a frame whatever its role.
    if matches!(&*element.tag, "iframe" | "frame") {
        return (Role::WebView, Part::Document);
    }
    // Such a field shows what was chosen from its list, and takes no text.
    let is_list = &*element.role == "combobox" && element.is(Facts::READ_ONLY);
    if element.is(Facts::EDITABLE) && !is_list {
        return (Role::TextField, Part::Field);
    }
    let ignored = element.is(Facts::IGNORED) || element.role.is_empty();
    let (role, part) = match named(&element.role) {
        Some(known) if !ignored => known,
        _ => by_tag(element),
    };
    match role {
        // A page may draw an icon without an image element.
        Role::Image if element.is(Facts::LISTENS) => (Role::Icon, Part::Picture),
        Role::Button if element.attribute("aria-pressed").is_some() => (Role::Toggle, part),
        Role::Button if opens_a_list(element) => (Role::Dropdown, part),
        _ => (role, part),
    }
}

/// Whether a button opens a list of options.
fn opens_a_list(element: &Element) -> bool {
    matches!(
        element.attribute("aria-haspopup"),
        Some("listbox" | "tree" | "grid")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_role_wins_over_tag() {
        let element = |tag: &str, role: &str, facts| {
            let mut page = crate::DomBuilder::new(crate::Viewport::default(), "", "");
            let id = page.open(crate::ElementSpec {
                tag: tag.into(),
                role: role.into(),
                facts,
                ..crate::ElementSpec::default()
            });
            page.finish().element(id).clone()
        };
        let what = |tag, role_name, facts| role(&element(tag, role_name, facts)).0;
        let none = Facts::empty();
        assert_eq!(what("a", "tab", none), Role::Tab);
        assert_eq!(what("li", "generic", none), Role::Container);
        assert_eq!(what("button", "none", Facts::IGNORED), Role::Button);
        assert_eq!(what("div", "combobox", Facts::EDITABLE), Role::TextField);
        assert_eq!(what("select", "combobox", none), Role::Dropdown);
        let chosen = Facts::EDITABLE | Facts::READ_ONLY;
        assert_eq!(what("input", "combobox", chosen), Role::Dropdown);
        assert_eq!(what("iframe", "none", none), Role::WebView);
        assert_eq!(what("h2", "", none), Role::Heading);
    }
}
