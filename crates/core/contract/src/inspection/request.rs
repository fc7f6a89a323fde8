//! The request of a server to find or name an element.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The query: a description, filters that must all match, or both.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InspectRequest {
    /// The element in plain words: `the login button`, `second delete under Billing`.
    #[serde(default)]
    pub description: Option<String>,
    /// Part of its text or name.
    #[serde(default, alias = "textContains")]
    pub text_contains: Option<String>,
    /// An element near it.
    #[serde(default)]
    pub near: Option<NearRequest>,
    /// Values of its attributes; `*` stands for any characters.
    #[serde(default)]
    pub attributes: AttributeRequest,
    /// Its tag, such as `button`; on a phone the class of its widget or the last part of it.
    #[serde(default)]
    pub tag: Option<String>,
    /// Use only ids and test ids that are not generated.
    #[serde(default, alias = "strictStability")]
    pub strict_stability: bool,
    /// The maximum number of elements in the answer.
    #[serde(default, deserialize_with = "crate::whole_number")]
    #[schemars(range(min = 1, max = 20))]
    pub limit: Option<usize>,
}

/// An element that must be near.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "an object such as {\"selector\": \"Name\", \"direction\": \"below\"}"
)]
pub struct NearRequest {
    /// A matcher, a CSS selector on web pages, or text on the screen.
    pub selector: Value,
    /// Position relative to it: above, below, left, right or inside.
    #[serde(default)]
    pub direction: Option<String>,
}

/// Values of attributes.
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
    /// Its placeholder.
    #[serde(default)]
    pub placeholder: Option<String>,
    /// The type of an input or a button.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
}
