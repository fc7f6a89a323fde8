//! Times and percentages as they are written in app files and in faults: one grammar for both.

use std::time::Duration;

/// The time between two frames.
pub const FRAME: Duration = Duration::from_millis(16);

/// The longest time that can be written, in hours: a year.
const MAX_HOURS: f64 = 24.0 * 365.0;

/// The units of time, the longer words first, each in milliseconds.
const UNITS: [(&str, f64); 4] = [
    ("ms", 1.0),
    ("s", 1000.0),
    ("m", 60_000.0),
    ("h", 3_600_000.0),
];

/// Why a text is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It does not look like it.
    Form,
    /// It looks like it and cannot be it; this is why.
    Value(&'static str),
}

impl Unread {
    /// The reason, behind what was said already; nothing when the form is wrong.
    pub(crate) fn reason(self) -> String {
        match self {
            Self::Form => String::new(),
            Self::Value(why) => format!(": {why}"),
        }
    }
}

/// `800ms`, `1.2s`, `5m` or `1h`, to the millisecond.
pub(crate) fn time(text: &str) -> Result<Duration, Unread> {
    let split = UNITS
        .into_iter()
        .find_map(|(unit, millis)| Some((text.strip_suffix(unit)?, millis)));
    let (digits, millis) = split.ok_or(Unread::Form)?;
    let millis = number(digits.trim_end())? * millis;
    if millis > MAX_HOURS * 3_600_000.0 {
        return Err(Unread::Value("a time is a year at most"));
    }
    Ok(Duration::from_millis(millis.round() as u64))
}

/// A time, or two with `..` between them, the shorter one first.
pub(crate) fn range(text: &str) -> Result<(Duration, Duration), Unread> {
    let Some((least, most)) = text.split_once("..") else {
        return time(text).map(|time| (time, time));
    };
    let (least, most) = (time(least)?, time(most)?);
    if least > most {
        return Err(Unread::Value("the shorter time stands first"));
    }
    Ok((least, most))
}

/// `10%` or `2.5%`, from 0 to 100.
pub(crate) fn percent(text: &str) -> Result<f64, Unread> {
    let digits = text.strip_suffix('%').ok_or(Unread::Form)?;
    let percent = number(digits.trim_end())?;
    if percent > 100.0 {
        return Err(Unread::Value("a percentage is from 0% to 100%"));
    }
    Ok(percent)
}

/// Digits with at most one point.
fn number(digits: &str) -> Result<f64, Unread> {
    let plain = digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    match digits.strip_prefix('-').map(number) {
        Some(Ok(_)) => Err(Unread::Value("it cannot be negative")),
        _ if !plain => Err(Unread::Form),
        _ => digits.parse().map_err(|_| Unread::Form),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        let millis = |text| time(text).map(|time| time.as_millis());
        assert_eq!(millis("800ms"), Ok(800));
        assert_eq!(millis("1.2s"), Ok(1200));
        assert_eq!(millis(".5 s"), Ok(500));
        assert_eq!(millis("5m"), Ok(300_000));
        assert_eq!(millis("1h"), Ok(3_600_000));
        assert_eq!(millis("8760h"), Ok(31_536_000_000));
        assert_eq!(millis("0.1ms"), Ok(0));
        for text in [
            "", "5", "s", "1e3ms", "NaNs", "infs", "1.2.3s", "+1s", "1d", "--1s",
        ] {
            assert_eq!(millis(text), Err(Unread::Form), "{text}");
        }
        for text in ["8761h", "99999999999999999999999999s", "-1s"] {
            assert!(matches!(millis(text), Err(Unread::Value(_))), "{text}");
        }
    }

    #[test]
    fn ranges_begin_with_the_shorter_time() {
        let (short, long) = (Duration::from_millis(200), Duration::from_secs(1));
        assert_eq!(range("200ms..1s"), Ok((short, long)));
        assert_eq!(range("1s"), Ok((long, long)));
        assert_eq!(
            range("1s..200ms"),
            Err(Unread::Value("the shorter time stands first"))
        );
        assert_eq!(range("1s.."), Err(Unread::Form));
    }

    #[test]
    fn percentages_end_at_a_hundred() {
        assert_eq!(percent("2.5%"), Ok(2.5));
        assert_eq!(percent("100 %"), Ok(100.0));
        assert!(matches!(percent("101%"), Err(Unread::Value(_))));
        assert!(matches!(percent("-1%"), Err(Unread::Value(_))));
        assert_eq!(percent("ten%"), Err(Unread::Form));
        assert_eq!(percent("10"), Err(Unread::Form));
    }
}
