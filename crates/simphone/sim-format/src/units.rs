//! Parses times and percentages of app files and faults.

use std::time::Duration;

pub const FRAME: Duration = Duration::from_millis(16);

/// The longest allowed time, in hours: a year.
const MAX_HOURS: f64 = 24.0 * 365.0;

/// The units of time, the longer words first, each in milliseconds.
const UNITS: [(&str, f64); 4] = [
    ("ms", 1.0),
    ("s", 1000.0),
    ("m", 60_000.0),
    ("h", 3_600_000.0),
];

/// Why a text was not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnitError {
    Form,
    /// The value is not allowed, for this reason.
    Value(&'static str),
}

impl UnitError {
    /// Returns the reason as the end of a message; empty for a syntax error.
    pub(crate) fn reason(self) -> String {
        match self {
            Self::Form => String::new(),
            Self::Value(why) => format!(": {why}"),
        }
    }
}

/// Parses `800ms`, `1.2s`, `5m` or `1h`, to the millisecond.
pub(crate) fn time(text: &str) -> Result<Duration, UnitError> {
    let split = UNITS
        .into_iter()
        .find_map(|(unit, millis)| Some((text.strip_suffix(unit)?, millis)));
    let (digits, millis) = split.ok_or(UnitError::Form)?;
    let millis = number(digits.trim_end())? * millis;
    if millis > MAX_HOURS * 3_600_000.0 {
        return Err(UnitError::Value("a time is a year at most"));
    }
    Ok(Duration::from_millis(millis.round() as u64))
}

/// Parses a time, or two separated by `..`, the shorter one first.
pub(crate) fn range(text: &str) -> Result<(Duration, Duration), UnitError> {
    let Some((min, max)) = text.split_once("..") else {
        return time(text).map(|time| (time, time));
    };
    let (min, max) = (time(min)?, time(max)?);
    if min > max {
        return Err(UnitError::Value("the shorter time comes first"));
    }
    Ok((min, max))
}

/// Parses `10%` or `2.5%`, from 0 to 100.
pub(crate) fn percent(text: &str) -> Result<f64, UnitError> {
    let digits = text.strip_suffix('%').ok_or(UnitError::Form)?;
    let percent = number(digits.trim_end())?;
    if percent > 100.0 {
        return Err(UnitError::Value("a percentage is from 0% to 100%"));
    }
    Ok(percent)
}

/// Parses digits with at most one point.
fn number(digits: &str) -> Result<f64, UnitError> {
    let plain = digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    match digits.strip_prefix('-').map(number) {
        Some(Ok(_)) => Err(UnitError::Value("it cannot be negative")),
        _ if !plain => Err(UnitError::Form),
        _ => digits.parse().map_err(|_| UnitError::Form),
    }
}
