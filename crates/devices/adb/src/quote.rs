//! Quotes words for the shell of a phone. All text for that shell must pass through here.

use std::borrow::Cow;

/// Quotes `word` as one word of a POSIX shell.
///
/// NUL cannot be passed to a program and is removed; at worst it would end the string early.
pub fn quote(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    let mut quoted = String::with_capacity(word.len() + 2);
    quoted.push('\'');
    for c in word.chars() {
        match c {
            '\'' => quoted.push_str("'\\''"),
            '\0' => {}
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    Cow::Owned(quoted)
}

/// A command line of these words, each quoted.
pub fn command<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut line = String::new();
    for word in words {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&quote(word));
    }
    line
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    /// The words that a local shell parses from a command line.
    fn read_by_sh(line: &str) -> Vec<String> {
        let script = format!("printf '%s\\0' {line}");
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        assert!(output.status.success(), "{script:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let mut words: Vec<String> = text.split('\0').map(str::to_owned).collect();
        words.pop();
        words
    }

    #[test]
    fn shell_syntax_is_quoted() {
        for word in [
            "a; reboot",
            "a' ; reboot '",
            "$(reboot)",
            "`reboot`",
            "a && reboot",
            "a\nreboot",
            "a | reboot > /sdcard/x",
            "\\'",
            "",
            "-n",
            "~",
            "*",
            "{a,b}",
            "#x",
            "%s",
            "日本 👍",
        ] {
            assert_eq!(read_by_sh(&quote(word)), [word], "{word:?}");
        }
    }

    #[test]
    fn plain_words_are_not_quoted() {
        assert_eq!(command(["input", "tap", "10", "-20"]), "input tap 10 -20");
        assert_eq!(command(["am", "start", "a b"]), "am start 'a b'");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn quoted_words_round_trip_through_sh(words in prop::collection::vec("[^\0]{0,12}", 1..4)) {
            let line = command(words.iter().map(String::as_str));
            prop_assert_eq!(read_by_sh(&line), words);
        }
    }
}
