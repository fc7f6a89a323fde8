//! CORS for pages of allowed origins.

use hyper::body::Bytes;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    HeaderMap, HeaderName, HeaderValue, VARY,
};
use hyper::{Method, StatusCode};

use crate::reply::{Reply, full_body};

/// Sent if a public page requests a private network address.
const REQUEST_PRIVATE_NETWORK: HeaderName =
    HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE_NETWORK: HeaderName =
    HeaderName::from_static("access-control-allow-private-network");
/// Allowed request headers.
const REQUEST_HEADERS: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, idempotency-key, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name",
);
/// Response headers exposed to pages.
const ANSWER_HEADERS: HeaderValue =
    HeaderValue::from_static("allow, retry-after, www-authenticate, mcp-session-id");
/// Lifetime of a preflight response in seconds.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");

/// Whether a request is a CORS preflight.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// The response to a preflight of an allowed page.
pub(crate) fn preflight(request_headers: &HeaderMap) -> Reply {
    let mut reply = Reply::new(full_body(Bytes::new()));
    *reply.status_mut() = StatusCode::NO_CONTENT;
    let headers = reply.headers_mut();
    let methods = HeaderValue::from_static("GET, POST, DELETE");
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS);
    headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    if request_headers.contains_key(REQUEST_PRIVATE_NETWORK) {
        headers.insert(ALLOW_PRIVATE_NETWORK, HeaderValue::from_static("true"));
    }
    reply
}

/// Allows a page of this origin to read the response.
pub(crate) fn allow_origin(reply: &mut Reply, origin: HeaderValue) {
    let headers = reply.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, ANSWER_HEADERS);
    headers.append(VARY, HeaderValue::from_static("origin"));
}
