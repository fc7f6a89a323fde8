//! `grep [-E] [-q] PATTERN` of standard input.

use super::Call;
use crate::shell::io::CommandResult;

/// Choices between `|`, each literal text that `^` and `$` tie to the ends of the line; `.` is any letter.
struct Pattern(Vec<Choice>);

struct Choice {
    letters: Vec<char>,
    at_start: bool,
    at_end: bool,
}

impl Pattern {
    fn new(text: &str) -> Self {
        let choices = text.split('|').map(|choice| {
            let from_start = choice.strip_prefix('^');
            let rest = from_start.unwrap_or(choice);
            let to_end = rest.strip_suffix('$');
            Choice {
                letters: to_end.unwrap_or(rest).chars().collect(),
                at_start: from_start.is_some(),
                at_end: to_end.is_some(),
            }
        });
        Self(choices.collect())
    }

    fn finds(&self, line: &str) -> bool {
        let line: Vec<char> = line.chars().collect();
        self.0.iter().any(|choice| {
            let length = choice.letters.len();
            let last = line.len().checked_sub(length);
            last.is_some_and(|last| {
                let first = if choice.at_end { last } else { 0 };
                let last = if choice.at_start { 0 } else { last };
                (first..=last).any(|from| {
                    let part = line.iter().skip(from).zip(&choice.letters);
                    part.into_iter()
                        .all(|(letter, wanted)| *wanted == '.' || letter == wanted)
                })
            })
        })
    }
}

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    let (flags, words) = super::file::split(call);
    let Some(pattern) = words.first() else {
        return call.fail("grep: no REGEX", 2).await;
    };
    let pattern = Pattern::new(pattern);
    let quiet = flags.contains('q');
    let mut status = 1;
    // Lines are read as they come: `logcat | grep` has no end.
    while let Some(line) = call.io.input.line().await {
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches('\n');
        if !pattern.finds(text) {
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
