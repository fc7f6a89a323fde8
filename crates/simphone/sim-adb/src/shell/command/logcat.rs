//! `logcat` and `log`.

use driver_sim::Words;

use super::Call;
use crate::clock::Moment;
use crate::fault::WireFault;
use crate::log::{Entry, Form, Priority};
use crate::shell::io::CommandResult;

struct LogcatOptions {
    form: Form,
    /// Whether to end after the existing entries.
    once: bool,
    since: Option<Moment>,
    most: usize,
    /// The only tags, after `-s`.
    tags: Option<Vec<String>>,
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

/// `log [-t TAG] WORD...`.
async fn log(call: Call<'_>) -> CommandResult {
    let (tag, words) = match call.from(1) {
        [flag, tag, words @ ..] if flag == "-t" => (tag.as_str(), words),
        words => ("log", words),
    };
    let pid = 9873;
    call.adb_phone()
        .log()
        .write(pid, Priority::Info, tag, &words.join(" "));
    Ok(0)
}

fn read(call: Call<'_>) -> Result<LogcatOptions, String> {
    let mut options = LogcatOptions {
        form: Form::ThreadTime,
        once: false,
        since: None,
        most: usize::MAX,
        tags: None,
        literal: None,
    };
    let mut words = call.from(1).iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().unwrap_or_default();
        match word.as_str() {
            "-d" => options.once = true,
            "-s" => options.tags = Some(Vec::new()),
            "-v" => {
                let name = value();
                options.form = Form::of_word(&name)
                    .ok_or_else(|| format!("Invalid parameter \"{name}\" to -v"))?;
            }
            "-T" => {
                let value = value();
                let since = Moment::of_seconds(&value);
                options.since =
                    Some(since.ok_or_else(|| format!("-T \"{value}\" not in time format"))?);
            }
            "-m" => options.most = value().parse().unwrap_or(usize::MAX),
            "-e" => options.literal = Some(value()),
            tag => match &mut options.tags {
                Some(tags) if !tag.starts_with('-') => tags.push(tag.to_owned()),
                _ => return Err(format!("Unknown option '{tag}'")),
            },
        }
    }
    Ok(options)
}

impl LogcatOptions {
    fn wants(&self, entry: &Entry) -> bool {
        let tags = self.tags.as_ref();
        let literal = self.literal.as_ref();
        tags.is_none_or(|tags| tags.contains(&entry.tag))
            && self.since.is_none_or(|since| entry.at >= since)
            && literal.is_none_or(|text| entry.message.contains(text))
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
    loop {
        changes.mark_unchanged();
        let (entries, after) = log.since(next);
        next = after;
        for entry in entries.iter().filter(|entry| options.wants(entry)) {
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
