//! The words of a description, with its quoted parts marked.

use super::{
    lexicon::Region,
    stem::stem,
    tokens::{self, Word},
};

/// What a word of a description is there for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Class {
    /// It names what is meant, or something around it.
    Content,
    /// It carries no meaning of its own.
    Stop,
    /// It only points at what stands beside it.
    Filler,
    /// It says what is to be done.
    Verb,
    /// It says what kind of thing is meant.
    Role,
    /// It says which one of several is meant.
    Ordinal(i32),
    /// It asks for the one with the most or the least of something.
    Superlative,
    /// It says where it is.
    Region(Region),
    /// It belongs to a phrase such as `next to`.
    Relation,
    /// It is to be entered or chosen there.
    Value,
}

/// A word of a description.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) text: String,
    pub(crate) stem: String,
    pub(crate) class: Class,
    /// In which of the quoted parts it stands, counted from 0.
    pub(crate) quote: Option<usize>,
    /// How much it counts, before how rare it is on the screen.
    pub(crate) weight: f32,
    /// Which of the query's spans it belongs to.
    pub(crate) span: Option<usize>,
    /// Whether what follows belongs to it: `Anna's`.
    pub(crate) is_possessive: bool,
}

impl Term {
    /// Puts another word in its place.
    pub(super) fn replace_with(&mut self, word: &str) {
        word.clone_into(&mut self.text);
        self.stem = stem(word);
        self.class = Class::Content;
    }
}

/// How much a word counts that names something.
pub(super) const CONTENT: f32 = 1.0;

/// How many words of a description are read.
const MOST_WORDS: usize = 64;

/// The words of a description, with the quoted parts marked.
pub(super) fn terms(description: &str) -> Vec<Term> {
    let quotes = quotes(description);
    tokens::words(description)
        .into_iter()
        .flat_map(split_compound)
        .take(MOST_WORDS)
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
                text: word.text,
                quote,
                weight: CONTENT,
                span: None,
            }
        })
        .collect()
}

/// Whether a word stands in the genitive: `Anna's photo`, `James' photo`.
fn is_possessive(description: &str, word: &Word) -> bool {
    let mut rest = description.get(word.end..).unwrap_or_default().chars();
    let mark = rest.next().is_some_and(|c| matches!(c, '\'' | '\u{2019}'));
    let ends_in_s = || {
        description
            .get(..word.end)
            .is_some_and(|front| front.ends_with(['s', 'S']))
    };
    let ends = |c: Option<char>| c.is_some_and(char::is_whitespace);
    match rest.next() {
        Some('s' | 'S') => mark && ends(rest.next()),
        next => mark && ends_in_s() && ends(next),
    }
}

/// Words for controls that are written in one with what the control is called: `Suchfeld`, `zoekknop`.
const COMPOUND_ENDINGS: &[&str] = &[
    "schaltflache",
    "button",
    "knopf",
    "knop",
    "knapp",
    "knappen",
    "feld",
    "veld",
    "symbol",
    "schalter",
];

/// A word, or the two that it is made of.
fn split_compound(word: Word) -> Vec<Word> {
    const LEAST: usize = 3;
    let name_of = |control: &&str| {
        let name = word.text.strip_suffix(*control)?;
        (name.len() >= LEAST).then(|| [name.to_owned(), (*control).to_owned()])
    };
    let Some(parts) = COMPOUND_ENDINGS.iter().find_map(name_of) else {
        return vec![word];
    };
    // Letters were folded, so both stand where the whole word does.
    let (start, end) = (word.start, word.end);
    let part = |text: String| Word { text, start, end };
    parts.into_iter().map(part).collect()
}

/// The description and its quoted parts, letter for letter.
pub(super) fn literals(description: &str) -> Vec<String> {
    let mut letters = vec![description.trim().to_owned()];
    for (from, to) in quotes(description) {
        letters.extend(description.get(from..to).map(|part| part.trim().to_owned()));
    }
    letters
}

/// Articles, which are never more than that.
fn is_article_term(word: &str) -> bool {
    matches!(word, "the" | "a" | "an")
}

/// The quoted parts of a text, without their quotes, as ranges of bytes.
fn quotes(text: &str) -> Vec<(usize, usize)> {
    const MOST: usize = 120;
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    while let Some((at, open)) = text.get(from..).and_then(|rest| {
        rest.char_indices()
            .find(|(_, c)| closing(*c).is_some())
            .map(|(at, c)| (from + at, c))
    }) {
        let begin = at + open.len_utf8();
        from = begin;
        let before = text.get(..at).and_then(|front| front.chars().next_back());
        if open == '\'' && before.is_some_and(char::is_alphanumeric) {
            continue;
        }
        let Some(close) = closing(open) else {
            continue;
        };
        let rest = text.get(begin..).unwrap_or_default();
        let end = rest.char_indices().find(|(place, c)| {
            let after = rest
                .get(place + c.len_utf8()..)
                .and_then(|tail| tail.chars().next());
            close.contains(c)
                && (*c != '\'' && *c != '’' || !after.is_some_and(char::is_alphanumeric))
        });
        if let Some((length, c)) = end.filter(|(length, _)| (1..=MOST).contains(length)) {
            found.push((begin, begin + length));
            from = begin + length + c.len_utf8();
        }
    }
    found
}

/// What closes a quotation that `open` begins.
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

/// Whether `c` begins or ends a quotation and is no apostrophe.
pub(crate) const fn is_quote(c: char) -> bool {
    matches!(
        c,
        '"' | '“' | '”' | '„' | '«' | '»' | '`' | '「' | '」' | '『' | '』'
    )
}
