//! The text of a node, as steps read it.

use uitree::{NodeId, Role, State, UiTree};

use crate::describe::node_text;
use crate::scroll::out_of_view;

/// The text of a node and its source: text, description or descendants that are visible.
pub(crate) fn text_of(tree: &UiTree, id: NodeId) -> Option<(String, &'static str)> {
    text_with(tree, id, |id| tree.is_on_screen(id))
}

/// Like [`text_of`], with the descendants that are scrolled out of view.
pub(crate) fn whole_text_of(tree: &UiTree, id: NodeId) -> Option<String> {
    let is_included = |id| {
        let is_shown = tree.node(id).is(State::VISIBLE);
        tree.is_on_screen(id) || is_shown && out_of_view(tree, id).is_some()
    };
    text_with(tree, id, is_included).map(|(text, _)| text)
}

fn text_with(
    tree: &UiTree,
    id: NodeId,
    is_included: impl Fn(NodeId) -> bool,
) -> Option<(String, &'static str)> {
    let node = tree.node(id);
    if !node.text.trim().is_empty() && !node.is(State::SHOWING_HINT) {
        return Some((node.text.to_string(), "text"));
    }
    if !node.label.trim().is_empty() {
        return Some((node.label.to_string(), "content_desc"));
    }
    if let Some(cells) = cells_of(tree, id, &is_included) {
        return Some((cells, "descendants"));
    }
    let texts: Vec<&str> = tree
        .subtree(id)
        .filter(|id| is_included(*id))
        .map(|id| tree.node(id))
        .filter(|node| !node.text.trim().is_empty() && !node.is(State::SHOWING_HINT))
        .map(|node| &*node.text)
        .collect();
    (!texts.is_empty()).then(|| (texts.join("\n"), "descendants"))
}

/// The text of every cell of a table row, one line each, including empty cells.
fn cells_of(tree: &UiTree, row: NodeId, is_included: impl Fn(NodeId) -> bool) -> Option<String> {
    let in_table = || {
        let mut ancestors = tree.ancestors(row).take(2);
        ancestors.any(|ancestor| tree.node(ancestor).role == Role::Grid)
    };
    if tree.node(row).role != Role::Row || !in_table() {
        return None;
    }
    let cell_text = |cell: NodeId| {
        let included = tree.subtree(cell).filter(|id| is_included(*id));
        let all = included.map(|id| tree.node(id));
        let visible_texts = all
            .filter(|node| !node.is(State::SHOWING_HINT))
            .map(node_text);
        let visible_texts: Vec<&str> = visible_texts
            .filter(|cell_text| !cell_text.trim().is_empty())
            .collect();
        visible_texts.join(" ")
    };
    let cells: Vec<String> = tree.children(row).map(cell_text).collect();
    (cells.iter().any(|cell| !cell.is_empty())).then(|| cells.join("\n"))
}
