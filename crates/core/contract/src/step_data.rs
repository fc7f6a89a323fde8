//! The data of a step: strings by name.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer, de,
    de::{MapAccess, Visitor},
};
use serde_json::Value;

/// The data of a step: strings by name, in insertion order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StepData(Vec<(String, String)>);

impl StepData {
    /// Empty data.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a value; an existing key keeps its position.
    pub fn push(&mut self, key: impl Into<String>, value: impl Into<String>) {
        let (key, value) = (key.into(), value.into());
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some(entry) => entry.1 = value,
            None => self.0.push((key, value)),
        }
    }

    /// Like [`Self::push`], for chaining.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.push(key, value);
        self
    }

    /// The value with this key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.iter()
            .find(|(known, _)| *known == key)
            .map(|(_, value)| value)
    }

    /// Removes a value.
    pub fn remove(&mut self, key: &str) -> Option<String> {
        let index = self.0.iter().position(|(known, _)| known == key)?;
        Some(self.0.remove(index).1)
    }

    /// All values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for StepData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for StepData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(StepDataVisitor)
    }
}

struct StepDataVisitor;

impl<'de> Visitor<'de> for StepDataVisitor {
    type Value = StepData;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<StepData, A::Error> {
        let mut data = StepData::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            // Some devices answer with bare numbers and booleans.
            let text = match value {
                Value::String(text) => text,
                Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
                Value::Array(_) | Value::Object(_) => {
                    return Err(de::Error::custom(format_args!("`{key}` is not a string")));
                }
            };
            data.push(key, text);
        }
        Ok(data)
    }
}

impl JsonSchema for StepData {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "StepData".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What the step found: strings by name.",
            "type": "object",
            "additionalProperties": { "type": "string" },
        })
    }
}
