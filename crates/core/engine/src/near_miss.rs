//! The nodes that come closest to a matcher without matching, for the failure's `near_misses`.

use serde_json::{Map, Value, json};
use uitree::{NodeId, Query, UiTree};

/// Maximum number of nodes in a failure.
const MAX_NODES: usize = 3;

/// Maximum length of a node's text in a failure, in characters.
pub(crate) const MAX_TEXT_LENGTH: usize = 80;

/// The nearest nodes as a JSON array, each with its mismatches.
pub(crate) fn describe(tree: &UiTree, query: &Query) -> String {
    to_json(tree, nearest(tree, query))
}

/// Like [`describe`] of `near`, for a lookup of `query` inside a container: matches outside the container come first.
pub(crate) fn outside(tree: &UiTree, query: &Query, near: &Query) -> String {
    let elsewhere = tree.find_all(query).into_iter().map(|id| {
        let reasons = vec!["matches, but is outside of the container".to_owned()];
        (id, reasons)
    });
    to_json(tree, elsewhere.chain(nearest(tree, near)))
}

/// The nearest nodes, each with its mismatches.
fn nearest(tree: &UiTree, query: &Query) -> impl Iterator<Item = (NodeId, Vec<String>)> {
    tree.near_misses(query, MAX_NODES)
        .into_iter()
        .map(|miss| (miss.node, miss.reasons))
}

/// The first of these nodes as a JSON array.
fn to_json(tree: &UiTree, misses: impl Iterator<Item = (NodeId, Vec<String>)>) -> String {
    let entries = misses
        .take(MAX_NODES)
        .map(|(id, reasons)| {
            let node = tree.node(id);
            let mut entry = Map::new();
            let mut put = |key: &str, value: &str| {
                if !value.is_empty() {
                    entry.insert(
                        key.to_owned(),
                        json!(escape::truncate(value, MAX_TEXT_LENGTH)),
                    );
                }
            };
            put("text", &node.text);
            put("contentDesc", &node.label);
            put("resourceId", &node.id);
            put("role", node.role.as_str());
            if let Some(bounds) = node.bounds {
                put("bounds", &bounds.to_string());
            }
            entry.insert("why".to_owned(), json!(reasons));
            Value::Object(entry)
        })
        .collect();
    Value::Array(entries).to_string()
}
