//! Messages of the browser about a page, such as violations of its content security policy.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::Deserialize;

use super::{EmptyResult, bare, events};

bare! {
    /// Enables message events, and repeats earlier messages.
    Enable = "Log.enable" -> EmptyResult;
}

/// A message.
#[derive(Clone, Debug, Deserialize)]
pub struct EntryAdded {
    pub entry: Entry,
}

/// The content of a message.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Such as `network`, `security`, `javascript`.
    pub source: String,
    /// Such as `error`, `warning`.
    pub level: String,
    pub text: String,
    pub url: Option<String>,
    pub line_number: Option<i64>,
}

events! {
    EntryAdded = "Log.entryAdded";
}
