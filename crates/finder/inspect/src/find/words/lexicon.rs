//! Words for kinds, positions, ordinals and relations.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    data::{self, Keys, word_lists},
    subject::{ContextKind, Kinds},
};

word_lists! {
    /// Whether `word` has no meaning of its own.
    pub(crate) fn is_stop = "stop";
    /// Whether `word` points at the target and does not name it.
    pub(crate) fn is_filler = "filler";
    /// Whether `word` makes a control of the word before it: `search box`.
    pub(crate) fn names_control = "control_nouns";
    /// Whether `word` is a container that nothing is typed into.
    pub(crate) fn is_container = "containers";
    /// Whether `word` is a box around controls.
    pub(crate) fn is_box = "boxes";
    /// Whether `word` is any entry of a list.
    pub(crate) fn is_entry = "list_entries";
    /// Whether `word` may be counted in any list.
    pub(crate) fn counts_any_entry = "entry_nouns";
    /// Whether `word` is a month.
    pub(crate) fn is_month = "months";
    /// Whether `word` is what an icon shows.
    pub(crate) fn is_drawn = "icon_words";
}

/// Whether `word` usually means a control.
pub(crate) fn is_control(word: &str) -> bool {
    const OTHERS: Kinds = kinds![Menu, Landmark, MenuItem, Option, Text];
    let role = role_word(word).filter(|_| !matches!(word, "box" | "select" | "range" | "combo"));
    role.is_some_and(|role| {
        role.kinds.intersects(Kinds::CONTROLS) && !role.kinds.intersects(OTHERS)
    })
}

/// Whether `word` means the screen or an unnamed part of it.
pub(crate) fn is_whole(word: &str) -> bool {
    matches!(
        word,
        "page" | "screen" | "website" | "site" | "side" | "corner" | "area" | "section"
    )
}

/// A word for a kind of element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RoleWord {
    /// Kinds that it means.
    pub(crate) kinds: Kinds,
    /// Kinds that it may mean.
    pub(crate) loosely: Kinds,
    /// Whether it means a control that shows an icon and no words.
    pub(crate) picture: bool,
}

/// The kinds that `word` means.
pub(crate) fn role_word(word: &str) -> Option<RoleWord> {
    static ROLE_WORDS: LazyLock<HashMap<&str, RoleWord>> = LazyLock::new(|| {
        let rows = data::rows(include_str!("../../../data/role_kinds.txt"));
        let kinds: HashMap<&str, RoleWord> = rows
            .filter_map(|row| row.split_once(": "))
            .map(|(key, kinds)| (key, RoleWord::read(kinds)))
            .collect();
        data::keyed(include_str!("../../../data/role_words.txt"))
            .filter_map(|(word, key)| Some((word, *kinds.get(key)?)))
            .collect()
    });
    ROLE_WORDS.get(word).copied()
}

impl RoleWord {
    /// Reads `kinds > kinds that it may mean > picture`.
    fn read(row: &'static str) -> Self {
        let mut parts = row.split(" > ");
        let mut set = || Kinds::named(parts.next().unwrap_or_default());
        Self {
            kinds: set(),
            loosely: set(),
            picture: row.ends_with("> picture"),
        }
    }
}

/// Role of two words: `check box`, `radio button`, `text field`.
pub(crate) fn compound_role(before: &str, word: &str) -> Option<RoleWord> {
    role_word(&format!("{before} {word}"))
}

/// Ordinal from 1; negative from the end.
pub(crate) fn ordinal(word: &str) -> Option<i32> {
    static ORDINALS: LazyLock<Keys> =
        LazyLock::new(|| data::keyed(include_str!("../../../data/ordinals.txt")).collect());
    if let Some(place) = ORDINALS.get(word) {
        return place.parse().ok();
    }
    let digits = ["th", "st", "nd", "rd"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))?;
    digits.parse().ok().filter(|place| (1..=99).contains(place))
}

/// A part of the screen or page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    Top,
    Bottom,
    Left,
    Right,
    Middle,
    /// A landmark of the page.
    Landmark(ContextKind),
}

/// The region that `word` names.
pub(crate) fn region(word: &str) -> Option<Region> {
    static REGION_WORDS: LazyLock<Keys> =
        LazyLock::new(|| data::keyed(include_str!("../../../data/region_words.txt")).collect());
    Some(match *REGION_WORDS.get(word)? {
        "top" => Region::Top,
        "bottom" => Region::Bottom,
        "left" => Region::Left,
        "right" => Region::Right,
        "middle" => Region::Middle,
        "header" => Region::Landmark(ContextKind::Header),
        "footer" => Region::Landmark(ContextKind::Footer),
        "sidebar" => Region::Landmark(ContextKind::Aside),
        "nav" => Region::Landmark(ContextKind::Navigation),
        "dialog" => Region::Landmark(ContextKind::Dialog),
        _ => return None,
    })
}

/// Position of the target relative to a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Beside,
    /// Below it, or in the section under it.
    Under,
    Over,
    LeftOf,
    RightOf,
    /// Next in reading order: right of it or below it.
    After,
    /// Previous in reading order: left of it or above it.
    Before,
    /// Inside it or in its row.
    Inside,
    /// Belongs to it: `of`, `for`, `from`.
    Of,
}

impl Relation {
    /// Each with its name in output and in the table.
    const NAMES: [(Self, &'static str); 9] = [
        (Self::Beside, "next to"),
        (Self::Under, "below"),
        (Self::Over, "above"),
        (Self::LeftOf, "left of"),
        (Self::RightOf, "right of"),
        (Self::After, "after"),
        (Self::Before, "before"),
        (Self::Inside, "in"),
        (Self::Of, "of"),
    ];

    /// Name in output and in the table.
    pub(crate) fn as_str(self) -> &'static str {
        let mut names = Self::NAMES.iter();
        names
            .find(|(relation, _)| *relation == self)
            .map_or("", |(_, name)| name)
    }

    /// Whether the relation is spatial. Its words are then seldom part of a name.
    pub(crate) const fn is_spatial(self) -> bool {
        !matches!(self, Self::Inside | Self::Of)
    }
}

/// Phrases for relations, the longest first.
static RELATIONS: LazyLock<Vec<(Vec<&str>, Relation)>> = LazyLock::new(|| {
    let mut phrases: Vec<(Vec<&str>, Relation)> =
        data::keyed(include_str!("../../../data/relations.txt"))
            .filter_map(|(phrase, name)| {
                let (relation, _) = Relation::NAMES.iter().find(|(_, own)| *own == name)?;
                Some((phrase.split(' ').collect(), *relation))
            })
            .collect();
    phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    phrases
});

/// The relation at word `at`, with its number of words.
pub(crate) fn relation<W: AsRef<str>>(words: &[W], at: usize) -> Option<(Relation, usize)> {
    let rest = words.get(at..)?;
    RELATIONS
        .iter()
        .find(|(phrase, _)| {
            rest.get(..phrase.len())
                .is_some_and(|there| there.iter().map(AsRef::as_ref).eq(phrase.iter().copied()))
        })
        .map(|(phrase, relation)| (*relation, phrase.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_tables_is_known() {
        for (word, _) in data::keyed(include_str!("../../../data/role_words.txt")) {
            assert!(role_word(word).is_some(), "{word}");
        }
        for row in data::rows(include_str!("../../../data/role_kinds.txt")) {
            let (_, kinds) = row.split_once(": ").expect("a key and kinds");
            for word in kinds.split(" > ").flat_map(|part| part.split(", ")) {
                let known = crate::subject::Kind::named(word).is_some();
                assert!(known || word == "picture", "{row}: {word}");
            }
        }
        for (word, _) in data::keyed(include_str!("../../../data/region_words.txt")) {
            assert!(region(word).is_some(), "{word}");
        }
        for (word, place) in data::keyed(include_str!("../../../data/ordinals.txt")) {
            assert_eq!(ordinal(word), place.parse().ok(), "{word}");
        }
        for (phrase, name) in data::keyed(include_str!("../../../data/relations.txt")) {
            let words: Vec<&str> = phrase.split(' ').collect();
            let (relation, count) = relation(&words, 0).expect("a relation");
            assert_eq!((relation.as_str(), count), (name, words.len()), "{phrase}");
        }
    }
}
