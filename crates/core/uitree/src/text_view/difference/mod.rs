//! Formats the difference of two text views.

use std::collections::HashMap;

use crate::Role;
use crate::text_view::line::references::{SAME, format_references, is_reference};

mod comparison;
mod matches;
mod parse;
pub(crate) mod shown_lines;

use comparison::{LineChange, LineComparison};
use parse::{Element, ParsedLine, strings, without_references};
use shown_lines::ShownLines;

/// Minimum number of consecutive unchanged lines that are counted.
const MIN_RUN: usize = 3;

/// Minimum characters that a run of fewer than [`MIN_RUN`] lines must save.
const MIN_SAVED: usize = 24;

/// Maximum number of characters of a shortened line.
const MAX_SHORTENED: usize = 32;

/// Maximum length of a single unchanged line that is written as a whole, such as the options of a reopened list.
const MAX_SINGLE_LINE: usize = 120;

/// Maximum number of named removed lines, and of removed lines of which any is named.
const MAX_NAMED: usize = 2;
const MAX_REMOVED: usize = 4;

/// Formats the changes from `before` to `after`: added lines after `+`, moved lines, and the number of removed lines.
///
/// An ambiguous line follows the unchanged line that identifies it. Ignores indentation, lost focus, line grouping and counts of
/// hidden elements. `None` if the difference is not shorter than the screen, or the window is another.
pub fn difference(before: &str, after: &str) -> Option<String> {
    difference_for_reader(before, after, &ShownLines::default())
}

/// As [`difference`], for a reader who knows `shown_lines`: of those, only the number is written.
pub fn difference_for_reader(
    before: &str,
    after: &str,
    shown_lines: &ShownLines,
) -> Option<String> {
    let comparison = LineComparison::of(before, after, shown_lines)?;
    let lines = comparison.lines.iter();
    let names: Vec<String> = lines.map(|line| without_references(line.text)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in &names {
        *counts.entry(name).or_default() += 1;
    }
    let is_unique = |at: usize| counts.get(&*names[at]) == Some(&1);
    let mut text = String::new();
    let mut written = vec![false; comparison.lines.len()];
    let mut counted_to = 0;
    // The last elements that were written without the rest of their line.
    let mut last: Vec<&Element> = Vec::new();
    for (at, change) in comparison.changes.iter().enumerate() {
        match change {
            LineChange::SeenBefore if at >= counted_to => {
                let run = comparison.changes[at..].iter();
                let run = run.take_while(|change| **change == LineChange::SeenBefore);
                let run = run.count();
                counted_to = at + run;
                text.push_str(&added(&comparison.counted(at, run)));
            }
            LineChange::Moved => text.push_str(&comparison.moved(at)),
            LineChange::New => {
                if let Some(owner) = comparison.owner(at, &is_unique) {
                    text.push_str(&format!(" {owner}\n"));
                }
                let elements = comparison.new_of_line(at);
                let line = match same_marker(&last, &elements) {
                    Some(same) => {
                        let indentation = indentation(comparison.lines[at].text);
                        Some(format!("{indentation}{same}"))
                    }
                    None => comparison.new_elements(at),
                };
                last = elements;
                written[at] = line.is_none();
                let line = line.unwrap_or_else(|| comparison.line(at, &written));
                text.push_str(&added(&format!("{line}\n")));
            }
            LineChange::Same(..) | LineChange::Regrouped | LineChange::SeenBefore => {}
        }
    }
    let (count, names) = removed(&comparison.removed, after);
    text.push_str(&count);
    let is_shorter = text.len() * 3 <= after.len() * 2;
    text.push_str(&names);
    is_shorter.then_some(text)
}

/// The number of removed lines, and the first of their names that the new screen does not have.
fn removed(names: &[Option<String>], after: &str) -> (String, String) {
    let count = match names.len() {
        0 => return Default::default(),
        1 => "- 1 line".to_owned(),
        count => format!("- {count} lines"),
    };
    let shown = names.iter().filter(|_| names.len() <= MAX_REMOVED);
    let shown = (shown.flatten())
        .filter(|name| !after.contains(name.as_str()))
        .take(MAX_NAMED);
    let shown: String = shown.map(|name| format!(" {}", shortened(name))).collect();
    let colon = if shown.is_empty() { "" } else { ":" };
    (count, format!("{colon}{shown}\n"))
}

/// The line after `+`.
fn added(line: &str) -> String {
    match line.starts_with(' ') {
        true => format!("+{line}"),
        false => format!("+ {line}"),
    }
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// The start of a line, up to the end of a word. A cut string keeps its quotes, since what follows is not of the screen.
fn shortened(line: &str) -> String {
    let (indentation, mut letters) = (indentation(line), line.trim_start().chars());
    let start: String = letters.by_ref().take(MAX_SHORTENED).collect();
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
    // Cut counts of off-screen elements are removed.
    let counts = words.rfind(" (").filter(|at| !words[*at..].contains(')'));
    format!("{indentation}{} …", &words[..counts.unwrap_or(words.len())])
}

/// A cut line with an open quote, up to its last complete character.
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

/// Formats `after` with runs of lines that are consecutive in `before`, too, as the first one and their number, followed by the new
/// elements of shared lines, such as a selected one. `None` if there are no such lines, or the window is another.
pub fn without_known(before: &str, after: &str) -> Option<String> {
    let comparison = LineComparison::of(before, after, &ShownLines::default())?;
    let mut text = String::new();
    let mut written = vec![false; comparison.lines.len()];
    // The line of the window is always written.
    let mut at = 0;
    let mut is_shorter = false;
    while at < comparison.lines.len() {
        let run = if at == 0 { 0 } else { comparison.run_at(at) };
        let counted = comparison.counted(at, run);
        let whole = comparison.lines[at..at + run].iter();
        let whole: usize = whole.map(|line| line.text.len() + 1).sum();
        let is_long = run >= MIN_RUN || whole >= counted.len() + MIN_SAVED;
        if run > 1 && is_long && counted.len() < whole {
            text.push_str(&counted);
            at += run;
            is_shorter = true;
        } else {
            written[at] = true;
            text.push_str(&comparison.line(at, &written));
            text.push('\n');
            at += 1;
        }
    }
    is_shorter.then_some(text)
}

impl LineComparison<'_> {
    /// The unchanged text that identifies an ambiguous new line: on the line itself, or the last unique unchanged line above. An
    /// element that was shown before with its reference is unambiguous.
    fn owner(&self, at: usize, is_unique: &dyn Fn(usize) -> bool) -> Option<String> {
        let line = &self.lines[at];
        let has_seen_reference = |own: &Element| {
            let reference = own.reference.as_ref();
            reference.is_some_and(|reference| self.references.contains(reference))
        };
        let needs_owner =
            |index: &usize| self.is_new[at][*index] && !has_seen_reference(&line.elements[*index]);
        let first = (0..line.elements.len()).find(needs_owner)?;
        if let Some(text) = self.owner_on_line(at, first) {
            let text = as_line(&line.elements[text].written);
            let text = format!("{}{text}", indentation(line.text));
            return Some(shortened(&text));
        }
        if is_unique(at) {
            return None;
        }
        let before = (1..at).rev();
        let mut before = before.take_while(|at| self.changes[*at] != LineChange::New);
        let owner = before.find(|at| is_unique(*at))?;
        Some(shortened(self.lines[owner].text))
    }

    /// The unchanged text of a line that identifies an element of it: the first one or, if elements are equal, the first one between
    /// the previous control and the element. If the line begins with a control, texts follow their controls.
    fn owner_on_line(&self, at: usize, index: usize) -> Option<usize> {
        let elements = &self.lines[at].elements;
        let is_text = |index: &usize| elements[*index].role() == Role::Text.as_str();
        let name = |index: usize| without_references(&elements[index].written);
        let own = name(index);
        let is_unchanged = |index: &usize| !self.is_new[at][*index];
        if (0..elements.len()).all(|other| other == index || name(other) != own) {
            return (0..elements.len()).find(|index| is_text(index) && is_unchanged(index));
        }
        let mut texts = if is_text(&0) {
            let controls = (0..index).rev().filter(|before| !is_text(before));
            // Several controls may follow a text.
            let ends = controls.filter(|before| is_text(&(before + 1)));
            ends.max().map_or(0, |before| before + 1)..index
        } else {
            index..elements.len()
        };
        texts.find(is_text).filter(is_unchanged)
    }

    /// A line, with the elements of the line that it refers to if that one is not written.
    fn line(&self, at: usize, written: &[bool]) -> String {
        let line = &self.lines[at];
        match line.refers_to {
            Some(other) if written.get(other) != Some(&true) => {
                joined(line, &line.elements.iter().collect::<Vec<_>>())
            }
            _ => line.text.to_owned(),
        }
    }

    /// A moved line, and what is before it.
    fn moved(&self, at: usize) -> String {
        let line = shortened(self.line(at, &[]).trim_start());
        let before = self.lines[..at].iter().rev();
        let mut before = before.map(|line| line.text.trim_start());
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

    /// The new elements of a shared line as a line, or the start of a line of which only the reference is new; `None` if all elements
    /// are new.
    fn new_elements(&self, at: usize) -> Option<String> {
        let line = &self.lines[at];
        if let [
            Element {
                written,
                reference: Some(reference),
                ..
            },
        ] = &*line.elements
            && self.unmatched.contains(&without_references(written))
        {
            let start = shortened(line.text);
            return (start != line.text).then(|| format!("{start} {reference}"));
        }
        let new = self.new_of_line(at);
        (!new.is_empty()).then(|| joined(line, &new))
    }

    /// The new elements of a line with others, each after the unchanged text that identifies it if the text differs from the one
    /// before.
    fn new_of_line(&self, at: usize) -> Vec<&Element> {
        let all = &self.lines[at].elements;
        let new: Vec<usize> = (0..all.len())
            .filter(|index| self.is_new[at][*index])
            .collect();
        if new.len() == all.len() {
            return Vec::new();
        }
        let mut elements = Vec::new();
        let mut owner = new.first().and_then(|first| self.owner_on_line(at, *first));
        for index in new {
            let text = self.owner_on_line(at, index);
            if text.is_some() && text != owner {
                elements.extend(text.map(|text| &all[text]));
            }
            owner = text.or(owner);
            elements.push(&all[index]);
        }
        elements
    }

    /// The start of the first of these lines with their number, followed by their new elements.
    fn counted(&self, at: usize, run: usize) -> String {
        let Some(first) = self.lines.get(at) else {
            return String::new();
        };
        if run == 1 && first.text.len() <= MAX_SINGLE_LINE {
            return format!("{}\n", self.line(at, &[]));
        }
        let start = shortened(first.text);
        if run == 1 {
            return format!("{start}\n");
        }
        let start = start.trim_end_matches('…').trim_end();
        let mut text = format!("{start} … {run} lines as before\n");
        let new = (at..at + run).filter(|at| self.changes[*at] == LineChange::New);
        for new in new.filter_map(|new| self.new_elements(new)) {
            text.push_str(&new);
            text.push('\n');
        }
        text
    }

    /// The number of lines from this unchanged one that are consecutive on both screens, except for single elements of shared lines.
    fn run_at(&self, at: usize) -> usize {
        let Some(LineChange::Same(_, last)) = self.changes.get(at) else {
            return 0;
        };
        let mut last = *last;
        let mut shared = 0;
        let rest = self.changes.iter().zip(&self.is_new).skip(at + 1);
        let rest = rest.take_while(|(change, is_new)| match change {
            // A line between may have been replaced.
            LineChange::Same(first, to) => {
                let is_next = (last..=last + 1 + std::mem::take(&mut shared)).contains(first);
                last = *to;
                is_next
            }
            LineChange::New => {
                shared += 1;
                // At least half of its elements are unchanged.
                is_new.len() > 1
                    && is_new.iter().filter(|is_new| **is_new).count() * 2 <= is_new.len()
            }
            LineChange::Regrouped => {
                shared += 1;
                true
            }
            LineChange::Moved | LineChange::SeenBefore => false,
        });
        1 + rest.count()
    }
}

/// The `same:` marker with references, if the elements equal the previous ones and the marker is shorter.
fn same_marker(before: &[&Element], elements: &[&Element]) -> Option<String> {
    let contents = |elements: &[&Element]| -> Vec<String> {
        let written = elements.iter().map(|own| without_references(&own.written));
        written.collect()
    };
    let references: Option<Vec<String>> =
        elements.iter().map(|own| own.reference.clone()).collect();
    let own = contents(elements);
    let is_short = own.concat().len() <= SAME.len();
    (!is_short && own == contents(before)).then_some(())?;
    Some(format!(
        "{SAME} {}",
        format_references(references?.into_iter())
    ))
}

/// An element as the first of a line.
fn as_line(element: &str) -> &str {
    let text = element
        .strip_prefix(Role::Text.as_str())
        .map(str::trim_start);
    text.filter(|text| text.starts_with('"')).unwrap_or(element)
}

/// Elements as a line, with each role once.
fn joined(line: &ParsedLine<'_>, elements: &[&Element]) -> String {
    let mut text = indentation(line.text).to_owned();
    let mut last: Option<&str> = None;
    for element in elements {
        let (role, rest) = element
            .written
            .split_once(' ')
            .unwrap_or((&element.written, ""));
        if let Some(before) = last {
            text.push(' ');
            // A reference terminates an element on a line.
            let is_terminated = text.trim_end().rsplit(' ').next().is_some_and(is_reference);
            if before == role && is_terminated {
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
