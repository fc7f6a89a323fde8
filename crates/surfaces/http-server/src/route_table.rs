//! The table of routes: paths, methods and what they do.

use contract::keys::ParamKey;
use hyper::Method;

/// What a path with a method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    /// Checks that the server is running.
    Health,
    /// Returns the description of the routes.
    OpenApi,
    /// Lists devices.
    Devices,
    /// Streams events.
    Events,
    /// Runs a plan.
    Execute,
    /// Takes a snapshot.
    Snapshot,
    /// Takes a screenshot.
    Screenshot,
    /// Finds an element by description.
    Inspect,
    /// Lists the selectors of an element.
    Selectors,
    /// Returns an execution by its id.
    GetExecution,
    /// Cancels an execution.
    CancelExecution,
}

impl Endpoint {
    /// Whether it reads the request body.
    pub(crate) const fn has_body(self) -> bool {
        match self {
            Self::Execute | Self::Snapshot | Self::Screenshot | Self::Inspect | Self::Selectors => {
                true
            }
            Self::Health
            | Self::OpenApi
            | Self::Devices
            | Self::Events
            | Self::GetExecution
            | Self::CancelExecution => false,
        }
    }

    /// The params of an action that the body has beside the options of the request.
    pub(crate) const fn params(self) -> &'static [ParamKey] {
        match self {
            Self::Snapshot => &[ParamKey::View, ParamKey::Budget, ParamKey::All],
            Self::Screenshot => &[
                ParamKey::Path,
                ParamKey::FullPage,
                ParamKey::Matcher,
                ParamKey::Marks,
                ParamKey::MaxSide,
            ],
            Self::Execute
            | Self::Inspect
            | Self::Selectors
            | Self::Health
            | Self::OpenApi
            | Self::Devices
            | Self::Events
            | Self::GetExecution
            | Self::CancelExecution => &[],
        }
    }
}

/// A path with its methods. A last segment in braces matches any one segment.
pub(crate) struct Route {
    pub(crate) path: &'static str,
    pub(crate) methods: &'static [(Method, Endpoint)],
}

/// A route with one method.
const fn route(path: &'static str, methods: &'static [(Method, Endpoint)]) -> Route {
    Route { path, methods }
}

/// The path of the health check, which needs no token.
pub(crate) const HEALTH: &str = "/healthz";

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
            (Method::GET, Endpoint::GetExecution),
            (Method::DELETE, Endpoint::CancelExecution),
        ],
    ),
    route("/devices", &[(Method::GET, Endpoint::Devices)]),
    route("/events", &[(Method::GET, Endpoint::Events)]),
    route(HEALTH, &[(Method::GET, Endpoint::Health)]),
    route("/openapi.json", &[(Method::GET, Endpoint::OpenApi)]),
];

impl Route {
    /// The value of the segment in braces if the path matches; empty without braces.
    pub(crate) fn matches<'a>(&self, path: &'a str) -> Option<&'a str> {
        match self.path.split_once('{') {
            None => (self.path == path).then_some(""),
            Some((prefix, _)) => path
                .strip_prefix(prefix)
                .filter(|part| !part.is_empty() && !part.contains('/')),
        }
    }

    /// The value of the header `Allow`.
    pub(crate) fn allow(&self) -> String {
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
