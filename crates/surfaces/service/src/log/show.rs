//! Showing and following the log.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use chrono::Utc;
use serde_json::Value;

use super::files::{all, file_of};
use super::follow::{Follower, LogReader};
use super::{Level, LogSetup, parse_level};

/// The pause between checks for new lines.
const FOLLOW_POLL: Duration = Duration::from_millis(200);

/// Which lines to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogQuery {
    /// The last lines of all days; without it, all lines of today.
    pub tail: Option<usize>,
    /// The minimal level.
    pub level: Option<Level>,
    /// The command's id.
    pub command_id: Option<String>,
    pub device: Option<String>,
    /// Whether to wait for new lines.
    pub follow: Follow,
}

/// Whether to wait for new lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// Stop at the end.
    #[default]
    No,
    /// Wait until interrupted.
    Yes,
}

impl LogQuery {
    fn matches(&self, line: &str) -> bool {
        if self.level.is_none() && self.command_id.is_none() && self.device.is_none() {
            return true;
        }
        let Ok(entry) = serde_json::from_str::<Value>(line) else {
            return false;
        };
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        let level = text("level").and_then(parse_level);
        self.level
            .is_none_or(|min_level| level.is_some_and(|level| level <= min_level))
            && self
                .command_id
                .as_deref()
                .is_none_or(|id| text("commandId") == Some(id))
            && self
                .device
                .as_deref()
                .is_none_or(|id| text("deviceId") == Some(id))
    }
}

/// Shows lines of the log until `print` returns `false` or, when following, `ends` is ready. Returns today's file if there
/// are no lines at all.
pub async fn show(
    setup: &LogSetup,
    query: &LogQuery,
    print: &mut dyn FnMut(&str) -> bool,
    ends: impl Future<Output = ()>,
) -> Option<PathBuf> {
    tokio::select! {
        biased;
        () = ends => None,
        missing = show_lines(setup, query, print) => missing,
    }
}

async fn show_lines(
    setup: &LogSetup,
    query: &LogQuery,
    print: &mut dyn FnMut(&str) -> bool,
) -> Option<PathBuf> {
    let today = file_of(&setup.folder, Utc::now().date_naive());
    let files = match query.tail {
        Some(_) => all(&setup.folder),
        None if today.exists() => vec![today.clone()],
        None => Vec::new(),
    };
    let nothing = files.is_empty();
    let mut last = LogReader::new(today.clone());
    let mut kept: VecDeque<String> = VecDeque::new();
    for path in files {
        let mut reading = LogReader::new(path);
        while let Some(line) = reading.line() {
            if !query.matches(&line) {
                continue;
            }
            match query.tail {
                Some(most) => {
                    kept.push_back(line);
                    if kept.len() > most {
                        kept.pop_front();
                    }
                }
                None if !print(&line) => return None,
                None => {}
            }
        }
        if reading.path == today {
            last = reading;
        }
    }
    for line in kept {
        if !print(&line) {
            return None;
        }
    }
    if query.follow == Follow::No {
        return nothing.then_some(today);
    }
    let mut follower = Follower::new(&setup.folder, last);
    loop {
        let mut print_if_matching = |line: &str| !query.matches(line) || print(line);
        if follower
            .more(Utc::now().date_naive(), &mut print_if_matching)
            .is_break()
        {
            return None;
        }
        tokio::time::sleep(FOLLOW_POLL).await;
    }
}
