//! Nodes that CSS selectors or references matched.

use std::sync::Arc;

use crate::NodeId;

/// Matches of a CSS selector at the time of the observation, or the element of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The selector, verbatim.
    pub selector: Arc<str>,
    /// Matched nodes in document order, without duplicates.
    pub nodes: Vec<NodeId>,
}

/// Nodes that `selector` matched, in document order.
pub(crate) fn hits<'a>(marks: &'a [Mark], selector: &str) -> &'a [NodeId] {
    marks
        .iter()
        .find(|mark| &*mark.selector == selector)
        .map_or(&[], |mark| &mark.nodes)
}
