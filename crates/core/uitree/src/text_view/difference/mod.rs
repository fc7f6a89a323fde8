//! The difference of two text views.

use std::collections::HashMap;

use crate::Role;
use crate::text_view::line::{is_reference, ranged};
use crate::text_view::shown_lines::ShownLines;
use crate::text_view::unfold::{Element, Row, SAME, strings, without_references};

mod known;
mod matches;

use known::{Known, Place};

/// The fewest known lines beside each other that are counted instead of written.
const FEWEST: usize = 3;

/// How many characters are saved where fewer are.
const FEWEST_SAVED: usize = 24;

/// The most characters of the first of them that are written.
const MAX: usize = 32;

/// The longest known line that is written as a whole if it is alone: the options of a list that is opened again.
const MAX_ALONE: usize = 120;

/// How many of the removed lines are named, and the most of which any is: more are those of another page.
const MAX_NAMED: usize = 2;
const MAX_REMOVED: usize = 4;

/// The lines of `after` that `before` does not have, each after `+`, those that have another place, and the number of removed
/// lines with the first names; empty if the screens are equal. Of elements that share a line, only the new ones are shown. A
/// line that others look like follows the known line that tells what it belongs to. Indentation, the focus that an element has
/// lost, which elements share a line, and how many elements are beyond an edge or behind a dialog, do not count. A changed
/// element is not removed. `None` if the whole screen says it better: it shows another window, or most of it has changed.
pub fn difference(before: &str, after: &str) -> Option<String> {
    news(before, after, &ShownLines::default())
}

/// The same for a reader who was shown more than `before`: lines that are in view again are counted behind the first one.
pub fn news(before: &str, after: &str, shown_lines: &ShownLines) -> Option<String> {
    let known = Known::of(before, after, shown_lines)?;
    let names: Vec<String> = known
        .rows
        .iter()
        .map(|row| without_references(row.line))
        .collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in &names {
        *counts.entry(name).or_default() += 1;
    }
    let is_unique = |at: usize| counts.get(&*names[at]) == Some(&1);
    let mut text = String::new();
    let mut written = vec![false; known.rows.len()];
    let mut counted_to = 0;
    // The last elements that were written without the rest of their line.
    let mut last: Vec<&Element> = Vec::new();
    for (at, place) in known.places.iter().enumerate() {
        match place {
            Place::Shown if at >= counted_to => {
                let run = known.places[at..].iter();
                let run = run.take_while(|place| **place == Place::Shown).count();
                counted_to = at + run;
                text.push_str(&added(&known.counted(at, run)));
            }
            Place::Moved => text.push_str(&known.moved(at)),
            Place::New => {
                if let Some(owner) = known.owner(at, &is_unique) {
                    text.push_str(&format!(" {owner}\n"));
                }
                let elements = known.new_of_line(at);
                let line = match same(&last, &elements) {
                    Some(same) => Some(format!("{}{same}", indentation(known.rows[at].line))),
                    None => known.new_elements(at),
                };
                last = elements;
                written[at] = line.is_none();
                let line = line.unwrap_or_else(|| known.line(at, &written));
                text.push_str(&added(&format!("{line}\n")));
            }
            Place::Same(..) | Place::Regrouped | Place::Shown => {}
        }
    }
    let (count, names) = removed(&known.removed, after);
    text.push_str(&count);
    let is_shorter = text.len() * 3 <= after.len() * 2;
    text.push_str(&names);
    is_shorter.then_some(text)
}

/// The number of removed lines, and the first of their names that the new screen does not have elsewhere.
fn removed(names: &[Option<String>], after: &str) -> (String, String) {
    let count = match names.len() {
        0 => return Default::default(),
        1 => "- 1 line".to_owned(),
        count => format!("- {count} lines"),
    };
    let shown = names.iter().filter(|_| names.len() <= MAX_REMOVED);
    let shown = shown.flatten();
    let shown = shown
        .filter(|name| !after.contains(name.as_str()))
        .take(MAX_NAMED);
    let shown: String = shown.map(|name| format!(" {}", shortened(name))).collect();
    let colon = if shown.is_empty() { "" } else { ":" };
    (count, format!("{colon}{shown}\n"))
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

/// The start of a line, up to the end of a word. A text that is cut is still between quotes: what follows is not of the screen.
fn shortened(line: &str) -> String {
    let (indentation, mut letters) = (indentation(line), line.trim_start().chars());
    let start: String = letters.by_ref().take(MAX).collect();
    let Some(next) = letters.next() else {
        return format!("{indentation}{start}");
    };
    if let Some(text) = unclosed(&start) {
        return format!("{indentation}{text}…\"");
    }
    let words = match start.rfind(' ').filter(|_| next != ' ') {
        Some(end) => &start[..end],
        None => start.trim_end(),
    };
    // Nothing is said of a part of what is beyond the edges.
    let counts = words.rfind(" (").filter(|at| !words[*at..].contains(')'));
    format!("{indentation}{} …", &words[..counts.unwrap_or(words.len())])
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

impl Known<'_> {
    /// What a new line belongs to, if its elements are like others: the known text that shares its line, or the known line
    /// before it, unless a new line stands between them. What was shown before, with the same reference, needs none.
    fn owner(&self, at: usize, is_unique: &dyn Fn(usize) -> bool) -> Option<String> {
        let row = &self.rows[at];
        let has_known_reference = |own: &Element| {
            let reference = own.reference.as_ref();
            reference.is_some_and(|reference| self.references.contains(reference))
        };
        let needs_owner =
            |index: &usize| self.is_new[at][*index] && !has_known_reference(&row.elements[*index]);
        let first = (0..row.elements.len()).find(needs_owner)?;
        if let Some(text) = self.known_text_of(at, first) {
            let text = as_line(&row.elements[text].written);
            let text = format!("{}{text}", indentation(row.line));
            return Some(shortened(&text));
        }
        if is_unique(at) {
            return None;
        }
        let mut before = (1..at)
            .rev()
            .take_while(|at| self.places[*at] != Place::New);
        let owner = before.find(|at| is_unique(*at))?;
        Some(shortened(self.rows[owner].line))
    }

    /// The known text of a line that tells what an element of it belongs to: its first one, or of elements that look alike the
    /// first one between this element and the control before it. Where the controls come first, the text is behind its control.
    fn known_text_of(&self, at: usize, index: usize) -> Option<usize> {
        let elements = &self.rows[at].elements;
        let is_text = |index: &usize| elements[*index].role() == Role::Text.as_str();
        let name = |index: usize| without_references(&elements[index].written);
        let own = name(index);
        let is_known = |index: &usize| !self.is_new[at][*index];
        if (0..elements.len()).all(|other| other == index || name(other) != own) {
            return (0..elements.len()).find(|index| is_text(index) && is_known(index));
        }
        let mut texts = if is_text(&0) {
            let controls = (0..index).rev().filter(|before| !is_text(before));
            // Several controls may follow a text.
            let ends = controls.filter(|before| is_text(&(before + 1)));
            ends.max().map_or(0, |before| before + 1)..index
        } else {
            index..elements.len()
        };
        texts.find(is_text).filter(is_known)
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

    /// A line that has another place, and what is before it now.
    fn moved(&self, at: usize) -> String {
        let line = shortened(self.line(at, &[]).trim_start());
        let mut before = self.rows[..at]
            .iter()
            .rev()
            .map(|row| row.line.trim_start());
        let place = before.find_map(|before| {
            let role = before.split(' ').next().unwrap_or_default();
            let name = shortened(strings(before).next()?);
            let is_heading = [Role::Heading, Role::Title]
                .iter()
                .any(|heading| heading.as_str() == role);
            Some(match is_heading {
                true => format!("under {role} {name}"),
                false => format!("after {name}"),
            })
        });
        format!(
            "moved: {line}, now {}\n",
            place.as_deref().unwrap_or("first")
        )
    }

    /// The elements of a line that they share that are new, on a line of their own, or the start of one of which only the
    /// reference is new; `None` if all of it is new.
    fn new_elements(&self, at: usize) -> Option<String> {
        let row = &self.rows[at];
        if let [
            Element {
                written,
                reference: Some(reference),
                ..
            },
        ] = &*row.elements
            && self.names.contains(&without_references(written))
        {
            let start = shortened(row.line);
            return (start != row.line).then(|| format!("{start} {reference}"));
        }
        let new = self.new_of_line(at);
        (!new.is_empty()).then(|| joined(row, &new))
    }

    /// The new elements of a line that has others, too, each after the known text that tells what it belongs to, if that is
    /// another one than that of the element before.
    fn new_of_line(&self, at: usize) -> Vec<&Element> {
        let all = &self.rows[at].elements;
        let new: Vec<usize> = (0..all.len())
            .filter(|index| self.is_new[at][*index])
            .collect();
        if new.len() == all.len() {
            return Vec::new();
        }
        let mut elements = Vec::new();
        let mut owner = new.first().and_then(|first| self.known_text_of(at, *first));
        for index in new {
            let text = self.known_text_of(at, index);
            if text.is_some() && text != owner {
                elements.extend(text.map(|text| &all[text]));
            }
            owner = text.or(owner);
            elements.push(&all[index]);
        }
        elements
    }

    /// The start of the first of these lines with their number, and what is new on them.
    fn counted(&self, at: usize, run: usize) -> String {
        let Some(first) = self.rows.get(at) else {
            return String::new();
        };
        if run == 1 && first.line.len() <= MAX_ALONE {
            return format!("{}\n", self.line(at, &[]));
        }
        let start = shortened(first.line);
        if run == 1 {
            return format!("{start}\n");
        }
        let start = start.trim_end_matches('…').trim_end();
        let mut text = format!("{start} … {run} lines as before\n");
        let new = (at..at + run).filter(|at| self.places[*at] == Place::New);
        for new in new.filter_map(|new| self.new_elements(new)) {
            text.push_str(&new);
            text.push('\n');
        }
        text
    }

    /// How many lines from this one, a known one, are beside each other on both screens, apart from single elements on lines that
    /// several share.
    fn run_at(&self, at: usize) -> usize {
        let Some(Place::Same(_, last)) = self.places.get(at) else {
            return 0;
        };
        let mut last = *last;
        let mut shared = 0;
        let rest = self.places.iter().zip(&self.is_new).skip(at + 1);
        let rest = rest.take_while(|(place, is_new)| match place {
            // One of the lines between is another one now.
            Place::Same(first, to) => {
                let is_next = (last..=last + 1 + std::mem::take(&mut shared)).contains(first);
                last = *to;
                is_next
            }
            Place::New => {
                shared += 1;
                // It had at least half of the elements.
                is_new.len() > 1
                    && is_new.iter().filter(|is_new| **is_new).count() * 2 <= is_new.len()
            }
            Place::Regrouped => {
                shared += 1;
                true
            }
            Place::Moved | Place::Shown => false,
        });
        1 + rest.count()
    }
}

/// That elements are as those before, but for their references, if it is shorter to say so.
fn same(before: &[&Element], elements: &[&Element]) -> Option<String> {
    let said = |elements: &[&Element]| -> Vec<String> {
        let written = elements.iter().map(|own| without_references(&own.written));
        written.collect()
    };
    let references: Option<Vec<String>> =
        elements.iter().map(|own| own.reference.clone()).collect();
    let own = said(elements);
    let is_short = own.concat().len() <= SAME.len();
    (!is_short && own == said(before)).then_some(())?;
    Some(format!("{SAME} {}", ranged(references?.into_iter())))
}

/// An element at the start of a line.
fn as_line(element: &str) -> &str {
    let text = element
        .strip_prefix(Role::Text.as_str())
        .map(str::trim_start);
    text.filter(|text| text.starts_with('"')).unwrap_or(element)
}

/// Elements on a line, each role once.
fn joined(row: &Row<'_>, elements: &[&Element]) -> String {
    let mut text = indentation(row.line).to_owned();
    let mut last: Option<&str> = None;
    for element in elements {
        let (role, rest) = element
            .written
            .split_once(' ')
            .unwrap_or((&element.written, ""));
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
            None => as_line(&element.written),
            Some(_) => &element.written,
        });
        last = Some(role);
    }
    text
}

#[cfg(test)]
mod tests;
