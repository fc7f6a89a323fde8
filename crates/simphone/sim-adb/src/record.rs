//! The record of a phone: its connections, commands and journal as JSON lines, written as they happen.
//!
//! Lines of the journal have the format of `--sim-journal`. The other lines have `ms` and `kind`: `connected` and
//! `disconnected` with the number of the `connection`, `command` with the arguments of a program (`args`), `stream` at the
//! end of a stream with its `service` and duration (`tookMs`), `wire_fault` with its `name` and `details`, and `boot` at a
//! reboot, after which `ms` counts from 0 again.

use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use driver_sim::Journal;
use driver_sim::journal::Passwords;
use serde_json::{Value, json};
use tokio::time::Instant;

pub type Sink = Box<dyn Write + Send>;

/// The record of one phone, without effect until it has a sink. Clones share the record.
#[derive(Clone, Default)]
pub struct Record {
    open: Arc<Mutex<Option<Open>>>,
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Record")
    }
}

struct Open {
    sink: Sink,
    passwords: Passwords,
    begun: Instant,
    /// The number of journal entries that have been written.
    written: u64,
    broken: Option<String>,
}

impl Record {
    fn open(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes all following lines into `sink`, each as a whole.
    pub fn write_to(&self, sink: Sink, passwords: Passwords) {
        *self.open() = Some(Open {
            sink,
            passwords,
            begun: Instant::now(),
            written: 0,
            broken: None,
        });
    }

    /// The error that stopped the record; `None` while it is complete.
    pub fn problem(&self) -> Option<String> {
        self.open().as_ref().and_then(|open| open.broken.clone())
    }

    /// Writes the journal entries since the last call.
    pub(crate) fn journal(&self, journal: &Journal) {
        if let Some(open) = &mut *self.open() {
            let next = journal.next_index();
            if next > open.written {
                let lines = journal.to_json_since(open.written, open.passwords);
                open.written = next;
                open.write(lines.as_bytes());
            }
        }
    }

    pub(crate) fn boot(&self) {
        if let Some(open) = &mut *self.open() {
            open.line("boot", json!({}));
            open.begun = Instant::now();
            open.written = 0;
        }
    }

    fn line(&self, kind: &str, fields: Value) {
        if let Some(open) = &mut *self.open() {
            open.line(kind, fields);
        }
    }

    pub(crate) fn connected(&self, connection: u64) {
        self.line("connected", json!({ "connection": connection }));
    }

    pub(crate) fn disconnected(&self, connection: u64) {
        self.line("disconnected", json!({ "connection": connection }));
    }

    pub(crate) fn wire_fault(&self, name: &str, details: &str) {
        self.line("wire_fault", json!({ "name": name, "details": details }));
    }

    pub(crate) fn stream(&self, service: &str, took: Duration) {
        let millis = took.as_micros() as f64 / 1000.0;
        self.line("stream", json!({ "service": service, "tookMs": millis }));
    }

    pub(crate) fn command(&self, args: &[String]) {
        if let Some(open) = &mut *self.open() {
            let args = match open.passwords {
                Passwords::Masked => masked(args),
                Passwords::ClearText => args.to_vec(),
            };
            open.line("command", json!({ "args": args }));
        }
    }
}

impl Open {
    fn line(&mut self, kind: &str, mut fields: Value) {
        let millis = self.begun.elapsed().as_millis();
        let mut line = json!({ "ms": u64::try_from(millis).unwrap_or(u64::MAX), "kind": kind });
        if let (Some(line), Some(fields)) = (line.as_object_mut(), fields.as_object_mut()) {
            line.append(fields);
        }
        self.write(format!("{line}\n").as_bytes());
    }

    fn write(&mut self, lines: &[u8]) {
        if self.broken.is_some() {
            return;
        }
        let written = self.sink.write_all(lines).and_then(|()| self.sink.flush());
        self.broken = written.err().map(|error| error.to_string());
    }
}

/// Masks the arguments that may hold the text of a password field. The journal has the text of other fields.
fn masked(args: &[String]) -> Vec<String> {
    let is = |place: usize, word: &str| args.get(place).is_some_and(|arg| arg == word);
    let types = (args.iter()).any(|arg| arg == "input" || arg.ends_with("/input"));
    // `input text …`, `input keyboard text …`, and the same after `cmd`.
    let typed = args.iter().position(|arg| arg == "text" && types);
    // An extra of a broadcast may be a plan with text to type.
    let extras = ["--es", "-e", "--esa", "--esal"];
    let carries = |place: usize| place >= 2 && extras.iter().any(|flag| is(place - 2, flag));
    let hidden = |place: usize| typed.is_some_and(|typed| place > typed) || carries(place);
    let shown = args.iter().enumerate().map(|(place, arg)| {
        if hidden(place) {
            "•".repeat(arg.chars().count().min(64))
        } else {
            arg.clone()
        }
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn typed_text_is_masked() {
        let shown = |line: &str| masked(&words(line)).join(" ");
        assert_eq!(shown("input tap 1 2"), "input tap 1 2");
        assert_eq!(shown("input text secret"), "input text ••••••");
        assert_eq!(
            shown("/system/bin/input keyboard text abc"),
            "/system/bin/input keyboard text •••"
        );
        assert_eq!(shown("cmd input text abc"), "cmd input text •••");
        assert_eq!(
            shown("am broadcast -a x --es payload {} --ei n 1"),
            "am broadcast -a x --es payload •• --ei n 1"
        );
    }

    #[test]
    fn full_sink_is_reported() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let record = Record::default();
        record.command(&words("id"));
        assert_eq!(record.problem(), None);
        record.write_to(Box::new(Full), Passwords::Masked);
        record.command(&words("id"));
        assert!(record.problem().is_some());
    }
}
