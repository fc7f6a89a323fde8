//! Geometry: positions on the screen and relative to each other.

use uitree::{Rect, Size};

use crate::find::{
    pick::entry_list::is_header_row,
    words::lexicon::{Region, Relation},
};
use crate::subject::{Candidate, ContextKind, Kind, Subject};

/// Share of `regions` that `candidate` is in, from 0 to 1.
pub(crate) fn in_regions(subject: &Subject, candidate: &Candidate, regions: &[Region]) -> f32 {
    let Some(bounds) = candidate.bounds else {
        return 0.0;
    };
    if regions.is_empty() {
        return 0.0;
    }
    let sum: f32 = regions
        .iter()
        .map(|spot| in_region(subject, candidate, bounds, *spot))
        .sum();
    sum / regions.len() as f32
}

fn in_region(subject: &Subject, candidate: &Candidate, bounds: Rect, spot: Region) -> f32 {
    let screen = or_extent(subject.screen, subject.extent);
    let extent = subject.extent;
    let center = bounds.center();
    let across = share(center.x, 0, screen.width);
    let down = share(center.y, 0, screen.height);
    let page = share(center.y, extent.top, extent.bottom);
    match spot {
        // Scrolled elements are neither at the top nor in the middle.
        Region::Top => (1.0 - down).max(0.6 * (1.0 - page)),
        Region::Bottom => (page * page).max(if down <= 1.0 { 0.8 * down } else { 0.0 }),
        Region::Left => 1.0 - across,
        Region::Right => across,
        Region::Middle => 1.0 - 2.0 * (across - 0.5).abs(),
        Region::Landmark(part) => {
            if candidate.context.iter().any(|context| context.kind == part) {
                return 1.0;
            }
            match part {
                ContextKind::Header if down < 0.15 => 0.6,
                ContextKind::Footer if page > 0.88 => 0.6,
                ContextKind::Aside if !(0.25..=0.75).contains(&across) => 0.4,
                ContextKind::Navigation
                    if candidate
                        .context
                        .iter()
                        .any(|context| context.kind == ContextKind::Header) =>
                {
                    0.6
                }
                _ => 0.0,
            }
        }
    }
}

fn or_extent(screen: Size, extent: Rect) -> Size {
    if screen.width > 0 && screen.height > 0 {
        screen
    } else {
        Size::new(extent.width().max(1), extent.height().max(1))
    }
}

/// Position between two edges, from 0 to 1.
fn share(at: i32, from: i32, to: i32) -> f32 {
    let whole = (to.saturating_sub(from)).max(1) as f32;
    ((at.saturating_sub(from)) as f32 / whole).clamp(0.0, 1.0)
}

/// Closeness of `bounds` to `reference` on the side of `relation`: 1 if they touch, less with distance.
pub(crate) fn relation(bounds: Rect, reference: Rect, relation: Relation) -> f32 {
    const HALF_DISTANCE: f32 = 140.0;
    /// Maximum overlap of edges.
    const SLACK: i32 = 3;
    let right_gap = bounds.left.saturating_sub(reference.right);
    let left_gap = reference.left.saturating_sub(bounds.right);
    let down_gap = bounds.top.saturating_sub(reference.bottom);
    let up_gap = reference.top.saturating_sub(bounds.bottom);
    let across = right_gap.max(left_gap).max(0) as f32;
    let along = down_gap.max(up_gap).max(0) as f32;
    let closeness = |gap: f32| 1.0 / (1.0 + gap / HALF_DISTANCE);
    match relation {
        Relation::Beside | Relation::Of => {
            let same_line = along == 0.0;
            let distance = across.hypot(along);
            if same_line {
                closeness(distance)
            } else {
                0.85 * closeness(distance * 1.3)
            }
        }
        Relation::Under if down_gap >= -SLACK => closeness(along + across * 2.0),
        Relation::Over if up_gap >= -SLACK => closeness(along + across * 2.0),
        Relation::LeftOf if left_gap >= -SLACK => closeness(across + along * 2.0),
        Relation::RightOf if right_gap >= -SLACK => closeness(across + along * 2.0),
        Relation::Inside => {
            let center = bounds.center();
            if reference.contains(center) { 0.7 } else { 0.0 }
        }
        Relation::After => self::relation(bounds, reference, Relation::RightOf)
            .max(self::relation(bounds, reference, Relation::Under)),
        Relation::Before => self::relation(bounds, reference, Relation::LeftOf)
            .max(self::relation(bounds, reference, Relation::Over)),
        Relation::Under | Relation::Over | Relation::LeftOf | Relation::RightOf => 0.0,
    }
}

/// Distance on that side, with the misalignment.
pub(crate) fn gap(bounds: Rect, reference: Rect, relation: Relation) -> f32 {
    const OFF_LINE_FACTOR: f32 = 2.5;
    let apart = |from: (i32, i32), to: (i32, i32)| {
        let gap = from.0.saturating_sub(to.1).max(to.0.saturating_sub(from.1));
        gap.max(0) as f32
    };
    let across = apart(
        (bounds.left, bounds.right),
        (reference.left, reference.right),
    );
    let along = apart(
        (bounds.top, bounds.bottom),
        (reference.top, reference.bottom),
    );
    let (center, other) = (bounds.center(), reference.center());
    let column = [
        bounds.left - reference.left,
        center.x - other.x,
        bounds.right - reference.right,
    ];
    let column = column.iter().map(|off| off.abs()).min().unwrap_or_default() as f32;
    let line = (center.y - other.y).abs() as f32;
    match relation {
        Relation::Under | Relation::Over => along + across + 0.5 * column,
        Relation::LeftOf | Relation::RightOf => across + along + 0.5 * line,
        _ if along == 0.0 => across + 0.3 * line,
        _ => OFF_LINE_FACTOR * across.hypot(along) + 0.5 * column,
    }
}

/// Whether the centre of `bounds` meets `relation` to that of `reference`, in the same line or column.
pub(crate) fn is_true_of_centres(bounds: Rect, reference: Rect, relation: Relation) -> bool {
    let (center, reference_center) = (bounds.center(), reference.center());
    let is_on_line = bounds.shares_row(&reference);
    let is_in_column = bounds.shares_column(&reference);
    match relation {
        Relation::LeftOf => center.x < reference_center.x && is_on_line,
        Relation::RightOf => center.x > reference_center.x && is_on_line,
        Relation::Over => center.y < reference_center.y && is_in_column,
        Relation::Under => center.y > reference_center.y && is_in_column,
        Relation::Before => (center.y, center.x) < (reference_center.y, reference_center.x),
        Relation::After => (center.y, center.x) > (reference_center.y, reference_center.x),
        Relation::Beside => is_on_line || is_in_column,
        Relation::Inside | Relation::Of => false,
    }
}

/// Sorts by lines from top to bottom, and within a line from left to right.
pub(crate) fn sort_in_reading_order<T>(items: &mut [T], bounds: impl Fn(&T) -> Rect) {
    items.sort_by_key(|item| (bounds(item).top, bounds(item).left));
    let mut from = 0;
    while from < items.len() {
        let middle = items.get(from).map_or(0, |first| bounds(first).center().y);
        let rest = items.get(from..).unwrap_or_default();
        let count = rest
            .iter()
            .take_while(|item| bounds(item).top <= middle)
            .count()
            .max(1);
        if let Some(line) = items.get_mut(from..from + count) {
            line.sort_by_key(|item| (bounds(item).left, bounds(item).top));
        }
        from += count;
    }
}

/// Whether `bounds` meets `relation` to `reference`: on its line for left and right, in its column for above and
/// below, close by for beside.
pub(crate) fn is_true(bounds: Rect, reference: Rect, relation: Relation) -> bool {
    /// Maximum distance of elements that are beside each other on different lines.
    const MAX_DISTANCE: i32 = 60;
    let overlap = |from: (i32, i32), to: (i32, i32)| from.1.min(to.1) - from.0.max(to.0);
    let along = overlap(
        (bounds.top, bounds.bottom),
        (reference.top, reference.bottom),
    );
    let across = overlap(
        (bounds.left, bounds.right),
        (reference.left, reference.right),
    );
    // Lines that only touch are two lines.
    let on_line = 4 * along > bounds.height().min(reference.height());
    let on_side = |side| self::relation(bounds, reference, side) > 0.0;
    match relation {
        Relation::LeftOf | Relation::RightOf => on_line && on_side(relation),
        Relation::Under | Relation::Over => across > 0 && on_side(relation),
        Relation::Beside => on_line || (along >= -MAX_DISTANCE && across >= -MAX_DISTANCE),
        Relation::After => {
            is_true(bounds, reference, Relation::RightOf)
                || is_true(bounds, reference, Relation::Under)
        }
        Relation::Before => {
            is_true(bounds, reference, Relation::LeftOf)
                || is_true(bounds, reference, Relation::Over)
        }
        Relation::Inside | Relation::Of => on_side(relation),
    }
}

/// The parts of a screen that hold an element and a reference.
pub(crate) struct Parts {
    pub(crate) own: Rect,
    pub(crate) other: Rect,
    /// Whether one is surely meant to be beside the other. A row of a form may be only a label and its field.
    pub(crate) is_certain: bool,
}

/// The rows that hold an element and a reference, if they are others of one list; for left and right the headers of their
/// columns. What is below a name in a table is in a row below it.
pub(crate) fn lines(
    subject: &Subject,
    candidate: &Candidate,
    reference: usize,
    relation: Relation,
) -> Option<Parts> {
    /// Maximum height of a row, in heights of its text.
    const MAX_LINES: i32 = 3;
    match relation {
        Relation::Under | Relation::Over => {
            let (own, other) = siblings(subject, candidate, reference, &[ContextKind::Row])?;
            let is_certain = subject.at(other).is_some_and(|row| row.kind == Kind::Row);
            let lines = parts_at(subject, own, other, is_certain)?;
            let text = subject.nodes.get(reference)?.bounds?;
            let is_line = is_certain || lines.other.height() <= MAX_LINES * text.height();
            (is_line && !is_header_row(subject, other)).then_some(lines)
        }
        Relation::LeftOf | Relation::RightOf => {
            let mut columns = candidate.context.iter();
            let column = columns.find(|context| context.kind == ContextKind::Column)?;
            are_siblings(subject, column.place, reference)
                .then(|| parts_at(subject, column.place, reference, true))?
        }
        _ => None,
    }
}

/// The rows, cards or sections that hold an element and a reference, if they are others of one list.
pub(crate) fn parts(subject: &Subject, candidate: &Candidate, reference: usize) -> Option<Parts> {
    const PARTS: [ContextKind; 4] = [
        ContextKind::Row,
        ContextKind::Group,
        ContextKind::Dialog,
        ContextKind::Heading,
    ];
    let (own, other) = siblings(subject, candidate, reference, &PARTS)?;
    parts_at(subject, own, other, true)
}

fn parts_at(subject: &Subject, own: usize, other: usize, is_certain: bool) -> Option<Parts> {
    Some(Parts {
        own: subject.nodes.get(own)?.bounds?,
        other: subject.nodes.get(other)?.bounds?,
        is_certain,
    })
}

fn are_siblings(subject: &Subject, own: usize, other: usize) -> bool {
    let parent = |place: usize| subject.nodes.get(place)?.parent;
    own != other && parent(own) == parent(other)
}

/// Contexts of these kinds that an element and a reference are in, or which they are, with one parent.
fn siblings(
    subject: &Subject,
    candidate: &Candidate,
    reference: usize,
    kinds: &[ContextKind],
) -> Option<(usize, usize)> {
    let places = |of: &Candidate| {
        let contexts = of.context.iter().filter(|it| kinds.contains(&it.kind));
        let contexts = contexts.map(|it| it.place);
        std::iter::once(of.place)
            .chain(contexts)
            .collect::<Vec<_>>()
    };
    let others = places(subject.at(reference)?);
    let own = places(candidate).into_iter();
    let mut pairs = own.flat_map(|own| others.iter().map(move |other| (own, *other)));
    pairs.find(|(own, other)| are_siblings(subject, *own, *other))
}
