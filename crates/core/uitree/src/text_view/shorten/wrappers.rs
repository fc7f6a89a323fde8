//! Omits controls that only wrap another one: a press of the inner one also reaches the outer one.

use crate::text_view::collect::nodes::is_cell;
use crate::text_view::line::text::{LabeledText, contains_words};
use crate::text_view::line::{Line, Part, Rank};
use crate::{NodeId, Role, ScreenRefs, State, UiTree};

/// Minimum share of a wrapper's area that the control inside covers, in percent.
const MIN_AREA_SHARE: i128 = 25;

/// Omits the lines of wrappers with references; elements without are found by what is written.
pub(crate) fn omit(lines: Vec<Line>, tree: &UiTree, refs: &ScreenRefs) -> Vec<Line> {
    let mut kept: Vec<Line> = Vec::with_capacity(lines.len());
    // From the inside out, since a wrapper may be in another one.
    for line in lines.into_iter().rev() {
        let inside = kept.iter().rev();
        let inside = inside.take_while(|inner| inner.depth > line.depth).count();
        match kept.last_mut().filter(|_| inside == 1) {
            Some(inner) if is_wrapper(&line, inner, tree, refs) => {
                inner.depth = line.depth;
                let id = line.parts.into_iter().next().and_then(|part| part.resource);
                if let Some(part) = inner.parts.first_mut() {
                    part.resource = part.resource.take().or(id);
                }
            }
            _ => kept.push(line),
        }
    }
    kept.reverse();
    kept
}

/// Whether a line adds nothing to the only line inside it.
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
    let is_repeated = |text: &LabeledText| {
        let mut texts = part.texts.iter();
        texts.any(|own| contains_words(&own.text, &text.text))
    };
    is_plain
        && outer.texts.iter().all(is_repeated)
        && tree.contains(id, inner)
        && (is_cell(tree, id) || fills(tree, id, inner))
}

fn fills(tree: &UiTree, outer: NodeId, inner: NodeId) -> bool {
    let area = |id: NodeId| tree.visible_bounds(id).map_or(0, |rect| rect.area());
    area(inner) * 100 >= area(outer) * MIN_AREA_SHARE
}
