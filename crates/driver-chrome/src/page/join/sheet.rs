//! One document while it is walked through: its nodes, their words, and what elements hand down to those inside them.

use std::sync::Arc;

use dom::{Handle, Run, ScopeKind};

use super::Frame;
use super::measure::{Measured, Place, measure};
use super::part::Part;
use super::readable;
use crate::page::affine::{Affine, Quad};
use crate::page::raw::{AxNode, Document, Rare, Text};

/// Elements whose words nobody sees on the page, whatever their styles are.
const SILENT: [&str; 9] = [
    "SCRIPT", "STYLE", "TITLE", "NOSCRIPT", "TEMPLATE", "TEXTAREA", "META", "LINK", "HEAD",
];

pub(super) struct Sheet<'a> {
    pub(super) part: &'a Part,
    pub(super) document: &'a Document,
    measured: Measured,
    /// From pixels of the document to device pixels of the page.
    pub(super) to_device: Affine,
    pub(super) seen: bool,
    pub(super) transparent: bool,
    pub(super) texts: Vec<Texts>,
    pub(super) down: Vec<Down>,
}

/// The words written directly in one element.
#[derive(Clone, Default)]
pub(super) struct Texts {
    /// All of them.
    pub(super) all: String,
    /// Those that can be seen, piece by piece.
    pub(super) runs: Vec<Run>,
    /// Whether some of them cannot.
    pub(super) unseen: bool,
    /// How many elements have been met directly inside it, and directly in its shadow tree.
    elements: u32,
    shadow_elements: u32,
    /// The words of the chosen options of a select.
    pub(super) chosen: String,
}

impl Texts {
    /// The runs, where they say more than all the words do.
    pub(super) fn told_runs(&mut self, visible: bool) -> Option<Box<[Run]>> {
        let mixed = self.elements + self.shadow_elements > 0;
        let written = !self.all.is_empty();
        let needed = written && (mixed || self.unseen || (!visible && !self.runs.is_empty()));
        needed.then(|| std::mem::take(&mut self.runs).into())
    }
}

/// What an element hands down.
#[derive(Clone, Copy, Default)]
pub(super) struct Down {
    pub(super) disabled: bool,
    pub(super) inert: bool,
    pub(super) edited: bool,
    /// Whether the accessibility tree may leave out what is inside it.
    pub(super) unheard: bool,
}

/// The width and height of the viewport of a document, in its pixels.
pub(super) fn viewport_size(document: &Document) -> (f64, f64) {
    let [_, _, width, height] = document.layout.bounds.first().copied().unwrap_or_default();
    (width, height)
}

/// How many pixels the documents of a process count for each CSS pixel.
pub(super) fn layout_scale(part: &Part) -> f64 {
    let root = part.snapshot.documents.first();
    let width = root.map_or(0.0, |root| viewport_size(root).0);
    part.view.layout_scale(width)
}

fn place(rare: &Rare, node: usize) -> Option<usize> {
    let node = i32::try_from(node).ok()?;
    rare.index.binary_search(&node).ok()
}

/// Whether a node has a property that few have.
pub(super) fn has(rare: &Rare, node: usize) -> bool {
    place(rare, node).is_some()
}

/// The value of a property that few nodes have.
pub(super) fn get(rare: &Rare, node: usize) -> Option<i32> {
    rare.value.get(place(rare, node)?).copied()
}

impl<'a> Sheet<'a> {
    pub(super) fn new(part: &'a Part, document: &'a Document, frame: &Frame) -> Self {
        let scale = layout_scale(part);
        let scroll = (-document.scroll_offset_x, -document.scroll_offset_y);
        let count = document.nodes.node_type.len();
        let mut sheet = Self {
            part,
            document,
            measured: Measured::default(),
            to_device: Affine::scaled(1.0 / scale, scroll).then(&frame.own),
            seen: frame.seen,
            transparent: frame.transparent,
            texts: vec![Texts::default(); count],
            down: vec![Down::default(); count],
        };
        let rtl = sheet.is_rtl();
        sheet.measured = measure(&part.snapshot, document, scale, rtl);
        sheet.read_texts();
        sheet
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

    /// Whether the node is an element, not one of those that only styles make.
    pub(super) fn is_element(&self, node: usize) -> bool {
        self.document.nodes.node_type.get(node) == Some(&1)
            && !self.text(self.name(node)).starts_with("::")
    }

    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        usize::try_from(*self.document.nodes.parent_index.get(node)?).ok()
    }

    pub(super) fn handle(&self, node: usize) -> Handle {
        let number = self.document.nodes.backend_node_id.get(node);
        Handle {
            session: self.part.session,
            node: number.copied().unwrap_or_default(),
        }
    }

    pub(super) fn place(&self, node: usize) -> Option<&Place> {
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

    /// The place of the document that a frame element shows.
    pub(super) fn content_document(&self, node: usize) -> Option<i32> {
        get(&self.document.nodes.content_document_index, node)
    }

    /// Where a frame element shows its document.
    pub(super) fn quad(&self, node: usize) -> Option<&Quad> {
        self.part.frames.get(&self.handle(node).node)
    }

    pub(super) fn accessible(&self, node: usize) -> Option<&'a AxNode> {
        self.part.accessible.get(&self.handle(node).node)
    }

    /// Whether the accessibility tree of this document is there.
    pub(super) fn is_heard(&self) -> bool {
        self.accessible(0).is_some()
    }

    /// The kind of the shadow tree at whose root `node` lies when `parent` hosts one.
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

    /// Gathers the words of every element.
    fn read_texts(&mut self) {
        for node in 0..self.document.nodes.node_type.len() {
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
            }
        }
        self.read_options();
    }

    fn read_text(&mut self, node: usize, parent: usize, in_shadow: bool) {
        if !self.is_element(parent) || SILENT.contains(&self.text(self.name(parent))) {
            return;
        }
        let words = self.measured.words.get(node).and_then(Option::as_ref);
        let value = self.document.nodes.node_value.get(node);
        let raw = match words {
            Some(words) => &*words.text,
            None => value.map_or("", |value| self.text(*value)),
        };
        let text = readable(raw);
        let shown = words.filter(|words| words.visible && self.seen && !self.transparent);
        let run = match (text.is_empty(), words.is_some(), shown) {
            // A line that ends between two words parts them.
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

    /// Gives each select the words of its chosen options.
    fn read_options(&mut self) {
        for option in &self.document.nodes.option_selected.index {
            let Ok(option) = usize::try_from(*option) else {
                continue;
            };
            let label = self
                .attribute(option, "label")
                .filter(|label| !label.is_empty());
            let own = self.texts.get(option).map(|texts| texts.all.clone());
            let words = label.map(readable).or(own).unwrap_or_default();
            let select = std::iter::successors(self.parent(option), |above| self.parent(*above))
                .find(|above| self.text(self.name(*above)) == "SELECT");
            if let Some(texts) = select.and_then(|select| self.texts.get_mut(select)) {
                if !texts.chosen.is_empty() {
                    texts.chosen.push_str(", ");
                }
                texts.chosen.push_str(&words);
            }
        }
    }
}
