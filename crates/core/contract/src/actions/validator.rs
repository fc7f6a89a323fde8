//! The required form of a text that was read.

use pattern::Pattern;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::{limits, params::ParamReader, payload_keys::ParamKey, read::FieldValue, words::words};

/// The required form of the whole text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "validator", rename_all = "snake_case")]
pub enum Validator {
    /// A temperature, such as `20.7°C`.
    Temperature,
    /// A version, such as `1.2.3`.
    Version,
    /// A text that matches the pattern as a whole.
    Regex {
        /// An ECMAScript regular expression. Required if `validator` is `regex`.
        #[serde(rename = "validatorPattern", serialize_with = "as_text")]
        #[schemars(with = "String", length(max = limits::MAX_PATTERN_LENGTH), regex(pattern = "\\S"))]
        pattern: Pattern,
    },
}

words! {
    /// The names of the validators.
    pub enum ValidatorName {
        /// See [`Validator::Temperature`].
        Temperature = "temperature",
        /// See [`Validator::Version`].
        Version = "version",
        /// See [`Validator::Regex`].
        Regex = "regex",
    }
}

impl Validator {
    /// The name in a payload.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Temperature => ValidatorName::Temperature.as_str(),
            Self::Version => ValidatorName::Version.as_str(),
            Self::Regex { .. } => ValidatorName::Regex.as_str(),
        }
    }

    pub(super) fn read(reader: &mut ParamReader<'_>) -> FieldValue<Self> {
        const PATTERN: ParamKey = ParamKey::ValidatorPattern;
        let name = reader.word::<ValidatorName>(ParamKey::Validator);
        if name.is_absent() {
            reader.explain_unused(
                PATTERN,
                "is used only if `validator` is `regex`; the text is not validated",
            );
        }
        name.and_then(|name| match name {
            ValidatorName::Regex => pattern(reader).map(|pattern| Self::Regex { pattern }),
            ValidatorName::Temperature | ValidatorName::Version => {
                reader.explain_unused(PATTERN, "is used only if `validator` is `regex`");
                match name {
                    ValidatorName::Temperature => Some(Self::Temperature),
                    _ => Some(Self::Version),
                }
            }
        })
    }
}

fn as_text<S: Serializer>(pattern: &Pattern, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(pattern.as_str())
}

/// The compiled pattern.
fn pattern(reader: &mut ParamReader<'_>) -> Option<Pattern> {
    const KEY: ParamKey = ParamKey::ValidatorPattern;
    let pattern = reader.filled_text(KEY);
    if pattern.is_absent() {
        reader.refuse(KEY, "is required if `validator` is `regex`");
    }
    let pattern = pattern.required()?;
    let length = limits::length(&pattern);
    if length > limits::MAX_PATTERN_LENGTH {
        reader.refuse(
            KEY,
            format_args!(
                "must have at most {} characters, not {length}",
                limits::MAX_PATTERN_LENGTH
            ),
        );
        return None;
    }
    match Pattern::new(&pattern) {
        Ok(pattern) => Some(pattern),
        Err(error) => {
            reader.refuse(KEY, format_args!("is not a regular expression: {error}"));
            None
        }
    }
}
