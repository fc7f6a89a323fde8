//! Suggestions: the known name that is closest to an unknown one.

/// Longer names are not misspellings, and comparing them takes too long.
const MAX: usize = 64;

/// How alike two flags must be, 1 being equal.
const MIN_FLAG_SIMILARITY: f64 = 0.75;

/// The closest key or word, ignoring case, separators and the order of words.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if given.len() > MAX {
        return None;
    }
    let given = Name::new(given);
    // One slip per three letters, so names of one or two letters have no suggestion.
    let limit = given.joined.chars().count() / 3;
    closest(candidates, |candidate| {
        let distance = given.distance(&Name::new(candidate));
        (distance <= limit).then_some(distance as f64)
    })
}

/// The known field closest to the unknown one, of an error of serde such as ``unknown field `a`, expected `b` or `c` ``.
pub fn nearest_field(error: &str) -> Option<&str> {
    let named = error.strip_prefix("unknown field `")?;
    let (given, known) = named.split_once("`, expected ")?;
    nearest(given, known.split('`').skip(1).step_by(2))
}

/// The closest name of a command: up to half of its letters may be wrong.
pub fn nearest_command<'a>(
    given: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = (given.chars().count() / 2).max(2);
    closest(candidates, |candidate| {
        let distance = strsim::levenshtein(given, candidate);
        (distance <= limit).then_some(distance as f64)
    })
}

/// The closest flag; one that starts with the given text counts as nearly equal.
pub fn nearest_flag<'a>(
    given: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    closest(candidates, |candidate| {
        let similarity = if given.len() > 4 && candidate.starts_with(given) {
            0.99
        } else {
            strsim::normalized_damerau_levenshtein(given, candidate)
        };
        (similarity > MIN_FLAG_SIMILARITY).then_some(1.0 - similarity)
    })
}

/// The candidate of the lowest cost, the first of equal ones; `cost` is `None` for names that are too different.
fn closest<'a>(
    candidates: impl IntoIterator<Item = &'a str>,
    cost: impl Fn(&str) -> Option<f64>,
) -> Option<&'a str> {
    candidates
        .into_iter()
        .filter_map(|candidate| Some((cost(candidate)?, candidate)))
        .min_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, candidate)| candidate)
}

/// A name without its spelling: `textEquals`, `text_equals` and `Text-Equals` are equal.
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
        let suggested = |given| nearest(given, names);
        assert_eq!(suggested("timeout_ms"), Some("timeoutMs"));
        assert_eq!(suggested("clickAndScroll"), Some("scroll_and_click"));
        assert_eq!(suggested("macther"), Some("matcher"));
        assert_eq!(suggested("bogus"), None);
        assert_eq!(nearest("z", ["x", "y"]), None);
        assert_eq!(suggested(""), None);
        assert_eq!(suggested("___"), None);
        assert_eq!(suggested(&"x".repeat(1_000_000)), None);
    }

    #[test]
    fn unknown_field_of_a_type_has_a_suggestion() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "only parsed")]
        struct Place {
            width: u32,
            height: u32,
        }
        let error = |key: &str| {
            let parsed = serde_json::from_value::<Place>(serde_json::json!({ key: 1 }));
            parsed.unwrap_err().to_string()
        };
        assert_eq!(nearest_field(&error("heigth")), Some("height"));
        assert_eq!(nearest_field(&error("colour")), None);
        assert_eq!(nearest_field("missing field `width`"), None);
    }

    #[test]
    fn commands_and_flags_have_their_own_tolerance() {
        let commands = ["press", "read", "start"];
        assert_eq!(nearest_command("pres", commands), Some("press"));
        assert_eq!(nearest_command("raed", commands), Some("read"));
        assert_eq!(nearest_command("strat", commands), Some("start"));
        assert_eq!(nearest_command("frobnicate", commands), None);
        let flags = ["--text-contains", "--text", "--timeout"];
        assert_eq!(nearest_flag("--txet", flags), Some("--text"));
        assert_eq!(nearest_flag("--text-c", flags), Some("--text-contains"));
        assert_eq!(nearest_flag("--frob", flags), None);
    }
}
