//! Screens as compact text.

use uitree::UiTree;

/// The `hierarchy_xml` of a snapshot in the compact notation; `None` if it is malformed.
#[must_use]
pub fn compact(hierarchy: &str) -> Option<String> {
    let tree = UiTree::parse_hierarchy_xml(hierarchy.as_bytes(), None).ok()?;
    Some(tree.to_compact())
}
