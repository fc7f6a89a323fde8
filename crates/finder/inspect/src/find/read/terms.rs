//! Splits a description into terms and marks quoted parts.

use crate::find::words::{
    lexicon::Region,
    stem::stem,
    tokens::{self, Word},
};

/// Class of a word in a description.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Class {
    /// Names the target or something around it.
    Content,
    /// Has no meaning of its own.
    Stop,
    /// Points at the target and does not name it.
    Filler,
    /// Action.
    Verb,
    /// Kind of the target.
    Role,
    /// Ordinal.
    Ordinal(i32),
    /// Region.
    Region(Region),
    /// Part of a relation such as `next to`.
    Relation,
    /// Value to enter or choose.
    Value,
}

/// A word of a description.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) text: String,
    pub(crate) stem: String,
    pub(crate) class: Class,
    /// Index of its quoted part.
    pub(crate) quote: Option<usize>,
    /// Weight without rarity.
    pub(crate) weight: f32,
    /// Index of its span.
    pub(crate) span: Option<usize>,
    /// Whether it is possessive: `Anna's`.
    pub(crate) is_possessive: bool,
    /// Whether it is written as in a title, not at the beginning of a sentence: `In` of "What's In Store".
    pub(crate) is_in_title: bool,
}

impl Term {
    /// Replaces the word.
    pub(crate) fn replace_with(&mut self, word: &str) {
        word.clone_into(&mut self.text);
        self.stem = stem(word);
        self.class = Class::Content;
    }
}

/// Weight of a word that names something.
pub(crate) const CONTENT: f32 = 1.0;

/// Maximum number of words that are read.
const MAX_WORDS: usize = 64;

/// Terms of a description.
pub(crate) fn terms(description: &str) -> Vec<Term> {
    let quotes = quotes(description);
    tokens::words(description)
        .into_iter()
        .flat_map(split_compound)
        .take(MAX_WORDS)
        .map(|word| {
            let quote = quotes
                .iter()
                .position(|(from, to)| *from <= word.start && word.end <= *to);
            Term {
                stem: stem(&word.text),
                class: if quote.is_none() && is_article_term(&word.text) {
                    Class::Stop
                } else {
                    Class::Content
                },
                is_possessive: quote.is_none() && is_possessive(description, &word),
                is_in_title: is_in_title(description, &word),
                text: word.text,
                quote,
                weight: CONTENT,
                span: None,
            }
        })
        .collect()
}

/// Whether the word is possessive: `Anna's photo`, `James' photo`.
fn is_possessive(description: &str, word: &Word) -> bool {
    let mut rest = description.get(word.end..).unwrap_or_default().chars();
    let has_apostrophe = rest.next().is_some_and(|c| matches!(c, '\'' | '\u{2019}'));
    let ends_in_s = || {
        description
            .get(..word.end)
            .is_some_and(|front| front.ends_with(['s', 'S']))
    };
    let is_space = |c: Option<char>| c.is_some_and(char::is_whitespace);
    match rest.next() {
        Some('s' | 'S') => has_apostrophe && is_space(rest.next()),
        next => has_apostrophe && ends_in_s() && is_space(next),
    }
}

/// Whether the word has one capital, and no sentence begins with it.
fn is_in_title(description: &str, word: &Word) -> bool {
    let (front, rest) = description.split_at_checked(word.start).unwrap_or_default();
    let mut letters = rest.chars();
    let begins_sentence =
        |before: &str| before.is_empty() || before.ends_with(['.', ',', ';', ':', '!', '?']);
    letters.next().is_some_and(char::is_uppercase)
        && letters.next().is_some_and(char::is_lowercase)
        && !begins_sentence(front.trim_end())
}

/// Control nouns that end compound words: `Suchfeld`, `zoekknop`.
const COMPOUND_ENDINGS: &str =
    "schaltflache button knopf knop knapp knappen feld veld symbol schalter";

/// Splits a compound word.
fn split_compound(word: Word) -> Vec<Word> {
    const MIN_NAME: usize = 3;
    let split_before = |control: &'static str| {
        let name = word.text.strip_suffix(control)?;
        (name.len() >= MIN_NAME).then(|| [name.to_owned(), control.to_owned()])
    };
    let Some(parts) = COMPOUND_ENDINGS.split(' ').find_map(split_before) else {
        return vec![word];
    };
    // Folding changes lengths, so both halves keep the range of the whole.
    let (start, end) = (word.start, word.end);
    let part = |text: String| Word { text, start, end };
    parts.into_iter().map(part).collect()
}

/// The description and its quoted parts, verbatim.
pub(crate) fn literals(description: &str) -> Vec<String> {
    let mut letters = vec![description.trim().to_owned()];
    for (from, to) in quotes(description) {
        letters.extend(description.get(from..to).map(|part| part.trim().to_owned()));
    }
    letters
}

fn is_article_term(word: &str) -> bool {
    matches!(word, "the" | "a" | "an")
}

/// Byte ranges of the quoted parts, without quotes.
fn quotes(text: &str) -> Vec<(usize, usize)> {
    const MAX_QUOTE: usize = 120;
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    while let Some((at, open)) = text.get(from..).and_then(|rest| {
        rest.char_indices()
            .find(|(_, c)| closing(*c).is_some())
            .map(|(at, c)| (from + at, c))
    }) {
        let start = at + open.len_utf8();
        from = start;
        let before = text.get(..at).and_then(|front| front.chars().next_back());
        if open == '\'' && before.is_some_and(char::is_alphanumeric) {
            continue;
        }
        let Some(close) = closing(open) else {
            continue;
        };
        let rest = text.get(start..).unwrap_or_default();
        let end = rest.char_indices().find(|(place, c)| {
            let after = rest
                .get(place + c.len_utf8()..)
                .and_then(|tail| tail.chars().next());
            close.contains(c)
                && (*c != '\'' && *c != '’' || !after.is_some_and(char::is_alphanumeric))
        });
        if let Some((length, c)) = end.filter(|(length, _)| (1..=MAX_QUOTE).contains(length)) {
            found.push((start, start + length));
            from = start + length + c.len_utf8();
        }
    }
    found
}

/// Closing quotes for `open`.
const fn closing(open: char) -> Option<&'static [char]> {
    Some(match open {
        '"' => &['"'],
        '“' | '„' => &['”', '“', '"'],
        '\'' => &['\''],
        '‘' => &['’', '\''],
        '«' => &['»'],
        '`' => &['`', '\''],
        '「' => &['」'],
        '『' => &['』'],
        '《' => &['》'],
        _ => return None,
    })
}
