//! The browser as a whole: its version, its end, downloads.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::{Deserialize, Serialize};

use super::{Nothing, bare, methods};

bare! {
    /// Asks which browser this is.
    GetVersion = "Browser.getVersion" -> Version;
    /// Ends the browser as a user would.
    Close = "Browser.close" -> Nothing;
}

/// Which browser this is.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    pub protocol_version: String,
    /// As `Chrome/140.0.0.0` or `HeadlessChrome/140.0.0.0`.
    pub product: String,
    pub user_agent: String,
}

/// What becomes of downloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DownloadBehavior {
    Deny,
    Allow,
    AllowAndName,
    Default,
}

/// Says what becomes of downloads.
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
