//! Truncation of paths in messages.

/// The maximum length of a path, which is useless if truncated.
const MAX_PATH: usize = 1024;

/// A path for error details, truncated only if it is unreasonably long.
pub(crate) fn path(path: &str) -> String {
    if path.len() <= MAX_PATH {
        path.to_owned()
    } else {
        escape::truncate_input(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_path_is_truncated() {
        assert_eq!(path(&"x".repeat(200)).len(), 200);
        assert!(path(&"x".repeat(60_000)).ends_with('…'));
    }
}
