//! The body of `POST /selectors`.

use serde::Deserialize;
use serde_json::Value;

/// The default number of selectors.
pub(crate) const DEFAULT_SELECTORS: usize = 8;
/// The maximum number of selectors.
pub(crate) const MAX_SELECTORS: usize = 20;
/// The maximum number of matching elements whose bounds are returned.
pub(crate) const MAX_POINTS: usize = 500;

/// A known element: exactly one of matcher, coordinate and ref.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelectorsRequest {
    #[serde(default)]
    pub(crate) matcher: Option<Value>,
    #[serde(default)]
    pub(crate) coordinate: Option<PointRequest>,
    #[serde(default, rename = "ref")]
    pub(crate) reference: Option<String>,
    #[serde(default, alias = "strictStability")]
    pub(crate) strict_stability: bool,
    #[serde(default, deserialize_with = "contract::whole_number")]
    pub(crate) limit: Option<usize>,
    #[serde(default, deserialize_with = "contract::whole_number")]
    pub(crate) places: Option<usize>,
}

/// A point of the screen.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PointRequest {
    #[serde(deserialize_with = "pixel")]
    pub(crate) x: i32,
    #[serde(deserialize_with = "pixel")]
    pub(crate) y: i32,
}

/// A required whole number.
fn pixel<'de, D: serde::Deserializer<'de>>(from: D) -> Result<i32, D::Error> {
    contract::whole_number(from)?.ok_or_else(|| serde::de::Error::custom("a number is missing"))
}

impl SelectorsRequest {
    /// Its schema, for the description of the routes.
    pub(crate) fn schema() -> Value {
        serde_json::json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "matcher": { "$ref": "#/components/schemas/NodeMatcher" },
                "coordinate": {
                    "type": "object",
                    "description": "A point in device pixels; selects the innermost element there that accepts actions.",
                    "additionalProperties": false,
                    "required": ["x", "y"],
                    "properties": {
                        "x": { "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX },
                        "y": { "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX },
                    },
                },
                "ref": {
                    "type": "string",
                    "description": "The element's ref from a response of /inspect.",
                },
                "strict_stability": {
                    "type": "boolean",
                    "description": "Return only selectors by ids and test ids that are not generated.",
                },
                "limit": { "type": ["integer", "null"], "minimum": 1, "maximum": MAX_SELECTORS, "default": DEFAULT_SELECTORS },
                "places": {
                    "type": ["integer", "null"],
                    "minimum": 0,
                    "maximum": MAX_POINTS,
                    "default": 0,
                    "description": "Maximum number of matching elements whose bounds are returned.",
                },
            },
            "oneOf": [
                { "required": ["matcher"] },
                { "required": ["coordinate"] },
                { "required": ["ref"] },
            ],
        })
    }
}
