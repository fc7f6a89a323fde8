//! The references of one device.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use escape::Quoted;

use super::after_option_click::Presses;
use super::nodes::{can_have_ref, hash_of, is_popup, own_key, popup_around};
use super::owner::{Owner, nearest};
use super::{Evidence, Scan, after_reload, by_row, changed_text, compare};
use crate::{NodeId, State, UiTree};

/// The most references of a device; the ones that were not seen for the longest time are forgotten.
const MAX: usize = 4096;

/// The longest name in a description, in characters.
const MAX_LENGTH: usize = 40;

/// The evidence on a screen that is rarely needed.
type LazyScan<'a> = LazyCell<Option<Scan>, Box<dyn Fn() -> Option<Scan> + 'a>>;

/// What a reference is on a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolvedRef {
    /// This element.
    Found(NodeId),
    /// No element for which the evidence holds.
    Stale {
        /// What the reference was, and what it belonged to.
        was: String,
        /// The element that is most like it and belongs to the same.
        nearest: Option<NodeId>,
    },
    /// The table does not have it: it was never given, or was forgotten.
    Unknown,
}

/// The references of the elements of one screen.
#[derive(Clone, Debug, Default)]
pub struct ScreenRefs(HashMap<NodeId, u32>);

impl ScreenRefs {
    /// Whether an element has a reference.
    pub(crate) fn has(&self, id: NodeId) -> bool {
        self.0.contains_key(&id)
    }

    /// The reference of an element, such as `e12`.
    pub fn get(&self, id: NodeId) -> Option<String> {
        self.0.get(&id).map(|number| format!("e{number}"))
    }
}

/// A reference that was given.
#[derive(Clone, Debug)]
struct Entry {
    evidence: Evidence,
    description: String,
    /// What it belongs to.
    owner: Owner,
    /// What was pressed last outside of dialogs and menus before that; see [`Opener`].
    opener: u64,
    /// When it was last on a screen.
    seen: u64,
}

/// The last press outside of dialogs and menus: it may open one, for the record that it belongs to.
#[derive(Debug, Default)]
struct Opener {
    /// What was pressed, and what it belongs to.
    key: u64,
    /// The properties of the dialogs and menus that were open already.
    open: HashSet<u64>,
}

impl Opener {
    fn of(tree: &UiTree, id: NodeId) -> Self {
        let popups = tree.ids().filter(|id| is_popup(tree.node(*id)));
        Self {
            key: hash_of(|hasher| (own_key(tree, id), Owner::of(tree, id).texts).hash(hasher)),
            open: popups.map(|id| own_key(tree, id)).collect(),
        }
    }
}

/// The numbers of references. Tables whose clones share them never give the same number twice.
#[derive(Clone, Debug, Default)]
pub struct RefNumbers(Arc<AtomicU32>);

impl RefNumbers {
    /// The numbers after `last`.
    pub fn after(last: u32) -> Self {
        Self(Arc::new(AtomicU32::new(last)))
    }

    /// The last number that was given.
    pub fn last(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    fn next(&self) -> u32 {
        self.0.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
    }
}

/// The references of one device.
#[derive(Debug, Default)]
pub struct RefTable {
    entries: BTreeMap<u32, Entry>,
    by_key: HashMap<u64, Vec<u32>>,
    numbers: RefNumbers,
    time: u64,
    presses: Presses,
    opener: Opener,
}

impl RefTable {
    /// A table that gives these numbers.
    pub fn with_numbers(numbers: RefNumbers) -> Self {
        Self {
            numbers,
            ..Self::default()
        }
    }

    /// Whether the table has a reference, stale or not.
    pub fn has(&self, reference: &str) -> bool {
        number(reference).is_some_and(|number| self.entries.contains_key(&number))
    }

    /// The last number that it gave and knows; `None` if there is none.
    pub fn last(&self) -> Option<u32> {
        self.entries.keys().next_back().copied()
    }

    /// Notes that an element of a screen is about to be pressed: what it shows may become the option that is pressed next, and it
    /// may open a dialog.
    pub fn note_press(&mut self, tree: &UiTree, id: NodeId) {
        self.presses.note(tree, id);
        if popup_around(tree, id).is_none() {
            self.opener = Opener::of(tree, id);
        }
    }

    /// Gives every visible element that can be acted on its reference, a known one if the evidence for it holds.
    pub fn assign(&mut self, tree: &UiTree) -> ScreenRefs {
        self.assign_also_to(&[], tree)
    }

    /// The same, and these elements, visible or not.
    pub fn assign_also_to(&mut self, others: &[NodeId], tree: &UiTree) -> ScreenRefs {
        let scan = Scan::of(tree);
        self.time += 1;
        let keys: HashSet<u64> = scan.items().iter().map(|(_, now)| now.key).collect();
        let mut claims: HashMap<NodeId, Vec<u32>> = HashMap::new();
        for key in keys {
            for (id, number) in self.claims(key, &scan) {
                claims.entry(id).or_default().push(number);
            }
        }
        let changed = self.changed(&scan, &self.before_choices(tree));
        let mut refs = ScreenRefs::default();
        for (id, evidence) in scan.items() {
            if !tree.is_on_screen(*id) && !others.contains(id) {
                continue;
            }
            let claims = claims.get(id).map_or(&[][..], Vec::as_slice);
            let number = match (claims, changed.get(id)) {
                ([number], _) => *number,
                ([], Some(number)) => *number,
                _ => {
                    // Two references cannot be the same element.
                    claims.iter().for_each(|number| self.retire(*number));
                    self.numbers.next()
                }
            };
            self.note(number, evidence.clone(), tree, *id);
            refs.0.insert(*id, number);
        }
        self.forget_oldest();
        refs
    }

    /// The element of a reference on a screen.
    pub fn resolve(&self, reference: &str, tree: &UiTree) -> ResolvedRef {
        let number = number(reference);
        let Some(entry) = number.and_then(|number| self.entries.get(&number)) else {
            return ResolvedRef::Unknown;
        };
        let scan = Scan::of(tree);
        if let Some(id) = self.find(entry, &scan) {
            let claims = self.claims(entry.evidence.key, &scan);
            let own = (id, number.unwrap_or_default());
            let of_it: Vec<(NodeId, u32)> = claims.filter(|(other, _)| *other == id).collect();
            if of_it == [own] {
                return ResolvedRef::Found(id);
            }
        } else if let Some(id) = match entry.seen == self.time {
            true => self.remaining(entry, &scan, &self.before_choices(tree)),
            false => self.reloaded(entry, &scan),
        } {
            return ResolvedRef::Found(id);
        }
        ResolvedRef::Stale {
            was: entry.owner.add_to(entry.description.clone()),
            nearest: nearest(&entry.evidence, &entry.owner, &scan, tree),
        }
    }

    /// The element that the evidence for a reference is about. It is doubtful if it was the only one with its key and another one
    /// now is a node that was another element: then the page shows other records in the same nodes. It is another one in another
    /// context.
    fn find(&self, entry: &Entry, scan: &Scan) -> Option<NodeId> {
        let then = &entry.evidence;
        let found = compare::find(then, scan)?;
        let (_, now) = scan.with_id(found)?;
        if then.is_in_another_context(now) || self.is_opened_otherwise(entry, now) {
            return None;
        }
        if then.has_equal || then.origin.is_none() {
            return Some(found);
        }
        let mut equals = scan.with_key(then.key).filter(|(id, _)| *id != found);
        let was_another = |(_, now): &(NodeId, Evidence)| {
            let mut entries = self.entries.values().map(|entry| &entry.evidence);
            now.origin.is_some()
                && entries.any(|other| other.origin == now.origin && other.key != now.key)
        };
        (!equals.any(was_another)).then_some(found)
    }

    /// The elements that references with this key are.
    fn claims<'a>(&'a self, key: u64, scan: &'a Scan) -> impl Iterator<Item = (NodeId, u32)> + 'a {
        let numbers = self.by_key.get(&key).into_iter().flatten();
        numbers.filter_map(|number| {
            let entry = self.entries.get(number)?;
            Some((self.find(entry, scan)?, *number))
        })
    }

    /// The elements of which a text or the document has changed since the last screen, with their references.
    fn changed(&self, scan: &Scan, before: &LazyScan) -> HashMap<NodeId, u32> {
        let is_last = |entry: &Entry| entry.seen == self.time - 1;
        let (last, earlier): (Vec<_>, Vec<_>) =
            self.entries.iter().partition(|(_, entry)| is_last(entry));
        let lost = last
            .into_iter()
            .filter(|(_, entry)| self.find(entry, scan).is_none());
        let found = lost
            .filter_map(|(number, entry)| Some((self.remaining(entry, scan, before)?, *number)));
        let mut changed: HashMap<NodeId, Option<u32>> = HashMap::new();
        for (id, number) in found {
            // Two references cannot be the same element.
            let first = changed.entry(id);
            first
                .and_modify(|number| *number = None)
                .or_insert(Some(number));
        }
        // The latest one of those that are not on the last screen.
        for (number, entry) in earlier.into_iter().rev() {
            if let Some(id) = self.reloaded(entry, scan) {
                changed.entry(id).or_insert(Some(*number));
            }
        }
        let certain = changed.into_iter();
        certain
            .filter_map(|(id, number)| Some((id, number?)))
            .collect()
    }

    /// The element of a lost reference, if a text of it has changed, its page was loaded again, others came or went, or it is
    /// found on the screen as it was before an option was chosen. An element that a reference fits as it is now is not.
    fn remaining(&self, entry: &Entry, scan: &Scan, before: &LazyScan) -> Option<NodeId> {
        let then = &entry.evidence;
        let is_about_the_same = |(_, now): &&(NodeId, Evidence)| !then.is_in_another_context(now);
        let pressed = |scan| self.presses.find(then, scan);
        let found = changed_text::find(then, scan);
        let found = found.or_else(|| by_row::find(then, scan));
        let found = found.or_else(|| pressed(scan)).filter(is_about_the_same);
        let found = found.or_else(|| after_reload::find(then, scan));
        let before_choices = || {
            let before = before.as_ref()?;
            let by_press = || Some(pressed(before).filter(is_about_the_same)?.0);
            scan.with_id(self.find(entry, before).or_else(by_press)?)
        };
        self.unless_known(entry, found.or_else(before_choices)?, scan)
    }

    /// Whether an element is in a dialog or a menu that another press has opened: the same dialog for another record.
    fn is_opened_otherwise(&self, entry: &Entry, now: &Evidence) -> bool {
        let is_new = now
            .popup
            .is_some_and(|popup| !self.opener.open.contains(&popup));
        is_new && entry.opener != self.opener.key
    }

    /// The element of a reference that was not on the last screen, on its page with another route.
    fn reloaded(&self, entry: &Entry, scan: &Scan) -> Option<NodeId> {
        let key = entry.evidence.reload.filter(|key| key.has_whole_page());
        self.unless_known(
            entry,
            key.and(after_reload::find(&entry.evidence, scan))?,
            scan,
        )
    }

    /// An element that may be that of a reference, unless another one fits it as it is now, or another press has opened its dialog.
    fn unless_known(
        &self,
        entry: &Entry,
        (id, now): &(NodeId, Evidence),
        scan: &Scan,
    ) -> Option<NodeId> {
        let is_known = || self.claims(now.key, scan).any(|(other, _)| other == *id);
        (!self.is_opened_otherwise(entry, now) && !is_known()).then_some(*id)
    }

    /// A screen as it was before options were chosen; `None` if none was.
    fn before_choices<'a>(&'a self, tree: &'a UiTree) -> LazyScan<'a> {
        let scan = || Some(Scan::of(&self.presses.without_choices(tree)?));
        LazyCell::new(Box::new(scan))
    }

    fn note(&mut self, number: u32, evidence: Evidence, tree: &UiTree, id: NodeId) {
        let before = self.entries.get(&number);
        if before.is_some_and(|before| before.evidence.key != evidence.key) {
            self.retire(number);
        }
        let numbers = self.by_key.entry(evidence.key).or_default();
        if !numbers.contains(&number) {
            numbers.push(number);
        }
        let entry = Entry {
            evidence,
            description: describe(tree, id),
            owner: Owner::of(tree, id),
            opener: self.opener.key,
            seen: self.time,
        };
        self.entries.insert(number, entry);
    }

    /// Forgets the references that were not seen for the longest time, until [`MAX`] are left.
    fn forget_oldest(&mut self) {
        let surplus = self.entries.len().saturating_sub(MAX);
        if surplus == 0 {
            return;
        }
        let entries = self.entries.iter();
        let mut oldest: Vec<(u64, u32)> = entries
            .map(|(number, entry)| (entry.seen, *number))
            .collect();
        oldest.sort_unstable();
        for (_, number) in oldest.into_iter().take(surplus) {
            self.forget(number);
        }
    }

    fn forget(&mut self, number: u32) {
        self.retire(number);
        self.entries.remove(&number);
    }

    /// Makes a reference stale for good.
    fn retire(&mut self, number: u32) {
        let Some(entry) = self.entries.get(&number) else {
            return;
        };
        if let Some(numbers) = self.by_key.get_mut(&entry.evidence.key) {
            numbers.retain(|other| *other != number);
            if numbers.is_empty() {
                self.by_key.remove(&entry.evidence.key);
            }
        }
    }
}

/// The number of a reference.
fn number(reference: &str) -> Option<u32> {
    reference.strip_prefix('e')?.parse().ok()
}

impl UiTree {
    /// The element to refer to for a node: itself, or the control around it that contains no other one.
    pub fn ref_target(&self, id: NodeId) -> Option<NodeId> {
        let is_target = |id: &NodeId| can_have_ref(self.node(*id));
        if is_target(&id) {
            return Some(id);
        }
        let around = self.ancestors(id).find(is_target)?;
        let has_others = self.subtree(around).skip(1).any(|id| is_target(&id));
        (!has_others && self.node(around).can_act()).then_some(around)
    }
}

/// An element in a few words. The text of a field may be secret, and is left out.
pub fn describe(tree: &UiTree, id: NodeId) -> String {
    let node = tree.node(id);
    let text = |id: NodeId| {
        let node = tree.node(id);
        let text: &str = if node.is(State::EDITABLE) {
            ""
        } else {
            &node.text
        };
        let names = [text, &*node.label, &*node.hint];
        names
            .into_iter()
            .find(|name| !name.trim().is_empty())
            .map(str::to_owned)
    };
    let inside = tree
        .subtree(id)
        .filter(|inner| *inner == id || !can_have_ref(tree.node(*inner)));
    let name = inside.take(12).find_map(text);
    // A switch without a name is that of its row.
    let row = || {
        tree.ancestors(id)
            .find(|around| can_have_ref(tree.node(*around)))
    };
    let name_of_row = || tree.texts_of_row(row()?).into_iter().find_map(text);
    let name = name.or_else(name_of_row);
    let name = name.or_else(|| tree.name_beside(id).map(str::to_owned));
    let name = name.or_else(|| (!node.id.is_empty()).then(|| node.id.to_string()));
    match name {
        Some(name) => {
            let short: String = name.chars().take(MAX_LENGTH).collect();
            format!("{} {}", node.role.as_str(), Quoted(&short))
        }
        None => node.role.as_str().to_owned(),
    }
}

/// An element in a few words, and what it belongs to.
pub fn describe_in_place(tree: &UiTree, id: NodeId) -> String {
    Owner::of(tree, id).add_to(describe(tree, id))
}

/// A table that several owners share.
#[derive(Clone, Debug, Default)]
pub struct Refs(Arc<Mutex<RefTable>>);

impl Refs {
    /// Shares a table.
    pub fn new(table: RefTable) -> Self {
        Self(Arc::new(Mutex::new(table)))
    }

    /// The table.
    pub fn lock(&self) -> MutexGuard<'_, RefTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
