//! Identifies an element that is unique by name or id while its row changes: by the heading above it, the texts that lead to it, and
//! those at its height, which may name the record that it belongs to.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use super::compare::holds_all;
use super::context::words_without_time;
use super::evidence::{Evidence, Scan};
use super::nodes::{
    MAX_DISTANCE, hash_of, holds_value, is_control, is_heading, is_level, is_text, name_of,
    texts_before,
};
use crate::{NodeId, State, UiTree};

/// The most units that may go from around an element that is the same node of the document, and around any other one: more is
/// another record, such as the next message below the same buttons.
const MOST_GONE: [usize; 2] = [2, 1];

/// How many texts before an element are remembered.
const MAX_BEFORE: usize = 16;

/// What is around an element outside of lists that is the only one of its name or id on its screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NameContext {
    /// The heading above it.
    heading: u64,
    /// The texts that lead to it.
    lead: Arc<[Text]>,
    /// These texts, and those before them up to the heading.
    before: Arc<[Text]>,
    /// The texts at its height.
    level: Arc<[Text]>,
    /// Whether it is the only one of its id.
    has_own_id: bool,
    /// Whether its words say what it does, and not what it is about.
    is_control: bool,
}

/// A text of a screen.
#[derive(Clone, Copy, Debug, Eq)]
pub(super) struct Text {
    /// Its node, if the platform numbers its elements.
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

    /// `None` for a text that only shows a time.
    pub(super) fn of(tree: &UiTree, id: NodeId) -> Option<Self> {
        let words: Vec<&str> = words_without_time(&tree.node(id).text).collect();
        (!words.is_empty()).then(|| Self {
            origin: tree.origin(id),
            hash: hash_of(|hasher| words.hash(hasher)),
        })
    }

    /// The texts of a page and their places, by their nodes.
    pub(super) fn by_origin(tree: &UiTree) -> HashMap<u64, (Self, NodeId)> {
        let text = |id: NodeId| Some((tree.origin(id)?, (Self::of(tree, id)?, id)));
        tree.ids().filter_map(text).collect()
    }
}

impl Evidence {
    /// Whether both are the same node, or the only one of an id, with the texts that say what it belongs to, and little is gone.
    pub(super) fn is_unique_like(&self, now: &Self, scan: &Scan) -> bool {
        let (Some(name), Some(new)) = (&self.name, &now.name) else {
            return false;
        };
        let same_node = self.is_same_node(now);
        let is_same = match same_node {
            true => name.has_own_id == new.has_own_id && name.still_names(new, now.at, scan),
            false => name.has_own_id && name == new,
        };
        let [as_node, as_other] = MOST_GONE;
        let most = if same_node { as_node } else { as_other };
        is_same && gone(&self.units, &now.units) <= most
    }

    /// Whether another heading is above the other one, or a text that leads to this one is replaced there.
    pub(super) fn is_led_to_otherwise(&self, now: &Self, scan: &Scan) -> bool {
        let (Some(then), Some(new)) = (&self.name, &now.name) else {
            return false;
        };
        then.is_control && !(then.heading == new.heading && then.still_leads(new, now.at, scan))
    }
}

impl NameContext {
    /// Whether the texts that said what an element belongs to still do; others may have come.
    fn still_names(&self, now: &Self, at: NodeId, scan: &Scan) -> bool {
        let is_same_level = self.level.iter().all(|text| now.level.contains(text));
        self.heading == now.heading && is_same_level && self.still_leads(now, at, scan)
    }

    /// Whether the texts that led to an element do now, or are still before it, or those that do now were before it: the same
    /// nodes with the same texts.
    fn still_leads(&self, now: &Self, at: NodeId, scan: &Scan) -> bool {
        let is_before = |text: &Text| scan.place_of(*text).is_some_and(|place| place < at);
        let was_before = |text: &Text| self.before.iter().any(|old| old.is_same_node(text));
        holds_all(&self.lead, &now.lead)
            || holds_all(&now.lead, &self.lead)
            || self.lead.iter().all(is_before)
            || now.lead.iter().all(was_before)
    }
}

/// How many units are there no longer, wherever they were.
fn gone(old: &[u64], new: &[u64]) -> usize {
    let mut left: HashMap<u64, usize> = HashMap::new();
    for unit in new {
        *left.entry(*unit).or_default() += 1;
    }
    let is_gone = |unit: &&u64| match left.get_mut(unit) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    old.iter().filter(is_gone).count()
}

/// Notes the context of the elements that are the only ones of their name or id. `scopes` has the part of the screen of each
/// node, `None` in a list; what is in a card is in the part around it.
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

/// The role and name of an element, and its id; 0 for what it does not have.
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

/// The parts of a screen and their headings.
struct Surroundings<'t> {
    tree: &'t UiTree,
    scopes: Vec<Option<u32>>,
    /// The heading above each node in its part of the screen.
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

    /// The context of an element; `None` if nothing on the screen says what it belongs to.
    fn around(&self, id: NodeId, has_own_id: bool) -> Option<NameContext> {
        let tree = self.tree;
        self.scopes[id.index()]?;
        let before = self.texts_before(id)?;
        let is_whole = tree.origin(id).is_some() && scroller(tree, id).is_none();
        if before.is_empty() && !is_whole {
            return None;
        }
        // A field belongs to its form.
        let node = tree.node(id);
        let is_field = holds_value(node) && !node.id.is_empty();
        let before = before.into_iter().filter(|_| !is_field);
        let heading = self.headings[id.index()];
        let level = self.texts_at_its_height(id);
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
            level: level.filter_map(|text| Text::of(tree, text)).collect(),
            has_own_id,
            is_control: is_control(node.role),
        })
    }

    /// Whether two nodes are in the same part of the screen.
    fn has(&self, id: NodeId, other: NodeId) -> bool {
        self.scopes[id.index()] == self.scopes[other.index()]
    }

    /// The texts that lead to an element in its part of the screen and in what scrolls with it.
    fn texts_before(&self, id: NodeId) -> Option<Vec<NodeId>> {
        texts_before(self.tree, id, self.before(id))
    }

    /// What is before an element in its part of the screen and in what scrolls with it.
    fn before(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> {
        let first = scroller(self.tree, id).map_or(0, |scroller| scroller.0 + 1);
        let before = (first..id.0).map(NodeId);
        before.filter(move |other| self.has(id, *other))
    }

    /// The texts at the height of an element in its part of the screen.
    fn texts_at_its_height(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let tree = self.tree;
        let row = tree.node(id).bounds;
        let first = id.index().saturating_sub(MAX_DISTANCE);
        let last = tree.node(id).end.index() + MAX_DISTANCE;
        let is_beside = move |other: &NodeId| {
            let bounds = tree.node(*other).bounds;
            let is_in_row = row
                .zip(bounds)
                .is_some_and(|(row, other)| is_level(row, other));
            is_in_row && self.has(id, *other) && is_text(tree, *other) && !tree.contains(id, *other)
        };
        let near = tree.ids().take(last).skip(first);
        near.filter(is_beside)
    }
}

/// The nearest container that scrolls, within the window or the page.
fn scroller(tree: &UiTree, id: NodeId) -> Option<NodeId> {
    let scrolls = |around: &NodeId| {
        let node = tree.node(*around);
        node.is(State::SCROLLABLE) && node.parent.is_some()
    };
    tree.ancestors(id).find(scrolls)
}
