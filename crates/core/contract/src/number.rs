//! Numbers of the contract: milliseconds and ratios, with fractions, but printed without a trailing `.0`.

use std::{fmt, time::Duration};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Number;

/// The largest whole number that a double holds exactly, 2^53.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// A JSON number; whole numbers have no fraction.
pub(crate) fn json_number(value: f64) -> Option<Number> {
    if value.fract() == 0.0 && value.abs() <= MAX_EXACT {
        // The cast is exact: the value is whole and within 2^53.
        return Some(Number::from(value as i64));
    }
    Number::from_f64(value)
}

/// Reads a whole number in any notation: JSON does not distinguish 15 and 15.0.
pub fn whole_number<'de, D: Deserializer<'de>, T: TryFrom<i64>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(from)? else {
        return Ok(None);
    };
    let fits = number.fract() == 0.0 && number.abs() <= MAX_EXACT;
    let found = fits.then_some(number as i64);
    match found.and_then(|number| T::try_from(number).ok()) {
        Some(number) => Ok(Some(number)),
        None => Err(de::Error::custom(format!(
            "{} is not a whole number in range",
            format_number(number)
        ))),
    }
}

/// Formats a number for a message, `30000` instead of `30000.0`.
pub(crate) fn format_number(value: f64) -> String {
    json_number(value).map_or_else(|| value.to_string(), |number| number.to_string())
}

pub(crate) fn serialize_number<S: Serializer>(
    value: &f64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match json_number(*value) {
        Some(number) => number.serialize(serializer),
        None => Err(serde::ser::Error::custom("a number must be finite")),
    }
}

/// A duration in milliseconds: finite, not negative, fractions kept.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Millis(f64);

impl Millis {
    /// Zero.
    pub const ZERO: Self = Self(0.0);

    /// A whole number of milliseconds.
    pub const fn whole(millis: u32) -> Self {
        Self(millis as f64)
    }

    /// `None` when the value is negative or not finite.
    pub fn new(millis: f64) -> Option<Self> {
        // Adding zero turns a negative zero into a positive one.
        (millis.is_finite() && millis >= 0.0).then_some(Self(millis + 0.0))
    }

    /// The value in milliseconds.
    pub const fn as_f64(self) -> f64 {
        self.0
    }

    /// As [`Duration`]; values that are too large become the maximum.
    pub fn to_duration(self) -> Duration {
        Duration::try_from_secs_f64(self.0 / 1_000.0).unwrap_or(Duration::MAX)
    }
}

impl From<Millis> for Duration {
    fn from(millis: Millis) -> Self {
        millis.to_duration()
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format_number(self.0))
    }
}

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_number(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Millis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(f64::deserialize(deserializer)?)
            .ok_or_else(|| de::Error::custom("milliseconds must be finite and not negative"))
    }
}

impl JsonSchema for Millis {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Millis".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0 })
    }
}

/// A fraction between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Ratio(f64);

impl Ratio {
    /// `None` when the value is outside 0 to 1.
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value + 0.0))
    }

    /// The value.
    pub const fn as_f64(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format_number(self.0))
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_number(&self.0, serializer)
    }
}

impl JsonSchema for Ratio {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Ratio".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_print_without_a_fraction() {
        let json = |millis: f64| serde_json::to_string(&Millis::new(millis)).unwrap();
        assert_eq!(json(30_000.0), "30000");
        assert_eq!(json(1.5), "1.5");
        assert_eq!(json(-0.0), "0");
        assert_eq!(json(1e300), "1e+300");
    }

    #[test]
    fn duration_keeps_fractions_of_milliseconds() {
        assert_eq!(
            Millis::new(1.5).unwrap().to_duration(),
            Duration::from_micros(1_500)
        );
        assert_eq!(Millis::new(1e300).unwrap().to_duration(), Duration::MAX);
    }

    #[test]
    fn invalid_durations_are_refused() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.1] {
            assert_eq!(Millis::new(value), None, "{value}");
        }
        for value in [f64::NAN, -0.1, 1.01] {
            assert_eq!(Ratio::new(value), None, "{value}");
        }
    }
}
