//! The routes: one table of paths and methods, and the way of a request to its answer.

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
use crate::input::{self, Query, bad};
use crate::page;
use crate::reply::{Reply, error_reply, full_body};

pub(crate) use inspect::SelectorsRequest;

/// What a path and a method mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    /// Whether the server is there.
    Health,
    /// What there is.
    OpenApi,
    /// The devices.
    Devices,
    /// What happens.
    Events,
    /// A plan.
    Execute,
    /// The screen as a tree.
    Snapshot,
    /// The screen as a picture.
    Screenshot,
    /// An element by its description.
    Inspect,
    /// The names of an element.
    Selectors,
    /// A run by its name.
    Find,
    /// A run is called off.
    Cancel,
}

impl Endpoint {
    /// Whether it reads what the request brings along.
    pub(crate) const fn has_body(self) -> bool {
        match self {
            Self::Execute | Self::Snapshot | Self::Screenshot | Self::Inspect | Self::Selectors => {
                true
            }
            Self::Health
            | Self::OpenApi
            | Self::Devices
            | Self::Events
            | Self::Find
            | Self::Cancel => false,
        }
    }
}

/// A path with its methods. A last part in braces stands for any one part.
pub(crate) struct Route {
    pub(crate) path: &'static str,
    pub(crate) methods: &'static [(Method, Endpoint)],
}

/// A route with one method.
const fn route(path: &'static str, methods: &'static [(Method, Endpoint)]) -> Route {
    Route { path, methods }
}

/// Where one asks whether the server is there, which needs no token.
const HEALTH: &str = "/healthz";

/// Every route.
pub(crate) const ROUTES: &[Route] = &[
    route("/execute", &[(Method::POST, Endpoint::Execute)]),
    route("/snapshot", &[(Method::POST, Endpoint::Snapshot)]),
    route("/screenshot", &[(Method::POST, Endpoint::Screenshot)]),
    route("/inspect", &[(Method::POST, Endpoint::Inspect)]),
    route("/selectors", &[(Method::POST, Endpoint::Selectors)]),
    route(
        "/executions/{commandId}",
        &[
            (Method::GET, Endpoint::Find),
            (Method::DELETE, Endpoint::Cancel),
        ],
    ),
    route("/devices", &[(Method::GET, Endpoint::Devices)]),
    route("/events", &[(Method::GET, Endpoint::Events)]),
    route(HEALTH, &[(Method::GET, Endpoint::Health)]),
    route("/openapi.json", &[(Method::GET, Endpoint::OpenApi)]),
];

impl Route {
    /// Whether a path is this one's; with the part that stands for the braces.
    fn takes<'a>(&self, path: &'a str) -> Option<&'a str> {
        match self.path.split_once('{') {
            None => (self.path == path).then_some(""),
            Some((prefix, _)) => path
                .strip_prefix(prefix)
                .filter(|part| !part.is_empty() && !part.contains('/')),
        }
    }

    /// The methods that it takes, as the header `Allow` says them.
    fn allow(&self) -> String {
        let mut allowed = Vec::new();
        for (method, _) in self.methods {
            allowed.push(method.as_str());
            if *method == Method::GET {
                allowed.push("HEAD");
            }
        }
        allowed.push("OPTIONS");
        allowed.join(", ")
    }
}

/// A request whose body is there.
pub(crate) struct RouteRequest<'a> {
    pub(crate) headers: &'a HeaderMap,
    pub(crate) query: Query,
    /// The query as it was written.
    pub(crate) raw_query: &'a str,
    /// The part of the path that stands for the braces.
    pub(crate) part: &'a str,
    pub(crate) body: Bytes,
    pub(crate) path: &'static str,
}

/// Answers a request, whatever it is.
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
    // A browser asks this without the token.
    if cors::is_preflight(&parts.method, &parts.headers)
        && app.guard.allowed_origin(&parts.headers).is_some()
    {
        return Ok(cors::preflight(&parts.headers));
    }
    if let Some(file) = page::answer(&parts.method, path, &parts.headers) {
        return file;
    }
    let mut found = ROUTES.iter();
    let found = found.find_map(|route| route.takes(path).map(|part| (route, part)));
    if found.is_none_or(|(route, _)| route.path != HEALTH) {
        app.guard.check_token(&parts.headers)?;
    }
    let Some((route, part)) = found else {
        let surface = app.mounts.iter().find(|(prefix, _)| {
            let rest = path.strip_prefix(prefix.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        let Some((_, surface)) = surface else {
            let shown: String = path.chars().take(80).collect();
            let message = format!("no route at {shown:?}");
            return Err(bad(ErrorCode::RouteNotFound, message));
        };
        let body = input::read(&parts.headers, body, app.limits.body).await?;
        return Ok(surface(Request::from_parts(parts, Full::new(body))).await);
    };
    if parts.method == Method::OPTIONS {
        // No header says that pages of other sites may ask.
        let mut reply = Reply::new(full_body(Bytes::new()));
        *reply.status_mut() = StatusCode::NO_CONTENT;
        if let Ok(allow) = HeaderValue::from_str(&route.allow()) {
            reply.headers_mut().insert(ALLOW, allow);
        }
        return Ok(reply);
    }
    let method = match parts.method {
        // The server leaves the body of the answer out.
        Method::HEAD => &Method::GET,
        ref other => other,
    };
    let mut methods = route.methods.iter();
    let endpoint = methods.find_map(|(taken, endpoint)| (taken == method).then_some(*endpoint));
    let Some(endpoint) = endpoint else {
        let allow = route.allow();
        let shown: String = parts.method.as_str().chars().take(20).collect();
        let message = format!("{} supports {allow}, not {shown}", route.path);
        return Err(bad(ErrorCode::MethodNotAllowed, message).with_detail("allow", allow));
    };
    let query = Query::read(parts.uri.query())?;
    let body = if endpoint.has_body() {
        input::read(&parts.headers, body, app.limits.body).await?
    } else {
        // A body means nothing here; it is read so that the next request of the connection is found behind it.
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
        Endpoint::Find => executions::find(app, request),
        Endpoint::Cancel => executions::cancel(app, request).await,
    }
}
