//! One of several alike by what only its row, card or entry holds: `tr:has(a[href="/orders/502"]) button[title="Edit"]`.

use dom::ElementId;

use super::css::{Combinator, Complex, Compound, Piece};
use super::feature::{Feature, features, stable_classes};
use super::page::PageNames;
use super::selector::{Selector, Strategy};

/// How far up the row may be.
const LEVELS: usize = 8;
/// How much of it is looked through for what only it holds.
const MOST_INSIDE: usize = 48;
/// What has to be tied to something less lasting than this is as well counted.
const LEAST: u8 = 60;
/// How much less stable a selector is that depends on a second element.
const ELSEWHERE: u8 = 10;
/// How much less stable a selector is that goes by the kind of thing around the element.
const HELD: u8 = 16;
/// What a tag alone is good for inside of a row, and a place among the row's own.
const TAG: u8 = 64;
const PLACE: u8 = 58;

/// The best way to `id` by its row; `shared` is what it has together with others.
pub(crate) fn selector_to(
    names: &PageNames<'_>,
    id: ElementId,
    shared: &[Feature],
) -> Option<Selector> {
    let around: Vec<ElementId> = names.index.within_scope(id).take(LEVELS).collect();
    for row in &around {
        let Some(own) = own_feature(names, id, *row) else {
            continue;
        };
        let holder = holder(names, *row, &own);
        // Whatever is called like the row and lies around it holds the same.
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
            let stability = inner.stability.min(own.stability).saturating_sub(ELSEWHERE);
            let selector = Complex {
                around: vec![(holder, Combinator::Around)],
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

/// What `id` has together with others, held apart by the kind of thing that it lies in: `h3 a[href="/news/7"]`.
pub(crate) fn by_holder(
    names: &PageNames<'_>,
    id: ElementId,
    shared: &[Feature],
) -> Option<Selector> {
    const HOLDERS: usize = 4;
    for around in names.index.within_scope(id).take(HOLDERS) {
        let element = names.dom.element(around);
        if matches!(&*element.tag, "body" | "html") {
            return None;
        }
        let plain = matches!(&*element.tag, "div" | "span" | "a");
        let tag = (!plain).then(|| names.tag(around));
        let class = stable_classes(element)
            .first()
            .map(|class| Piece::Class((*class).to_owned()));
        for pieces in [Vec::from_iter(tag), Vec::from_iter(class)] {
            if pieces.is_empty() {
                continue;
            }
            for inner in shared.iter().filter(|inner| inner.stability >= LEAST) {
                let selector = Complex {
                    around: vec![(Compound::new(pieces.clone()), Combinator::Around)],
                    subject: inner.compound(),
                };
                if names.index.is_unique(id, &selector) {
                    let feature = Feature {
                        pieces: Vec::new(),
                        strategy: Strategy::Scoped,
                        stability: inner.stability.saturating_sub(HELD),
                        why: inner.why,
                    };
                    return Some(feature.selector(&selector));
                }
            }
        }
    }
    None
}

/// What something in `row` has that nothing outside of it has; not `id` itself or what lies in it.
fn own_feature(names: &PageNames<'_>, id: ElementId, row: ElementId) -> Option<Feature> {
    let mut best: Option<Feature> = None;
    for other in names.dom.subtree(row).skip(1).take(MOST_INSIDE) {
        if names.dom.contains(id, other)
            || names.dom.element(other).scope != names.dom.element(id).scope
        {
            continue;
        }
        // A cell or a box around the element is no more lasting than the row.
        let around = names.dom.contains(other, id);
        for feature in features(names.dom, &names.index, other) {
            let lasts = feature.stability >= LEAST
                && best
                    .as_ref()
                    .is_none_or(|best| feature.stability > best.stability);
            if lasts && !around && names.index.is_only_in(row, &feature.compound()) {
                best = Some(feature);
            }
        }
    }
    best
}

/// The row as a selector writes it: its tag, with its classes where the tag is no row by itself.
fn holder(names: &PageNames<'_>, row: ElementId, own: &Feature) -> Compound {
    let element = names.dom.element(row);
    let by_tag = matches!(
        &*element.tag,
        "tr" | "li" | "article" | "fieldset" | "section" | "dd"
    );
    let class = stable_classes(element)
        .first()
        .filter(|_| !by_tag)
        .map(|class| Piece::Class((*class).to_owned()));
    let holds = Piece::Has(Box::new(own.compound()));
    Compound::new(std::iter::once(names.tag(row)).chain(class).chain([holds]))
}

/// What the element may be called inside of its row, the most lasting first.
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
    found.push(Feature::new([tag.clone()], Strategy::Tag, TAG));
    found.sort_by_key(|feature| std::cmp::Reverse(feature.stability));
    let place = names.dom.element(id).position;
    // Counting is worth more in a row than on the page only where rows are alike.
    if is_one_of_several(names, row) {
        found.push(Feature::new(
            [tag, Piece::Nth(place)],
            Strategy::Position,
            PLACE,
        ));
    }
    found
}

/// Whether a neighbour of `row` is called like it.
fn is_one_of_several(names: &PageNames<'_>, row: ElementId) -> bool {
    let element = names.dom.element(row);
    element.parent.is_some_and(|parent| {
        names
            .dom
            .children(parent)
            .any(|other| other != row && names.dom.element(other).tag == element.tag)
    })
}
