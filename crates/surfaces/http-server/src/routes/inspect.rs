//! Finding elements, and selectors of known elements.

use contract::{ActionKind, ErrorBody, ErrorCode, InspectRequest, NodeMatcher, ParsedExecution};
use serde::Deserialize;
use serde_json::Value;
use service::device_pool::Task;
use service::inspect::{ElementDescription, KnownElement, SelectorOptions, StabilityFilter};
use service::plans;

use super::RouteRequest;
use super::run::{self, RunOptions, SOURCE};
use crate::App;
use crate::input::{Fields, error_with_hint};
use crate::reply::Reply;
use crate::selectors_request::{
    DEFAULT_SELECTORS, MAX_PLACES, MAX_SELECTORS, PointRequest, SelectorsRequest,
};

/// `POST /inspect`: finds an element and returns its selectors.
pub(super) async fn inspect(app: &App, mut request: RouteRequest<'_>) -> Result<Reply, ErrorBody> {
    let mut fields = run::fields(&request)?;
    let common = RunOptions::take(app, &mut request, &mut fields)?;
    let plan = inspection_plan(&mut fields)?;
    request.finish_query()?;
    let request: InspectRequest = read(fields)?;
    let inquiry = ElementDescription::try_from(request)?;
    let task = Task::Inspect(Box::new(inquiry));
    Ok(common.run(app, plan, task).await?.reply())
}

/// `POST /selectors`: lists the selectors of a known element.
pub(super) async fn selectors(
    app: &App,
    mut request: RouteRequest<'_>,
) -> Result<Reply, ErrorBody> {
    let mut fields = run::fields(&request)?;
    let common = RunOptions::take(app, &mut request, &mut fields)?;
    let plan = inspection_plan(&mut fields)?;
    request.finish_query()?;
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
    if places > MAX_PLACES {
        return Err(refused(format!(
            "places must be a whole number from 0 to {MAX_PLACES}"
        )));
    }
    let known = match (request.matcher, request.coordinate, request.reference) {
        (Some(matcher), None, None) => KnownElement::matcher(NodeMatcher::from_value(&matcher)?),
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
        true => StabilityFilter::Strict,
        false => StabilityFilter::Any,
    };
    let task = Task::Selectors(
        known,
        SelectorOptions {
            wanted,
            limit,
            places,
        },
    );
    Ok(common.run(app, plan, task).await?.reply())
}

/// The plan that reads the screen.
fn inspection_plan(fields: &mut Fields) -> Result<ParsedExecution, ErrorBody> {
    let timeout = fields.number("timeoutMs")?;
    plans::one("inspect", SOURCE, ActionKind::SnapshotUi, None, timeout)
}

/// Parses the remaining fields of a body.
fn read<T: for<'de> Deserialize<'de>>(fields: Fields) -> Result<T, ErrorBody> {
    serde_json::from_value(Value::Object(fields.into_map())).map_err(|error| {
        let problem = error.to_string();
        let error = error_with_hint(ErrorCode::InvalidBody, format!("the body: {problem}"));
        match contract::nearest_field(&problem) {
            Some(meant) => error.with_suggestion(meant),
            None => error,
        }
    })
}
