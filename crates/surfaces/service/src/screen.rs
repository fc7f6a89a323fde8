//! Screens as compact text.

use contract::{ActionKind, StepResult};
use uitree::UiTree;

/// The `hierarchy_xml` of a snapshot in the compact notation; `None` if it is malformed.
pub fn compact(hierarchy: &str) -> Option<String> {
    let tree = UiTree::parse_hierarchy_xml(hierarchy.as_bytes(), None).ok()?;
    Some(tree.to_compact())
}

/// The screen of a successful snapshot as text.
pub fn snapshot_text(step: &StepResult) -> Option<String> {
    let is_snapshot = step.success && step.action_type == ActionKind::SnapshotUi;
    let text = is_snapshot.then(|| step.data.get("text"))??;
    match step.data.get("actual_format") {
        Some("hierarchy_xml") | None => compact(text),
        Some(_) => Some(text.to_owned()),
    }
}
