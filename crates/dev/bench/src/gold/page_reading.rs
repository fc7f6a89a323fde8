//! Reads a page for the suites: the names in the browser's accessibility tree, and every word on the page.
//!
//! Uses no code of the product except the protocol, so that bugs cannot become right answers.

use std::collections::BTreeMap;

use cdp::Session;
use cdp::protocol::accessibility::{AXNode, AXValue, GetFullAXTree};
use cdp::protocol::dom_snapshot::{
    CaptureSnapshot, DocumentSnapshot, RareStrings, Snapshot, StringIndex,
};
use cdp::protocol::page::{FrameTree, GetFrameTree};

use crate::suite::named::NamedElement;
use crate::suite::negative::Vocabulary;
use crate::suite::words::role_word;

/// An element smaller than this in either direction, in pixels, is only for screen readers.
const MIN_SIZE: f64 = 4.0;

#[derive(Clone, Debug, Default)]
pub struct PageReading {
    /// The visible, interactive elements, in document order.
    pub named: Vec<NamedElement>,
    pub vocabulary: Vocabulary,
    /// A short description of every element.
    words: BTreeMap<i64, String>,
}

impl PageReading {
    pub fn describe(&self, node: i64) -> String {
        match self.words.get(&node) {
            Some(words) => words.clone(),
            None => format!("node {node}"),
        }
    }

    pub fn describe_all(&self, nodes: &[i64]) -> String {
        let words: Vec<String> = nodes.iter().map(|node| self.describe(*node)).collect();
        words.join(", ")
    }
}

#[derive(Clone, Debug, Default)]
struct ElementSnapshot {
    tag: String,
    attributes: Vec<(String, String)>,
    visible_nodes: bool,
}

impl ElementSnapshot {
    fn attribute(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map_or("", |(_, value)| value)
    }
}

/// Reads the page of `session`, including in-process frames.
pub async fn read_page(session: &Session) -> cdp::Result<PageReading> {
    let snapshot = session.call(&CaptureSnapshot {
        computed_styles: vec!["visibility", "opacity"],
        ..CaptureSnapshot::default()
    });
    let frames = session.call(&GetFrameTree {}).await?.frame_tree;
    let mut trees = Vec::new();
    query(session, &frames, &mut trees);
    let mut nodes = Vec::new();
    for tree in trees {
        nodes.push(tree.await?.nodes);
    }
    let snapshot = snapshot.await?;
    let elements = elements(&snapshot);
    let mut read_page = PageReading {
        vocabulary: vocabulary(&snapshot),
        ..PageReading::default()
    };
    for tree in &nodes {
        read(tree, &elements, &mut read_page);
    }
    for (node, element) in &elements {
        let id = element.attribute("id");
        let class = element.attribute("class");
        let mut words = read_page.words.remove(node).unwrap_or_default();
        words.push_str(&format!("<{}", element.tag));
        for (mark, value) in [("#", id), (".", class)] {
            if let Some(first) = value.split_whitespace().next() {
                words.push_str(&format!("{mark}{first}"));
            }
        }
        words.push('>');
        read_page.words.insert(*node, words);
    }
    Ok(read_page)
}

fn query(
    session: &Session,
    tree: &FrameTree,
    calls: &mut Vec<cdp::Call<cdp::protocol::accessibility::AXTree>>,
) {
    calls.push(session.call(&GetFullAXTree {
        depth: None,
        frame_id: Some(tree.frame.id.clone()),
    }));
    for child in &tree.child_frames {
        query(session, child, calls);
    }
}

fn text(value: Option<&AXValue>) -> String {
    let text = value.and_then(AXValue::text).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds one frame's accessibility tree, in its own order, which is document order.
fn read(nodes: &[AXNode], elements: &BTreeMap<i64, ElementSnapshot>, read_page: &mut PageReading) {
    let by_id: BTreeMap<&str, &AXNode> = nodes.iter().map(|node| (&*node.node_id, node)).collect();
    let mut heading = String::new();
    let roots = nodes.iter().filter(|node| node.parent_id.is_none());
    let mut stack: Vec<&AXNode> = roots.rev().collect();
    while let Some(node) = stack.pop() {
        let children = node.child_ids.iter().rev();
        stack.extend(children.filter_map(|id| by_id.get(&**id)));
        let (Some(backend), false) = (node.backend_dom_node_id, node.ignored) else {
            continue;
        };
        let (role, name) = (text(node.role.as_ref()), text(node.name.as_ref()));
        let Some(element) = elements.get(&backend.0) else {
            continue;
        };
        read_page
            .words
            .entry(backend.0)
            .or_insert_with(|| format!("{role} {name:?} "));
        if role == "heading" && !name.is_empty() {
            heading.clone_from(&name);
        }
        if element.visible_nodes && role_word(&role).is_some() && !name.is_empty() {
            read_page.named.push(NamedElement {
                node: backend.0,
                target: element.attribute("href").to_owned(),
                role,
                name,
                heading: heading.clone(),
            });
        }
    }
}

fn string(snapshot: &Snapshot, at: StringIndex) -> &str {
    let at = usize::try_from(at).ok();
    at.and_then(|at| snapshot.strings.get(at))
        .map_or("", |text| text)
}

/// The elements of the page by backend node id.
fn elements(snapshot: &Snapshot) -> BTreeMap<i64, ElementSnapshot> {
    let mut all = BTreeMap::new();
    for document in &snapshot.documents {
        let nodes = &document.nodes;
        let visible_nodes = visible_nodes(snapshot, document);
        for (at, backend) in nodes.backend_node_id.iter().enumerate() {
            if nodes.node_type.get(at) != Some(&1) {
                continue;
            }
            let attributes = nodes.attributes.get(at).map_or(&[][..], Vec::as_slice);
            let attributes = attributes.as_chunks::<2>().0.iter().map(|[key, value]| {
                let value = string(snapshot, *value).to_owned();
                (string(snapshot, *key).to_lowercase(), value)
            });
            let name = nodes.node_name.get(at).copied().unwrap_or(-1);
            let element = ElementSnapshot {
                tag: string(snapshot, name).to_lowercase(),
                attributes: attributes.collect(),
                visible_nodes: visible_nodes.get(&at).copied().unwrap_or(false),
            };
            all.insert(backend.0, element);
        }
    }
    all
}

/// The visible nodes of a document, by index.
fn visible_nodes(snapshot: &Snapshot, document: &DocumentSnapshot) -> BTreeMap<usize, bool> {
    let layout = &document.layout;
    let mut visibility: BTreeMap<usize, bool> = BTreeMap::new();
    let mut clear: BTreeMap<usize, bool> = BTreeMap::new();
    for (at, node) in layout.node_index.iter().enumerate() {
        let Ok(node) = usize::try_from(*node) else {
            continue;
        };
        let styles = layout.styles.get(at).map_or(&[][..], Vec::as_slice);
        let style = |index: usize| styles.get(index).map_or("", |at| string(snapshot, *at));
        let placed = match layout.bounds.get(at).map(Vec::as_slice) {
            Some([left, top, width, height]) => {
                *width >= MIN_SIZE
                    && *height >= MIN_SIZE
                    && left + width > 0.0
                    && top + height > 0.0
            }
            _ => false,
        };
        let shown = placed && style(0) == "visible";
        visibility.entry(node).or_insert(shown);
        clear.entry(node).or_insert(style(1) == "0");
    }
    // Full transparency hides all descendants.
    let parents = &document.nodes.parent_index;
    for (node, shown) in &mut visibility {
        let mut ancestors = std::iter::successors(Some(*node), |at| {
            let parent = parents.get(*at)?;
            usize::try_from(*parent).ok()
        });
        *shown = *shown && !ancestors.any(|at| clear.get(&at) == Some(&true));
    }
    visibility
}

/// Attributes without words.
const WORDLESS: &[&str] = &["style", "d", "src", "srcset", "sizes", "integrity"];

fn vocabulary(snapshot: &Snapshot) -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    for document in &snapshot.documents {
        let nodes = &document.nodes;
        let unread = |node: &usize| {
            let parent = nodes.parent_index.get(*node).copied().unwrap_or(-1);
            let parent = usize::try_from(parent).ok();
            let name = parent.and_then(|at| nodes.node_name.get(at));
            let hidden = ["SCRIPT", "STYLE", "NOSCRIPT"];
            name.is_some_and(|name| hidden.contains(&string(snapshot, *name)))
        };
        for (node, kind) in nodes.node_type.iter().enumerate() {
            if *kind == 3
                && !unread(&node)
                && let Some(value) = nodes.node_value.get(node)
            {
                vocabulary.add(string(snapshot, *value));
            }
        }
        for [key, value] in nodes
            .attributes
            .iter()
            .flat_map(|all| all.as_chunks::<2>().0)
        {
            if !WORDLESS.contains(&&*string(snapshot, *key).to_lowercase()) {
                vocabulary.add(string(snapshot, *value));
            }
        }
        let typed: [&RareStrings; 2] = [&nodes.input_value, &nodes.text_value];
        for value in typed.iter().flat_map(|typed| &typed.value) {
            vocabulary.add(string(snapshot, *value));
        }
    }
    vocabulary
}
