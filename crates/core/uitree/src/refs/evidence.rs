//! What distinguishes the elements of a screen: their own properties, their row and their neighbors.

use std::collections::HashMap;
use std::sync::Arc;

use super::after_reload::ReloadKey;
use super::by_row::RowKey;
use super::by_unique_name::{self, NameContext, Text};
use super::changed_text::TextKey;
use super::context::{self, Context};
use super::layout::Layout;
use super::nodes::{DocumentKey, can_have_ref};
use super::screen_title::{ScreenTitle, ScreenTitles};
use crate::{NodeId, UiTree};

/// How many items before and after an element are compared.
pub(super) const NEIGHBORS: usize = 3;

/// The evidence for one element on one screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Its node on its screen.
    pub(super) id: NodeId,
    /// Hash of its scope, its row and its own properties. Elements with the same key are *equal*.
    pub(super) key: u64,
    /// Hash of its own properties only.
    pub(super) identity_hash: u64,
    /// Whether it is the web page itself.
    pub(super) is_page: bool,
    /// Whether it is a search or filter field, whose value determines its neighbors.
    pub(super) is_search: bool,
    /// Whether the page has an author's key for it or its record, besides its id.
    pub(super) has_author_key: bool,
    /// The identity hash of the dialog or menu that it is in.
    pub(super) popup: Option<u64>,
    /// Whether it can be scrolled but not pressed.
    pub(super) is_scroller: bool,
    pub(super) has_id: bool,
    pub(super) document: DocumentKey,
    /// The platform's number of its node, if it has one.
    pub(super) origin: Option<u64>,
    /// The heading, caption, selected tab and texts that apply to it.
    pub(super) context: Arc<Context>,
    /// The title of its screen; `None` in the page frame.
    pub(super) screen: Option<Arc<ScreenTitle>>,
    /// Whether its own text identifies it: it is a list row, or its text is at least as long as [`LONG`](super::nodes::LONG).
    pub(super) has_identifying_text: bool,
    /// The items before it, the nearest first; 0 where the tree has none.
    pub(super) before: [u64; NEIGHBORS],
    /// The items after it.
    pub(super) after: [u64; NEIGHBORS],
    /// The hashes of the nearest values before and after it, such as an order number; 0 if there is none.
    pub(super) values: [u64; 2],
    /// Whether only the values around it distinguish it from another element: both have the same key and an equal neighbor
    /// sequence on one side.
    pub(super) is_distinguished_by_values: bool,
    /// All items of its scope, in order, and their hash.
    pub(super) item_hashes: Arc<[u64]>,
    pub(super) sequence: u64,
    /// Its position among the equal elements of its scope, and the number of equal elements on the screen.
    pub(super) ordinal: u32,
    pub(super) equal_count: u32,
    /// Whether another element of the screen has the same key.
    pub(super) has_equal: bool,
    /// Whether another element has the same key and the same item before or after it.
    pub(super) has_equal_with_same_neighbor: bool,
    /// Identifies it when one of its texts changes.
    pub(super) text: Option<TextKey>,
    /// Identifies it in another document.
    pub(super) reload: Option<ReloadKey>,
    /// Identifies it when other items are inserted or removed.
    pub(super) row: Option<RowKey>,
    /// Which of these keys are unique on the screen, by [`KeyKind`].
    pub(super) is_unique: [bool; 3],
    /// The texts around it, if its name or id is unique.
    pub(super) name: Option<NameContext>,
}

/// A key that identifies an element when [`Evidence::key`] has changed or is not unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum KeyKind {
    FirstText,
    Row,
    Reload,
}

impl Evidence {
    fn key_by(&self, by: KeyKind) -> Option<u64> {
        match by {
            KeyKind::FirstText => Some(self.text?.key),
            KeyKind::Row => Some(self.row?.key),
            KeyKind::Reload => Some(self.reload?.key),
        }
    }

    /// Whether both have the same node of the platform.
    pub(super) fn is_same_node(&self, now: &Self) -> bool {
        self.origin.is_some() && self.origin == now.origin
    }
}

/// The evidence for all elements of a screen that can have a reference.
#[derive(Debug, Default)]
pub(super) struct Scan {
    items: Vec<(NodeId, Evidence)>,
    by_key: HashMap<u64, Vec<u32>>,
    by_origin: HashMap<u64, u32>,
    /// The texts of a page and their positions, by the platform's number of the node.
    texts: HashMap<u64, (Text, NodeId)>,
    /// The elements whose key is unique.
    by_unique_key: HashMap<(KeyKind, u64), u32>,
}

impl Scan {
    /// The evidence of a screen; `before` has the titles of the one before.
    pub(super) fn of(tree: &UiTree, before: &ScreenTitles) -> Self {
        let layout = Layout::of(tree, before);
        let mut scan = Self {
            texts: Text::by_origin(tree),
            ..Self::default()
        };
        for id in tree.ids().filter(|id| can_have_ref(tree.node(*id))) {
            let (key, evidence) = layout.evidence(id);
            let at = scan.items.len() as u32;
            scan.by_key.entry(key).or_default().push(at);
            if let Some(origin) = evidence.origin {
                scan.by_origin.entry(origin).or_insert(at);
            }
            scan.items.push((id, evidence));
        }
        let is_repeated =
            |counts: [Option<&u32>; 2]| counts.into_iter().flatten().any(|count| *count > 1);
        for equals in scan.by_key.values().filter(|equals| equals.len() > 1) {
            let mut counts: HashMap<u64, u32> = HashMap::new();
            let mut nearest: [HashMap<u64, u32>; 2] = Default::default();
            let mut sequences: [HashMap<[u64; NEIGHBORS], u32>; 2] = Default::default();
            for at in equals {
                let (_, evidence) = &scan.items[*at as usize];
                *sequences[0].entry(evidence.before).or_default() += 1;
                *sequences[1].entry(evidence.after).or_default() += 1;
                *nearest[0].entry(evidence.before[0]).or_default() += 1;
                *nearest[1].entry(evidence.after[0]).or_default() += 1;
            }
            for at in equals {
                if let Some((_, evidence)) = scan.items.get_mut(*at as usize) {
                    evidence.has_equal = true;
                    evidence.equal_count = equals.len() as u32;
                    evidence.has_equal_with_same_neighbor = is_repeated([
                        nearest[0].get(&evidence.before[0]),
                        nearest[1].get(&evidence.after[0]),
                    ]);
                    let is_sequence_repeated = is_repeated([
                        sequences[0].get(&evidence.before),
                        sequences[1].get(&evidence.after),
                    ]);
                    evidence.is_distinguished_by_values =
                        evidence.values != [0, 0] && is_sequence_repeated;
                    let count = counts.entry(evidence.sequence).or_default();
                    evidence.ordinal = *count;
                    *count += 1;
                }
            }
        }
        context::note(&mut scan.items, tree, &layout);
        by_unique_name::note(&mut scan.items, tree, layout.scopes_outside_of_lists());
        scan.mark_unique();
        scan
    }

    /// Marks the keys that are unique.
    fn mark_unique(&mut self) {
        let mut counts: HashMap<(KeyKind, u64), (u32, u32)> = HashMap::new();
        for (at, (_, evidence)) in (0..).zip(&self.items) {
            for by in [KeyKind::FirstText, KeyKind::Row, KeyKind::Reload] {
                if let Some(key) = evidence.key_by(by) {
                    counts.entry((by, key)).or_insert((at, 0)).1 += 1;
                }
            }
        }
        for (key, (at, _)) in counts.into_iter().filter(|(_, (_, count))| *count == 1) {
            self.items[at as usize].1.is_unique[key.0 as usize] = true;
            self.by_unique_key.insert(key, at);
        }
    }

    /// The element with the same key, if the key is unique on both screens.
    pub(super) fn same_unique(&self, old: &Evidence, by: KeyKind) -> Option<&(NodeId, Evidence)> {
        let key = old.key_by(by).filter(|_| old.is_unique[by as usize])?;
        self.items
            .get(*self.by_unique_key.get(&(by, key))? as usize)
    }

    /// The elements, in document order.
    pub(super) fn items(&self) -> &[(NodeId, Evidence)] {
        &self.items
    }

    /// The elements with this key.
    pub(super) fn with_key(&self, key: u64) -> impl Iterator<Item = &(NodeId, Evidence)> {
        let equals = self.by_key.get(&key).into_iter().flatten();
        equals.filter_map(|at| self.items.get(*at as usize))
    }

    /// The element of a node.
    pub(super) fn with_id(&self, id: NodeId) -> Option<&(NodeId, Evidence)> {
        let at = self.items.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.items.get(at)
    }

    /// The position of a text of an earlier screen, if its node still has it.
    pub(super) fn position_of(&self, text: Text) -> Option<NodeId> {
        let (now, position) = self.texts.get(&text.origin?)?;
        (*now == text).then_some(*position)
    }

    /// The element with this platform number.
    pub(super) fn with_origin(&self, origin: u64) -> Option<&(NodeId, Evidence)> {
        self.items.get(*self.by_origin.get(&origin)? as usize)
    }
}
