//! `grep`: lines that hold a pattern.

use super::Call;
use super::text::{inputs, read};
use crate::shell::io::Done;

/// A pattern of `grep`: literal text with `.`, `.*`, `^`, `$`, and `\|` or `|` between choices.
struct Pattern(Vec<(bool, Vec<char>, bool)>);

impl Pattern {
    fn new(text: &str, fixed: bool) -> Self {
        let text = text.replace("\\|", "|");
        let parts: Vec<&str> = if fixed {
            vec![&text]
        } else {
            text.split('|').collect()
        };
        let choices = parts.into_iter().map(|part| {
            if fixed {
                return (false, part.chars().collect(), false);
            }
            let (start, rest) = part
                .strip_prefix('^')
                .map_or((false, part), |rest| (true, rest));
            let (end, rest) = rest
                .strip_suffix('$')
                .map_or((false, rest), |rest| (true, rest));
            // As patterns of file names: `.` is any letter, `.*` is any text, and `\` takes the meaning away.
            let mut letters = Vec::new();
            let mut given = rest.chars().peekable();
            while let Some(letter) = given.next() {
                match letter {
                    '\\' => letters.extend(given.next()),
                    '.' if given.next_if_eq(&'*').is_some() => letters.push(ANY),
                    '.' => letters.push(ONE),
                    other => letters.push(other),
                }
            }
            (start, letters, end)
        });
        Self(choices.collect())
    }

    fn finds(&self, line: &str) -> bool {
        let line: Vec<char> = line.chars().collect();
        self.0.iter().any(|(start, letters, end)| {
            let last = if *start { 0 } else { line.len() };
            (0..=last).any(|from| begins(letters, line.get(from..).unwrap_or_default(), *end))
        })
    }
}

/// Stands for any text, from the private use area.
const ANY: char = '\u{f8f0}';
/// Stands for any letter.
const ONE: char = '\u{f8f1}';

fn begins(pattern: &[char], text: &[char], whole: bool) -> bool {
    match (pattern, text) {
        ([], rest) => !whole || rest.is_empty(),
        ([ANY, more @ ..], _) => {
            (0..=text.len()).any(|skip| begins(more, text.get(skip..).unwrap_or_default(), whole))
        }
        ([ONE, more @ ..], [_, rest @ ..]) => begins(more, rest, whole),
        ([letter, more @ ..], [other, rest @ ..]) if letter == other => begins(more, rest, whole),
        _ => false,
    }
}

pub(super) async fn run(call: Call<'_>) -> Done {
    let (flags, words) = read(call, "em");
    let has = |letter: char| flags.iter().any(|(own, _)| *own == letter);
    let value = |letter: char| {
        flags
            .iter()
            .find(|(own, _)| *own == letter)
            .map(|(_, value)| *value)
    };
    let (pattern, files) = match (value('e'), words.as_slice()) {
        (Some(pattern), files) => (pattern, files),
        (None, [pattern, files @ ..]) => (*pattern, files),
        (None, []) => return call.fail("grep: no REGEX", 2).await,
    };
    let fold = |text: &str| {
        if has('i') {
            text.to_lowercase()
        } else {
            text.to_owned()
        }
    };
    let pattern = Pattern::new(&fold(pattern), has('F'));
    let most = value('m')
        .and_then(|most| most.parse().ok())
        .unwrap_or(usize::MAX);
    let mut count = 0;
    let stream = files.is_empty();
    let (bytes, _) = if stream {
        (Vec::new(), 0)
    } else {
        inputs(call, files).await?
    };
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
    // Standard input is looked through as it comes: `logcat | grep` has no end.
    while count < most
        && let Some(line) = if stream {
            call.io.input.line().await
        } else {
            lines.next().map(<[u8]>::to_vec)
        }
    {
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches('\n');
        if pattern.finds(&fold(text)) == has('v') {
            continue;
        }
        count += 1;
        if has('q') {
            return Ok(0);
        }
        if !has('c') {
            call.say(text).await?;
        }
    }
    if has('c') {
        call.say(count.to_string()).await?;
    }
    Ok(u8::from(count == 0))
}
