//! Elements: found by description, or named where they are known.

use contract::{ActionKind, ErrorBody, ErrorCode, InspectRequest, NodeMatcher, Parsed};
use serde::Deserialize;
use serde_json::Value;
use service::device_pool::Task;
use service::inspect::{ElementDescription, KnownElement, SelectorOptions, Wanted};
use service::plans;

use super::RouteRequest;
use super::run::{self, RunOptions, SOURCE};
use crate::App;
use crate::input::{Fields, bad};
use crate::reply::Reply;

/// How many selectors an element that is known is given where nothing is said.
const DEFAULT_SELECTORS: usize = 8;
/// How many at most.
const MAX_SELECTORS: usize = 20;
/// Of how many elements that a matcher hits the places are told at most.
const MAX_POINTS: usize = 500;

/// `POST /inspect`: the element that is meant, with its selectors.
pub(super) async fn inspect(app: &App, mut request: RouteRequest<'_>) -> Result<Reply, ErrorBody> {
    let mut fields = run::fields(&request)?;
    let common = RunOptions::take(app, &mut request, &mut fields)?;
    let look = inspection_plan(&mut fields)?;
    std::mem::take(&mut request.query).end()?;
    let request: InspectRequest = read(fields)?;
    let inquiry = ElementDescription::try_from(request)?;
    let task = Task::Inspect(Box::new(inquiry));
    Ok(common.run(app, look, task).await?.reply())
}

/// What names an element that is known: one of matcher, coordinate and ref.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelectorsRequest {
    #[serde(default)]
    matcher: Option<Value>,
    #[serde(default)]
    coordinate: Option<PointRequest>,
    #[serde(default, rename = "ref")]
    reference: Option<String>,
    #[serde(default, alias = "strictStability")]
    strict_stability: bool,
    #[serde(default, deserialize_with = "contract::whole_number")]
    limit: Option<usize>,
    #[serde(default, deserialize_with = "contract::whole_number")]
    places: Option<usize>,
}

/// A place on the screen.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PointRequest {
    #[serde(deserialize_with = "pixel")]
    x: i32,
    #[serde(deserialize_with = "pixel")]
    y: i32,
}

/// A whole number that has to be there.
fn pixel<'de, D: serde::Deserializer<'de>>(from: D) -> Result<i32, D::Error> {
    contract::whole_number(from)?.ok_or_else(|| serde::de::Error::custom("a number is missing"))
}

impl SelectorsRequest {
    /// Its shape, for the description of the routes.
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

/// `POST /selectors`: every name of an element that is known.
pub(super) async fn selectors(
    app: &App,
    mut request: RouteRequest<'_>,
) -> Result<Reply, ErrorBody> {
    let mut fields = run::fields(&request)?;
    let common = RunOptions::take(app, &mut request, &mut fields)?;
    let look = inspection_plan(&mut fields)?;
    std::mem::take(&mut request.query).end()?;
    let request: SelectorsRequest = read(fields)?;
    let refused = |message: String| {
        ErrorBody::new(ErrorCode::ExecutionValidationFailed, message)
            .with_hint("/openapi.json has the schema of the body")
    };
    let limit = request.limit.unwrap_or(DEFAULT_SELECTORS);
    if !(1..=MAX_SELECTORS).contains(&limit) {
        return Err(refused(format!(
            "limit must be a whole number from 1 to {MAX_SELECTORS}"
        )));
    }
    let places = request.places.unwrap_or(0);
    if places > MAX_POINTS {
        return Err(refused(format!(
            "places must be a whole number from 0 to {MAX_POINTS}"
        )));
    }
    let known = match (request.matcher, request.coordinate, request.reference) {
        (Some(matcher), None, None) => KnownElement::Matcher(NodeMatcher::from_value(&matcher)?),
        (None, Some(PointRequest { x, y }), None) => KnownElement::at(x, y),
        (None, None, Some(reference)) => KnownElement::by_ref(&reference).ok_or_else(|| {
            refused("ref must be a ref from a response of /inspect, such as 42-9f3a".to_owned())
        })?,
        (None, None, None) | (Some(_), _, _) | (_, Some(_), _) => {
            let message = "exactly one of matcher, coordinate and ref is required";
            return Err(refused(message.to_owned())
                .with_hint("Send one of them, as in {\"matcher\":{\"textEquals\":\"Wi-Fi\"}}"));
        }
    };
    let wanted = match request.strict_stability {
        true => Wanted::Strict,
        false => Wanted::Any,
    };
    let task = Task::Selectors(
        known,
        SelectorOptions {
            wanted,
            limit,
            places,
        },
    );
    Ok(common.run(app, look, task).await?.reply())
}

/// The plan that looks at the screen.
fn inspection_plan(fields: &mut Fields) -> Result<Parsed, ErrorBody> {
    let timeout = fields.number("timeoutMs")?;
    plans::one("inspect", SOURCE, ActionKind::SnapshotUi, None, timeout)
}

/// What is left of a body, as a request of its own.
fn read<T: for<'de> Deserialize<'de>>(fields: Fields) -> Result<T, ErrorBody> {
    serde_json::from_value(Value::Object(fields.into_map()))
        .map_err(|error| bad(ErrorCode::InvalidBody, format!("the body: {error}")))
}
