//! What tells the elements of a screen apart: their own properties, their row, and what is beside them.

use std::collections::HashMap;
use std::sync::Arc;

use super::after_reload::ReloadKey;
use super::by_row::RowKey;
use super::by_unique_name::{self, NameContext, Text};
use super::changed_text::TextKey;
use super::context::{self, Context};
use super::layout::Layout;
use super::nodes::{DocumentKey, can_have_ref};
use crate::{NodeId, UiTree};

/// How many units before and after one are compared.
pub(super) const NEIGHBORS: usize = 3;

/// The evidence for one element on one screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Its place on its screen.
    pub(super) at: NodeId,
    /// Window, page and title or the frame of pages, container, row, own properties: equal for the element and its equals.
    pub(super) key: u64,
    /// The element's own properties only.
    pub(super) own: u64,
    /// Whether it is the page as a whole.
    pub(super) is_page: bool,
    /// Whether it is a field to search or filter with: what is around it follows from what it holds.
    pub(super) is_search: bool,
    /// Whether the author of the page names it or the record around it, beside its id.
    pub(super) has_author_key: bool,
    /// The properties of the dialog or the menu that it is in.
    pub(super) popup: Option<u64>,
    /// Whether it is only scrolled.
    pub(super) is_scroller: bool,
    pub(super) has_id: bool,
    pub(super) document: DocumentKey,
    /// The same element of the platform, if the platform numbers its elements.
    pub(super) origin: Option<u64>,
    /// What its block is about.
    pub(super) context: Arc<Context>,
    /// Whether its own text says what it is: its unit is a row of a list, or it has a text as long as one.
    pub(super) names_itself: bool,
    /// The units before it, the nearest first; 0 beyond the end of what the screen shows.
    pub(super) before: [u64; NEIGHBORS],
    /// The units after it.
    pub(super) after: [u64; NEIGHBORS],
    /// The texts of the nearest values before and after it, such as the number of an order; 0 if there is none.
    pub(super) values: [u64; 2],
    /// Whether only values tell it from another element: both have the same key, and the same units before or after them.
    pub(super) is_told_by_values: bool,
    /// All units of its container, in order, and their hash.
    pub(super) units: Arc<[u64]>,
    pub(super) sequence: u64,
    /// Its position among its equals of the container, and their number.
    pub(super) ordinal: u32,
    pub(super) equals: u32,
    /// Whether another element of the screen has the same key.
    pub(super) has_equal: bool,
    /// Whether another one has the same key, and the same unit before or after it.
    pub(super) has_double: bool,
    /// Identifies it while a text of it changes.
    pub(super) text: Option<TextKey>,
    /// Identifies it in another document.
    pub(super) reload: Option<ReloadKey>,
    /// Identifies it while others come or go.
    pub(super) row: Option<RowKey>,
    /// Which of these keys no other element of the screen has, by [`KeyKind`].
    pub(super) is_unique: [bool; 3],
    /// What is around it, if it is the only element of its name or id.
    pub(super) name: Option<NameContext>,
}

/// A key that identifies an element although its own has changed or others have it.
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

    /// Whether both are the same node of the document.
    pub(super) fn is_same_node(&self, now: &Self) -> bool {
        self.origin.is_some() && self.origin == now.origin
    }
}

/// The evidence for all elements of a screen that can be acted on.
#[derive(Debug, Default)]
pub(super) struct Scan {
    items: Vec<(NodeId, Evidence)>,
    by_key: HashMap<u64, Vec<u32>>,
    by_origin: HashMap<u64, u32>,
    /// The texts of a page and their places, by their nodes.
    texts: HashMap<u64, (Text, NodeId)>,
    /// The elements that are the only ones with a key.
    by_unique_key: HashMap<(KeyKind, u64), u32>,
}

impl Scan {
    pub(super) fn of(tree: &UiTree) -> Self {
        let layout = Layout::of(tree);
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
        for equals in scan.by_key.values().filter(|equals| equals.len() > 1) {
            let mut counts: HashMap<u64, u32> = HashMap::new();
            let mut beside: [HashMap<u64, u32>; 2] = Default::default();
            let mut around: [HashMap<[u64; NEIGHBORS], u32>; 2] = Default::default();
            for at in equals {
                let (_, evidence) = &scan.items[*at as usize];
                *around[0].entry(evidence.before).or_default() += 1;
                *around[1].entry(evidence.after).or_default() += 1;
                *beside[0].entry(evidence.before[0]).or_default() += 1;
                *beside[1].entry(evidence.after[0]).or_default() += 1;
            }
            for at in equals {
                if let Some((_, evidence)) = scan.items.get_mut(*at as usize) {
                    evidence.has_equal = true;
                    evidence.equals = equals.len() as u32;
                    let doubles = [
                        beside[0].get(&evidence.before[0]),
                        beside[1].get(&evidence.after[0]),
                    ];
                    evidence.has_double = doubles.into_iter().flatten().any(|count| *count > 1);
                    let alike = [
                        around[0].get(&evidence.before),
                        around[1].get(&evidence.after),
                    ];
                    evidence.is_told_by_values = evidence.values != [0, 0]
                        && alike.into_iter().flatten().any(|count| *count > 1);
                    let count = counts.entry(evidence.sequence).or_default();
                    evidence.ordinal = *count;
                    *count += 1;
                }
            }
        }
        context::note(&mut scan.items, tree, &layout.own, &layout.parts());
        by_unique_name::note(&mut scan.items, tree, layout.scopes_outside_of_lists());
        scan.mark_unique();
        scan
    }

    /// Notes which elements are the only ones with a key.
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

    /// The element that is now the only one with a key, as the old one was.
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

    /// The evidence for an element of the screen.
    pub(super) fn with_id(&self, id: NodeId) -> Option<&(NodeId, Evidence)> {
        let at = self.items.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.items.get(at)
    }

    /// The place of a text of an earlier screen, if its node still has it.
    pub(super) fn place_of(&self, text: Text) -> Option<NodeId> {
        let (now, place) = self.texts.get(&text.origin?)?;
        (*now == text).then_some(*place)
    }

    /// The element that the platform gives this number.
    pub(super) fn with_origin(&self, origin: u64) -> Option<&(NodeId, Evidence)> {
        self.items.get(*self.by_origin.get(&origin)? as usize)
    }
}
