//! Finding the search of the settings, whatever the vendor made of it. Nothing else of the settings is pressed.

use driver::Observation;
use uitree::{Node, NodeId, Rect, State, WindowKind};

/// An app that every phone has.
pub(in crate::doctor) const SETTINGS: &str = "com.android.settings";
/// The command that opens the search where no button is found.
pub(super) const OPEN_SEARCH: &str = "am start -a android.settings.APP_SEARCH_SETTINGS";

/// The text field of the settings or of the app that searches them, the one with the focus first.
pub(super) fn field(seen: &Observation) -> Option<(NodeId, &Node)> {
    let of_settings = |id: NodeId, node: &Node| {
        node.owner.contains("settings") && seen.tree.window_of(id).kind == WindowKind::Application
    };
    let fields = nodes(seen).filter(|(id, node)| {
        node.is(State::EDITABLE)
            && !node.is(State::PASSWORD)
            && has_place(node)
            && of_settings(*id, node)
    });
    let fields: Vec<_> = fields.collect();
    let focused = fields.iter().find(|(_, node)| node.is(State::FOCUSED));
    focused.or(fields.first()).copied()
}

/// Where to tap to search: a node of the settings that has `search` in its id or its texts and takes taps, or is in one that
/// does. Never a switch.
pub(super) fn search_button(seen: &Observation) -> Option<Rect> {
    let says_search = |text: &str| text.to_ascii_lowercase().contains("search");
    let is_named = |node: &Node| {
        let texts = [&node.id, &node.label, &node.text, &node.hint];
        texts.into_iter().any(|text| says_search(text))
    };
    nodes(seen)
        .filter(|(_, node)| &*node.owner == SETTINGS && is_named(node))
        .find_map(|(id, _)| {
            let own = std::iter::once(id).chain(seen.tree.ancestors(id));
            let pressed = own
                .map(|id| seen.tree.node(id))
                .find(|node| node.is(State::CLICKABLE))?;
            let is_safe = has_place(pressed) && !pressed.is(State::CHECKABLE);
            pressed.bounds.filter(|_| is_safe)
        })
}

pub(super) fn nodes(seen: &Observation) -> impl Iterator<Item = (NodeId, &Node)> {
    let windows = seen.tree.windows().iter();
    windows
        .flat_map(|window| seen.tree.subtree(window.root))
        .map(|id| (id, seen.tree.node(id)))
}

fn has_place(node: &Node) -> bool {
    node.bounds.is_some_and(|bounds| !bounds.is_empty())
}
