//! Requests to find an element, as servers accept them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// A query for an element: a description, filters that must all match, or both.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InspectRequest {
    /// A description in your own words: `the login button`, `second delete under Billing`.
    #[serde(default)]
    pub description: Option<String>,
    /// Words in its text or name.
    #[serde(default, alias = "textContains")]
    pub text_contains: Option<String>,
    /// An element nearby.
    #[serde(default)]
    pub near: Option<NearRequest>,
    /// Its attributes; `*` matches any characters.
    #[serde(default)]
    pub attributes: AttributeRequest,
    /// Its tag, such as `button`; on a phone, its widget class or the last part of it.
    #[serde(default)]
    pub tag: Option<String>,
    /// Return only selectors by ids and test ids that are not generated.
    #[serde(default, alias = "strictStability")]
    pub strict_stability: bool,
    /// Maximum number of elements.
    #[serde(default, deserialize_with = "crate::whole_number")]
    #[schemars(range(min = 1, max = 20))]
    pub limit: Option<usize>,
}

/// An element near the requested one.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "an object such as {\"selector\": \"Name\", \"direction\": \"below\"}"
)]
pub struct NearRequest {
    /// A matcher, a CSS selector on web pages, or visible text.
    pub selector: Value,
    /// The side of it: above, below, left, right or inside.
    #[serde(default)]
    pub direction: Option<String>,
}

/// Attributes of the element; all must match.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "an object such as {\"role\": \"button\"}"
)]
pub struct AttributeRequest {
    /// Its role.
    #[serde(default)]
    pub role: Option<String>,
    /// Its aria-label or accessible name; on a phone, the content description.
    #[serde(default, alias = "ariaLabel")]
    pub aria_label: Option<String>,
    /// Its data-testid, data-test, data-qa or data-cy; on a phone, the resource id.
    #[serde(default, alias = "dataTestid")]
    pub data_testid: Option<String>,
    /// A substring of its class.
    #[serde(default, alias = "classContains")]
    pub class_contains: Option<String>,
    /// Its placeholder.
    #[serde(default)]
    pub placeholder: Option<String>,
    /// Its type attribute.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
}
