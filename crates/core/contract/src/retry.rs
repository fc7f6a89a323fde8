//! Retry policies: number of attempts and the delays between them.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{
    limits,
    number::{Millis, Ratio, format_number, serialize_number},
    problem::{Findings, Path},
    read::{self, FieldValue, Keys},
    warning::WarningCode,
    words::words,
};

/// A complete retry policy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retry {
    /// Maximum number of attempts, including the first.
    pub max_attempts: u32,
    /// The delay before the second attempt.
    pub initial_delay: Millis,
    /// The maximum delay before jitter.
    pub max_delay: Millis,
    /// The factor by which each delay is longer than the previous one.
    pub backoff_multiplier: f64,
    /// The share by which a delay randomly varies.
    pub jitter_ratio: f64,
}

impl Retry {
    /// One attempt.
    pub const NONE: Self = Self {
        max_attempts: 1,
        initial_delay: Millis::ZERO,
        max_delay: Millis::ZERO,
        backoff_multiplier: 1.0,
        jitter_ratio: 0.0,
    };
    /// For steps that look up a node on a screen that may still change.
    pub const UI_READINESS: Self = Self::doubling(5, 500, 3_000);
    /// For starting an app.
    pub const APP_LAUNCH: Self = Self::doubling(4, 750, 4_000);
    /// For a page whose server is not reached: it may be starting.
    pub const PAGE_LOAD: Self = Self::doubling(3, 250, 500);
    /// For closing an app.
    pub const APP_CLOSE: Self = Self::doubling(4, 400, 2_000);
    /// For scrolling to a node.
    pub const UI_SCROLL: Self = Self::doubling(4, 400, 2_000);

    /// The presets, with their names on the reference pages.
    pub const PRESETS: &[(&str, Self)] = &[
        ("UiReadiness", Self::UI_READINESS),
        ("UiScroll", Self::UI_SCROLL),
        ("AppLaunch", Self::APP_LAUNCH),
        ("PageLoad", Self::PAGE_LOAD),
        ("AppClose", Self::APP_CLOSE),
        ("None", Self::NONE),
    ];

    const fn doubling(max_attempts: u32, initial_ms: u32, max_ms: u32) -> Self {
        Self {
            max_attempts,
            initial_delay: Millis::whole(initial_ms),
            max_delay: Millis::whole(max_ms),
            backoff_multiplier: 2.0,
            jitter_ratio: 0.15,
        }
    }

    /// The delays between attempts, in order and without jitter.
    pub fn delays(&self) -> impl Iterator<Item = Millis> + use<> {
        let Self {
            max_attempts,
            initial_delay,
            max_delay,
            backoff_multiplier,
            ..
        } = *self;
        let max_pause = max_delay.as_f64().max(initial_delay.as_f64());
        let mut next = initial_delay.as_f64();
        (1..max_attempts).map_while(move |_| {
            let delay = Millis::new(next);
            next = (next * backoff_multiplier).min(max_pause);
            delay
        })
    }
}

/// A retry policy in a payload; `{}` means one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct RetryParams {
    /// Maximum number of attempts, including the first: 1 means no retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = limits::MAX_RETRY_ATTEMPTS), extend("default" = 1))]
    pub max_attempts: Option<u32>,
    /// The delay before the second attempt, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = limits::MAX_RETRY_INITIAL_DELAY_MS), extend("default" = 0))]
    pub initial_delay_ms: Option<Millis>,
    /// The maximum delay before jitter, in milliseconds; at least `initialDelayMs`, its default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = limits::MAX_RETRY_DELAY_MS))]
    pub max_delay_ms: Option<Millis>,
    /// The factor by which each delay is longer than the previous one.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "serialize_factor"
    )]
    #[schemars(with = "Option<f64>", range(min = 1, max = limits::MAX_RETRY_BACKOFF), extend("default" = 1))]
    pub backoff_multiplier: Option<f64>,
    /// The share by which a delay randomly varies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = 0))]
    pub jitter_ratio: Option<Ratio>,
}

fn serialize_factor<S: serde::Serializer>(
    factor: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match factor {
        Some(factor) => serialize_number(factor, serializer),
        None => serializer.serialize_none(),
    }
}

words! {
    /// The keys of a retry object.
    pub enum RetryKey {
        /// The number of attempts.
        MaxAttempts = "maxAttempts",
        /// The delay before the second attempt.
        InitialDelayMs = "initialDelayMs",
        /// The maximum delay before jitter.
        MaxDelayMs = "maxDelayMs",
        /// The factor by which each delay is longer than the previous one.
        BackoffMultiplier = "backoffMultiplier",
        /// The share by which a delay randomly varies.
        JitterRatio = "jitterRatio",
    }
}

impl RetryParams {
    /// A second attempt at the latest after this time; on the way, a step looks whenever the screen changes.
    pub(crate) fn within(time: Millis) -> Self {
        Self {
            max_attempts: Some(2),
            initial_delay_ms: Some(time),
            ..Self::default()
        }
    }

    /// The complete policy for this object.
    pub fn policy(&self) -> Retry {
        let initial_delay = self.initial_delay_ms.unwrap_or(Millis::ZERO);
        Retry {
            max_attempts: self.max_attempts.unwrap_or(1),
            initial_delay,
            max_delay: self.max_delay_ms.unwrap_or(initial_delay),
            backoff_multiplier: self.backoff_multiplier.unwrap_or(1.0),
            jitter_ratio: self.jitter_ratio.map_or(0.0, Ratio::as_f64),
        }
    }

    pub(crate) fn read(value: &Value, path: &Path, findings: &mut Findings) -> Option<Self> {
        let map = read::object(value, path, findings)?;
        let keys = Keys::<RetryKey>::resolve(map, path, findings);
        let number = |key, findings: &mut Findings| {
            let (taken, place) = keys.take(key, path, findings);
            let number = taken.and_then(|value| read::number(value, &place, findings));
            (number, place)
        };
        let (attempts, place) = number(RetryKey::MaxAttempts, findings);
        let attempts = attempts
            .and_then(|given| whole(given, &place, findings))
            .and_then(|given| {
                clamp(
                    given,
                    1.0,
                    limits::MAX_RETRY_ATTEMPTS.into(),
                    &place,
                    findings,
                )
            });
        let (initial, place) = number(RetryKey::InitialDelayMs, findings);
        let initial = initial.and_then(|given| {
            clamp(
                given,
                0.0,
                limits::MAX_RETRY_INITIAL_DELAY_MS.into(),
                &place,
                findings,
            )
        });
        let min = match initial {
            FieldValue::Value(initial) => initial,
            FieldValue::Absent | FieldValue::Broken => 0.0,
        };
        let (longest, place) = number(RetryKey::MaxDelayMs, findings);
        let longest = longest.and_then(|given| {
            clamp(
                given,
                min,
                limits::MAX_RETRY_DELAY_MS.into(),
                &place,
                findings,
            )
        });
        let (backoff, place) = number(RetryKey::BackoffMultiplier, findings);
        let backoff = backoff
            .and_then(|given| clamp(given, 1.0, limits::MAX_RETRY_BACKOFF, &place, findings));
        let (jitter, place) = number(RetryKey::JitterRatio, findings);
        let jitter = jitter.and_then(|given| clamp(given, 0.0, 1.0, &place, findings));
        let strict = !keys.has_unknown();
        keys.refuse_unknown(path, findings, read::unexplained);
        if !strict {
            return None;
        }
        Some(Self {
            // The cast is exact: the value is whole and was clamped to the range.
            max_attempts: attempts.optional()?.map(|value| value as u32),
            initial_delay_ms: initial.optional()?.and_then(Millis::new),
            max_delay_ms: longest.optional()?.and_then(Millis::new),
            backoff_multiplier: backoff.optional()?,
            jitter_ratio: jitter.optional()?.and_then(Ratio::new),
        })
    }
}

fn whole(number: f64, path: &Path, findings: &mut Findings) -> Option<f64> {
    if number.fract() != 0.0 {
        findings.malformed(
            path,
            format_args!("must be a whole number, not {}", format_number(number)),
        );
        return None;
    }
    Some(number)
}

/// Clamps a value to its range, with a warning; the value is known to be finite.
pub(crate) fn clamp(
    number: f64,
    min: f64,
    max: f64,
    path: &Path,
    findings: &mut Findings,
) -> Option<f64> {
    let moved = number.max(min).min(max);
    if moved != number {
        findings.warn(
            WarningCode::ValueClamped,
            path,
            format_args!(
                "was clamped from {} to {}; the range is {} to {}",
                format_number(number),
                format_number(moved),
                format_number(min),
                format_number(max)
            ),
        );
    }
    Some(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_pause_as_documented() {
        let delays = |retry: Retry| retry.delays().map(Millis::as_f64).collect::<Vec<_>>();
        assert_eq!(
            delays(Retry::UI_READINESS),
            [500.0, 1_000.0, 2_000.0, 3_000.0]
        );
        assert_eq!(delays(Retry::APP_LAUNCH), [750.0, 1_500.0, 3_000.0]);
        assert_eq!(delays(Retry::PAGE_LOAD), [250.0, 500.0]);
        assert_eq!(delays(Retry::APP_CLOSE), [400.0, 800.0, 1_600.0]);
        assert_eq!(delays(Retry::UI_SCROLL), [400.0, 800.0, 1_600.0]);
        assert_eq!(delays(Retry::NONE), [] as [f64; 0]);
    }

    #[test]
    fn empty_retry_object_means_one_attempt() {
        assert_eq!(RetryParams::default().policy(), Retry::NONE);
    }

    #[test]
    fn max_delay_defaults_to_initial_delay() {
        let policy = RetryParams {
            max_attempts: Some(3),
            initial_delay_ms: Millis::new(100.0),
            backoff_multiplier: Some(2.0),
            ..RetryParams::default()
        }
        .policy();
        assert_eq!(policy.max_delay, Millis::whole(100));
        assert_eq!(
            policy.delays().map(Millis::as_f64).collect::<Vec<_>>(),
            [100.0, 100.0]
        );
    }
}
