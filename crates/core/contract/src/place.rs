//! A node or a point, as an end of a drag.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{
    coordinate::Coordinate,
    matcher::NodeMatcher,
    problem::{Findings, Path},
    read::{self, FieldValue, Keys},
    words::words,
};

/// A node or a point.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub enum Place {
    /// The center of a node.
    #[serde(rename = "matcher")]
    Node(NodeMatcher),
    /// The point.
    #[serde(rename = "coordinate")]
    Point(Coordinate),
}

words! {
    /// The keys of a place.
    pub enum PlaceKey {
        /// The node.
        Matcher = "matcher" | "selector" | "node" | "element",
        /// The point.
        Coordinate = "coordinate",
    }
}

impl Place {
    /// The matcher of a node.
    pub const fn matcher(&self) -> Option<&NodeMatcher> {
        match self {
            Self::Node(matcher) => Some(matcher),
            Self::Point(_) => None,
        }
    }

    pub(crate) fn read(value: &Value, path: &Path, findings: &mut Findings) -> Option<Self> {
        let map = read::object(value, path, findings)?;
        let keys = Keys::<PlaceKey>::resolve(map, path, findings);
        let (matcher, place) = keys.take(PlaceKey::Matcher, path, findings);
        let matcher = matcher.and_then(|value| NodeMatcher::read(value, &place, findings));
        let (point, place) = keys.take(PlaceKey::Coordinate, path, findings);
        let point = point.and_then(|value| Coordinate::read(value, &place, findings));
        let strict = !keys.has_unknown();
        keys.refuse_unknown(path, findings, read::unexplained);
        match (matcher, point) {
            (FieldValue::Absent, FieldValue::Absent) if strict => {
                findings.malformed(path, "must have either `matcher` or `coordinate`");
                None
            }
            (FieldValue::Value(matcher), FieldValue::Absent) if strict => Some(Self::Node(matcher)),
            (FieldValue::Absent, FieldValue::Value(point)) if strict => Some(Self::Point(point)),
            (FieldValue::Value(_), FieldValue::Value(_)) => {
                findings.malformed(path, "must not have both `matcher` and `coordinate`");
                None
            }
            _ => None,
        }
    }
}
