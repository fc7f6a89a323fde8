//! Texts on a line, cut to a limit.

use std::fmt;

use escape::Quoted;

use super::tokens::chars_within_tokens;

/// Maximum length of a written text. Characters of some scripts cost several times as many tokens as Latin letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub(crate) characters: usize,
    pub(crate) tokens: usize,
}

/// Limit of a text.
const MAX: Limit = Limit {
    characters: 160,
    tokens: 48,
};

/// Minimum number of omitted characters that is written.
const MIN_COUNTED_REST: usize = 300;

/// Limit of the texts of rows that open when pressed.
pub(crate) const ROW_TEXT_LIMIT: Limit = Limit {
    characters: 48,
    tokens: 14,
};

/// Limit of a text that distinguishes a control from equal ones.
const MAX_OWNER: Limit = Limit {
    characters: 24,
    tokens: 7,
};

impl Limit {
    /// Minimum length to cut: a shorter rest costs no more tokens than its `(+N)` marker, and the end of a text is often
    /// informative.
    const fn min_cut(self) -> Self {
        Self {
            characters: self.characters / 4,
            tokens: self.tokens / 3,
        }
    }
}

/// The text with single spaces.
pub(crate) fn collapse_spaces(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Whether a text consists of glyphs of an icon font.
pub(crate) fn is_icon_glyphs(text: &str) -> bool {
    consists_of(text, |letter| ('\u{e000}'..='\u{f8ff}').contains(&letter))
}

/// Whether a text is a separator, such as a bullet.
pub(crate) fn is_separator(text: &str) -> bool {
    consists_of(text, |letter| "•·∙●|,›»".contains(letter))
}

/// Whether a text is not blank and consists of these characters and white space.
fn consists_of(text: &str, is_member: fn(char) -> bool) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text
            .chars()
            .all(|letter| letter.is_whitespace() || is_member(letter))
}

/// Whether a text contains these words as whole words.
pub(crate) fn contains_words(text: &str, words: &str) -> bool {
    match words.split_whitespace().next() {
        None => return true,
        Some(first) if !text.contains(first) => return false,
        Some(_) if text == words => return true,
        Some(_) => {}
    }
    let (text, words) = (collapse_spaces(text), collapse_spaces(words));
    let is_edge = |next: Option<char>| !next.is_some_and(char::is_alphanumeric);
    text.match_indices(&words).any(|(at, found)| {
        is_edge(text[..at].chars().next_back()) && is_edge(text[at + found.len()..].chars().next())
    })
}

/// Prefix of an accessible name.
pub(crate) const LABEL: &str = "label=";

/// Prefix of a control's name in the code of its page.
pub(crate) const CODE: &str = "code=";

/// Prefix of the placeholder of a field.
pub(crate) const HINT: &str = "hint=";

/// State of a node that can be clicked.
pub(crate) const CLICKABLE: &str = "clickable";

/// A text or a name, with the prefix that distinguishes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LabeledText {
    /// `label=`, `hint=`, `code=`, empty for a text, or `…` for a [placeholder](Self::placeholder).
    pub(crate) prefix: &'static str,
    pub(crate) text: String,
    /// Maximum number of written characters.
    pub(crate) max_chars: usize,
    /// Whether to omit the number of cut characters, because they are written elsewhere.
    pub(crate) omit_count: bool,
}

impl LabeledText {
    /// A text.
    pub(crate) fn text(text: &str) -> Self {
        let mut labeled = Self {
            prefix: "",
            text: text.to_owned(),
            max_chars: usize::MAX,
            omit_count: false,
        };
        labeled.limit(MAX);
        labeled
    }

    /// `…`, for a table cell whose content is on other lines.
    pub(crate) fn placeholder() -> Self {
        Self {
            prefix: "…",
            text: String::new(),
            max_chars: 0,
            omit_count: true,
        }
    }

    /// A name with its prefix: [`LABEL`], [`CODE`] or [`HINT`].
    pub(crate) fn named(prefix: &'static str, name: &str) -> Self {
        Self {
            prefix,
            ..Self::text(name)
        }
    }

    /// A short text that distinguishes a control from equal ones.
    pub(crate) fn owner(text: &str) -> Self {
        let mut owner = Self::text(text);
        owner.limit(MAX_OWNER);
        owner.omit_count = true;
        owner
    }

    /// Cuts the text if it is longer than `limit`.
    pub(crate) fn limit(&mut self, limit: Limit) {
        // No character costs more than a token.
        if self.text.len() <= limit.tokens {
            return;
        }
        let min_cut = limit.min_cut();
        let max = limit.characters + min_cut.characters;
        let all = self.text.chars().take(max + 1).count();
        if all <= max && chars_within_tokens(&self.text, limit.tokens + min_cut.tokens) >= all {
            return;
        }
        let max = chars_within_tokens(&self.text, limit.tokens).min(limit.characters);
        let max = floor_word_boundary(&self.text, max);
        if max < self.max_chars {
            self.max_chars = max;
            self.omit_count = false;
        }
    }

    /// Number of written characters.
    pub(crate) fn length(&self) -> usize {
        self.text.chars().take(self.max_chars).count()
    }
}

/// The end of the last word within the first `max` characters of a longer text; `max` if that would cut more than a quarter.
fn floor_word_boundary(text: &str, max: usize) -> usize {
    let end = text
        .char_indices()
        .nth(max)
        .map_or(text.len(), |(at, _)| at);
    let (start, rest) = text.split_at(end);
    let is_within = |next: char| !next.is_whitespace();
    let words = match rest.starts_with(is_within) {
        true => start
            .rfind(char::is_whitespace)
            .map_or(start, |space| &start[..space]),
        false => start,
    };
    let words = words.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let length = words.chars().count();
    match length * 4 >= max * 3 {
        true => length,
        false => max,
    }
}

/// Quoted, and cut if it is long; then the number of cut characters follows unless it is omitted.
impl fmt::Display for LabeledText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.prefix)?;
        if self.text.is_empty() && self.max_chars == 0 {
            return Ok(());
        }
        if self.max_chars == 0 {
            return write!(f, "…(+{})", group_thousands(self.text.chars().count()));
        }
        match self.text.char_indices().nth(self.max_chars) {
            Some((at, _)) => {
                let (shown, rest) = self.text.split_at(at);
                write!(f, "{}…", Quoted(shown))?;
                let rest = rest.chars().count();
                match self.omit_count || rest < MIN_COUNTED_REST {
                    true => Ok(()),
                    false => write!(f, "(+{})", group_thousands(rest)),
                }
            }
            None => Quoted(&self.text).fmt(f),
        }
    }
}

/// A number with separated thousands: `1,240`.
fn group_thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
