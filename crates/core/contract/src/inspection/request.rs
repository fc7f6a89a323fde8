//! What is asked when an element is looked for or named, as servers are asked it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// What is meant: a description, filters that must all hold, or both.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InspectRequest {
    /// What is meant, in your own words: `the login button`, `second delete under Billing`.
    #[serde(default)]
    pub description: Option<String>,
    /// Words that are written in it or in its name.
    #[serde(default, alias = "textContains")]
    pub text_contains: Option<String>,
    /// What it lies close to.
    #[serde(default)]
    pub near: Option<NearRequest>,
    /// What its attributes say; `*` stands for any characters.
    #[serde(default)]
    pub attributes: AttributeRequest,
    /// Its tag, such as `button`; on a phone the class of its widget or the last part of it.
    #[serde(default)]
    pub tag: Option<String>,
    /// Name it by ids and test ids only that no program has made up.
    #[serde(default, alias = "strictStability")]
    pub strict_stability: bool,
    /// How many elements are given at most.
    #[serde(default, deserialize_with = "crate::whole_number")]
    #[schemars(range(min = 1, max = 20))]
    pub limit: Option<usize>,
}

/// What an element lies close to.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "an object such as {\"selector\": \"Name\", \"direction\": \"below\"}"
)]
pub struct NearRequest {
    /// A matcher, on web pages a CSS selector, or words that stand on the screen.
    pub selector: Value,
    /// On which side of it: above, below, left, right or inside.
    #[serde(default)]
    pub direction: Option<String>,
}

/// What attributes say.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "an object such as {\"role\": \"button\"}"
)]
pub struct AttributeRequest {
    /// Its role.
    #[serde(default)]
    pub role: Option<String>,
    /// Its aria-label or accessible name; on a phone the content description.
    #[serde(default, alias = "ariaLabel")]
    pub aria_label: Option<String>,
    /// Its data-testid, data-test, data-qa or data-cy; on a phone the resource id.
    #[serde(default, alias = "dataTestid")]
    pub data_testid: Option<String>,
    /// A part of its class.
    #[serde(default, alias = "classContains")]
    pub class_contains: Option<String>,
    /// What stands in the empty field.
    #[serde(default)]
    pub placeholder: Option<String>,
    /// The type of an input or a button.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
}
