//! Looking nodes up, written down anew: plainly, from the words of the contract.

use contract::NodeMatcher;
use uitree::{Node, NodeId, State, UiTree};

/// Whether a matcher holds on a node.
fn holds(matcher: &NodeMatcher, node: &Node) -> bool {
    let same = |wanted: &Option<String>, value: &str| {
        wanted.as_deref().is_none_or(|wanted| wanted == value)
    };
    let part = |wanted: &Option<String>, value: &str| {
        wanted
            .as_deref()
            .is_none_or(|wanted| folded(value).contains(&folded(wanted)))
    };
    same(&matcher.resource_id, &node.id)
        && matcher
            .role
            .as_deref()
            .is_none_or(|role| role.trim().eq_ignore_ascii_case(node.role.as_str()))
        && same(&matcher.text_equals, &node.text)
        && part(&matcher.text_contains, &node.text)
        && same(&matcher.content_desc_equals, &node.label)
        && part(&matcher.content_desc_contains, &node.label)
        // The embedded phone shows no web page.
        && matcher.css.is_none()
}

fn folded(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}

/// Every node that can be seen and is meant, the topmost window first.
pub(crate) fn all(tree: &UiTree, matcher: &NodeMatcher) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = tree
        .ids()
        .filter(|id| tree.is_on_screen(*id) && holds(matcher, tree.node(*id)))
        .collect();
    // A stable sort keeps the order of the document inside a layer.
    nodes.sort_by_key(|id| std::cmp::Reverse(tree.window_of(*id).layer));
    nodes
}

/// Whether a node is meant that cannot be seen, inside a container that scrolls and can be.
pub(crate) fn is_out_of_view(tree: &UiTree, matcher: &NodeMatcher) -> bool {
    let scrolls = |id: NodeId| tree.is_on_screen(id) && tree.node(id).is(State::SCROLLABLE);
    tree.ids().any(|id| {
        !tree.is_on_screen(id) && holds(matcher, tree.node(id)) && tree.ancestors(id).any(scrolls)
    })
}

/// The nodes that are meant, inside a container if one is asked for; `None` when there is no such container.
pub(crate) fn inside(
    tree: &UiTree,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
) -> Option<Vec<NodeId>> {
    let nodes = all(tree, matcher);
    let Some(container) = container else {
        return Some(nodes);
    };
    let scope = *all(tree, container).first()?;
    Some(
        nodes
            .into_iter()
            .filter(|id| tree.contains(scope, *id))
            .collect(),
    )
}

/// The node itself or the nearest around it that has a flag.
pub(crate) fn nearest(tree: &UiTree, id: NodeId, state: State) -> Option<NodeId> {
    std::iter::once(id)
        .chain(tree.ancestors(id))
        .find(|id| tree.node(*id).is(state))
}

/// What a node says: its text, or else its description.
pub(crate) fn words(node: &Node) -> &str {
    if node.text.trim().is_empty() {
        &node.label
    } else {
        &node.text
    }
}
