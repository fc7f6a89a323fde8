//! Converts the browser's own accessibility tree, to compare it with the computed one.

use std::sync::Arc;

use dom::Facts;
use dom::accessible::Accessible;

use super::collapse_whitespace;
use crate::page::raw::{AxNode, PropertyName, Scalar};

/// Converts a node of the browser's tree.
pub(super) fn from_browser(node: &AxNode) -> Accessible {
    let mut facts = Facts::empty();
    facts.set(Facts::IGNORED, node.ignored);
    for property in &node.properties {
        add(&mut facts, property.name, &property.value);
    }
    let inert = node.ignored_reasons.iter().any(|reason| {
        matches!(
            reason.name,
            PropertyName::ActiveModalDialog
                | PropertyName::InertElement
                | PropertyName::InertSubtree
        )
    });
    if inert {
        facts |= Facts::DISABLED;
    }
    Accessible {
        role: role(node).to_string().into(),
        name: collapse_whitespace(&node.name.text()),
        description: collapse_whitespace(&node.description.text()),
        value: value(node).to_string(),
        facts,
    }
}

fn add(facts: &mut Facts, name: PropertyName, value: &Scalar) {
    let yes = value.is("true");
    match name {
        PropertyName::Focusable => facts.set(Facts::FOCUSABLE, yes),
        PropertyName::Focused => facts.set(Facts::FOCUSED, yes),
        PropertyName::Disabled if yes => *facts |= Facts::DISABLED,
        PropertyName::Readonly if yes => *facts |= Facts::READ_ONLY,
        PropertyName::Required => facts.set(Facts::REQUIRED, yes),
        PropertyName::Invalid => {
            facts.set(
                Facts::INVALID,
                !value.is("false") && *value != Scalar::Nothing,
            );
        }
        PropertyName::Checked | PropertyName::Pressed => {
            *facts |= Facts::CHECKABLE;
            facts.set(Facts::CHECKED, yes);
            facts.set(Facts::MIXED, value.is("mixed"));
        }
        PropertyName::Selected => facts.set(Facts::SELECTED, yes),
        PropertyName::Expanded => {
            facts.set(Facts::EXPANDED, yes);
            facts.set(Facts::COLLAPSED, value.is("false"));
        }
        PropertyName::Disabled
        | PropertyName::Readonly
        | PropertyName::Editable
        | PropertyName::Valuetext
        | PropertyName::ActiveModalDialog
        | PropertyName::InertElement
        | PropertyName::InertSubtree
        | PropertyName::Other => {}
    }
}

/// Chromium's internal role names, with their ARIA names. ARIA names stay unchanged.
const OWN_ROLES: &[(&str, &str)] = &[
    ("Abbr", "generic"),
    ("AlertDialog", "alertdialog"),
    ("Audio", "group"),
    ("Canvas", "image"),
    ("ColorWell", "button"),
    ("Date", "textbox"),
    ("DateTime", "textbox"),
    ("DescriptionList", "list"),
    ("DescriptionListDetail", "definition"),
    ("DescriptionListTerm", "term"),
    ("Details", "group"),
    ("DisclosureTriangle", "button"),
    ("DisclosureTriangleGrouped", "button"),
    ("EmbeddedObject", "document"),
    ("Figcaption", "caption"),
    ("FooterAsNonLandmark", "generic"),
    ("HeaderAsNonLandmark", "generic"),
    ("Iframe", "document"),
    ("IframePresentational", "document"),
    ("ImageMap", "image"),
    ("InputTime", "textbox"),
    ("LabelText", "label"),
    ("LayoutTable", "generic"),
    ("LayoutTableCell", "generic"),
    ("LayoutTableRow", "generic"),
    ("Legend", "caption"),
    ("LineBreak", "generic"),
    ("ListGrid", "grid"),
    ("MathMLMath", "math"),
    ("MenuListOption", "option"),
    ("MenuListPopup", "listbox"),
    ("PluginObject", "document"),
    ("PopUpButton", "button"),
    ("Pre", "generic"),
    ("RootWebArea", "document"),
    ("Ruby", "generic"),
    ("RubyAnnotation", "generic"),
    ("Section", "generic"),
    ("SectionFooter", "generic"),
    ("SectionHeader", "generic"),
    ("SectionWithoutName", "generic"),
    ("StaticText", "generic"),
    ("SvgRoot", "image"),
    ("TextFieldWithComboBox", "combobox"),
    ("ToggleButton", "button"),
    ("Video", "group"),
];

/// The ARIA role; empty if the browser reports none.
fn role(node: &AxNode) -> Arc<str> {
    let role = node.role.text();
    if !role.starts_with(|c: char| c.is_ascii_uppercase()) {
        return role;
    }
    let resolved = OWN_ROLES.binary_search_by(|(own, _)| (*own).cmp(&role));
    let name = resolved.ok().and_then(|at| OWN_ROLES.get(at));
    name.map_or("generic", |(_, name)| *name).into()
}

/// The accessible value, if it is the only source.
fn value(node: &AxNode) -> Arc<str> {
    let internals = node
        .properties
        .iter()
        .find(|property| property.name == PropertyName::Valuetext)
        .map(|property| property.value.text())
        .filter(|text| !text.is_empty());
    internals.unwrap_or_else(|| node.value.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn role_table_is_sorted() {
        assert!(OWN_ROLES.is_sorted_by(|a, b| a.0 < b.0));
    }
}
