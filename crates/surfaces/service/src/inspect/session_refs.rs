//! The references for actions of inspected elements, in processes that give references.

use contract::InspectedElement;
use uitree::{NodeId, Refs};

use super::ElementView;

/// Adds its reference to each element that can be acted on; `places` are their positions.
pub(super) fn add(
    elements: &mut [InspectedElement],
    places: &[usize],
    view: &impl ElementView,
    refs: &Refs,
) {
    let screen = view.screen();
    let target = |place: &usize| screen.ref_target(view.node(*place)?);
    let targets: Vec<Option<NodeId>> = places.iter().map(target).collect();
    let all: Vec<NodeId> = targets.iter().copied().flatten().collect();
    let given = refs.lock().assign_including(&all, screen);
    for (element, target) in elements.iter_mut().zip(targets) {
        element.session_ref = target.and_then(|target| given.get(target));
    }
}
