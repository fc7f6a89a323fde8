//! The error object that every surface prints.

use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ErrorCode;

/// The failure of a whole request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{code}: {message}")]
#[serde(deny_unknown_fields)]
pub struct ErrorBody {
    /// The stable code to branch on.
    pub code: ErrorCode,
    /// One sentence for people; its wording is not stable.
    pub message: String,
    /// The likely intended value, ready to use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Facts about the failure; which ones depends on the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Details>,
}

impl ErrorBody {
    /// An error with only a code and a message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            suggestion: None,
            hint: None,
            details: None,
        }
    }

    /// Sets the hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the default hint of its code.
    #[must_use]
    pub fn with_default_hint(self) -> Self {
        let fix = self.code.hint();
        self.with_hint(fix)
    }

    /// Sets the suggestion.
    #[must_use]
    pub fn with_suggestion(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// Adds an entry to its details.
    #[must_use]
    pub fn with_detail(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.details
            .get_or_insert_default()
            .insert(key.into(), value.into());
        self
    }

    /// The entry of the details with this key.
    pub fn detail(&self, key: &str) -> Option<&Value> {
        self.details.as_ref()?.get(key)
    }
}

/// Facts about a failure: an object whose keys keep their order.
// Boxed, so that results that carry an error stay small.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Details(Box<Map<String, Value>>);

impl Details {
    /// Sets an entry.
    pub fn insert(&mut self, key: String, value: Value) {
        self.0.insert(key, value);
    }
}

impl Deref for Details {
    type Target = Map<String, Value>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl From<Map<String, Value>> for Details {
    fn from(map: Map<String, Value>) -> Self {
        Self(Box::new(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_keys_have_fixed_order_and_absent_ones_are_omitted() {
        let error = ErrorBody::new(ErrorCode::NoDevices, "no device");
        assert_eq!(
            serde_json::to_string(&error).unwrap(),
            r#"{"code":"NO_DEVICES","message":"no device"}"#
        );
        let full = error
            .with_detail("b", 1)
            .with_detail("a", 2)
            .with_hint("h")
            .with_suggestion("s");
        let json = serde_json::to_string(&full).unwrap();
        assert_eq!(
            json,
            r#"{"code":"NO_DEVICES","message":"no device","suggestion":"s","hint":"h","details":{"b":1,"a":2}}"#
        );
        assert_eq!(serde_json::from_str::<ErrorBody>(&json).unwrap(), full);
    }

    #[test]
    fn error_body_is_small() {
        assert!(size_of::<ErrorBody>() <= 96, "{}", size_of::<ErrorBody>());
    }
}
