//! The tools over streamable HTTP, for a server to mount: one path, a session per client.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use contract::{ErrorBody, ErrorCode, ErrorResponse};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use service::device_pool::DevicePool;
use tokio_util::sync::CancellationToken;

use crate::{Server, json_rpc};

/// Maximum number of open sessions.
const MAX_SESSIONS: usize = 64;

const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const JSON: &str = "application/json";

type Reply = Response<BoxBody<Bytes, Infallible>>;

/// The endpoint at one path.
#[derive(Clone)]
pub struct Endpoint {
    service: StreamableHttpService<Server, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    usage: Usage,
    /// Held while opening a session, so that sessions are counted correctly.
    opening: Arc<tokio::sync::Mutex<()>>,
}

impl Endpoint {
    /// An endpoint for a device pool, whose sessions end with `over`. The server that mounts it checks hosts and
    /// origins.
    pub fn new(pool: DevicePool, over: CancellationToken) -> Self {
        let server = Server::new(pool);
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_cancellation_token(over);
        let sessions = Arc::new(LocalSessionManager::default());
        let service =
            StreamableHttpService::new(move || Ok(server.session()), Arc::clone(&sessions), config);
        Self {
            service,
            sessions,
            usage: Usage::default(),
            opening: Arc::default(),
        }
    }

    /// Handles a request.
    pub async fn answer<B>(&self, request: Request<B>) -> Reply
    where
        B: Body + Send + 'static,
        B::Error: Display,
        B::Data: Send,
    {
        let (parts, body) = request.into_parts();
        let body = match body.collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) => {
                let message = format!("the request body ended early: {error}");
                return error_reply(ErrorCode::InvalidBody, message);
            }
        };
        let is_post = parts.method == Method::POST;
        let is_json = parts.headers.get(CONTENT_TYPE).is_some_and(is_json);
        let session = parts.headers.get(&SESSION_ID);
        let session = session.and_then(|id| id.to_str().ok()).map(str::to_owned);
        let call = session
            .as_deref()
            .filter(|_| is_post)
            .and_then(|session| self.usage.begin_call(session));
        let opens = is_post && session.is_none() && is_initialize(&body);
        let opening = match opens {
            true => Some(self.opening.lock().await),
            false => None,
        };
        if opening.is_some() && !self.make_room().await {
            let message = format!("all {MAX_SESSIONS} sessions are running a call");
            return error_reply(ErrorCode::ServerBusy, message);
        }
        let request = Request::from_parts(parts, Full::new(body.clone()));
        let reply = self.service.handle(request).await;
        let opened = reply.headers().get(&SESSION_ID);
        if let Some(opened) = opened.filter(|_| opens).and_then(|id| id.to_str().ok()) {
            self.usage.open(opened);
        }
        drop(opening);
        if reply.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE && is_post && is_json {
            let answer = json_rpc::unreadable(&body).to_string();
            return json_reply(StatusCode::BAD_REQUEST, answer);
        }
        let reply = documented(reply).await;
        match call {
            // The call runs until its response is complete.
            Some(call) => reply.map(|body| {
                let held = move |frame| {
                    let _ = &call;
                    frame
                };
                body.map_frame(held).boxed()
            }),
            None => reply,
        }
    }

    /// Closes idle sessions, least recently used first, to make room for another; returns whether there is room.
    async fn make_room(&self) -> bool {
        loop {
            let open = {
                let sessions = self.sessions.sessions.read().await;
                self.usage.retain(|id| sessions.contains_key(id));
                sessions.len()
            };
            if open < MAX_SESSIONS {
                return true;
            }
            let Some(idle) = self.usage.take_oldest_idle() else {
                return false;
            };
            // Sessions that ended by themselves make room, too.
            let _ = self.sessions.close_session(&idle.into()).await;
        }
    }
}

/// The open sessions by id.
#[derive(Clone, Default)]
struct Usage(Arc<Mutex<HashMap<String, Session>>>);

struct Session {
    /// When its last call began or ended.
    used: Instant,
    /// Number of running calls.
    calls: usize,
}

impl Usage {
    fn sessions(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self, id: &str) {
        let session = Session {
            used: Instant::now(),
            calls: 0,
        };
        self.sessions().insert(id.to_owned(), session);
    }

    fn retain(&self, is_open: impl Fn(&str) -> bool) {
        self.sessions().retain(|id, _| is_open(id));
    }

    /// Counts a running call until the guard is dropped; `None` for an unknown session.
    fn begin_call(&self, id: &str) -> Option<Call> {
        let mut sessions = self.sessions();
        let session = sessions.get_mut(id)?;
        session.used = Instant::now();
        session.calls += 1;
        Some(Call {
            usage: self.clone(),
            session: id.to_owned(),
        })
    }

    fn take_oldest_idle(&self) -> Option<String> {
        let mut sessions = self.sessions();
        let idle = sessions.iter().filter(|(_, session)| session.calls == 0);
        let (id, _) = idle.min_by_key(|(_, session)| session.used)?;
        let id = id.clone();
        sessions.remove(&id);
        Some(id)
    }
}

/// A running call of a session.
struct Call {
    usage: Usage,
    session: String,
}

impl Drop for Call {
    fn drop(&mut self) {
        if let Some(session) = self.usage.sessions().get_mut(&self.session) {
            session.used = Instant::now();
            session.calls -= 1;
        }
    }
}

/// Whether the body of a request opens a session.
fn is_initialize(body: &[u8]) -> bool {
    serde_json::from_slice::<Value>(body).is_ok_and(|message| message["method"] == "initialize")
}

fn is_json(kind: &HeaderValue) -> bool {
    let kind = kind.to_str().unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(JSON)
}

/// Replaces a text error by the server's error body; status and headers stay.
async fn documented(reply: Reply) -> Reply {
    let status = reply.status();
    let is_json_body = reply.headers().get(CONTENT_TYPE).is_some_and(is_json);
    if is_json_body || !(status.is_client_error() || status.is_server_error()) {
        return reply;
    }
    let code = match status {
        StatusCode::NOT_FOUND => ErrorCode::McpSessionNotFound,
        StatusCode::METHOD_NOT_ALLOWED => ErrorCode::MethodNotAllowed,
        StatusCode::NOT_ACCEPTABLE => ErrorCode::NotAcceptable,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ErrorCode::UnsupportedMediaType,
        StatusCode::PAYLOAD_TOO_LARGE => ErrorCode::PayloadTooLarge,
        status if status.is_client_error() => ErrorCode::InvalidHeader,
        _ => ErrorCode::InternalError,
    };
    let (mut parts, body) = reply.into_parts();
    let text = match body.collect().await {
        Ok(body) => String::from_utf8_lossy(&body.to_bytes()).into_owned(),
        Err(never) => match never {},
    };
    let error = ErrorBody::new(code, text).with_default_hint();
    parts.headers.remove(CONTENT_LENGTH);
    parts
        .headers
        .insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    Response::from_parts(parts, Full::new(Bytes::from(error_json(&error))).boxed())
}

fn error_reply(code: ErrorCode, message: String) -> Reply {
    let status = match code {
        ErrorCode::ServerBusy => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    };
    let error = ErrorBody::new(code, message).with_default_hint();
    json_reply(status, error_json(&error))
}

fn error_json(error: &ErrorBody) -> String {
    json!(ErrorResponse::from(error)).to_string()
}

fn json_reply(status: StatusCode, body: String) -> Reply {
    let mut reply = Response::new(Full::new(Bytes::from(body)).boxed());
    *reply.status_mut() = status;
    reply
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    reply
}

#[cfg(test)]
mod tests {
    use service::device_pool::PoolOptions;

    use super::*;

    fn endpoint() -> Endpoint {
        let options = PoolOptions {
            device: Some("sim".to_owned()),
            ..PoolOptions::default()
        };
        Endpoint::new(DevicePool::new(options), CancellationToken::new())
    }

    const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",
        "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
    const PING: &str = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;

    fn post(session: Option<&str>, body: &str) -> Request<Full<Bytes>> {
        let request = Request::post("http://localhost/mcp")
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json; charset=utf-8");
        let request = match session {
            Some(session) => request.header(SESSION_ID, session),
            None => request,
        };
        request
            .body(Full::new(Bytes::from(body.to_owned())))
            .unwrap()
    }

    async fn open(endpoint: &Endpoint) -> String {
        let reply = endpoint.answer(post(None, INITIALIZE)).await;
        assert_eq!(reply.status(), StatusCode::OK);
        reply.headers()[&SESSION_ID].to_str().unwrap().to_owned()
    }

    async fn read(reply: Reply) -> Value {
        assert_eq!(reply.headers()[CONTENT_TYPE], JSON);
        let body = reply.into_body().collect().await.unwrap().to_bytes();
        serde_json::from_slice(&body).unwrap()
    }

    #[tokio::test]
    async fn least_recently_used_session_is_evicted() {
        let endpoint = endpoint();
        let mut sessions = Vec::new();
        for _ in 0..MAX_SESSIONS {
            sessions.push(open(&endpoint).await);
        }
        // The first one is used, so the second is the oldest.
        let status = endpoint
            .answer(post(Some(&sessions[0]), PING))
            .await
            .status();
        assert_eq!(status, StatusCode::OK);
        let newest = open(&endpoint).await;
        for (session, status) in [
            (&sessions[0], StatusCode::OK),
            (&sessions[1], StatusCode::NOT_FOUND),
            (&sessions[2], StatusCode::OK),
            (&newest, StatusCode::OK),
        ] {
            let reply = endpoint.answer(post(Some(session), PING)).await;
            assert_eq!(reply.status(), status);
        }
        for _ in 0..100 {
            open(&endpoint).await;
        }
        let open = endpoint.sessions.sessions.read().await.len();
        assert_eq!(open, MAX_SESSIONS);
    }

    #[tokio::test]
    async fn session_with_running_call_is_kept() {
        let endpoint = endpoint();
        let mut calls = Vec::new();
        for _ in 0..MAX_SESSIONS {
            let session = open(&endpoint).await;
            calls.push(endpoint.usage.begin_call(&session).unwrap());
        }
        let reply = endpoint.answer(post(None, INITIALIZE)).await;
        assert_eq!(reply.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(read(reply).await["error"]["code"], "SERVER_BUSY");
        calls.remove(7);
        open(&endpoint).await;
    }

    #[tokio::test]
    async fn invalid_message_gets_json_rpc_error() {
        let endpoint = endpoint();
        for (body, code, id) in [
            ("{", -32700, Value::Null),
            ("", -32700, Value::Null),
            ("\u{0}\u{1}", -32700, Value::Null),
            ("[]", -32600, Value::Null),
            ("7", -32600, Value::Null),
            (r#"{"id":3}"#, -32600, json!(3)),
            (
                r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#,
                -32600,
                json!("a"),
            ),
        ] {
            let reply = endpoint.answer(post(None, body)).await;
            assert_eq!(reply.status(), StatusCode::BAD_REQUEST, "{body:?}");
            let answer = read(reply).await;
            assert_eq!(
                (&answer["error"]["code"], &answer["id"], &answer["jsonrpc"]),
                (&json!(code), &id, &json!("2.0")),
                "{body:?}"
            );
        }
    }

    #[tokio::test]
    async fn transport_errors_have_server_error_body() {
        let endpoint = endpoint();
        let with = |name: HeaderName, value: &'static str| {
            let mut request = post(None, PING);
            request
                .headers_mut()
                .insert(name, HeaderValue::from_static(value));
            request
        };
        let mut put = post(None, PING);
        *put.method_mut() = Method::PUT;
        for (request, status, code) in [
            (
                with(http::header::ACCEPT, "text/html"),
                406,
                "NOT_ACCEPTABLE",
            ),
            (
                with(CONTENT_TYPE, "text/plain"),
                415,
                "UNSUPPORTED_MEDIA_TYPE",
            ),
            (put, 405, "METHOD_NOT_ALLOWED"),
            (post(Some("nobody"), PING), 404, "MCP_SESSION_NOT_FOUND"),
            (post(None, PING), 400, "INVALID_HEADER"),
        ] {
            let reply = endpoint.answer(request).await;
            assert_eq!(reply.status(), status, "{code}");
            let answer = read(reply).await;
            assert_eq!(
                (&answer["ok"], &answer["error"]["code"]),
                (&json!(false), &json!(code))
            );
            assert!(answer["error"]["hint"].is_string(), "{answer}");
        }
    }
}
