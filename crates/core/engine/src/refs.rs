//! References in matchers: the mark of their element on a screen.

use std::sync::Arc;

use uitree::UiTree;

/// The mark on a screen of the element of a reference. It is no CSS selector.
pub(crate) fn mark(reference: &str) -> String {
    format!("@{reference}")
}

/// The references of a step.
#[derive(Debug, Default)]
pub(crate) struct StepRefs {
    pub(crate) references: Vec<String>,
    /// The last screen.
    pub(crate) seen: Option<Arc<UiTree>>,
    /// The last screen, and the references that were stale on it.
    pub(crate) stale: Option<(Arc<UiTree>, Vec<String>)>,
}
