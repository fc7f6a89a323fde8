//! How far a recording goes that nobody ends.

use std::fmt;
use std::time::Duration;

/// Where a recording ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest that it lasts.
    pub time: Duration,
    /// The most that its file holds, in bytes; what is seen last may go a little beyond.
    pub bytes: u64,
    /// How long a phone may be away that comes back.
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

/// Which limit ended a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// It has lasted as long as it may.
    Time(Duration),
    /// Its file holds as much as it may.
    Bytes(u64),
    /// The phone was away for too long.
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

/// A time as people say it.
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
    fn limits_are_said_as_people_do() {
        let Limits { time, bytes, away } = Limits::default();
        assert_eq!(Limit::Time(time).to_string(), "it has lasted 2 hours");
        assert_eq!(Limit::Bytes(bytes).to_string(), "its file has 256 MB");
        assert_eq!(
            Limit::Away(away).to_string(),
            "the phone was away for 10 minutes"
        );
    }
}
