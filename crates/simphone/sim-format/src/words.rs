//! Enums whose values have words, with one table that flags, app files, faults, JSON and documentation use.

use serde::de::{Deserialize, Deserializer, Error as _};

pub trait Words: Copy + 'static {
    /// The values with their words, in listing order.
    const TABLE: &'static [(&'static str, Self)];
    const WORDS: &'static [&'static str];

    fn word(self) -> &'static str;

    fn of_word(text: &str) -> Option<Self> {
        let mut rows = Self::TABLE.iter();
        rows.find(|(word, _)| *word == text)
            .map(|(_, value)| *value)
    }
}

#[doc(hidden)]
pub fn read<'de, T: Words, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let text = String::deserialize(from)?;
    T::of_word(&text).ok_or_else(|| D::Error::unknown_variant(&text, T::WORDS))
}

/// Defines an enum and its table. A value without a word does not compile.
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis enum $of:ident { $($(#[$about:meta])* $value:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

        impl $crate::serde::Serialize for $of {
            fn serialize<S: $crate::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str($crate::Words::word(*self))
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $of {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::words::read(from)
            }
        }
    };
}
pub use words;

pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next();
    let first = first.into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Returns a "did you mean" hint with the closest known name, or an empty text.
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

    fn assert_round_trip<T: Words + PartialEq + std::fmt::Debug>() {
        assert!(T::TABLE.iter().map(|(word, _)| word).eq(T::WORDS));
        for (word, value) in T::TABLE {
            assert_eq!(value.word(), *word);
            assert_eq!(T::of_word(word), Some(*value));
        }
        assert_eq!(T::of_word("Portrait"), None);
        assert_eq!(T::of_word(""), None);
    }

    #[test]
    fn capital_may_have_several_letters() {
        let shown = ["", "ada", "Ada", "ßa", "été"].map(super::capital);
        assert_eq!(shown, ["", "Ada", "Ada", "SSa", "Été"]);
    }

    #[test]
    fn words_round_trip() {
        assert_round_trip::<Rotation>();
        assert_round_trip::<Permission>();
        assert_round_trip::<ThemeChoice>();
        assert_round_trip::<AnimationChoice>();
        assert_round_trip::<TimeChoice>();
    }
}
