//! The screen as text for a reader who pays for every word.

use uitree::UiTree;

/// What a snapshot's `hierarchy_xml` shows, in the compact notation; `None` where it is no hierarchy.
#[must_use]
pub fn compact(hierarchy: &str) -> Option<String> {
    let tree = UiTree::parse_hierarchy_xml(hierarchy.as_bytes(), None).ok()?;
    Some(tree.to_compact())
}
