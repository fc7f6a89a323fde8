//! Language tags: syntax and writing direction.

use std::sync::Arc;

use draw::Flow;

/// Languages written from right to left, by their first subtag.
const RIGHT_TO_LEFT: [&str; 14] = [
    "ar", "arc", "ckb", "dv", "fa", "he", "iw", "khw", "ks", "ps", "sd", "ug", "ur", "yi",
];

/// Scripts written from right to left, by their subtag.
const RIGHT_TO_LEFT_SCRIPTS: [&str; 7] = ["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"];

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a language tag such as \"en\", \"pt-BR\" or \"zh-Hant-TW\"")]
pub struct UnknownLanguage(pub String);

/// Returns the tag in canonical case: `zh-Hant-TW`.
pub fn canonical(tag: &str) -> Result<Arc<str>, UnknownLanguage> {
    let unknown = || UnknownLanguage(tag.to_owned());
    let mut spelled = String::with_capacity(tag.len());
    for (index, part) in tag.split(['-', '_']).enumerate() {
        let length = part.len();
        let letters = part.bytes().all(|b| b.is_ascii_alphabetic());
        let whole = (1..=8).contains(&length) && part.bytes().all(|b| b.is_ascii_alphanumeric());
        if !whole || (index == 0 && !(letters && (2..=3).contains(&length))) {
            return Err(unknown());
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

pub fn flow(tag: &str) -> Flow {
    let mut parts = tag.split('-');
    let language = parts.next().unwrap_or_default();
    let script =
        parts.find(|part| part.len() == 4 && part.bytes().all(|b| b.is_ascii_alphabetic()));
    let from_right = match script {
        Some(script) => RIGHT_TO_LEFT_SCRIPTS.contains(&script),
        None => RIGHT_TO_LEFT.contains(&language),
    };
    if from_right {
        Flow::RightToLeft
    } else {
        Flow::LeftToRight
    }
}
