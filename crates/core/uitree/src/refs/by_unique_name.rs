//! Identifies an element with a unique name or id when its row changes: by the heading above it, the texts directly before it
//! (its *lead texts*) and those on its line, which may name its record.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use super::compare::is_subsequence;
use super::context::words_without_time;
use super::evidence::{Evidence, Scan};
use super::nodes::{
    MAX_DISTANCE, hash_of, holds_value, is_control, is_heading, is_text, name_of, overlaps_y,
    texts_before,
};
use crate::{NodeId, State, UiTree};

/// The most items that may be removed around an element with the same node, and around one with another node. If more are gone,
/// the record is another, such as the next message below the same buttons.
const MAX_REMOVED: [usize; 2] = [2, 1];

/// How many texts before an element are stored.
const MAX_BEFORE: usize = 16;

/// The texts around an element outside of lists whose name or id is unique on its screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NameContext {
    /// Hash of the heading above it; 0 if there is none.
    heading: u64,
    /// The texts directly before it.
    lead: Arc<[Text]>,
    /// All texts before it up to the heading.
    before: Arc<[Text]>,
    /// The texts on its line.
    line: Arc<[Text]>,
    /// Whether its id is unique.
    has_unique_id: bool,
    /// Whether its role is a control, whose name is an action rather than a record.
    is_control: bool,
}

/// A text of a screen.
#[derive(Clone, Copy, Debug, Eq)]
pub(super) struct Text {
    /// The platform's number of its node, if it has one.
    pub(super) origin: Option<u64>,
    hash: u64,
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl Text {
    fn is_same_node(&self, other: &Self) -> bool {
        self == other && self.origin.is_some() && self.origin == other.origin
    }

    /// The text of a node; `None` if it only shows a time.
    pub(super) fn of(tree: &UiTree, id: NodeId) -> Option<Self> {
        let words: Vec<&str> = words_without_time(&tree.node(id).text).collect();
        (!words.is_empty()).then(|| Self {
            origin: tree.origin(id),
            hash: hash_of(|hasher| words.hash(hasher)),
        })
    }

    /// The texts of a page and their positions, by the platform's number of the node.
    pub(super) fn by_origin(tree: &UiTree) -> HashMap<u64, (Self, NodeId)> {
        let text = |id: NodeId| Some((tree.origin(id)?, (Self::of(tree, id)?, id)));
        tree.ids().filter_map(text).collect()
    }
}

impl Evidence {
    /// Whether both have the same node or unique id and the same context, and few items were removed.
    pub(super) fn is_unique_match(&self, now: &Self, scan: &Scan) -> bool {
        let (Some(name), Some(new)) = (&self.name, &now.name) else {
            return false;
        };
        let same_node = self.is_same_node(now);
        let is_same = match same_node {
            true => {
                name.has_unique_id == new.has_unique_id && name.has_same_context(new, now.id, scan)
            }
            false => name.has_unique_id && name == new,
        };
        let [same, other] = MAX_REMOVED;
        let max = if same_node { same } else { other };
        is_same && count_removed(&self.item_hashes, &now.item_hashes) <= max
    }

    /// Whether the heading above a control, or a text before it, was replaced.
    pub(super) fn has_other_lead_texts(&self, now: &Self, scan: &Scan) -> bool {
        let (Some(old), Some(new)) = (&self.name, &now.name) else {
            return false;
        };
        old.is_control
            && !(old.heading == new.heading && old.has_same_lead_texts(new, now.id, scan))
    }
}

impl NameContext {
    /// Whether the heading, the texts on the line and the lead texts are unchanged. Texts may have been added to the line.
    fn has_same_context(&self, now: &Self, id: NodeId, scan: &Scan) -> bool {
        let is_same_line = self.line.iter().all(|text| now.line.contains(text));
        self.heading == now.heading && is_same_line && self.has_same_lead_texts(now, id, scan)
    }

    /// Whether lead texts were only inserted or only removed, or the nodes of all old ones are still before the element, or the
    /// nodes of all new ones were before it, with the same texts.
    fn has_same_lead_texts(&self, now: &Self, id: NodeId, scan: &Scan) -> bool {
        let is_before = |text: &Text| scan.position_of(*text).is_some_and(|at| at < id);
        let was_before = |text: &Text| self.before.iter().any(|old| old.is_same_node(text));
        is_subsequence(&self.lead, &now.lead)
            || is_subsequence(&now.lead, &self.lead)
            || self.lead.iter().all(is_before)
            || now.lead.iter().all(was_before)
    }
}

/// The number of items of `old` that `new` lacks, regardless of order.
pub(super) fn count_removed(old: &[u64], new: &[u64]) -> usize {
    let mut left: HashMap<u64, usize> = HashMap::new();
    for item in new {
        *left.entry(*item).or_default() += 1;
    }
    let is_removed = |item: &&u64| match left.get_mut(item) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    old.iter().filter(is_removed).count()
}

/// Adds the context to the elements whose name or id is unique. `scopes` has the scope of each node, `None` in a list; a node in
/// a card is in the scope around the cards.
pub(super) fn note(items: &mut [(NodeId, Evidence)], tree: &UiTree, scopes: Vec<Option<u32>>) {
    let names: Vec<[u64; 2]> = items.iter().map(|(id, _)| names(tree, *id)).collect();
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for name in names.iter().flatten() {
        *counts.entry(*name).or_default() += 1;
    }
    let is_unique = |name: &u64| *name != 0 && counts[name] == 1;
    let surroundings = Surroundings::of(tree, scopes);
    for ((id, evidence), names) in items.iter_mut().zip(names) {
        let is_in_card = tree.cards.of_node(*id).is_some();
        if names.iter().any(is_unique) && !evidence.has_equal && !is_in_card {
            evidence.name = surroundings.around(*id, is_unique(&names[1]));
        }
    }
}

/// The hashes of the role with the names of an element, and of its id; 0 for what it does not have.
fn names(tree: &UiTree, id: NodeId) -> [u64; 2] {
    let node = tree.node(id);
    let inside = tree.subtree(id).map(|inner| name_of(tree.node(inner)));
    let names: Vec<[&str; 3]> = inside.filter(|names| *names != [""; 3]).collect();
    let name = match names.is_empty() {
        true => 0,
        false => hash_of(|hasher| (node.role, names).hash(hasher)),
    };
    let own_id = match node.id.is_empty() {
        true => 0,
        false => hash_of(|hasher| node.id.hash(hasher)),
    };
    [name, own_id]
}

/// The scopes of a screen and their headings.
struct Surroundings<'t> {
    tree: &'t UiTree,
    scopes: Vec<Option<u32>>,
    /// The heading above each node in its scope.
    headings: Vec<Option<NodeId>>,
}

impl<'t> Surroundings<'t> {
    fn of(tree: &'t UiTree, scopes: Vec<Option<u32>>) -> Self {
        let mut last: HashMap<u32, NodeId> = HashMap::new();
        let heading = |(id, scope): (NodeId, &Option<u32>)| {
            let above = last.get(&(*scope)?).copied();
            if is_heading(tree.node(id).role) {
                last.insert((*scope)?, id);
            }
            above
        };
        let headings = tree.ids().zip(&scopes).map(heading).collect();
        Self {
            tree,
            scopes,
            headings,
        }
    }

    /// The context of an element; `None` in a list, or if no text before it is in the tree.
    fn around(&self, id: NodeId, has_unique_id: bool) -> Option<NameContext> {
        let tree = self.tree;
        self.scopes[id.index()]?;
        let before = self.texts_before(id)?;
        let is_complete = tree.origin(id).is_some() && scroller(tree, id).is_none();
        if before.is_empty() && !is_complete {
            return None;
        }
        // A field belongs to its form.
        let node = tree.node(id);
        let is_field = holds_value(node) && !node.id.is_empty();
        let before = before.into_iter().filter(|_| !is_field);
        let heading = self.headings[id.index()];
        let line = self.texts_on_same_line(id);
        let all_before = self.before(id).rev().take(MAX_DISTANCE);
        let all_before =
            all_before.take_while(|other| heading.is_none_or(|heading| heading <= *other));
        let all_before =
            all_before.filter(|other| is_text(tree, *other) && !tree.contains(*other, id));
        Some(NameContext {
            heading: heading
                .and_then(|heading| Text::of(tree, heading))
                .map_or(0, |heading| heading.hash),
            lead: before.filter_map(|text| Text::of(tree, text)).collect(),
            before: all_before
                .filter_map(|text| Text::of(tree, text))
                .take(MAX_BEFORE)
                .collect(),
            line: line.filter_map(|text| Text::of(tree, text)).collect(),
            has_unique_id,
            is_control: is_control(node.role),
        })
    }

    /// Whether two nodes are in the same scope.
    fn is_same_scope(&self, id: NodeId, other: NodeId) -> bool {
        self.scopes[id.index()] == self.scopes[other.index()]
    }

    /// The texts directly before an element in its scope and scroll container; `None` if they are too far away.
    fn texts_before(&self, id: NodeId) -> Option<Vec<NodeId>> {
        texts_before(self.tree, id, self.before(id))
    }

    /// The nodes before an element in its scope and scroll container.
    fn before(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> {
        let first = scroller(self.tree, id).map_or(0, |scroller| scroller.0 + 1);
        let before = (first..id.0).map(NodeId);
        before.filter(move |other| self.is_same_scope(id, *other))
    }

    /// The texts on the line of an element in its scope.
    fn texts_on_same_line(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let tree = self.tree;
        let line = tree.node(id).bounds;
        let first = id.index().saturating_sub(MAX_DISTANCE);
        let last = tree.node(id).end.index() + MAX_DISTANCE;
        let is_on_line = move |other: &NodeId| {
            let both = line.zip(tree.node(*other).bounds);
            both.is_some_and(|(line, other)| overlaps_y(line, other))
                && self.is_same_scope(id, *other)
                && is_text(tree, *other)
                && !tree.contains(id, *other)
        };
        let near = tree.ids().take(last).skip(first);
        near.filter(is_on_line)
    }
}

/// The nearest scroll container below the root of the window or page.
fn scroller(tree: &UiTree, id: NodeId) -> Option<NodeId> {
    let scrolls = |around: &NodeId| {
        let node = tree.node(*around);
        node.is(State::SCROLLABLE) && node.parent.is_some()
    };
    tree.ancestors(id).find(scrolls)
}
