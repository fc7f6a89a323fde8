//! Which letters the on-screen keyboard has: those of the phone's language.

use sim_format::widget::TextKind;

/// The letters of a keyboard, row by row from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Letters {
    Qwerty,
    Arabic,
}

impl Letters {
    /// The letters for a language tag; a field that takes addresses or a password has Latin ones in every language.
    pub(super) fn of(language: &str, kind: TextKind, password: bool) -> Self {
        let spoken = language.split('-').next().unwrap_or_default();
        if spoken == "ar" && !password && matches!(kind, TextKind::Text) {
            Letters::Arabic
        } else {
            Letters::Qwerty
        }
    }

    /// Whether its letters have capitals, so that there is a key for them.
    pub(super) const fn has_capitals(self) -> bool {
        matches!(self, Letters::Qwerty)
    }

    /// The rows from the top.
    pub(super) const fn rows(self) -> &'static [&'static str] {
        match self {
            Letters::Qwerty => &["qwertyuiop", "asdfghjkl", "zxcvbnm"],
            Letters::Arabic => &["ضصثقفغعهخحج", "شسيبلاتنمكط", "ذءؤرىةوزظد"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_decides_the_letters() {
        for (language, kind, letters) in [
            ("en-US", TextKind::Text, Letters::Qwerty),
            ("ar", TextKind::Text, Letters::Arabic),
            ("ar-EG", TextKind::Url, Letters::Qwerty),
            ("xx", TextKind::Text, Letters::Qwerty),
        ] {
            assert_eq!(
                Letters::of(language, kind, false),
                letters,
                "{language} {kind:?}"
            );
        }
        assert_eq!(Letters::of("ar", TextKind::Text, true), Letters::Qwerty);
    }
}
