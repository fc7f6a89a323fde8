//! Tells generated ids, names and words from handwritten ones.

use std::sync::LazyLock;

use crate::data;

/// Prefixes of generated ids, and whether a digit has to follow.
static PREFIXES: LazyLock<Vec<(&str, bool)>> = LazyLock::new(|| {
    data::keyed(include_str!("../../data/generated_prefixes.txt"))
        .map(|(prefix, follow)| (prefix, follow == "digit"))
        .collect()
});

/// Minimum number of digits of a database id or timestamp.
const LONG_NUMBER: usize = 5;

/// Reason why an id or name looks generated; `None` if it looks handwritten.
pub(crate) fn why_generated(id: &str) -> Option<&'static str> {
    let lower = id.to_ascii_lowercase();
    if id.contains([':', '«', '»']) {
        // Libraries use these characters to avoid collisions.
        return Some("contains a counter of a library");
    }
    let counted = PREFIXES.iter().any(|(prefix, digit)| {
        strip_prefix_any_case(&lower, prefix)
            .is_some_and(|rest| !digit || rest.starts_with(|c: char| c.is_ascii_digit()))
    });
    if counted {
        return Some("is numbered by a library");
    }
    why_random(id)
}

/// As [`why_generated`], without prefixes.
pub(crate) fn why_random(id: &str) -> Option<&'static str> {
    if longest_run(id, |c| c.is_ascii_digit()) >= LONG_NUMBER {
        return Some("contains a long number");
    }
    if has_guid(&id.to_ascii_lowercase()) {
        return Some("holds a GUID");
    }
    if tokens(id).any(is_hash) {
        return Some("holds a hash");
    }
    let digits = id.chars().filter(char::is_ascii_digit).count();
    if digits > 0 && !id.chars().any(char::is_alphabetic) {
        return Some("is a bare number");
    }
    None
}

fn strip_prefix_any_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    // The prefix may be inside: `modal-radix-12`.
    match text.strip_prefix(prefix) {
        Some(rest) => Some(rest),
        None if prefix.len() > 4 && prefix.ends_with(['-', '_']) => text
            .match_indices(prefix)
            .find(|(at, _)| {
                text.get(..*at)
                    .is_some_and(|before| before.ends_with(['-', '_']))
            })
            .and_then(|(at, _)| text.get(at + prefix.len()..)),
        None => None,
    }
}

/// Parts of an id or a class between punctuation.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|token| !token.is_empty())
}

/// Whether a part mixes letters and digits unlike a word.
pub(crate) fn is_hash(token: &str) -> bool {
    if !token.is_ascii() || token.len() < 5 {
        return false;
    }
    let bytes = token.as_bytes();
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = token.len() - digits;
    if digits == 0 {
        return is_random_letters(token);
    }
    if letters == 0 {
        return false;
    }
    let hexadecimal = bytes.iter().all(u8::is_ascii_hexdigit);
    if hexadecimal && token.len() >= 8 && digits >= 2 {
        return true;
    }
    let turns = bytes
        .windows(2)
        .filter(|pair| match pair {
            [one, other] => one.is_ascii_digit() != other.is_ascii_digit(),
            _ => false,
        })
        .count();
    let longest = longest_run(token, |c| c.is_ascii_alphabetic());
    // `step2of3` has a word in it, `1x2y3z` has none.
    (turns >= 3 && longest <= 3)
        || (turns >= 2 && longest <= 2 && token.len() >= 6)
        || (turns >= 2 && token.len() >= 16)
}

/// Whether letters are unlike a word: capitals without vowels, or a long run of consonants.
fn is_random_letters(token: &str) -> bool {
    let vowel = |c: char| matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let count_case_rises = count_case_rises(token);
    let vowels = token.chars().filter(|c| vowel(*c)).count();
    (count_case_rises >= 1 && vowels == 0) || (count_case_rises >= 2 && token.len() <= 6)
}

/// Number of capitals after lower-case letters.
pub(crate) fn count_case_rises(token: &str) -> usize {
    token
        .as_bytes()
        .windows(2)
        .filter(|pair| match pair {
            [one, other] => one.is_ascii_lowercase() && other.is_ascii_uppercase(),
            _ => false,
        })
        .count()
}

fn longest_run(text: &str, of: impl Fn(char) -> bool) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if of(c) { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Whether it contains groups of 8, 4, 4, 4 and 12 hexadecimal digits.
fn has_guid(lower: &str) -> bool {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    let parts: Vec<&str> = lower.split(['-', '_']).collect();
    parts.windows(GROUPS.len()).any(|window| {
        window.iter().enumerate().all(|(at, part)| {
            let wanted = GROUPS.get(at).copied().unwrap_or_default();
            let hexadecimal = |c: char| c.is_ascii_hexdigit();
            match at {
                0 => part.len() >= wanted && part.chars().rev().take(wanted).all(hexadecimal),
                4 => part.len() >= wanted && part.chars().take(wanted).all(hexadecimal),
                _ => part.len() == wanted && part.chars().all(hexadecimal),
            }
        })
    })
}

/// An id without its trailing number: `row-` of `row-12`.
pub(crate) fn stem(id: &str) -> Option<&str> {
    let stem = id.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.len() < id.len() && !stem.is_empty()).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_ids_are_recognized() {
        const GENERATED: &str = ":r1: :Rqlaf: «r3» _r_1a_ ember123 radix-:r5:-content radix-42 dialog-radix-42 mui-5 \
            headlessui-menu-button-1 react-select-2-input ext-gen1042 ext-comp-1001 yui_3_18_1_1_1700 yui-gen3 \
            gwt-uid-7 mat-input-0 cdk-overlay-1 j_idt34_form select2-country-x2-container ui-id-4 __BVID__12 \
            u_0_5_kQ item-48213 3f2504e0-4f89-11d3-9a0c-0305e82c3301 btn_3f2504e0_4f89_11d3_9a0c_0305e82c3301 \
            field-8f3a9c2e a1b2c3 w-1x2y3z kXqPzR 12 1234-5 jQuery171";
        for id in GENERATED.split(' ') {
            assert!(why_generated(id).is_some(), "{id}");
        }
        const WRITTEN: &str = "login signin-button loginBtn search_form tab-2 item42 step2of3 h1 col-2-left mp3player utf8-text \
            gh-ac-box2 main-content getElementById ctl00_Main_btnSave twotabsearchtextbox nav-link-accountList \
            APjFqb2 übersicht ログイン facade windows11 covid19 matches reactions member7 iPhone15Pro q4-2024";
        for id in WRITTEN.split(' ') {
            assert_eq!(why_generated(id), None, "{id}");
        }
    }

    #[test]
    fn trailing_number_is_split_from_stem() {
        assert_eq!(stem("row-12"), Some("row-"));
        assert_eq!(stem("row"), None);
        assert_eq!(stem("12"), None);
    }
}
