//! The body of `POST /selectors`.

use contract::NodeMatcher;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The default number of selectors.
pub(crate) const DEFAULT_SELECTORS: usize = 8;
/// The maximum number of selectors.
pub(crate) const MAX_SELECTORS: usize = 20;
/// The maximum number of matching elements whose bounds are returned.
pub(crate) const MAX_PLACES: usize = 500;

/// A known element: exactly one of matcher, coordinate and ref.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    { "required": ["matcher"] },
    { "required": ["coordinate"] },
    { "required": ["ref"] },
]))]
pub(crate) struct SelectorsRequest {
    /// A matcher as in a plan.
    #[serde(default)]
    #[schemars(with = "Option<NodeMatcher>")]
    pub(crate) matcher: Option<Value>,
    /// A point in device pixels; selects the innermost element there that accepts actions.
    #[serde(default)]
    pub(crate) coordinate: Option<PointRequest>,
    /// The element's ref from a response of /inspect.
    #[serde(default, rename = "ref")]
    pub(crate) reference: Option<String>,
    /// Return only selectors by ids and test ids that are not generated.
    #[serde(default, alias = "strictStability")]
    pub(crate) strict_stability: bool,
    /// Maximum number of selectors.
    #[serde(default, deserialize_with = "contract::whole_number")]
    #[schemars(range(min = 1, max = MAX_SELECTORS), extend("default" = DEFAULT_SELECTORS))]
    pub(crate) limit: Option<usize>,
    /// Maximum number of matching elements whose bounds are returned.
    #[serde(default, deserialize_with = "contract::whole_number")]
    #[schemars(range(min = 0, max = MAX_PLACES), extend("default" = 0))]
    pub(crate) places: Option<usize>,
}

/// A point of the screen.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PointRequest {
    #[serde(deserialize_with = "pixel")]
    #[schemars(range(min = i32::MIN, max = i32::MAX))]
    pub(crate) x: i32,
    #[serde(deserialize_with = "pixel")]
    #[schemars(range(min = i32::MIN, max = i32::MAX))]
    pub(crate) y: i32,
}

/// A required whole number.
fn pixel<'de, D: serde::Deserializer<'de>>(from: D) -> Result<i32, D::Error> {
    contract::whole_number(from)?.ok_or_else(|| serde::de::Error::custom("a number is missing"))
}
