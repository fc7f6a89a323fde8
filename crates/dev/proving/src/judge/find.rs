//! Node lookup, independent of the engine's implementation.

use contract::NodeMatcher;
use uitree::{Node, NodeId, State, UiTree};

use crate::refs;

/// How a matcher's spaces compare with those of a node.
#[derive(Clone, Copy, PartialEq)]
enum Spaces {
    /// Each kind is another character.
    Exact,
    /// Every kind is a space.
    Any,
}

fn matches_node(matcher: &NodeMatcher, tree: &UiTree, id: NodeId, spaces: Spaces) -> bool {
    let node = tree.node(id);
    let plain = |text: &str| match spaces {
        Spaces::Exact => text.to_owned(),
        Spaces::Any => text.chars().map(plain_space).collect(),
    };
    let equal = |expected: &Option<String>, value: &str| {
        expected
            .as_deref()
            .is_none_or(|expected| plain(expected) == plain(value))
    };
    let contains = |expected: &Option<String>, value: &str| {
        expected
            .as_deref()
            .is_none_or(|expected| fold_case(&plain(value)).contains(&fold_case(&plain(expected))))
    };
    matcher
        .resource_id
        .as_deref()
        .is_none_or(|id| id == &*node.id)
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
        && matcher
            .reference
            .as_deref()
            .is_none_or(|reference| refs::nodes_of(tree, reference).contains(&id))
}

fn fold_case(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}

fn plain_space(c: char) -> char {
    let is_line_break = matches!(c, '\t'..='\r' | '\u{85}');
    if c.is_whitespace() && !is_line_break {
        ' '
    } else {
        c
    }
}

/// Matching nodes on the screen, topmost window first.
pub(crate) fn matching(tree: &UiTree, matcher: &NodeMatcher) -> Vec<NodeId> {
    matching_where(tree, matcher, |_| true)
}

/// Of the nodes that are considered, those with exactly the matcher's spaces, or else all that match.
fn matching_where(
    tree: &UiTree,
    matcher: &NodeMatcher,
    is_considered: impl Fn(NodeId) -> bool,
) -> Vec<NodeId> {
    let matching = |spaces| -> Vec<NodeId> {
        tree.ids()
            .filter(|id| tree.is_on_screen(*id) && is_considered(*id))
            .filter(|id| matches_node(matcher, tree, *id, spaces))
            .collect()
    };
    let mut nodes = matching(Spaces::Exact);
    if nodes.is_empty() {
        nodes = matching(Spaces::Any);
    }
    // The stable sort keeps document order within a layer.
    nodes.sort_by_key(|id| std::cmp::Reverse(tree.window_of(*id).layer));
    nodes
}

/// Whether a matching node is off screen inside a visible scrollable ancestor.
pub(crate) fn is_out_of_view(tree: &UiTree, matcher: &NodeMatcher) -> bool {
    let scrolls = |id: NodeId| tree.is_on_screen(id) && tree.node(id).is(State::SCROLLABLE);
    tree.ids().any(|id| {
        !tree.is_on_screen(id)
            && matches_node(matcher, tree, id, Spaces::Any)
            && tree.ancestors(id).any(scrolls)
    })
}

/// Matching nodes, inside a container if there is one; `None` if the container does not exist.
pub(crate) fn matching_in(
    tree: &UiTree,
    matcher: &NodeMatcher,
    container: Option<&NodeMatcher>,
) -> Option<Vec<NodeId>> {
    let Some(container) = container else {
        return Some(matching(tree, matcher));
    };
    let scope = *matching(tree, container).first()?;
    Some(matching_where(tree, matcher, |id| tree.contains(scope, id)))
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
