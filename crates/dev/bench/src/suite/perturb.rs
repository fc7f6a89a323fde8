//! Slightly wrong names. A hash selects the word and the letter, so that results are reproducible.

use super::words::words;

/// The name without one of its words; `None` if fewer than two would remain.
pub fn dropped(name: &str, hash: u64) -> Option<String> {
    let mut words = words(name);
    if words.len() < 3 {
        return None;
    }
    words.remove(pick(hash, words.len()));
    Some(words.join(" "))
}

/// The name with two adjacent words joined.
pub fn joined(name: &str, hash: u64) -> Option<String> {
    let mut words = words(name);
    if words.len() < 2 {
        return None;
    }
    let at = pick(hash, words.len() - 1);
    let second = words.remove(at + 1);
    words[at].push_str(&second);
    Some(words.join(" "))
}

/// The name with an `s` added or removed at the end of a longer word.
pub fn inflected(name: &str, hash: u64) -> Option<String> {
    let mut words = words(name);
    let word = longer(&mut words, 5, hash)?;
    match word.strip_suffix('s') {
        Some(stem) => *word = stem.to_owned(),
        None => word.push('s'),
    }
    Some(words.join(" "))
}

/// The name with two adjacent letters swapped inside a word of at least six letters.
pub fn swapped(name: &str, hash: u64) -> Option<String> {
    let mut words = words(name);
    let word = longer(&mut words, 6, hash)?;
    let mut letters: Vec<char> = word.chars().collect();
    let places: Vec<usize> = (1..letters.len() - 1)
        .filter(|at| letters[*at] != letters[at + 1])
        .collect();
    // All letters after the first may be equal.
    let at = *places.get(pick(hash >> 8, places.len()))?;
    letters.swap(at, at + 1);
    *word = letters.into_iter().collect();
    Some(words.join(" "))
}

/// A word of at least `letters` Latin letters and nothing else.
fn longer(words: &mut [String], letters: usize, hash: u64) -> Option<&mut String> {
    let long: Vec<usize> = (0..words.len())
        .filter(|at| {
            let word = &words[*at];
            word.len() >= letters && word.bytes().all(|byte| byte.is_ascii_lowercase())
        })
        .collect();
    let at = *long.get(pick(hash, long.len()))?;
    words.get_mut(at)
}

/// An index below `count`, or 0 if that is 0.
fn pick(hash: u64, count: usize) -> usize {
    match count {
        0 => 0,
        count => (hash % count as u64) as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_perturbed_in_one_way() {
        let name = "Create a new account";
        assert_eq!(dropped(name, 2).unwrap(), "create a account");
        assert_eq!(joined(name, 1).unwrap(), "create anew account");
        assert_eq!(inflected(name, 0).unwrap(), "creates a new account");
        assert_eq!(inflected(name, 1).unwrap(), "create a new accounts");
        assert_eq!(
            swapped(name, 0).unwrap(),
            "craete a new account".replace("craete", "cerate")
        );
        assert_eq!(inflected("Settings", 7).unwrap(), "setting");
    }

    #[test]
    fn names_that_cannot_be_perturbed_are_skipped() {
        assert_eq!(dropped("Sign in", 0), None);
        assert_eq!(joined("Search", 0), None);
        assert_eq!(inflected("Log in", 3), None);
        assert_eq!(swapped("Zeebraaa", 0).unwrap().len(), 8);
        assert_eq!(swapped("baaaaaaa", 0), None);
        assert_eq!(swapped("Überprüfung", 0), None);
        assert_eq!(inflected("", 0), None);
    }
}
