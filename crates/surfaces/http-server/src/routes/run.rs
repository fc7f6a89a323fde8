//! Running plans: given ones, or those of snapshot and screenshot.

use std::time::Duration;

use contract::keys::ParamKey;
use contract::{
    ActionKind, DryRunResult, ErrorBody, ErrorCode, Execution, ParsedExecution, ValidationResult,
    limits,
};
use hyper::StatusCode;
use hyper::header::{ACCEPT, HeaderName, HeaderValue};
use serde_json::{Map, Value};
use service::device_pool::{IdempotencyKey, Outcome, Run, RunRequest, Task};
use service::{ImageFormat, OperatorPackage, TransportOptions, plans};

use super::RouteRequest;
use crate::App;
use crate::input::{self, Fields, error_with_hint};
use crate::reply::{self, Reply};
use crate::route_table::Endpoint;

/// `source` of plans made here.
pub(super) const SOURCE: &str = "serve-api";

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Options common to all requests that run something.
pub(super) struct RunOptions {
    device: Option<String>,
    transport: Option<TransportOptions>,
    wait: Option<Duration>,
    key: Option<IdempotencyKey>,
}

impl RunOptions {
    /// Takes the options out of the body and the query.
    pub(super) fn take(
        app: &App,
        request: &mut RouteRequest<'_>,
        fields: &mut Fields,
    ) -> Result<Self, ErrorBody> {
        let device = fields.text("deviceId", ErrorCode::InvalidDeviceId)?;
        let package = fields.text("operatorPackage", ErrorCode::InvalidOperatorPackage)?;
        if let Some(package) = &package {
            OperatorPackage::check(package)
                .map_err(|why| error_with_hint(ErrorCode::InvalidOperatorPackage, why))?;
        }
        let wait = request
            .query
            .millis("wait", limits::MAX_EXECUTION_TIMEOUT_MS)?;
        let mut keys = request.headers.get_all(IDEMPOTENCY_KEY).iter();
        let key = match (keys.next(), keys.next()) {
            (None, _) => None,
            (Some(key), None) => {
                let content: [&[u8]; 3] = [
                    request.path.as_bytes(),
                    request.raw_query.as_bytes(),
                    &request.body,
                ];
                Some(
                    app.devices
                        .key(key.to_str().unwrap_or_default(), &content)?,
                )
            }
            (Some(_), Some(_)) => {
                let message = "Idempotency-Key appears more than once";
                return Err(error_with_hint(ErrorCode::InvalidHeader, message));
            }
        };
        Ok(Self {
            device,
            key,
            transport: package.map(|package| TransportOptions::from_flags(app.via, Some(&package))),
            wait,
        })
    }

    /// Runs a plan.
    pub(super) async fn run(
        self,
        app: &App,
        parsed: ParsedExecution,
        task: Task,
    ) -> Result<RunReply, ErrorBody> {
        let run = app.devices.run(RunRequest {
            device: self.device,
            transport: self.transport,
            parsed,
            task,
            wait: self.wait,
            key: self.key,
        })?;
        let outcome = run.outcome().await;
        Ok(RunReply { run, outcome })
    }
}

/// A finished run.
pub(super) struct RunReply {
    run: Run,
    outcome: std::sync::Arc<Outcome>,
}

impl RunReply {
    /// Its answer.
    pub(super) fn reply(&self) -> Reply {
        let mut reply = match (self.outcome.error(), self.outcome.bytes()) {
            (Some(error), _) => reply::error_reply(&error),
            (None, Ok(bytes)) => reply::json(StatusCode::OK, bytes),
            (None, Err(error)) => reply::error_reply(&reply::serialize_error(&error)),
        };
        if self.run.is_repeated() {
            let value = HeaderValue::from_static("true");
            reply.headers_mut().insert(REPLAYED, value);
        }
        reply
    }
}

/// The fields of a body.
pub(super) fn fields(request: &RouteRequest<'_>) -> Result<Fields, ErrorBody> {
    input::parse_object(request.headers, &request.body).map(Fields::from)
}

/// `POST /execute`: runs, validates or outlines a plan.
pub(super) async fn execute(app: &App, mut request: RouteRequest<'_>) -> Result<Reply, ErrorBody> {
    let mut fields = fields(&request)?;
    let plan = match fields.take("execution") {
        None | Some(Value::Null) => {
            let message = "the body has no 'execution'";
            let error = error_with_hint(ErrorCode::MissingExecution, message);
            return Err(match fields.has("actions") {
                true => error.with_hint(
                    "The body looks like the plan itself; send {\"execution\": <the plan>, \"deviceId\": …}",
                ),
                false => error,
            });
        }
        Some(plan) => plan,
    };
    let common = RunOptions::take(app, &mut request, &mut fields)?;
    let dry = request.query.flag("dryRun")?;
    let only_validate = request.query.flag("validateOnly")?;
    fields.finish()?;
    request.finish_query()?;
    let parsed = match Execution::from_value(&plan) {
        Ok(parsed) => parsed,
        Err(invalid) => {
            let error = ErrorBody::from(invalid);
            if let Some(device) = &common.device {
                app.devices.refused(device, plan, &error);
            }
            return Err(error);
        }
    };
    // `dryRun` takes precedence over `validateOnly`; with either, nothing runs.
    if dry {
        return Ok(reply::value(StatusCode::OK, &DryRunResult::from(parsed)));
    }
    if only_validate {
        return Ok(reply::value(
            StatusCode::OK,
            &ValidationResult::from(parsed),
        ));
    }
    Ok(common.run(app, parsed, Task::Run).await?.reply())
}

/// `POST /snapshot`: reads the screen as a tree.
pub(super) async fn snapshot(app: &App, mut request: RouteRequest<'_>) -> Result<Reply, ErrorBody> {
    let mut fields = fields(&request)?;
    let common = RunOptions::take(app, &mut request, &mut fields)?;
    let params = take_params(&mut fields, Endpoint::Snapshot);
    let timeout = fields.number("timeoutMs")?;
    fields.finish()?;
    request.finish_query()?;
    let parsed = plans::one("snapshot", SOURCE, ActionKind::SnapshotUi, params, timeout)?;
    Ok(common.run(app, parsed, Task::Run).await?.reply())
}

/// `POST /screenshot`: returns the path of the file, or the image if its format is requested.
pub(super) async fn screenshot(
    app: &App,
    mut request: RouteRequest<'_>,
) -> Result<Reply, ErrorBody> {
    let mut fields = fields(&request)?;
    let common = RunOptions::take(app, &mut request, &mut fields)?;
    let path = fields.text("path", ErrorCode::InvalidPath)?;
    let has_path = path.is_some();
    let mut params = take_params(&mut fields, Endpoint::Screenshot);
    if let Some(path) = path {
        let params = params.get_or_insert_default();
        params.insert(ParamKey::Path.as_str().to_owned(), path.into());
    }
    let timeout = fields.number("timeoutMs")?;
    fields.finish()?;
    request.finish_query()?;
    let kind = ActionKind::TakeScreenshot;
    let parsed = plans::one("screenshot", SOURCE, kind, params, timeout)?;
    let finished = common.run(app, parsed, Task::Run).await?;
    let answer = match &*finished.outcome {
        Outcome::Answer(answer) if wants_image(&request) => answer,
        Outcome::Answer(_) | Outcome::Inspection(_) | Outcome::Failed(_) => {
            return Ok(finished.reply());
        }
    };
    let envelope = &answer.envelope;
    let step = envelope.step_results.first();
    let file = step.filter(|step| step.success);
    let Some(file) = file.and_then(|step| step.data.get("path")) else {
        let code = envelope.error_code.as_deref().and_then(ErrorCode::parse);
        let message = step.and_then(|step| step.data.get("message"));
        let message = message.or(envelope.error.as_deref());
        return Err(error_with_hint(
            code.unwrap_or(ErrorCode::ScreenshotFailed),
            message.unwrap_or("the screenshot file is missing"),
        ));
    };
    let picture = read_screenshot(file.to_owned()).await?;
    let Some(format) = ImageFormat::of_file(&picture) else {
        let message = "the screenshot file is not a picture any more";
        return Err(error_with_hint(ErrorCode::ScreenshotFailed, message));
    };
    // A client that knows the path, or that may repeat the request, still needs the file.
    if !has_path && !request.headers.contains_key(IDEMPOTENCY_KEY) {
        // Failing to delete it is not an error.
        let _ = std::fs::remove_file(file);
    }
    Ok(reply::reply(StatusCode::OK, format.media_type(), picture))
}

/// Takes the params of an endpoint's action out of the body; null counts as absent.
fn take_params(fields: &mut Fields, endpoint: Endpoint) -> Option<Map<String, Value>> {
    let mut params = Map::new();
    for key in endpoint.params().iter().map(|key| key.as_str()) {
        if let Some(value) = fields.take(key).filter(|value| !value.is_null()) {
            params.insert(key.to_owned(), value);
        }
    }
    Some(params).filter(|params| !params.is_empty())
}

/// Reads a screenshot.
async fn read_screenshot(file: String) -> Result<Vec<u8>, ErrorBody> {
    let read = tokio::task::spawn_blocking(move || std::fs::read(file));
    let failed = |error: &dyn std::fmt::Display| {
        let message = format!("cannot read the screenshot file: {error}");
        error_with_hint(ErrorCode::ScreenshotFailed, message)
    };
    match read.await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => Err(failed(&error)),
        Err(error) => Err(failed(&error)),
    }
}

/// Whether the client prefers an image.
fn wants_image(request: &RouteRequest<'_>) -> bool {
    let accepted = request.headers.get(ACCEPT);
    let accepted = accepted.and_then(|kinds| kinds.to_str().ok());
    let first = accepted.unwrap_or_default().split([',', ';']).next();
    let images = [ImageFormat::Png, ImageFormat::Jpeg].map(ImageFormat::media_type);
    first.is_some_and(|kind| {
        let kind = kind.trim();
        images.iter().any(|image| image.eq_ignore_ascii_case(kind))
    })
}
