//! Selects one of several similar elements by the content of its row, card or entry: `tr:has(a[href="/orders/502"])
//! button[title="Edit"]`.

use dom::ElementId;

use super::css::{Combinator, Complex, Compound, SimpleSelector};
use super::feature::{Feature, features, stable_classes};
use super::page::PageNames;
use super::selector::{Selector, Strategy};

/// Maximum number of levels up to the row.
const MAX_LEVELS: usize = 8;
/// Maximum number of elements of the row that are searched.
const MAX_INSIDE: usize = 48;
/// Minimum stability of a feature that identifies a row.
const MIN_STABILITY: u8 = 60;
/// Stability lost by depending on another element.
const ROW_PENALTY: u8 = 10;
/// Stability lost by the kind of ancestor.
const HOLDER_PENALTY: u8 = 16;
/// Stability of a tag in a row, and of a position in it.
const TAG_STABILITY: u8 = 64;
const POSITION_STABILITY: u8 = 58;

/// Best selector for `id` by its row. `shared` are its features that are not unique.
pub(crate) fn selector_to(
    names: &PageNames<'_>,
    id: ElementId,
    shared: &[Feature],
) -> Option<Selector> {
    let ancestors: Vec<ElementId> = names.index.within_scope(id).take(MAX_LEVELS).collect();
    for row in &ancestors {
        let Some(own) = own_feature(names, id, *row) else {
            continue;
        };
        let holder = holder(names, *row, &own);
        // Ancestors that match the same selector contain the same.
        let outermost = names
            .index
            .within_scope(*row)
            .filter(|outer| names.index.fits(*outer, &holder))
            .last()
            .unwrap_or(*row);
        for inner in inside(names, id, *row, shared) {
            let subject = inner.compound();
            if !names.index.is_unique_in(id, outermost, &subject) {
                continue;
            }
            let stability = inner
                .stability
                .min(own.stability)
                .saturating_sub(ROW_PENALTY);
            let selector = Complex {
                ancestors: vec![(holder, Combinator::Around)],
                subject,
            };
            let feature = Feature {
                pieces: Vec::new(),
                strategy: Strategy::Row,
                stability,
                why: inner.why.or(own.why),
            };
            return Some(feature.selector(&selector));
        }
    }
    None
}

/// Combines shared features with the kind of ancestor: `h3 a[href="/news/7"]`.
pub(crate) fn by_holder(
    names: &PageNames<'_>,
    id: ElementId,
    shared: &[Feature],
) -> Option<Selector> {
    const MAX_HOLDERS: usize = 4;
    for around in names.index.within_scope(id).take(MAX_HOLDERS) {
        let element = names.dom.element(around);
        if matches!(&*element.tag, "body" | "html") {
            return None;
        }
        let is_generic_tag = matches!(&*element.tag, "div" | "span" | "a");
        let tag = (!is_generic_tag).then(|| names.tag(around));
        let class = stable_classes(element)
            .first()
            .map(|class| SimpleSelector::Class((*class).to_owned()));
        for pieces in [Vec::from_iter(tag), Vec::from_iter(class)] {
            if pieces.is_empty() {
                continue;
            }
            for inner in shared
                .iter()
                .filter(|inner| inner.stability >= MIN_STABILITY)
            {
                let selector = Complex {
                    ancestors: vec![(Compound::new(pieces.clone()), Combinator::Around)],
                    subject: inner.compound(),
                };
                if names.index.is_unique(id, &selector) {
                    let feature = Feature {
                        pieces: Vec::new(),
                        strategy: Strategy::Scoped,
                        stability: inner.stability.saturating_sub(HOLDER_PENALTY),
                        why: inner.why,
                    };
                    return Some(feature.selector(&selector));
                }
            }
        }
    }
    None
}

/// A feature inside `row` that is unique, outside of `id` and its content.
fn own_feature(names: &PageNames<'_>, id: ElementId, row: ElementId) -> Option<Feature> {
    let mut best: Option<Feature> = None;
    for other in names.dom.subtree(row).skip(1).take(MAX_INSIDE) {
        if names.dom.contains(id, other)
            || names.dom.element(other).scope != names.dom.element(id).scope
        {
            continue;
        }
        // A cell around the element is no more stable than the row.
        let is_ancestor = names.dom.contains(other, id);
        for feature in features(names.dom, &names.index, other) {
            let is_better = feature.stability >= MIN_STABILITY
                && best
                    .as_ref()
                    .is_none_or(|best| feature.stability > best.stability);
            if is_better && !is_ancestor && names.index.is_only_in(row, &feature.compound()) {
                best = Some(feature);
            }
        }
    }
    best
}

/// Selector of the row: its tag, with a class unless the tag means a row.
fn holder(names: &PageNames<'_>, row: ElementId, own: &Feature) -> Compound {
    let element = names.dom.element(row);
    let by_tag = matches!(
        &*element.tag,
        "tr" | "li" | "article" | "fieldset" | "section" | "dd"
    );
    let class = stable_classes(element)
        .first()
        .filter(|_| !by_tag)
        .map(|class| SimpleSelector::Class((*class).to_owned()));
    let holds = SimpleSelector::Has(Box::new(own.compound()));
    Compound::new(std::iter::once(names.tag(row)).chain(class).chain([holds]))
}

/// Features of the element inside its row, the most stable first.
fn inside(
    names: &PageNames<'_>,
    id: ElementId,
    row: ElementId,
    shared: &[Feature],
) -> Vec<Feature> {
    let tag = names.tag(id);
    let mut found: Vec<Feature> = shared
        .iter()
        .filter(|feature| feature.strategy != Strategy::Tag)
        .cloned()
        .collect();
    found.push(Feature::new([tag.clone()], Strategy::Tag, TAG_STABILITY));
    found.sort_by_key(|feature| std::cmp::Reverse(feature.stability));
    let place = names.dom.element(id).position;
    // Positions are stable only in similar rows.
    if is_one_of_several(names, row) {
        found.push(Feature::new(
            [tag, SimpleSelector::Nth(place)],
            Strategy::Position,
            POSITION_STABILITY,
        ));
    }
    found
}

/// Whether a sibling of `row` has the same tag.
fn is_one_of_several(names: &PageNames<'_>, row: ElementId) -> bool {
    let element = names.dom.element(row);
    element.parent.is_some_and(|parent| {
        names
            .dom
            .children(parent)
            .any(|other| other != row && names.dom.element(other).tag == element.tag)
    })
}
