//! What a reader of an earlier screen knows of each line of a later one.

use std::collections::{HashMap, HashSet};

use super::matches::{ElementChange, Flat, Matches, common};
use crate::text_view::shown_lines::ShownLines;
use crate::text_view::unfold::{Element, Row, rows, without_references};

/// What an earlier screen says of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It does not have one of its elements.
    New,
    /// It has the line, too, on the lines from the first of these to the second; such lines are in the same order.
    Same(usize, usize),
    /// It has the elements of the line, some of them at other places or selected.
    Regrouped,
    /// It has the line at another place.
    Moved,
    /// It does not have the line, but one before it has.
    Shown,
}

/// Which lines of a screen an earlier one has.
pub(super) struct Known<'s> {
    pub(super) rows: Vec<Row<'s>>,
    pub(super) places: Vec<Place>,
    /// Which elements of each line are new.
    pub(super) is_new: Vec<Vec<bool>>,
    /// What the lines of the earlier screen say that are gone; of elements that shared a line, these themselves.
    pub(super) removed: Vec<Option<String>>,
    /// What the elements of the earlier screen that have not stayed are called, with any reference.
    pub(super) names: HashSet<String>,
    /// The references that the reader knows.
    pub(super) references: HashSet<String>,
}

impl<'s> Known<'s> {
    /// `None` for screens of different applications and for screens that are too long.
    pub(super) fn of(before: &str, after: &'s str, shown_lines: &ShownLines) -> Option<Self> {
        let window = |screen: &str| -> Vec<String> {
            let first = screen.lines().next().into_iter();
            let words = first.flat_map(|line| line.split(' '));
            words.take(2).map(str::to_owned).collect()
        };
        if window(before) != window(after) {
            return None;
        }
        let (old_rows, rows) = (rows(before), rows(after));
        let (old, new) = (Flat::of(&old_rows), Flat::of(&rows));
        let mut numbers = HashMap::new();
        let mut number = |key| {
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        };
        let old_numbers: Vec<u32> = old.keys.iter().map(|(_, key)| number(*key)).collect();
        let is_known = |name: &String| before.contains(&**name) || shown_lines.has_string(name);
        // What is beyond the edges of a container counts if its name is new.
        let has_news = |at: usize| !new.elements[at].1.beyond.iter().all(is_known);
        let new_numbers = new.keys.iter().map(|(at, key)| match has_news(*at) {
            true => u32::MAX,
            false => number(*key),
        });
        let new_numbers: Vec<u32> = new_numbers.collect();
        let partners = common((&old, &old_numbers), (&new, &new_numbers))?;
        let matches = Matches::of(&old, &new, &partners);
        let (mut changes, implied) = matches.changes(&has_news);
        let old_references = old.references();
        add_shown(&mut changes, &new, &old_references, shown_lines);
        let mut is_new: Vec<Vec<bool>> = vec![Vec::new(); rows.len()];
        let mut all: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
        for (at, (row, _)) in new.elements.iter().enumerate() {
            is_new[*row].push(changes[at] == ElementChange::New);
            all[*row].push(at);
        }
        let place = |own: &Vec<usize>| {
            let has = |change: ElementChange| own.iter().any(|at| changes[*at] == change);
            let old_row = |at: Option<&usize>| matches.old_row(*at?);
            if has(ElementChange::New) {
                Place::New
            } else if has(ElementChange::Shown) {
                Place::Shown
            } else if own.iter().all(|at| changes[*at] == ElementChange::Moved) {
                Place::Moved
            } else if has(ElementChange::Moved) || has(ElementChange::Implied) {
                Place::Regrouped
            } else {
                let rows = old_row(own.first()).zip(old_row(own.last()));
                rows.map_or(Place::Regrouped, |((first, _), (_, last))| {
                    Place::Same(first, last)
                })
            }
        };
        let places = all.iter().map(place).collect();
        let names = matches
            .left
            .iter()
            .map(|at| without_references(&old.elements[*at].1.written));
        let shown = new.references().into_iter();
        let shown = shown.filter(|reference| shown_lines.has(reference));
        let references = old_references
            .iter()
            .copied()
            .chain(shown)
            .map(str::to_owned);
        Some(Self {
            places,
            is_new,
            removed: matches.removed(&old_rows, &changes, &implied),
            names: names.collect(),
            references: references.collect(),
            rows,
        })
    }
}

/// Finds the new elements that a screen before has. The texts beside a control that came into view came with it.
fn add_shown(
    changes: &mut [ElementChange],
    new: &Flat<'_>,
    old_references: &HashSet<&str>,
    shown_lines: &ShownLines,
) {
    let came_into_view = |own: &Element| {
        let reference = own.reference.as_deref();
        reference.is_some_and(|reference| !old_references.contains(reference))
            && shown_lines.knows(own, false)
    };
    let mut begin = 0;
    let mut is_behind_known = false;
    for row in new.elements.chunk_by(|(row, _), (next, _)| row == next) {
        let changes = &mut changes[begin..begin + row.len()];
        begin += row.len();
        let is_with_known = is_behind_known || row.iter().any(|(_, own)| came_into_view(own));
        for ((_, own), change) in row.iter().zip(changes.iter_mut()) {
            // The focus is new wherever it is.
            let is_known = !own.is_focused && shown_lines.knows(own, is_with_known);
            if *change == ElementChange::New && is_known {
                *change = ElementChange::Shown;
            }
        }
        // A line that has come with something new is written as a whole, such as the options of a list.
        if changes.contains(&ElementChange::New) {
            for change in changes
                .iter_mut()
                .filter(|change| **change == ElementChange::Shown)
            {
                *change = ElementChange::New;
            }
        }
        is_behind_known = changes.iter().all(|change| *change == ElementChange::Shown);
    }
}
