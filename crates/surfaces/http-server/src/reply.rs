//! Responses: bodies, headers, and the status of an error.

use std::convert::Infallible;

use contract::{ErrorBody, ErrorClass, ErrorCode, ErrorResponse};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use hyper::{Response, StatusCode};

/// A response body.
pub type Body = UnsyncBoxBody<Bytes, Infallible>;
/// An answer.
pub type Reply = Response<Body>;

/// A complete body.
pub(crate) fn full_body(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).boxed_unsync()
}

/// A response of a content type.
pub(crate) fn reply(status: StatusCode, kind: &'static str, bytes: impl Into<Bytes>) -> Reply {
    let mut reply = Response::new(full_body(bytes));
    *reply.status_mut() = status;
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    reply
}

/// A JSON response.
pub(crate) fn json(status: StatusCode, bytes: impl Into<Bytes>) -> Reply {
    reply(status, "application/json", bytes)
}

/// A JSON response of a value.
pub(crate) fn value(status: StatusCode, value: &impl serde::Serialize) -> Reply {
    match serde_json::to_vec(value) {
        Ok(bytes) => json(status, bytes),
        Err(error) => error_reply(&serialize_error(&error)),
    }
}

/// The response to a failed request.
pub(crate) fn error_reply(error: &ErrorBody) -> Reply {
    // Serialising an error cannot fail.
    let bytes = serde_json::to_vec(&ErrorResponse::from(error)).unwrap_or_default();
    let mut reply = json(status(error.code), bytes);
    let header = match error.code {
        ErrorCode::Unauthorized => Some((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))),
        ErrorCode::MethodNotAllowed => error
            .detail("allow")
            .and_then(serde_json::Value::as_str)
            .and_then(|methods| HeaderValue::from_str(methods).ok())
            .map(|methods| (ALLOW, methods)),
        ErrorCode::ServerBusy | ErrorCode::ExecutionConflictInFlight => {
            Some((RETRY_AFTER, HeaderValue::from_static("1")))
        }
        _ => None,
    };
    if let Some((name, value)) = header {
        reply.headers_mut().insert(name, value);
    }
    reply
}

/// The raw response to a malformed request; the connection closes after it.
pub(crate) fn raw_error_reply(error: &ErrorBody) -> Vec<u8> {
    let status = status(error.code);
    let body = serde_json::to_vec(&ErrorResponse::from(error)).unwrap_or_default();
    let retry = match error.code {
        ErrorCode::ServerBusy => "retry-after: 1\r\n",
        _ => "",
    };
    let mut answer = format!(
        "HTTP/1.1 {} {}\r\ncontent-type: application/json\r\ncache-control: no-store\r\ncontent-length: \
        {}\r\n{retry}connection: close\r\n\r\n",
        status.as_u16(),
        status.canonical_reason().unwrap_or_default(),
        body.len()
    )
    .into_bytes();
    answer.extend(body);
    answer
}

/// A value that cannot be serialised.
pub(crate) fn serialize_error(error: &serde_json::Error) -> ErrorBody {
    let message = format!("cannot serialise the response: {error}");
    ErrorBody::new(ErrorCode::InternalError, message).with_default_hint()
}

/// The status of an error.
pub fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::ExecutionConflictInFlight => StatusCode::LOCKED,
        ErrorCode::MultipleDevices | ErrorCode::TabAmbiguous => StatusCode::BAD_REQUEST,
        ErrorCode::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
        ErrorCode::Unauthorized => StatusCode::UNAUTHORIZED,
        ErrorCode::HostNotAllowed => StatusCode::MISDIRECTED_REQUEST,
        ErrorCode::OriginNotAllowed => StatusCode::FORBIDDEN,
        ErrorCode::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
        ErrorCode::HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        ErrorCode::IdempotencyAnswerGone => StatusCode::GONE,
        ErrorCode::ServerBusy | ErrorCode::ServerStopping => StatusCode::SERVICE_UNAVAILABLE,
        // Something missing on this computer or the phone is not a 404.
        ErrorCode::AdbNotFound | ErrorCode::ChromeNotFound | ErrorCode::OperatorNotInstalled => {
            StatusCode::BAD_GATEWAY
        }
        _ => match code.class() {
            ErrorClass::Usage => StatusCode::BAD_REQUEST,
            ErrorClass::Unsupported => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorClass::NotFound => StatusCode::NOT_FOUND,
            ErrorClass::Conflict | ErrorClass::Cancelled => StatusCode::CONFLICT,
            ErrorClass::Timeout => StatusCode::GATEWAY_TIMEOUT,
            ErrorClass::Step | ErrorClass::Device => StatusCode::BAD_GATEWAY,
            ErrorClass::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        },
    }
}
