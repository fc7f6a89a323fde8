//! What is loaded, and what was not.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::Deserialize;

use super::{Nothing, bare, events};
use crate::{FrameId, LoaderId};

bare! {
    /// Lets the session tell what is loaded.
    Enable = "Network.enable" -> Nothing;
    /// Ends that.
    Disable = "Network.disable" -> Nothing;
}

/// A request is about to be sent.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestWillBeSent {
    pub request_id: String,
    #[serde(default)]
    pub loader_id: LoaderId,
    #[serde(rename = "documentURL", default)]
    pub document_url: String,
    /// As `Document`, `Script`, `Image`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub frame_id: Option<FrameId>,
}

/// The head of an answer came.
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

/// The head of an answer.
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
    /// Whether a server sent it, or a cache for one; the browser makes others up, for `data:` urls.
    pub fn is_over_http(&self) -> bool {
        let scheme = self.url.split(':').next().unwrap_or_default();
        scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
    }
}

/// A part of an answer came.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DataReceived {
    pub request_id: String,
}

/// Everything of an answer came.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadingFinished {
    pub request_id: String,
}

/// An answer did not come, or not all of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadingFailed {
    pub request_id: String,
    #[serde(rename = "type", default)]
    pub kind: String,
    /// As `net::ERR_CONNECTION_REFUSED`.
    #[serde(default)]
    pub error_text: String,
    #[serde(default)]
    pub canceled: bool,
}

events! {
    RequestWillBeSent = "Network.requestWillBeSent";
    ResponseReceived = "Network.responseReceived";
    DataReceived = "Network.dataReceived";
    LoadingFinished = "Network.loadingFinished";
    LoadingFailed = "Network.loadingFailed";
}
