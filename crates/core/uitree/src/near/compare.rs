//! Compares values on the screen with wanted ones.

use super::distance;
use crate::chars;
use std::collections::HashSet;

/// How two values differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MismatchKind {
    /// Equal.
    Same,
    /// Case.
    Case,
    /// White space or invisible characters.
    Space,
    /// Look-alike dashes, quotes or dots.
    Look,
    /// The screen has more text.
    Inside,
    /// The screen has less text.
    Holds,
    /// A few characters.
    Typo,
    /// Many words are equal.
    Words,
    /// Package of the id.
    Package,
    /// Unrelated.
    Other,
}

/// Closeness from 0 to [`Closeness::EXACT`], and how the values differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Closeness {
    pub(super) score: u32,
    pub(super) how: MismatchKind,
}

impl Closeness {
    pub(super) const EXACT: u32 = 1000;

    const NONE: Self = Self::new(0, MismatchKind::Other);

    const fn new(score: u32, how: MismatchKind) -> Self {
        Self { score, how }
    }

    fn or_better(self, other: Self) -> Self {
        if other.score > self.score {
            other
        } else {
            self
        }
    }
}

/// Longer values are cut before comparison.
const MAX_LENGTH: usize = 512;

/// A wanted value, prepared for many comparisons.
pub(super) struct WantedValue<'q> {
    pub(super) value: &'q str,
    folded: String,
    plain: String,
    words: Vec<WantedWord>,
    letters: distance::Letters,
}

struct WantedWord {
    word: String,
    letters: distance::Letters,
}

impl<'q> WantedValue<'q> {
    pub(super) fn new(value: &'q str) -> Self {
        const MAX_WORDS: usize = 16;
        let plain = plain(cut(value));
        let mut different: Vec<WantedWord> = Vec::new();
        for word in words(&plain).take(MAX_WORDS) {
            if different.iter().all(|other| other.word != word) {
                different.push(WantedWord {
                    word: word.to_owned(),
                    letters: distance::Letters::of(word),
                });
            }
        }
        Self {
            value,
            folded: chars::fold(value).into_owned(),
            words: different,
            letters: distance::Letters::of(&plain),
            plain,
        }
    }

    /// Closeness to a wanted whole value.
    pub(super) fn with_whole(&self, value: &str) -> Closeness {
        if value == self.value {
            return Closeness::new(Closeness::EXACT, MismatchKind::Same);
        }
        if value.is_empty() || self.plain.is_empty() {
            return Closeness::NONE;
        }
        let value = cut(value);
        let folded = chars::fold(value);
        if *folded == *self.folded {
            return Closeness::new(960, MismatchKind::Case);
        }
        let plain = plain(value);
        if plain == self.plain {
            let how = match unspaced(value) == unspaced(self.value) {
                true => MismatchKind::Space,
                false => MismatchKind::Look,
            };
            return Closeness::new(950, how);
        }
        let inside = || share(&self.plain, &plain, 600, 250, MismatchKind::Inside);
        let holds = || share(&plain, &self.plain, 400, 400, MismatchKind::Holds);
        inside()
            .or_else(holds)
            .unwrap_or(Closeness::NONE)
            .or_better(self.typo(&plain))
            .or_better(self.common_words(&plain))
    }

    /// Closeness to a wanted part.
    pub(super) fn with_part(&self, value: &str) -> Closeness {
        let folded = chars::fold(value);
        if folded.contains(&self.folded) {
            return Closeness::new(Closeness::EXACT, MismatchKind::Same);
        }
        if value.is_empty() || self.plain.is_empty() {
            return Closeness::NONE;
        }
        let plain = plain(cut(value));
        if plain.contains(&self.plain) {
            let how = match unspaced(cut(&folded)).contains(&unspaced(&self.folded)) {
                true => MismatchKind::Space,
                false => MismatchKind::Look,
            };
            return Closeness::new(940, how);
        }
        share(&plain, &self.plain, 400, 400, MismatchKind::Holds)
            .unwrap_or(Closeness::NONE)
            .or_better(self.typo(&plain))
            .or_better(self.common_words(&plain))
            .or_better(self.typos_inside(&plain))
    }

    /// Closeness to a wanted resource id.
    pub(super) fn with_id(&self, value: &str) -> Closeness {
        if value == self.value {
            return Closeness::new(Closeness::EXACT, MismatchKind::Same);
        }
        let local = |id: &str| id.rsplit('/').next().unwrap_or_default().to_owned();
        let (wanted, found) = (local(&self.folded), local(&chars::fold(cut(value))));
        if wanted.is_empty() || found.is_empty() {
            return Closeness::NONE;
        }
        if wanted == found {
            return match *chars::fold(value) == *self.folded {
                true => Closeness::new(960, MismatchKind::Case),
                false => Closeness::new(900, MismatchKind::Package),
            };
        }
        let typo = distance::Letters::of(&wanted)
            .typo(&wanted, &found)
            .map_or(Closeness::NONE, |edits| {
                Closeness::new(850 - 60 * edits.min(5), MismatchKind::Typo)
            });
        share(&wanted, &found, 450, 250, MismatchKind::Inside)
            .or_else(|| share(&found, &wanted, 400, 250, MismatchKind::Holds))
            .unwrap_or(Closeness::NONE)
            .or_better(typo)
    }

    fn typo(&self, plain: &str) -> Closeness {
        match self.letters.typo(&self.plain, plain) {
            Some(edits) => Closeness::new(900 - 50 * edits.min(8), MismatchKind::Typo),
            None => Closeness::NONE,
        }
    }

    /// Number of wanted words in the value, in any order.
    fn common_words(&self, plain: &str) -> Closeness {
        // One common word of two may be chance.
        if self.words.len() < 2 {
            return Closeness::NONE;
        }
        let found: HashSet<&str> = words(plain).take(MAX_WORDS).collect();
        let is_common = |wanted: &&WantedWord| found.contains(wanted.word.as_str());
        let common = self.words.iter().filter(is_common).count() as u32;
        let all = self.words.len() as u32;
        let extra = (found.len() as u32).saturating_sub(common).min(10);
        if common < 2 || common * 2 < all {
            return Closeness::NONE;
        }
        Closeness::new(
            (400 + 450 * common / all).saturating_sub(10 * extra),
            MismatchKind::Words,
        )
    }

    /// Closeness if the value contains every wanted word, some with typos.
    fn typos_inside(&self, plain: &str) -> Closeness {
        const MIN: usize = 5;
        const MAX: usize = 4;
        if self.words.is_empty() || self.words.len() > MAX {
            return Closeness::NONE;
        }
        let mut edits = 0;
        for wanted in &self.words {
            let nearest = words(plain)
                .take(MAX_WORDS)
                .filter_map(|word| match word == wanted.word {
                    true => Some(0),
                    false if wanted.word.len() < MIN => None,
                    false => wanted.letters.typo(&wanted.word, word),
                })
                .min();
            match nearest {
                Some(nearest) => edits += nearest,
                None => return Closeness::NONE,
            }
        }
        Closeness::new(820 - 50 * edits.min(8), MismatchKind::Typo)
    }
}

/// Maximum number of words of a value.
const MAX_WORDS: usize = 40;

/// Closeness if `whole` contains `part`: `least` and up to `more` by its share of the length. Much less inside a word,
/// as `ok` in `bookmarks`.
fn share(part: &str, whole: &str, least: u32, more: u32, how: MismatchKind) -> Option<Closeness> {
    let at = memchr::memmem::find(whole.as_bytes(), part.as_bytes())?;
    let before = whole.get(..at)?.chars().next_back();
    let after = whole.get(at + part.len()..)?.chars().next();
    // Scripts without spaces have no word boundaries.
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() || !c.is_ascii());
    let most = part.len() * 2 >= whole.len();
    let score = least + more * part.len() as u32 / whole.len().max(1) as u32;
    match (edge(before) && edge(after)) || most {
        true => Some(Closeness::new(score, how)),
        false => Some(Closeness::new(score / 2, how)),
    }
}

/// Prefix of `value` that is compared.
fn cut(value: &str) -> &str {
    match value.len() > MAX_LENGTH {
        true => &value[..value.floor_char_boundary(MAX_LENGTH)],
        false => value,
    }
}

/// Whether `c` is invisible.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || escape::is_unseen(c) || matches!(c, '\u{200c}' | '\u{200d}')
}

/// The text without white space and invisible characters.
fn unspaced(value: &str) -> String {
    value.chars().filter(|c| !is_blank(*c)).collect()
}

/// Folds case, white space, dashes, quotes and dots, and drops invisible characters.
fn plain(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    for c in chars::fold(value).chars() {
        let c = match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
            '\u{2018}'..='\u{201b}' | '\u{2032}' | '`' | '\u{b4}' => '\'',
            '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{2033}' => '"',
            '\u{2026}' => {
                plain.push_str("...");
                continue;
            }
            c if c.is_whitespace() => ' ',
            c if is_blank(c) => continue,
            c => c,
        };
        if c != ' ' || !(plain.is_empty() || plain.ends_with(' ')) {
            plain.push(c);
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// Words of a plain value.
fn words(plain: &str) -> impl Iterator<Item = &str> {
    plain
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}
