//! Executions by id: status, result, cancellation.

use std::sync::Arc;
use std::time::Duration;

use contract::ErrorBody;
use hyper::StatusCode;
use serde_json::{Map, Value, json};
use service::device_pool::{Phase, Run};

use super::RouteRequest;
use crate::App;
use crate::input::percent_decode;
use crate::reply::{self, Reply};

/// Time to wait for a cancelled run, which ends before its next input.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(5);

/// `GET /executions/{commandId}`.
pub(super) fn find(app: &App, request: RouteRequest<'_>) -> Result<Reply, ErrorBody> {
    let run = find_run(app, request)?;
    Ok(reply::value(StatusCode::OK, &status_body(&run)))
}

/// `DELETE /executions/{commandId}`: cancels an execution; a finished one is unchanged.
pub(super) async fn cancel(app: &App, request: RouteRequest<'_>) -> Result<Reply, ErrorBody> {
    let run = find_run(app, request)?;
    run.cancel();
    let ended = tokio::time::timeout(CANCEL_TIMEOUT, run.outcome()).await;
    let status = match ended {
        Ok(_) => StatusCode::OK,
        Err(_) => StatusCode::ACCEPTED,
    };
    Ok(reply::value(status, &status_body(&run)))
}

fn find_run(app: &App, mut request: RouteRequest<'_>) -> Result<Run, ErrorBody> {
    let command_id = percent_decode(request.part)?;
    let device = request.query.take("deviceId");
    request.query.finish()?;
    app.devices.find(&command_id, device.as_deref())
}

/// The status of an execution.
fn status_body(run: &Run) -> Value {
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| {
        fields.insert(key.to_owned(), value);
    };
    // The result is set before the phase.
    let ended = run.ended();
    let phase = match ended {
        Some(_) => Phase::Ended,
        None => run.phase(),
    };
    put("ok", true.into());
    put("commandId", run.execution().command_id().into());
    put("taskId", run.execution().task_id().into());
    if let Some(device) = run.device() {
        put("deviceId", device.into());
    }
    put("state", phase.as_str().into());
    put("actionCount", run.execution().actions().len().into());
    let steps = run.steps();
    let steps = steps.iter().map(|step| json!(Arc::as_ref(step)));
    put("steps", steps.collect());
    if let Some(outcome) = ended {
        put("result", outcome.body());
    }
    Value::Object(fields)
}
