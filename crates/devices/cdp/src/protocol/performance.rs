//! Counters of a page, such as how often it was laid out.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::Deserialize;

use super::{EmptyResult, bare};

bare! {
    /// Starts counting.
    Enable = "Performance.enable" -> EmptyResult;
    /// The counters.
    GetMetrics = "Performance.getMetrics" -> Metrics;
}

/// The counters by name.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Metrics {
    pub metrics: Vec<Metric>,
}

/// A counter.
#[derive(Clone, Debug, Deserialize)]
pub struct Metric {
    /// Such as `LayoutCount`, `RecalcStyleCount`, `JSEventListeners`.
    pub name: String,
    pub value: f64,
}
