//! Estimates how many tokens a text costs.

/// The approximate number of tokens of a text; a test compares it with a tokenizer.
///
/// A word of views costs one token, another word one for every five letters, a number one for every three digits, and any other
/// visible character one.
pub fn estimate_tokens(text: &str) -> usize {
    Pieces::of(text).map(|(_, tokens)| tokens).sum()
}

/// The number of characters at the start of a text that cost at most `max` tokens.
pub(crate) fn chars_within_tokens(text: &str, max: usize) -> usize {
    // No character costs more than one token.
    if text.len() <= max {
        return text.len();
    }
    let mut left = max;
    let mut characters = 0;
    for (length, tokens) in Pieces::of(text) {
        if tokens > left {
            return characters + left.min(length);
        }
        left -= tokens;
        characters += length;
    }
    characters
}

#[derive(PartialEq, Clone, Copy)]
enum Kind {
    Letters,
    Digits,
    Other,
    Space,
    Mark,
}

impl Kind {
    fn of(letter: char) -> Self {
        match letter {
            'a'..='z' | 'A'..='Z' => Self::Letters,
            '0'..='9' => Self::Digits,
            letter if letter.is_whitespace() => Self::Space,
            letter if letter.is_alphabetic() => Self::Other,
            _ => Self::Mark,
        }
    }
}

/// The words, numbers and other pieces of a text: number of characters and tokens of each.
struct Pieces<'t> {
    text: &'t str,
    letters: std::iter::Peekable<std::str::CharIndices<'t>>,
}

impl<'t> Pieces<'t> {
    fn of(text: &'t str) -> Self {
        let letters = text.char_indices().peekable();
        Self { text, letters }
    }
}

impl Iterator for Pieces<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let (start, first) = self.letters.next()?;
        let kind = Kind::of(first);
        let mut length = 1_usize;
        let mut previous = first;
        // A capital letter inside a word begins another one.
        while let Some((_, next)) = self.letters.next_if(|(_, next)| {
            Kind::of(*next) == kind && !(previous.is_ascii_lowercase() && next.is_ascii_uppercase())
        }) {
            previous = next;
            length += 1;
        }
        let tokens = match kind {
            Kind::Letters => tokens_of_word(&self.text[start..start + length]),
            Kind::Digits => length.div_ceil(3),
            // A space is part of the next word.
            Kind::Space => usize::from(length > 1),
            Kind::Other | Kind::Mark => length,
        };
        Some((length, tokens))
    }
}

/// The tokens of a word of ASCII letters. Words of views cost one.
fn tokens_of_word(word: &str) -> usize {
    match word {
        "above" | "application" | "button" | "checkbox" | "checked" | "clickable" | "collapsed"
        | "container" | "dialog" | "disabled" | "dropdown" | "elements" | "expanded"
        | "focused" | "heading" | "image" | "invalid" | "label" | "listitem" | "mixed"
        | "scrollable" | "selected" | "switch" | "system" | "textfield" | "title" | "toggle"
        | "unchecked" | "webview" => 1,
        other => 1 + other.len() / 5,
    }
}
