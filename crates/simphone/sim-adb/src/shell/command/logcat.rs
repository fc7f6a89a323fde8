//! `logcat` and `log`.

use std::sync::Arc;

use driver_sim::Words;

use super::Call;
use crate::clock::Moment;
use crate::fault::WireFault;
use crate::log::{Entry, Form, Priority};
use crate::shell::io::CommandResult;

/// The options of `logcat`.
struct LogcatOptions {
    form: Form,
    /// Whether to end after the existing entries.
    once: bool,
    last: Option<usize>,
    since: Option<Moment>,
    most: usize,
    /// The lowest priority of each tag; `None` for silent. The last match counts.
    tags: Vec<(String, Option<Priority>)>,
    /// Text that a message must contain.
    literal: Option<String>,
}

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    if call.name() == "log" {
        return log(call).await;
    }
    if call.from(1).iter().any(|word| word == "-c") {
        call.adb_phone().log().clear();
        return Ok(0);
    }
    match read(call) {
        Ok(options) => print(call, &options).await,
        Err(why) => call.fail(why, 1).await,
    }
}

async fn log(call: Call<'_>) -> CommandResult {
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
    call.adb_phone()
        .log()
        .write(pid, priority, tag, &words.join(" "));
    Ok(0)
}

fn read(call: Call<'_>) -> Result<LogcatOptions, String> {
    let mut options = LogcatOptions {
        form: Form::ThreadTime,
        once: false,
        last: None,
        since: None,
        most: usize::MAX,
        tags: Vec::new(),
        literal: None,
    };
    let mut silent = false;
    let mut named = Vec::new();
    let mut words = call.from(1).iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().unwrap_or_default();
        match word.as_str() {
            "-d" => options.once = true,
            "-s" => silent = true,
            "-v" => {
                let name = value();
                options.form = Form::of_word(&name)
                    .ok_or_else(|| format!("Invalid parameter \"{name}\" to -v"))?;
            }
            flag @ ("-t" | "-T") => {
                options.once |= flag == "-t";
                let value = value();
                if let Ok(count) = value.parse::<usize>() {
                    options.last = Some(count);
                } else if let Some(moment) = call.adb_phone().clock().now().parse(&value) {
                    options.since = Some(moment);
                } else {
                    return Err(format!("{flag} \"{value}\" not in time format"));
                }
            }
            "-m" => options.most = value().parse().unwrap_or(usize::MAX),
            "-e" => options.literal = Some(value()),
            flag if flag.starts_with('-') => return Err(format!("Unknown option '{flag}'")),
            _ => named.push(word.clone()),
        }
    }
    if silent {
        options.tags.push(("*".to_owned(), None));
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
                None => return Err(format!("Invalid filter expression '{spec}'")),
            },
        };
        options.tags.push((tag.to_owned(), level));
    }
    Ok(options)
}

impl LogcatOptions {
    fn wants(&self, entry: &Entry) -> bool {
        let all = self.tags.iter().rfind(|(tag, _)| tag == "*");
        let own = self.tags.iter().rfind(|(tag, _)| *tag == entry.tag);
        let level = own
            .or(all)
            .map_or(Some(Priority::Verbose), |(_, level)| *level);
        level.is_some_and(|level| entry.priority >= level)
            && self.since.is_none_or(|since| entry.at >= since)
            && self
                .literal
                .as_ref()
                .is_none_or(|text| entry.message.contains(text))
    }
}

/// Malformed lines and invalid UTF-8.
const GARBAGE: &[u8] =
    b"\xff\xfe\x00read: unexpected EOF!\r\n[Clawperator-Result] {\"commandId\":\n\n";

async fn print(call: Call<'_>, options: &LogcatOptions) -> CommandResult {
    let log = call.adb_phone().log();
    let mut changes = log.watch();
    let mut next = 0;
    let mut printed = 0;
    let mut has_header = false;
    let mut first = true;
    loop {
        changes.mark_unchanged();
        let (entries, after) = log.since(next);
        next = after;
        let mut wanted: Vec<&Arc<Entry>> = entries
            .iter()
            .filter(|entry| options.wants(entry))
            .collect();
        if let Some(last) = options.last.filter(|_| first) {
            wanted.drain(..wanted.len().saturating_sub(last));
        }
        first = false;
        for entry in wanted {
            if printed >= options.most {
                return Ok(0);
            }
            printed += 1;
            if !std::mem::replace(&mut has_header, true) {
                call.print_line("--------- beginning of main").await?;
            }
            if call.adb_phone().faults().has(&WireFault::LogGarbage) {
                call.io.out.bytes(GARBAGE).await?;
            }
            call.io.out.bytes(options.form.print(entry)).await?;
        }
        if options.once || printed >= options.most {
            return Ok(0);
        }
        if changes.changed().await.is_err() {
            return Ok(0);
        }
    }
}
