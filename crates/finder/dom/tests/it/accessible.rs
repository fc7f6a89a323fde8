//! Roles, names and states of hand-written documents. Other tests compare them with a browser.

use dom::Facts;
use dom::accessible::{Accessible, Document, Kind, Marks, Node, NodeLayout, compute};

/// A document being built: elements with their parents, and text.
struct Page {
    document: Document<'static>,
    count: usize,
}

impl Page {
    fn new() -> Self {
        let mut page = Self {
            document: Document::new(false),
            count: 0,
        };
        page.push(
            Kind::Document,
            None,
            "#document",
            "",
            Marks::empty(),
            &[],
            Some("block"),
        );
        page
    }

    #[expect(clippy::too_many_arguments, reason = "a node is all of these")]
    fn push(
        &mut self,
        kind: Kind,
        parent: Option<usize>,
        tag: &'static str,
        text: &'static str,
        marks: Marks,
        attributes: &[(&'static str, &'static str)],
        display: Option<&'static str>,
    ) -> usize {
        let drawn = display.map(|display| NodeLayout {
            display: display.trim_start_matches("hidden "),
            position: "static",
            visible: !display.starts_with("hidden "),
            scrolls: false,
            floats: false,
            text,
            size: (10.0, 10.0),
        });
        let node = Node {
            kind,
            parent,
            scope: 0,
            tag,
            text,
            value: attributes
                .iter()
                .find(|(name, _)| *name == "value")
                .map_or("", |(_, value)| value),
            layout: drawn,
            marks,
        };
        self.document.push(node, attributes.iter().copied());
        self.count += 1;
        self.count - 1
    }

    fn element(
        &mut self,
        parent: usize,
        tag: &'static str,
        attributes: &[(&'static str, &'static str)],
    ) -> usize {
        let display = if matches!(tag, "a" | "b" | "span" | "label") {
            "inline"
        } else {
            "block"
        };
        let none = Marks::empty();
        self.push(
            Kind::Element,
            Some(parent),
            tag,
            "",
            none,
            attributes,
            Some(display),
        )
    }

    fn text(&mut self, parent: usize, text: &'static str) {
        let none = Marks::empty();
        self.push(
            Kind::Text,
            Some(parent),
            "#text",
            text,
            none,
            &[],
            Some("inline"),
        );
    }

    fn computed(mut self) -> Vec<Option<Accessible>> {
        self.document.build_indexes();
        compute(&self.document)
    }
}

fn role_and_name(computed: &[Option<Accessible>], node: usize) -> (&str, &str) {
    let computed = computed[node].as_ref().unwrap();
    (&computed.role, &computed.name)
}

#[test]
fn name_from_content_has_spaces_between_blocks() {
    let mut page = Page::new();
    let link = page.element(0, "a", &[("href", "/")]);
    let bold = page.element(link, "b", &[]);
    page.text(bold, "One");
    page.text(link, "Two");
    let block = page.element(link, "div", &[]);
    page.text(block, "Three");
    let quiet = page.element(link, "span", &[("aria-hidden", "true")]);
    page.text(quiet, "Four");
    let computed = page.computed();
    assert_eq!(role_and_name(&computed, link), ("link", "OneTwo Three"));
    assert!(
        computed[quiet]
            .as_ref()
            .unwrap()
            .facts
            .contains(Facts::IGNORED)
    );
}

#[test]
fn labels_and_references_win_over_content() {
    let mut page = Page::new();
    let label = page.element(0, "label", &[("for", "field")]);
    page.text(label, "Street");
    let field = page.element(0, "input", &[("id", "field"), ("placeholder", "Hint")]);
    let other = page.element(0, "input", &[("placeholder", "Hint")]);
    let words = page.element(0, "p", &[("id", "words")]);
    page.text(words, "Referred to");
    let button = page.element(0, "button", &[("aria-labelledby", "nowhere words")]);
    page.text(button, "Inside");
    let computed = page.computed();
    assert_eq!(role_and_name(&computed, field), ("textbox", "Street"));
    assert_eq!(role_and_name(&computed, other), ("textbox", "Hint"));
    assert_eq!(role_and_name(&computed, button), ("button", "Referred to"));
}

#[test]
fn presentational_role_applies_without_global_attributes_only() {
    let mut page = Page::new();
    let none = page.element(0, "h2", &[("role", "none")]);
    let named = page.element(0, "h2", &[("role", "none"), ("aria-label", "Named")]);
    let focusable = page.element(0, "div", &[("role", "none button"), ("tabindex", "0")]);
    let unknown = page.element(0, "div", &[("role", "nonsense tab")]);
    let region = page.element(0, "div", &[("role", "region")]);
    page.text(region, "Words");
    let computed = page.computed();
    assert!(
        computed[none]
            .as_ref()
            .unwrap()
            .facts
            .contains(Facts::IGNORED)
    );
    assert_eq!(role_and_name(&computed, named), ("heading", "Named"));
    assert_eq!(role_and_name(&computed, focusable).0, "generic");
    assert_eq!(role_and_name(&computed, unknown).0, "tab");
    assert_eq!(role_and_name(&computed, region).0, "generic");
}

#[test]
fn content_behind_modal_dialog_is_inert() {
    let mut page = Page::new();
    let behind = page.element(0, "button", &[]);
    page.text(behind, "Behind");
    let dialog = page.push(
        Kind::Element,
        Some(0),
        "dialog",
        "",
        Marks::MODAL,
        &[("open", "")],
        Some("block"),
    );
    let inside = page.element(dialog, "button", &[]);
    page.text(inside, "OK");
    let computed = page.computed();
    let facts = computed[behind].as_ref().unwrap().facts;
    assert!(facts.contains(Facts::IGNORED | Facts::DISABLED));
    assert_eq!(role_and_name(&computed, inside), ("button", "OK"));
}

#[test]
fn value_of_a_hidden_field_is_in_no_name() {
    let mut page = Page::new();
    let label = page.element(0, "label", &[("for", "field")]);
    page.text(label, "Pay");
    let quiet = page.element(label, "span", &[("aria-hidden", "true")]);
    let hidden = page.element(quiet, "input", &[("value", "20")]);
    let shown = page.element(label, "input", &[("value", "EUR")]);
    let field = page.element(0, "input", &[("id", "field"), ("value", "7")]);
    let button = page.element(0, "button", &[]);
    page.text(button, "Send");
    let quiet = page.element(button, "span", &[("aria-hidden", "true")]);
    page.element(quiet, "input", &[("value", "30")]);
    let computed = page.computed();
    assert_eq!(role_and_name(&computed, field), ("textbox", "Pay EUR"));
    assert_eq!(role_and_name(&computed, button), ("button", "Send"));
    let hidden = computed[hidden].as_ref().unwrap();
    assert!(hidden.facts.contains(Facts::IGNORED));
    assert_eq!(hidden.value, "");
    assert_eq!(role_and_name(&computed, shown).0, "textbox");
}

#[test]
fn visible_child_of_a_hidden_button_is_no_name_of_it() {
    let mut page = Page::new();
    let none = Marks::empty();
    let hide = Some("hidden block");
    let button = page.push(Kind::Element, Some(0), "button", "", none, &[], hide);
    let child = page.element(button, "span", &[("role", "img"), ("aria-label", "Star")]);
    let group = page.element(0, "a", &[("href", "/")]);
    page.text(group, "Go");
    let part = page.push(Kind::Element, Some(group), "b", "", none, &[], hide);
    let inner = page.element(part, "i", &[]);
    page.text(inner, "now");
    let computed = page.computed();
    let hidden = computed[button].as_ref().unwrap();
    assert!(hidden.facts.contains(Facts::IGNORED));
    assert_eq!(hidden.name, "");
    assert_eq!(role_and_name(&computed, child), ("image", "Star"));
    assert_eq!(role_and_name(&computed, group), ("link", "Go"));
}

#[test]
fn layout_table_has_neither_rows_nor_cells() {
    let mut page = Page::new();
    let mut parts = Vec::new();
    for (marks, attributes, cell) in [
        (Marks::LAYOUT_TABLE, &[][..], "td"),
        (Marks::LAYOUT_TABLE, &[][..], "th"),
        (Marks::empty(), &[][..], "td"),
        (Marks::empty(), &[("role", "presentation")][..], "td"),
    ] {
        let block = Some("block");
        let table = page.push(
            Kind::Element,
            Some(0),
            "table",
            "",
            marks,
            attributes,
            block,
        );
        for _ in 0..2 {
            let row = page.element(table, "tr", &[]);
            let one = page.element(row, cell, &[]);
            page.text(one, "One");
            let two = page.element(row, "td", &[]);
            page.text(two, "Two");
            parts.push([table, row, two]);
        }
    }
    let computed = page.computed();
    let roles = |at: usize| parts[at].map(|node| role_and_name(&computed, node).0);
    assert_eq!(roles(0), ["generic", "generic", "generic"]);
    assert_eq!(roles(2), ["table", "row", "cell"]);
    assert_eq!(roles(4), ["table", "row", "cell"]);
    assert_eq!(roles(6), ["", "", "generic"]);
}
