//! Accessibility data of a document: computed from its snapshot, or requested from the browser.

use std::collections::HashMap;

use dom::accessible::{Accessible, Document, Kind, Marks, Node, NodeLayout, compute};

use super::ax_from_browser::from_browser;
use super::captured_page::{INTO_FRAME, INTO_SHADOW, Note};
use super::document::{DocumentWalk, WalkNode, get, has};
use super::measure::Placement;
use crate::page::raw::{Style, Text};

/// The result of resolving the notes on a document.
#[derive(Default)]
pub(super) struct ResolvedNotes {
    /// The notes on the documents in its frames, by frame element, with the remaining paths.
    pub(super) inside: HashMap<usize, Vec<Note>>,
    /// Whether a path leads nowhere.
    pub(super) mismatch: bool,
    marks: HashMap<usize, Marks>,
    /// The number of selected files, in fields that show only that.
    files: HashMap<usize, String>,
}

impl DocumentWalk<'_> {
    /// Computes the accessibility data of each element, with the notes on some of them.
    pub(super) fn compute_accessibility(&mut self, notes: &[Note], inert: bool) -> ResolvedNotes {
        let found = self.resolve_notes(notes);
        self.accessibility = match &self.part.accessible {
            Some(tree) => {
                let numbers = self.document.nodes.backend_node_id.iter();
                numbers
                    .map(|number| tree.get(number).map(from_browser))
                    .collect()
            }
            None => self.compute(&found, inert),
        };
        found
    }

    fn compute(&self, found: &ResolvedNotes, inert: bool) -> Vec<Option<Accessible>> {
        let nodes = &self.document.nodes;
        let count = nodes.node_type.len();
        let mut tags: HashMap<Text, String> = HashMap::new();
        for node in 0..count {
            let name = self.name(node);
            tags.entry(name)
                .or_insert_with(|| self.text(name).to_ascii_lowercase());
        }
        let mut scopes: Vec<usize> = vec![0; count];
        for node in 0..count {
            let scope = match self.parent(node) {
                Some(parent) if self.root_of(node, parent).is_some() => parent,
                Some(parent) => scopes.get(parent).copied().unwrap_or_default(),
                None => 0,
            };
            if let Some(slot) = scopes.get_mut(node) {
                *slot = scope;
            }
        }
        let internals = self.internals_as_attributes();
        let mut document = Document::new(inert);
        for node in 0..count {
            let name = self.name(node);
            let kind = match nodes.node_type.get(node) {
                Some(9) => Kind::Document,
                Some(1) if self.text(name).starts_with("::") => Kind::Generated,
                Some(1) => Kind::Element,
                Some(3) => Kind::Text,
                _ => Kind::Other,
            };
            let text = nodes
                .node_value
                .get(node)
                .map_or("", |text| self.text(*text));
            let value = get(&nodes.input_value, node)
                .or_else(|| get(&nodes.text_value, node))
                .map_or("", |value| self.text(value));
            let markup = nodes.attributes.get(node).map_or(&[][..], Vec::as_slice);
            document.push(
                Node {
                    kind,
                    parent: self.flat_parent(node),
                    scope: scopes.get(node).copied().unwrap_or_default(),
                    tag: tags.get(&name).map_or("", String::as_str),
                    text: if kind == Kind::Text { text } else { "" },
                    value: found.files.get(&node).map_or(value, String::as_str),
                    layout: self.drawn(node),
                    marks: self.marks(node) | found.marks.get(&node).copied().unwrap_or_default(),
                },
                // A role from a script affects surrounding elements like an attribute.
                internals
                    .get(&node)
                    .map_or(&[][..], Vec::as_slice)
                    .iter()
                    .map(|(key, value)| (*key, value.as_str()))
                    .chain(markup.chunks_exact(2).filter_map(|pair| match pair {
                        [key, value] => Some((self.text(*key), self.text(*value))),
                        _ => None,
                    })),
            );
        }
        document.build_indexes();
        let mut ax = compute(&document);
        for node in internals.keys() {
            let number = nodes.backend_node_id.get(*node);
            let own = number.and_then(|number| self.part.internals.get(number));
            if let (Some(slot), Some(own)) = (ax.get_mut(*node), own) {
                *slot = Some(from_browser(own));
            }
        }
        ax
    }

    /// Roles and states of custom elements as equivalent attributes, by node index.
    fn internals_as_attributes(&self) -> HashMap<usize, Vec<(&'static str, String)>> {
        let internals = &self.part.internals;
        if internals.is_empty() {
            return HashMap::new();
        }
        let numbers = self.document.nodes.backend_node_id.iter().enumerate();
        let internals = numbers.filter_map(|(node, number)| {
            let own = from_browser(internals.get(number)?);
            let mut attributes = vec![("role", own.role.into_owned())];
            if !own.name.is_empty() {
                attributes.push(("aria-label", own.name));
            }
            Some((node, attributes))
        });
        internals.collect()
    }

    fn marks(&self, node: usize) -> Marks {
        let nodes = &self.document.nodes;
        let mut marks = Marks::empty();
        let clickable = has(&nodes.is_clickable, node);
        marks.set(
            Marks::LISTENS,
            clickable && !is_native(self.text(self.name(node))),
        );
        marks.set(Marks::CHECKED, has(&nodes.input_checked, node));
        marks.set(Marks::SELECTED, has(&nodes.option_selected, node));
        let number = self.handle(node).node;
        marks.set(Marks::HOST, self.part.roots.contains_key(&number));
        marks
    }

    fn drawn(&self, node: usize) -> Option<NodeLayout<'_>> {
        let at = self.measured.laid.get(node).copied().flatten()?;
        let layout = &self.document.layout;
        let styles = layout.styles.get(at);
        let style = |style: Style| styles.map_or("", |styles| self.text(styles.get(style)));
        let place: Option<&Placement> = self.place(node);
        let words = self.measured.words.get(node).and_then(Option::as_ref);
        let [_, _, width, height] = layout.bounds.get(at).copied().unwrap_or_default();
        Some(NodeLayout {
            display: style(Style::Display),
            position: style(Style::Position),
            visible: style(Style::Visibility) == "visible",
            scrolls: place.is_some_and(|place| place.scrolls),
            floats: !matches!(style(Style::Float), "" | "none"),
            text: words.map_or("", |words| &words.text),
            size: (width, height),
        })
    }

    /// Resolves the elements of notes.
    fn resolve_notes(&self, notes: &[Note]) -> ResolvedNotes {
        let mut found = ResolvedNotes::default();
        if notes.is_empty() {
            return found;
        }
        let mut inside: HashMap<(usize, bool), Vec<Option<usize>>> = HashMap::new();
        for item in &self.order {
            match *item {
                WalkNode::Node(node) if self.is_element(node) => {
                    if let Some(parent) = self.parent(node) {
                        let shadow = self.root_of(node, parent).is_some();
                        inside.entry((parent, shadow)).or_default().push(Some(node));
                    }
                }
                WalkNode::Node(_) => {}
                WalkNode::Unslotted(host, _) => inside.entry((host, false)).or_default().push(None),
            }
        }
        for note in notes {
            let mut at = 0;
            let mut shadow = false;
            let mut rest = None;
            let mut resolved = true;
            for (place, step) in note.path.iter().enumerate() {
                match *step {
                    INTO_SHADOW => shadow = true,
                    INTO_FRAME => {
                        rest = note.path.get(place + 1..);
                        break;
                    }
                    step => {
                        let child = usize::try_from(step)
                            .ok()
                            .and_then(|step| inside.get(&(at, shadow))?.get(step).copied());
                        shadow = false;
                        match child {
                            Some(Some(child)) => at = child,
                            // Unslotted elements are not in the snapshot.
                            Some(None) => {
                                resolved = false;
                                break;
                            }
                            None => {
                                found.mismatch = true;
                                resolved = false;
                                break;
                            }
                        }
                    }
                }
            }
            if !resolved {
                continue;
            }
            if let Some(rest) = rest {
                found.inside.entry(at).or_default().push(Note {
                    path: rest.to_vec(),
                    ..note.clone()
                });
                continue;
            }
            if !self.text(self.name(at)).eq_ignore_ascii_case(&note.tag) {
                found.mismatch = true;
                continue;
            }
            let mark = match note.kind.as_str() {
                "focused" => Marks::FOCUSED,
                "invalid" => Marks::INVALID,
                "mixed" => Marks::MIXED,
                "modal" => Marks::MODAL,
                "open" => Marks::OPEN,
                "layout" => Marks::LAYOUT_TABLE,
                other => {
                    if let Some(many) = other.strip_prefix("files ") {
                        found.files.insert(at, format!("{many} files"));
                    }
                    continue;
                }
            };
            *found.marks.entry(at).or_default() |= mark;
        }
        found
    }
}

/// Whether elements with this tag react to clicks natively.
fn is_native(name: &str) -> bool {
    matches!(
        name,
        "INPUT"
            | "BUTTON"
            | "SELECT"
            | "TEXTAREA"
            | "OPTION"
            | "OPTGROUP"
            | "SUMMARY"
            | "LABEL"
            | "VIDEO"
            | "AUDIO"
            | "IFRAME"
            | "OBJECT"
            | "EMBED"
    )
}
