//! Suggestions: the known name that is most similar to an unknown one.

/// The candidate of which `given` is most likely a misspelling, if one is similar enough.
#[must_use]
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A name longer than any of ours is not a misspelling, and comparing it would be slow.
    if given.len() > 64 {
        return None;
    }
    let given = Name::new(given);
    // One edit per three letters; names of one or two letters must be equal.
    let limit = given.joined.chars().count() / 3;
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let name = Name::new(candidate);
            let distance = given.distance(&name);
            (distance <= limit).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// A name regardless of spelling: `textEquals`, `text_equals` and `Text-Equals` are equal.
struct Name {
    joined: String,
    sorted: Vec<String>,
}

impl Name {
    fn new(name: &str) -> Self {
        let mut words: Vec<String> = vec![String::new()];
        for letter in name.chars() {
            let starts_word = letter.is_uppercase() || !letter.is_alphanumeric();
            if starts_word && words.last().is_some_and(|word| !word.is_empty()) {
                words.push(String::new());
            }
            if letter.is_alphanumeric()
                && let Some(word) = words.last_mut()
            {
                word.extend(letter.to_lowercase());
            }
        }
        let joined = words.concat();
        words.sort();
        Self {
            joined,
            sorted: words,
        }
    }

    fn distance(&self, other: &Self) -> usize {
        if self.joined.is_empty() {
            return usize::MAX;
        }
        if self.joined == other.joined {
            return 0;
        }
        // The same words in another order count as one edit.
        if self.sorted == other.sorted {
            return 1;
        }
        strsim::damerau_levenshtein(&self.joined, &other.joined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_tolerate_spelling_word_order_and_typos() {
        let names = ["timeoutMs", "scroll_and_click", "matcher", "text"];
        let suggestion = |given| nearest(given, names);
        assert_eq!(suggestion("timeout_ms"), Some("timeoutMs"));
        assert_eq!(suggestion("clickAndScroll"), Some("scroll_and_click"));
        assert_eq!(suggestion("macther"), Some("matcher"));
        assert_eq!(suggestion("bogus"), None);
        assert_eq!(nearest("z", ["x", "y"]), None);
        assert_eq!(suggestion(""), None);
        assert_eq!(suggestion("___"), None);
        assert_eq!(suggestion(&"x".repeat(1_000_000)), None);
    }
}
