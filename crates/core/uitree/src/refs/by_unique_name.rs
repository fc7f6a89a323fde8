//! Identifies an element that is unique by name or id while its row changes: by the heading above it, the texts that lead to it, and
//! those at its height, which may name the record that it belongs to.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use super::context::{is_part_of_other, words_without_time};
use super::evidence::Evidence;
use super::nodes::{
    MAX_DISTANCE, hash_of, holds_value, is_control, is_heading, is_level, is_text, name_of,
    texts_before,
};
use crate::{NodeId, State, UiTree};

/// The most units that may go from around an element that is the same node of the document, and around any other one: more is
/// another record, such as the next message below the same buttons.
const MOST_GONE: [usize; 2] = [2, 1];

/// What is around an element outside of lists that is the only one of its name or id on its screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NameContext {
    /// The heading above it.
    heading: u64,
    /// The texts that lead to it.
    lead: Arc<[u64]>,
    /// The texts at its height.
    level: u64,
    /// Whether it is the only one of its id.
    has_own_id: bool,
    /// Whether its words say what it does, and not what it is about.
    is_control: bool,
}

impl Evidence {
    /// Whether both are the same node, or the only one of an id, with the same texts that say what it belongs to, and little is gone.
    pub(super) fn is_unique_like(&self, now: &Self) -> bool {
        let same_node = self.is_same_node(now);
        let [as_node, as_other] = MOST_GONE;
        let most = if same_node { as_node } else { as_other };
        let is_same = self
            .name
            .as_ref()
            .is_some_and(|name| same_node || name.has_own_id);
        is_same && self.name == now.name && gone(&self.units, &now.units) <= most
    }

    /// Whether another heading is above the other one, or a text that leads to this one is replaced there.
    pub(super) fn is_led_to_otherwise(&self, now: &Self) -> bool {
        let (Some(then), Some(now)) = (&self.name, &now.name) else {
            return false;
        };
        let is_same_lead = is_part_of_other(&then.lead, &now.lead);
        then.is_control && !(then.heading == now.heading && is_same_lead)
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
/// node, `None` in a list.
pub(super) fn note(items: &mut [(NodeId, Evidence)], tree: &UiTree, scopes: Vec<Option<u32>>) {
    let names: Vec<[u64; 2]> = items.iter().map(|(id, _)| names(tree, *id)).collect();
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for name in names.iter().flatten() {
        *counts.entry(*name).or_default() += 1;
    }
    let is_unique = |name: &u64| *name != 0 && counts[name] == 1;
    let surroundings = Surroundings::of(tree, scopes);
    for ((id, evidence), names) in items.iter_mut().zip(names) {
        if names.iter().any(is_unique) && !evidence.has_equal {
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
        let level: Vec<u64> = level.filter_map(|text| self.hash_of_text(text)).collect();
        Some(NameContext {
            heading: heading
                .and_then(|heading| self.hash_of_text(heading))
                .unwrap_or(0),
            lead: before.filter_map(|text| self.hash_of_text(text)).collect(),
            level: hash_of(|hasher| level.hash(hasher)),
            has_own_id,
            is_control: is_control(node.role),
        })
    }

    /// `None` for a text that only shows a time.
    fn hash_of_text(&self, id: NodeId) -> Option<u64> {
        let words: Vec<&str> = words_without_time(&self.tree.node(id).text).collect();
        (!words.is_empty()).then(|| hash_of(|hasher| words.hash(hasher)))
    }

    /// Whether two nodes are in the same part of the screen.
    fn has(&self, id: NodeId, other: NodeId) -> bool {
        self.scopes[id.index()] == self.scopes[other.index()]
    }

    /// The texts that lead to an element in its part of the screen and in what scrolls with it.
    fn texts_before(&self, id: NodeId) -> Option<Vec<NodeId>> {
        let first = scroller(self.tree, id).map_or(0, |scroller| scroller.0 + 1);
        let before = (first..id.0).map(NodeId);
        texts_before(self.tree, id, before.filter(|other| self.has(id, *other)))
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
