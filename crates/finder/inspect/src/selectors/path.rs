//! Shortest path to an element by tags and positions: the last resort.

use dom::ElementId;

use super::css::{Combinator, Complex, Compound, SimpleSelector};
use super::page::PageNames;

/// The shortest unique path to `id`, from a stable ancestor if there is one.
pub(crate) fn selector_to(names: &mut PageNames<'_>, id: ElementId) -> Option<Complex> {
    let mut steps = vec![step(names, id)];
    let mut at = id;
    loop {
        let selector = down(&steps);
        if names.index.is_unique(id, &selector) {
            return Some(selector);
        }
        let parent = names.index.within_scope(at).next();
        let Some(parent) = parent else {
            // The root of the tree. The top of a shadow tree is tied to its host.
            if !names.is_in_shadow(at) {
                return None;
            }
            if let Some(first) = steps.last_mut() {
                first.0.insert(0, SimpleSelector::TopOfShadow);
            }
            let selector = down(&steps);
            return names.index.is_unique(id, &selector).then_some(selector);
        };
        if let Some(anchor) = names.anchor(parent) {
            let mut held = steps.clone();
            held.push(anchor.compound());
            let selector = down(&held);
            if names.index.is_unique(id, &selector) {
                return Some(selector);
            }
        }
        steps.push(step(names, parent));
        at = parent;
    }
}

/// Selector of steps from the innermost outwards.
fn down(steps: &[Compound]) -> Complex {
    let mut outwards = steps.iter().cloned();
    let subject = outwards.next().unwrap_or_default();
    let mut ancestors: Vec<(Compound, Combinator)> =
        outwards.map(|step| (step, Combinator::Parent)).collect();
    ancestors.reverse();
    Complex { ancestors, subject }
}

/// The tag, with its position if siblings have the same tag.
fn step(names: &PageNames<'_>, id: ElementId) -> Compound {
    let element = names.dom.element(id);
    let tag = names.tag(id);
    let alike = element.parent.is_some_and(|parent| {
        names
            .dom
            .children(parent)
            .map(|child| (child, names.dom.element(child)))
            .any(|(child, other)| {
                child != id && other.scope == element.scope && other.tag == element.tag
            })
    });
    if alike {
        Compound::new([tag, SimpleSelector::Nth(element.position)])
    } else {
        Compound::new([tag])
    }
}
