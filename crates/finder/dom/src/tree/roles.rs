//! Maps ARIA roles to roles of a screen.

use std::{collections::HashMap, sync::LazyLock};

use uitree::Role;

use self::NodeKind::{
    Cell, Control, Document, Field, Generic, Group, Image, Landmark, Structure, Text,
};
use crate::{Element, Facts};

/// The kind of node that an element becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// Acts when clicked and is named by its text: a button, a link, a tab.
    Control,
    /// Has a value: a field, a slider, a checkbox. Its text is that value.
    Field,
    /// Is named by its text and does nothing: a heading, the caption of a list.
    Text,
    /// Has a position in a row, even if it is empty.
    Cell,
    /// Structures its content: a list, a table, a dialog.
    Structure,
    /// A landmark of the page, always a node.
    Landmark,
    /// An image.
    Image,
    /// Embeds another document.
    Document,
    /// A group, a node only if it has a name.
    Group,
    /// No node by its role.
    Generic,
}

/// Every role of ARIA 1.2 and its graphics modules, by the kind of node. Abstract roles (`widget`, `structure` …) do not
/// occur in documents.
const ROLES: &[(&str, Role, NodeKind)] = &[
    (
        "alert application article blockquote comment document figure graphics-object group log marquee \
      math note radiogroup status suggestion tabpanel timer tooltip",
        Role::Container,
        Group,
    ),
    ("alertdialog dialog", Role::Dialog, Structure),
    (
        "banner complementary contentinfo form main navigation region search",
        Role::Container,
        Landmark,
    ),
    ("button", Role::Button, Control),
    ("caption", Role::Label, Text),
    ("cell gridcell", Role::Container, Cell),
    ("checkbox", Role::CheckBox, Field),
    (
        "code definition deletion emphasis insertion mark paragraph strong subscript superscript term \
      time",
        Role::Text,
        Generic,
    ),
    ("columnheader rowheader", Role::Label, Cell),
    ("combobox", Role::Dropdown, Field),
    ("directory feed list listbox tree", Role::List, Structure),
    (
        "generic none presentation rowgroup",
        Role::Container,
        Generic,
    ),
    (
        "graphics-document graphics-symbol image img",
        Role::Image,
        Image,
    ),
    ("grid table treegrid", Role::Grid, Structure),
    ("heading", Role::Heading, Text),
    ("link", Role::Link, Control),
    ("listitem", Role::ListItem, Structure),
    ("menu menubar", Role::Menu, Structure),
    (
        "menuitem menuitemcheckbox menuitemradio",
        Role::MenuItem,
        Control,
    ),
    ("meter progressbar", Role::Progress, Field),
    ("option treeitem", Role::ListItem, Control),
    ("radio", Role::Radio, Field),
    ("row", Role::Row, Structure),
    ("scrollbar slider", Role::Slider, Field),
    ("searchbox spinbutton textbox", Role::TextField, Field),
    ("separator", Role::Unknown, Generic),
    ("switch", Role::Switch, Field),
    ("tab", Role::Tab, Control),
    ("tablist", Role::TabBar, Structure),
    ("toolbar", Role::Toolbar, Structure),
];

/// The screen role for the ARIA role `name`.
fn named(name: &str) -> Option<(Role, NodeKind)> {
    static BY_NAME: LazyLock<HashMap<&str, (Role, NodeKind)>> = LazyLock::new(|| {
        let names = |(names, role, kind): &'static (&str, Role, NodeKind)| {
            names.split(' ').map(|name| (name, (*role, *kind)))
        };
        ROLES.iter().flat_map(names).collect()
    });
    BY_NAME.get(name).copied()
}

/// The role by tag, if the browser did not compute one because the element is ignored or the capture lacks it.
fn by_tag(element: &Element) -> (Role, NodeKind) {
    match &*element.tag {
        "a" | "area" if element.attribute("href").is_some() => (Role::Link, Control),
        "button" | "summary" => (Role::Button, Control),
        "input" => match element.attribute("type").unwrap_or("text") {
            "button" | "submit" | "reset" | "image" | "file" | "color" => (Role::Button, Control),
            "checkbox" => (Role::CheckBox, Field),
            "radio" => (Role::Radio, Field),
            "range" => (Role::Slider, Field),
            _ => (Role::TextField, Field),
        },
        "select" => (Role::Dropdown, Field),
        "textarea" => (Role::TextField, Field),
        "option" => (Role::ListItem, Control),
        "progress" | "meter" => (Role::Progress, Field),
        "img" | "canvas" | "video" | "svg" => (Role::Image, Image),
        "iframe" | "frame" | "object" | "embed" => (Role::WebView, Document),
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => (Role::Heading, Text),
        "ul" | "ol" => (Role::List, Structure),
        "li" => (Role::ListItem, Structure),
        "dialog" => (Role::Dialog, Structure),
        _ => (Role::Container, Generic),
    }
}

/// The screen role of `element`.
pub(super) fn role(element: &Element) -> (Role, NodeKind) {
    // A frame stays a frame whatever its role.
    if matches!(&*element.tag, "iframe" | "frame") {
        return (Role::WebView, Document);
    }
    // Such a field shows what was chosen from its list, and takes no text.
    let is_list = &*element.role == "combobox" && element.is(Facts::READ_ONLY);
    if element.is(Facts::EDITABLE) && !is_list {
        return (Role::TextField, Field);
    }
    let ignored = element.is(Facts::IGNORED) || element.role.is_empty();
    let (role, kind) = match named(&element.role) {
        Some(known) if !ignored => known,
        _ => by_tag(element),
    };
    match role {
        // A page may draw an icon without an image element.
        Role::Image if element.is(Facts::LISTENS) => (Role::Icon, Image),
        Role::Button if element.attribute("aria-pressed").is_some() => (Role::Toggle, kind),
        Role::Button if opens_a_list(element) => (Role::Dropdown, kind),
        _ => (role, kind),
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
