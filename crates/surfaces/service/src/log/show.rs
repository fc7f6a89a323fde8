//! Reading the log: what is in it, and what comes.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::files::{all, file_of, now};
use super::follow::{Follower, Reading};
use super::{Level, LogSetup};

/// How often it is looked whether there is more.
const LOOK: Duration = Duration::from_millis(200);

/// Which lines are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogQuery {
    /// The last so many, of all days; without it those of today.
    pub tail: Option<usize>,
    /// Those that matter so much at least.
    pub level: Option<Level>,
    /// Those of this command.
    pub command_id: Option<String>,
    /// Those of this device.
    pub device: Option<String>,
    /// Whether what comes is waited for.
    pub follow: Follow,
}

/// Whether what comes is waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// What is there is all.
    #[default]
    No,
    /// Until somebody interrupts it.
    Yes,
}

impl LogQuery {
    fn wants(&self, line: &str) -> bool {
        if self.level.is_none() && self.command_id.is_none() && self.device.is_none() {
            return true;
        }
        let Ok(entry) = serde_json::from_str::<Value>(line) else {
            return false;
        };
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        let level = text("level").and_then(Level::parse);
        self.level
            .is_none_or(|least| level.is_some_and(|level| level >= least))
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

/// Shows lines of the log one by one, until `print` wants no more or, where it is followed, `ends` is ready. Gives the file
/// of today if there is nothing at all.
pub async fn show(
    setup: &LogSetup,
    showing: &LogQuery,
    print: &mut dyn FnMut(&str) -> bool,
    ends: impl Future<Output = ()>,
) -> Option<PathBuf> {
    tokio::select! {
        biased;
        () = ends => None,
        missing = shown(setup, showing, print) => missing,
    }
}

async fn shown(
    setup: &LogSetup,
    showing: &LogQuery,
    print: &mut dyn FnMut(&str) -> bool,
) -> Option<PathBuf> {
    let today = file_of(&setup.folder, now());
    let files = match showing.tail {
        Some(_) => all(&setup.folder),
        None if today.exists() => vec![today.clone()],
        None => Vec::new(),
    };
    let nothing = files.is_empty();
    let mut last = Reading::of(today.clone());
    let mut kept: VecDeque<String> = VecDeque::new();
    for path in files {
        let mut reading = Reading::of(path);
        while let Some(line) = reading.line() {
            if !showing.wants(&line) {
                continue;
            }
            match showing.tail {
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
    if showing.follow == Follow::No {
        return nothing.then_some(today);
    }
    let mut follower = Follower::new(&setup.folder, last);
    loop {
        let mut wanted = |line: &str| !showing.wants(line) || print(line);
        if follower.more(now(), &mut wanted).is_break() {
            return None;
        }
        tokio::time::sleep(LOOK).await;
    }
}
