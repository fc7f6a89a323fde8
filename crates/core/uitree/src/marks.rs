//! What CSS selectors hit on a screen.

use std::sync::Arc;

use crate::NodeId;

/// What a CSS selector hit when the screen was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The selector, as it was asked for.
    pub selector: Arc<str>,
    /// The nodes, in document order, each once.
    pub nodes: Vec<NodeId>,
}

/// The nodes that `selector` hit, in document order.
pub(crate) fn hits<'a>(marks: &'a [Mark], selector: &str) -> &'a [NodeId] {
    marks
        .iter()
        .find(|mark| &*mark.selector == selector)
        .map_or(&[], |mark| &mark.nodes)
}
