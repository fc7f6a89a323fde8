//! Leaves out controls that only wrap another one. A press of the inner one reaches the outer one, too.

use super::line::{Line, Part, Rank};
use super::words::{Word, holds_words, is_cell};
use crate::{NodeId, Rect, Role, ScreenRefs, State, UiTree};

/// The least share of a wrapper that the control inside of it takes, in percent. A larger one has a place of its own.
const MIN_SHARE: i128 = 25;

/// Leaves out the lines of wrappers. Only elements with references: others are matched by what is written.
pub(super) fn leave_out(lines: Vec<Line>, tree: &UiTree, refs: &ScreenRefs) -> Vec<Line> {
    let mut left: Vec<Line> = Vec::with_capacity(lines.len());
    // From the inside out: a wrapper may be in another one.
    for line in lines.into_iter().rev() {
        let inside = left.iter().rev();
        let inside = inside.take_while(|inner| inner.depth > line.depth).count();
        match left.last_mut().filter(|_| inside == 1) {
            Some(inner) if is_wrapper(&line, inner, tree, refs) => {
                inner.depth = line.depth;
                let id = line.parts.into_iter().next().and_then(|part| part.resource);
                if let Some(part) = inner.parts.first_mut() {
                    part.resource = part.resource.take().or(id);
                }
            }
            _ => left.push(line),
        }
    }
    left.reverse();
    left
}

/// Whether a line says nothing that the only line inside of it does not say.
fn is_wrapper(line: &Line, inner: &Line, tree: &UiTree, refs: &ScreenRefs) -> bool {
    let ([outer], Some(part)) = (line.parts.as_slice(), inner.parts.first()) else {
        return false;
    };
    let has_ref = |part: &Part| part.id.filter(|id| refs.has(*id));
    let (Some(id), Some(inner)) = (has_ref(outer), has_ref(part)) else {
        return false;
    };
    let node = tree.node(id);
    let is_plain = matches!(node.role, Role::Container | Role::Text)
        && matches!(&*outer.states, "" | "clickable")
        && !node.is(State::CHECKABLE)
        && line.rank != Rank::Focus;
    let is_said = |word: &Word| {
        part.words
            .iter()
            .any(|own| holds_words(&own.text, &word.text))
    };
    is_plain
        && outer.words.iter().all(is_said)
        && tree.contains(id, inner)
        && (is_cell(tree, id) || fills(tree, id, inner))
}

fn fills(tree: &UiTree, outer: NodeId, inner: NodeId) -> bool {
    // Wide enough for any bounds.
    let area = |rect: Rect| i128::from(rect.width()) * i128::from(rect.height());
    let seen = |id: NodeId| tree.visible_bounds(id).map_or(0, area);
    seen(inner) * 100 >= seen(outer) * MIN_SHARE
}
