//! Matches selectors in the browser directly. `a >>> b` goes through a shadow host or a frame.

use cdp::Session;
use cdp::protocol::dom::{GetDocument, Node, QuerySelectorAll};

/// Separates the parts of a selector at shadow hosts and frames.
pub const BOUNDARY: &str = " >>> ";

/// The matches of `selector` by backend node id, in document order. An error if it is invalid.
pub async fn select(session: &Session, selector: &str) -> cdp::Result<Vec<i64>> {
    let whole = GetDocument {
        depth: Some(-1),
        pierce: Some(true),
    };
    let document = session.call(&whole).await?.root;
    let mut roots: Vec<&Node> = vec![&document];
    let mut hits: Vec<&Node> = Vec::new();
    for part in selector.split(BOUNDARY) {
        hits.clear();
        for root in &roots {
            let query = QuerySelectorAll {
                node_id: root.node_id,
                selector: part.to_owned(),
            };
            for id in session.call(&query).await?.node_ids {
                hits.extend(find(root, id));
            }
        }
        roots = hits.iter().flat_map(|host| hosted_trees(host)).collect();
    }
    Ok(hits.iter().map(|node| node.backend_node_id.0).collect())
}

fn hosted_trees(host: &Node) -> impl Iterator<Item = &Node> {
    let authored = |root: &&Node| root.shadow_root_type.as_deref() != Some("user-agent");
    host.shadow_roots
        .iter()
        .filter(authored)
        .chain(host.content_document.as_deref())
}

fn find(root: &Node, id: i64) -> Option<&Node> {
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        if node.node_id == id {
            return Some(node);
        }
        stack.extend(&node.children);
    }
    None
}
