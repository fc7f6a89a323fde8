//! Maps ARIA roles to roles of a screen.

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

/// Every role of ARIA 1.2 and its graphics modules, in alphabetical order. Abstract roles (`widget`,
/// `structure` …) do not occur in documents.
const ROLES: &[(&str, Role, Part)] = &[
    ("alert", Role::Container, Part::Group),
    ("alertdialog", Role::Dialog, Part::Frame),
    ("application", Role::Container, Part::Group),
    ("article", Role::Container, Part::Group),
    ("banner", Role::Container, Part::Landmark),
    ("blockquote", Role::Container, Part::Group),
    ("button", Role::Button, Part::Control),
    ("caption", Role::Label, Part::Words),
    ("cell", Role::Container, Part::Cell),
    ("checkbox", Role::CheckBox, Part::Field),
    ("code", Role::Text, Part::Nothing),
    ("columnheader", Role::Label, Part::Cell),
    ("combobox", Role::Dropdown, Part::Field),
    ("comment", Role::Container, Part::Group),
    ("complementary", Role::Container, Part::Landmark),
    ("contentinfo", Role::Container, Part::Landmark),
    ("definition", Role::Text, Part::Nothing),
    ("deletion", Role::Text, Part::Nothing),
    ("dialog", Role::Dialog, Part::Frame),
    ("directory", Role::List, Part::Frame),
    ("document", Role::Container, Part::Group),
    ("emphasis", Role::Text, Part::Nothing),
    ("feed", Role::List, Part::Frame),
    ("figure", Role::Container, Part::Group),
    ("form", Role::Container, Part::Landmark),
    ("generic", Role::Container, Part::Nothing),
    ("graphics-document", Role::Image, Part::Picture),
    ("graphics-object", Role::Container, Part::Group),
    ("graphics-symbol", Role::Image, Part::Picture),
    ("grid", Role::Grid, Part::Frame),
    ("gridcell", Role::Container, Part::Cell),
    ("group", Role::Container, Part::Group),
    ("heading", Role::Heading, Part::Words),
    ("image", Role::Image, Part::Picture),
    ("img", Role::Image, Part::Picture),
    ("insertion", Role::Text, Part::Nothing),
    ("link", Role::Link, Part::Control),
    ("list", Role::List, Part::Frame),
    ("listbox", Role::List, Part::Frame),
    ("listitem", Role::ListItem, Part::Frame),
    ("log", Role::Container, Part::Group),
    ("main", Role::Container, Part::Landmark),
    ("mark", Role::Text, Part::Nothing),
    ("marquee", Role::Container, Part::Group),
    ("math", Role::Container, Part::Group),
    ("menu", Role::Menu, Part::Frame),
    ("menubar", Role::Menu, Part::Frame),
    ("menuitem", Role::MenuItem, Part::Control),
    ("menuitemcheckbox", Role::MenuItem, Part::Control),
    ("menuitemradio", Role::MenuItem, Part::Control),
    ("meter", Role::Progress, Part::Field),
    ("navigation", Role::Container, Part::Landmark),
    ("none", Role::Container, Part::Nothing),
    ("note", Role::Container, Part::Group),
    ("option", Role::ListItem, Part::Control),
    ("paragraph", Role::Text, Part::Nothing),
    ("presentation", Role::Container, Part::Nothing),
    ("progressbar", Role::Progress, Part::Field),
    ("radio", Role::Radio, Part::Field),
    ("radiogroup", Role::Container, Part::Group),
    ("region", Role::Container, Part::Landmark),
    ("row", Role::Row, Part::Frame),
    ("rowgroup", Role::Container, Part::Nothing),
    ("rowheader", Role::Label, Part::Cell),
    ("scrollbar", Role::Slider, Part::Field),
    ("search", Role::Container, Part::Landmark),
    ("searchbox", Role::TextField, Part::Field),
    ("separator", Role::Unknown, Part::Nothing),
    ("slider", Role::Slider, Part::Field),
    ("spinbutton", Role::TextField, Part::Field),
    ("status", Role::Container, Part::Group),
    ("strong", Role::Text, Part::Nothing),
    ("subscript", Role::Text, Part::Nothing),
    ("suggestion", Role::Container, Part::Group),
    ("superscript", Role::Text, Part::Nothing),
    ("switch", Role::Switch, Part::Field),
    ("tab", Role::Tab, Part::Control),
    ("table", Role::Grid, Part::Frame),
    ("tablist", Role::TabBar, Part::Frame),
    ("tabpanel", Role::Container, Part::Group),
    ("term", Role::Text, Part::Nothing),
    ("textbox", Role::TextField, Part::Field),
    ("time", Role::Text, Part::Nothing),
    ("timer", Role::Container, Part::Group),
    ("toolbar", Role::Toolbar, Part::Frame),
    ("tooltip", Role::Container, Part::Group),
    ("tree", Role::List, Part::Frame),
    ("treegrid", Role::Grid, Part::Frame),
    ("treeitem", Role::ListItem, Part::Control),
];

/// The screen role for the ARIA role `name`.
fn named(name: &str) -> Option<(Role, Part)> {
    let at = ROLES
        .binary_search_by(|(role, ..)| (*role).cmp(name))
        .ok()?;
    ROLES.get(at).map(|(_, role, part)| (*role, *part))
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
    fn role_table_is_sorted_and_unique() {
        assert!(ROLES.is_sorted_by(|a, b| a.0 < b.0));
    }

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
