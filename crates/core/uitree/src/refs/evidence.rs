//! What tells the elements of a screen apart: their own properties, their row, and what is beside them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::alone::{self, Alone};
use super::beside::{self, Beside};
use super::lasting::{self, Lasting, Row};
use super::nodes::{
    DocumentKey, can_have_ref, dialog_name, has_long_text, hash_of, holds_value, is_content,
    is_evidence, is_frame, is_value, own_key, rows, window_identity,
};
use super::reloaded::{self, Reloaded};
use crate::{Node, NodeId, Role, State, UiTree};

/// How many units before and after one are compared.
pub(super) const NEIGHBORS: usize = 3;

/// The key of a unit that only shows a value, such as a counter.
const VALUE: u64 = 1;

/// The evidence for one element on one screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Window, page and title or the frame of pages, container, row, own properties: equal for the element and its equals.
    pub(super) key: u64,
    /// The element's own properties only.
    pub(super) own: u64,
    /// Whether it is the page as a whole.
    pub(super) is_page: bool,
    /// Whether it is only scrolled, and has an id.
    pub(super) is_scroller: bool,
    pub(super) document: DocumentKey,
    /// The same element of the platform, if the platform numbers its elements.
    pub(super) origin: Option<u64>,
    /// The heading before it, on pages, without a number in parentheses.
    pub(super) heading: Option<u64>,
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
    /// What remains when a text of it changes.
    pub(super) lasting: Option<Lasting>,
    /// What remains in another document.
    pub(super) reloaded: Option<Reloaded>,
    /// What remains when others come or go.
    pub(super) beside: Option<Beside>,
    /// What is around it, if it is the only element of its name or id.
    pub(super) alone: Option<Alone>,
}

/// The evidence for all elements of a screen that can be acted on.
#[derive(Debug, Default)]
pub(super) struct Scan {
    items: Vec<(NodeId, Evidence)>,
    by_key: HashMap<u64, Vec<u32>>,
    by_origin: HashMap<u64, u32>,
    /// The elements that are the only ones with what remains of them.
    by_lasting: HashMap<u64, u32>,
    by_reloaded: HashMap<u64, u32>,
    by_beside: HashMap<u64, u32>,
}

/// Notes the heading before each element of a page.
fn note_headings(items: &mut [(NodeId, Evidence)], tree: &UiTree) {
    let is_heading = |id: &NodeId| matches!(tree.node(*id).role, Role::Heading | Role::Title);
    let text = |id: NodeId| {
        let mut inside = tree.subtree(id).map(|inner| &tree.node(inner).text);
        inside.find(|text| !text.trim().is_empty())
    };
    let headings: Vec<(NodeId, u64)> = tree
        .ids()
        .filter(is_heading)
        .filter_map(|id| {
            let name = without_count(text(id)?);
            Some((id, hash_of(|hasher| name.hash(hasher))))
        })
        .collect();
    for (id, evidence) in items.iter_mut().filter(|(_, of)| of.origin.is_some()) {
        let before = headings.partition_point(|(heading, _)| heading < id);
        evidence.heading = headings[..before].last().map(|(_, hash)| *hash);
    }
}

/// A heading without the number in parentheses at its end: `Inbox` of `Inbox (3)`.
fn without_count(heading: &str) -> &str {
    let heading = heading.trim();
    let count = heading
        .strip_suffix(')')
        .and_then(|inside| inside.rsplit_once('('));
    match count {
        Some((name, count)) if count.chars().all(|digit| digit.is_ascii_digit()) => name.trim_end(),
        _ => heading,
    }
}

impl Scan {
    pub(super) fn of(tree: &UiTree) -> Self {
        let layout = Layout::of(tree);
        let mut scan = Self::default();
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
        note_headings(&mut scan.items, tree);
        lasting::mark_unique(&mut scan.items);
        reloaded::mark_unique(&mut scan.items);
        beside::mark_unique(&mut scan.items);
        alone::note(&mut scan.items, tree, layout.scopes_outside_of_lists());
        for (at, (_, evidence)) in (0..).zip(&scan.items) {
            let lasting = evidence.lasting.filter(|lasting| lasting.is_unique);
            scan.by_lasting
                .extend(lasting.map(|lasting| (lasting.key, at)));
            let reloaded = evidence.reloaded.filter(|reloaded| reloaded.is_unique);
            scan.by_reloaded
                .extend(reloaded.map(|reloaded| (reloaded.key, at)));
            let beside = evidence.beside.filter(|beside| beside.is_unique);
            scan.by_beside.extend(beside.map(|beside| (beside.key, at)));
        }
        scan
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

    /// The element that the platform gives this number.
    pub(super) fn with_origin(&self, origin: u64) -> Option<&(NodeId, Evidence)> {
        self.items.get(*self.by_origin.get(&origin)? as usize)
    }

    /// The only element with this key of what remains when a text of it changes.
    pub(super) fn with_lasting(&self, key: u64) -> Option<&(NodeId, Evidence)> {
        self.items.get(*self.by_lasting.get(&key)? as usize)
    }

    /// The only element with this key of what remains in another document.
    pub(super) fn with_reloaded(&self, key: u64) -> Option<&(NodeId, Evidence)> {
        self.items.get(*self.by_reloaded.get(&key)? as usize)
    }

    /// The only element with this key of the texts before it at its height.
    pub(super) fn with_beside(&self, key: u64) -> Option<&(NodeId, Evidence)> {
        self.items.get(*self.by_beside.get(&key)? as usize)
    }
}

/// A sequence of units: the rows of a list, or the elements of a window, of a dialog, or of a frame of its pages, outside of
/// lists.
struct Scope {
    document: DocumentKey,
    /// The container and everything around it.
    identity: u64,
    /// All that is in the frame of the window's pages that it is or is in.
    frame: Option<u64>,
    is_list: bool,
    /// Whether it is a list that does not scroll, so that the screen has all of its rows.
    is_whole: bool,
    units: Vec<u64>,
    /// The text of each unit that is a value, else 0.
    values: Vec<u64>,
    /// The units, once they are complete.
    shared: Arc<[u64]>,
    sequence: u64,
    /// The first text of each row of a list.
    first_texts: Vec<u64>,
}

/// The scopes of a screen, and the unit of each node.
struct Layout<'t> {
    tree: &'t UiTree,
    scopes: Vec<Scope>,
    /// The scope and the unit of each node.
    places: Vec<(u32, u32)>,
    own: Vec<u64>,
    /// How many pages within others there are of each identity.
    inner_pages: HashMap<u64, u32>,
}

impl<'t> Layout<'t> {
    fn of(tree: &'t UiTree) -> Self {
        let mut layout = Self {
            tree,
            scopes: Vec::new(),
            places: vec![(0, 0); tree.len()],
            own: tree.ids().map(|id| own_key(tree, id)).collect(),
            inner_pages: HashMap::new(),
        };
        for page in tree
            .ids()
            .filter_map(|id| layout.inner_page(id))
            .collect::<Vec<_>>()
        {
            *layout.inner_pages.entry(page).or_default() += 1;
        }
        for window in 0..tree.windows().len() {
            let root = tree.windows()[window].root.0;
            let end = tree.window_end(window);
            let identity = window_identity(tree, window, root..end);
            let document = DocumentKey::of(tree, tree.windows()[window].root);
            let scope = layout.add_scope(document, identity, false);
            layout.add_elements(scope, root..end);
        }
        for scope in &mut layout.scopes {
            scope.sequence = hash_of(|hasher| scope.units.hash(hasher));
            scope.shared = scope.units.as_slice().into();
        }
        layout
    }

    fn add_scope(&mut self, document: DocumentKey, identity: u64, is_list: bool) -> usize {
        self.scopes.push(Scope {
            document,
            identity,
            frame: None,
            is_list,
            is_whole: false,
            units: Vec::new(),
            values: Vec::new(),
            shared: Arc::default(),
            sequence: 0,
            first_texts: Vec::new(),
        });
        self.scopes.len() - 1
    }

    /// Adds each of these nodes as a unit, and the lists among them as scopes of their own.
    fn add_elements(&mut self, scope: usize, nodes: std::ops::Range<u32>) {
        let mut place = nodes.start;
        let mut value_end = 0;
        while place < nodes.end {
            let id = NodeId(place);
            let is_value = place < value_end;
            place += 1;
            let node = self.tree.node(id);
            self.put(scope, id);
            if holds_value(node) {
                value_end = value_end.max(node.end.0);
            }
            if is_evidence(node) && (!is_value || can_have_ref(node)) {
                let key = self.unit_key(id);
                let value = if key == VALUE {
                    self.own[id.index()]
                } else {
                    0
                };
                self.scopes[scope].units.push(key);
                self.scopes[scope].values.push(value);
            }
            if let Some(rows) = rows(self.tree, id) {
                self.add_list(scope, id, &rows);
                place = node.end.0;
            } else if let Some(identity) = self.part_identity(scope, id) {
                let part = self.add_scope(self.scopes[scope].document, identity, false);
                self.scopes[part].frame = self.frame_of(scope, id);
                self.put(part, id);
                self.add_elements(part, place..node.end.0);
                place = node.end.0;
            }
        }
    }

    /// What identifies a page within another one on its screen; `None` for any other node.
    fn inner_page(&self, id: NodeId) -> Option<u64> {
        let node = self.tree.node(id);
        let is_inner = node.role == Role::WebView && node.parent.is_some();
        let (own, path) = (self.own[id.index()], node.attribute("path"));
        is_inner.then(|| hash_of(|hasher| (own, &node.owner, path).hash(hasher)))
    }

    /// What identifies a part of the window with elements of its own: a dialog with a name, a page within the page that is like no
    /// other, or a frame of its pages.
    fn part_identity(&self, around: usize, id: NodeId) -> Option<u64> {
        let identity = dialog_name(self.tree, id)
            .map(|name| hash_of(|hasher| (self.scopes[around].identity, name).hash(hasher)));
        let page = self
            .inner_page(id)
            .filter(|page| self.inner_pages.get(page) == Some(&1));
        let outer = self.scopes[around].identity;
        let of_page = page.map(|page| hash_of(|hasher| (outer, page).hash(hasher)));
        identity
            .or(of_page)
            .or_else(|| self.frame_identity(around, id))
    }

    /// What identifies a part of the window that stays when its page changes; `None` for any other node.
    fn frame_identity(&self, around: usize, id: NodeId) -> Option<u64> {
        if !is_frame(self.tree.node(id))
            || self
                .tree
                .ancestors(id)
                .any(|id| is_content(self.tree.node(id)))
        {
            return None;
        }
        let own = self.own[id.index()];
        let is_inside_of_another = self
            .tree
            .ancestors(id)
            .any(|id| is_frame(self.tree.node(id)));
        if is_inside_of_another {
            return Some(hash_of(|hasher| {
                (self.scopes[around].identity, own).hash(hasher)
            }));
        }
        // The same node of the same document.
        let origin = self.tree.origin(id)?;
        let owner = &self.tree.node(id).owner;
        Some(hash_of(|hasher| (origin, owner, own).hash(hasher)))
    }

    /// All that is in the frame of the window's pages that a part of them is or is in.
    fn frame_of(&self, around: usize, id: NodeId) -> Option<u64> {
        let outer = self.scopes[around].frame;
        let is_new = outer.is_none() && is_frame(self.tree.node(id));
        let all = || {
            hash_of(|hasher| {
                for inner in self.tree.subtree(id) {
                    self.unit_key(inner).hash(hasher);
                }
            })
        };
        outer.or_else(|| is_new.then(all))
    }

    /// The key of a node as a unit.
    fn unit_key(&self, id: NodeId) -> u64 {
        match is_value(self.tree, id) {
            true => VALUE,
            false => self.own[id.index()],
        }
    }

    /// Adds the list `id` with its rows as a scope.
    fn add_list(&mut self, around: usize, id: NodeId, rows: &[NodeId]) {
        let unit = self.places[id.index()].1;
        let outer = &self.scopes[around];
        let row = outer.units.get(unit as usize).filter(|_| outer.is_list);
        let identity = hash_of(|hasher| {
            outer.identity.hash(hasher);
            row.hash(hasher);
            self.own[id.index()].hash(hasher);
        });
        let frame = outer.frame;
        let scope = self.add_scope(self.scopes[around].document, identity, true);
        self.scopes[scope].frame = frame;
        let scrolls = |id: NodeId| self.tree.node(id).is(State::SCROLLABLE);
        self.scopes[scope].is_whole = !scrolls(id) && !self.tree.ancestors(id).any(scrolls);
        // Nodes between the list and its rows.
        for inner in self.tree.subtree(id).skip(1) {
            self.put(scope, inner);
        }
        for row in rows {
            self.add_row(scope, *row);
        }
    }

    fn add_row(&mut self, scope: usize, row: NodeId) {
        let end = self.tree.node(row).end.0;
        let unit = self.scopes[scope].units.len() as u32;
        let mut lists = Vec::new();
        let mut parts = DefaultHasher::new();
        let mut place = row.0;
        let mut value_end = 0;
        while place < end {
            let id = NodeId(place);
            let node = self.tree.node(id);
            self.places[id.index()] = (scope as u32, unit);
            if place >= value_end || can_have_ref(node) {
                self.own[id.index()].hash(&mut parts);
            }
            if holds_value(node) {
                value_end = value_end.max(node.end.0);
            }
            place += 1;
            if let Some(rows) = rows(self.tree, id) {
                lists.push((id, rows));
                place = self.tree.node(id).end.0;
            }
        }
        let key = parts.finish();
        self.scopes[scope].units.push(key);
        self.scopes[scope].values.push(0);
        self.scopes[scope]
            .first_texts
            .push(lasting::first_text(self.tree, row));
        for (id, rows) in lists {
            self.add_list(scope, id, &rows);
        }
    }

    /// Notes the next unit of a scope as that of a node.
    fn put(&mut self, scope: usize, id: NodeId) {
        let unit = self.scopes[scope].units.len() as u32;
        self.places[id.index()] = (scope as u32, unit);
    }

    /// The scope of each node, `None` in a list.
    fn scopes_outside_of_lists(&self) -> Vec<Option<u32>> {
        let scopes = self.places.iter().map(|(scope, _)| *scope);
        let in_list = |scope: u32| self.scopes[scope as usize].is_list;
        scopes
            .map(|scope| (!in_list(scope)).then_some(scope))
            .collect()
    }

    /// The key and the evidence of a node.
    fn evidence(&self, id: NodeId) -> (u64, Evidence) {
        let (scope, unit) = self.places[id.index()];
        let scope = &self.scopes[scope as usize];
        let own = self.own[id.index()];
        let at = unit as usize;
        let node = self.tree.node(id);
        let row = scope.units.get(at).copied().filter(|_| scope.is_list);
        let is_page = self.is_page(id);
        let key = hash_of(|hasher| {
            if is_page {
                // Whatever it shows.
                return (&self.tree.node(id).owner, own).hash(hasher);
            }
            scope.identity.hash(hasher);
            row.hash(hasher);
            own.hash(hasher);
            if row.is_some() {
                self.ordinal_in_row(id).hash(hasher);
            }
        });
        let unit_at = |at: Option<usize>| at.and_then(|at| scope.units.get(at).copied());
        let neighbors = |step: fn(usize, usize) -> Option<usize>| {
            std::array::from_fn(|away| unit_at(step(at, away + 1)).unwrap_or(0))
        };
        let value = |step: fn(usize, usize) -> Option<usize>| {
            let mut near = (1..=NEIGHBORS).filter_map(|away| scope.values.get(step(at, away)?));
            near.find(|value| **value != 0).copied().unwrap_or(0)
        };
        let evidence = Evidence {
            key,
            own,
            is_page,
            is_scroller: !node.can_act() && !node.id.is_empty(),
            document: scope.document,
            origin: self.tree.origin(id),
            heading: None,
            names_itself: scope.is_list || has_long_text(self.tree, id),
            before: neighbors(usize::checked_sub),
            after: neighbors(usize::checked_add),
            values: [value(usize::checked_sub), value(usize::checked_add)],
            is_told_by_values: false,
            units: Arc::clone(&scope.shared),
            sequence: hash_of(|hasher| (scope.identity, scope.sequence).hash(hasher)),
            ordinal: 0,
            equals: 1,
            has_equal: false,
            has_double: false,
            lasting: self.lasting(id),
            reloaded: self.reloaded(id),
            beside: self.beside(id),
            alone: None,
        };
        (key, evidence)
    }

    /// Whether a node is the page as a whole, whose references are for scrolling.
    fn is_page(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        node.parent.is_none() && node.role == Role::WebView
    }

    /// What remains of a node in another document.
    fn reloaded(&self, id: NodeId) -> Option<Reloaded> {
        let scope = &self.scopes[self.places[id.index()].0 as usize];
        let own = self.own[id.index()];
        let link = Reloaded::of_link(self.tree, id, own);
        link.or_else(|| {
            Reloaded::of_frame_part(self.tree, id, scope.document.query, scope.frame?, own)
        })
    }

    /// What remains of a node outside of lists when others come or go.
    fn beside(&self, id: NodeId) -> Option<Beside> {
        let (place, _) = self.places[id.index()];
        let scope = &self.scopes[place as usize];
        let is_in_scope = |other: NodeId| self.places[other.index()].0 == place;
        match scope.is_list {
            true => None,
            false => {
                let (identity, own) = (scope.identity, &*self.own);
                Beside::of_tab(self.tree, id, identity, own, is_in_scope)
                    .or_else(|| Beside::of(self.tree, id, identity, own, is_in_scope))
                    .or_else(|| Beside::of_stepper(self.tree, id, identity, own, is_in_scope))
                    .or_else(|| Beside::of_card(self.tree, id, identity, own, is_in_scope))
            }
        }
    }

    /// What remains of a node when a text of it changes.
    fn lasting(&self, id: NodeId) -> Option<Lasting> {
        let (scope, unit) = self.places[id.index()];
        let scope = &self.scopes[scope as usize];
        let node = self.tree.node(id);
        if !scope.is_list {
            return Lasting::of_counter(scope.identity, node);
        }
        let (before, after) = scope.first_texts.split_at_checked(unit as usize)?;
        let (first_text, after) = after.split_first()?;
        let row = Row {
            first_text: *first_text,
            place: hash_of(|hasher| (scope.identity, &scope.first_texts, unit).hash(hasher)),
            others: scope.is_whole.then(|| {
                let mut others: Vec<u64> = before.iter().chain(after).copied().collect();
                others.sort_unstable();
                hash_of(|hasher| (scope.identity, others).hash(hasher))
            }),
        };
        Lasting::of_row(scope.identity, row, node, self.kinds_before(id))
    }

    /// How many nodes of the same row before this one are of the same kind.
    fn kinds_before(&self, id: NodeId) -> usize {
        let place = self.places[id.index()];
        let node = self.tree.node(id);
        let before = (0..id.index())
            .rev()
            .take_while(|other| self.places[*other] == place)
            .map(|other| self.tree.node(NodeId(other as u32)));
        let is_same = |other: &&Node| (other.role, &other.class) == (node.role, &node.class);
        before.filter(is_same).count()
    }

    /// How many nodes of the same row before this one have the same properties.
    fn ordinal_in_row(&self, id: NodeId) -> usize {
        let place = self.places[id.index()];
        let own = self.own[id.index()];
        let before = (0..id.index())
            .rev()
            .take_while(|other| self.places[*other] == place);
        before.filter(|other| self.own[*other] == own).count()
    }
}
