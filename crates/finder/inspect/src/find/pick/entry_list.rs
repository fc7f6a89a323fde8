//! Finds the lists of a screen whose entries a description counts: `the second account`.

use std::collections::HashMap;

use crate::find::{
    read::{query::Query, terms::Class},
    words::{lexicon, similarity::similarity, stem::stem, synonyms, tokens::plain_words},
};
use crate::subject::{Candidate, Kind, Kinds, State, Subject, text::meaningful_words};

/// A list, as positions of its entries.
#[derive(Debug)]
pub(crate) struct EntryList {
    /// Entries, in document order.
    pub(crate) rows: Vec<usize>,
    /// Match of the list with the counted noun, from 0 to 1.
    pub(crate) fit: f32,
}

/// Terms of the counted noun: those after the ordinal in the same span.
pub(crate) fn counted_terms(query: &Query) -> Vec<usize> {
    let Some(at) = query
        .terms
        .iter()
        .position(|term| matches!(term.class, Class::Ordinal(_)))
    else {
        return Vec::new();
    };
    let span = query.terms.get(at).and_then(|term| term.span);
    query
        .terms
        .iter()
        .enumerate()
        .skip(at + 1)
        .take_while(|(_, term)| term.span == span && term.class != Class::Relation)
        .filter(|(_, term)| matches!(term.class, Class::Content | Class::Filler | Class::Role))
        .map(|(place, _)| place)
        .collect()
}

/// Lists of at least `min_entries` entries that match the counted noun, the best first.
pub(crate) fn matching_lists(
    subject: &Subject,
    query: &Query,
    counted: &[usize],
    min_entries: usize,
) -> Vec<EntryList> {
    const MIN_FIT: f32 = 0.4;
    const ROW_BONUS: f32 = 0.12;
    const BEHIND_FACTOR: f32 = 0.4;
    let words: Vec<(&str, &str)> = counted
        .iter()
        .filter_map(|at| query.terms.get(*at))
        .map(|term| (&*term.text, &*term.stem))
        .collect();
    let mut found: Vec<EntryList> = Vec::new();
    for mut rows in find_lists(subject, asks_for_choice(query)) {
        drop_header(subject, &mut rows);
        if rows.len() < min_entries {
            continue;
        }
        let title = list_title(subject, &rows);
        let fit = list_fit(subject, &rows, &words, &title);
        // Rows of tables and lists come before tabs and the like, and lists in a dialog before those behind it.
        let first = rows.first().and_then(|first| subject.at(*first));
        let is_row = first.is_some_and(|it| matches!(it.kind, Kind::Row | Kind::ListItem));
        let is_behind = first.is_some_and(|it| it.state.contains(State::BEHIND));
        if fit >= MIN_FIT {
            let fit = if is_row {
                (fit + ROW_BONUS).min(1.0)
            } else {
                fit
            };
            let fit = if is_behind { fit * BEHIND_FACTOR } else { fit };
            found.push(EntryList { rows, fit });
        }
    }
    found.sort_by(|a, b| {
        b.fit
            .total_cmp(&a.fit)
            .then(area(subject, &b.rows).cmp(&area(subject, &a.rows)))
    });
    found
}

/// Whether a row holds only column headers.
pub(crate) fn is_header_row(subject: &Subject, row: usize) -> bool {
    let mut cells = candidates_in(subject, row)
        .filter(|inside| inside.kind == Kind::Cell)
        .peekable();
    cells.peek().is_some() && cells.all(|cell| &*cell.tag == "th")
}

/// Drops a header row, or a first row without controls if all others have some.
fn drop_header(subject: &Subject, rows: &mut Vec<usize>) {
    if rows.first().is_some_and(|row| is_header_row(subject, *row)) {
        rows.remove(0);
        return;
    }
    let has_control = |row: &usize| {
        candidates_in(subject, *row).any(|inside| {
            inside.place != *row
                && inside.state.contains(State::INTERACTIVE)
                && inside.visibility.is_visible()
        })
    };
    if let [first, rest @ ..] = rows.as_slice()
        && rest.len() > 1
        && !has_control(first)
        && rest.iter().all(has_control)
    {
        rows.remove(0);
    }
}

/// Area of the entries on the screen.
fn area(subject: &Subject, rows: &[usize]) -> i64 {
    rows.iter()
        .filter_map(|row| subject.nodes.get(*row)?.bounds)
        .map(|bounds| i64::from(bounds.width().max(0)) * i64::from(bounds.height().max(0)))
        .sum()
}

/// Whether the description names a menu, an option or a tab, which has no content of its own.
fn asks_for_choice(query: &Query) -> bool {
    const CHOICES: Kinds = kinds![Menu, MenuItem, Option, Dropdown, Tab];
    query.terms.iter().any(|term| {
        let role = lexicon::role_word(&term.text);
        role.is_some_and(|role| role.kinds.intersects(CHOICES))
    })
}

/// All lists: siblings with the same tag and class that have content; if `with_leaves`, also controls without content.
fn find_lists(subject: &Subject, with_leaves: bool) -> Vec<Vec<usize>> {
    let mut by_appearance: HashMap<(usize, &str, &str), usize> = HashMap::new();
    let mut lists: Vec<Vec<usize>> = Vec::new();
    for candidate in subject.candidates() {
        let place = candidate.place;
        let Some(part) = subject.nodes.get(place) else {
            continue;
        };
        let Some(parent) = part.parent else {
            continue;
        };
        let is_interactive = candidate.state.contains(State::INTERACTIVE);
        let in_list = || {
            let holder = subject.at(parent);
            holder.is_some_and(|holder| holder.kind == Kind::List)
        };
        let is_entry = part.end > place + 1 || (is_interactive && (with_leaves || in_list()));
        if !is_entry || candidate.bounds.is_none_or(|bounds| bounds.is_empty()) {
            continue;
        }
        // Entries with a tag for entries need no common class.
        let class = match &*candidate.tag {
            "li" | "tr" | "article" => "",
            _ => candidate
                .raw
                .class
                .split_ascii_whitespace()
                .next()
                .unwrap_or_default(),
        };
        let list = *by_appearance
            .entry((parent, &candidate.tag, class))
            .or_insert_with(|| {
                lists.push(Vec::new());
                lists.len() - 1
            });
        if let Some(list) = lists.get_mut(list) {
            list.push(place);
        }
    }
    lists.retain(|rows| rows.len() > 1);
    lists
}

/// Fit of a noun for the entries of any list.
const ANY_ENTRY_FIT: f32 = 0.5;

/// Fit of the word with which all entries begin: "Invoice 1001", "Invoice 1002".
const FIRST_WORD_FIT: f32 = 0.95;

/// Match of a list with the counted noun: by classes, headings and nouns for any entry.
fn list_fit(subject: &Subject, rows: &[usize], words: &[(&str, &str)], title: &str) -> f32 {
    let Some(first) = rows.first() else {
        return 0.0;
    };
    let specific: Vec<&(&str, &str)> = words.iter().filter(|(word, _)| *word != "one").collect();
    if specific.is_empty() {
        return if words.is_empty() { 0.0 } else { ANY_ENTRY_FIT };
    }
    let mut hints: Vec<(String, f32)> = Vec::new();
    if let Some(row) = subject.at(*first) {
        let class = meaningful_words(&row.raw.class).join(" ");
        hints.push((class, 0.95));
        hints.push((meaningful_words(&row.raw.test_id).join(" "), 0.95));
        hints.push((row.tag.to_string(), 0.9));
        hints.push((row.kind.as_str().to_owned(), 1.0));
    }
    // Entries with headings of their own have one more over the list.
    hints.push((title.to_owned(), 0.9));
    let all_begin_with = |word: &str, ending: &str| {
        let begins = |row: &usize| {
            let first = candidates_in(subject, *row)
                .find(|inside| inside.visibility.is_visible() && !inside.name().is_empty());
            let name = first.map(|first| plain_words(first.name()));
            let first = name.as_ref().and_then(|words| words.first());
            first.is_some_and(|first| first == word || stem(first) == ending)
        };
        rows.iter().all(begins)
    };
    let mut sum = 0.0;
    for (word, ending) in &specific {
        let is_any_entry = lexicon::counts_any_entry(word) || lexicon::counts_any_entry(ending);
        let mut best: f32 = if is_any_entry { ANY_ENTRY_FIT } else { 0.0 };
        for (hint, weight) in &hints {
            best = best.max(weight * word_similarity(hint, word, ending));
        }
        if all_begin_with(word, ending) {
            best = best.max(FIRST_WORD_FIT);
        }
        sum += best;
    }
    sum / specific.len() as f32
}

/// The heading, or a short text, shortly before a list.
fn list_title(subject: &Subject, rows: &[usize]) -> String {
    const MAX_DISTANCE: usize = 40;
    const MAX_TEXT_DISTANCE: usize = 6;
    const MAX_TEXT: usize = 40;
    let Some(first) = rows.first().copied() else {
        return String::new();
    };
    let at = subject
        .candidates()
        .partition_point(|candidate| candidate.place < first);
    let before = subject.candidates().get(..at).unwrap_or_default().iter();
    let title = before
        .rev()
        .take_while(|candidate| candidate.place + MAX_DISTANCE > first)
        .filter(|candidate| candidate.visibility.is_visible())
        .find(|candidate| {
            let name = candidate.name();
            let is_short_text = candidate.kind == Kind::Text
                && candidate.place + MAX_TEXT_DISTANCE > first
                && name.len() <= MAX_TEXT
                && name.chars().any(char::is_alphabetic);
            candidate.kind == Kind::Heading || is_short_text
        });
    title.map_or_else(String::new, |title| title.name().to_owned())
}

fn word_similarity(text: &str, word: &str, ending: &str) -> f32 {
    let words = plain_words(text);
    let best = words
        .iter()
        .map(|other| similarity(word, ending, other, &stem(other)))
        .fold(0.0, f32::max);
    if best > 0.5 {
        return best;
    }
    let stems: Vec<String> = words.iter().map(|other| stem(other)).collect();
    let mut text_meanings = Vec::new();
    let mut word_meanings = Vec::new();
    synonyms::table().meanings(&stems, &mut text_meanings);
    synonyms::table().meanings(&[ending], &mut word_meanings);
    word_meanings
        .iter()
        .flat_map(|meaning| {
            text_meanings
                .iter()
                .filter(|other| other.group == meaning.group)
                .map(|other| meaning.strength(*other))
        })
        .fold(best, f32::max)
}

/// Candidates in the entry at `row`, including itself, in document order.
pub(crate) fn candidates_in(subject: &Subject, row: usize) -> impl Iterator<Item = &Candidate> {
    let end = subject.range(row).end;
    let from = subject
        .candidates()
        .partition_point(|candidate| candidate.place < row);
    subject
        .candidates()
        .get(from..)
        .unwrap_or_default()
        .iter()
        .take_while(move |candidate| candidate.place < end)
}
