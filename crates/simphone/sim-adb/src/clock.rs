//! The phone's clock on the wall, and dates as its programs write them.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tokio::time::Instant;

/// A moment, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub i64);

/// A clock that runs with the runtime's time. It can be set.
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

    /// It is this late now.
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

    /// Seconds since 1970 as file times have them.
    pub(crate) fn stamp(self) -> u64 {
        u64::try_from(self.seconds()).unwrap_or(0)
    }

    /// Year, month from 1, day from 1. Source: the era of 400 years, counted from March, so that leap days come last.
    const fn date(self) -> (i64, i64, i64) {
        let days = self.seconds().div_euclid(86_400) + 719_468;
        let era = days.div_euclid(146_097);
        let day = days.rem_euclid(146_097);
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let first = (153 * month + 2) / 5;
        let (month, next) = if month < 10 {
            (month + 3, 0)
        } else {
            (month - 9, 1)
        };
        (year + era * 400 + next, month, day - first + 1)
    }

    /// As `logcat` writes it: `MM-DD HH:MM:SS.mmm`.
    pub(crate) fn show(self) -> String {
        let (_, month, day) = self.date();
        let second = self.seconds().rem_euclid(86_400);
        format!(
            "{month:02}-{day:02} {:02}:{:02}:{:02}.{:03}",
            second / 3600,
            second / 60 % 60,
            second % 60,
            self.0.rem_euclid(1000)
        )
    }

    /// The moment that `MM-DD HH:MM:SS.mmm` (of this moment's year), `YYYY-MM-DD HH:MM:SS.mmm` or seconds since 1970
    /// with a fraction name.
    pub(crate) fn parse(self, text: &str) -> Option<Self> {
        let (whole, fraction) = text.rsplit_once('.').unwrap_or((text, "0"));
        if fraction.is_empty() || !fraction.chars().all(|c| c.is_ascii_digit()) {
            return None;
        }
        let millis: i64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
        if let Ok(seconds) = whole.parse::<i64>() {
            return Some(Self(seconds.checked_mul(1000)?.checked_add(millis)?));
        }
        let (date, time) = whole.split_once([' ', 'T'])?;
        let numbers = |text: &str, by: char| -> Option<Vec<i64>> {
            text.split(by).map(|part| part.parse().ok()).collect()
        };
        let (year, month, day) = match numbers(date, '-')?.as_slice() {
            [year, month, day] => (*year, *month, *day),
            [month, day] => (self.date().0, *month, *day),
            _ => return None,
        };
        let [hour, minute, second] = numbers(time, ':')?.try_into().ok()?;
        let fits =
            (1..=12).contains(&month) && (1..=31).contains(&day) && (1..=9999).contains(&year);
        if !fits {
            return None;
        }
        let (year, month) = if month > 2 {
            (year, month - 3)
        } else {
            (year - 1, month + 9)
        };
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let day = (153 * month + 2) / 5 + day - 1 + of_era * 365 + of_era / 4 - of_era / 100;
        let days = era * 146_097 + day - 719_468;
        Some(Self(
            (days * 86_400 + hour * 3600 + minute * 60 + second) * 1000 + millis,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_and_read() {
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
