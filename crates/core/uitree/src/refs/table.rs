//! The references of one device.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use escape::Quoted;

use super::context_label::{ContextLabel, is_in_row, nearest, same_name};
use super::nodes::{can_have_ref, hash_of, identity_hash, popup_around, popups};
use super::recent_presses::RecentPresses;
use super::screen_title::ScreenTitles;
use super::{Evidence, Scan, after_reload, by_row, changed_text, compare};
use crate::{NodeId, Role, State, UiTree};

/// The most references of a device; the least recently seen ones are removed.
const MAX: usize = 4096;

/// The longest name in a description, in characters.
const MAX_LENGTH: usize = 40;

/// The evidence on a screen, computed when it is needed.
type LazyScan<'a> = LazyCell<Option<Scan>, Box<dyn Fn() -> Option<Scan> + 'a>>;

/// The element of a reference on a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolvedRef {
    /// This element.
    Found(NodeId),
    /// No element matches.
    Stale {
        /// The description of the element, with its label.
        was: String,
        /// The most similar element with the same label.
        nearest: Option<NodeId>,
        /// The visible elements with the same name, whatever their label, in document order.
        same_name: Vec<NodeId>,
        /// A visible node with the same name, and in rows the same label, which may be the element.
        possible: Option<NodeId>,
    },
    /// The table does not have it: it was never assigned, or was removed.
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

/// An assigned reference.
#[derive(Clone, Debug)]
struct Entry {
    evidence: Evidence,
    role: Role,
    id: Arc<str>,
    /// [`display_name`].
    name: Option<String>,
    label: ContextLabel,
    /// [`Opener::key`] when it was last on a screen.
    opener: u64,
    /// When it was last on a screen.
    seen: u64,
}

impl Entry {
    /// A short description with its label.
    fn describe(&self) -> String {
        let described = with_role(self.role, self.name.as_deref());
        self.label.append_to(described)
    }
}

/// What last opened a dialog or menu, or may: a press outside of them, or something that is not known.
#[derive(Debug, Default)]
struct Opener {
    /// Hash of the pressed element and its label, or a number.
    key: u64,
    /// The identity hashes of the dialogs and menus that were already open.
    open: HashSet<u64>,
    /// Those on the last screen.
    on_last_screen: HashSet<u64>,
    /// Whether something was pressed since the last of them opened.
    has_pressed: bool,
    /// How often one opened without a press.
    others: u64,
}

impl Opener {
    /// Notes that an element is about to be pressed.
    fn note_press(&mut self, tree: &UiTree, id: NodeId) {
        self.has_pressed = true;
        if popup_around(tree, id).is_none() {
            let texts_hash = ContextLabel::of(tree, id).texts_hash;
            self.key = hash_of(|hasher| (identity_hash(tree, id), texts_hash).hash(hasher));
            self.open = open_popups(tree);
        }
    }

    /// Notes a screen. A dialog or menu that opened without a press may be for another record.
    fn note_screen(&mut self, tree: &UiTree) {
        let now = open_popups(tree);
        let has_opened = !now.is_subset(&self.on_last_screen);
        if has_opened && !std::mem::take(&mut self.has_pressed) {
            self.others += 1;
            self.key = hash_of(|hasher| ("no press", self.others).hash(hasher));
            self.open.clone_from(&self.on_last_screen);
        }
        // What opens after the last one has closed needs another press.
        self.has_pressed &= !now.is_empty() || self.on_last_screen.is_empty();
        self.on_last_screen = now;
    }
}

fn open_popups(tree: &UiTree) -> HashSet<u64> {
    popups(tree).map(|id| identity_hash(tree, id)).collect()
}

/// The numbers of references. Tables that share a clone of it never assign the same number twice.
#[derive(Clone, Debug, Default)]
pub struct RefNumbers(Arc<AtomicU32>);

impl RefNumbers {
    /// The numbers after `last`.
    pub fn after(last: u32) -> Self {
        Self(Arc::new(AtomicU32::new(last)))
    }

    /// The last assigned number.
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
    presses: RecentPresses,
    opener: Opener,
    titles: ScreenTitles,
}

impl RefTable {
    /// A table that assigns these numbers.
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

    /// The highest number in the table; `None` if it is empty.
    pub fn last(&self) -> Option<u32> {
        self.entries.keys().next_back().copied()
    }

    /// Notes that an element of a screen is about to be pressed: it may be a dropdown that takes the text of the next pressed
    /// element, and it may open a dialog.
    pub fn note_press(&mut self, tree: &UiTree, id: NodeId) {
        self.presses.add(tree, id);
        self.titles = self.titles.next(tree);
        self.opener.note_press(tree, id);
    }

    /// Notes a screen that was observed. Otherwise [`Self::assign`] does.
    pub fn note_screen(&mut self, tree: &UiTree) {
        self.opener.note_screen(tree);
        self.titles = self.titles.next(tree);
    }

    /// Assigns a reference to every visible element that can have one: its existing reference, if the evidence matches.
    pub fn assign(&mut self, tree: &UiTree) -> ScreenRefs {
        self.assign_including(&[], tree)
    }

    /// As [`assign`](Self::assign), also for `hidden` elements.
    pub fn assign_including(&mut self, hidden: &[NodeId], tree: &UiTree) -> ScreenRefs {
        self.note_screen(tree);
        let scan = Scan::of(tree, &self.titles);
        self.time += 1;
        let keys: HashSet<u64> = scan.items().iter().map(|(_, now)| now.key).collect();
        let mut claims: HashMap<NodeId, Vec<u32>> = HashMap::new();
        for key in keys {
            for (id, number) in self.claims(key, &scan) {
                claims.entry(id).or_default().push(number);
            }
        }
        let changed = self.find_all_changed(&scan, &self.screen_before_selection(tree));
        let mut refs = ScreenRefs::default();
        for (id, evidence) in scan.items() {
            if !tree.is_on_screen(*id) && !hidden.contains(id) {
                continue;
            }
            let claims = claims.get(id).map_or(&[][..], Vec::as_slice);
            let number = match (claims, changed.get(id)) {
                ([number], _) => *number,
                ([], Some(number)) => *number,
                _ => {
                    // An element has only one reference.
                    claims.iter().for_each(|number| self.retire(*number));
                    self.numbers.next()
                }
            };
            self.store(number, evidence.clone(), tree, *id);
            refs.0.insert(*id, number);
        }
        self.remove_oldest();
        refs
    }

    /// The element of a reference on a screen.
    pub fn resolve(&self, reference: &str, tree: &UiTree) -> ResolvedRef {
        let number = number(reference);
        let Some(entry) = number.and_then(|number| self.entries.get(&number)) else {
            return ResolvedRef::Unknown;
        };
        let scan = Scan::of(tree, &self.titles);
        if let Some(id) = self.find(entry, &scan) {
            let claims = self.claims(entry.evidence.key, &scan);
            let claim = (id, number.unwrap_or_default());
            let claims: Vec<(NodeId, u32)> = claims.filter(|(other, _)| *other == id).collect();
            if claims == [claim] {
                return ResolvedRef::Found(id);
            }
        } else if let Some(id) = match entry.seen == self.time {
            true => self.find_changed(entry, &scan, &self.screen_before_selection(tree)),
            false => self.find_reloaded(entry, &scan),
        } {
            return ResolvedRef::Found(id);
        }
        let may_be_it = |id: &NodeId| {
            // A row without its list has another role.
            let is_alike = identity_hash(tree, *id) == entry.evidence.identity_hash
                || entry.name.is_some() && display_name(tree, *id) == entry.name;
            // The name of a button may say what it does next.
            let has_id = || !entry.id.is_empty() && tree.node(*id).id == entry.id;
            let has_label = || ContextLabel::of(tree, *id) == entry.label;
            match is_alike {
                true => !is_in_row(tree, *id) || has_label(),
                false => entry.label.has_text() && has_id() && has_label(),
            }
        };
        ResolvedRef::Stale {
            possible: tree.on_screen().find(may_be_it),
            was: entry.describe(),
            nearest: nearest(&entry.evidence, &entry.label, &scan, tree),
            same_name: same_name(&entry.evidence, &scan, tree),
        }
    }

    /// Finds the element of a reference. `None` if its context changed. Also `None` if the key was unique and an equal element now
    /// uses a recycled node: the page then shows other records in the same nodes.
    fn find(&self, entry: &Entry, scan: &Scan) -> Option<NodeId> {
        let then = &entry.evidence;
        let found = compare::find(then, scan)?;
        let (_, now) = scan.with_id(found)?;
        if then.is_in_another_context(now) || self.is_in_popup_of_other_press(entry, now) {
            return None;
        }
        if then.has_equal || then.origin.is_none() {
            return Some(found);
        }
        let mut equals = scan.with_key(then.key).filter(|(id, _)| *id != found);
        let is_recycled = |(_, now): &(NodeId, Evidence)| {
            let mut entries = self.entries.values().map(|entry| &entry.evidence);
            now.origin.is_some()
                && entries.any(|other| other.origin == now.origin && other.key != now.key)
        };
        (!equals.any(is_recycled)).then_some(found)
    }

    /// The elements that references with this key match, with the number of the reference.
    fn claims<'a>(&'a self, key: u64, scan: &'a Scan) -> impl Iterator<Item = (NodeId, u32)> + 'a {
        let numbers = self.by_key.get(&key).into_iter().flatten();
        numbers.filter_map(|number| {
            let entry = self.entries.get(number)?;
            Some((self.find(entry, scan)?, *number))
        })
    }

    /// The elements that lost references match by other keys; see [`Self::find_changed`] and [`Self::find_reloaded`].
    fn find_all_changed(&self, scan: &Scan, before: &LazyScan) -> HashMap<NodeId, u32> {
        let is_last = |entry: &Entry| entry.seen == self.time - 1;
        let (last, earlier): (Vec<_>, Vec<_>) =
            self.entries.iter().partition(|(_, entry)| is_last(entry));
        let lost = last
            .into_iter()
            .filter(|(_, entry)| self.find(entry, scan).is_none());
        let found = lost
            .filter_map(|(number, entry)| Some((self.find_changed(entry, scan, before)?, *number)));
        let mut changed: HashMap<NodeId, Option<u32>> = HashMap::new();
        for (id, number) in found {
            // An element has only one reference.
            let first = changed.entry(id);
            first
                .and_modify(|number| *number = None)
                .or_insert(Some(number));
        }
        // The newest one of the references that were not on the last screen.
        for (number, entry) in earlier.into_iter().rev() {
            if let Some(id) = self.find_reloaded(entry, scan) {
                changed.entry(id).or_insert(Some(*number));
            }
        }
        let unique = changed.into_iter();
        let unique = unique.filter_map(|(id, number)| Some((id, number?)));
        unique.collect()
    }

    /// Finds the element of a lost reference by the other keys: its row, a changed text, a reload or an option selection. An
    /// element that another reference already matches is excluded.
    fn find_changed(&self, entry: &Entry, scan: &Scan, before: &LazyScan) -> Option<NodeId> {
        let then = &entry.evidence;
        let is_same_context = |(_, now): &&(NodeId, Evidence)| !then.is_in_another_context(now);
        let pressed = |scan| self.presses.find(then, scan);
        let found = changed_text::find(then, scan);
        let found = found.or_else(|| by_row::find(then, scan));
        let found = found.or_else(|| pressed(scan)).filter(is_same_context);
        let found = found.or_else(|| after_reload::find(then, scan));
        let before_selection = || {
            let before = before.as_ref()?;
            let by_press = || Some(pressed(before).filter(is_same_context)?.0);
            scan.with_id(self.find(entry, before).or_else(by_press)?)
        };
        self.unless_claimed(entry, found.or_else(before_selection)?, scan)
    }

    /// Whether the element is in a dialog or menu that another element opened since: the same dialog for another record.
    fn is_in_popup_of_other_press(&self, entry: &Entry, now: &Evidence) -> bool {
        let is_new = now
            .popup
            .is_some_and(|popup| !self.opener.open.contains(&popup));
        is_new && entry.opener != self.opener.key
    }

    /// Finds the element of a reference that was not on the last screen, after its page was reloaded with or without a route.
    fn find_reloaded(&self, entry: &Entry, scan: &Scan) -> Option<NodeId> {
        let key = entry.evidence.reload.filter(|key| key.has_whole_page());
        let found = key.and(after_reload::find(&entry.evidence, scan))?;
        self.unless_claimed(entry, found, scan)
    }

    /// The found element, unless another reference matches it or another element opened its dialog.
    fn unless_claimed(
        &self,
        entry: &Entry,
        (id, now): &(NodeId, Evidence),
        scan: &Scan,
    ) -> Option<NodeId> {
        let is_claimed = || self.claims(now.key, scan).any(|(other, _)| other == *id);
        (!self.is_in_popup_of_other_press(entry, now) && !is_claimed()).then_some(*id)
    }

    /// The screen before options were selected; `None` if none was.
    fn screen_before_selection<'a>(&'a self, tree: &'a UiTree) -> LazyScan<'a> {
        let scan = || {
            Some(Scan::of(
                &self.presses.with_texts_before_selection(tree)?,
                &self.titles,
            ))
        };
        LazyCell::new(Box::new(scan))
    }

    fn store(&mut self, number: u32, evidence: Evidence, tree: &UiTree, id: NodeId) {
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
            role: tree.node(id).role,
            id: Arc::clone(&tree.node(id).id),
            name: display_name(tree, id),
            label: ContextLabel::of(tree, id),
            opener: self.opener.key,
            seen: self.time,
        };
        self.entries.insert(number, entry);
    }

    /// Removes the least recently seen references, until [`MAX`] are left.
    fn remove_oldest(&mut self) {
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
            self.remove(number);
        }
    }

    fn remove(&mut self, number: u32) {
        self.retire(number);
        self.entries.remove(&number);
    }

    /// Makes a reference permanently stale.
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
    /// The element whose reference stands for a node: itself, or the control that a press on the node presses. This is the
    /// control around it, unless that contains others and is not the node's row.
    pub fn ref_target(&self, id: NodeId) -> Option<NodeId> {
        let is_target = |id: &NodeId| can_have_ref(self.node(*id));
        if is_target(&id) {
            return Some(id);
        }
        let around = self.ancestors(id).find(is_target)?;
        let node = self.node(around);
        let is_row = matches!(node.role, Role::ListItem | Role::Row | Role::Card);
        let has_others = || self.subtree(around).skip(1).any(|id| is_target(&id));
        (node.can_act() && (is_row || !has_others())).then_some(around)
    }
}

/// The name that describes an element, without the text of a field, which may be secret.
fn display_name(tree: &UiTree, id: NodeId) -> Option<String> {
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
    // A switch without a name is described by its row.
    let row = || {
        tree.ancestors(id)
            .find(|around| can_have_ref(tree.node(*around)))
    };
    let name_of_row = || tree.texts_of_row(row()?).into_iter().find_map(text);
    let name = name.or_else(name_of_row);
    let name = name.or_else(|| tree.name_beside(id).map(str::to_owned));
    let name = name.or_else(|| (!node.id.is_empty()).then(|| node.id.to_string()));
    name.map(|name| name.chars().take(MAX_LENGTH).collect())
}

/// A role with the name of an element.
fn with_role(role: Role, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{} {}", role.as_str(), Quoted(name)),
        None => role.as_str().to_owned(),
    }
}

/// A short description of an element, without the text of a field, which may be secret.
pub fn describe(tree: &UiTree, id: NodeId) -> String {
    with_role(tree.node(id).role, display_name(tree, id).as_deref())
}

/// A short description of an element with its label.
pub fn describe_in_place(tree: &UiTree, id: NodeId) -> String {
    ContextLabel::of(tree, id).append_to(describe(tree, id))
}

/// A shared [`RefTable`].
#[derive(Clone, Debug, Default)]
pub struct Refs(Arc<Mutex<RefTable>>);

impl Refs {
    /// Shares a table.
    pub fn new(table: RefTable) -> Self {
        Self(Arc::new(Mutex::new(table)))
    }

    /// Locks the table.
    pub fn lock(&self) -> MutexGuard<'_, RefTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
