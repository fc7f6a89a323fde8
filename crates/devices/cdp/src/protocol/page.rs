//! Pages and their frames: loading, dialogs, screenshots, history.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::{Deserialize, Serialize};

use super::{BackendNodeId, EmptyResult, bare, events, methods};
use crate::{FrameId, LoaderId};

/// The document of a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    pub id: FrameId,
    pub parent_id: Option<FrameId>,
    pub loader_id: LoaderId,
    pub name: Option<String>,
    pub url: String,
    pub url_fragment: Option<String>,
    #[serde(default)]
    pub security_origin: String,
    #[serde(default)]
    pub mime_type: String,
    /// The URL that failed to load, if this is the error page for it.
    pub unreachable_url: Option<String>,
}

impl Frame {
    /// The URL with its fragment, as scripts see it.
    pub fn full_url(&self) -> String {
        let fragment = self.url_fragment.as_deref().unwrap_or_default();
        format!("{}{fragment}", self.url)
    }
}

/// A frame and its in-process child frames.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameTree {
    pub frame: Frame,
    #[serde(default)]
    pub child_frames: Vec<FrameTree>,
}

/// The frames of a session's target.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Frames {
    pub frame_tree: FrameTree,
}

bare! {
    /// Enables page events.
    Enable = "Page.enable" -> EmptyResult;
    /// Disables them.
    Disable = "Page.disable" -> EmptyResult;
    /// Returns the frames.
    GetFrameTree = "Page.getFrameTree" -> Frames;
    /// Returns the sizes of viewport and content.
    GetLayoutMetrics = "Page.getLayoutMetrics" -> LayoutMetrics;
    /// Brings the page to the front.
    BringToFront = "Page.bringToFront" -> EmptyResult;
    /// Stops loading.
    StopLoading = "Page.stopLoading" -> EmptyResult;
    /// Returns the history.
    GetNavigationHistory = "Page.getNavigationHistory" -> NavigationHistory;
    /// Closes the page, running its `beforeunload` handlers.
    Close = "Page.close" -> EmptyResult;
}

/// Loads a URL.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Navigate {
    pub url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<FrameId>,
}

/// The start of a navigation.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigationResult {
    pub frame_id: FrameId,
    /// `None` if the document stays, as with a new fragment.
    pub loader_id: Option<LoaderId>,
    /// Why nothing was loaded, such as `net::ERR_CONNECTION_REFUSED`.
    pub error_text: Option<String>,
    #[serde(default)]
    pub is_download: bool,
}

/// Reloads the page.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reload {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore_cache: Option<bool>,
}

/// Enables lifecycle events.
#[derive(Clone, Debug, Serialize)]
pub struct SetLifecycleEventsEnabled {
    pub enabled: bool,
}

/// Creates an isolated world for scripts, invisible to the page's own.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateIsolatedWorld {
    pub frame_id: FrameId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world_name: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grant_univeral_access: Option<bool>,
}

/// An isolated world.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IsolatedWorld {
    pub execution_context_id: i64,
}

/// Takes a screenshot.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CaptureScreenshot {
    /// `png`, `jpeg` or `webp`; the browser's default is `png`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<Clip>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_surface: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture_beyond_viewport: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimize_for_speed: Option<bool>,
}

/// A part of a page, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Clip {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub scale: f64,
}

/// A screenshot.
#[derive(Clone, Debug, Deserialize)]
pub struct Screenshot {
    /// Base64.
    pub data: String,
}

/// Sizes of a page.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LayoutMetrics {
    pub css_layout_viewport: LayoutViewport,
    pub css_visual_viewport: VisualViewport,
    pub css_content_size: Area,
    /// In device pixels, unlike the others.
    pub layout_viewport: LayoutViewport,
    /// In device pixels.
    pub visual_viewport: VisualViewport,
    /// In device pixels.
    pub content_size: Area,
}

/// The layout viewport.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LayoutViewport {
    pub page_x: f64,
    pub page_y: f64,
    pub client_width: f64,
    pub client_height: f64,
}

/// The visual viewport.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VisualViewport {
    pub offset_x: f64,
    pub offset_y: f64,
    pub page_x: f64,
    pub page_y: f64,
    pub client_width: f64,
    pub client_height: f64,
    pub scale: f64,
    pub zoom: Option<f64>,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Answers a dialog.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HandleJavaScriptDialog {
    pub accept: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_text: Option<String>,
}

/// The history of a page.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigationHistory {
    pub current_index: i64,
    pub entries: Vec<HistoryEntry>,
}

/// An entry of the history.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    pub id: i64,
    pub url: String,
    pub title: String,
}

/// Navigates to an entry of the history.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigateToHistoryEntry {
    pub entry_id: i64,
}

methods! {
    SetInterceptFileChooserDialog = "Page.setInterceptFileChooserDialog" -> EmptyResult;
    Navigate = "Page.navigate" -> NavigationResult;
    Reload = "Page.reload" -> EmptyResult;
    SetLifecycleEventsEnabled = "Page.setLifecycleEventsEnabled" -> EmptyResult;
    CreateIsolatedWorld = "Page.createIsolatedWorld" -> IsolatedWorld;
    CaptureScreenshot = "Page.captureScreenshot" -> Screenshot;
    HandleJavaScriptDialog = "Page.handleJavaScriptDialog" -> EmptyResult;
    NavigateToHistoryEntry = "Page.navigateToHistoryEntry" -> EmptyResult;
}

/// A frame was added.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameAttached {
    pub frame_id: FrameId,
    pub parent_frame_id: FrameId,
}

/// A frame has a new document.
#[derive(Clone, Debug, Deserialize)]
pub struct FrameNavigated {
    pub frame: Frame,
}

/// A frame was removed, or (`reason` is `swap`) moved to another process.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameDetached {
    pub frame_id: FrameId,
    #[serde(default)]
    pub reason: String,
}

/// A frame started loading.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameStartedLoading {
    pub frame_id: FrameId,
}

/// A frame stopped loading.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameStoppedLoading {
    pub frame_id: FrameId,
}

/// A page requests a navigation.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameRequestedNavigation {
    pub frame_id: FrameId,
    #[serde(default)]
    pub reason: String,
    pub url: String,
    #[serde(default)]
    pub disposition: String,
}

/// A frame's URL changed within its document.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigatedWithinDocument {
    pub frame_id: FrameId,
    pub url: String,
}

/// A step of loading: `init`, `commit`, `DOMContentLoaded`, `load`, `networkAlmostIdle`, `networkIdle`,
/// `firstPaint`, …
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LifecycleEvent {
    pub frame_id: FrameId,
    pub loader_id: LoaderId,
    pub name: String,
    #[serde(default)]
    pub timestamp: f64,
}

/// Reports file choosers instead of showing them.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SetInterceptFileChooserDialog {
    pub enabled: bool,
}

/// A file chooser would have been shown.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileChooserOpened {
    /// `selectSingle` or `selectMultiple`.
    pub mode: String,
    /// The file input; absent for choosers that a script opened without one.
    #[serde(default)]
    pub backend_node_id: Option<BackendNodeId>,
}

/// A dialog of the page opened; scripts are blocked until it is answered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JavascriptDialogOpening {
    #[serde(default)]
    pub url: String,
    pub message: String,
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub default_prompt: Option<String>,
    #[serde(default)]
    pub has_browser_handler: bool,
}

/// The dialog was answered.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JavascriptDialogClosed {
    pub result: bool,
    #[serde(default)]
    pub user_input: String,
}

/// The page starts a download.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DownloadWillBegin {
    pub frame_id: FrameId,
    pub guid: String,
    pub url: String,
    #[serde(default)]
    pub suggested_filename: String,
}

/// A download made progress, is `completed` or was `canceled`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DownloadProgress {
    pub guid: String,
    #[serde(default)]
    pub received_bytes: f64,
    pub state: String,
}

/// A page opened a window.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WindowOpen {
    pub url: String,
    #[serde(default)]
    pub window_name: String,
    #[serde(default)]
    pub user_gesture: bool,
}

events! {
    FrameAttached = "Page.frameAttached";
    FrameNavigated = "Page.frameNavigated";
    FrameDetached = "Page.frameDetached";
    FrameStartedLoading = "Page.frameStartedLoading";
    FrameStoppedLoading = "Page.frameStoppedLoading";
    FrameRequestedNavigation = "Page.frameRequestedNavigation";
    NavigatedWithinDocument = "Page.navigatedWithinDocument";
    LifecycleEvent = "Page.lifecycleEvent";
    FileChooserOpened = "Page.fileChooserOpened";
    JavascriptDialogOpening = "Page.javascriptDialogOpening";
    JavascriptDialogClosed = "Page.javascriptDialogClosed";
    DownloadWillBegin = "Page.downloadWillBegin";
    DownloadProgress = "Page.downloadProgress";
    WindowOpen = "Page.windowOpen";
}
