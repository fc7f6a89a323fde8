//! Text: `echo`, `grep`, `head`, `tail`, and `test`.

use super::Call;
use crate::shell::io::{Broken, Done};

pub(super) async fn run(call: Call<'_>) -> Done {
    match call.name() {
        "true" => Ok(0),
        "false" => Ok(1),
        "echo" => echo(call).await,
        "grep" => super::grep::run(call).await,
        "head" | "tail" => ends(call).await,
        _ => test(call).await,
    }
}

/// Text in which `\n` and its like have become what they stand for.
fn escapes(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('e') => out.push('\u{1b}'),
            Some('0') => out.push('\0'),
            Some('\\') => out.push('\\'),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}

async fn echo(call: Call<'_>) -> Done {
    let (mut end, mut means) = ("\n", false);
    let mut words = call.from(1);
    while let [flag, rest @ ..] = words {
        match flag.as_str() {
            "-n" => end = "",
            "-e" => means = true,
            "-ne" | "-en" => (end, means) = ("", true),
            _ => break,
        }
        words = rest;
    }
    let text = words.join(" ");
    let text = if means { escapes(&text) } else { text };
    call.io.out.bytes(format!("{text}{end}")).await?;
    Ok(0)
}

/// Flags, patterns and files as these programs take them; `valued` are the flags with a value.
pub(super) fn read<'a>(call: Call<'a>, valued: &str) -> (Vec<(char, &'a str)>, Vec<&'a str>) {
    let (mut flags, mut words) = (Vec::new(), Vec::new());
    let mut given = call.from(1).iter();
    while let Some(word) = given.next() {
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            words.push(word.as_str());
            continue;
        };
        for (place, letter) in letters.char_indices() {
            if valued.contains(letter) {
                let rest = letters.get(place + letter.len_utf8()..).unwrap_or_default();
                let value = if rest.is_empty() {
                    given.next().map_or("", String::as_str)
                } else {
                    rest
                };
                flags.push((letter, value));
                break;
            }
            flags.push((letter, ""));
        }
    }
    (flags, words)
}

/// The bytes of files, or of standard input without any; files that are not there are complained of.
pub(super) async fn inputs(call: Call<'_>, files: &[&str]) -> Result<(Vec<u8>, u8), Broken> {
    if files.is_empty() {
        return Ok((call.io.input.rest().await, 0));
    }
    let mut all = Vec::new();
    let mut status = 0;
    for file in files {
        match call.handset().files().read(&call.path(file)) {
            Ok(bytes) => all.extend_from_slice(&bytes),
            Err(errno) => {
                status = call
                    .fail(format!("{}: {file}: {errno}", call.name()), 1)
                    .await?
            }
        }
    }
    Ok((all, status))
}

async fn ends(call: Call<'_>) -> Done {
    let (mut flags, words) = read(call, "nc");
    // `head -5` is `head -n 5`.
    let short = call
        .from(1)
        .iter()
        .find_map(|word| word.strip_prefix('-')?.parse::<usize>().ok());
    flags.retain(|(letter, _)| !letter.is_ascii_digit());
    let value = |letter: char| {
        flags
            .iter()
            .find(|(own, _)| *own == letter)
            .map(|(_, value)| *value)
    };
    let number = |text: &str| text.trim_start_matches('+').parse::<usize>().ok();
    let lines = value('n').and_then(number).or(short).unwrap_or(10);
    let head = call.name() == "head";
    if head && words.is_empty() && value('c').is_none() {
        for _ in 0..lines {
            let Some(line) = call.io.input.line().await else {
                break;
            };
            call.io.out.bytes(line).await?;
        }
        return Ok(0);
    }
    let (bytes, status) = inputs(call, &words).await?;
    let part = if let Some(count) = value('c').and_then(number) {
        let count = count.min(bytes.len());
        if head {
            bytes.get(..count)
        } else {
            bytes.get(bytes.len() - count..)
        }
        .unwrap_or_default()
        .to_vec()
    } else {
        let all: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let from_start = value('n').is_some_and(|text| text.starts_with('+'));
        let skip = match (head, from_start) {
            (true, _) => 0,
            (false, true) => lines.saturating_sub(1),
            (false, false) => all.len().saturating_sub(lines),
        };
        let take = if head { lines } else { usize::MAX };
        all.into_iter()
            .skip(skip)
            .take(take)
            .flatten()
            .copied()
            .collect()
    };
    call.io.out.bytes(part).await?;
    Ok(status)
}

async fn test(call: Call<'_>) -> Done {
    let mut words: Vec<&str> = call.from(1).iter().map(String::as_str).collect();
    if call.name() == "[" && words.pop() != Some("]") {
        return call.fail("/system/bin/sh: [: missing ]", 2).await;
    }
    match holds(call, &words) {
        Some(holds) => Ok(u8::from(!holds)),
        None => {
            call.fail(
                format!(
                    "/system/bin/sh: {}: unexpected operator/operand",
                    call.name()
                ),
                2,
            )
            .await
        }
    }
}

/// Whether a condition holds; `None` when it is none.
fn holds(call: Call<'_>, words: &[&str]) -> Option<bool> {
    for (operator, either) in [("-o", true), ("-a", false)] {
        if let Some(place) = words
            .iter()
            .position(|word| *word == operator)
            .filter(|place| *place > 0)
        {
            let left = holds(call, words.get(..place)?)?;
            let right = holds(call, words.get(place + 1..)?)?;
            return Some(if either { left || right } else { left && right });
        }
    }
    let meta = |path: &str| call.handset().files().meta(&call.path(path)).ok();
    Some(match words {
        [] => false,
        ["!", rest @ ..] => !holds(call, rest)?,
        [word] => !word.is_empty(),
        ["-z", word] => word.is_empty(),
        ["-n", word] => !word.is_empty(),
        ["-e", path] => meta(path).is_some(),
        ["-f", path] => meta(path).is_some_and(|meta| !meta.is_folder()),
        ["-d", path] => meta(path).is_some_and(|meta| meta.is_folder()),
        ["-s", path] => meta(path).is_some_and(|meta| meta.size > 0),
        ["-r" | "-x", path] => meta(path).is_some(),
        ["-w", path] => path.starts_with("/sdcard") || path.starts_with("/data/local/tmp"),
        ["-t", _] => false,
        [one, "=" | "==", other] => one == other,
        [one, "!=", other] => one != other,
        [one, operator, other] => {
            let (one, other): (i64, i64) = (one.parse().ok()?, other.parse().ok()?);
            match *operator {
                "-eq" => one == other,
                "-ne" => one != other,
                "-lt" => one < other,
                "-le" => one <= other,
                "-gt" => one > other,
                "-ge" => one >= other,
                _ => return None,
            }
        }
        _ => return None,
    })
}
