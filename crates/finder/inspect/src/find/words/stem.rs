//! Removes the endings of words.

/// Stem of a word in European languages: `saves`, `saved` and `saving` have the same.
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
            stem = undouble(base);
            break;
        }
    }
    // Plurals: "Sprache" and "Sprachen", "ristorante" and "ristoranti", "prodotto" and "prodotti".
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

/// A longer word without a German or Italian ending.
fn plural_base(word: &str) -> Option<&str> {
    const MIN_LONG: usize = 7;
    const MIN_LENGTH: usize = 6;
    let base = match word.strip_suffix("en") {
        Some(base) if word.len() >= MIN_LONG => base,
        _ => word
            .strip_suffix(['a', 'i', 'o'])
            .filter(|_| word.len() >= MIN_LENGTH)?,
    };
    base.ends_with(|c: char| !matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y'))
        .then_some(base)
}

/// `base` without a doubled last consonant.
fn undouble(base: &str) -> &str {
    match base.as_bytes() {
        [.., a, b] if a == b && !b"aeiouls".contains(b) => {
            base.get(..base.len() - 1).unwrap_or(base)
        }
        _ => base,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_endings_are_removed() {
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
}
