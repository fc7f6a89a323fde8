//! The owner of an element, as people name it: the first text of its row, or of the texts that lead to it.

use std::hash::Hash;

use escape::Quoted;

use super::nodes::{hash_of, is_initials, is_text, texts_before};
use super::{Evidence, Scan};
use crate::{NodeId, Role, State, UiTree};

/// The longest name, in characters.
const MAX_LENGTH: usize = 40;

/// The texts of an element's row before it or, outside of rows, the texts that lead to it. The first one is its owner's name.
pub(super) fn owner_texts(tree: &UiTree, id: NodeId) -> Vec<&str> {
    let is_row = |around: &NodeId| {
        let role = tree.node(*around).role;
        matches!(role, Role::ListItem | Role::Row | Role::Card)
    };
    let own = id.0..tree.node(id).end.0;
    let card = tree.cards.of_node(id).map(|card| card.nodes.clone());
    if is_row(&id) || card.as_ref() == Some(&own) {
        return Vec::new();
    }
    let text = |other: NodeId, is_letter: fn(char) -> bool| {
        let node = tree.node(other);
        let has_letters = node.text.chars().any(is_letter);
        let is_name = has_letters && !node.is(State::EDITABLE) && is_text(tree, other);
        (is_name && !tree.contains(id, other)).then_some(&*node.text)
    };
    let name = |other: NodeId| text(other, char::is_alphanumeric);
    let row = tree.ancestors(id).find(is_row);
    let row = row.map(|row| row.0..tree.node(row).end.0);
    // The inner one of both.
    let row = row.into_iter().chain(card).max_by_key(|row| row.start);
    let Some(row) = row else {
        let window = tree.window_of(id).root;
        let before = texts_before(tree, id, (window.0..id.0).map(NodeId));
        let before = before.unwrap_or_default().into_iter().rev();
        return before.filter_map(name).collect();
    };
    // The number of a row stays when its record moves.
    let word = |other: NodeId| text(other, char::is_alphabetic);
    let before = (row.start..id.0).map(NodeId).filter_map(word);
    let mut before: Vec<&str> = before.collect();
    if before.len() > 1 && is_initials(before[0]) {
        before.remove(0);
    }
    if before.iter().any(|text| !is_initials(text)) {
        return before;
    }
    let inside = || row.clone().map(NodeId);
    let title = inside().filter_map(word).find(|text| !is_initials(text));
    let first = title.or(before.first().copied());
    first
        .or_else(|| inside().find_map(name))
        .into_iter()
        .collect()
}

/// The element that is most like a lost one and belongs to the same, in the same context; `None` if several are, or if none belongs
/// to it.
pub(super) fn nearest(
    lost: &Evidence,
    owner: &Owner,
    scan: &Scan,
    tree: &UiTree,
) -> Option<NodeId> {
    if lost.names_itself && lost.has_equal {
        return None;
    }
    let is_its = |id: &NodeId| tree.is_on_screen(*id) && Owner::of(tree, *id) == *owner;
    let first_two = |is_it: &dyn Fn(&Evidence) -> bool| {
        let seen = scan.items().iter().filter(|(_, now)| is_it(now));
        let mut alike = seen.filter(|(id, _)| is_its(id));
        (alike.next(), alike.next())
    };
    let same_name = match first_two(&|now| now.own == lost.own) {
        (_, Some(_)) => return None,
        (first, None) => first,
    };
    let same_node = first_two(&|now| now.is_same_node(lost)).0;
    let (id, now) = same_node.or(same_name)?;
    (!lost.is_in_another_context(now)).then_some(*id)
}

/// What an element belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    /// The start of its name.
    name: Option<String>,
    /// All texts that tell it from others: a place in a ranking is no name.
    pub(super) texts: u64,
}

impl Owner {
    pub(super) fn of(tree: &UiTree, id: NodeId) -> Self {
        let texts = owner_texts(tree, id);
        Self {
            name: texts
                .first()
                .map(|name| name.chars().take(MAX_LENGTH).collect()),
            texts: hash_of(|hasher| texts.hash(hasher)),
        }
    }

    /// A description of an element with its owner.
    pub(super) fn add_to(&self, description: String) -> String {
        match &self.name {
            Some(name) => format!("{description} near {}", Quoted(name)),
            None => description,
        }
    }
}
