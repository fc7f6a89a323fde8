//! Choices that are written as words: one table for each, which flags, app files, faults, cases and their docs read.

/// A choice between values that each have a word.
pub trait Words: Copy + 'static {
    /// Every value with its word, in the order in which they are listed.
    const TABLE: &'static [(&'static str, Self)];
    /// The words alone.
    const WORDS: &'static [&'static str];

    /// The word of this value.
    fn word(self) -> &'static str;

    /// The value with this word.
    fn of_word(text: &str) -> Option<Self> {
        let mut rows = Self::TABLE.iter();
        rows.find(|(word, _)| *word == text)
            .map(|(_, value)| *value)
    }
}

/// A choice and its table. A value without a word does not compile.
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis enum $of:ident { $($(#[$about:meta])* $value:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        $vis enum $of {
            $($(#[$about])* $value),+
        }

        impl $crate::Words for $of {
            const TABLE: &'static [(&'static str, Self)] = &[$(($word, $of::$value)),+];
            const WORDS: &'static [&'static str] = &[$($word),+];

            fn word(self) -> &'static str {
                match self {
                    $($of::$value => $word),+
                }
            }
        }
    };
}
pub use words;

/// The text with its first letter as a capital.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next();
    let first = first.into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// A remark that names the known name closest to `name`, or nothing when none is close.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    known
        .map(|each| (strsim::damerau_levenshtein(name, each), each))
        .filter(|(distance, each)| {
            let length = each.chars().count().min(name.chars().count());
            *distance <= 1 + length / 4
        })
        .min_by_key(|(distance, _)| *distance)
        .map_or_else(String::new, |(_, each)| format!("; did you mean `{each}`?"))
}

#[cfg(test)]
mod tests {
    use super::Words;
    use crate::{AnimationChoice, Permission, Rotation, ThemeChoice, TimeChoice};

    fn there_and_back<T: Words + PartialEq + std::fmt::Debug>() {
        assert!(T::TABLE.iter().map(|(word, _)| word).eq(T::WORDS));
        for (word, value) in T::TABLE {
            assert_eq!(value.word(), *word);
            assert_eq!(T::of_word(word), Some(*value));
        }
        assert_eq!(T::of_word("Portrait"), None);
        assert_eq!(T::of_word(""), None);
    }

    #[test]
    fn a_capital_may_be_several_letters() {
        let shown = ["", "ada", "Ada", "ßa", "été"].map(super::capital);
        assert_eq!(shown, ["", "Ada", "Ada", "SSa", "Été"]);
    }

    #[test]
    fn every_word_is_read_as_it_is_written() {
        there_and_back::<Rotation>();
        there_and_back::<Permission>();
        there_and_back::<ThemeChoice>();
        there_and_back::<AnimationChoice>();
        there_and_back::<TimeChoice>();
    }
}
