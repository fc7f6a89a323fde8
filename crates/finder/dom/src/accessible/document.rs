//! A document as a browser writes and lays it out, node by node: what roles and names are computed from.

use std::collections::HashMap;
use std::ops::Range;

use bitflags::bitflags;

/// What a node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// The document itself.
    Document,
    /// An element.
    Element,
    /// Text.
    Text,
    /// What a style puts before, after or beside the content of an element.
    Generated,
    /// A comment, or anything else that says nothing.
    #[default]
    Other,
}

bitflags! {
    /// The yes-or-no properties of a node.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Marks: u16 {
        /// It is a box that is checked.
        const CHECKED = 1 << 1;
        /// It is an option that is chosen.
        const CHOSEN = 1 << 2;
        /// It has the input focus.
        const FOCUSED = 1 << 3;
        /// The browser's own validation finds it wrong.
        const INVALID = 1 << 4;
        /// Everything outside it is inert: a modal dialog.
        const MODAL = 1 << 5;
        /// A table that only puts things in their places.
        const LAYOUT_TABLE = 1 << 6;
        /// It hosts a shadow tree.
        const HOST = 1 << 7;
        /// Its box is half checked.
        const MIXED = 1 << 8;
        /// It is a list that shows its options on request, and does.
        const OPEN = 1 << 9;
        /// A script listens for clicks on it.
        const LISTENS = 1 << 10;
    }
}

/// How a node is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'a> {
    /// Its computed `display`; of text that of the element around it.
    pub display: &'a str,
    /// Its computed `position`.
    pub position: &'a str,
    /// Whether its computed `visibility` lets it be seen.
    pub visible: bool,
    /// Whether it can be scrolled, by a user or by scripts.
    pub scrolls: bool,
    /// Whether it floats beside the lines of what holds it.
    pub floats: bool,
    /// Its rendered text.
    pub text: &'a str,
    /// The width and height of its box.
    pub size: (f64, f64),
}

/// One node.
#[derive(Clone, Debug, Default)]
pub struct Node<'a> {
    /// What it is.
    pub kind: Kind,
    /// The node that holds it where it is laid out: what is slotted is held by its slot.
    pub parent: Option<usize>,
    /// Within which document or shadow tree its identifiers count; the place of the document, or of the host.
    pub scope: usize,
    /// The tag of an element in lower case; `::before` and the like for what styles generate.
    pub tag: &'a str,
    /// What a text node says.
    pub text: &'a str,
    /// What a control holds.
    pub value: &'a str,
    /// How it is laid out; `None` when it is not.
    pub drawn: Option<Drawn<'a>>,
    /// Its yes-or-no properties.
    pub marks: Marks,
}

/// A document, node by node: whatever holds a node comes before it.
#[derive(Debug, Default)]
pub struct Document<'a> {
    /// Whether nobody can use it: it is shown in something inert.
    pub(super) inert: bool,
    nodes: Vec<Node<'a>>,
    attributes: Vec<(&'a str, &'a str)>,
    /// Where the attributes of each node are.
    written: Vec<Range<usize>>,
    /// The nodes directly inside each node, in their order.
    children: Vec<usize>,
    inside: Vec<Range<usize>>,
    /// The first element of each identifier, by scope.
    identifiers: HashMap<(usize, &'a str), usize>,
    /// The labels of controls.
    labels: HashMap<usize, Vec<usize>>,
    /// The elements that claim others as their own.
    owners: Vec<usize>,
    svg: Vec<bool>,
    /// Whether each node, or anything inside it, has a box.
    drawn_inside: Vec<bool>,
}

impl<'a> Document<'a> {
    /// A document with nothing in it yet. `inert` when it is shown where nobody can use it.
    pub fn shown(inert: bool) -> Self {
        Self {
            inert,
            ..Self::default()
        }
    }

    /// Adds a node with its attributes.
    pub fn push(
        &mut self,
        node: Node<'a>,
        attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) {
        let begin = self.attributes.len();
        self.attributes.extend(attributes);
        self.written.push(begin..self.attributes.len());
        self.nodes.push(node);
    }

    /// Works out what is asked for again and again. To be called when every node is there.
    pub fn settle(&mut self) {
        let count = self.nodes.len();
        self.index_children();
        for node in 0..count {
            if self.is_element(node)
                && let Some(id) = self.attribute(node, "id").filter(|id| !id.is_empty())
            {
                let scope = self.nodes.get(node).map_or(0, |node| node.scope);
                self.identifiers.entry((scope, id)).or_insert(node);
            }
        }
        self.owners = (0..count)
            .filter(|node| self.has(*node, "aria-owns"))
            .collect();
        self.svg = vec![false; count];
        for node in 0..count {
            let around = self.parent(node).is_some_and(|parent| {
                self.svg.get(parent) == Some(&true) && self.tag(parent) != "foreignobject"
            });
            if let Some(slot) = self.svg.get_mut(node) {
                *slot = around;
            }
            let svg = around || self.tag(node) == "svg";
            if let Some(slot) = self.svg.get_mut(node) {
                *slot = svg;
            }
        }
        self.drawn_inside = vec![false; count];
        for node in (0..count).rev() {
            let drawn = self.drawn(node).is_some();
            if let Some(slot) = self.drawn_inside.get_mut(node) {
                *slot |= drawn;
            }
            if self.drawn_inside.get(node) == Some(&true)
                && let Some(slot) = self
                    .parent(node)
                    .and_then(|parent| self.drawn_inside.get_mut(parent))
            {
                *slot = true;
            }
        }
        for node in 0..count {
            if self.tag(node) == "label"
                && let Some(control) = self.control_of(node)
            {
                self.labels.entry(control).or_default().push(node);
            }
        }
    }

    fn index_children(&mut self) {
        let count = self.nodes.len();
        let mut sizes = vec![0_usize; count];
        for node in 0..count {
            if let Some(size) = self.parent(node).and_then(|parent| sizes.get_mut(parent)) {
                *size += 1;
            }
        }
        let mut begin = 0;
        self.inside = sizes
            .iter()
            .map(|size| {
                let range = begin..begin;
                begin += size;
                range
            })
            .collect();
        self.children = vec![0; begin];
        for node in 0..count {
            if let Some(range) = self
                .parent(node)
                .and_then(|parent| self.inside.get_mut(parent))
                && let Some(slot) = self.children.get_mut(range.end)
            {
                *slot = node;
                range.end += 1;
            }
        }
        // Browsers list what styles generate first; what they put after the content of an element stands there.
        for range in &self.inside {
            if let Some(inside) = self.children.get_mut(range.clone()) {
                let nodes = &self.nodes;
                inside
                    .sort_by_key(|node| nodes.get(*node).is_some_and(|node| node.tag == "::after"));
            }
        }
    }

    /// The control that a label labels: the one that it names, or the first one inside it.
    pub(super) fn control_of(&self, label: usize) -> Option<usize> {
        if let Some(wanted) = self.attribute(label, "for") {
            let control = self.by_id(label, wanted)?;
            return self.is_labelable(control).then_some(control);
        }
        self.descendants(label)
            .find(|inside| self.is_labelable(*inside))
    }

    /// Whether a label can stand for the element.
    pub(super) fn is_labelable(&self, node: usize) -> bool {
        match self.tag(node) {
            "input" => self.input_type(node) != "hidden",
            "button" | "meter" | "output" | "progress" | "select" | "textarea" => true,
            _ => false,
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(super) fn kind(&self, node: usize) -> Kind {
        self.nodes.get(node).map_or(Kind::Other, |node| node.kind)
    }

    pub(super) fn is_element(&self, node: usize) -> bool {
        self.kind(node) == Kind::Element
    }

    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.nodes.get(node)?.parent
    }

    pub(super) fn scope(&self, node: usize) -> usize {
        self.nodes.get(node).map_or(0, |node| node.scope)
    }

    pub(super) fn tag(&self, node: usize) -> &'a str {
        self.nodes.get(node).map_or("", |node| node.tag)
    }

    pub(super) fn text(&self, node: usize) -> &'a str {
        self.nodes.get(node).map_or("", |node| node.text)
    }

    pub(super) fn value(&self, node: usize) -> &'a str {
        self.nodes.get(node).map_or("", |node| node.value)
    }

    pub(super) fn drawn(&self, node: usize) -> Option<&Drawn<'a>> {
        self.nodes.get(node)?.drawn.as_ref()
    }

    /// Whether anything of the node, or inside it, has a box.
    pub(super) fn is_drawn_inside(&self, node: usize) -> bool {
        self.drawn_inside.get(node) == Some(&true)
    }

    pub(super) fn is(&self, node: usize, marks: Marks) -> bool {
        self.nodes
            .get(node)
            .is_some_and(|node| node.marks.contains(marks))
    }

    /// Whether an element is one of a drawing.
    pub(super) fn is_svg(&self, node: usize) -> bool {
        self.svg.get(node) == Some(&true)
    }

    pub(super) fn attributes(&self, node: usize) -> &[(&'a str, &'a str)] {
        self.written
            .get(node)
            .and_then(|range| self.attributes.get(range.clone()))
            .unwrap_or_default()
    }

    pub(super) fn attribute(&self, node: usize, name: &str) -> Option<&'a str> {
        let mut attributes = self.attributes(node).iter();
        attributes.find_map(|(key, value)| (*key == name).then_some(*value))
    }

    pub(super) fn has(&self, node: usize, name: &str) -> bool {
        self.attribute(node, name).is_some()
    }

    /// The type of an input in lower case; `text` for one that has none, or one that nobody knows.
    pub(super) fn input_type(&self, node: usize) -> &'static str {
        const TYPES: [&str; 22] = [
            "button",
            "checkbox",
            "color",
            "date",
            "datetime-local",
            "email",
            "file",
            "hidden",
            "image",
            "month",
            "number",
            "password",
            "radio",
            "range",
            "reset",
            "search",
            "submit",
            "tel",
            "text",
            "time",
            "url",
            "week",
        ];
        let written = self.attribute(node, "type").unwrap_or("text");
        let known = TYPES
            .iter()
            .find(|known| known.eq_ignore_ascii_case(written));
        known.copied().unwrap_or("text")
    }

    /// The nodes directly inside a node.
    pub(super) fn children(&self, node: usize) -> &[usize] {
        self.inside
            .get(node)
            .and_then(|range| self.children.get(range.clone()))
            .unwrap_or_default()
    }

    /// The elements directly inside a node.
    pub(super) fn elements(&self, node: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let children = self.children(node).iter().copied();
        children.filter(|child| self.is_element(*child))
    }

    /// Everything inside a node, in the order of layout.
    pub(super) fn descendants(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let mut next: Vec<usize> = self.children(node).iter().rev().copied().collect();
        std::iter::from_fn(move || {
            let node = next.pop()?;
            next.extend(self.children(node).iter().rev());
            Some(node)
        })
    }

    /// What holds a node, the nearest first.
    pub(super) fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parent(node), |at| self.parent(*at))
    }

    /// The element of an identifier, in the scope of `node`.
    pub(super) fn by_id(&self, node: usize, id: &str) -> Option<usize> {
        self.identifiers.get(&(self.scope(node), id)).copied()
    }

    /// The elements that an attribute of identifiers names.
    pub(super) fn named(&self, node: usize, attribute: &str) -> Vec<usize> {
        let ids = self.attribute(node, attribute).unwrap_or_default();
        ids.split_ascii_whitespace()
            .filter_map(|id| self.by_id(node, id))
            .collect()
    }

    /// The elements that claim others as their own, in the order of the document.
    pub(super) fn owners(&self) -> &[usize] {
        &self.owners
    }

    /// The labels of a control, in the order of the document.
    pub(super) fn labels(&self, node: usize) -> &[usize] {
        self.labels.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The nearest element of a tag around a node.
    pub(super) fn around(&self, node: usize, tag: &str) -> Option<usize> {
        self.ancestors(node).find(|at| self.tag(*at) == tag)
    }

    /// What is written in a node, whether it is laid out or not.
    pub(super) fn text_content(&self, node: usize) -> String {
        let texts = self
            .descendants(node)
            .filter(|inside| self.kind(*inside) == Kind::Text);
        texts.map(|text| self.text(text)).collect()
    }
}
