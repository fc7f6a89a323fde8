//! Finds text that changes by itself: numbers, times, prices, counts.

/// Limits a stability and sets its reason, if there is a reason to limit it.
pub(crate) fn cap_stability(
    (stability, reason): (&mut u8, &mut Option<&'static str>),
    why: Option<&'static str>,
    max: u8,
) {
    if why.is_some() && *stability > max {
        *stability = max;
        *reason = why;
    }
}

/// Reason why text looks volatile; `None` if it does not.
pub(crate) fn why_volatile(text: &str) -> Option<&'static str> {
    if text.chars().any(|c| is_money(c) || c == '%') && has_digit(text) {
        return Some("contains an amount");
    }
    if text.split_whitespace().any(is_time) {
        return Some("holds a time");
    }
    if has_digit(text) {
        return Some("holds a number");
    }
    if names_state(text) {
        return Some("is a state");
    }
    if names_time(text) {
        return Some("names a time");
    }
    if text.contains('…') && text.trim_end().ends_with('…') && text.chars().count() > 24 {
        return Some("is truncated");
    }
    None
}

fn has_digit(text: &str) -> bool {
    text.chars().any(char::is_numeric)
}

const fn is_money(c: char) -> bool {
    matches!(
        c,
        '$' | '£' | '¥' | '¢' | '₩' | '₹' | '€' | '₽' | '₺' | '₫' | '฿' | '₪' | '₴'
    )
}

/// `12:30`, `9.15`, with digits on both sides.
fn is_time(word: &str) -> bool {
    word.split_once([':', '.']).is_some_and(|(hours, rest)| {
        (1..=2).contains(&hours.len())
            && hours.bytes().all(|byte| byte.is_ascii_digit())
            && rest.len() >= 2
            && rest.bytes().take(2).all(|byte| byte.is_ascii_digit())
    })
}

/// Whether the text is only a state.
fn names_state(text: &str) -> bool {
    const STATES: &str = "connected connecting… disabled disconnected enabled loading… off on";
    let text = text.trim();
    STATES
        .split(' ')
        .any(|state| text.eq_ignore_ascii_case(state))
}

/// Whether the text names a time, in a few languages.
fn names_time(text: &str) -> bool {
    const WORDS: &str = "ago aujourd ayer friday gestern heute hier hoy just monday now saturday sunday thursday today tomorrow \
        tuesday wednesday yesterday";
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    // `Buy now` and `Play now` are names; `just now` is a time.
    let short = ["now", "just"];
    words.iter().any(|word| {
        WORDS.split_whitespace().any(|other| other == word) && !short.contains(&word.as_str())
    }) || (words.len() == 2 && words.iter().all(|word| short.contains(&word.as_str())))
}

/// The longest stable run of words, if it is specific.
pub(crate) fn stable_run(text: &str) -> Option<&str> {
    let mut best: Option<&str> = None;
    let mut keep = |part: &'_ str, at: usize| {
        let start = at + (part.len() - part.trim_start_matches(is_edge).len());
        let part = part.trim_matches(is_edge);
        let letters = part.chars().filter(|c| c.is_alphabetic()).count();
        let enough = letters >= 4 || (letters >= 2 && !part.is_ascii());
        // The beginning counts unless a later run is much longer.
        let says_more = |best: &str| part.chars().count() > 2 * best.chars().count();
        if enough && best.is_none_or(says_more) {
            best = text.get(start..start + part.len());
        }
    };
    let mut from = 0;
    for (at, word) in words(text) {
        let before = text.get(from..at).unwrap_or_default();
        if word.chars().any(|c| c.is_numeric() || is_money(c)) {
            keep(before, from);
            from = at + word.len();
        } else if before.trim_start().contains('\n') {
            // A run over several lines is hard to read.
            keep(before, from);
            from = at;
        }
    }
    keep(text.get(from..).unwrap_or_default(), from);
    best.filter(|best| best.len() < text.len())
}

/// Characters that may surround a run.
fn is_edge(c: char) -> bool {
    c.is_whitespace()
        || (c.is_ascii_punctuation() && c != '"')
        || matches!(c, '·' | '•' | '–' | '—' | '…' | '×')
}

/// Words with their positions.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(|c: char| !c.is_whitespace())?;
        let rest = text.get(start..)?;
        let word = rest.get(..rest.find(char::is_whitespace).unwrap_or(rest.len()))?;
        at = start + word.len();
        Some((start, word))
    })
}

/// Prefix of at most `most` characters, in whole words if possible.
pub(crate) fn beginning(text: &str, most: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return text;
    };
    let cut = text.get(..end).unwrap_or(text);
    let whole = cut.rfind(char::is_whitespace).filter(|at| *at > end / 2);
    whole.and_then(|at| cut.get(..at)).unwrap_or(cut).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volatile_text_is_recognized() {
        const VOLATILE: &str = "3 unread messages|12:30|Cart (2)|$4.99|Battery 81%|5 minutes ago|Yesterday|Off|Connected|just now|\
            Updated 9.15|٣ رسائل|Today at noon|three days ago|last wednesday";
        for text in VOLATILE.split('|') {
            assert!(why_volatile(text).is_some(), "{text}");
        }
        for text in "Sign in|Buy now|More…|设置|Just do it|Wi-Fi|Known devices".split('|') {
            assert_eq!(why_volatile(text), None, "{text}");
        }
    }

    #[test]
    fn stable_run_has_no_numbers() {
        for (text, part) in [
            ("3 unread messages", Some("unread messages")),
            ("Cart (2)", Some("Cart")),
            ("Cart, 3 items", Some("Cart")),
            ("Battery 81%, 3 h left", Some("Battery")),
            ("Pay $4.99 with card", Some("with card")),
            ("12:30", None),
            ("Settings", None),
            ("未读消息 3 条", Some("未读消息")),
            ("v 2", None),
            ("Orders\nTab 1 of 4", Some("Orders")),
        ] {
            assert_eq!(stable_run(text), part, "{text}");
        }
    }
}
