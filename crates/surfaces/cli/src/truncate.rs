//! Text from outside, cut to what a reader needs to recognise it: an argument can be as long as a book.

/// The longest text, in letters.
const LONGEST: usize = 80;
/// The longest path that is repeated whole: a path that is cut names nothing.
const LONGEST_PATH: usize = 1024;

/// The text, cut where it is long.
pub(crate) fn cut(text: &str) -> String {
    let mut letters = text.chars();
    let mut short: String = letters.by_ref().take(LONGEST).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}

/// A path for the details of an error: whole, unless it is longer than any that is meant as one.
pub(crate) fn path(path: &str) -> String {
    if path.len() <= LONGEST_PATH {
        path.to_owned()
    } else {
        cut(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_long_is_cut() {
        assert_eq!(cut("Wi-Fi"), "Wi-Fi");
        assert_eq!(cut(&"é".repeat(80)), "é".repeat(80));
        assert_eq!(cut(&"é".repeat(81)), format!("{}…", "é".repeat(80)));
        assert_eq!(path(&"x".repeat(200)).len(), 200);
        assert!(path(&"x".repeat(60_000)).ends_with('…'));
    }
}
