//! Which letters the on-screen keyboard has: those of the phone's language.

use crate::widget::TextKind;

/// The letters of a keyboard, row by row from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Letters {
    Qwerty,
    Qwertz,
    Azerty,
    Spanish,
    Swedish,
    Danish,
    Norwegian,
    Turkish,
    Russian,
    Ukrainian,
    Greek,
    Hebrew,
    Arabic,
    Persian,
    Hindi,
    Thai,
    Korean,
    Kana,
}

impl Letters {
    /// The letters for a language tag; a field that takes addresses or a password has Latin ones in every language.
    pub(crate) fn of(language: &str, kind: TextKind, password: bool) -> Self {
        let spoken = language.split('-').next().unwrap_or_default();
        let letters = match spoken {
            "de" | "cs" | "hu" | "sk" | "sl" | "hr" | "lb" => Letters::Qwertz,
            "fr" => Letters::Azerty,
            "es" | "gl" | "eu" => Letters::Spanish,
            "sv" | "fi" => Letters::Swedish,
            "da" | "fo" => Letters::Danish,
            "nb" | "nn" | "no" => Letters::Norwegian,
            "tr" | "az" => Letters::Turkish,
            "ru" | "be" | "bg" | "kk" | "ky" => Letters::Russian,
            "uk" => Letters::Ukrainian,
            "el" => Letters::Greek,
            "he" | "iw" | "yi" => Letters::Hebrew,
            "ar" => Letters::Arabic,
            "fa" | "ur" | "ps" => Letters::Persian,
            "hi" | "mr" | "ne" => Letters::Hindi,
            "th" => Letters::Thai,
            "ko" => Letters::Korean,
            "ja" => Letters::Kana,
            _ => Letters::Qwerty,
        };
        let plain = password || !matches!(kind, TextKind::Text);
        if plain && !letters.is_latin() {
            Letters::Qwerty
        } else {
            letters
        }
    }

    const fn is_latin(self) -> bool {
        matches!(
            self,
            Letters::Qwerty
                | Letters::Qwertz
                | Letters::Azerty
                | Letters::Spanish
                | Letters::Swedish
                | Letters::Danish
                | Letters::Norwegian
                | Letters::Turkish
        )
    }

    /// Whether its letters have capitals, so that there is a key for them.
    pub(crate) const fn has_capitals(self) -> bool {
        self.is_latin() || matches!(self, Letters::Russian | Letters::Ukrainian | Letters::Greek)
    }

    /// The rows from the top.
    pub(crate) const fn rows(self) -> &'static [&'static str] {
        match self {
            Letters::Qwerty => &["qwertyuiop", "asdfghjkl", "zxcvbnm"],
            Letters::Qwertz => &["qwertzuiop", "asdfghjkl", "yxcvbnm"],
            Letters::Azerty => &["azertyuiop", "qsdfghjklm", "wxcvbn'"],
            Letters::Spanish => &["qwertyuiop", "asdfghjklñ", "zxcvbnm"],
            Letters::Swedish => &["qwertyuiopå", "asdfghjklöä", "zxcvbnm"],
            Letters::Danish => &["qwertyuiopå", "asdfghjklæø", "zxcvbnm"],
            Letters::Norwegian => &["qwertyuiopå", "asdfghjkløæ", "zxcvbnm"],
            Letters::Turkish => &["qwertyuıopğü", "asdfghjklşi", "zxcvbnmöç"],
            Letters::Russian => &["йцукенгшщзх", "фывапролджэ", "ячсмитьбю"],
            Letters::Ukrainian => &["йцукенгшщзх", "фівапролджє", "ячсмитьбю"],
            Letters::Greek => &["ςερτυθιοπ", "ασδφγηξκλ", "ζχψωβνμ"],
            Letters::Hebrew => &["קראטוןםפ", "שדגכעיחלךף", "זסבהנמצתץ"],
            Letters::Arabic => &["ضصثقفغعهخحج", "شسيبلاتنمكط", "ذءؤرىةوزظد"],
            Letters::Persian => &["ضصثقفغعهخحج", "شسیبلاتنمکگ", "ظطژزرذدپوچ"],
            Letters::Hindi => &["ौैाीूबहगदज", "ोे्िुपरकतच", "ंमनवलसय"],
            Letters::Thai => &["ๆไำพะัีรนย", "ฟหกดเ้่าส", "ผปแอิืทม"],
            Letters::Korean => &[
                "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ",
                "ㅁㄴㅇㄹㅎㅗㅓㅏㅣ",
                "ㅋㅌㅊㅍㅠㅜㅡ",
            ],
            Letters::Kana => &[
                "わらやまはなたさかあ",
                "をり゛みひにちしきい",
                "んるゆむふぬつすくう",
                "ーれ゜めへねてせけえ",
                "、ろよもほのとそこお",
            ],
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
            ("de-AT", TextKind::Text, Letters::Qwertz),
            ("fr", TextKind::Email, Letters::Azerty),
            ("ru-RU", TextKind::Text, Letters::Russian),
            ("ru-RU", TextKind::Url, Letters::Qwerty),
            ("ar", TextKind::Text, Letters::Arabic),
            ("ja-JP", TextKind::Text, Letters::Kana),
            ("xx", TextKind::Text, Letters::Qwerty),
        ] {
            assert_eq!(
                Letters::of(language, kind, false),
                letters,
                "{language} {kind:?}"
            );
        }
        assert_eq!(Letters::of("el", TextKind::Text, true), Letters::Qwerty);
    }
}
