//! What stood on the screen instead of what was looked for, for the failure's `near_misses`.

use serde_json::{Map, Value, json};
use uitree::{NodeId, Query, UiTree};

use crate::words::cut;

/// How many nodes a failure names.
const NAMED: usize = 3;

/// The longest text that is repeated for a node, in characters.
const LONGEST: usize = 80;

/// A JSON array of the nearest nodes, each with what did not match.
pub(crate) fn describe(tree: &UiTree, query: &Query) -> String {
    listed(tree, nearest(tree, query))
}

/// The same for a look-up inside a container, where nodes that match but stand elsewhere come first.
pub(crate) fn outside(tree: &UiTree, query: &Query) -> String {
    let elsewhere = tree.find_all(query).into_iter().map(|id| {
        let why = vec!["matches, but stands outside the container".to_owned()];
        (id, why)
    });
    listed(tree, elsewhere.chain(nearest(tree, query)))
}

/// The nearest nodes, each with what did not match.
fn nearest(tree: &UiTree, query: &Query) -> impl Iterator<Item = (NodeId, Vec<String>)> {
    tree.near_misses(query, NAMED)
        .into_iter()
        .map(|miss| (miss.node, miss.reasons))
}

/// The first of these nodes as a JSON array.
fn listed(tree: &UiTree, misses: impl Iterator<Item = (NodeId, Vec<String>)>) -> String {
    let entries = misses
        .take(NAMED)
        .map(|(id, why)| {
            let node = tree.node(id);
            let mut entry = Map::new();
            let mut put = |key: &str, value: &str| {
                if !value.is_empty() {
                    entry.insert(key.to_owned(), json!(cut(value, LONGEST)));
                }
            };
            put("text", &node.text);
            put("contentDesc", &node.label);
            put("resourceId", &node.id);
            put("role", node.role.as_str());
            if let Some(bounds) = node.bounds {
                put("bounds", &bounds.to_string());
            }
            entry.insert("why".to_owned(), json!(why));
            Value::Object(entry)
        })
        .collect();
    Value::Array(entries).to_string()
}
