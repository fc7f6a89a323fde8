//! The log: one line of JSON per event, one file per day.
//!
//! What was typed, what stood on a screen and what a plan looked for are never in it: events carry names, codes, ids,
//! counts and times. A log that cannot be written keeps no command from its work; that is said once.

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

/// How much an event matters, the least first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Only of use when something is looked for.
    Debug,
    /// What was done.
    #[default]
    Info,
    /// What went wrong and was coped with, or is a part of an answer.
    Warn,
    /// What made a command fail.
    Error,
}

impl Level {
    /// Every level, the least first.
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

    /// The level of this name, in any letter case.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }
}

/// Where the log is and how much of it there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSetup {
    /// The folder.
    pub folder: PathBuf,
    /// What matters less is left out.
    pub level: Level,
}

impl LogSetup {
    /// As the environment says; `level` stands in for its variable.
    #[must_use]
    pub fn from_env(level: Option<Level>) -> Self {
        let folder = match variable("CLAWPERATOR_LOG_DIR") {
            Some(folder) => expanded(&folder),
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

/// A path whose `~` is the user's home.
fn expanded(path: &str) -> PathBuf {
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

/// The log of this process; nothing is logged before it is there.
static LOG: OnceLock<Log> = OnceLock::new();

/// Begins to log, for the whole process; a second time changes nothing. `complain` hears of it, once, when the log cannot
/// be written.
pub fn begin(setup: LogSetup, complain: fn(&str)) {
    let _ = LOG.set(Log {
        level: setup.level,
        files: Files::in_folder(setup.folder),
        complain,
    });
}

/// Logs an event. `event` is its stable name, `message` a sentence for people, `fields` the facts; no text of a screen or
/// of a plan belongs into either.
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
    fn a_line_is_one_object_with_its_facts_behind_it() {
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
    fn levels_have_an_order_and_names() {
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
