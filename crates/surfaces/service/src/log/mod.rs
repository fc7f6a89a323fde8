//! The log: one line of JSON per event, one file per day.
//!
//! Typed text, text on screens and matchers are never logged: events have names, codes, ids, counts and times. A log that
//! cannot be written stops no command; the failure is reported once.

mod files;
mod follow;
mod show;
mod step;

use std::path::PathBuf;
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use crate::environment::{home, variable};
use files::Files;
pub use show::{Follow, LogQuery, show};
pub(crate) use step::{broadcast, resolved, step, way};

/// The severity of an event, the lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For debugging.
    Debug,
    /// Normal operation.
    #[default]
    Info,
    /// A problem that was handled, or that is part of an answer.
    Warn,
    /// The failure of a command.
    Error,
}

impl Level {
    /// Every level, the lowest first.
    pub const ALL: [Self; 4] = [Self::Debug, Self::Info, Self::Warn, Self::Error];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }

    /// The level of this name; letter case is ignored.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }
}

/// Where to log, and how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSetup {
    /// The folder.
    pub folder: PathBuf,
    /// The minimal level.
    pub level: Level,
}

impl LogSetup {
    /// The setup from the environment; `level` overrides its variable.
    #[must_use]
    pub fn from_env(level: Option<Level>) -> Self {
        let folder = match variable("CLAWPERATOR_LOG_DIR") {
            Some(folder) => expand_home(&folder),
            None => home().join("logs"),
        };
        let level = level
            .or_else(|| Level::parse(&variable("CLAWPERATOR_LOG_LEVEL")?))
            .unwrap_or_default();
        Self {
            folder: std::path::absolute(&folder).unwrap_or(folder),
            level,
        }
    }
}

impl LogSetup {
    /// The file of today.
    #[must_use]
    pub fn today(&self) -> PathBuf {
        files::file_of(&self.folder, files::now())
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

/// An open log.
#[derive(Debug)]
struct Log {
    level: Level,
    files: Files,
    complain: fn(&str),
}

/// The log of this process; without it nothing is logged.
static LOG: OnceLock<Log> = OnceLock::new();

/// Opens the log of this process; later calls have no effect. `complain` is called once if the log cannot be written.
pub fn begin(setup: LogSetup, complain: fn(&str)) {
    let _ = LOG.set(Log {
        level: setup.level,
        files: Files::in_folder(setup.folder),
        complain,
    });
}

/// Logs an event. `event` is its stable name, `message` a sentence for people, `fields` its data; neither may contain text of
/// a screen or of a plan.
pub fn event(level: Level, event: &str, message: &str, fields: &[(&str, Value)]) {
    let Some(log) = LOG.get().filter(|log| level >= log.level) else {
        return;
    };
    let now = files::now();
    let line = line(&now.stamp(), level, event, message, fields);
    if let Err((path, why)) = log.files.append(now, &line) {
        (log.complain)(&format!(
            "[clawperator] WARN: logging disabled after write failure for {}: {why}",
            path.display()
        ));
    }
}

fn line(stamp: &str, level: Level, event: &str, message: &str, fields: &[(&str, Value)]) -> String {
    let mut entry = Map::new();
    entry.insert("ts".to_owned(), json!(stamp));
    entry.insert("level".to_owned(), json!(level.as_str()));
    entry.insert("event".to_owned(), json!(event));
    entry.insert("message".to_owned(), json!(message));
    for (key, value) in fields {
        if !value.is_null() {
            entry.insert((*key).to_owned(), value.clone());
        }
    }
    format!("{}\n", Value::Object(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_is_one_object_with_its_fields_last() {
        let written = line(
            "2026-01-01T09:00:00.123Z",
            Level::Warn,
            "step.ended",
            "a step failed",
            &[
                ("commandId", json!("a\nb")),
                ("deviceId", Value::Null),
                ("index", json!(1)),
            ],
        );
        assert_eq!(
            written,
            "{\"ts\":\"2026-01-01T09:00:00.123Z\",\"level\":\"warn\",\"event\":\"step.ended\",\"message\":\"a step failed\",\
             \"commandId\":\"a\\nb\",\"index\":1}\n"
        );
    }

    #[test]
    fn levels_are_ordered_and_parsed_by_name() {
        assert!(Level::Debug < Level::Info && Level::Warn < Level::Error);
        for level in Level::ALL {
            assert_eq!(
                Level::parse(&format!(" {} ", level.as_str().to_uppercase())),
                Some(level)
            );
        }
        assert_eq!(Level::parse("loud"), None);
    }
}
