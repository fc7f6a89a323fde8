//! Words: how text falls into them, and how alike two of them are.

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The word, letter case and accents folded.
    pub(crate) text: String,
    /// Where it begins in the text, in bytes.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
}

/// The words of `text`, folded, in their order.
///
/// A word is a run of letters and digits; a number keeps its point. Where no spaces are written (Chinese, and Chinese
/// letters in Japanese) every pair of neighbours is a word. Signs are words only in a text without letters, such as the
/// name of a button that shows a cross.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut run = Run::default();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let class = match class(c) {
            Class::Mark
                if is_apostrophe(c)
                    && run.class == Class::Letters
                    && next.is_some_and(char::is_alphabetic) =>
            {
                // What follows an apostrophe is an ending: of "Anna's" the word is "anna", of "don't" it is "dont".
                if next.is_some_and(|next| matches!(next, 's' | 'S'))
                    && is_ending(text, at + c.len_utf8())
                {
                    run.finish(&mut words);
                    chars.next();
                }
                continue;
            }
            Class::Mark
                if (matches!(c, '.' | ':') || (c == ',' && is_thousands(text, at + 1)))
                    && run.class == Class::Letters
                    && run.text.ends_with(|last: char| last.is_ascii_digit())
                    && next.is_some_and(|next| next.is_ascii_digit()) =>
            {
                if c != ',' {
                    run.text.push(c);
                }
                run.end = at + c.len_utf8();
                continue;
            }
            class => class,
        };
        if class == Class::Joiner {
            continue;
        }
        if class != run.class {
            run.finish(&mut words);
        }
        if class == Class::Mark {
            if is_sign(c) && stands_alone(text, at, c) {
                words.push(Word {
                    text: c.to_string(),
                    start: at,
                    end: at + c.len_utf8(),
                });
                continue;
            }
            // A sign before a number, where it follows no word, makes it another number.
            let negative =
                matches!(c, '-' | '\u{2212}') && next.is_some_and(|next| next.is_ascii_digit());
            let apart = text.get(..at).and_then(|front| front.chars().next_back());
            if negative && !apart.is_some_and(char::is_alphanumeric) {
                run.start = at;
                run.class = Class::Letters;
                run.text.push('-');
            }
            continue;
        }
        if run.text.is_empty() {
            run.start = at;
            run.class = class;
        }
        run.end = at + c.len_utf8();
        if class == Class::Han {
            run.han.push((at, c));
        }
        fold_into(c, &mut run.text);
    }
    run.finish(&mut words);
    if words.is_empty() {
        signs(text, &mut words);
    }
    initials(text, &mut words);
    words
}

/// Letters with points between them are one word, `U.K.` as `UK`, and so is `e-mail`. The states that are written like the word "us" are told
/// from it by their capitals.
fn initials(text: &str, words: &mut Vec<Word>) {
    let letter = |word: &Word| {
        let capital = text.get(word.start..word.end);
        capital.is_some_and(|c| c.len() == 1 && c.bytes().all(|byte| byte.is_ascii_uppercase()))
    };
    let mut at = 0;
    while at < words.len() {
        let mut to = at + 1;
        while words.get(to - 1).is_some_and(letter)
            && words.get(to).is_some_and(letter)
            && joint(text, words, to) == Some(".")
        {
            to += 1;
        }
        if to > at + 1 {
            let end = words.get(to - 1).map_or(0, |last| last.end);
            let rest: Vec<Word> = words.drain(at + 1..to).collect();
            if let Some(first) = words.get_mut(at) {
                first.end = end;
                first.text.extend(rest.iter().map(|word| &*word.text));
                if first.text == "us" {
                    "usa".clone_into(&mut first.text);
                }
            }
        } else if let Some(word) = words.get_mut(at)
            && text.get(word.start..word.end) == Some("US")
            && (text.trim() == "US" || text.bytes().any(|byte| byte.is_ascii_lowercase()))
        {
            "usa".clone_into(&mut word.text);
        }
        if words.get(at).is_some_and(|word| word.text == "e")
            && words.get(at + 1).is_some_and(|word| word.text == "mail")
            && joint(text, words, at + 1) == Some("-")
        {
            let mail = words.remove(at + 1);
            if let Some(first) = words.get_mut(at) {
                first.end = mail.end;
                "email".clone_into(&mut first.text);
            }
        }
        at += 1;
    }
}

/// What stands between a word and the one before it.
fn joint<'t>(text: &'t str, words: &[Word], at: usize) -> Option<&'t str> {
    text.get(words.get(at.checked_sub(1)?)?.end..words.get(at)?.start)
}

/// The text of each word of `text`.
pub(crate) fn plain_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.text).collect()
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Class {
    #[default]
    Mark,
    Letters,
    Kana,
    Han,
    /// What joins or changes the letter before it and is none itself.
    Joiner,
}

#[derive(Default)]
struct Run {
    class: Class,
    text: String,
    han: Vec<(usize, char)>,
    start: usize,
    end: usize,
}

impl Run {
    fn finish(&mut self, words: &mut Vec<Word>) {
        if self.class == Class::Han && self.han.len() > 2 {
            for pair in self.han.windows(2) {
                if let [(start, a), (next, b)] = pair {
                    words.push(Word {
                        text: [*a, *b].iter().collect(),
                        start: *start,
                        end: next + b.len_utf8(),
                    });
                }
            }
            self.text.clear();
        } else if !self.text.is_empty() {
            words.push(Word {
                text: std::mem::take(&mut self.text),
                start: self.start,
                end: self.end,
            });
        }
        self.han.clear();
        self.class = Class::Mark;
    }
}

/// Whether controls show `c` instead of words.
const fn is_sign(c: char) -> bool {
    matches!(
        c,
        '+' | '−'
            | '×'
            | '✕'
            | '✖'
            | '‹'
            | '›'
            | '«'
            | '»'
            | '<'
            | '>'
            | '☰'
            | '≡'
            | '⋮'
            | '⋯'
            | '★'
            | '☆'
            | '♥'
            | '♡'
            | '?'
            | '✓'
            | '✔'
            | '▲'
            | '▼'
            | '◀'
            | '▶'
            | '←'
            | '→'
            | '↑'
            | '↓'
            | '❤'
            | '\u{1f300}'..='\u{1faff}'
    )
}

/// Whether nothing but white space and quotes stands around the sign at `at`.
fn stands_alone(text: &str, at: usize, c: char) -> bool {
    let bare = |next: Option<char>| {
        next.is_none_or(|next| next.is_whitespace() || matches!(next, '"' | '\'' | '“' | '”'))
    };
    let before = text.get(..at).and_then(|front| front.chars().next_back());
    let after = text
        .get(at + c.len_utf8()..)
        .and_then(|rest| rest.chars().next());
    bare(before) && bare(after) && before.is_some() | after.is_some()
}

/// Whether just three digits stand at `at`.
fn is_thousands(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    rest.bytes().take_while(u8::is_ascii_digit).count() == 3
}

fn class(c: char) -> Class {
    match c {
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{300}'..='\u{36f}' => {
            Class::Joiner
        }
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{f900}'..='\u{faff}' => Class::Han,
        '\u{3040}'..='\u{309f}' => Class::Kana,
        _ if c.is_alphanumeric() => Class::Letters,
        _ => Class::Mark,
    }
}

const fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2bc}')
}

/// Whether the word ends after the letter at `at`.
fn is_ending(text: &str, at: usize) -> bool {
    let mut rest = text.get(at..).unwrap_or_default().chars().skip(1);
    !rest.next().is_some_and(char::is_alphanumeric)
}

/// The signs of a text without letters, each a word.
fn signs(text: &str, words: &mut Vec<Word>) {
    const MOST_SIGNS: usize = 4;
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        if words.len() == MOST_SIGNS {
            return;
        }
        if class(c) == Class::Joiner || matches!(c, '\u{fe00}'..='\u{fe0f}') {
            continue;
        }
        words.push(Word {
            text: c.to_string(),
            start: at,
            end: at + c.len_utf8(),
        });
    }
}

/// Letter case, accents and width folded away.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().filter(|c| class(*c) != Class::Joiner) {
        fold_into(c, &mut folded);
    }
    folded
}

fn fold_into(c: char, to: &mut String) {
    if c.is_ascii() {
        to.push(c.to_ascii_lowercase());
        return;
    }
    for lower in c.to_lowercase() {
        match lower {
            'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' => to.push('a'),
            'æ' => to.push_str("ae"),
            'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => to.push('c'),
            'ď' | 'đ' | 'ð' => to.push('d'),
            'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => to.push('e'),
            'ĝ' | 'ğ' | 'ġ' | 'ģ' => to.push('g'),
            'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => to.push('i'),
            'ĺ' | 'ļ' | 'ľ' | 'ł' => to.push('l'),
            'ñ' | 'ń' | 'ņ' | 'ň' => to.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => to.push('o'),
            'œ' => to.push_str("oe"),
            'ŕ' | 'ŗ' | 'ř' => to.push('r'),
            'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => to.push('s'),
            'ß' => to.push_str("ss"),
            'ţ' | 'ť' | 'ț' => to.push('t'),
            'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => to.push('u'),
            'ý' | 'ÿ' => to.push('y'),
            'ź' | 'ż' | 'ž' => to.push('z'),
            'ё' => to.push('е'),
            'ς' => to.push('σ'),
            // Letters and digits of full width.
            '\u{ff10}'..='\u{ff19}' | '\u{ff41}'..='\u{ff5a}' => {
                let narrow = char::from_u32(lower as u32 - 0xfee0).unwrap_or(lower);
                to.push(narrow);
            }
            '\u{307}' => {}
            _ => to.push(lower),
        }
    }
}

/// A word without its endings, for words of European languages: `saves`, `saved` and `saving` are one.
pub(crate) fn stem(word: &str) -> String {
    const NO_PLURALS: [&str; 7] = ["news", "lens", "always", "maps", "atlas", "canvas", "pays"];
    if NO_PLURALS.contains(&word)
        || !word.is_ascii()
        || word.len() < 4
        || word.bytes().any(|byte| byte.is_ascii_digit())
    {
        return word.to_owned();
    }
    let mut stem = word;
    if let Some(base) = stem.strip_suffix("ies").filter(|base| base.len() > 1) {
        return format!("{base}y");
    }
    let sibilant = ["sses", "shes", "ches", "xes", "zes"];
    if sibilant.iter().any(|end| stem.ends_with(end)) {
        stem = stem.strip_suffix("es").unwrap_or(stem);
    } else if !["ss", "us", "is"].iter().any(|end| stem.ends_with(end)) {
        stem = stem.strip_suffix('s').unwrap_or(stem);
    }
    for ending in ["ing", "ed"] {
        if let Some(base) = stem.strip_suffix(ending)
            && base.len() >= 3
            && base.bytes().any(|byte| b"aeiouy".contains(&byte))
        {
            stem = single(base);
            break;
        }
    }
    // Plurals of other languages: "Sprache" and "Sprachen", "ristorante" and "ristoranti", "prodotto" and "prodotti".
    if let Some(base) = plural_base(stem) {
        return base.to_owned();
    }
    let stem = stem
        .strip_suffix('e')
        .filter(|base| base.len() >= 3)
        .unwrap_or(stem);
    stem.strip_suffix('y')
        .filter(|base| base.len() >= 3)
        .map_or_else(|| stem.to_owned(), |base| format!("{base}y"))
}

/// What is left of a longer word without an ending that changes in German or Italian.
fn plural_base(word: &str) -> Option<&str> {
    const LEAST_LONG: usize = 7;
    const LEAST: usize = 6;
    let base = match word.strip_suffix("en") {
        Some(base) if word.len() >= LEAST_LONG => base,
        _ => word
            .strip_suffix(['a', 'i', 'o'])
            .filter(|_| word.len() >= LEAST)?,
    };
    base.ends_with(|c: char| !matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y'))
        .then_some(base)
}

/// `base` without a doubled last consonant.
fn single(base: &str) -> &str {
    match base.as_bytes() {
        [.., a, b] if a == b && !b"aeiouls".contains(b) => {
            base.get(..base.len() - 1).unwrap_or(base)
        }
        _ => base,
    }
}

/// How alike `asked` and `there` are, two folded words with their stems: 1 for the same word, 0 for different ones.
pub(crate) fn likeness(asked: &str, asked_stem: &str, there: &str, there_stem: &str) -> f32 {
    const SAME: f32 = 1.0;
    const STEM: f32 = 0.95;
    const SLIP: f32 = 0.85;
    const BEGINNING: f32 = 0.72;
    const KINSHIP: f32 = 0.62;
    const PART: f32 = 0.5;
    if asked == there {
        return SAME;
    }
    if asked_stem == there_stem {
        return STEM;
    }
    let (short, long) = if asked.len() <= there.len() {
        (asked, there)
    } else {
        (there, asked)
    };
    if short.len() < 3 || numeric(asked) || numeric(there) {
        // "12th" is written 12 in a calendar.
        let day = ["st", "nd", "rd", "th"]
            .iter()
            .find_map(|ending| asked.strip_suffix(ending));
        return if day == Some(there) { SLIP } else { 0.0 };
    }
    if is_slip(asked, there) {
        return SLIP;
    }
    if is_skeleton(asked, there) {
        return BEGINNING;
    }
    if long.starts_with(short) {
        let covered = short.len() as f32 / long.len() as f32;
        let asked_shorter = asked.len() < there.len();
        return if (covered >= 0.6 && (short.len() >= 4 || asked_shorter)) || short.len() >= 5 {
            BEGINNING
        } else if covered >= 0.35 && asked_shorter {
            // "info" for "information"; the other way round says little.
            BEGINNING - 0.12
        } else {
            0.0
        };
    }
    let common = asked
        .bytes()
        .zip(there.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    if common >= 5 && common * 10 >= long.len() * 6 {
        return KINSHIP;
    }
    if short.len() >= 4 && long.len() <= short.len() * 3 && long.contains(short) {
        return if short.len() >= 5 { PART } else { PART - 0.15 };
    }
    0.0
}

fn numeric(word: &str) -> bool {
    word.bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Whether `there` is `asked` without its vowels, as authors shorten words: `srch`, `hrt`, `btn`.
fn is_skeleton(asked: &str, there: &str) -> bool {
    let vowel = |byte: &u8| b"aeiouy".contains(byte);
    there.len() >= 3
        && asked.len() > there.len()
        && there.is_ascii()
        && !there.bytes().any(|byte| vowel(&byte))
        && asked.bytes().filter(|byte| !vowel(byte)).eq(there.bytes())
}

/// Whether the words differ by one slip of the fingers: in words of six letters or more one letter missing, added or
/// another; in words of four or more two neighbours swapped.
fn is_slip(a: &str, b: &str) -> bool {
    const LEAST_SWAPPED: usize = 4;
    const LEAST_EDITED: usize = 6;
    if a.len().abs_diff(b.len()) > 2 || a.len().min(b.len()) < LEAST_SWAPPED {
        return false;
    }
    // Hardly anybody slips on the first letter.
    if a.chars().next() != b.chars().next() {
        return false;
    }
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let same_front = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let left = |word: &[char]| word.len() - same_front;
    let same_back = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take(left(&a).min(left(&b)))
        .take_while(|(a, b)| a == b)
        .count();
    let a_middle = a.get(same_front..a.len() - same_back).unwrap_or_default();
    let b_middle = b.get(same_front..b.len() - same_back).unwrap_or_default();
    let shortest = a.len().min(b.len());
    match (a_middle, b_middle) {
        ([a1, a2], [b1, b2]) => a1 == b2 && a2 == b1 && shortest >= LEAST_SWAPPED,
        ([_], []) | ([], [_]) | ([_], [_]) => {
            shortest.max(a.len().max(b.len())) >= LEAST_EDITED && shortest >= 5
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: &str, b: &str) -> f32 {
        likeness(a, &stem(a), b, &stem(b))
    }

    #[test]
    fn text_falls_into_words() {
        assert_eq!(
            plain_words("Sign-in, Anna’s café!"),
            ["sign", "in", "anna", "cafe"]
        );
        assert_eq!(
            plain_words("Don't pay $1,299.50."),
            ["dont", "pay", "1299.50"]
        );
        assert_eq!(plain_words("登录按钮"), ["登录", "录按", "按钮"]);
        assert_eq!(
            plain_words("設定を開くボタン"),
            ["設定", "を", "開", "く", "ボタン"]
        );
        assert_eq!(plain_words("(-2,2) 5-3"), ["-2", "2", "5", "3"]);
        assert_eq!(plain_words("×"), ["×"]);
        assert_eq!(plain_words("Straße ＡＢ１"), ["strasse", "ab1"]);
        assert_eq!(plain_words("\u{202e}\u{0}"), ["\u{202e}", "\u{0}"]);
        assert_eq!(plain_words(""), [""; 0]);
    }

    #[test]
    fn endings_do_not_count() {
        for (a, b) in [
            ("saves", "saving"),
            ("categories", "category"),
            ("boxes", "box"),
            ("shipped", "shipping"),
            ("subscribe", "subscribed"),
            ("settings", "setting"),
        ] {
            assert_eq!(stem(a), stem(b), "{a} {b}");
        }
        assert_ne!(stem("news"), stem("newest"));
    }

    #[test]
    fn words_are_alike_by_degrees() {
        assert!(alike("button", "button") > alike("buttons", "button"));
        assert!(alike("pasword", "password") > 0.8, "a letter missing");
        assert!(alike("logni", "login") > 0.8, "two letters swapped");
        assert!(alike("info", "information") > 0.5);
        assert!(
            alike("subscription", "subscribe") == 0.0 || alike("subscription", "subscribe") < 0.7
        );
        for (a, b) in [
            ("cat", "car"),
            ("news", "nets"),
            ("12", "123"),
            ("in", "inbox"),
        ] {
            assert_eq!(alike(a, b), 0.0, "{a} {b}");
        }
    }
}
