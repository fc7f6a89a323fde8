//! The parts of a screen and the lists in them, as sequences of units, and the evidence that each element gets from its place there.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use super::Evidence;
use super::after_reload::ReloadKey;
use super::by_row::{RowKey, Surroundings};
use super::changed_text::{self, Row, TextKey};
use super::evidence::NEIGHBORS;
use super::nodes::{
    DocumentKey, can_have_ref, dialog_name, has_long_text, hash_of, holds_value, is_content,
    is_evidence, is_frame, is_search, is_text, is_value, own_key, popup_around, rows,
    window_identity,
};
use crate::card::Card;
use crate::{Node, NodeId, Role, State, UiTree};

/// The key of a unit that only shows a value, such as a counter.
const VALUE: u64 = 1;

/// A sequence of units: the rows of a list, or the elements of a window, of a dialog, or of a frame of its pages, outside of
/// lists.
struct Scope {
    document: DocumentKey,
    /// The container and everything around it.
    identity: u64,
    /// All that is in the frame of the window's pages that it is or is in.
    frame: Option<u64>,
    is_list: bool,
    /// The scope around it, if it is a series of cards: their texts say what the elements around them are about.
    cards_in: Option<usize>,
    /// The nearest scope around it that is no list, or itself.
    part: usize,
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
    /// What tells where a row is while its own texts change: the first text of each row, or all texts of each card, which may be
    /// fields of a record with the same names for each record.
    places: Vec<u64>,
}

/// The scopes of a screen, and the unit of each node.
pub(super) struct Layout<'t> {
    tree: &'t UiTree,
    scopes: Vec<Scope>,
    /// The scope and the unit of each node.
    places: Vec<(u32, u32)>,
    pub(super) own: Vec<u64>,
    /// All of the screen.
    content: u64,
    /// How many pages within others there are of each identity.
    inner_pages: HashMap<u64, u32>,
}

impl<'t> Layout<'t> {
    pub(super) fn of(tree: &'t UiTree) -> Self {
        let own: Vec<u64> = tree.ids().map(|id| own_key(tree, id)).collect();
        let mut layout = Self {
            tree,
            scopes: Vec::new(),
            places: vec![(0, 0); tree.len()],
            content: hash_of(|hasher| own.hash(hasher)),
            own,
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
            let scope = layout.add_scope(document, identity, None);
            layout.add_elements(scope, root..end);
        }
        for scope in &mut layout.scopes {
            scope.sequence = hash_of(|hasher| scope.units.hash(hasher));
            scope.shared = scope.units.as_slice().into();
        }
        layout
    }

    fn add_scope(&mut self, document: DocumentKey, identity: u64, list_in: Option<usize>) -> usize {
        let part = match list_in {
            Some(around) => self.scopes[around].part,
            None => self.scopes.len(),
        };
        self.scopes.push(Scope {
            document,
            identity,
            frame: None,
            is_list: list_in.is_some(),
            cards_in: None,
            part,
            is_whole: false,
            units: Vec::new(),
            values: Vec::new(),
            shared: Arc::default(),
            sequence: 0,
            first_texts: Vec::new(),
            places: Vec::new(),
        });
        self.scopes.len() - 1
    }

    /// Adds each of these nodes as a unit, and the lists among them as scopes of their own.
    fn add_elements(&mut self, scope: usize, nodes: Range<u32>) {
        let mut place = nodes.start;
        let mut value_end = 0;
        let mut series = HashMap::new();
        while place < nodes.end {
            let id = NodeId(place);
            if let Some(card) = self.tree.cards.at(id, &nodes) {
                let texts = self.add_card(scope, card, &mut series);
                self.scopes[scope].units.push(texts);
                self.scopes[scope].values.push(0);
                place = card.nodes.end;
                continue;
            }
            let is_value = place < value_end;
            place += 1;
            let node = self.tree.node(id);
            self.put(scope, id);
            if holds_value(node) {
                value_end = value_end.max(node.end.0);
            }
            // A page scrolls or not, as long as its content is.
            let counts = is_evidence(node) && !self.is_page(id);
            if counts && (!is_value || can_have_ref(node)) {
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
                let part = self.add_scope(self.scopes[scope].document, identity, None);
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
        let scope = self.add_list_scope(around, id, self.own[id.index()]);
        // Nodes between the list and its rows.
        for inner in self.tree.subtree(id).skip(1) {
            self.put(scope, inner);
        }
        for row in rows {
            let nodes = row.0..self.tree.node(*row).end.0;
            let first_text = changed_text::first_text(self.tree, nodes.clone());
            self.scopes[scope].places.push(first_text);
            self.add_row(scope, nodes);
        }
    }

    /// Adds a card as a row of its series, and returns what it is about; `series` has the scopes of those that have been added.
    fn add_card(&mut self, around: usize, card: &Card, series: &mut HashMap<u32, usize>) -> u64 {
        let first = NodeId(card.nodes.start);
        let scope = match series.get(&card.series) {
            Some(scope) => *scope,
            None => {
                self.put(around, first);
                let scope = self.add_list_scope(around, first, card.kind);
                self.scopes[scope].cards_in = Some(around);
                series.insert(card.series, scope);
                scope
            }
        };
        let texts = self.texts_of_card(card);
        self.scopes[scope].places.push(texts);
        self.add_row(scope, card.nodes.clone());
        texts
    }

    /// What a card is about: its texts, without the names of its controls.
    fn texts_of_card(&self, card: &Card) -> u64 {
        let texts = card.nodes.clone().map(NodeId);
        let texts = texts.filter(|id| is_text(self.tree, *id));
        hash_of(|hasher| {
            card.kind.hash(hasher);
            texts.for_each(|id| self.own[id.index()].hash(hasher));
        })
    }

    /// Adds a scope for the rows of a list that begins at a node and has these properties.
    fn add_list_scope(&mut self, around: usize, first: NodeId, properties: u64) -> usize {
        let unit = self.places[first.index()].1;
        let outer = &self.scopes[around];
        let row = outer.units.get(unit as usize).filter(|_| outer.is_list);
        let identity = hash_of(|hasher| (outer.identity, row, properties).hash(hasher));
        let frame = outer.frame;
        let scope = self.add_scope(self.scopes[around].document, identity, Some(around));
        self.scopes[scope].frame = frame;
        let scrolls = |id: NodeId| self.tree.node(id).is(State::SCROLLABLE);
        self.scopes[scope].is_whole = !scrolls(first) && !self.tree.ancestors(first).any(scrolls);
        scope
    }

    fn add_row(&mut self, scope: usize, nodes: Range<u32>) {
        let unit = self.scopes[scope].units.len() as u32;
        let mut lists = Vec::new();
        let mut cards = Vec::new();
        let mut parts = DefaultHasher::new();
        let mut place = nodes.start;
        let mut value_end = 0;
        while place < nodes.end {
            let id = NodeId(place);
            if let Some(card) = self.tree.cards.at(id, &nodes) {
                cards.push(card);
                self.places[id.index()] = (scope as u32, unit);
                place = card.nodes.end;
                continue;
            }
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
            .push(changed_text::first_text(self.tree, nodes));
        for (id, rows) in lists {
            self.add_list(scope, id, &rows);
        }
        let mut series = HashMap::new();
        for card in cards {
            self.add_card(scope, card, &mut series);
        }
    }

    /// Notes the next unit of a scope as that of a node.
    fn put(&mut self, scope: usize, id: NodeId) {
        let unit = self.scopes[scope].units.len() as u32;
        self.places[id.index()] = (scope as u32, unit);
    }

    /// The part of the screen that each node is in.
    pub(super) fn parts(&self) -> Vec<u32> {
        let part = |(scope, _): &(u32, u32)| self.scopes[*scope as usize].part as u32;
        self.places.iter().map(part).collect()
    }

    /// The scope of each node, `None` in a list. What is in a card is in the scope around its series.
    pub(super) fn scopes_outside_of_lists(&self) -> Vec<Option<u32>> {
        let outside = |(scope, _): &(u32, u32)| {
            let mut scope = *scope as usize;
            while let Some(around) = self.scopes[scope].cards_in {
                scope = around;
            }
            (!self.scopes[scope].is_list).then_some(scope as u32)
        };
        self.places.iter().map(outside).collect()
    }

    /// The key and the evidence of a node.
    pub(super) fn evidence(&self, id: NodeId) -> (u64, Evidence) {
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
            at: id,
            key,
            own,
            is_page,
            is_search: is_search(node),
            has_author_key: self.tree.author_key(id) != 0,
            popup: popup_around(self.tree, id).map(|popup| self.own[popup.index()]),
            is_scroller: !node.can_act(),
            has_id: !node.id.is_empty(),
            document: scope.document,
            origin: self.tree.origin(id),
            context: Arc::default(),
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
            text: self.text_key(id),
            reload: self.reload_key(id),
            row: self.row_key(id),
            is_unique: [false; 3],
            name: None,
        };
        (key, evidence)
    }

    /// Whether a node is the page as a whole, whose references are for scrolling.
    fn is_page(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        node.parent.is_none() && node.role == Role::WebView
    }

    fn reload_key(&self, id: NodeId) -> Option<ReloadKey> {
        let scope = &self.scopes[self.places[id.index()].0 as usize];
        let own = self.own[id.index()];
        let query = scope.document.query;
        ReloadKey::of_link(self.tree, id, own)
            .or_else(|| ReloadKey::of_frame_part(self.tree, id, query, scope.frame?, own))
            .or_else(|| ReloadKey::of_page_part(self.tree, id, query, self.content, own))
    }

    fn row_key(&self, id: NodeId) -> Option<RowKey> {
        let (place, _) = self.places[id.index()];
        let scope = &self.scopes[place as usize];
        let surroundings = Surroundings {
            tree: self.tree,
            scope: scope.identity,
            hashes: &self.own,
            is_in_scope: |other: NodeId| self.places[other.index()].0 == place,
        };
        (!scope.is_list).then(|| surroundings.key(id)).flatten()
    }

    fn text_key(&self, id: NodeId) -> Option<TextKey> {
        let (scope, unit) = self.places[id.index()];
        let scope = &self.scopes[scope as usize];
        let node = self.tree.node(id);
        if !scope.is_list {
            return TextKey::of_counter(scope.identity, node);
        }
        let first_text = scope.first_texts.get(unit as usize)?;
        let (before, after) = scope.places.split_at_checked(unit as usize)?;
        let (_, after) = after.split_first()?;
        let row = Row {
            first_text: *first_text,
            place: hash_of(|hasher| (scope.identity, before, after, unit).hash(hasher)),
            others: scope.is_whole.then(|| {
                let mut others: Vec<u64> = before.iter().chain(after).copied().collect();
                others.sort_unstable();
                hash_of(|hasher| (scope.identity, others).hash(hasher))
            }),
        };
        TextKey::of_row(scope.identity, row, node, self.kinds_before(id))
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
