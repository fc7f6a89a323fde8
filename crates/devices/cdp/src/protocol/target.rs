//! Targets (pages, out-of-process frames) and their sessions.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::{Deserialize, Serialize};

use super::{EmptyResult, bare, events, methods};
use crate::{SessionId, TargetId};

/// Data of a target.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetInfo {
    pub target_id: TargetId,
    /// `page`, `iframe`, `worker`, `browser`, `tab`, `webview`, `background_page`, …
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub url: String,
    #[serde(default)]
    pub attached: bool,
    /// The page that opened it.
    pub opener_id: Option<TargetId>,
    pub browser_context_id: Option<String>,
    /// The parent frame of an out-of-process frame.
    pub parent_frame_id: Option<crate::FrameId>,
}

/// An entry of a target filter; the first match decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FilterEntry {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclude: Option<bool>,
}

bare! {
    /// Lists the targets of the browser.
    GetTargets = "Target.getTargets" -> Targets;
}

/// The targets of a browser.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Targets {
    pub target_infos: Vec<TargetInfo>,
}

/// Returns the data of a target; by default that of the session.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetTargetInfo {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_id: Option<TargetId>,
}

/// One target.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OneTarget {
    pub target_info: TargetInfo,
}

/// Attaches to a target. Sessions are always flat: their messages contain the session id.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AttachToTarget {
    pub target_id: TargetId,
    pub flatten: bool,
}

impl AttachToTarget {
    /// A flat session with `target_id`.
    pub fn to(target_id: &TargetId) -> Self {
        Self {
            target_id: target_id.clone(),
            flatten: true,
        }
    }
}

/// The new session.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetSession {
    pub session_id: SessionId,
}

/// Detaches a session.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DetachFromTarget {
    pub session_id: SessionId,
}

/// Attaches automatically to new child targets of the session.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetAutoAttach {
    pub auto_attach: bool,
    pub wait_for_debugger_on_start: bool,
    pub flatten: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<Vec<FilterEntry>>,
}

impl SetAutoAttach {
    /// Attaches to out-of-process frames, but not to workers. Sessions are flat.
    pub fn to_frames() -> Self {
        let entry = |kind, exclude| FilterEntry {
            kind,
            exclude: Some(exclude),
        };
        Self {
            auto_attach: true,
            wait_for_debugger_on_start: false,
            flatten: true,
            filter: Some(vec![entry(Some("iframe"), false), entry(None, true)]),
        }
    }
}

/// Enables events about all targets.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetDiscoverTargets {
    pub discover: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<Vec<FilterEntry>>,
}

/// Opens a page.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateTarget {
    pub url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_window: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<bool>,
}

/// The new target.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedTarget {
    pub target_id: TargetId,
}

/// Closes a page.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CloseTarget {
    pub target_id: TargetId,
}

/// Brings a page to the front.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ActivateTarget {
    pub target_id: TargetId,
}

methods! {
    GetTargetInfo = "Target.getTargetInfo" -> OneTarget;
    AttachToTarget = "Target.attachToTarget" -> TargetSession;
    DetachFromTarget = "Target.detachFromTarget" -> EmptyResult;
    SetAutoAttach = "Target.setAutoAttach" -> EmptyResult;
    SetDiscoverTargets = "Target.setDiscoverTargets" -> EmptyResult;
    CreateTarget = "Target.createTarget" -> CreatedTarget;
    CloseTarget = "Target.closeTarget" -> EmptyResult;
    ActivateTarget = "Target.activateTarget" -> EmptyResult;
}

/// A session was attached.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttachedToTarget {
    pub session_id: SessionId,
    pub target_info: TargetInfo,
    #[serde(default)]
    pub waiting_for_debugger: bool,
}

/// A session was detached.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DetachedFromTarget {
    pub session_id: SessionId,
}

/// A target was created.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetCreated {
    pub target_info: TargetInfo,
}

/// A target's title, url or kind changed.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetInfoChanged {
    pub target_info: TargetInfo,
}

/// A target was destroyed.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetDestroyed {
    pub target_id: TargetId,
}

/// The process of a target crashed.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetCrashed {
    pub target_id: TargetId,
    /// Such as `crashed` or `oom`.
    #[serde(default)]
    pub status: String,
    #[serde(default)]
    pub error_code: i64,
}

events! {
    AttachedToTarget = "Target.attachedToTarget";
    DetachedFromTarget = "Target.detachedFromTarget";
    TargetCreated = "Target.targetCreated";
    TargetInfoChanged = "Target.targetInfoChanged";
    TargetDestroyed = "Target.targetDestroyed";
    TargetCrashed = "Target.targetCrashed";
}
