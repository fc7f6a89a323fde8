//! Looks up visible nodes, the topmost window first.
//!
//! Nodes with the same kinds of spaces as the query come alone; only if there are none, those with other kinds match.

use crate::query::matches::CompiledQuery;
use crate::{NodeId, Query, UiTree};

impl UiTree {
    /// The first visible node that matches `query`.
    ///
    /// Windows are searched from the topmost layer down, those of equal layer and the nodes of a window in document
    /// order.
    pub fn find(&self, query: &Query) -> Option<NodeId> {
        self.first(query, self.index.everything())
    }

    /// All visible nodes that match `query`, in the order of [`find`](Self::find).
    pub fn find_all(&self, query: &Query) -> Vec<NodeId> {
        self.all(query, self.index.everything())
    }

    /// As [`find`](Self::find), in the subtree of `scope`.
    pub fn find_in(&self, scope: NodeId, query: &Query) -> Option<NodeId> {
        self.first(query, self.entries_of(scope))
    }

    /// As [`find_all`](Self::find_all), in the subtree of `scope`.
    pub fn find_all_in(&self, scope: NodeId, query: &Query) -> Vec<NodeId> {
        self.all(query, self.entries_of(scope))
    }

    /// Number of visible nodes that match `query`.
    pub fn count(&self, query: &Query) -> usize {
        self.find_all(query).len()
    }

    /// Index entries of the subtree of `scope`.
    fn entries_of(&self, scope: NodeId) -> (u32, u32) {
        self.index.scope(&self.nodes, &self.windows, scope)
    }

    fn first(&self, query: &Query, entries: (u32, u32)) -> Option<NodeId> {
        let query = CompiledQuery::new(query)?;
        let mut other_spaces = None;
        for id in self.index.find(&self.nodes, &self.marks, &query, entries) {
            if query.has_same_spaces(self.node(id)) {
                return Some(id);
            }
            other_spaces.get_or_insert(id);
        }
        other_spaces
    }

    fn all(&self, query: &Query, entries: (u32, u32)) -> Vec<NodeId> {
        let Some(query) = CompiledQuery::new(query) else {
            return Vec::new();
        };
        let found = self.index.find(&self.nodes, &self.marks, &query, entries);
        self.prefer_same_spaces(&query, found.collect())
    }

    /// Those of `found` with the spaces of the query, or else all.
    fn prefer_same_spaces(&self, query: &CompiledQuery<'_>, mut found: Vec<NodeId>) -> Vec<NodeId> {
        let is_same = |id: &NodeId| query.has_same_spaces(self.node(*id));
        if found.iter().any(is_same) {
            found.retain(is_same);
        }
        found
    }

    /// All hidden nodes that match `query`, in document order.
    pub fn find_hidden(&self, query: &Query) -> Vec<NodeId> {
        let Some(compiled) = CompiledQuery::new(query) else {
            return Vec::new();
        };
        let hidden = self
            .ids()
            .filter(|id| !self.is_on_screen(*id) && compiled.matches(self.node(*id)))
            .filter(|id| {
                query
                    .css
                    .as_deref()
                    .is_none_or(|css| self.hits(css).binary_search(id).is_ok())
            });
        self.prefer_same_spaces(&compiled, hidden.collect())
    }

    /// Visible nodes in the order of look-ups.
    pub fn on_screen(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + '_ {
        self.index.order().iter().copied()
    }
}
