//! The scopes of a screen with their items, and the evidence that an element gets from its position there.

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
    DocumentKey, can_have_ref, dialog_name, has_long_text, hash_of, holds_value, identity_hash,
    is_content, is_evidence, is_page_landmark, is_search, is_text, is_value, popup_around, rows,
    window_identity,
};
use super::screen_title::{ScreenTitle, ScreenTitles};
use crate::card::Card;
use crate::{Node, NodeId, Role, State, UiTree};

/// The hash of an item that only shows a value, such as a counter.
const VALUE: u64 = 1;

/// The rows of a list, or the elements of a window, dialog, inner page or page landmark outside of lists.
struct Scope {
    document: DocumentKey,
    /// Hash of the container and the scopes around it.
    identity: u64,
    /// The title of the screen in its window.
    title: Arc<ScreenTitle>,
    /// Hash of the enclosing page landmark's content; `None` outside of landmarks.
    page_frame_hash: Option<u64>,
    is_list: bool,
    /// The scope around it, if it is a series of cards, which are also items there.
    scope_of_cards: Option<usize>,
    /// The innermost scope that is not a list: itself or one around it.
    part: usize,
    /// Whether it is a list that does not scroll, so that the tree has all of its rows.
    is_complete: bool,
    item_hashes: Vec<u64>,
    /// The identity hash of each item that is a value, else 0.
    values: Vec<u64>,
    /// `item_hashes`, once all are added.
    shared_item_hashes: Arc<[u64]>,
    sequence: u64,
    /// Hash of the first text of each row of a list.
    first_texts: Vec<u64>,
    /// Identifies each row while its other texts change: a hash of its first text, or of all texts of a card.
    row_identities: Vec<u64>,
}

/// The scopes of a screen, and the item of each node.
pub(super) struct Layout<'t> {
    tree: &'t UiTree,
    scopes: Vec<Scope>,
    /// The scope and the item of each node.
    item_of_node: Vec<(u32, u32)>,
    pub(super) identity_hashes: Vec<u64>,
    /// Hash of the whole screen.
    content: u64,
    /// The number of inner pages with each identity.
    inner_pages: HashMap<u64, u32>,
    pub(super) titles: ScreenTitles,
}

impl<'t> Layout<'t> {
    /// The layout of a screen; `before` has the titles of the one before.
    pub(super) fn of(tree: &'t UiTree, before: &ScreenTitles) -> Self {
        let identity_hashes: Vec<u64> = tree.ids().map(|id| identity_hash(tree, id)).collect();
        let mut layout = Self {
            tree,
            scopes: Vec::new(),
            item_of_node: vec![(0, 0); tree.len()],
            content: hash_of(|hasher| identity_hashes.hash(hasher)),
            identity_hashes,
            inner_pages: HashMap::new(),
            titles: before.next(tree),
        };
        let pages: Vec<u64> = tree.ids().filter_map(|id| layout.inner_page(id)).collect();
        for page in pages {
            *layout.inner_pages.entry(page).or_default() += 1;
        }
        for window in 0..tree.windows().len() {
            let root = tree.windows()[window].root;
            let nodes = root.0..tree.window_end(window);
            let identity = window_identity(tree, window, nodes.clone());
            let document = DocumentKey::of(tree, root);
            let title = layout.titles.of(identity).cloned().unwrap_or_default();
            let scope = layout.add_scope(document, identity, title, None);
            layout.add_elements(scope, nodes);
        }
        for scope in &mut layout.scopes {
            scope.sequence = hash_of(|hasher| scope.item_hashes.hash(hasher));
            scope.shared_item_hashes = scope.item_hashes.as_slice().into();
        }
        layout
    }

    fn add_scope(
        &mut self,
        document: DocumentKey,
        identity: u64,
        title: Arc<ScreenTitle>,
        list_in: Option<usize>,
    ) -> usize {
        let part = match list_in {
            Some(around) => self.scopes[around].part,
            None => self.scopes.len(),
        };
        self.scopes.push(Scope {
            document,
            identity,
            title,
            page_frame_hash: None,
            is_list: list_in.is_some(),
            scope_of_cards: None,
            part,
            is_complete: false,
            item_hashes: Vec::new(),
            values: Vec::new(),
            shared_item_hashes: Arc::default(),
            sequence: 0,
            first_texts: Vec::new(),
            row_identities: Vec::new(),
        });
        self.scopes.len() - 1
    }

    /// Adds the nodes as items of a scope, and the lists, dialogs, inner pages and landmarks among them as scopes.
    fn add_elements(&mut self, scope: usize, nodes: Range<u32>) {
        let mut next = nodes.start;
        let mut value_end = 0;
        let mut series = HashMap::new();
        while next < nodes.end {
            let id = NodeId(next);
            if let Some(card) = self.tree.cards.at(id, &nodes) {
                let texts = self.add_card(scope, card, &mut series);
                self.scopes[scope].item_hashes.push(texts);
                self.scopes[scope].values.push(0);
                next = card.nodes.end;
                continue;
            }
            let is_value = next < value_end;
            next += 1;
            let node = self.tree.node(id);
            self.set_item(scope, id);
            if holds_value(node) {
                value_end = value_end.max(node.end.0);
            }
            // Whether a page can scroll depends on the length of its content. The title is compared apart.
            let is_item = is_evidence(node) && !self.is_page(id) && !self.titles.is_title(id);
            if is_item && (!is_value || can_have_ref(node)) {
                let item_hash = self.item_hash(id);
                let value = if item_hash == VALUE {
                    self.identity_hashes[id.index()]
                } else {
                    0
                };
                self.scopes[scope].item_hashes.push(item_hash);
                self.scopes[scope].values.push(value);
            }
            if let Some(rows) = rows(self.tree, id) {
                self.add_list(scope, id, &rows);
                next = node.end.0;
            } else if let Some(identity) = self.part_identity(scope, id) {
                let outer = &self.scopes[scope];
                let part = self.add_scope(outer.document, identity, Arc::clone(&outer.title), None);
                self.scopes[part].page_frame_hash = self.page_frame_hash(scope, id);
                self.set_item(part, id);
                self.add_elements(part, next..node.end.0);
                next = node.end.0;
            }
        }
    }

    /// Identifies an inner page on its screen; `None` for any other node.
    fn inner_page(&self, id: NodeId) -> Option<u64> {
        let node = self.tree.node(id);
        let is_inner = node.role == Role::WebView && node.parent.is_some();
        let (hash, path) = (self.identity_hashes[id.index()], node.attribute("path"));
        is_inner.then(|| hash_of(|hasher| (hash, &node.owner, path).hash(hasher)))
    }

    /// Identifies a scope in a window: a named dialog, a unique inner page or a page landmark; `None` for any other node.
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
            .or_else(|| self.landmark_identity(around, id))
    }

    /// Identifies a page landmark, which stays when the page changes; `None` for any other node.
    fn landmark_identity(&self, around: usize, id: NodeId) -> Option<u64> {
        let tree = self.tree;
        let is_in = |test: fn(&Node) -> bool| tree.ancestors(id).any(|id| test(tree.node(id)));
        if !is_page_landmark(tree.node(id)) || is_in(is_content) {
            return None;
        }
        let outer = self.scopes[around].identity;
        let hash = self.identity_hashes[id.index()];
        if is_in(is_page_landmark) {
            return Some(hash_of(|hasher| (outer, hash).hash(hasher)));
        }
        // The same node of the same document.
        let (origin, owner) = (tree.origin(id)?, &tree.node(id).owner);
        Some(hash_of(|hasher| (origin, owner, hash).hash(hasher)))
    }

    /// Hash of the landmark that the node is, or is in.
    fn page_frame_hash(&self, around: usize, id: NodeId) -> Option<u64> {
        let outer = self.scopes[around].page_frame_hash;
        let is_new = outer.is_none() && is_page_landmark(self.tree.node(id));
        let all = || {
            hash_of(|hasher| {
                for inner in self.tree.subtree(id) {
                    self.item_hash(inner).hash(hasher);
                }
            })
        };
        outer.or_else(|| is_new.then(all))
    }

    /// The hash of a node as an item.
    fn item_hash(&self, id: NodeId) -> u64 {
        match is_value(self.tree, id) {
            true => VALUE,
            false => self.identity_hashes[id.index()],
        }
    }

    /// Adds a list with its rows as a scope.
    fn add_list(&mut self, around: usize, id: NodeId, rows: &[NodeId]) {
        let scope = self.add_list_scope(around, id, self.identity_hashes[id.index()]);
        // Nodes between the list and its rows.
        for inner in self.tree.subtree(id).skip(1) {
            self.set_item(scope, inner);
        }
        for row in rows {
            let nodes = row.0..self.tree.node(*row).end.0;
            let first_text = changed_text::first_text(self.tree, nodes.clone());
            self.scopes[scope].row_identities.push(first_text);
            self.add_row(scope, nodes);
        }
    }

    /// Adds a card as a row of its series, and returns the hash of its texts; `series` has the scope of each series so far.
    fn add_card(&mut self, around: usize, card: &Card, series: &mut HashMap<u32, usize>) -> u64 {
        let first = NodeId(card.nodes.start);
        let scope = match series.get(&card.series) {
            Some(scope) => *scope,
            None => {
                self.set_item(around, first);
                let scope = self.add_list_scope(around, first, card.kind);
                self.scopes[scope].scope_of_cards = Some(around);
                series.insert(card.series, scope);
                scope
            }
        };
        let texts = self.texts_of_card(card);
        self.scopes[scope].row_identities.push(texts);
        self.add_row(scope, card.nodes.clone());
        texts
    }

    /// The hash of the texts of a card, without the names of its controls.
    fn texts_of_card(&self, card: &Card) -> u64 {
        let texts = card.nodes.clone().map(NodeId);
        let texts = texts.filter(|id| is_text(self.tree, *id));
        hash_of(|hasher| {
            card.kind.hash(hasher);
            texts.for_each(|id| self.identity_hashes[id.index()].hash(hasher));
        })
    }

    /// Adds a scope for the rows of a list that begins at a node.
    fn add_list_scope(&mut self, around: usize, first: NodeId, properties: u64) -> usize {
        let item = self.item_of_node[first.index()].1 as usize;
        let outer = &self.scopes[around];
        let row = outer.item_hashes.get(item).filter(|_| outer.is_list);
        let identity = hash_of(|hasher| (outer.identity, row, properties).hash(hasher));
        let page_frame_hash = outer.page_frame_hash;
        let scope = self.add_scope(
            outer.document,
            identity,
            Arc::clone(&outer.title),
            Some(around),
        );
        self.scopes[scope].page_frame_hash = page_frame_hash;
        let scrolls = |id: NodeId| self.tree.node(id).is(State::SCROLLABLE);
        self.scopes[scope].is_complete =
            !scrolls(first) && !self.tree.ancestors(first).any(scrolls);
        scope
    }

    fn add_row(&mut self, scope: usize, nodes: Range<u32>) {
        let item = self.scopes[scope].item_hashes.len() as u32;
        let mut lists = Vec::new();
        let mut cards = Vec::new();
        let mut hasher = DefaultHasher::new();
        let mut next = nodes.start;
        let mut value_end = 0;
        while next < nodes.end {
            let id = NodeId(next);
            if let Some(card) = self.tree.cards.at(id, &nodes) {
                cards.push(card);
                self.item_of_node[id.index()] = (scope as u32, item);
                next = card.nodes.end;
                continue;
            }
            let node = self.tree.node(id);
            self.item_of_node[id.index()] = (scope as u32, item);
            if next >= value_end || can_have_ref(node) {
                self.identity_hashes[id.index()].hash(&mut hasher);
            }
            if holds_value(node) {
                value_end = value_end.max(node.end.0);
            }
            next += 1;
            if let Some(rows) = rows(self.tree, id) {
                lists.push((id, rows));
                next = self.tree.node(id).end.0;
            }
        }
        self.scopes[scope].item_hashes.push(hasher.finish());
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

    /// Assigns a node to the next item of a scope.
    fn set_item(&mut self, scope: usize, id: NodeId) {
        let item = self.scopes[scope].item_hashes.len() as u32;
        self.item_of_node[id.index()] = (scope as u32, item);
    }

    /// The part of the screen of each node.
    pub(super) fn parts(&self) -> Vec<u32> {
        let part = |(scope, _): &(u32, u32)| self.scopes[*scope as usize].part as u32;
        self.item_of_node.iter().map(part).collect()
    }

    /// The scope of each node, `None` in a list. A node in a card is in the scope around the cards.
    pub(super) fn scopes_outside_of_lists(&self) -> Vec<Option<u32>> {
        let outside = |(scope, _): &(u32, u32)| {
            let mut scope = *scope as usize;
            while let Some(around) = self.scopes[scope].scope_of_cards {
                scope = around;
            }
            (!self.scopes[scope].is_list).then_some(scope as u32)
        };
        self.item_of_node.iter().map(outside).collect()
    }

    /// The key and the evidence of a node.
    pub(super) fn evidence(&self, id: NodeId) -> (u64, Evidence) {
        let (scope, item) = self.item_of_node[id.index()];
        let scope = &self.scopes[scope as usize];
        let identity_hash = self.identity_hashes[id.index()];
        let at = item as usize;
        let node = self.tree.node(id);
        let row = scope.item_hashes.get(at).copied().filter(|_| scope.is_list);
        let is_page = self.is_page(id);
        let key = hash_of(|hasher| {
            if is_page {
                // Regardless of its content.
                return (&self.tree.node(id).owner, identity_hash).hash(hasher);
            }
            scope.identity.hash(hasher);
            row.hash(hasher);
            identity_hash.hash(hasher);
            if row.is_some() {
                self.ordinal_in_row(id).hash(hasher);
            }
        });
        let item_at = |at: Option<usize>| at.and_then(|at| scope.item_hashes.get(at).copied());
        let neighbors = |step: fn(usize, usize) -> Option<usize>| {
            std::array::from_fn(|away| item_at(step(at, away + 1)).unwrap_or(0))
        };
        let value = |step: fn(usize, usize) -> Option<usize>| {
            let mut near = (1..=NEIGHBORS).filter_map(|away| scope.values.get(step(at, away)?));
            near.find(|value| **value != 0).copied().unwrap_or(0)
        };
        let evidence = Evidence {
            id,
            key,
            identity_hash,
            is_page,
            is_search: is_search(node),
            has_author_key: self.tree.author_key(id) != 0,
            popup: popup_around(self.tree, id).map(|popup| self.identity_hashes[popup.index()]),
            is_scroller: !node.can_act(),
            has_id: !node.id.is_empty(),
            document: scope.document,
            origin: self.tree.origin(id),
            context: Arc::default(),
            // The page frame stays when the page changes.
            screen: scope
                .page_frame_hash
                .is_none()
                .then(|| Arc::clone(&scope.title)),
            has_identifying_text: scope.is_list || has_long_text(self.tree, id),
            before: neighbors(usize::checked_sub),
            after: neighbors(usize::checked_add),
            values: [value(usize::checked_sub), value(usize::checked_add)],
            is_distinguished_by_values: false,
            item_hashes: Arc::clone(&scope.shared_item_hashes),
            sequence: hash_of(|hasher| (scope.identity, scope.sequence).hash(hasher)),
            ordinal: 0,
            equal_count: 1,
            has_equal: false,
            has_equal_with_same_neighbor: false,
            text: self.text_key(id),
            reload: self.reload_key(id),
            row: self.row_key(id),
            is_unique: [false; 3],
            name: None,
        };
        (key, evidence)
    }

    /// Whether a node is the web page itself, whose reference is for scrolling.
    fn is_page(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        node.parent.is_none() && node.role == Role::WebView
    }

    fn reload_key(&self, id: NodeId) -> Option<ReloadKey> {
        let scope = &self.scopes[self.item_of_node[id.index()].0 as usize];
        let hash = self.identity_hashes[id.index()];
        let (tree, query) = (self.tree, scope.document.query);
        ReloadKey::of_link(tree, id, hash)
            .or_else(|| ReloadKey::of_landmark_part(tree, id, query, scope.page_frame_hash?, hash))
            .or_else(|| ReloadKey::of_page_part(tree, id, query, self.content, hash))
    }

    fn row_key(&self, id: NodeId) -> Option<RowKey> {
        let (at, _) = self.item_of_node[id.index()];
        let scope = &self.scopes[at as usize];
        let surroundings = Surroundings {
            tree: self.tree,
            scope: scope.identity,
            identity_hashes: &self.identity_hashes,
            is_in_scope: |other: NodeId| self.item_of_node[other.index()].0 == at,
        };
        (!scope.is_list).then(|| surroundings.key(id)).flatten()
    }

    fn text_key(&self, id: NodeId) -> Option<TextKey> {
        let (scope, item) = self.item_of_node[id.index()];
        let scope = &self.scopes[scope as usize];
        let node = self.tree.node(id);
        if !scope.is_list {
            return TextKey::of_counter(scope.identity, node);
        }
        let first_text = scope.first_texts.get(item as usize)?;
        let (before, after) = scope.row_identities.split_at_checked(item as usize)?;
        let (_, after) = after.split_first()?;
        let row = Row {
            first_text: *first_text,
            position_hash: hash_of(|hasher| (scope.identity, before, after, item).hash(hasher)),
            others_hash: scope.is_complete.then(|| {
                let mut others: Vec<u64> = before.iter().chain(after).copied().collect();
                others.sort_unstable();
                hash_of(|hasher| (scope.identity, others).hash(hasher))
            }),
        };
        TextKey::of_row(scope.identity, row, node, self.kinds_before(id))
    }

    /// The number of nodes before this one in its row with the same role and class.
    fn kinds_before(&self, id: NodeId) -> usize {
        let item = self.item_of_node[id.index()];
        let node = self.tree.node(id);
        let before = (0..id.index())
            .rev()
            .take_while(|other| self.item_of_node[*other] == item)
            .map(|other| self.tree.node(NodeId(other as u32)));
        let is_same = |other: &&Node| (other.role, &other.class) == (node.role, &node.class);
        before.filter(is_same).count()
    }

    /// The number of nodes before this one in its row with the same properties.
    fn ordinal_in_row(&self, id: NodeId) -> usize {
        let item = self.item_of_node[id.index()];
        let hash = self.identity_hashes[id.index()];
        let before = (0..id.index())
            .rev()
            .take_while(|other| self.item_of_node[*other] == item);
        let is_equal = |other: &usize| self.identity_hashes[*other] == hash;
        before.filter(is_equal).count()
    }
}
