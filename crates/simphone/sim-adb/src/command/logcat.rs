//! `logcat` and `log`.

use std::sync::Arc;

use super::Call;
use crate::clock::Moment;
use crate::fault::WireFault;
use crate::log::{Buffer, Entry, Form, Priority, Style};
use crate::shell::io::Done;

/// What `logcat` was asked for.
struct Asked {
    style: Style,
    /// It ends with what is there.
    once: bool,
    last: Option<usize>,
    since: Option<Moment>,
    pid: Option<u32>,
    most: usize,
    buffers: Vec<Buffer>,
    /// What each tag must reach; `None` for silent. The last that fits counts.
    tags: Vec<(String, Option<Priority>)>,
    literal: Option<String>,
}

enum Wish {
    Read(Asked),
    Clear,
    Size,
    Bad(String),
}

pub(super) async fn run(call: Call<'_>) -> Done {
    if call.name() == "log" {
        return log(call).await;
    }
    match read(call) {
        Wish::Read(asked) => print(call, &asked).await,
        Wish::Clear => {
            call.handset().log().clear();
            Ok(0)
        }
        Wish::Size => {
            let (used, room) = call.handset().log().usage();
            for name in ["main", "system", "crash"] {
                call.say(format!(
                    "{name}: ring buffer is {} KiB ({} KiB consumed, 0 B readable), max entry is 5120 B, max payload is 4068 B",
                    room / 1024,
                    used / 1024
                ))
                .await?;
            }
            Ok(0)
        }
        Wish::Bad(why) => call.fail(why, 1).await,
    }
}

async fn log(call: Call<'_>) -> Done {
    let (mut tag, mut priority, mut words) = ("log", Priority::Info, Vec::new());
    let mut given = call.from(1).iter();
    while let Some(word) = given.next() {
        match word.as_str() {
            "-t" => tag = given.next().map_or("", String::as_str),
            "-p" => {
                let letter = given.next().and_then(|word| word.chars().next());
                priority = letter.and_then(Priority::of).unwrap_or(Priority::Info);
            }
            word => words.push(word),
        }
    }
    let pid = 9873;
    call.handset()
        .log()
        .write(pid, priority, tag, &words.join(" "));
    Ok(0)
}

fn read(call: Call<'_>) -> Wish {
    let mut asked = Asked {
        style: Style {
            form: Form::ThreadTime,
            year: false,
            epoch: false,
            micros: false,
            zone: false,
        },
        once: false,
        last: None,
        since: None,
        pid: None,
        most: usize::MAX,
        buffers: vec![Buffer::Main, Buffer::System, Buffer::Crash],
        tags: Vec::new(),
        literal: None,
    };
    let mut silent = false;
    let mut named = Vec::new();
    let mut words = call.from(1).iter().peekable();
    while let Some(word) = words.next() {
        // `-vtime`, `-v time` and `--format=time` say the same.
        let (flag, own) = match word.strip_prefix("--") {
            Some(long) => match long.split_once('=') {
                Some((name, value)) => (format!("--{name}"), Some(value.to_owned())),
                None => (word.clone(), None),
            },
            None if word.starts_with('-') && word.len() > 2 && word.is_ascii() => {
                (word[..2].to_owned(), Some(word[2..].to_owned()))
            }
            None => (word.clone(), None),
        };
        let mut value = || {
            own.clone()
                .or_else(|| words.next().cloned())
                .unwrap_or_default()
        };
        match flag.as_str() {
            "-d" => asked.once = true,
            "-c" | "--clear" => return Wish::Clear,
            "-g" | "--buffer-size" => return Wish::Size,
            "-s" => {
                silent = true;
                named.extend(own);
            }
            "-v" | "--format" => {
                let value = value();
                for name in value.split(',') {
                    if !style(&mut asked.style, name.trim()) {
                        return Wish::Bad(format!("Invalid parameter \"{name}\" to -v"));
                    }
                }
            }
            "-t" | "-T" | "--tail" => {
                asked.once |= flag == "-t";
                let value = value();
                if let Ok(count) = value.parse::<usize>() {
                    asked.last = Some(count);
                } else if let Some(moment) = call.handset().clock().now().parse(&value) {
                    asked.since = Some(moment);
                } else {
                    return Wish::Bad(format!("{flag} \"{value}\" not in time format"));
                }
            }
            "-b" | "--buffer" => {
                let value = value();
                asked.buffers.clear();
                for name in value.split(',') {
                    match name {
                        "main" => asked.buffers.push(Buffer::Main),
                        "system" => asked.buffers.push(Buffer::System),
                        "crash" => asked.buffers.push(Buffer::Crash),
                        "all" | "default" => {
                            asked
                                .buffers
                                .extend([Buffer::Main, Buffer::System, Buffer::Crash])
                        }
                        "events" | "radio" | "kernel" | "stats" | "security" => {}
                        other => return Wish::Bad(format!("Unknown buffer '{other}'")),
                    }
                }
            }
            "--pid" => asked.pid = value().parse().ok(),
            "-m" | "--max-count" => asked.most = value().parse().unwrap_or(usize::MAX),
            "-e" | "--regex" => {
                let value = value();
                if value.contains(['\\', '^', '$', '.', '[', '(', '*', '+', '?', '|', '{']) {
                    return Wish::Bad(format!(
                        "-e takes plain text on this phone, not \"{value}\""
                    ));
                }
                asked.literal = Some(value);
            }
            "-D" | "--dividers" | "-L" | "--last" | "--print" | "--wrap" => {}
            flag if flag.starts_with('-') => return Wish::Bad(format!("Unknown option '{flag}'")),
            _ => named.push(word.clone()),
        }
    }
    if silent {
        asked.tags.push(("*".to_owned(), None));
    }
    for spec in named.iter().flat_map(|spec| spec.split_whitespace()) {
        let (tag, level) = spec.rsplit_once(':').unwrap_or((spec, ""));
        let level = match level.chars().next() {
            None if tag == "*" => Some(Priority::Debug),
            None => Some(Priority::Verbose),
            Some('S' | 's') => None,
            Some('*') => Some(Priority::Verbose),
            Some(letter) => match Priority::of(letter) {
                Some(level) => Some(level),
                None => return Wish::Bad(format!("Invalid filter expression '{spec}'")),
            },
        };
        asked.tags.push((tag.to_owned(), level));
    }
    Wish::Read(asked)
}

fn style(style: &mut Style, name: &str) -> bool {
    match name {
        "year" => style.year = true,
        "epoch" => style.epoch = true,
        "usec" => style.micros = true,
        "zone" | "UTC" | "utc" => style.zone = true,
        "color" | "colour" | "printable" | "descriptive" | "uid" => {}
        name => match Form::of(name) {
            Some(form) => style.form = form,
            None => return false,
        },
    }
    true
}

impl Asked {
    fn wants(&self, entry: &Entry) -> bool {
        let all = self.tags.iter().rfind(|(tag, _)| tag == "*");
        let own = self.tags.iter().rfind(|(tag, _)| *tag == entry.tag);
        let level = own
            .or(all)
            .map_or(Some(Priority::Verbose), |(_, level)| *level);
        level.is_some_and(|level| entry.priority >= level)
            && self.buffers.contains(&entry.buffer)
            && self.pid.is_none_or(|pid| entry.pid == pid)
            && self.since.is_none_or(|since| entry.at >= since)
            && self
                .literal
                .as_ref()
                .is_none_or(|text| entry.message.contains(text))
    }
}

/// A line of no form, and bytes that are no text.
const GARBAGE: &[u8] =
    b"\xff\xfe\x00read: unexpected EOF!\r\n[Clawperator-Result] {\"commandId\":\n\n";

async fn print(call: Call<'_>, asked: &Asked) -> Done {
    let log = call.handset().log();
    let mut told = log.watch();
    let mut next = 0;
    let mut printed = 0;
    let mut begun: Vec<Buffer> = Vec::new();
    let mut first = true;
    loop {
        told.mark_unchanged();
        let (entries, after) = log.since(next);
        next = after;
        let mut wanted: Vec<&Arc<Entry>> =
            entries.iter().filter(|entry| asked.wants(entry)).collect();
        if let Some(last) = asked.last.filter(|_| first) {
            wanted.drain(..wanted.len().saturating_sub(last));
        }
        first = false;
        for entry in wanted {
            if printed >= asked.most {
                return Ok(0);
            }
            printed += 1;
            if !begun.contains(&entry.buffer) {
                begun.push(entry.buffer);
                call.say(format!("--------- beginning of {}", entry.buffer.name()))
                    .await?;
            }
            if call.handset().faults().has(&WireFault::LogGarbage) {
                call.io.out.bytes(GARBAGE).await?;
            }
            call.io.out.bytes(asked.style.print(entry)).await?;
        }
        if asked.once || printed >= asked.most {
            return Ok(0);
        }
        if told.changed().await.is_err() {
            return Ok(0);
        }
    }
}
