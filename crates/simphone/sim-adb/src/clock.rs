//! The phone's wall clock, and the date formats of its programs.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Datelike, NaiveDateTime, Utc};
use tokio::time::Instant;

/// A point in time, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub i64);

/// A settable clock that follows the runtime's time.
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

    /// Sets the time.
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

    /// Parses `MM-DD HH:MM:SS.mmm` (in the year of `self`), `YYYY-MM-DD HH:MM:SS.mmm`, or seconds since 1970 with a fraction.
    pub(crate) fn parse(self, text: &str) -> Option<Self> {
        let dated = if text.matches('-').count() == 1 {
            format!("{}-{text}", self.date().year())
        } else {
            text.to_owned()
        };
        let date = NaiveDateTime::parse_from_str(&dated, "%Y-%m-%d %H:%M:%S%.f")
            .or_else(|_| NaiveDateTime::parse_from_str(text, "%s%.f"));
        Some(Self(date.ok()?.and_utc().timestamp_millis()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_round_trip() {
        let at = Moment(1_767_258_000_123);
        assert_eq!(at.show(), "01-01 09:00:00.123");
        for text in [
            "01-01 09:00:00.123",
            "2026-01-01 09:00:00.123",
            "1767258000.123",
        ] {
            assert_eq!(at.parse(text), Some(at), "{text}");
        }
        let leap = at.parse("2024-02-29 23:59:59.9").unwrap();
        assert_eq!(leap.show(), "02-29 23:59:59.900");
        for wrong in [
            "yesterday",
            "13-01 00:00:00.0",
            "01-01",
            "1.x",
            "01-01 09:00.1",
        ] {
            assert_eq!(at.parse(wrong), None, "{wrong}");
        }
    }
}
