//! Event listeners of elements.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::{Deserialize, Serialize};

use super::{BackendNodeId, methods};
use crate::ObjectId;

/// Returns the listeners of an object and, to a depth, of its descendants.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetEventListeners {
    pub object_id: ObjectId,
    /// The number of levels; -1 for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// Whether to include shadow roots and in-process frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pierce: Option<bool>,
}

/// Listeners.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct EventListeners {
    pub listeners: Vec<EventListener>,
}

/// A listener.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EventListener {
    /// Such as `click`.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub use_capture: bool,
    #[serde(default)]
    pub passive: bool,
    #[serde(default)]
    pub once: bool,
    pub backend_node_id: Option<BackendNodeId>,
}

methods! {
    GetEventListeners = "DOMDebugger.getEventListeners" -> EventListeners;
}
