//! `grep [-Elqs] PATTERN [FILE…]`.

use super::Call;
use crate::shell::io::CommandResult;

/// Alternatives separated by `|`: literal text that `^` and `$` anchor to the ends of the line; `.` matches any character.
struct Pattern(Vec<Alternative>);

struct Alternative {
    letters: Vec<char>,
    at_start: bool,
    at_end: bool,
}

impl Pattern {
    fn new(text: &str) -> Self {
        let alternatives = text.split('|').map(|alternative| {
            let from_start = alternative.strip_prefix('^');
            let rest = from_start.unwrap_or(alternative);
            let to_end = rest.strip_suffix('$');
            Alternative {
                letters: to_end.unwrap_or(rest).chars().collect(),
                at_start: from_start.is_some(),
                at_end: to_end.is_some(),
            }
        });
        Self(alternatives.collect())
    }

    fn matches(&self, line: &str) -> bool {
        let line: Vec<char> = line.chars().collect();
        self.0.iter().any(|alternative| {
            let length = alternative.letters.len();
            let last = line.len().checked_sub(length);
            last.is_some_and(|last| {
                let first = if alternative.at_end { last } else { 0 };
                let last = if alternative.at_start { 0 } else { last };
                (first..=last).any(|from| {
                    let part = line.iter().skip(from).zip(&alternative.letters);
                    part.into_iter()
                        .all(|(letter, wanted)| *wanted == '.' || letter == wanted)
                })
            })
        })
    }
}

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    let (flags, words) = super::file::split(call);
    let Some((pattern, paths)) = words.split_first() else {
        return call.fail("grep: no REGEX", 2).await;
    };
    let pattern = Pattern::new(pattern);
    let quiet = flags.contains('q');
    let mut status = 1;
    let mut unread = false;
    for path in paths {
        let bytes = match call.adb_phone().files().read(&call.path(path)) {
            Ok(bytes) => bytes,
            Err(errno) => {
                unread = true;
                if !flags.contains('s') {
                    call.fail(format!("grep: {path}: {errno}"), 2).await?;
                }
                continue;
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        for line in text.lines().filter(|line| pattern.matches(line)) {
            if quiet {
                return Ok(0);
            }
            status = 0;
            if flags.contains('l') {
                call.print_line(path).await?;
                break;
            }
            match paths {
                [_] => call.print_line(line).await?,
                _ => call.print_line(format!("{path}:{line}")).await?,
            }
        }
    }
    if !paths.is_empty() {
        return Ok(if unread { 2 } else { status });
    }
    // Lines are read as they arrive: `logcat | grep` does not end.
    while let Some(line) = call.io.input.line().await {
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches('\n');
        if !pattern.matches(text) {
            continue;
        }
        status = 0;
        if quiet {
            break;
        }
        call.print_line(text).await?;
    }
    Ok(status)
}
