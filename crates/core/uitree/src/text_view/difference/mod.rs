//! The difference of two text views.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::text_view::shown_lines::ShownLines;
use crate::text_view::unfold::{
    Element, Row, is_reference, reference, rows, strings, without_focus, without_references,
    without_state,
};

/// Above this many pairs of lines the screens are not compared.
const MAX_PAIRS: usize = 4_000_000;

/// The fewest known lines beside each other that are counted instead of written.
const FEWEST: usize = 3;

/// How many characters are saved where fewer are.
const FEWEST_SAVED: usize = 24;

/// The most characters of the first of them that are written.
const MAX: usize = 32;

/// How the line that counts what a dialog covers begins.
const BEHIND_DIALOG: &str = "behind the dialog: ";

/// The role of a text, which a line that begins with one does not say.
const TEXT_AND_SPACE: &str = "text ";

/// The lines of `after` that `before` does not have, each after `+`, and the number of removed lines; empty if the screens are
/// equal. Of elements that share a line, only the new ones are shown. A line that others look like follows the known line that
/// tells what it belongs to. Indentation, the focus that an element has lost, which elements share a line, and how many
/// elements are beyond an edge or behind a dialog, do not count. `None` if the whole screen says it better: it shows another
/// window, or most of it has changed.
#[must_use]
pub fn difference(before: &str, after: &str) -> Option<String> {
    news(before, after, &ShownLines::default())
}

/// The same for a reader who was shown more than `before`: lines that are in view again are counted behind the first one.
#[must_use]
pub fn news(before: &str, after: &str, shown_lines: &ShownLines) -> Option<String> {
    let known = Known::of(before, after, shown_lines)?;
    let owners = known.owners();
    let mut text = String::new();
    let mut written = vec![false; known.rows.len()];
    let mut counted_to = 0;
    for at in 0..known.rows.len() {
        if known.places[at] == Place::Shown && at >= counted_to {
            let run = known.places[at..].iter();
            let run = run.take_while(|place| **place == Place::Shown).count();
            counted_to = at + run;
            text.push_str(&added(&known.counted(at, run)));
        }
        if !known.is_new(at) {
            continue;
        }
        if let Some(owner) = &owners[at] {
            text.push_str(&format!(" {owner}\n"));
        }
        let line = known.new_elements(at);
        written[at] = line.is_none();
        let line = line.unwrap_or_else(|| known.line(at, &written));
        text.push_str(&added(&format!("{line}\n")));
    }
    if known.removed > 0 {
        let lines = if known.removed == 1 { "line" } else { "lines" };
        text.push_str(&format!("- {} {lines}\n", known.removed));
    }
    (text.len() * 3 <= after.len() * 2).then_some(text)
}

/// A line as one that is new.
fn added(line: &str) -> String {
    match line.starts_with(' ') {
        true => format!("+{line}"),
        false => format!("+ {line}"),
    }
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// The start of a line. A text that is cut is still between quotes: what follows is not of the screen.
fn shortened(line: &str) -> String {
    let (indentation, mut letters) = (indentation(line), line.trim_start().chars());
    let start: String = letters.by_ref().take(MAX).collect();
    if letters.next().is_none() {
        return format!("{indentation}{start}");
    }
    match unclosed(&start) {
        Some(text) => format!("{indentation}{text}…\""),
        None => format!("{indentation}{start}…"),
    }
}

/// A cut line whose last quote is not closed, up to its last whole letter.
fn unclosed(start: &str) -> Option<&str> {
    let mut letters = start.char_indices();
    let mut is_open = false;
    let mut whole = 0;
    while let Some((_, letter)) = letters.next() {
        match letter {
            '"' => is_open = !is_open,
            '\\' => match letters.next() {
                Some((_, 'u')) if !letters.by_ref().any(|(_, letter)| letter == '}') => break,
                Some(_) => {}
                None => break,
            },
            _ => {}
        }
        whole = letters.offset();
    }
    is_open.then(|| &start[..whole])
}

/// The screen `after` without the lines that are beside each other in `before`, too: these are counted behind the first one. Of
/// elements that share one of these lines, those that are new are written behind them, such as the one that is selected now.
/// `None` if it shows another window, or no such lines.
#[must_use]
pub fn without_known(before: &str, after: &str) -> Option<String> {
    let known = Known::of(before, after, &ShownLines::default())?;
    let mut text = String::new();
    let mut written = vec![false; known.rows.len()];
    // The line of the window always stays.
    let mut at = 0;
    let mut is_shorter = false;
    while at < known.rows.len() {
        let run = if at == 0 { 0 } else { known.run_at(at) };
        let counted = known.counted(at, run);
        let whole = known.rows[at..at + run].iter();
        let whole: usize = whole.map(|row| row.line.len() + 1).sum();
        let is_long = run >= FEWEST || whole >= counted.len() + FEWEST_SAVED;
        if run > 1 && is_long && counted.len() < whole {
            text.push_str(&counted);
            at += run;
            is_shorter = true;
        } else {
            written[at] = true;
            text.push_str(&known.line(at, &written));
            text.push('\n');
            at += 1;
        }
    }
    is_shorter.then_some(text)
}

/// What an earlier screen says of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    New,
    /// It has the line, too, at this place; these lines are in the same order.
    Same(usize),
    /// It has the elements of the line, on lines that are shared otherwise.
    Regrouped,
    /// It does not have the line, but one before it has.
    Shown,
}

/// Which lines of a screen an earlier one has.
struct Known<'s> {
    rows: Vec<Row<'s>>,
    places: Vec<Place>,
    /// How many lines of the earlier screen are gone; of elements that shared a line, these themselves.
    removed: usize,
    /// The elements of the lines of the earlier screen that have not stayed.
    elements: HashSet<String>,
    /// What these are called, with any reference.
    names: HashSet<String>,
    /// The references that the reader knows, of these and of others on the screen.
    references: HashSet<String>,
}

impl<'s> Known<'s> {
    /// `None` for screens of different applications and for screens that are too long.
    fn of(before: &str, after: &'s str, shown_lines: &ShownLines) -> Option<Self> {
        let window = |screen: &str| -> Vec<String> {
            let words = screen
                .lines()
                .next()
                .into_iter()
                .flat_map(|line| line.split(' '));
            words.take(2).map(str::to_owned).collect()
        };
        if window(before) != window(after) {
            return None;
        }
        let (old_rows, rows) = (rows(before), rows(after));
        let mut numbers = HashMap::new();
        let mut number = |line: String| {
            let next = numbers.len() as u32;
            *numbers.entry(line).or_insert(next)
        };
        let old = old_rows.iter().map(|row| {
            let all = |_: &str| true;
            let own = key(row, |own| own.into(), &all);
            // A container that scrolls may have nothing more to show.
            let at_rest = own.split_once(" scrollable").map(|(start, _)| start);
            let other = at_rest.map(str::to_owned).or_else(|| {
                let is_focused = row.line.contains(" focused");
                is_focused.then(|| key(row, without_focus, &all))
            });
            let own = number(own);
            [own, other.map_or(own, &mut number)]
        });
        let old: Vec<[u32; 2]> = old.collect();
        let is_known = |name: &str| before.contains(name) || shown_lines.has_string(name);
        let new = rows.iter();
        let new = new.map(|row| number(key(row, |own| own.into(), &is_known)));
        let new: Vec<u32> = new.collect();
        let is_same = |(old, new): (&[u32; 2], &u32)| old.contains(new);
        let prefix = old
            .iter()
            .zip(&new)
            .take_while(|pair| is_same(*pair))
            .count();
        let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
        let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
        let suffix = pairs.take_while(|pair| is_same(*pair)).count();
        let old_rest = &old_rest[..old_rest.len() - suffix];
        let new_rest = &new_rest[..new_rest.len() - suffix];
        if old_rest.len().saturating_mul(new_rest.len()) > MAX_PAIRS {
            return None;
        }
        let between = common_lines(old_rest, new_rest).into_iter();
        let between = between.map(|at| at.map(|at| prefix + at));
        let equal_end = (old.len() - suffix..old.len()).map(Some);
        let places = (0..prefix).map(Some).chain(between).chain(equal_end);
        let places: Vec<Option<usize>> = places.collect();
        Some(Self::with_regrouped(&old_rows, rows, &places, shown_lines))
    }

    /// Finds the elements of lines that do not have the same place.
    fn with_regrouped(
        before: &[Row<'_>],
        rows: Vec<Row<'s>>,
        places: &[Option<usize>],
        shown_lines: &ShownLines,
    ) -> Self {
        let stayed: HashSet<usize> = places.iter().flatten().copied().collect();
        let gone = || {
            let rows = before.iter().enumerate();
            let rows = rows.filter(|(at, _)| !stayed.contains(at));
            rows.map(|(_, row)| &*row.elements)
        };
        let come = || {
            let rows = rows.iter().zip(places);
            let rows = rows.filter(|(_, place)| place.is_none());
            rows.map(|(row, _)| &*row.elements)
        };
        let mut elements = all_without_focus(gone());
        let names = elements.iter().map(|own| without_references(own)).collect();
        let deselected = deselected(gone().flatten(), come().flatten(), &elements);
        elements.extend(deselected.iter().cloned());
        let left = all_of(come());
        let (shared_before, shared_after) =
            (all_without_focus(shared(gone())), all_of(shared(come())));
        // An element is alone on a line now, or was before.
        let are_among = |all: &HashSet<String>, shared: &HashSet<String>, row: &[Element]| match row
        {
            [element] => element.is_among(shared),
            _ => row.iter().all(|element| element.is_among(all)),
        };
        let is_known = |row: &[Element]| match row {
            [element] if deselected.contains(&element.short) => true,
            _ => are_among(&elements, &shared_before, row),
        };
        let removed = gone().map(|row| {
            let unfocused: Vec<Element> = row.iter().map(Element::without_focus).collect();
            match &*unfocused {
                row if are_among(&left, &shared_after, row) => 0,
                [_] => 1,
                // Some of them may have stayed.
                row => row.iter().filter(|own| !own.is_among(&left)).count(),
            }
        });
        let removed = removed.sum();
        let all_before = before.iter().flat_map(|row| &row.elements);
        let references_before: HashSet<&str> =
            all_before.filter_map(|own| reference(&own.short)).collect();
        let came_into_view = |own: &Element| {
            let is_new = |reference| !references_before.contains(reference);
            reference(&own.short).is_some_and(is_new) && shown_lines.knows(own, false)
        };
        let mut is_behind_known = false;
        let mut shown_elements: Vec<&Element> = Vec::new();
        let places = rows.iter().zip(places).map(|(row, place)| {
            let before = shown_elements.len();
            // The texts beside a control that came into view came with it.
            let is_with_known = is_behind_known || row.elements.iter().any(came_into_view);
            let was_shown = |own: &&Element| shown_lines.knows(own, is_with_known);
            if place.is_none() {
                shown_elements.extend(row.elements.iter().filter(was_shown));
            }
            is_behind_known = false;
            match place {
                Some(place) => Place::Same(*place),
                None if is_known(&row.elements) => Place::Regrouped,
                None if shown_elements.len() - before == row.elements.len() => {
                    is_behind_known = true;
                    Place::Shown
                }
                None => Place::New,
            }
        });
        let places = places.collect();
        let shown_elements: Vec<String> = (shown_elements.into_iter())
            .flat_map(|own| [own.whole.clone(), own.short.clone()])
            .collect();
        elements.extend(shown_elements);
        let known = elements.iter().map(String::as_str).filter_map(reference);
        let shown = come().flatten().filter_map(|own| reference(&own.short));
        let shown = shown.filter(|reference| shown_lines.has(reference));
        let references = known.chain(shown).map(str::to_owned).collect();
        Self {
            references,
            places,
            removed,
            elements,
            names,
            rows,
        }
    }

    /// For each new line what it belongs to, if its elements are like others: the known text that shares its line, or the known
    /// line before it, unless a new line stands between them. What was there before, with the same reference, needs none.
    fn owners(&self) -> Vec<Option<String>> {
        let names = self.rows.iter().map(|row| without_references(row.line));
        let names: Vec<String> = names.collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for name in &names {
            *counts.entry(name).or_default() += 1;
        }
        let is_unique = |at: usize| counts.get(&*names[at]) == Some(&1);
        let owner = |at: usize| {
            let elements = &self.rows[at].elements;
            let is_old = |own: &Element| own.is_among(&self.elements);
            let has_known_reference = |own: &Element| {
                reference(&own.short).is_some_and(|reference| self.references.contains(reference))
            };
            let mut new = elements.iter().filter(|own| !is_old(own));
            if !self.is_new(at) || new.all(has_known_reference) {
                return None;
            }
            let indentation = indentation(self.rows[at].line);
            let is_text = |own: &&Element| own.whole.starts_with(TEXT_AND_SPACE) && is_old(own);
            if let Some(text) = elements.iter().find(is_text) {
                return Some(shortened(&format!("{indentation}{}", as_line(&text.whole))));
            }
            let before = (1..at).rev().take_while(|at| !self.is_new(*at));
            let mut before = before.into_iter().filter(|at| is_unique(*at));
            let owner = before.next().filter(|_| !is_unique(at))?;
            Some(shortened(self.rows[owner].line))
        };
        (0..self.rows.len()).map(owner).collect()
    }

    /// A line, with the elements that it has as the row above if that one is not written.
    fn line(&self, at: usize, written: &[bool]) -> String {
        let row = &self.rows[at];
        match row.above {
            Some(above) if written.get(above) != Some(&true) => {
                joined(row, &row.elements.iter().collect::<Vec<_>>())
            }
            _ => row.line.to_owned(),
        }
    }

    /// The elements of a line that they share that are new, on a line of their own, or the start of one of which only the
    /// reference is new; `None` if all of it is new or nothing.
    fn new_elements(&self, at: usize) -> Option<String> {
        let row = &self.rows[at];
        if let [own] = &*row.elements
            && let Some(reference) = reference(&own.short)
            && self.names.contains(&without_references(&own.short))
        {
            let start = shortened(row.line);
            return (start != row.line).then(|| format!("{start} {reference}"));
        }
        let new = row.elements.iter();
        let new: Vec<&Element> = new.filter(|own| !own.is_among(&self.elements)).collect();
        (!new.is_empty() && new.len() < row.elements.len()).then(|| joined(row, &new))
    }

    /// The start of the first of these lines with their number, and what is new on them.
    fn counted(&self, at: usize, run: usize) -> String {
        let Some(first) = self.rows.get(at) else {
            return String::new();
        };
        if run == 1 && first.line.len() <= MAX + FEWEST_SAVED {
            return format!("{}\n", self.line(at, &[]));
        }
        let start = shortened(first.line);
        if run == 1 {
            return format!("{start}\n");
        }
        let start = start.trim_end_matches('…').trim_end();
        let mut text = format!("{start} … {run} lines as before\n");
        let is_new = |at: &usize| self.is_new(*at);
        for new in (at..at + run).filter(is_new) {
            if let Some(new) = self.new_elements(new) {
                text.push_str(&new);
                text.push('\n');
            }
        }
        text
    }

    fn is_new(&self, at: usize) -> bool {
        self.places.get(at) == Some(&Place::New)
    }

    /// How many lines from this one, a known one, are beside each other on both screens, apart from single elements on lines that
    /// several share.
    fn run_at(&self, at: usize) -> usize {
        let Some(Place::Same(first)) = self.places.get(at) else {
            return 0;
        };
        let mut last = *first;
        let mut shared = 0;
        let rest = self.places[at + 1..].iter().zip(&self.rows[at + 1..]);
        let rest = rest.take_while(|(place, row)| match place {
            // One of the lines between is another one now.
            Place::Same(place) => {
                let is_next = *place == last + 1 + std::mem::take(&mut shared);
                last = *place;
                is_next
            }
            Place::New => {
                shared += 1;
                self.has_most_of(&row.elements)
            }
            Place::Regrouped | Place::Shown => false,
        });
        1 + rest.count()
    }

    /// Whether the earlier screen has at least half of the elements that share a line.
    fn has_most_of(&self, all: &[Element]) -> bool {
        let known = all.iter().filter(|own| own.is_among(&self.elements));
        all.len() > 1 && known.count() * 2 >= all.len()
    }
}

/// What of a line counts, each element as on a line of its own.
fn key(row: &Row<'_>, part: fn(&str) -> Cow<'_, str>, is_known: &dyn Fn(&str) -> bool) -> String {
    let elements = row.elements.iter();
    let parts: Vec<String> = match &*row.elements {
        [element] => vec![part(&without_counts(&element.whole, is_known)).into_owned()],
        _ => elements.map(|own| part(&own.short).into_owned()).collect(),
    };
    parts.join("\n")
}

/// An element at the start of a line.
fn as_line(element: &str) -> &str {
    let text = element.strip_prefix(TEXT_AND_SPACE);
    text.filter(|text| text.starts_with('"')).unwrap_or(element)
}

/// Elements on a line, each role once.
fn joined(row: &Row<'_>, elements: &[&Element]) -> String {
    let mut text = indentation(row.line).to_owned();
    let mut last: Option<&str> = None;
    for element in elements {
        let (role, rest) = element
            .whole
            .split_once(' ')
            .unwrap_or((&element.whole, ""));
        if let Some(before) = last {
            text.push(' ');
            // A reference ends what is said of an element.
            let is_ended = text.trim_end().rsplit(' ').next().is_some_and(is_reference);
            if before == role && is_ended {
                text.push_str(rest);
                continue;
            }
        }
        text.push_str(match last {
            None => as_line(&element.whole),
            Some(_) => &element.whole,
        });
        last = Some(role);
    }
    text
}

/// The elements of these lines.
fn all_of<'e>(lines: impl Iterator<Item = &'e [Element]>) -> HashSet<String> {
    let names = lines.flatten().flat_map(|own| [&own.whole, &own.short]);
    names.cloned().collect()
}

/// The same with and without their focus.
fn all_without_focus<'e>(lines: impl Iterator<Item = &'e [Element]>) -> HashSet<String> {
    let mut all = all_of(lines);
    let unfocused: Vec<String> = all
        .iter()
        .map(|own| without_focus(own).into_owned())
        .collect();
    all.extend(unfocused);
    all
}

/// The lines that several elements share.
fn shared<'e>(lines: impl Iterator<Item = &'e [Element]>) -> impl Iterator<Item = &'e [Element]> {
    lines.filter(|line| line.len() > 1)
}

/// The selected elements of an earlier screen as they are when they are not: others of their kind are selected now, which says so.
fn deselected<'l>(
    old: impl Iterator<Item = &'l Element>,
    new: impl Iterator<Item = &'l Element>,
    known: &HashSet<String>,
) -> HashSet<String> {
    const SELECTED: &str = " selected";
    let role = |element: &'l Element| element.short.split(' ').next().unwrap_or_default();
    let is_selected = |element: &&Element| without_state(&element.short, SELECTED) != element.short;
    let is_new = |element: &&Element| {
        !known.contains(&element.short) && !known.contains(&*without_focus(&element.short))
    };
    let roles: HashSet<&str> = new.filter(is_selected).filter(is_new).map(role).collect();
    let old = old.filter(is_selected);
    old.filter(|element| roles.contains(role(element)))
        .map(|element| without_focus(&without_state(&element.short, SELECTED)).into_owned())
        .collect()
}

/// A line without the numbers of what is beyond the edges of its container, or behind a dialog, and without the known names of
/// what is there.
fn without_counts<'l>(line: &'l str, is_known: &dyn Fn(&str) -> bool) -> Cow<'l, str> {
    if line.starts_with(BEHIND_DIALOG) {
        return Cow::Borrowed(BEHIND_DIALOG);
    }
    let Some(begin) = start_of_counts(line) else {
        return Cow::Borrowed(line);
    };
    let (start, rest) = line.split_at(begin);
    let (counts, rest) = rest.split_at(rest.rfind(')').unwrap_or(rest.len()));
    let new = strings(counts).filter(|name| !is_known(name));
    let new: String = new.map(|name| format!("{name} ")).collect();
    Cow::Owned(format!("{start}{new}{}", rest.trim_start_matches(") ")))
}

/// Where a line begins to count what is beyond the edges of its container: behind its names and states.
fn start_of_counts(line: &str) -> Option<usize> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut letters = line.char_indices();
    letters.find_map(|(at, letter)| {
        is_quoted ^= letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        let begins = letter == '(' && !is_quoted && line[..at].ends_with("scrollable ");
        begins.then_some(at)
    })
}

/// The longest common subsequence: for each line of `new` its place in `old`.
fn common_lines(old: &[[u32; 2]], new: &[u32]) -> Vec<Option<usize>> {
    // The lengths of the longest common subsequences of the rests of both.
    let width = new.len() + 1;
    let mut lengths = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i * width + j] = if old[i].contains(&new[j]) {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let mut places = vec![None; new.len()];
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        if old[i].contains(&new[j]) {
            places[j] = Some(i);
            i += 1;
            j += 1;
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    places
}

#[cfg(test)]
mod tests;
