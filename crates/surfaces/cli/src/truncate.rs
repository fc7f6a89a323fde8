//! Truncation of user input in messages.

/// The maximum length of text, in characters.
const MAX: usize = 80;
/// The maximum length of a path, which is useless if truncated.
const MAX_PATH: usize = 1024;

/// The text, truncated if too long.
pub(crate) fn cut(text: &str) -> String {
    escape::truncate(text, MAX)
}

/// A path for error details, truncated only if it is unreasonably long.
pub(crate) fn path(path: &str) -> String {
    if path.len() <= MAX_PATH {
        path.to_owned()
    } else {
        cut(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_text_is_truncated() {
        assert_eq!(cut("Wi-Fi"), "Wi-Fi");
        assert_eq!(cut(&"é".repeat(80)), "é".repeat(80));
        assert_eq!(cut(&"é".repeat(81)), format!("{}…", "é".repeat(80)));
        assert_eq!(path(&"x".repeat(200)).len(), 200);
        assert!(path(&"x".repeat(60_000)).ends_with('…'));
    }
}
