//! Language tags: their form, and the direction of a language.

use std::sync::Arc;

use draw::Flow;

/// Languages written from right to left, by their first subtag.
const FROM_RIGHT: [&str; 14] = [
    "ar", "arc", "ckb", "dv", "fa", "he", "iw", "khw", "ks", "ps", "sd", "ug", "ur", "yi",
];

/// Scripts written from right to left, by their subtag.
const SCRIPTS_FROM_RIGHT: [&str; 7] = ["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"];

/// Something that is no language tag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no language tag such as \"en\", \"pt-BR\" or \"zh-Hant-TW\"")]
pub struct UnknownLanguage(pub String);

/// The tag in its usual spelling: language in small letters, script with a capital, region in capitals.
pub fn canonical(tag: &str) -> Result<Arc<str>, UnknownLanguage> {
    let wrong = || UnknownLanguage(tag.to_owned());
    let mut spelled = String::with_capacity(tag.len());
    for (index, part) in tag.split(['-', '_']).enumerate() {
        let length = part.len();
        let letters = part.bytes().all(|b| b.is_ascii_alphabetic());
        let whole = (1..=8).contains(&length) && part.bytes().all(|b| b.is_ascii_alphanumeric());
        if !whole || (index == 0 && !(letters && (2..=3).contains(&length))) {
            return Err(wrong());
        }
        let lower = part.to_ascii_lowercase();
        let part = match (index, length, letters) {
            (0, _, _) => lower,
            (_, 2, true) => part.to_ascii_uppercase(),
            (_, 4, true) => {
                let (first, rest) = lower.split_at(1);
                first.to_ascii_uppercase() + rest
            }
            _ => lower,
        };
        if index > 0 {
            spelled.push('-');
        }
        spelled.push_str(&part);
    }
    Ok(Arc::from(spelled))
}

/// Whether `tag` has the form of a BCP 47 language tag, such as `ar` or `pt-BR`.
pub fn is_language(tag: &str) -> bool {
    canonical(tag).is_ok()
}

/// The side on which a language begins.
pub fn flow(tag: &str) -> Flow {
    let mut parts = tag.split('-');
    let language = parts.next().unwrap_or_default();
    let script =
        parts.find(|part| part.len() == 4 && part.bytes().all(|b| b.is_ascii_alphabetic()));
    let from_right = match script {
        Some(script) => SCRIPTS_FROM_RIGHT.contains(&script),
        None => FROM_RIGHT.contains(&language),
    };
    if from_right {
        Flow::RightToLeft
    } else {
        Flow::LeftToRight
    }
}
