//! Static screens: they show a recorded tree; the keys `tree`, `picture` and `handlers`.

use std::collections::BTreeMap;
use std::sync::Arc;

use uitree::{Node, NodeId, NotationError, Query, Rect, Size, State, UiTree};

use crate::effects::{self, Effects};
use crate::expr::template::Template;
use crate::reader::{Fields, Located, Reader};
use crate::schema::Topic;
use crate::widget::{Key, Kind, Spec, StaticNode, static_field};
use crate::words::nearest;
use crate::yaml::{Place, Yaml};
use draw::Image;

/// The keys of a handler that select its node.
pub(crate) const SELECTORS: [&str; 6] = [
    "text",
    "text_contains",
    "id",
    "desc",
    "desc_contains",
    "role",
];

/// A recorded tree and the effects of its nodes.
#[derive(Debug)]
pub struct StaticScreen {
    pub tree: UiTree,
    /// One widget for each node, in document order.
    pub specs: Vec<Arc<Spec>>,
    /// For each node the index after its last descendant.
    pub ends: Vec<usize>,
    /// The picture that is shown instead of painted nodes.
    pub picture: Option<Arc<Image>>,
}

#[derive(Debug, Default)]
struct Handler {
    on_click: Option<Effects>,
    on_long_click: Option<Effects>,
    on_change: Option<Effects>,
    on_submit: Option<Effects>,
    bind: Option<Arc<str>>,
}

impl StaticScreen {
    pub fn key(&self, place: usize) -> Option<Key> {
        let spec = self.specs.get(place)?;
        Some(Key::new(Key(0), spec.slot))
    }

    pub fn node(&self, index: usize) -> Option<&Node> {
        self.tree.nodes().get(index)
    }

    /// Returns the initial text of a node; empty if it shows its hint.
    pub fn written(&self, index: usize) -> &str {
        let Some(node) = self.node(index) else {
            return "";
        };
        let hint = node.is(State::SHOWING_HINT) || (node.text == node.hint);
        if hint { "" } else { &node.text }
    }

    /// Returns the visible bounds of a node; empty if it is not visible.
    pub fn visible_bounds(&self, index: usize) -> Rect {
        let id = self.tree.get(index);
        id.and_then(|id| self.tree.visible_bounds(id))
            .unwrap_or_default()
    }

    pub fn other_radio_buttons(&self, index: usize) -> Vec<usize> {
        let Some(node) = self.node(index) else {
            return Vec::new();
        };
        let same = |other: &Node| other.parent == node.parent && other.class == node.class;
        let nodes = self.tree.nodes().iter().enumerate();
        let others = nodes.filter(|(at, other)| *at != index && same(other));
        others.map(|(at, _)| at).collect()
    }
}

/// Reads `tree`, `picture` and `handlers`.
pub(crate) fn read(reader: &mut Reader, fields: &mut Fields<'_>) -> StaticScreen {
    let tree = fields.read(reader, "tree", read_tree);
    let tree = tree.unwrap_or_else(|| uitree::TreeBuilder::new(Size::default(), 0).finish());
    let picture = fields.read(reader, "picture", read_picture);
    let handlers = fields.take("handlers");
    let handlers = handlers.map(|at| read_handlers(reader, &at, &tree));
    let handlers = handlers.unwrap_or_default();
    let specs = specs(reader, &tree, handlers);
    StaticScreen {
        ends: ends(&tree),
        tree,
        specs,
        picture,
    }
}

fn read_tree(reader: &mut Reader, at: &Located<'_>) -> Option<UiTree> {
    let Yaml::Text(text) = &at.node.value else {
        let noun = at.node.value.noun();
        let message = format!("expected a tree in the notation of a screen, found {noun}");
        return reader.refuse(at, message);
    };
    match UiTree::parse_notation(text) {
        Ok(tree) if tree.is_empty() => reader.refuse(at, "the tree holds no node"),
        Ok(tree) => {
            let Size { width, height } = tree.screen();
            if let Some(room) = reader.screen
                && (width > room.width || height > room.height)
            {
                let message = format!(
                    "the tree is of a screen of {width}x{height}, which is larger than the app's `screen`: [{}, {}]",
                    room.width, room.height
                );
                reader.problem(at, message);
            }
            Some(tree)
        }
        Err(error) => {
            let place = inside(&reader.source, at.node.at, text, &error);
            let message = format!("line {} of the tree: {}", error.line, error.message);
            reader.problem_at(place, &at.path, message);
            None
        }
    }
}

/// Returns the position in the file of a position in a tree that is a block text.
fn inside(source: &str, at: Place, text: &str, error: &NotationError) -> Place {
    let source_line = text.lines().nth(error.line.saturating_sub(1) as usize);
    // The n-th line of the tree is the n-th line of the block.
    let before = at.line.saturating_sub(1) + error.line.saturating_sub(1);
    let mut lines = source.lines().enumerate().skip(before as usize).take(2);
    let found =
        lines.find(|(_, line)| source_line.is_some_and(|source_line| line.ends_with(source_line)));
    match (found, source_line) {
        (Some((number, line)), Some(source_line)) => Place {
            line: u32::try_from(number).unwrap_or(u32::MAX).saturating_add(1),
            column: (line.chars().count() - source_line.chars().count()) as u32 + error.column,
        },
        _ => at,
    }
}

fn read_picture(reader: &mut Reader, at: &Located<'_>) -> Option<Arc<Image>> {
    let name = reader.text(at)?;
    // Without a folder the nodes are painted instead.
    let folder = reader.folder.clone()?;
    match reader.pictures.read(&folder, &name) {
        Ok(image) => Some(image),
        Err(error) => reader.refuse(at, format_args!("`{name}` cannot be read: {error}")),
    }
}

fn read_handlers(reader: &mut Reader, at: &Located<'_>, tree: &UiTree) -> BTreeMap<usize, Handler> {
    let mut handlers: BTreeMap<usize, Handler> = BTreeMap::new();
    for entry in at.entries() {
        let Some(mut fields) = Fields::read_keys(reader, &entry, Topic::Part("handler")) else {
            continue;
        };
        let selector = read_selector(reader, &entry, &mut fields);
        let nth = fields.read(reader, "nth", Reader::positive);
        let some = |reader: &mut Reader, fields: &mut Fields<'_>, key: &'static str| {
            let is_given = fields.has(key);
            let effects = effects::take(reader, fields, key);
            is_given.then_some(effects)
        };
        let handler = Handler {
            on_click: some(reader, &mut fields, "on_click"),
            on_long_click: some(reader, &mut fields, "on_long_click"),
            on_change: some(reader, &mut fields, "on_change"),
            on_submit: some(reader, &mut fields, "on_submit"),
            bind: fields.read(reader, "bind", Reader::bound),
        };
        fields.finish(reader);
        let Some(selector) = selector.filter(|_| !tree.is_empty()) else {
            continue;
        };
        let writes = handler.on_change.is_some() || handler.on_submit.is_some();
        let target_kind = if writes || handler.bind.is_some() {
            Requirement::Field
        } else if handler.on_long_click.is_some() && handler.on_click.is_none() {
            Requirement::LongClickable
        } else {
            Requirement::Clickable
        };
        if let Some(place) = target(reader, &entry, tree, &selector, nth, target_kind) {
            if handlers.contains_key(&place) {
                reader.problem(&entry, "this node has a handler already");
            }
            handlers.insert(place, handler);
        }
    }
    handlers
}

/// What a handler requires of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Requirement {
    Clickable,
    LongClickable,
    Field,
}

struct Selector {
    query: Query,
    words: Vec<(&'static str, Arc<str>)>,
}

fn read_selector(
    reader: &mut Reader,
    at: &Located<'_>,
    fields: &mut Fields<'_>,
) -> Option<Selector> {
    let mut query = Query::new();
    let mut words = Vec::new();
    for key in SELECTORS {
        let Some(text) = fields.text(reader, key) else {
            continue;
        };
        query = match key {
            "text" => query.text(&*text),
            "text_contains" => query.text_contains(&*text),
            "id" => query.id(&*text),
            "desc" => query.label(&*text),
            "desc_contains" => query.label_contains(&*text),
            _ => query.role(&*text),
        };
        words.push((key, text));
    }
    if words.is_empty() {
        let known = SELECTORS.join(", ");
        let message = format!("which node? a handler has at least one of {known}");
        return reader.refuse(at, message);
    }
    Some(Selector { query, words })
}

/// Returns the node that handles the input of the selected node.
fn target(
    reader: &mut Reader,
    at: &Located<'_>,
    tree: &UiTree,
    selector: &Selector,
    nth: Option<u32>,
    target_kind: Requirement,
) -> Option<usize> {
    let mut found = tree.find_all(&selector.query);
    if found.is_empty()
        && let [("id", id)] = selector.words.as_slice()
        && !id.contains(":id/")
    {
        // An id without a package belongs to the app.
        let whole = format!("{}:id/{id}", reader.package);
        found = tree.find_all(&Query::new().id(whole));
    }
    if found.is_empty() {
        let hint = nearest_word(tree, &selector.words);
        let message = format!("no visible node of the tree matches{hint}");
        return reader.refuse(at, message);
    }
    let bit = match target_kind {
        Requirement::Clickable => State::CLICKABLE,
        Requirement::LongClickable => State::LONG_CLICKABLE,
        Requirement::Field => State::EDITABLE,
    };
    let taker = |id: NodeId| -> Option<NodeId> {
        let ancestors = (target_kind != Requirement::Field).then(|| tree.ancestors(id));
        std::iter::once(id)
            .chain(ancestors.into_iter().flatten())
            .find(|each| tree.node(*each).is(bit))
    };
    let mut takers: Vec<NodeId> = found.iter().filter_map(|id| taker(*id)).collect();
    takers.sort_unstable();
    takers.dedup();
    match (takers.as_slice(), nth) {
        ([], _) => {
            let message = match target_kind {
                Requirement::Field => {
                    "the node takes no text; its line in the tree lacks the word `editable`"
                }
                Requirement::LongClickable => {
                    "neither the node nor anything around it takes long clicks; its line in the tree lacks the word `long-clickable`"
                }
                Requirement::Clickable => {
                    "neither the node nor anything around it takes clicks; its line in the tree lacks the word `clickable`"
                }
            };
            reader.refuse(at, message)
        }
        ([only], None) => Some(only.index()),
        (several, Some(nth)) => {
            let chosen = several.get(nth as usize - 1);
            if chosen.is_none() {
                let message = format!("`nth` is {nth}, but {} nodes match", several.len());
                reader.problem(at, message);
            }
            chosen.map(|id| id.index())
        }
        (several, None) => {
            let count = several.len();
            let message = format!(
                "{count} nodes match; add conditions, or select one with `nth` (1 to {count})"
            );
            reader.refuse(at, message)
        }
    }
}

fn nearest_word(tree: &UiTree, words: &[(&'static str, Arc<str>)]) -> String {
    for (key, word) in words {
        let known = tree.nodes().iter().map(|node| match *key {
            "text" => &*node.text,
            "id" => &*node.id,
            "desc" => &*node.label,
            _ => "",
        });
        let hint = nearest(word, known.filter(|text| !text.is_empty()));
        if !hint.is_empty() {
            return hint;
        }
    }
    String::new()
}

/// For each node the index after its last descendant.
fn ends(tree: &UiTree) -> Vec<usize> {
    let nodes = tree.nodes();
    let mut ends = vec![nodes.len(); nodes.len()];
    let mut open: Vec<usize> = Vec::new();
    for (place, node) in nodes.iter().enumerate() {
        while let Some(last) =
            open.pop_if(|last| nodes.get(*last).is_none_or(|last| last.depth >= node.depth))
        {
            if let Some(end) = ends.get_mut(last) {
                *end = place;
            }
        }
        open.push(place);
    }
    ends
}

fn specs(
    reader: &mut Reader,
    tree: &UiTree,
    mut handlers: BTreeMap<usize, Handler>,
) -> Vec<Arc<Spec>> {
    let ends = ends(tree);
    let mut specs = Vec::with_capacity(tree.len());
    for (place, node) in tree.nodes().iter().enumerate() {
        let handler = handlers.remove(&place).unwrap_or_default();
        let end = ends.get(place).copied().unwrap_or(place + 1);
        let kind = if node.is(State::EDITABLE) {
            let (on_change, on_submit) = (handler.on_change, handler.on_submit);
            Kind::Field(static_field(node, handler.bind, on_change, on_submit))
        } else {
            let is_clickable = handler.on_click.is_some();
            Kind::Node(StaticNode::new(tree, place, end, is_clickable))
        };
        let mut spec = Spec::new(reader.slot(), kind);
        spec.id = Arc::clone(&node.id);
        spec.class = Some(Arc::clone(&node.class));
        spec.label = Template::fixed(&node.label);
        if let Some(effects) = handler.on_click {
            spec.on_click = effects;
        }
        if let Some(effects) = handler.on_long_click {
            spec.on_long_click = effects;
        }
        specs.push(Arc::new(spec));
    }
    specs
}
