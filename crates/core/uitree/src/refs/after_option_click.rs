//! The elements that were pressed. One may be a list that the page builds of plain elements: its options come and go directly
//! behind it, and it takes the text of the one that is pressed next. Neither says anything about the elements beside it.

use std::collections::{HashSet, VecDeque};
use std::hash::Hash;
use std::sync::Arc;

use super::nodes::{can_have_ref, hash_of, own_key};
use super::{Evidence, Scan};
use crate::{NodeId, UiTree};

/// How many presses are remembered.
const MAX: usize = 4;

/// An element that was pressed.
#[derive(Debug)]
struct Press {
    /// Its number, if the platform numbers its elements.
    origin: Option<u64>,
    /// What it is, whatever its text.
    kind: u64,
    /// Its key as a unit.
    own: u64,
    /// Its only text.
    text: Arc<str>,
    /// The texts of the screen on which it was pressed.
    texts: HashSet<u64>,
}

/// The last elements that were pressed, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Presses(VecDeque<Press>);

impl Presses {
    /// Remembers an element that was pressed, if it has one text.
    pub(super) fn note(&mut self, tree: &UiTree, id: NodeId) {
        let Some(text) = only_text(tree, id) else {
            return;
        };
        if self.0.len() == MAX {
            self.0.pop_front();
        }
        let texts = tree.nodes().iter().map(|node| hash_of_text(&node.text));
        self.0.push_back(Press {
            origin: tree.origin(id),
            kind: kind_of(tree, id),
            own: own_key(tree, id),
            text,
            texts: texts.collect(),
        });
    }

    /// The screen with the texts that pressed elements had before options were chosen in them; `None` if none was. An option was
    /// not on the screen when its list was pressed: a text that was may have moved, such as that of the next record.
    pub(super) fn without_choices(&self, tree: &UiTree) -> Option<UiTree> {
        let mut before: Option<UiTree> = None;
        for (at, list) in self.0.iter().enumerate() {
            let options = self.0.iter().skip(at + 1).map(|option| &option.text);
            let mut new = options.filter(|option| !list.texts.contains(&hash_of_text(option)));
            let Some((shown, option)) = new.find_map(|option| {
                let shown = list.shown_with(option, tree)?;
                Some((shown, option))
            }) else {
                continue;
            };
            let before = before.get_or_insert_with(|| tree.clone());
            for id in tree.subtree(shown) {
                let node = &mut before.nodes[id.index()];
                for name in [&mut node.text, &mut node.label] {
                    if is_like(name, option) {
                        *name = Arc::clone(&list.text);
                    }
                }
            }
        }
        before
    }

    /// The element that the evidence is about, if only the options of a pressed element came or went, and no other element has
    /// its key.
    pub(super) fn find<'s>(
        &self,
        evidence: &Evidence,
        scan: &'s Scan,
    ) -> Option<&'s (NodeId, Evidence)> {
        let (found, now) = scan
            .with_key(evidence.key)
            .next()
            .map(|found| (found, &found.1))?;
        let is_only = !evidence.has_equal && !now.has_equal && evidence.document.is(now.document);
        let is_told_by_values = evidence.is_told_by_values || now.is_told_by_values;
        let is_same = is_only
            && (!is_told_by_values || evidence.values == now.values)
            && self.opens_or_closes(&evidence.units, &now.units);
        is_same.then_some(found)
    }

    /// Whether units only came or only went, all of them directly behind a pressed element.
    fn opens_or_closes(&self, then: &[u64], now: &[u64]) -> bool {
        let (short, long) = match then.len() < now.len() {
            true => (then, now),
            false => (now, then),
        };
        let between = long.len() - short.len();
        if between == 0 {
            return false;
        }
        let same = short
            .iter()
            .zip(long)
            .take_while(|(one, other)| one == other);
        (1..=same.count()).any(|place| {
            let is_pressed = self.0.iter().any(|press| press.own == short[place - 1]);
            is_pressed && short[place..] == long[place + between..]
        })
    }
}

impl Press {
    /// The element on a screen on which it has another text: the same node, or the only one of its kind with this text.
    fn shown_with(&self, text: &str, tree: &UiTree) -> Option<NodeId> {
        let same = tree
            .ids()
            .find(|id| self.origin.is_some() && tree.origin(*id) == self.origin);
        let is_it = |id: &NodeId| {
            kind_of(tree, *id) == self.kind
                && only_text(tree, *id).is_some_and(|own| is_like(&own, text))
        };
        if let Some(same) = same {
            return Some(same).filter(is_it);
        }
        let mut alike = tree
            .ids()
            .filter(|id| can_have_ref(tree.node(*id)))
            .filter(is_it);
        let first = alike.next()?;
        alike.next().is_none().then_some(first)
    }
}

/// Whether two texts are the same without the signs around them: a list with an arrow behind its value, and its option.
fn is_like(one: &str, other: &str) -> bool {
    let is_sign =
        |letter: char| letter.is_whitespace() || !(letter.is_alphanumeric() || letter.is_ascii());
    let [short, other_short] = [one, other].map(|text| text.trim_matches(is_sign));
    one == other || !short.is_empty() && short == other_short
}

/// The text of an element and all that is inside of it; `None` if it has several, or none.
fn only_text(tree: &UiTree, id: NodeId) -> Option<Arc<str>> {
    let names = tree.subtree(id).flat_map(|inner| {
        let node = tree.node(inner);
        [&node.text, &node.label]
    });
    let mut texts = names.filter(|name| !name.trim().is_empty());
    let first = texts.next()?;
    texts.all(|other| other == first).then(|| Arc::clone(first))
}

fn kind_of(tree: &UiTree, id: NodeId) -> u64 {
    let node = tree.node(id);
    hash_of(|hasher| {
        (node.role, &node.class, &node.id, &node.owner, node.depth).hash(hasher);
        tree.author_key(id).hash(hasher);
    })
}

fn hash_of_text(text: &str) -> u64 {
    hash_of(|hasher| text.hash(hasher))
}
