//! Classifies characters: script, emoji presentation, and whether they need shaping.

/// A script, or emoji, with its own packed font.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Script {
    Arabic,
    Hebrew,
    Devanagari,
    Thai,
    /// Chinese characters, kana, and the full-width forms.
    Han,
    Hangul,
    Emoji,
}

impl Script {
    /// Returns the script of a character that the text fonts lack.
    pub(super) const fn of_character(character: char) -> Option<Self> {
        match character as u32 {
            0x0590..=0x05ff | 0xfb1d..=0xfb4f => Some(Script::Hebrew),
            0x0600..=0x06ff | 0x0750..=0x077f | 0x08a0..=0x08ff => Some(Script::Arabic),
            0xfb50..=0xfdff | 0xfe70..=0xfefe => Some(Script::Arabic),
            0x0900..=0x097f => Some(Script::Devanagari),
            0x0e00..=0x0e7f => Some(Script::Thai),
            0x1100..=0x11ff | 0x3130..=0x318f | 0xac00..=0xd7a3 => Some(Script::Hangul),
            0x2e80..=0x312f | 0x3190..=0x9fff | 0xf900..=0xfaff | 0xff00..=0xffef => {
                Some(Script::Han)
            }
            _ => None,
        }
    }
}

pub(super) const fn may_be_emoji(character: char) -> bool {
    matches!(
        character as u32,
        0xa9 | 0xae | 0x203c | 0x2049 | 0x2122 | 0x2139 | 0x2190..=0x2bff | 0x3030 | 0x303d
            | 0x3297 | 0x3299 | 0x1f000..=0x1faff
    )
}

/// Whether a character is shown in colour by default: Unicode's property `Emoji_Presentation`, and all characters of the
/// planes that hold only emoji.
pub(super) const fn prefers_emoji(character: char) -> bool {
    matches!(
        character as u32,
        0x231a | 0x231b | 0x23e9..=0x23ec | 0x23f0 | 0x23f3 | 0x25fd | 0x25fe | 0x2614 | 0x2615
            | 0x2648..=0x2653 | 0x267f | 0x2693 | 0x26a1 | 0x26aa | 0x26ab | 0x26bd | 0x26be
            | 0x26c4 | 0x26c5 | 0x26ce | 0x26d4 | 0x26ea | 0x26f2 | 0x26f3 | 0x26f5 | 0x26fa
            | 0x26fd | 0x2705 | 0x270a | 0x270b | 0x2728 | 0x274c | 0x274e | 0x2753..=0x2755
            | 0x2757 | 0x2795..=0x2797 | 0x27b0 | 0x27bf | 0x2b1b | 0x2b1c | 0x2b50 | 0x2b55
            | 0x1f000..=0x1faff
    )
}

/// Whether a character needs no shaping: it has one glyph, runs from left to right and does not combine with neighbours.
pub(super) const fn is_plain(character: char) -> bool {
    matches!(
        character as u32,
        0x00..=0x2ff | 0x370..=0x482 | 0x48a..=0x58f | 0x1e00..=0x200b | 0x2010..=0x2029
            | 0x202f..=0x2064 | 0x2070..=0x20cf | 0x2100..=0x2bff | 0x2e80..=0x3029
            | 0x3030..=0x3098 | 0x309b..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff
            | 0xfe30..=0xfe6f | 0xff00..=0xffef | 0xfffc..=0xfffd
    )
}

/// Whether a character never combines above or below the one before it, as parts of emoji do not.
pub(super) const fn never_combines(character: char) -> bool {
    character.is_ascii() || may_be_emoji(character) || character == '\u{20e3}'
}

/// Whether a paragraph has only characters that need no shaping.
pub(super) fn all_plain(paragraph: &str) -> bool {
    paragraph.is_ascii() || paragraph.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_text_needs_no_shaping() {
        for text in [
            "Hello",
            "Żółć",
            "Ωμέγα",
            "Привет",
            "漢字かな",
            "한국어",
            "a → b ★",
            "“x” – 5 €",
        ] {
            assert!(all_plain(text), "{text}");
        }
        for text in [
            "e\u{301}",
            "שלום",
            "سلام",
            "नमस्ते",
            "ไทย",
            "😀",
            "❤\u{fe0f}",
            "a\u{200d}b",
            "か\u{3099}",
        ] {
            assert!(!all_plain(text), "{text}");
        }
    }

    #[test]
    fn characters_have_the_expected_script() {
        for (character, script) in [
            ('ע', Some(Script::Hebrew)),
            ('ع', Some(Script::Arabic)),
            ('ह', Some(Script::Devanagari)),
            ('ไ', Some(Script::Thai)),
            ('漢', Some(Script::Han)),
            ('カ', Some(Script::Han)),
            ('，', Some(Script::Han)),
            ('한', Some(Script::Hangul)),
            ('A', None),
            ('😀', None),
        ] {
            assert_eq!(Script::of_character(character), script, "{character}");
        }
        assert!(prefers_emoji('⭐') && !prefers_emoji('★'));
        assert!(may_be_emoji('❤') && !may_be_emoji('1'));
    }
}
