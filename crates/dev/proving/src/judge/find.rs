//! Node lookup, independent of the engine's implementation.

use contract::NodeMatcher;
use uitree::{Node, NodeId, State, UiTree};

fn matches_node(matcher: &NodeMatcher, node: &Node) -> bool {
    let equal = |expected: &Option<String>, value: &str| {
        expected.as_deref().is_none_or(|expected| expected == value)
    };
    let contains = |expected: &Option<String>, value: &str| {
        expected
            .as_deref()
            .is_none_or(|expected| fold_case(value).contains(&fold_case(expected)))
    };
    equal(&matcher.resource_id, &node.id)
        && matcher
            .role
            .as_deref()
            .is_none_or(|role| role.trim().eq_ignore_ascii_case(node.role.as_str()))
        && equal(&matcher.text_equals, &node.text)
        && contains(&matcher.text_contains, &node.text)
        && equal(&matcher.content_desc_equals, &node.label)
        && contains(&matcher.content_desc_contains, &node.label)
        // The simulated phone has no web pages.
        && matcher.css.is_none()
}

fn fold_case(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}

/// Matching nodes on the screen, topmost window first.
pub(crate) fn matching(tree: &UiTree, matcher: &NodeMatcher) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = tree
        .ids()
        .filter(|id| tree.is_on_screen(*id) && matches_node(matcher, tree.node(*id)))
        .collect();
    // The stable sort keeps document order within a layer.
    nodes.sort_by_key(|id| std::cmp::Reverse(tree.window_of(*id).layer));
    nodes
}

/// Whether a matching node is off screen inside a visible scrollable ancestor.
pub(crate) fn is_out_of_view(tree: &UiTree, matcher: &NodeMatcher) -> bool {
    let scrolls = |id: NodeId| tree.is_on_screen(id) && tree.node(id).is(State::SCROLLABLE);
    tree.ids().any(|id| {
        !tree.is_on_screen(id)
            && matches_node(matcher, tree.node(id))
            && tree.ancestors(id).any(scrolls)
    })
}

/// Matching nodes, inside a container if there is one; `None` if the container does not exist.
pub(crate) fn matching_in(
    tree: &UiTree,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
) -> Option<Vec<NodeId>> {
    let nodes = matching(tree, matcher);
    let Some(container) = container else {
        return Some(nodes);
    };
    let scope = *matching(tree, container).first()?;
    Some(
        nodes
            .into_iter()
            .filter(|id| tree.contains(scope, *id))
            .collect(),
    )
}

pub(crate) fn nearest(tree: &UiTree, id: NodeId, state: State) -> Option<NodeId> {
    std::iter::once(id)
        .chain(tree.ancestors(id))
        .find(|id| tree.node(*id).is(state))
}

/// The text of a node, or else its description.
pub(crate) fn label_text(node: &Node) -> &str {
    if node.text.trim().is_empty() {
        &node.label
    } else {
        &node.text
    }
}
