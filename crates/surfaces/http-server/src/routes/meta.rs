//! Health, OpenAPI description, devices.

use std::sync::OnceLock;

use contract::ErrorBody;
use hyper::StatusCode;
use hyper::body::Bytes;
use serde_json::json;

use super::RouteRequest;
use crate::App;
use crate::openapi;
use crate::reply::{self, Reply};

/// `GET /healthz`.
pub(super) fn health(request: RouteRequest<'_>) -> Result<Reply, ErrorBody> {
    request.query.finish()?;
    let health = json!({ "ok": true, "version": env!("CARGO_PKG_VERSION") });
    Ok(reply::value(StatusCode::OK, &health))
}

/// `GET /openapi.json`.
pub(super) fn openapi(request: RouteRequest<'_>) -> Result<Reply, ErrorBody> {
    static TEXT: OnceLock<Bytes> = OnceLock::new();
    request.query.finish()?;
    let text = TEXT.get_or_init(|| Bytes::from(openapi::text()));
    Ok(reply::json(StatusCode::OK, text.clone()))
}

/// `GET /devices`.
pub(super) async fn devices(app: &App, request: RouteRequest<'_>) -> Result<Reply, ErrorBody> {
    request.query.finish()?;
    let list = app.devices.devices().await?;
    let list = json!({ "ok": true, "devices": list.devices, "embedded": list.embedded });
    Ok(reply::value(StatusCode::OK, &list))
}
