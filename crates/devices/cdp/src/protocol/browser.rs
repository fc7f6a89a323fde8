//! The browser: version, exit, downloads.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::{Deserialize, Serialize};

use super::page::{DownloadProgress, DownloadWillBegin};
use super::{EmptyResult, bare, events, methods};
use crate::TargetId;

bare! {
    /// Returns the version.
    GetVersion = "Browser.getVersion" -> Version;
    /// Closes the browser gracefully.
    Close = "Browser.close" -> EmptyResult;
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

/// Returns the window of a tab.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetWindowForTarget {
    pub target_id: TargetId,
}

/// A window and its size.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetWindow {
    pub window_id: i64,
    pub bounds: Bounds,
}

/// The size of a window; what is `None` stays as it is.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bounds {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<i32>,
    /// A size can be set only for a `normal` window, and not together with the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_state: Option<WindowState>,
}

/// How a window is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WindowState {
    Normal,
    Minimized,
    Maximized,
    Fullscreen,
}

/// Sets the size of a window; it takes effect a moment later.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetWindowBounds {
    pub window_id: i64,
    pub bounds: Bounds,
}

/// A download begins in any tab.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct TabDownloadWillBegin(pub DownloadWillBegin);

/// A download of any tab made progress, is `completed` or was `canceled`.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct TabDownloadProgress(pub DownloadProgress);

events! {
    TabDownloadWillBegin = "Browser.downloadWillBegin";
    TabDownloadProgress = "Browser.downloadProgress";
}

methods! {
    GetWindowForTarget = "Browser.getWindowForTarget" -> TargetWindow;
    SetWindowBounds = "Browser.setWindowBounds" -> EmptyResult;
    SetDownloadBehavior = "Browser.setDownloadBehavior" -> EmptyResult;
}
