//! Network requests and their responses.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::{Deserialize, Serialize};

use super::{EmptyResult, bare, events, methods};
use crate::{FrameId, LoaderId};

bare! {
    /// Enables network events.
    Enable = "Network.enable" -> EmptyResult;
    /// Disables them.
    Disable = "Network.disable" -> EmptyResult;
}

/// Sends requests past the service worker of the page.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SetBypassServiceWorker {
    pub bypass: bool,
}

/// Enables network events of a session that reads no bodies, so that the browser keeps none for it.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnableUnbuffered {
    pub max_total_buffer_size: u32,
    pub max_resource_buffer_size: u32,
}

methods! {
    EnableUnbuffered = "Network.enable" -> EmptyResult;
    SetBypassServiceWorker = "Network.setBypassServiceWorker" -> EmptyResult;
}

/// A request is about to be sent.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestWillBeSent {
    pub request_id: String,
    pub request: Request,
    #[serde(default)]
    pub loader_id: LoaderId,
    #[serde(rename = "documentURL", default)]
    pub document_url: String,
    /// Such as `Document`, `Script`, `Image`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub frame_id: Option<FrameId>,
}

/// A request.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Request {
    pub method: String,
    pub url: String,
}

/// The response headers arrived.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResponseReceived {
    pub request_id: String,
    #[serde(default)]
    pub loader_id: LoaderId,
    #[serde(rename = "type", default)]
    pub kind: String,
    pub response: Response,
    pub frame_id: Option<FrameId>,
}

/// A response.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    pub url: String,
    pub status: i32,
    #[serde(default)]
    pub status_text: String,
    #[serde(default)]
    pub mime_type: String,
}

impl Response {
    /// Whether it came from a server or a cache; the browser makes up responses for `data:` URLs.
    pub fn is_over_http(&self) -> bool {
        let scheme = self.url.split(':').next().unwrap_or_default();
        scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
    }
}

/// A part of the body arrived.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DataReceived {
    pub request_id: String,
}

/// The body is complete.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadingFinished {
    pub request_id: String,
}

/// The request failed.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadingFailed {
    pub request_id: String,
    #[serde(rename = "type", default)]
    pub kind: String,
    /// Such as `net::ERR_CONNECTION_REFUSED`.
    #[serde(default)]
    pub error_text: String,
    #[serde(default)]
    pub canceled: bool,
}

/// A message was sent to a web socket.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSocketFrameSent {
    pub request_id: String,
}

/// A message of a web socket arrived.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSocketFrameReceived {
    pub request_id: String,
}

/// A web socket was closed.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSocketClosed {
    pub request_id: String,
}

events! {
    RequestWillBeSent = "Network.requestWillBeSent";
    ResponseReceived = "Network.responseReceived";
    DataReceived = "Network.dataReceived";
    LoadingFinished = "Network.loadingFinished";
    LoadingFailed = "Network.loadingFailed";
    WebSocketFrameSent = "Network.webSocketFrameSent";
    WebSocketFrameReceived = "Network.webSocketFrameReceived";
    WebSocketClosed = "Network.webSocketClosed";
}
