//! Request handlers: from a request to its response.

mod events;
mod executions;
mod inspect;
mod meta;
mod run;

use contract::{ErrorBody, ErrorCode};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, HeaderMap, HeaderValue};
use hyper::{Method, Request, StatusCode};

use crate::App;
use crate::cors;
use crate::input::{self, Query, error_with_hint};
use crate::page;
use crate::reply::{Reply, error_reply, full_body};
use crate::route_table::{Endpoint, HEALTH, ROUTES};

/// A request with its complete body.
pub(crate) struct RouteRequest<'a> {
    pub(crate) headers: &'a HeaderMap,
    pub(crate) query: Query,
    /// The raw query.
    pub(crate) raw_query: &'a str,
    /// The value of the path segment in braces.
    pub(crate) part: &'a str,
    pub(crate) body: Bytes,
    pub(crate) path: &'static str,
}

impl RouteRequest<'_> {
    /// Refuses the keys that are left in the query.
    fn finish_query(&mut self) -> Result<(), ErrorBody> {
        std::mem::take(&mut self.query).finish()
    }
}

/// Handles a request.
pub(crate) async fn answer(app: &App, request: Request<Incoming>) -> Reply {
    let origin = app.guard.allowed_origin(request.headers()).cloned();
    let mut reply = match dispatch(app, request).await {
        Ok(reply) => reply,
        Err(error) => error_reply(&error),
    };
    if let Some(origin) = origin {
        cors::allow_origin(&mut reply, origin);
    }
    reply
}

async fn dispatch(app: &App, request: Request<Incoming>) -> Result<Reply, ErrorBody> {
    let (parts, body) = request.into_parts();
    app.guard.check_origin(&parts.headers, &parts.uri)?;
    let path = parts.uri.path();
    // Preflights have no token.
    if cors::is_preflight(&parts.method, &parts.headers)
        && app.guard.allowed_origin(&parts.headers).is_some()
    {
        return Ok(cors::preflight(&parts.headers));
    }
    if let Some(file) = page::answer(&parts.method, path, &parts.headers) {
        return file;
    }
    let mut found = ROUTES.iter();
    let found = found.find_map(|route| route.matches(path).map(|part| (route, part)));
    if found.is_none_or(|(route, _)| route.path != HEALTH) {
        app.guard.check_token(&parts.headers)?;
    }
    let Some((route, part)) = found else {
        let surface = app.mounts.iter().find(|(prefix, _)| {
            let rest = path.strip_prefix(prefix.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        let Some((_, surface)) = surface else {
            let shown = contract::truncate_input(path);
            let message = format!("no route at {shown:?}");
            return Err(error_with_hint(ErrorCode::RouteNotFound, message));
        };
        let body = input::read(&parts.headers, body, app.limits.body).await?;
        return Ok(surface(Request::from_parts(parts, Full::new(body))).await);
    };
    if parts.method == Method::OPTIONS {
        // Without CORS headers, other sites stay refused.
        let mut reply = Reply::new(full_body(Bytes::new()));
        *reply.status_mut() = StatusCode::NO_CONTENT;
        if let Ok(allow) = HeaderValue::from_str(&route.allow()) {
            reply.headers_mut().insert(ALLOW, allow);
        }
        return Ok(reply);
    }
    let method = match parts.method {
        // hyper omits the body.
        Method::HEAD => &Method::GET,
        ref other => other,
    };
    let mut methods = route.methods.iter();
    let endpoint = methods.find_map(|(taken, endpoint)| (taken == method).then_some(*endpoint));
    let Some(endpoint) = endpoint else {
        let allow = route.allow();
        let shown = contract::truncate(parts.method.as_str(), 20);
        let message = format!("{} supports {allow}, not {shown}", route.path);
        return Err(
            error_with_hint(ErrorCode::MethodNotAllowed, message).with_detail("allow", allow)
        );
    };
    let query = Query::read(parts.uri.query())?;
    let body = if endpoint.has_body() {
        input::read(&parts.headers, body, app.limits.body).await?
    } else {
        // An unused body is drained, so that the connection can be reused.
        let limited = http_body_util::Limited::new(body, input::MAX_BYTES);
        let _ = tokio::time::timeout(app.limits.body, limited.collect()).await;
        Bytes::new()
    };
    let request = RouteRequest {
        headers: &parts.headers,
        query,
        raw_query: parts.uri.query().unwrap_or_default(),
        part,
        body,
        path: route.path,
    };
    match endpoint {
        Endpoint::Health => meta::health(request),
        Endpoint::OpenApi => meta::openapi(request),
        Endpoint::Devices => meta::devices(app, request).await,
        Endpoint::Events => events::stream(app, request),
        Endpoint::Execute => run::execute(app, request).await,
        Endpoint::Snapshot => run::snapshot(app, request).await,
        Endpoint::Screenshot => run::screenshot(app, request).await,
        Endpoint::Inspect => inspect::inspect(app, request).await,
        Endpoint::Selectors => inspect::selectors(app, request).await,
        Endpoint::GetExecution => executions::find(app, request),
        Endpoint::CancelExecution => executions::cancel(app, request).await,
    }
}
