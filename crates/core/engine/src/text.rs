//! The text of a node, as steps read it.

use uitree::{NodeId, Role, State, UiTree};

use crate::describe::node_text;
use crate::scroll::out_of_view;

/// The text of a node and its source: text, description or descendants that are visible.
pub(crate) fn text_of(tree: &UiTree, id: NodeId) -> Option<(String, &'static str)> {
    text_with(tree, id, |id| tree.is_on_screen(id))
}

/// The same with the descendants that are scrolled out of view.
pub(crate) fn whole_text_of(tree: &UiTree, id: NodeId) -> Option<String> {
    let counts = |id| {
        let is_shown = tree.node(id).is(State::VISIBLE);
        tree.is_on_screen(id) || is_shown && out_of_view(tree, id).is_some()
    };
    text_with(tree, id, counts).map(|(text, _)| text)
}

fn text_with(
    tree: &UiTree,
    id: NodeId,
    counts: impl Fn(NodeId) -> bool,
) -> Option<(String, &'static str)> {
    let node = tree.node(id);
    if !node.text.trim().is_empty() && !node.is(State::SHOWING_HINT) {
        return Some((node.text.to_string(), "text"));
    }
    if !node.label.trim().is_empty() {
        return Some((node.label.to_string(), "content_desc"));
    }
    if let Some(cells) = cells_of(tree, id, &counts) {
        return Some((cells, "descendants"));
    }
    let inside: Vec<&str> = tree
        .subtree(id)
        .filter(|id| counts(*id))
        .map(|id| tree.node(id))
        .filter(|node| !node.text.trim().is_empty() && !node.is(State::SHOWING_HINT))
        .map(|node| &*node.text)
        .collect();
    (!inside.is_empty()).then(|| (inside.join("\n"), "descendants"))
}

/// The text of every cell of a table row, one line each, including empty cells.
fn cells_of(tree: &UiTree, row: NodeId, counts: impl Fn(NodeId) -> bool) -> Option<String> {
    let in_table = || {
        let mut around = tree.ancestors(row).take(2);
        around.any(|around| tree.node(around).role == Role::Grid)
    };
    if tree.node(row).role != Role::Row || !in_table() {
        return None;
    }
    let words = |cell: NodeId| {
        let shown = tree.subtree(cell).filter(|id| counts(*id));
        let all = shown.map(|id| tree.node(id));
        let visible_texts = all
            .filter(|node| !node.is(State::SHOWING_HINT))
            .map(node_text);
        let visible_texts: Vec<&str> = visible_texts
            .filter(|words| !words.trim().is_empty())
            .collect();
        visible_texts.join(" ")
    };
    let cells: Vec<String> = tree.children(row).map(words).collect();
    (cells.iter().any(|cell| !cell.is_empty())).then(|| cells.join("\n"))
}
