//! Splits text into words.

use std::{collections::HashMap, sync::LazyLock};

use crate::data;

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Folded text.
    pub(crate) text: String,
    /// Start in bytes.
    pub(crate) start: usize,
    /// End in bytes.
    pub(crate) end: usize,
}

/// Folded words of `text`, in order.
///
/// A word is a run of letters and digits; numbers keep their decimal point. Chinese text gives every adjacent pair of
/// characters. Symbols are words only in a text without letters, such as the name of a close button.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut run = WordRun::default();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let class = match char_class(c) {
            CharClass::Mark
                if is_apostrophe(c)
                    && run.class == CharClass::Letters
                    && next.is_some_and(char::is_alphabetic) =>
            {
                // An apostrophe begins an ending: "Anna's" gives "anna", "don't" gives "dont".
                if next.is_some_and(|next| matches!(next, 's' | 'S'))
                    && is_ending(text, at + c.len_utf8())
                {
                    run.finish(&mut words);
                    chars.next();
                }
                continue;
            }
            CharClass::Mark
                if (matches!(c, '.' | ':') || (c == ',' && is_thousands(text, at + 1)))
                    && run.class == CharClass::Letters
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
        if class == CharClass::Joiner {
            continue;
        }
        if class != run.class {
            run.finish(&mut words);
        }
        if class == CharClass::Mark {
            if is_symbol(c) && stands_alone(text, at, c) {
                words.push(Word {
                    text: c.to_string(),
                    start: at,
                    end: at + c.len_utf8(),
                });
                continue;
            }
            // A minus sign belongs to the number.
            let negative =
                matches!(c, '-' | '\u{2212}') && next.is_some_and(|next| next.is_ascii_digit());
            let apart = text.get(..at).and_then(|front| front.chars().next_back());
            if negative && !apart.is_some_and(char::is_alphanumeric) {
                run.start = at;
                run.class = CharClass::Letters;
                run.text.push('-');
            }
            continue;
        }
        if run.text.is_empty() {
            run.start = at;
            run.class = class;
        }
        run.end = at + c.len_utf8();
        if class == CharClass::Han {
            run.han.push((at, c));
        }
        fold_into(c, &mut run.text);
    }
    run.finish(&mut words);
    if words.is_empty() {
        add_symbols(text, &mut words);
    }
    join_initials(text, &mut words);
    words.into_iter().flat_map(split_hour).collect()
}

/// Writes `2pm` and `2:30pm` as clocks do: `2:00 pm`.
fn split_hour(word: Word) -> Vec<Word> {
    let half = ["am", "pm"].into_iter().find_map(|half| {
        let time = word.text.strip_suffix(half)?;
        let (hour, minutes) = time.split_once(':').unwrap_or((time, "00"));
        let digits = |part: &str, most: usize| {
            (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_time = digits(hour, 2) && digits(minutes, 2);
        is_time.then(|| [format!("{hour}:{minutes}"), half.to_owned()])
    });
    let Some(parts) = half else {
        return vec![word];
    };
    let (start, end) = (word.start, word.end);
    parts.map(|text| Word { text, start, end }).to_vec()
}

/// Joins `U.K.` to `uk` and `e-mail` to `email`. Capitals tell `US` from "us".
fn join_initials(text: &str, words: &mut Vec<Word>) {
    let letter = |word: &Word| {
        let capital = text.get(word.start..word.end);
        capital.is_some_and(|c| c.len() == 1 && c.bytes().all(|byte| byte.is_ascii_uppercase()))
    };
    let mut at = 0;
    while at < words.len() {
        let mut to = at + 1;
        while words.get(to - 1).is_some_and(letter)
            && words.get(to).is_some_and(letter)
            && separator(text, words, to) == Some(".")
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
            && separator(text, words, at + 1) == Some("-")
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

/// Text between a word and the one before it.
fn separator<'t>(text: &'t str, words: &[Word], at: usize) -> Option<&'t str> {
    text.get(words.get(at.checked_sub(1)?)?.end..words.get(at)?.start)
}

/// Texts of the words.
pub(crate) fn plain_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.text).collect()
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CharClass {
    #[default]
    Mark,
    Letters,
    Kana,
    Han,
    /// Joins or changes the letter before it.
    Joiner,
}

#[derive(Default)]
struct WordRun {
    class: CharClass,
    text: String,
    han: Vec<(usize, char)>,
    start: usize,
    end: usize,
}

impl WordRun {
    fn finish(&mut self, words: &mut Vec<Word>) {
        if self.class == CharClass::Han && self.han.len() > 2 {
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
        self.class = CharClass::Mark;
    }
}

/// Whether controls show `c` as a label.
fn is_symbol(c: char) -> bool {
    const SYMBOLS: &str = "+−×✕✖‹›«»<>☰≡⋮⋯★☆♥♡?✓✔▲▼◀▶←→↑↓❤";
    SYMBOLS.contains(c) || matches!(c, '\u{1f300}'..='\u{1faff}')
}

/// Whether only white space and quotes surround the symbol at `at`.
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

/// Whether exactly three digits follow at `at`.
fn is_thousands(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    rest.bytes().take_while(u8::is_ascii_digit).count() == 3
}

fn char_class(c: char) -> CharClass {
    match c {
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{300}'..='\u{36f}' => {
            CharClass::Joiner
        }
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{f900}'..='\u{faff}' => {
            CharClass::Han
        }
        '\u{3040}'..='\u{309f}' => CharClass::Kana,
        _ if c.is_alphanumeric() => CharClass::Letters,
        _ => CharClass::Mark,
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

/// Adds the symbols of a text without letters as words.
fn add_symbols(text: &str, words: &mut Vec<Word>) {
    const MAX_SIGNS: usize = 4;
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        if words.len() == MAX_SIGNS {
            return;
        }
        if char_class(c) == CharClass::Joiner || matches!(c, '\u{fe00}'..='\u{fe0f}') {
            continue;
        }
        words.push(Word {
            text: c.to_string(),
            start: at,
            end: at + c.len_utf8(),
        });
    }
}

/// Folds case, accents and width.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().filter(|c| char_class(*c) != CharClass::Joiner) {
        fold_into(c, &mut folded);
    }
    folded
}

fn fold_into(c: char, to: &mut String) {
    static LETTERS: LazyLock<HashMap<char, &str>> = LazyLock::new(|| {
        data::keyed(include_str!("../../../data/folded_letters.txt"))
            .filter_map(|(letter, folded)| Some((letter.chars().next()?, folded)))
            .collect()
    });
    if c.is_ascii() {
        to.push(c.to_ascii_lowercase());
        return;
    }
    for lower in c.to_lowercase() {
        if let Some(letters) = LETTERS.get(&lower) {
            to.push_str(letters);
            continue;
        }
        match lower {
            // Full-width letters and digits.
            '\u{ff10}'..='\u{ff19}' | '\u{ff41}'..='\u{ff5a}' => {
                let narrow = char::from_u32(lower as u32 - 0xfee0).unwrap_or(lower);
                to.push(narrow);
            }
            '\u{307}' => {}
            _ => to.push(lower),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_into_words() {
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
        assert_eq!(
            plain_words("2pm or 2:30PM"),
            ["2:00", "pm", "or", "2:30", "pm"]
        );
        assert_eq!(plain_words("500am 12:345pm"), ["500am", "12:345pm"]);
        assert_eq!(plain_words("×"), ["×"]);
        assert_eq!(plain_words("Straße ＡＢ１"), ["strasse", "ab1"]);
        assert_eq!(plain_words("\u{202e}\u{0}"), ["\u{202e}", "\u{0}"]);
        assert_eq!(plain_words(""), [""; 0]);
    }
}
