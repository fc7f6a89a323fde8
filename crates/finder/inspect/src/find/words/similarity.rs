//! Similarity of two words.

/// Similarity of two folded words with their stems: 1 if equal, 0 if unrelated.
pub(crate) fn similarity(
    query_word: &str,
    query_stem: &str,
    screen_word: &str,
    screen_stem: &str,
) -> f32 {
    const EQUAL: f32 = 1.0;
    const SAME_STEM: f32 = 0.95;
    const TYPO: f32 = 0.85;
    const SAME_BEGINNING: f32 = 0.72;
    const COMMON_BEGINNING: f32 = 0.62;
    const CONTAINED: f32 = 0.5;
    if query_word == screen_word {
        return EQUAL;
    }
    if query_stem == screen_stem {
        return SAME_STEM;
    }
    let (short, long) = if query_word.len() <= screen_word.len() {
        (query_word, screen_word)
    } else {
        (screen_word, query_word)
    };
    if short.len() < 3 || is_numeric(query_word) || is_numeric(screen_word) {
        // "12th" is 12 in a calendar.
        let day = ["st", "nd", "rd", "th"]
            .iter()
            .find_map(|ending| query_word.strip_suffix(ending));
        return if day == Some(screen_word) { TYPO } else { 0.0 };
    }
    if is_typo(query_word, screen_word) {
        return TYPO;
    }
    if drops_vowels(query_word, screen_word) {
        return SAME_BEGINNING;
    }
    if long.starts_with(short) {
        let covered = short.len() as f32 / long.len() as f32;
        let query_is_shorter = query_word.len() < screen_word.len();
        return if (covered >= 0.6 && (short.len() >= 4 || query_is_shorter)) || short.len() >= 5 {
            SAME_BEGINNING
        } else if covered >= 0.35 && query_is_shorter {
            // "info" for "information"; the reverse is weak.
            SAME_BEGINNING - 0.12
        } else {
            0.0
        };
    }
    let common = query_word
        .bytes()
        .zip(screen_word.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    if common >= 5 && common * 10 >= long.len() * 6 {
        return COMMON_BEGINNING;
    }
    if short.len() >= 4 && long.len() <= short.len() * 3 && long.contains(short) {
        return if short.len() >= 5 {
            CONTAINED
        } else {
            CONTAINED - 0.15
        };
    }
    0.0
}

fn is_numeric(word: &str) -> bool {
    word.bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Whether `there` is `asked` without vowels, as in author names: `srch`, `hrt`, `btn`.
fn drops_vowels(query_word: &str, screen_word: &str) -> bool {
    let vowel = |byte: &u8| b"aeiouy".contains(byte);
    screen_word.len() >= 3
        && query_word.len() > screen_word.len()
        && screen_word.is_ascii()
        && !screen_word.bytes().any(|byte| vowel(&byte))
        && query_word
            .bytes()
            .filter(|byte| !vowel(byte))
            .eq(screen_word.bytes())
}

/// Whether the words differ by one typo: a missing, added or wrong letter in six letters or more, two swapped letters
/// in four or more.
fn is_typo(a: &str, b: &str) -> bool {
    const MIN_SWAPPED: usize = 4;
    const MIN_EDITED: usize = 6;
    if a.len().abs_diff(b.len()) > 2 || a.len().min(b.len()) < MIN_SWAPPED {
        return false;
    }
    // Typos seldom hit the first letter.
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
        ([a1, a2], [b1, b2]) => a1 == b2 && a2 == b1 && shortest >= MIN_SWAPPED,
        ([_], []) | ([], [_]) | ([_], [_]) => {
            shortest.max(a.len().max(b.len())) >= MIN_EDITED && shortest >= 5
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::words::stem::stem;

    fn similarity_of(a: &str, b: &str) -> f32 {
        similarity(a, &stem(a), b, &stem(b))
    }

    #[test]
    fn similarity_is_graded() {
        assert!(similarity_of("button", "button") > similarity_of("buttons", "button"));
        // A letter is missing, two letters are swapped, an abbreviation.
        for (a, b, least) in [
            ("pasword", "password", 0.8),
            ("logni", "login", 0.8),
            ("info", "information", 0.5),
        ] {
            assert!(similarity_of(a, b) > least, "{a} {b}");
        }
        assert!(similarity_of("subscription", "subscribe") < 0.7);
        for pair in ["cat car", "news nets", "12 123", "in inbox"] {
            let (a, b) = pair.split_once(' ').unwrap();
            assert_eq!(similarity_of(a, b), 0.0, "{pair}");
        }
    }
}
