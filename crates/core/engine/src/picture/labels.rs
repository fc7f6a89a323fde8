//! Boxes around elements, each with a label that covers no other label.

use uitree::{Rect, Size};

use super::canvas::{Canvas, Color};
use super::digits;

/// The colours of boxes; white letters are legible on them. Neighbours in reading order have different ones.
const COLORS: [Color; 6] = [
    [200, 0, 0],
    [0, 90, 200],
    [0, 120, 40],
    [150, 0, 160],
    [170, 80, 0],
    [0, 110, 120],
];
const WHITE: Color = [255; 3];
/// An element with this many times the area of its label may have the label inside.
const MIN_ROOM_FACTOR: i64 = 6;

/// An element to mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Its pixels.
    pub(crate) bounds: Rect,
    /// Its reference.
    pub(crate) label: String,
}

/// Draws the boxes, then the labels over them.
pub(super) fn draw(canvas: &mut Canvas, marks: &[Mark], dot: i32) {
    let size = canvas.size();
    let colors = || COLORS.iter().copied().cycle();
    for (mark, color) in marks.iter().zip(colors()) {
        frame(canvas, mark.bounds, dot, color);
    }
    let places = places(marks, size, dot);
    for ((mark, place), color) in marks.iter().zip(places).zip(colors()) {
        canvas.fill(place, color);
        let at = (place.left + dot, place.top + dot);
        digits::write(canvas, &mark.label, at, dot, WHITE);
    }
}

/// Draws the outline of a part.
fn frame(canvas: &mut Canvas, part: Rect, dot: i32, color: Color) {
    let wide = (dot / 2).max(1);
    let Rect {
        left,
        top,
        right,
        bottom,
    } = part;
    for edge in [
        Rect::new(left, top, right, (top + wide).min(bottom)),
        Rect::new(left, (bottom - wide).max(top), right, bottom),
        Rect::new(left, top, (left + wide).min(right), bottom),
        Rect::new((right - wide).max(left), top, right, bottom),
    ] {
        canvas.fill(edge, color);
    }
}

/// The size of a label, with a margin of one dot.
fn label_size(label: &str, dot: i32) -> Size {
    let letters = i32::try_from(label.chars().count()).unwrap_or(i32::MAX / 1_000);
    Size::new(
        (letters * digits::ADVANCE + 1) * dot,
        (digits::HEIGHT + 2) * dot,
    )
}

/// A place for each label. Labels overlap only in a picture without room for all of them.
fn places(marks: &[Mark], picture: Size, dot: i32) -> Vec<Rect> {
    let mut placed: Vec<Rect> = Vec::new();
    for mark in marks {
        let size = label_size(&mark.label, dot);
        let is_free = |place: &Rect| {
            is_inside(place, picture) && placed.iter().all(|other| other.intersect(place).is_none())
        };
        let candidate_rects = candidate_rects(mark.bounds, size)
            .into_iter()
            .filter(is_free);
        let best = candidate_rects.min_by_key(|place| hidden_area(place, mark, marks));
        let place = best.or_else(|| surrounding_rects(mark.bounds, size, picture).find(is_free));
        // A picture that is too small for all labels.
        placed.push(place.unwrap_or(at(mark.bounds.left, mark.bounds.top, size)));
    }
    placed
}

fn at(left: i32, top: i32, size: Size) -> Rect {
    Rect::new(left, top, left + size.width, top + size.height)
}

fn is_inside(place: &Rect, picture: Size) -> bool {
    place.intersect(&picture.to_rect()) == Some(*place)
}

/// The places at the edges of an element, the preferred ones first.
fn candidate_rects(bounds: Rect, size: Size) -> [Rect; 9] {
    let Rect {
        left,
        top,
        right,
        bottom,
    } = bounds;
    let (wide, high) = (size.width, size.height);
    [
        at(left, top - high, size),
        at(right - wide, top - high, size),
        at(left - wide, top, size),
        at(right, top, size),
        at(left, bottom, size),
        at(right - wide, bottom, size),
        at(right - wide, top, size),
        at(left, top, size),
        at(right - wide, bottom - high, size),
    ]
}

/// Places further and further away from an element.
fn surrounding_rects(bounds: Rect, size: Size, picture: Size) -> impl Iterator<Item = Rect> {
    let (wide, high) = (size.width, size.height);
    let rings = picture.width / wide + picture.height / high + 2;
    (1..rings).flat_map(move |ring| {
        (-ring..=ring).flat_map(move |row| {
            (-ring..=ring)
                .filter(move |column| row.abs() == ring || column.abs() == ring)
                .map(move |column| at(bounds.left + column * wide, bounds.top + row * high, size))
        })
    })
}

/// The area of marked elements that a label hides. The label's own element counts less, and a roomy one little.
fn hidden_area(place: &Rect, own_mark: &Mark, marks: &[Mark]) -> i64 {
    let area = |part: &Rect| i64::from(part.width()) * i64::from(part.height());
    let overlap = |bounds: &Rect| place.intersect(bounds).map_or(0, |part| area(&part));
    let others = marks.iter().filter(|mark| {
        // An element around this one is hidden in any place.
        mark.bounds != own_mark.bounds
            && own_mark.bounds.intersect(&mark.bounds) != Some(own_mark.bounds)
    });
    let others: i64 = others.map(|mark| overlap(&mark.bounds)).sum();
    let is_roomy = area(&own_mark.bounds) >= MIN_ROOM_FACTOR * area(place);
    others * 2 + overlap(&own_mark.bounds) / if is_roomy { 4 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(bounds: impl IntoIterator<Item = Rect>) -> Vec<Mark> {
        let bounds = bounds.into_iter().enumerate();
        let mark = |(number, bounds)| Mark {
            bounds,
            label: format!("e{}", number + 1),
        };
        bounds.map(mark).collect()
    }

    fn assert_no_overlap(places: &[Rect], picture: Size) {
        for (number, place) in places.iter().enumerate() {
            assert!(is_inside(place, picture), "{number}: {place:?}");
            for other in &places[..number] {
                assert_eq!(place.intersect(other), None, "{number}");
            }
        }
    }

    #[test]
    fn labels_of_touching_controls_are_apart() {
        let picture = Size::new(400, 200);
        let cell = |number: i32| {
            let (left, top) = (20 + number % 12 * 16, 40 + number / 12 * 16);
            Rect::new(left, top, left + 16, top + 16)
        };
        let marks = marks((0..24).map(cell));
        assert_no_overlap(&places(&marks, picture, 2), picture);
    }

    #[test]
    fn labels_of_the_same_place_and_at_edges_are_apart() {
        let picture = Size::new(300, 200);
        let same = Rect::new(100, 100, 120, 110);
        let edges = [
            Rect::new(0, 0, 300, 200),
            Rect::new(0, 0, 10, 10),
            Rect::new(290, 190, 300, 200),
            Rect::new(-20, 50, 5, 60),
        ];
        let marks = marks(edges.into_iter().chain([same; 8]));
        assert_no_overlap(&places(&marks, picture, 2), picture);
    }

    #[test]
    fn label_of_a_small_control_does_not_hide_it() {
        let picture = Size::new(300, 200);
        let own_mark = Rect::new(100, 100, 116, 116);
        let places = places(&marks([own_mark, Rect::new(80, 60, 200, 100)]), picture, 2);
        assert_eq!(places[0].intersect(&own_mark), None);
    }

    #[test]
    fn too_small_picture_has_labels_anyway() {
        let picture = Size::new(20, 20);
        let marks = marks([Rect::new(0, 0, 20, 20); 3]);
        assert_eq!(places(&marks, picture, 2).len(), 3);
    }
}
