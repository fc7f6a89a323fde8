//! On random layouts a reported side agrees with the bounds, and no description is certain of its own reference.

use inspect::{
    Request, Subject, Verdict,
    find::{self, FindResult},
};
use uitree::{Rect, UiTree};

use crate::support::{page::page, random::Random};

const NAMES: [&str; 8] = [
    "Alpaca", "Beetle", "Condor", "Dolphin", "Ermine", "Falcon", "Gibbon", "Heron",
];

/// Each relation as it is reported, with phrases for it.
const RELATIONS: [(&str, &[&str]); 4] = [
    (
        "left of",
        &["left of", "to the left side of", "in front of"],
    ),
    (
        "right of",
        &["right of", "right to", "on the right hand side of"],
    ),
    ("below", &["below", "underneath", "beneath"]),
    ("above", &["above", "on top of"]),
];

/// Separate boxes in the cells of a grid, in random order.
fn boxes(random: &mut Random) -> Vec<Rect> {
    const COLUMNS: usize = 4;
    let mut cells: Vec<usize> = (0..16).collect();
    let mut boxes = Vec::new();
    for _ in NAMES {
        let cell = cells.remove(random.below(cells.len()));
        let mut below = |end: usize| random.below(end) as i32;
        let left = (cell % COLUMNS * 240) as i32 + below(60);
        let top = (cell / COLUMNS * 120) as i32 + below(50);
        boxes.push(Rect::new(
            left,
            top,
            left + 60 + below(100),
            top + 24 + below(40),
        ));
    }
    boxes
}

/// Whether `own` is on the reported side of `other`: their lines or columns overlap by this share of the smaller
/// one, and their edges by at most three pixels.
fn is_on_side(own: Rect, relation: &str, other: Rect, share: i32) -> bool {
    let line = own.bottom.min(other.bottom) - own.top.max(other.top);
    let line = 100 * line > share * own.height().min(other.height());
    let column = own.right.min(other.right) - own.left.max(other.left);
    let column = 100 * column > share * own.width().min(other.width());
    match relation {
        "left of" => line && own.right <= other.left + 3,
        "right of" => line && own.left >= other.right - 3,
        "below" => column && own.top >= other.bottom - 3,
        _ => column && own.bottom <= other.top + 3,
    }
}

/// Asks for the button beside each button, by each phrase.
fn check_phrases(subject: &Subject, boxes: &[Rect]) {
    for (reference, bounds) in NAMES.iter().zip(boxes) {
        for (relation, phrases) in RELATIONS {
            for phrase in phrases {
                let description = format!("the button {phrase} {reference}");
                let found = find::find(subject, &Request::described(&*description)).unwrap();
                let is_there = boxes
                    .iter()
                    .any(|own| is_on_side(*own, relation, *bounds, 50));
                check_sides(subject, &found, relation, *bounds, is_there, &description);
            }
        }
    }
}

fn check_sides(
    subject: &Subject,
    found: &FindResult,
    relation: &str,
    other: Rect,
    is_there: bool,
    asked: &str,
) {
    for (place, hit) in found.ranked.iter().enumerate() {
        let own = subject.at(hit.place).and_then(|hit| hit.bounds).unwrap();
        let reported = hit
            .reasons
            .iter()
            .any(|reason| reason.words.starts_with(relation));
        assert!(
            !reported || is_on_side(own, relation, other, 0),
            "{asked}: {own} is not {relation} {other}: {found:?}"
        );
        if place == 0 && !is_on_side(own, relation, other, 0) {
            assert!(
                !is_there && found.verdict != Verdict::Certain,
                "{asked}: {own} is first, {other} is the reference: {found:?}"
            );
        }
    }
}

/// Asks on layouts that `subject` makes of lines, each with the name and the bounds of a box.
fn check_random_layouts(seed: u64, line: fn(&str, Rect) -> String, subject: fn(&str) -> Subject) {
    let mut random = Random(seed);
    for _ in 0..6 {
        let boxes = boxes(&mut random);
        let lines = NAMES.iter().zip(&boxes);
        let lines: String = lines.map(|(name, bounds)| line(name, *bounds)).collect();
        check_phrases(&subject(&lines), &boxes);
    }
}

#[test]
fn sides_are_true_on_random_pages() {
    let line = |name: &str, at: Rect| {
        let (left, top, right, bottom) = (at.left, at.top, at.right, at.bottom);
        format!("  button \"{name}\" [{left},{top},{right},{bottom}]\n")
    };
    check_random_layouts(1, line, |lines| page(&format!("main\n{lines}")).subject);
}

#[test]
fn sides_are_true_on_random_screens() {
    let line = |name: &str, at: Rect| format!("    button \"{name}\" {at} clickable .Button\n");
    check_random_layouts(2, line, |lines| {
        let window = "window application layer=1 active \"A\" owner=com.a\n  column [0,0][1080,2400] .LinearLayout";
        Subject::from_tree(&UiTree::parse_notation(&format!("{window}\n{lines}")).unwrap())
    });
}
