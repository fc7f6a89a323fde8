//! The phone's wall clock, and the date formats of its programs.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, NaiveDateTime, Utc};
use tokio::time::Instant;

/// A point in time, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub i64);

#[derive(Clone, Debug)]
pub(crate) struct Clock {
    started: Instant,
    base: Arc<AtomicI64>,
}

impl Clock {
    pub(crate) fn start(at_ms: i64) -> Self {
        Self {
            started: Instant::now(),
            base: Arc::new(AtomicI64::new(at_ms)),
        }
    }

    fn elapsed(&self) -> i64 {
        i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX / 2)
    }

    pub(crate) fn now(&self) -> Moment {
        Moment(
            self.base
                .load(Ordering::Relaxed)
                .saturating_add(self.elapsed()),
        )
    }

    pub(crate) fn set(&self, at_ms: i64) {
        self.base
            .store(at_ms.saturating_sub(self.elapsed()), Ordering::Relaxed);
    }
}

impl Moment {
    /// Whole seconds since 1970.
    pub(crate) const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Seconds since 1970 as a file time, 0 for earlier times.
    pub(crate) fn stamp(self) -> u64 {
        u64::try_from(self.seconds()).unwrap_or(0)
    }

    fn date(self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0).unwrap_or_default()
    }

    /// The format of `logcat`: `MM-DD HH:MM:SS.mmm`.
    pub(crate) fn show(self) -> String {
        self.date().format("%m-%d %H:%M:%S%.3f").to_string()
    }

    /// Parses seconds since 1970 with a fraction.
    pub(crate) fn of_seconds(text: &str) -> Option<Self> {
        let date = NaiveDateTime::parse_from_str(text, "%s%.f").ok()?;
        Some(Self(date.and_utc().timestamp_millis()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_shown_and_parsed() {
        let at = Moment(1_767_258_000_123);
        assert_eq!(at.show(), "01-01 09:00:00.123");
        assert_eq!(Moment::of_seconds("1767258000.123"), Some(at));
        for wrong in ["yesterday", "01-01 09:00:00.123", "1.x"] {
            assert_eq!(Moment::of_seconds(wrong), None, "{wrong}");
        }
    }
}
