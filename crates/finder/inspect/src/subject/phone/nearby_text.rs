//! Labels of controls without one, from the text beside them.

use uitree::{NodeId, State as Facts, UiTree};

use super::end_of;
use crate::subject::Kind;

/// The node that labels a control without a label: a switch by its row, a field or a dropdown by the text before it.
pub(super) fn nearby_text(screen: &UiTree, id: NodeId, kind: Kind) -> Option<NodeId> {
    let node = screen.node(id);
    let is_nameless = node.text.is_empty() && node.label.is_empty();
    match kind {
        Kind::Switch | Kind::CheckBox | Kind::Radio | Kind::Slider if is_nameless => {}
        // Their text is a value.
        Kind::TextField | Kind::Dropdown if is_nameless || !node.text.is_empty() => {}
        _ => return None,
    }
    let holds_value = matches!(kind, Kind::TextField | Kind::Dropdown);
    let text_at = |at: NodeId| {
        let other = screen.node(at);
        let is_outside = at != id && !screen.contains(id, at) && !other.is(Facts::EDITABLE);
        (is_outside && !other.text.is_empty() && screen.is_on_screen(at)).then_some(at)
    };
    for up in screen.ancestors(id).take(3) {
        if end_of(screen, up) - up.index() > 16 {
            return holds_value.then(|| text_before_field(screen, id, text_at))?;
        }
        let inside: Vec<NodeId> = screen.subtree(up).collect();
        let before = inside
            .iter()
            .rev()
            .filter(|at| **at < id)
            .find_map(|at| text_at(*at));
        let first = || inside.iter().find_map(|at| text_at(*at));
        let found = if holds_value { before } else { first() };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The closest text left of a field or above it, where the layout does not group them.
fn text_before_field(
    screen: &UiTree,
    id: NodeId,
    says: impl Fn(NodeId) -> Option<NodeId>,
) -> Option<NodeId> {
    let bounds = screen.visible_bounds(id)?;
    let reach = bounds.height().max(1);
    let distance = |at: NodeId| -> Option<i32> {
        let other = screen.visible_bounds(at)?;
        let line = other.top < bounds.center().y && bounds.center().y < other.bottom;
        let column = other.left < bounds.center().x && bounds.left < other.right;
        let (across, along) = (bounds.left - other.right, bounds.top - other.bottom);
        let left = line && (0..=4 * reach).contains(&across);
        let above = column && (-2..=reach).contains(&along);
        match (left, above) {
            (true, _) => Some(across),
            (_, true) => Some(along),
            _ => None,
        }
    };
    let texts = screen
        .ids()
        .filter_map(|at| Some((distance(says(at)?)?, at)));
    texts.min().map(|(_, at)| at)
}
