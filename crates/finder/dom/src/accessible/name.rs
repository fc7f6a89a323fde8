//! The names of elements: from their author, from labels and other markup, or from content.

use std::collections::BTreeSet;

use super::document::Kind;
use super::hidden::{is_editing_host, is_true};
use super::ignored::is_in_line;
use super::role::ContentNaming;
use super::{Computation, Role};

/// The maximum number of nodes in a name.
const MAX_NODES: usize = 100;

/// The source of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameSource {
    Nothing,
    /// An attribute that exists but is empty.
    Empty,
    Attribute,
    Caption,
    Contents,
    Placeholder,
    Related,
    Title,
    Value,
}

impl NameSource {
    /// Whether it does not come from content, so that spaces separate it from its neighbors.
    const fn is_apart(self) -> bool {
        match self {
            Self::Nothing | Self::Empty | Self::Contents => false,
            Self::Attribute
            | Self::Caption
            | Self::Placeholder
            | Self::Related
            | Self::Title
            | Self::Value => true,
        }
    }
}

/// The visited nodes.
pub(super) type VisitedNodes = BTreeSet<usize>;

/// The context of a name computation.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameQuery {
    /// Whether the name is part of the name of another element.
    pub(super) for_other: bool,
    /// The element that an id reference points to, while its content is read.
    pub(super) root: Option<usize>,
}

impl NameQuery {
    const OWN: NameQuery = NameQuery {
        for_other: false,
        root: None,
    };
}

impl Computation<'_> {
    /// The name of an element and its source.
    pub(super) fn name(&self, node: usize) -> (String, NameSource) {
        let (text, from) = self.alternative(node, NameQuery::OWN, &mut VisitedNodes::new());
        (simplify(&text), from)
    }

    /// Whether its role prohibits a name from a tooltip, which is its description then.
    fn must_not_be_named(&self, node: usize) -> bool {
        !self.is_focusable(node)
            && !self.is_ignored(node)
            && !self.document.tag(node).contains('-')
            && self.role(node).is_name_prohibited()
    }

    /// The text alternative of a node.
    pub(super) fn alternative(
        &self,
        node: usize,
        ask: NameQuery,
        read: &mut VisitedNodes,
    ) -> (String, NameSource) {
        let document = self.document;
        match document.kind(node) {
            Kind::Text => {
                read.insert(node);
                let text = match document.drawn(node) {
                    Some(drawn) => drawn.text,
                    None => document.text(node),
                };
                return (text.to_owned(), NameSource::Contents);
            }
            Kind::Element => {}
            Kind::Generated => {
                let text = document.drawn(node).map_or("", |drawn| drawn.text);
                return (text.to_owned(), NameSource::Contents);
            }
            Kind::Document | Kind::Other => return (String::new(), NameSource::Nothing),
        }
        if document.tag(node) == "br" && document.drawn(node).is_some() {
            read.insert(node);
            return ("\n".to_owned(), NameSource::Contents);
        }
        // In other names the value of a control replaces its name.
        if ask.for_other
            && !read.contains(&node)
            && let Some(value) = self.value_for_name(node, read)
        {
            return (value, NameSource::Value);
        }
        if let Some(found) = self.by_aria(node, ask, read) {
            return found;
        }
        let (native, from) = self.by_markup(node, read);
        if let Some(text) = native.as_deref().filter(|text| !text.is_empty()) {
            return (text.to_owned(), from);
        }
        let empty = from == NameSource::Empty;
        if self.reads_inside(node, ask) {
            let text = self.inside(node, ask.root, read);
            if ask.for_other && !text.is_empty() || !text.chars().all(is_space) {
                return (text, NameSource::Contents);
            }
        }
        let is_picture = matches!(document.tag(node), "img" | "area");
        if !(empty && is_picture)
            && (ask.root.is_some() || !self.must_not_be_named(node))
            && let Some(title) = self.tooltip(node)
        {
            return (title, NameSource::Title);
        }
        (
            String::new(),
            if empty {
                NameSource::Empty
            } else {
                NameSource::Nothing
            },
        )
    }

    /// The name from ARIA attributes; `None` if there is none. Hidden elements have none in other names.
    fn by_aria(
        &self,
        node: usize,
        ask: NameQuery,
        read: &mut VisitedNodes,
    ) -> Option<(String, NameSource)> {
        let document = self.document;
        let again = !read.insert(node);
        if document.tag(node) == "slot" {
            return None;
        }
        if self.is_hidden_for_names(node, ask.root) {
            return Some((String::new(), NameSource::Nothing));
        }
        if ask.root.is_none() && !again {
            let named = ["aria-labelledby", "aria-labeledby"]
                .into_iter()
                .find(|name| document.has(node, name));
            if let Some(attribute) = named {
                let elements = document.named(node, attribute);
                if let Some(text) = self.of_elements(&elements, true, read)
                    && !text.trim().is_empty()
                {
                    return Some((text, NameSource::Related));
                }
            }
        }
        let label = document.attribute(node, "aria-label")?;
        (!label.trim().is_empty()).then(|| (label.to_owned(), NameSource::Attribute))
    }

    /// The text alternatives of several elements, joined; `None` if there are none.
    pub(super) fn of_elements(
        &self,
        elements: &[usize],
        referred: bool,
        read: &mut VisitedNodes,
    ) -> Option<String> {
        let mut all = String::new();
        for element in elements {
            let root = referred.then_some(*element);
            let text = self.of_other(*element, root, read).0;
            read.insert(*element);
            if !text.is_empty() {
                if !all.is_empty() {
                    all.push(' ');
                }
                all.push_str(&text);
            }
        }
        (!elements.is_empty()).then_some(all)
    }

    /// The text alternative of a node as part of another name: each node is visited once, except by reference.
    pub(super) fn of_other(
        &self,
        node: usize,
        root: Option<usize>,
        read: &mut VisitedNodes,
    ) -> (String, NameSource) {
        if root.is_none() && read.contains(&node) {
            return (String::new(), NameSource::Nothing);
        }
        let ask = NameQuery {
            for_other: true,
            root,
        };
        self.alternative(node, ask, read)
    }

    /// Whether a node does not contribute to names.
    pub(super) fn is_hidden_for_names(&self, node: usize, root: Option<usize>) -> bool {
        let document = self.document;
        match document.kind(node) {
            Kind::Text => return false,
            Kind::Generated => return document.tag(node) == "::marker",
            Kind::Document | Kind::Other => return true,
            Kind::Element => {}
        }
        let tag = document.tag(node);
        if tag == "noscript" {
            return true;
        }
        if document.is_svg(node) && matches!(tag, "title" | "desc") {
            return false;
        }
        let hidden = self.hidden(node);
        if !hidden.by_aria && hidden.in_menu {
            return false;
        }
        if root.is_some_and(|root| !self.is_visible(root)) {
            return false;
        }
        let own = is_true(document.attribute(node, "aria-hidden"))
            && !matches!(tag, "html" | "body" | "option");
        own || (hidden.by_style && tag != "area")
    }

    fn is_visible(&self, node: usize) -> bool {
        let hidden = self.hidden(node);
        !(hidden.by_aria || hidden.inert || hidden.by_style)
    }

    /// Whether an element is named by its content.
    pub(super) fn reads_inside(&self, node: usize, ask: NameQuery) -> bool {
        if ask.root.is_none() && !self.is_named_by_contents(node, ask.for_other) {
            return false;
        }
        if self.document.tag(node) == "select" {
            return false;
        }
        !self.is_text_field(node) || ask.root == Some(node)
    }

    fn is_named_by_contents(&self, node: usize, for_other: bool) -> bool {
        let document = self.document;
        let role = self.role(node);
        match role {
            Role::Row => {
                for around in self.exposed_ancestors(node) {
                    match self.role(around) {
                        Role::Grid | Role::TreeGrid => return true,
                        Role::Generic | Role::None | Role::Group | Role::RowGroup => {}
                        _ => return false,
                    }
                }
                return false;
            }
            Role::MenuOption => return !self.has_one_text(node),
            Role::RubyText => return !for_other,
            Role::Group if document.tag(node) == "address" => return for_other,
            _ => {}
        }
        match role.named_by_contents() {
            ContentNaming::Always => true,
            ContentNaming::Never => false,
            ContentNaming::ForOthers => {
                if role == Role::Generic && matches!(document.tag(node), "body" | "html") {
                    return false;
                }
                for_other
                    || (document.is(node, super::Marks::FOCUSED)
                        && !self.hidden(node).editable
                        && !document.has(node, "aria-activedescendant"))
            }
        }
    }

    pub(super) fn has_one_text(&self, node: usize) -> bool {
        match self.document.children(node) {
            [only] => self.document.kind(*only) == Kind::Text,
            _ => false,
        }
    }

    /// Whether the element takes text.
    pub(super) fn is_text_field(&self, node: usize) -> bool {
        self.is_atomic_text_field(node)
            || is_editing_host(self.document, node)
            || self.authored(node).is_some_and(Role::is_text_field)
    }

    /// The joined text alternatives of a node's content.
    pub(super) fn inside(
        &self,
        node: usize,
        root: Option<usize>,
        read: &mut VisitedNodes,
    ) -> String {
        let mut all = String::new();
        if self.is_replaced_by_control(node) {
            return all;
        }
        let mut before: Option<usize> = None;
        let mut last = NameSource::Nothing;
        for child in self.pieces(node) {
            if read.len() > MAX_NODES {
                break;
            }
            if self.is_hidden_for_names(child, root) {
                continue;
            }
            let (text, from) = if self.role(child).is_presentational() {
                (self.inside(child, root, read), NameSource::Nothing)
            } else {
                self.of_other(child, root, read)
            };
            if let (Some(before), Some(end), Some(begin)) =
                (before, all.chars().last(), text.chars().next())
                && !is_space(end)
                && !is_space(begin)
                && (from.is_apart() || last.is_apart() || self.are_apart(before, child))
            {
                all.push(' ');
            }
            all.push_str(&text);
            before = Some(child);
            if !text.is_empty() {
                last = from;
            }
        }
        all
    }

    /// Whether a native control replaces the element's content.
    fn is_replaced_by_control(&self, node: usize) -> bool {
        matches!(
            self.document.tag(node),
            "input" | "progress" | "meter" | "hr" | "iframe" | "frame" | "textarea" | "map" | "img"
        )
    }

    /// The nodes that make up a name from content: the children, where ignored ones are replaced by their
    /// children.
    fn pieces(&self, node: usize) -> Vec<usize> {
        let document = self.document;
        let mut pieces = Vec::new();
        let mut next: Vec<usize> = document.children(node).iter().rev().copied().collect();
        while let Some(child) = next.pop() {
            if self.owner(child).is_some_and(|owner| owner != node) {
                continue;
            }
            let silent = matches!(
                document.tag(child),
                "script" | "style" | "template" | "head"
            );
            if silent && !document.is_svg(child) || !self.is_read(child) {
                continue;
            }
            let named_as_whole = self.named_as_whole.get(child) == Some(&true);
            if named_as_whole {
                pieces.push(child);
            } else {
                next.extend(document.children(child).iter().rev());
            }
        }
        if document.has(node, "aria-owns") {
            pieces.extend(
                document
                    .named(node, "aria-owns")
                    .into_iter()
                    .filter(|owned| self.owner(*owned) == Some(node)),
            );
        }
        pieces
    }

    /// Whether a node is part of names: white space without layout is not.
    fn is_read(&self, node: usize) -> bool {
        let document = self.document;
        match document.kind(node) {
            Kind::Element | Kind::Generated => true,
            // Text without a box, in an element with one, is not laid out, as in closed details.
            Kind::Text => {
                document.drawn(node).is_some()
                    || document.parent(node).is_some_and(|parent| {
                        document.drawn(parent).is_none() || self.hidden(node).in_canvas
                    }) && !document.text(node).trim().is_empty()
            }
            Kind::Document | Kind::Other => false,
        }
    }

    /// The element that owns a node by `aria-owns`.
    fn owner(&self, node: usize) -> Option<usize> {
        let document = self.document;
        if document.owners().is_empty() {
            return None;
        }
        let id = document.attribute(node, "id")?;
        document.owners().iter().copied().find(|owner| {
            let owns = document.attribute(*owner, "aria-owns").unwrap_or_default();
            owns.split_ascii_whitespace().any(|owned| owned == id)
                && document.by_id(*owner, id) == Some(node)
                && *owner != node
                && !super::hidden::contains(document, node, *owner)
                && !self.is_atomic_text_field(*owner)
        })
    }

    /// Whether two neighbors are on different lines, so that a space separates their texts.
    fn are_apart(&self, before: usize, after: usize) -> bool {
        let document = self.document;
        let (Some(first), Some(second)) = (self.line_of(before), self.line_of(after)) else {
            return true;
        };
        first != second
            || (document.is_element(before) && self.is_control(before))
            || (document.is_element(after) && self.is_control(after))
            || self.has_block_between(before, after)
    }

    /// The block whose lines contain a node; `None` if it is not inline, or is a block itself.
    fn line_of(&self, node: usize) -> Option<usize> {
        let document = self.document;
        let drawn = document.drawn(node)?;
        let in_line = match document.kind(node) {
            Kind::Text => true,
            _ => {
                matches!(drawn.display, "inline" | "ruby" | "ruby-text")
                    && !is_replaced(document.tag(node))
            }
        };
        if !in_line {
            return None;
        }
        document.ancestors(node).find(|at| {
            document.drawn(*at).is_some_and(|drawn| {
                drawn.display != "inline" && !drawn.display.starts_with("ruby")
            })
        })
    }

    /// Whether a block is between two inline nodes.
    fn has_block_between(&self, before: usize, after: usize) -> bool {
        let document = self.document;
        let inside = document.descendants(before).last().unwrap_or(before);
        (before + 1..after).any(|node| {
            document.drawn(node).is_some_and(|drawn| {
                document.is_element(node)
                    && node > inside
                    && !is_in_line(drawn.display)
                    && !matches!(drawn.position, "absolute" | "fixed")
            })
        })
    }

    /// The title of an element, if it differs from its text.
    pub(super) fn tooltip(&self, node: usize) -> Option<String> {
        let title = self.document.attribute(node, "title")?;
        let adds_text = !title.is_empty() && simplify(title) != simplify(&self.inner_text(node));
        adds_text.then(|| title.to_owned())
    }

    /// The visible text of an element.
    pub(super) fn inner_text(&self, node: usize) -> String {
        let document = self.document;
        if document.drawn(node).is_none() && !document.is_drawn_inside(node) {
            return document.text_content(node);
        }
        let mut all = String::new();
        for inside in document.descendants(node) {
            let Some(drawn) = document.drawn(inside) else {
                continue;
            };
            if document.kind(inside) == Kind::Text {
                let generated = document
                    .parent(inside)
                    .is_some_and(|parent| document.kind(parent) == Kind::Generated);
                if drawn.visible && !generated {
                    all.push_str(drawn.text);
                }
            } else if !is_in_line(drawn.display) {
                all.push('\n');
            }
        }
        all
    }
}

/// Whether an element is replaced content, which is like a letter in its line.
fn is_replaced(tag: &str) -> bool {
    matches!(
        tag,
        "img" | "svg" | "canvas" | "video" | "audio" | "iframe" | "object" | "embed" | "math"
    )
}

const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\n' | '\t' | '\r' | '\u{c}')
}

/// `text` with white space collapsed and trimmed.
pub(super) fn simplify(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
