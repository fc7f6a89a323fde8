//! The log: one line of JSON per event, one file per day.
//!
//! Events are those of `tracing` with the target [`TARGET`]; other crates' events are not logged. The name of an event is
//! stable, its message is a sentence for people, and its fields are data. None of them may contain typed text, text on screens
//! or matchers. A log that cannot be written stops no command; the failure is reported once.

mod files;
mod follow;
mod show;
mod step;

use std::fmt::Debug;
use std::path::PathBuf;
use std::time::Duration;

use chrono::{SecondsFormat, Utc};
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Metadata, Subscriber, span};

use crate::environment::{home, variable};
use files::Files;
pub use show::{Follow, LogQuery, show};
pub(crate) use step::{broadcast, resolved, step, transport};
pub use tracing::Level;

/// The target of the events that are logged.
pub const TARGET: &str = "clawperator";

/// The names of the levels, the lowest first.
pub const LEVELS: [&str; 4] = ["debug", "info", "warn", "error"];

/// The name of a level in the log.
pub const fn level_name(level: Level) -> &'static str {
    match level {
        Level::TRACE | Level::DEBUG => "debug",
        Level::INFO => "info",
        Level::WARN => "warn",
        Level::ERROR => "error",
    }
}

/// The level of this name; letter case is ignored.
pub fn parse_level(name: &str) -> Option<Level> {
    let name = name.trim().to_lowercase();
    LEVELS.contains(&&*name).then(|| name.parse().ok())?
}

/// A duration in whole milliseconds, as it is logged.
pub fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Where to log, and how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSetup {
    pub folder: PathBuf,
    /// The minimal level.
    pub level: Level,
}

impl LogSetup {
    /// The setup from the environment; `level` overrides its variable.
    pub fn from_env(level: Option<Level>) -> Self {
        let folder = match variable("CLAWPERATOR_LOG_DIR") {
            Some(folder) => expand_home(&folder),
            None => home().join("logs"),
        };
        let level = level
            .or_else(|| parse_level(&variable("CLAWPERATOR_LOG_LEVEL")?))
            .unwrap_or(Level::INFO);
        Self {
            folder: std::path::absolute(&folder).unwrap_or(folder),
            level,
        }
    }

    /// The file of today.
    pub fn today(&self) -> PathBuf {
        files::file_of(&self.folder, Utc::now().date_naive())
    }
}

/// Expands a leading `~` to the user's home.
fn expand_home(path: &str) -> PathBuf {
    let rest = match path.strip_prefix('~') {
        Some("") => Some(""),
        Some(rest) => rest.strip_prefix('/'),
        None => None,
    };
    match (rest, variable("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(path),
    }
}

/// Writes the events of this process to files.
#[derive(Debug)]
struct LogWriter {
    level: Level,
    files: Files,
    complain: fn(&str),
}

/// Opens the log of this process; later calls have no effect. `complain` is called once if the log cannot be written.
pub fn begin(setup: LogSetup, complain: fn(&str)) {
    let writer = LogWriter {
        level: setup.level,
        files: Files::in_folder(setup.folder),
        complain,
    };
    // Fails when the log is open.
    let _ = tracing::subscriber::set_global_default(writer);
}

impl Subscriber for LogWriter {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && metadata.target() == TARGET && *metadata.level() <= self.level
    }

    fn max_level_hint(&self) -> Option<tracing::level_filters::LevelFilter> {
        Some(self.level.into())
    }

    fn event(&self, event: &Event<'_>) {
        let now = Utc::now();
        let stamp = now.to_rfc3339_opts(SecondsFormat::Millis, true);
        if let Err((path, why)) = self.files.append(now, &line(&stamp, event)) {
            (self.complain)(&format!(
                "[clawperator] WARN: logging disabled after write failure for {}: {why}",
                path.display()
            ));
        }
    }

    // No span is enabled.
    fn new_span(&self, _span: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _span: &span::Id, _values: &span::Record<'_>) {}

    fn record_follows_from(&self, _span: &span::Id, _follows: &span::Id) {}

    fn enter(&self, _span: &span::Id) {}

    fn exit(&self, _span: &span::Id) {}
}

/// The line of an event: time, level, name, message, then its fields.
fn line(stamp: &str, event: &Event<'_>) -> String {
    let metadata = event.metadata();
    let mut entry = Map::new();
    entry.insert("ts".to_owned(), stamp.into());
    entry.insert("level".to_owned(), level_name(*metadata.level()).into());
    entry.insert("event".to_owned(), metadata.name().into());
    entry.insert("message".to_owned(), Value::Null);
    event.record(&mut Fields(&mut entry));
    format!("{}\n", Value::Object(entry))
}

/// Collects the fields of an event. A field without a value is left out.
struct Fields<'a>(&'a mut Map<String, Value>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.record_str(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is logged of the events of this work.
    fn logged(work: impl FnOnce()) -> String {
        let folder = testkit::TempFolder::new("log");
        let setup = LogSetup {
            folder: folder.to_path_buf(),
            level: Level::INFO,
        };
        let writer = LogWriter {
            level: setup.level,
            files: Files::in_folder(setup.folder.clone()),
            complain: |_| {},
        };
        tracing::subscriber::with_default(writer, work);
        std::fs::read_to_string(setup.today()).unwrap()
    }

    #[test]
    fn line_is_one_object_with_its_fields_last() {
        let text = logged(|| {
            tracing::warn!(
                name: "step.ended",
                target: TARGET,
                commandId = "a\nb",
                deviceId = None::<&str>,
                index = 1,
                "a step failed"
            );
        });
        let (time, rest) = text.split_once(",").unwrap();
        assert!(
            time.starts_with("{\"ts\":\"20") && time.ends_with("Z\""),
            "{time}"
        );
        assert_eq!(
            rest,
            "\"level\":\"warn\",\"event\":\"step.ended\",\"message\":\"a step failed\",\"commandId\":\"a\\nb\",\"index\":1}\n"
        );
    }

    #[test]
    fn only_events_of_the_target_at_the_level_are_logged() {
        let text = logged(|| {
            tracing::info!(name: "a", target: TARGET, "logged");
            tracing::debug!(name: "b", target: TARGET, "below the level");
            tracing::error!(name: "c", "another target");
        });
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.contains("\"event\":\"a\",\"message\":\"logged\"}"));
    }

    #[test]
    fn levels_are_parsed_by_name() {
        for name in LEVELS {
            let level = parse_level(&format!(" {} ", name.to_uppercase()));
            assert_eq!(level.map(level_name), Some(name));
        }
        assert_eq!(parse_level("loud"), None);
        assert_eq!(parse_level("trace"), None);
    }
}
