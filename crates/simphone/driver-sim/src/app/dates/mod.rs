//! Days and times of day: the calendar, and how they are written in a language.

use std::fmt;

mod words;

pub(crate) use words::{Locale, STYLES};

/// A day of the calendar that is in use everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date {
    pub(crate) year: i32,
    /// From 1.
    pub(crate) month: u8,
    /// From 1.
    pub(crate) day: u8,
}

/// A time of day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Time {
    /// From 0 to 23.
    pub(crate) hour: u8,
    pub(crate) minute: u8,
}

/// The years that a text can name.
const YEARS: std::ops::RangeInclusive<i32> = 1..=9999;

/// How many days a month has.
pub(crate) const fn days_in(year: i32, month: u8) -> u8 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A number of exactly so many digits.
fn digits(text: &str, count: usize) -> Option<u32> {
    let right = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    right.then(|| text.parse().ok()).flatten()
}

impl Date {
    pub(crate) fn new(year: i32, month: u8, day: u8) -> Option<Self> {
        let right = YEARS.contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day);
        right.then_some(Self { year, month, day })
    }

    /// The day that a text such as `2026-03-12` names.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('-');
        let year = digits(parts.next()?, 4)?;
        let month = digits(parts.next()?, 2)?;
        let day = digits(parts.next()?, 2)?;
        if parts.next().is_some() {
            return None;
        }
        Self::new(
            i32::try_from(year).ok()?,
            u8::try_from(month).ok()?,
            u8::try_from(day).ok()?,
        )
    }

    /// The day so many days after the first of 1970, or before it; the nearest that can be written.
    pub(crate) fn of_days(days: i64) -> Self {
        let days = days.clamp(-719_162, 2_932_896);
        // Years are counted from March, so that the day that only some have is their last.
        let since = days + 719_468;
        let era = since.div_euclid(146_097);
        let day = since.rem_euclid(146_097);
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day_of_month = day - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        Self {
            year: year as i32,
            month: month as u8,
            day: day_of_month as u8,
        }
    }

    /// How many days it lies after the first of 1970.
    pub(crate) fn days(self) -> i64 {
        let month = i64::from(self.month);
        let year = i64::from(self.year) - i64::from(month <= 2);
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let from_march = if month > 2 { month - 3 } else { month + 9 };
        let of_year = (153 * from_march + 2) / 5 + i64::from(self.day) - 1;
        let day = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        era * 146_097 + day - 719_468
    }

    /// The day of the week, 0 for Sunday.
    pub(crate) fn weekday(self) -> usize {
        (self.days() + 4).rem_euclid(7) as usize
    }

    /// The same day of another year and month, or the last one of that month.
    pub(crate) fn moved_to(self, year: i32, month: u8) -> Self {
        Self {
            year,
            month,
            day: self.day.min(days_in(year, month)),
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Time {
    pub(crate) fn new(hour: u8, minute: u8) -> Option<Self> {
        (hour < 24 && minute < 60).then_some(Self { hour, minute })
    }

    /// The time that a text such as `09:05` names.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (hour, minute) = text.trim().split_once(':')?;
        Self::new(
            u8::try_from(digits(hour, 2)?).ok()?,
            u8::try_from(digits(minute, 2)?).ok()?,
        )
    }

    /// The hour on a clock with twelve of them.
    pub(crate) const fn of_twelve(self) -> u8 {
        match self.hour % 12 {
            0 => 12,
            hour => hour,
        }
    }

    /// Whether it lies after noon.
    pub(crate) const fn is_afternoon(self) -> bool {
        self.hour >= 12
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.hour, self.minute)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_count_through_all_years() {
        assert_eq!(Date::of_days(0).to_string(), "1970-01-01");
        assert_eq!(Date::of_days(20_454).to_string(), "2026-01-01");
        assert_eq!(Date::parse("2026-01-01").map(Date::weekday), Some(4));
        let mut before = Date::of_days(-719_163);
        assert_eq!(before.to_string(), "0001-01-01");
        for days in -719_161..=2_932_896 {
            let date = Date::of_days(days);
            assert_eq!(date.days(), days, "{date}");
            assert!(before < date, "{before} {date}");
            assert!(Date::new(date.year, date.month, date.day).is_some());
            before = date;
        }
        assert_eq!(before.to_string(), "9999-12-31");
    }

    #[test]
    fn only_days_that_there_are_can_be_written() {
        for right in ["2024-02-29", "2000-02-29", "1999-12-31", " 2026-03-12 "] {
            let date = Date::parse(right).unwrap_or_else(|| panic!("{right}"));
            assert_eq!(date.to_string(), right.trim());
        }
        for wrong in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-1-1",
            "26-01-01",
            "2026-01-01-01",
            "2026-04-31",
            "0000-01-01",
            "+026-01-01",
            "",
        ] {
            assert_eq!(Date::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Time::parse("23:59").map(Time::of_twelve), Some(11));
        assert_eq!(Time::parse("00:00").map(Time::of_twelve), Some(12));
        for wrong in ["24:00", "9:00", "09:60", "09:5", "0905", "+9:00"] {
            assert_eq!(Time::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_month_keeps_the_day_as_far_as_it_has_it() {
        let date = Date::parse("2024-02-29").unwrap();
        assert_eq!(date.moved_to(2025, 2).to_string(), "2025-02-28");
        assert_eq!(date.moved_to(2025, 3).to_string(), "2025-03-29");
    }
}
