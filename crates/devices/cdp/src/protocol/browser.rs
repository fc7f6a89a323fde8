//! The browser: version, exit, downloads.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::{Deserialize, Serialize};

use super::{Nothing, bare, methods};

bare! {
    /// Returns the version.
    GetVersion = "Browser.getVersion" -> Version;
    /// Closes the browser gracefully.
    Close = "Browser.close" -> Nothing;
}

/// The version of the browser.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    pub protocol_version: String,
    /// Such as `Chrome/140.0.0.0` or `HeadlessChrome/140.0.0.0`.
    pub product: String,
    pub user_agent: String,
}

/// What to do with downloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DownloadBehavior {
    Deny,
    Allow,
    AllowAndName,
    Default,
}

/// Sets what to do with downloads.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetDownloadBehavior {
    pub behavior: DownloadBehavior,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_context_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub download_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events_enabled: Option<bool>,
}

methods! {
    SetDownloadBehavior = "Browser.setDownloadBehavior" -> Nothing;
}
