//! One document during the walk: its nodes, their texts, and inherited flags.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use dom::accessible::Accessible;
use dom::{ElementSpec, Facts, Handle, Run, ScopeKind};

use super::Frame;
use super::captured_page::{LightChild, ProcessCapture};
use super::measure::{Measurements, Placement, measure};
use super::{collapse_whitespace, facts, generated};
use crate::page::affine::{Affine, Quad};
use crate::page::raw::{Document, RareData, Text};

/// Elements whose text is never visible on the page.
const UNSEEN_TAGS: [&str; 9] = [
    "SCRIPT", "STYLE", "TITLE", "NOSCRIPT", "TEMPLATE", "TEXTAREA", "META", "LINK", "HEAD",
];

pub(super) struct DocumentWalk<'a> {
    pub(super) part: &'a ProcessCapture,
    pub(super) document: &'a Document,
    pub(super) measured: Measurements,
    /// The nodes in document order, each with its parent. A snapshot has slotted nodes inside their slots.
    pub(super) order: Vec<WalkNode<'a>>,
    parents: Vec<Option<usize>>,
    /// Maps pixels of the document to device pixels of the page.
    pub(super) to_device: Affine,
    pub(super) seen: bool,
    pub(super) transparent: bool,
    pub(super) texts: Vec<ElementTexts>,
    pub(super) inherited: Vec<InheritedFlags>,
    /// The accessibility data of each node.
    pub(super) accessibility: Vec<Option<Accessible>>,
}

/// A node of the walk.
#[derive(Clone, Copy)]
pub(super) enum WalkNode<'a> {
    /// A node of the snapshot.
    Node(usize),
    /// An unslotted child of the host at this index.
    Unslotted(usize, &'a LightChild),
}

/// The own text of an element.
#[derive(Clone, Default)]
pub(super) struct ElementTexts {
    /// The whole text.
    pub(super) all: String,
    /// The visible pieces.
    pub(super) runs: Vec<Run>,
    /// Whether a part is invisible.
    pub(super) unseen: bool,
    /// Whether a style adds a part that is not in the document.
    generated: bool,
    /// The text that a style shows in an empty editor.
    pub(super) placeholder: Option<Arc<str>>,
    /// The texts that styles add to it and its descendants, and that are not visible.
    pub(super) unseen_additions: Vec<Arc<str>>,
    /// The number of child elements so far, and of those in its shadow tree.
    elements: u32,
    shadow_elements: u32,
    /// The text of the selected options of a select.
    pub(super) chosen: String,
}

impl ElementTexts {
    /// The runs, if they differ from the whole text.
    pub(super) fn take_runs(&mut self, visible: bool) -> Option<Box<[Run]>> {
        let mixed = self.elements + self.shadow_elements > 0;
        // Spaces around a single piece matter only in a line with others.
        let padded = self
            .runs
            .iter()
            .any(|run| run.text.starts_with(' ') || run.text.ends_with(' '));
        let says = !self.runs.is_empty() && (mixed || padded || self.generated || !visible);
        let hides = !self.all.is_empty() && (self.unseen || (mixed && self.runs.is_empty()));
        (says || hides).then(|| std::mem::take(&mut self.runs).into())
    }
}

/// Flags that an element passes to its descendants.
#[derive(Clone, Copy, Default)]
pub(super) struct InheritedFlags {
    pub(super) disabled: bool,
    pub(super) inert: bool,
    pub(super) edited: bool,
}

/// The width and height of the viewport of a document, in its pixels.
pub(super) fn viewport_size(document: &Document) -> (f64, f64) {
    let [_, _, width, height] = document.layout.bounds.first().copied().unwrap_or_default();
    (width, height)
}

/// The number of document pixels per CSS pixel in a process.
pub(super) fn layout_scale(part: &ProcessCapture) -> f64 {
    let root = part.snapshot.documents.first();
    let width = root.map_or(0.0, |root| viewport_size(root).0);
    part.view.layout_scale(width)
}

fn has_words(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphanumeric()).count() > 1
}

fn place(rare: &RareData, node: usize) -> Option<usize> {
    let node = i32::try_from(node).ok()?;
    rare.index.binary_search(&node).ok()
}

/// Whether a node has a rare property.
pub(super) fn has(rare: &RareData, node: usize) -> bool {
    place(rare, node).is_some()
}

/// The value of a rare property.
pub(super) fn get(rare: &RareData, node: usize) -> Option<i32> {
    rare.value.get(place(rare, node)?).copied()
}

/// An unslotted element, which has no box; its content is left out.
pub(super) fn unslotted(session: u32, child: &LightChild) -> ElementSpec {
    let (tag, attributes) = match &child.element {
        Some((tag, attributes)) => (tag.as_str(), attributes.as_slice()),
        None => ("", &[][..]),
    };
    let pairs = attributes.chunks_exact(2).filter_map(|pair| match pair {
        [key, value] => Some((key.as_str().into(), value.as_str().into())),
        _ => None,
    });
    ElementSpec {
        tag: tag.into(),
        attributes: pairs.collect(),
        facts: Facts::IGNORED,
        handle: Handle {
            session,
            node: child.node,
        },
        ..ElementSpec::default()
    }
}

impl<'a> DocumentWalk<'a> {
    pub(super) fn new(part: &'a ProcessCapture, document: &'a Document, frame: &Frame) -> Self {
        let scale = layout_scale(part);
        let scroll = (-document.scroll_offset_x, -document.scroll_offset_y);
        let count = document.nodes.node_type.len();
        let mut walk = Self {
            part,
            document,
            measured: Measurements::default(),
            order: Vec::with_capacity(count),
            parents: Vec::with_capacity(count),
            to_device: Affine::scaled(1.0 / scale, scroll).then(&frame.own),
            seen: frame.seen,
            transparent: frame.transparent,
            texts: vec![ElementTexts::default(); count],
            inherited: vec![InheritedFlags::default(); count],
            accessibility: Vec::new(),
        };
        let rtl = walk.is_rtl();
        walk.measured = measure(part, document, scale, rtl);
        walk.sort_nodes();
        walk.place_areas(scale);
        walk.read_texts();
        walk
    }

    /// Sorts the nodes in document order: slotted nodes belong to the host, after its shadow tree.
    fn sort_nodes(&mut self) {
        let count = self.document.nodes.node_type.len();
        self.parents = (0..count).map(|node| self.flat_parent(node)).collect();
        let part = self.part;
        let numbers = &self.document.nodes.backend_node_id;
        let is_host = |number: &i64| part.roots.contains_key(number);
        if !numbers.iter().any(is_host) {
            self.order = (0..count).map(WalkNode::Node).collect();
            return;
        }
        let mut light: HashMap<usize, Vec<WalkNode<'a>>> = HashMap::new();
        let places: HashMap<i64, usize> = numbers
            .iter()
            .enumerate()
            .map(|(at, number)| (*number, at))
            .collect();
        for (host, root) in numbers
            .iter()
            .enumerate()
            .filter_map(|(at, number)| Some((at, part.roots.get(number)?)))
        {
            let children = light.entry(host).or_default();
            for child in &root.light {
                match places.get(&child.node) {
                    Some(place) => {
                        if let Some(slot) = self.parents.get_mut(*place) {
                            *slot = Some(host);
                        }
                        children.push(WalkNode::Node(*place));
                    }
                    None if child.element.is_some() => {
                        children.push(WalkNode::Unslotted(host, child))
                    }
                    None => {}
                }
            }
        }
        let moved: HashSet<usize> = light
            .values()
            .flatten()
            .filter_map(|item| match item {
                WalkNode::Node(node) => Some(*node),
                WalkNode::Unslotted(..) => None,
            })
            .collect();
        let mut children: Vec<Vec<WalkNode<'a>>> = vec![Vec::new(); count];
        let mut roots = Vec::new();
        for node in (0..count).filter(|node| !moved.contains(node)) {
            match self
                .parents
                .get(node)
                .copied()
                .flatten()
                .and_then(|parent| children.get_mut(parent))
            {
                Some(siblings) => siblings.push(WalkNode::Node(node)),
                None => roots.push(WalkNode::Node(node)),
            }
        }
        for (host, own) in light {
            if let Some(siblings) = children.get_mut(host) {
                siblings.extend(own);
            }
        }
        roots.reverse();
        while let Some(item) = roots.pop() {
            self.order.push(item);
            if let WalkNode::Node(node) = item
                && let Some(inside) = children.get_mut(node)
            {
                roots.extend(std::mem::take(inside).into_iter().rev());
            }
        }
    }

    pub(super) fn text(&self, at: Text) -> &'a str {
        self.part.snapshot.text(at)
    }

    pub(super) fn shared(&self, at: Text) -> Arc<str> {
        self.part.snapshot.shared(at)
    }

    pub(super) fn name(&self, node: usize) -> Text {
        let name = self.document.nodes.node_name.get(node);
        name.copied().unwrap_or(-1)
    }

    /// Whether the node is an element and not generated content.
    pub(super) fn is_element(&self, node: usize) -> bool {
        self.document.nodes.node_type.get(node) == Some(&1)
            && !self.text(self.name(node)).starts_with("::")
    }

    /// The parent of a node in layout order.
    pub(super) fn flat_parent(&self, node: usize) -> Option<usize> {
        usize::try_from(*self.document.nodes.parent_index.get(node)?).ok()
    }

    /// The parent of a node in the document; for the root of a shadow tree the host.
    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.parents.get(node).copied().flatten()
    }

    pub(super) fn handle(&self, node: usize) -> Handle {
        let number = self.document.nodes.backend_node_id.get(node);
        Handle {
            session: self.part.session,
            node: number.copied().unwrap_or_default(),
        }
    }

    pub(super) fn place(&self, node: usize) -> Option<&Placement> {
        self.measured.places.get(node)?.as_ref()
    }

    /// The value of an attribute.
    pub(super) fn attribute(&self, node: usize, name: &str) -> Option<&'a str> {
        let attributes = self.document.nodes.attributes.get(node)?;
        attributes.chunks_exact(2).find_map(|pair| match pair {
            [key, value] if self.text(*key) == name => Some(self.text(*value)),
            _ => None,
        })
    }

    /// The index of the document of a frame element.
    pub(super) fn content_document(&self, node: usize) -> Option<i32> {
        get(&self.document.nodes.content_document_index, node)
    }

    /// The position of the document of a frame element.
    pub(super) fn quad(&self, node: usize) -> Option<&Quad> {
        self.part.frames.get(&self.handle(node).node)
    }

    pub(super) fn accessible(&self, node: usize) -> Option<&Accessible> {
        self.accessibility.get(node)?.as_ref()
    }

    /// The kind of the shadow tree with `node` at its root if `parent` hosts one.
    pub(super) fn root_of(&self, node: usize, parent: usize) -> Option<ScopeKind> {
        let shadow = &self.document.nodes.shadow_root_type;
        let own = self.text(get(shadow, node)?);
        if let Some(root) = self.part.roots.get(&self.handle(parent).node) {
            return root
                .children
                .contains(&self.handle(node).node)
                .then_some(root.kind);
        }
        let around = get(shadow, parent).map(|kind| self.text(kind));
        (around != Some(own)).then_some(match own {
            "closed" => ScopeKind::ClosedShadow,
            _ => ScopeKind::OpenShadow,
        })
    }

    fn is_rtl(&self) -> bool {
        let nodes = &self.document.nodes;
        (0..nodes.node_name.len())
            .filter(|node| matches!(self.text(self.name(*node)), "HTML" | "BODY"))
            .take(2)
            .any(|node| {
                self.attribute(node, "dir")
                    .is_some_and(|dir| dir.eq_ignore_ascii_case("rtl"))
            })
    }

    /// Collects the text of every element.
    fn read_texts(&mut self) {
        let mut generated = Vec::new();
        let order = std::mem::take(&mut self.order);
        for (place, item) in order.iter().enumerate() {
            let node = match *item {
                WalkNode::Node(node) => node,
                WalkNode::Unslotted(host, _) => {
                    if let Some(texts) = self.texts.get_mut(host) {
                        texts.elements += 1;
                    }
                    continue;
                }
            };
            let Some(parent) = self.parent(node) else {
                continue;
            };
            let in_shadow = self.root_of(node, parent).is_some();
            if self.is_element(node) {
                if let Some(texts) = self.texts.get_mut(parent) {
                    let count = if in_shadow {
                        &mut texts.shadow_elements
                    } else {
                        &mut texts.elements
                    };
                    *count += 1;
                }
            } else if self.document.nodes.node_type.get(node) == Some(&3) {
                self.read_text(node, parent, in_shadow);
            } else if matches!(self.text(self.name(node)), "::before" | "::after") {
                generated.push(place);
            }
        }
        self.order = order;
        for place in generated {
            self.read_generated(place);
        }
        self.read_options();
    }

    fn read_text(&mut self, node: usize, parent: usize, in_shadow: bool) {
        if !self.is_element(parent) || UNSEEN_TAGS.contains(&self.text(self.name(parent))) {
            return;
        }
        let words = self.measured.words.get(node).and_then(Option::as_ref);
        let value = self.document.nodes.node_value.get(node);
        let raw = match words {
            Some(words) => &*words.text,
            None => value.map_or("", |value| self.text(*value)),
        };
        let text = collapse_whitespace(raw);
        let shown = words.filter(|words| words.visible && self.seen && !self.transparent);
        let run = match (text.is_empty(), words.is_some(), shown) {
            // A line break between two words separates them.
            (true, true, _) => Some((" ".into(), None)),
            (true, false, _) => None,
            (false, _, Some(words)) => {
                let begins = raw.starts_with(char::is_whitespace);
                let ends = raw.ends_with(char::is_whitespace);
                let padded = format!(
                    "{}{text}{}",
                    if begins { " " } else { "" },
                    if ends { " " } else { "" }
                );
                let area = self.to_device.area(&words.area).to_rect();
                Some((padded.into(), Some(area)))
            }
            (false, _, None) => None,
        };
        let Some(texts) = self.texts.get_mut(parent) else {
            return;
        };
        if !text.is_empty() {
            if !texts.all.is_empty() {
                texts.all.push(' ');
            }
            texts.all.push_str(&text);
            texts.unseen |= run.is_none();
        }
        if let Some((text, bounds)) = run {
            texts.runs.push(Run {
                after: if in_shadow {
                    texts.shadow_elements
                } else {
                    texts.elements
                },
                in_shadow,
                text,
                bounds,
            });
        }
    }

    /// The element with `contenteditable` that a node is or is in.
    fn editing_host(&self, node: usize) -> Option<usize> {
        let editable = |node: &usize| {
            let value = self.attribute(*node, "contenteditable");
            value.is_some_and(facts::makes_editable)
        };
        std::iter::successors(Some(node), |node| self.parent(*node)).find(editable)
    }

    /// Adds the text that a style generates before or after the content of an element, if people read it.
    fn read_generated(&mut self, place: usize) {
        let Some(WalkNode::Node(node)) = self.order.get(place).copied() else {
            return;
        };
        let Some(parent) = self.parent(node) else {
            return;
        };
        let words = self.measured.words.get(node).and_then(Option::as_ref);
        let Some(words) = words else {
            return;
        };
        if words.is_icon || !words.visible {
            // Computed names have it, unless it is hidden by its visibility.
            let is_named = self.place(node).is_some_and(|place| place.shown);
            let text: Arc<str> = collapse_whitespace(&words.text).into();
            let mut around = Some(parent).filter(|_| is_named && has_words(&text));
            while let Some(node) = around {
                if let Some(texts) = self.texts.get_mut(node) {
                    texts.unseen_additions.push(Arc::clone(&text));
                }
                around = self.parent(node);
            }
            return;
        }
        if !self.seen || self.transparent {
            return;
        }
        let text = collapse_whitespace(&words.text);
        if let Some(editor) = self.editing_host(parent) {
            if let Some(texts) = self.texts.get_mut(editor).filter(|_| has_words(&text)) {
                texts.placeholder.get_or_insert(text.into());
            }
            return;
        }
        let is_before = self.text(self.name(node)) == "::before";
        let next = is_before
            .then(|| self.first_letter(place, parent))
            .flatten();
        let own = self.texts.get(parent).map_or("", |texts| &texts.all);
        // Effects of drawing repeat a text over itself.
        if own == text || !generated::is_read(&words.text, next) {
            return;
        }
        let is_apart = self.place(node).is_some_and(|place| !place.inline);
        let space = |is_space: bool| if is_space || is_apart { " " } else { "" };
        let begin = space(words.text.starts_with(char::is_whitespace));
        let end = space(words.text.ends_with(char::is_whitespace));
        let in_shadow = self.part.roots.contains_key(&self.handle(parent).node);
        let bounds = Some(self.to_device.area(&words.area).to_rect());
        let Some(texts) = self.texts.get_mut(parent) else {
            return;
        };
        texts.generated = true;
        let run = Run {
            after: match (is_before, in_shadow) {
                (true, _) => 0,
                (false, true) => texts.shadow_elements,
                (false, false) => texts.elements,
            },
            in_shadow,
            text: format!("{begin}{text}{end}").into(),
            bounds,
        };
        match is_before {
            true => texts.runs.insert(0, run),
            false => texts.runs.push(run),
        }
    }

    /// The first letter of the text of `parent` that follows a place of the order.
    fn first_letter(&self, place: usize, parent: usize) -> Option<char> {
        let mut texts = self
            .order
            .iter()
            .skip(place + 1)
            .filter_map(|item| match *item {
                WalkNode::Node(node) => {
                    let words = self.measured.words.get(node)?.as_ref()?;
                    Some((node, words.text.chars().next()?))
                }
                WalkNode::Unslotted(..) => None,
            });
        let (node, letter) = texts.next()?;
        let mut around = std::iter::successors(self.parent(node), |above| self.parent(*above));
        around.any(|above| above == parent).then_some(letter)
    }

    /// The label of the group of an option.
    fn group_of(&self, option: usize) -> Option<String> {
        let group = self.parent(option)?;
        let label = self
            .attribute(group, "label")
            .filter(|_| self.text(self.name(group)) == "OPTGROUP")?;
        Some(collapse_whitespace(label)).filter(|label| !label.is_empty())
    }

    /// The text that a list shows for an option.
    fn option_text(&self, option: usize) -> String {
        let label = self
            .attribute(option, "label")
            .filter(|label| !label.is_empty());
        let own = || {
            self.texts
                .get(option)
                .map_or_else(String::new, |texts| texts.all.clone())
        };
        label.map_or_else(own, collapse_whitespace)
    }

    /// Whether the list `select` has several options with the text of `option`.
    fn is_ambiguous(&self, select: usize, option: usize) -> bool {
        let is_inside = |node: &usize| {
            let mut around = std::iter::successors(self.parent(*node), |above| self.parent(*above));
            around.any(|above| above == select)
        };
        let text = self.option_text(option);
        let inside = (select + 1..self.texts.len()).take_while(is_inside);
        let mut options = inside.filter(|node| self.text(self.name(*node)) == "OPTION");
        options.any(|other| other != option && self.option_text(other) == text)
    }

    /// Collects the text of the selected options of every select.
    fn read_options(&mut self) {
        for option in &self.document.nodes.option_selected.index {
            let Ok(option) = usize::try_from(*option) else {
                continue;
            };
            let mut words = self.option_text(option);
            let select = std::iter::successors(self.parent(option), |above| self.parent(*above))
                .find(|above| self.text(self.name(*above)) == "SELECT");
            if let (Some(select), Some(group)) = (select, self.group_of(option))
                && self.is_ambiguous(select, option)
            {
                words.push_str(&format!(" ({group})"));
            }
            if let Some(texts) = select.and_then(|select| self.texts.get_mut(select)) {
                if !texts.chosen.is_empty() {
                    texts.chosen.push_str(", ");
                }
                texts.chosen.push_str(&words);
            }
        }
    }
}
