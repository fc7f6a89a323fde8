//! Intercepting requests and answering them in place of the network.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::{Deserialize, Serialize};

use super::{EmptyResult, bare, events, methods};

bare! {
    /// Pauses every request of the target.
    Enable = "Fetch.enable" -> EmptyResult;
}

/// A paused request.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestPaused {
    pub request_id: String,
    pub request: Request,
    /// Such as `Document`, `Script`, `Image`.
    #[serde(default)]
    pub resource_type: String,
}

/// The request.
#[derive(Clone, Debug, Deserialize)]
pub struct Request {
    pub url: String,
}

/// Answers a paused request.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FulfillRequest {
    pub request_id: String,
    pub response_code: u16,
    pub response_headers: Vec<Header>,
    /// In Base64.
    pub body: String,
}

/// A header of a response.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Header {
    pub name: &'static str,
    pub value: &'static str,
}

/// Fails a paused request.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailRequest {
    pub request_id: String,
    pub error_reason: &'static str,
}

methods! {
    FulfillRequest = "Fetch.fulfillRequest" -> EmptyResult;
    FailRequest = "Fetch.failRequest" -> EmptyResult;
}

events! {
    RequestPaused = "Fetch.requestPaused";
}
