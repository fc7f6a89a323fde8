//! Finds dialogs that a page does not mark as such: content above a shade that covers the viewport.

use crate::{Dom, Element, ElementId, Facts, ScopeId};

/// Minimum share of the viewport that a shade covers, in percent of each side.
const MIN_COVER_PERCENT: i64 = 95;

/// The uppermost dialog above a shade, without or with a role, unless the page marks it as modal itself.
pub(super) fn find(dom: &Dom) -> Option<ElementId> {
    let shade = dom
        .ids()
        .filter(|id| is_shade(dom, dom.element(*id)))
        .max_by_key(|id| dom.element(*id).paint)?;
    let holder = if holds_control(dom, shade) {
        shade
    } else {
        above(dom, shade)?
    };
    let panel = panel(dom, holder);
    let is_modal = |id: ElementId| {
        let element = dom.element(id);
        element.attribute("aria-modal").is_some() || &*element.tag == "dialog"
    };
    let is_said = dom.ancestors(panel).any(is_modal) || dom.subtree(holder).any(is_modal);
    (!is_said && covers_controls(dom, shade, holder)).then_some(panel)
}

/// Whether an element shades the whole viewport of the page.
fn is_shade(dom: &Dom, element: &Element) -> bool {
    let viewport = dom.viewport();
    let covers = |from: i32, to: i32, whole: i32| {
        let part = i64::from(to.min(whole)) - i64::from(from.max(0));
        part * 100 >= i64::from(whole) * MIN_COVER_PERCENT
    };
    element.is(Facts::BACKDROP | Facts::VISIBLE)
        && element.scope == ScopeId::default()
        && element.bounds.is_some_and(|bounds| {
            covers(bounds.left, bounds.right, viewport.width)
                && covers(bounds.top, bounds.bottom, viewport.height)
        })
}

/// The content above an empty shade: the nearest later sibling of the shade, or of an ancestor, that has controls and is painted
/// above it.
fn above(dom: &Dom, shade: ElementId) -> Option<ElementId> {
    let paint = dom.element(shade).paint;
    let around = std::iter::once(shade).chain(dom.ancestors(shade));
    around.into_iter().find_map(|id| {
        let parent = dom.element(id).parent?;
        let mut siblings = dom.children(parent).filter(|sibling| *sibling != id);
        siblings.find(|sibling| {
            let sibling_paint = dom.element(*sibling).paint;
            sibling_paint > paint && holds_control(dom, *sibling)
        })
    })
}

/// The innermost element that contains everything visible in `holder`.
fn panel(dom: &Dom, holder: ElementId) -> ElementId {
    let mut panel = holder;
    loop {
        let mut inside = dom.children(panel).filter(|id| {
            let element = dom.element(*id);
            element.is(Facts::VISIBLE) && element.bounds.is_some_and(|bounds| !bounds.is_empty())
        });
        let (first, second) = (inside.next(), inside.next());
        match first {
            Some(only)
                if second.is_none()
                    && dom.element(panel).text.trim().is_empty()
                    && !is_control(dom.element(only)) =>
            {
                panel = only;
            }
            _ => return panel,
        }
    }
}

/// Whether a visible control outside of `holder` is below the shade.
fn covers_controls(dom: &Dom, shade: ElementId, holder: ElementId) -> bool {
    let paint = dom.element(shade).paint;
    dom.ids().any(|id| {
        let element = dom.element(id);
        is_control(element)
            && element.is(Facts::VISIBLE)
            && element.paint < paint
            && !dom.contains(holder, id)
            && !dom.contains(shade, id)
    })
}

fn holds_control(dom: &Dom, id: ElementId) -> bool {
    let mut inside = dom.subtree(id);
    inside.any(|id| {
        let element = dom.element(id);
        is_control(element) && element.is(Facts::VISIBLE)
    })
}

fn is_control(element: &Element) -> bool {
    element
        .facts
        .intersects(Facts::FOCUSABLE | Facts::EDITABLE | Facts::CHECKABLE)
        || matches!(&*element.tag, "button" | "input" | "select" | "textarea")
        || (&*element.tag == "a" && element.attribute("href").is_some())
}
