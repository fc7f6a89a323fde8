//! Looks up visible nodes, the topmost window first.

use crate::query::matches::CompiledQuery;
use crate::{NodeId, Query, UiTree};

impl UiTree {
    /// The first visible node that matches `query`.
    ///
    /// Windows are searched from the topmost layer down, those of equal layer and the nodes of a window in document
    /// order.
    pub fn find(&self, query: &Query) -> Option<NodeId> {
        let query = CompiledQuery::new(query)?;
        self.look_up(&query, self.index.everything()).next()
    }

    /// All visible nodes that match `query`, in the order of [`find`](Self::find).
    pub fn find_all(&self, query: &Query) -> Vec<NodeId> {
        let Some(query) = CompiledQuery::new(query) else {
            return Vec::new();
        };
        self.look_up(&query, self.index.everything()).collect()
    }

    /// As [`find`](Self::find), in the subtree of `scope`.
    pub fn find_in(&self, scope: NodeId, query: &Query) -> Option<NodeId> {
        let query = CompiledQuery::new(query)?;
        self.look_up(&query, self.entries_of(scope)).next()
    }

    /// As [`find_all`](Self::find_all), in the subtree of `scope`.
    pub fn find_all_in(&self, scope: NodeId, query: &Query) -> Vec<NodeId> {
        let Some(query) = CompiledQuery::new(query) else {
            return Vec::new();
        };
        self.look_up(&query, self.entries_of(scope)).collect()
    }

    /// Number of visible nodes that match `query`.
    pub fn count(&self, query: &Query) -> usize {
        let Some(query) = CompiledQuery::new(query) else {
            return 0;
        };
        self.look_up(&query, self.index.everything()).count()
    }

    /// Index entries of the subtree of `scope`.
    fn entries_of(&self, scope: NodeId) -> (u32, u32) {
        self.index.scope(&self.nodes, &self.windows, scope)
    }

    fn look_up<'a>(
        &'a self,
        query: &'a CompiledQuery<'a>,
        entries: (u32, u32),
    ) -> Box<dyn Iterator<Item = NodeId> + 'a> {
        self.index.find(&self.nodes, &self.marks, query, entries)
    }

    /// All hidden nodes that match `query`, in document order.
    pub fn find_hidden(&self, query: &Query) -> Vec<NodeId> {
        let Some(compiled) = CompiledQuery::new(query) else {
            return Vec::new();
        };
        self.ids()
            .filter(|id| !self.is_on_screen(*id) && compiled.matches(self.node(*id)))
            .filter(|id| {
                query
                    .css
                    .as_deref()
                    .is_none_or(|css| self.hits(css).binary_search(id).is_ok())
            })
            .collect()
    }

    /// Visible nodes in the order of look-ups.
    pub fn on_screen(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + '_ {
        self.index.order().iter().copied()
    }
}
