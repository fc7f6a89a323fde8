//! `press_key`: presses a key of the device.

use schemars::JsonSchema;
use serde::Serialize;

use super::ReadParams;
use crate::{
    params::{Given, ParamKey},
    retry::{Retry, RetryParams},
    words::Key,
};

/// Presses a key.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct PressKey {
    /// The key.
    pub key: Key,
    /// How often pressing is tried; preset `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

impl PressKey {
    /// The retry policy in effect.
    #[must_use]
    pub fn retry(&self) -> Retry {
        self.retry.map_or(Retry::NONE, |given| given.policy())
    }
}

impl ReadParams for PressKey {
    const EXAMPLE: &'static str = r#"{"key":"back"}"#;

    fn read(given: &mut Given<'_>) -> Option<Self> {
        let key = given.word::<Key>(ParamKey::Key);
        if key.is_absent() {
            given.refuse_missing(ParamKey::Key);
        }
        let retry = given.retry(ParamKey::Retry);
        Some(Self {
            key: key.required()?,
            retry: retry.optional()?,
        })
    }
}
