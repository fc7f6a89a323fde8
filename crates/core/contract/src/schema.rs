//! JSON Schemas of all JSON types, generated from the types themselves.

use schemars::{
    JsonSchema, Schema, SchemaGenerator,
    generate::SchemaSettings,
    transform::{Transform, transform_subschemas},
};
use serde_json::Value;

use crate::{
    answer::{DeviceAnswer, DryRunResult, ValidationResult},
    error::ErrorBody,
    execution::Execution,
    inspection::Inspection,
    matcher::NodeMatcher,
    result::ResultEnvelope,
};

/// Every schema with its file name.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("execution.schema.json", of::<Execution>()),
        ("matcher.schema.json", of::<NodeMatcher>()),
        ("result-envelope.schema.json", of::<ResultEnvelope>()),
        ("error.schema.json", of::<ErrorBody>()),
        ("device-answer.schema.json", of::<DeviceAnswer>()),
        ("validated.schema.json", of::<ValidationResult>()),
        ("planned.schema.json", of::<DryRunResult>()),
        ("inspection.schema.json", of::<Inspection>()),
    ]
}

/// The complete schema of a type.
pub fn of<T: JsonSchema>() -> Value {
    generator().into_root_schema_for::<T>().to_value()
}

/// The complete schema of a request: keys with a default may be absent, and null where it is accepted.
pub fn of_request<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(RemoveFormats);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    schema.to_value()
}

/// A generator of schemas for output, which is stricter than accepted input.
pub(crate) fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .with_transform(RemoveFormats)
        .with_transform(RemoveNulls)
        .into_generator()
}

/// Removes the widths of numbers, which are a detail of Rust.
#[derive(Debug, Clone)]
struct RemoveFormats;

impl Transform for RemoveFormats {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(object) = schema.as_object_mut() {
            let is_number = object
                .get("type")
                .is_some_and(|kind| kind != "string" && kind != "object");
            if is_number {
                object.remove("format");
            }
        }
        transform_subschemas(self, schema);
    }
}

/// Removes null for keys that are left out instead.
#[derive(Debug, Clone)]
struct RemoveNulls;

impl Transform for RemoveNulls {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(object) = schema.as_object_mut() {
            let required: Vec<Value> = object
                .get("required")
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default();
            if let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) {
                for (name, property) in properties {
                    if !required.iter().any(|other| other == name) {
                        remove_null(property);
                    }
                }
            }
        }
        transform_subschemas(self, schema);
    }
}

fn remove_null(property: &mut Value) {
    let Some(object) = property.as_object_mut() else {
        return;
    };
    if let Some(Value::Array(kinds)) = object.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    let Some(Value::Array(choices)) = object.get_mut("anyOf") else {
        return;
    };
    choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
    if let [Value::Object(only)] = choices.as_slice() {
        let only = only.clone();
        object.remove("anyOf");
        object.extend(only);
    }
}
