//! Limits of a recording that is not stopped.

use std::fmt;
use std::time::Duration;

/// The limits of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum duration.
    pub time: Duration,
    /// The maximum size of its file, in bytes; the last screen may exceed it a little.
    pub bytes: u64,
    /// How long a lost phone is waited for.
    pub away: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(2 * 60 * 60),
            bytes: 256 * 1024 * 1024,
            away: Duration::from_secs(10 * 60),
        }
    }
}

/// The limit that ended a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The duration.
    Time(Duration),
    /// The size of its file.
    Bytes(u64),
    /// The phone was lost for too long.
    Away(Duration),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(limit) => write!(f, "it has lasted {}", words(*limit)),
            Self::Bytes(limit) => write!(f, "its file has {} MB", limit / (1024 * 1024)),
            Self::Away(limit) => write!(f, "the phone was away for {}", words(*limit)),
        }
    }
}

/// A duration for people.
fn words(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds >= 3600 && seconds % 3600 == 0 => format!("{} hours", seconds / 3600),
        seconds if seconds >= 60 => format!("{} minutes", seconds / 60),
        seconds => format!("{seconds} seconds"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_formatted_for_people() {
        let Limits { time, bytes, away } = Limits::default();
        assert_eq!(Limit::Time(time).to_string(), "it has lasted 2 hours");
        assert_eq!(Limit::Bytes(bytes).to_string(), "its file has 256 MB");
        assert_eq!(
            Limit::Away(away).to_string(),
            "the phone was away for 10 minutes"
        );
    }
}
