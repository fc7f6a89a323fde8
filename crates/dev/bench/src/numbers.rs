//! Medians, quantiles, rates.

use std::time::Duration;

/// The `part` quantile of `values` (nearest rank); `None` without values.
pub fn quantile(values: &[f64], part: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied()
}

/// The median; of an even number of values the mean of the middle two.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        count if count % 2 == 1 => sorted.get(middle).copied(),
        _ => Some((sorted.get(middle - 1)? + sorted.get(middle)?) / 2.0),
    }
}

/// Milliseconds.
pub fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// The percentage of true `values`; `None` without values.
pub fn share(values: impl IntoIterator<Item = bool>) -> Option<f64> {
    let (mut count, mut held) = (0_u32, 0_u32);
    for value in values {
        count += 1;
        held += u32::from(value);
    }
    (count > 0).then(|| 100.0 * f64::from(held) / f64::from(count))
}

/// With one decimal; a dash for `None`.
pub fn tenths(value: Option<f64>) -> String {
    match value {
        Some(value) => format!("{value:.1}"),
        None => "–".to_owned(),
    }
}

pub fn tenths_json(value: Option<f64>) -> serde_json::Value {
    match value {
        Some(value) => serde_json::json!((value * 10.0).round() / 10.0),
        None => serde_json::Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_computed() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(quantile(&hundred, 0.95), Some(95.0));
        assert_eq!(quantile(&[5.0], 0.95), Some(5.0));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(share([true, false, true, true]), Some(75.0));
        assert_eq!(share([]), None);
        assert_eq!(tenths(share([true, false, false])), "33.3");
        assert_eq!(tenths(None), "–");
    }
}
