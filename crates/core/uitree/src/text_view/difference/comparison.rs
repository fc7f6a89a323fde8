//! Compares the lines of two screens.

use std::collections::{HashMap, HashSet};

use super::matches::{ElementChange, Matches, ScreenElements, common};
use super::parse::{Element, ParsedLine, parse, without_references};
use super::shown_lines::ShownLines;

/// How a line differs from the earlier screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineChange {
    /// Has a new element.
    New,
    /// Unchanged; the first and last of its lines in the earlier screen. Such lines are in the same order.
    Same(usize, usize),
    /// Its elements moved in part, or lost an exclusive state.
    Regrouped,
    /// All its elements moved.
    Moved,
    /// The earlier screen does not have it, but one before does.
    SeenBefore,
}

/// The lines of a screen, compared with an earlier one.
pub(super) struct LineComparison<'s> {
    pub(super) lines: Vec<ParsedLine<'s>>,
    pub(super) changes: Vec<LineChange>,
    /// Which elements of each line are new.
    pub(super) is_new: Vec<Vec<bool>>,
    /// The names of the removed lines, or of the removed elements of shared lines.
    pub(super) removed: Vec<Option<String>>,
    /// The unmatched elements of the earlier screen, without references.
    pub(super) unmatched: HashSet<String>,
    /// The references that the reader has seen.
    pub(super) references: HashSet<String>,
}

impl<'s> LineComparison<'s> {
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
        let (old_lines, lines) = (parse(before), parse(after));
        let (old, new) = (ScreenElements::of(&old_lines), ScreenElements::of(&lines));
        let mut numbers = HashMap::new();
        let mut number = |key| {
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        };
        let old_numbers: Vec<u32> = old.keys.iter().map(|(_, key)| number(*key)).collect();
        let is_known = |name: &String| before.contains(&**name) || shown_lines.has_string(name);
        // An off-screen element counts if its name is new.
        let has_new_name = |at: usize| !new.elements[at].1.off_screen_names.iter().all(is_known);
        let new_numbers = new.keys.iter().map(|(at, key)| match has_new_name(*at) {
            true => u32::MAX,
            false => number(*key),
        });
        let new_numbers: Vec<u32> = new_numbers.collect();
        let partners = common((&old, &old_numbers), (&new, &new_numbers))?;
        let matches = Matches::of(&old, &new, &partners);
        let (mut changes, implied) = matches.changes(&has_new_name);
        let old_references = old.references();
        mark_seen(&mut changes, &new, &old_references, shown_lines);
        let mut is_new: Vec<Vec<bool>> = vec![Vec::new(); lines.len()];
        let mut elements: Vec<Vec<usize>> = vec![Vec::new(); lines.len()];
        for (at, (line, _)) in new.elements.iter().enumerate() {
            is_new[*line].push(changes[at] == ElementChange::New);
            elements[*line].push(at);
        }
        let change_of = |own: &Vec<usize>| {
            let has = |change: ElementChange| own.iter().any(|at| changes[*at] == change);
            let old_lines = |at: Option<&usize>| matches.old_lines(*at?);
            if has(ElementChange::New) {
                LineChange::New
            } else if has(ElementChange::SeenBefore) {
                LineChange::SeenBefore
            } else if own.iter().all(|at| changes[*at] == ElementChange::Moved) {
                LineChange::Moved
            } else if has(ElementChange::Moved) || has(ElementChange::Implied) {
                LineChange::Regrouped
            } else {
                let lines = old_lines(own.first()).zip(old_lines(own.last()));
                lines.map_or(LineChange::Regrouped, |((first, _), (_, last))| {
                    LineChange::Same(first, last)
                })
            }
        };
        let line_changes = elements.iter().map(change_of).collect();
        let unmatched = matches
            .unmatched
            .iter()
            .map(|at| without_references(&old.elements[*at].1.written));
        let shown = new.references().into_iter();
        let shown = shown.filter(|reference| shown_lines.has(reference));
        let references = old_references.iter().copied().chain(shown);
        Some(Self {
            changes: line_changes,
            is_new,
            removed: matches.removed(&old_lines, &changes, &implied),
            unmatched: unmatched.collect(),
            references: references.map(str::to_owned).collect(),
            lines,
        })
    }
}

/// Marks the new elements that a screen before has, with the texts of a line whose control scrolled into view.
fn mark_seen(
    changes: &mut [ElementChange],
    new: &ScreenElements<'_>,
    old_references: &HashSet<&str>,
    shown_lines: &ShownLines,
) {
    let is_scrolled_in = |own: &Element| {
        let reference = own.reference.as_deref();
        reference.is_some_and(|reference| !old_references.contains(reference))
            && shown_lines.knows(own, false)
    };
    let mut begin = 0;
    let mut is_after_seen = false;
    for line in new.elements.chunk_by(|(line, _), (next, _)| line == next) {
        let changes = &mut changes[begin..begin + line.len()];
        begin += line.len();
        let is_with_seen = is_after_seen || line.iter().any(|(_, own)| is_scrolled_in(own));
        for ((_, own), change) in line.iter().zip(changes.iter_mut()) {
            // The focus always counts.
            let is_seen = !own.is_focused && shown_lines.knows(own, is_with_seen);
            if *change == ElementChange::New && is_seen {
                *change = ElementChange::SeenBefore;
            }
        }
        // A line with new elements is written as a whole, such as the options of a list.
        if changes.contains(&ElementChange::New) {
            let seen = |change: &&mut ElementChange| **change == ElementChange::SeenBefore;
            let seen = changes.iter_mut().filter(seen);
            seen.for_each(|change| *change = ElementChange::New);
        }
        is_after_seen = changes
            .iter()
            .all(|change| *change == ElementChange::SeenBefore);
    }
}
