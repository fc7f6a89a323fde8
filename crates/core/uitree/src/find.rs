//! Looking nodes up: only what can be seen, the topmost window first.

use crate::query::Compiled;
use crate::{NodeId, Query, UiTree};

impl UiTree {
    /// The first node that can be seen and on which all of `query` holds.
    ///
    /// Windows are searched from the topmost layer down, those of equal layer in document order, and each window in
    /// document order.
    pub fn find(&self, query: &Query) -> Option<NodeId> {
        let query = Compiled::new(query)?;
        self.look_up(&query, self.index.everything()).next()
    }

    /// Every node that can be seen and on which all of `query` holds, in the order of [`find`](Self::find).
    pub fn find_all(&self, query: &Query) -> Vec<NodeId> {
        let Some(query) = Compiled::new(query) else {
            return Vec::new();
        };
        self.look_up(&query, self.index.everything()).collect()
    }

    /// As [`find`](Self::find), among `scope` and what is inside it.
    pub fn find_in(&self, scope: NodeId, query: &Query) -> Option<NodeId> {
        let query = Compiled::new(query)?;
        self.look_up(&query, self.entries_of(scope)).next()
    }

    /// As [`find_all`](Self::find_all), among `scope` and what is inside it.
    pub fn find_all_in(&self, scope: NodeId, query: &Query) -> Vec<NodeId> {
        let Some(query) = Compiled::new(query) else {
            return Vec::new();
        };
        self.look_up(&query, self.entries_of(scope)).collect()
    }

    /// How many nodes can be seen and have all of `query` hold on them.
    pub fn count(&self, query: &Query) -> usize {
        let Some(query) = Compiled::new(query) else {
            return 0;
        };
        self.look_up(&query, self.index.everything()).count()
    }

    /// Index entries of `scope` and what is inside it.
    fn entries_of(&self, scope: NodeId) -> (u32, u32) {
        self.index.scope(&self.nodes, &self.windows, scope)
    }

    fn look_up<'a>(
        &'a self,
        query: &'a Compiled<'a>,
        entries: (u32, u32),
    ) -> Box<dyn Iterator<Item = NodeId> + 'a> {
        self.index.find(&self.nodes, &self.marks, query, entries)
    }

    /// Every node that cannot be seen although all of `query` holds on it, in document order.
    pub fn find_unseen(&self, query: &Query) -> Vec<NodeId> {
        let Some(compiled) = Compiled::new(query) else {
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

    /// The nodes that can be seen, in the order in which a look-up goes through them.
    pub fn on_screen(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + '_ {
        self.index.order().iter().copied()
    }
}
