//! Recently pressed elements. A custom dropdown shows its options directly after itself and then takes the text of the pressed
//! option. Both changes are ignored when its neighbors are compared.

use std::collections::{HashSet, VecDeque};
use std::hash::Hash;
use std::sync::Arc;

use super::nodes::{can_have_ref, hash_of, identity_hash};
use super::{Evidence, Scan};
use crate::{NodeId, UiTree};

/// How many presses are stored.
const MAX: usize = 4;

/// An element that was pressed.
#[derive(Debug)]
struct Press {
    /// The platform's number of its node, if it has one.
    origin: Option<u64>,
    /// Hash of its properties without its text.
    kind: u64,
    identity_hash: u64,
    /// Its only text.
    text: Arc<str>,
    /// Hashes of the texts of the screen on which it was pressed.
    texts: HashSet<u64>,
}

/// The recently pressed elements, the oldest first.
#[derive(Debug, Default)]
pub(super) struct RecentPresses(VecDeque<Press>);

impl RecentPresses {
    /// Adds a pressed element, if it has exactly one text.
    pub(super) fn add(&mut self, tree: &UiTree, id: NodeId) {
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
            identity_hash: identity_hash(tree, id),
            text,
            texts: texts.collect(),
        });
    }

    /// The screen with the texts that dropdowns had before options were selected; `None` if none was. A text that was on the screen
    /// when the dropdown was pressed is no option, since it may have moved, as with the next record.
    pub(super) fn with_texts_before_selection(&self, tree: &UiTree) -> Option<UiTree> {
        let mut before: Option<UiTree> = None;
        for (at, dropdown) in self.0.iter().enumerate() {
            let options = self.0.iter().skip(at + 1).map(|option| &option.text);
            let mut new = options.filter(|option| !dropdown.texts.contains(&hash_of_text(option)));
            let Some((shown, option)) = new.find_map(|option| {
                let shown = dropdown.find_with_text(option, tree)?;
                Some((shown, option))
            }) else {
                continue;
            };
            let before = before.get_or_insert_with(|| tree.clone());
            for id in tree.subtree(shown) {
                let node = &mut before.nodes[id.index()];
                for name in [&mut node.text, &mut node.label] {
                    if equals_ignoring_symbols(name, option) {
                        *name = Arc::clone(&dropdown.text);
                    }
                }
            }
        }
        before
    }

    /// The element with a unique key, if only items directly after a pressed element were inserted or removed.
    pub(super) fn find<'s>(
        &self,
        evidence: &Evidence,
        scan: &'s Scan,
    ) -> Option<&'s (NodeId, Evidence)> {
        let found = scan.with_key(evidence.key).next()?;
        let now = &found.1;
        let is_unique = !evidence.has_equal && !now.has_equal;
        let has_values = evidence.is_distinguished_by_values || now.is_distinguished_by_values;
        let is_same = is_unique
            && evidence.document.matches(now.document)
            && (!has_values || evidence.values == now.values)
            && self.is_opened_or_closed(&evidence.item_hashes, &now.item_hashes);
        is_same.then_some(found)
    }

    /// Whether items were only inserted or only removed, in one block directly after a pressed element.
    fn is_opened_or_closed(&self, then: &[u64], now: &[u64]) -> bool {
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
        (1..=same.count()).any(|at| {
            let is_previous = |press: &Press| press.identity_hash == short[at - 1];
            self.0.iter().any(is_previous) && short[at..] == long[at + between..]
        })
    }
}

impl Press {
    /// The element on a screen on which it has this text: the same node, or the only element of its kind.
    fn find_with_text(&self, text: &str, tree: &UiTree) -> Option<NodeId> {
        let same = tree
            .ids()
            .find(|id| self.origin.is_some() && tree.origin(*id) == self.origin);
        let is_match = |id: &NodeId| {
            kind_of(tree, *id) == self.kind
                && only_text(tree, *id).is_some_and(|other| equals_ignoring_symbols(&other, text))
        };
        if let Some(same) = same {
            return Some(same).filter(is_match);
        }
        let mut matches = tree
            .ids()
            .filter(|id| can_have_ref(tree.node(*id)))
            .filter(is_match);
        let first = matches.next()?;
        matches.next().is_none().then_some(first)
    }
}

/// Whether two texts are equal without symbols around them, such as the arrow of a dropdown.
fn equals_ignoring_symbols(one: &str, other: &str) -> bool {
    let is_symbol =
        |letter: char| letter.is_whitespace() || !(letter.is_alphanumeric() || letter.is_ascii());
    let [short, other_short] = [one, other].map(|text| text.trim_matches(is_symbol));
    one == other || !short.is_empty() && short == other_short
}

/// The only text of an element and its descendants; `None` if they have none or several.
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
