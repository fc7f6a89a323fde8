//! Documents: nodes, their positions, and objects for scripts.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::{Deserialize, Serialize};

use super::runtime::RemoteObject;
use super::{BackendNodeId, EmptyResult, bare, methods};
use crate::{FrameId, ObjectId};

/// A node of a document.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    pub node_id: i64,
    pub backend_node_id: BackendNodeId,
    /// As in the DOM: 1 element, 3 text, 9 document, 11 shadow root.
    pub node_type: u8,
    #[serde(default)]
    pub node_name: String,
    #[serde(default)]
    pub local_name: String,
    #[serde(default)]
    pub node_value: String,
    /// Names and values alternate.
    #[serde(default)]
    pub attributes: Vec<String>,
    #[serde(default)]
    pub children: Vec<Node>,
    #[serde(default)]
    pub shadow_roots: Vec<Node>,
    /// `user-agent`, `open` or `closed`, for a shadow root.
    pub shadow_root_type: Option<String>,
    #[serde(default)]
    pub pseudo_elements: Vec<Node>,
    pub content_document: Option<Box<Node>>,
    /// The frame of a frame element, or of a document.
    pub frame_id: Option<FrameId>,
    #[serde(rename = "documentURL")]
    pub document_url: Option<String>,
    #[serde(default)]
    pub is_scrollable: bool,
}

/// One node.
#[derive(Clone, Debug, Deserialize)]
pub struct NodeResult {
    pub node: Node,
}

/// Returns the document.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct GetDocument {
    /// The number of levels; -1 for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// Whether to include shadow roots and in-process frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pierce: Option<bool>,
}

/// A document.
#[derive(Clone, Debug, Deserialize)]
pub struct Document {
    pub root: Node,
}

/// Refers to a node: exactly one field is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeRef {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend_node_id: Option<BackendNodeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_id: Option<ObjectId>,
}

impl From<BackendNodeId> for NodeRef {
    fn from(id: BackendNodeId) -> Self {
        Self {
            backend_node_id: Some(id),
            ..Self::default()
        }
    }
}

impl From<&ObjectId> for NodeRef {
    fn from(id: &ObjectId) -> Self {
        Self {
            object_id: Some(id.clone()),
            ..Self::default()
        }
    }
}

/// Describes a node.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DescribeNode {
    #[serde(flatten)]
    pub node: NodeRef,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pierce: Option<bool>,
}

/// Creates a script object for a node.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResolveNode {
    #[serde(flatten)]
    pub node: NodeRef,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_group: Option<&'static str>,
    /// The execution context of the object; by default that of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution_context_id: Option<i64>,
}

/// A script object.
#[derive(Clone, Debug, Deserialize)]
pub struct ResolvedObject {
    pub object: RemoteObject,
}

/// Scrolls a node into view if needed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ScrollIntoViewIfNeeded {
    #[serde(flatten)]
    pub node: NodeRef,
    /// The part of the node, in CSS pixels from its border box.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
}

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Focuses a node.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Focus {
    #[serde(flatten)]
    pub node: NodeRef,
}

/// Returns the quads of a node.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GetContentQuads {
    #[serde(flatten)]
    pub node: NodeRef,
}

/// The quads of a node in CSS pixels of the session's own viewport, x and y alternate, clockwise.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ContentQuads {
    pub quads: Vec<[f64; 8]>,
}

/// Returns the box model of a node.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GetBoxModel {
    #[serde(flatten)]
    pub node: NodeRef,
}

/// The box model of a node.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct BoxModelResult {
    pub model: BoxModel,
}

/// Quads of a node's box, from the inside out.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct BoxModel {
    pub content: Vec<f64>,
    pub padding: Vec<f64>,
    pub border: Vec<f64>,
    pub margin: Vec<f64>,
    pub width: i64,
    pub height: i64,
}

/// Returns the topmost node at a point.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetNodeForLocation {
    pub x: i32,
    pub y: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_user_agent_shadow_dom: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore_pointer_events_none: Option<bool>,
}

/// The node at a point.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeForLocation {
    pub backend_node_id: BackendNodeId,
    pub frame_id: FrameId,
    pub node_id: Option<i64>,
}

/// Returns node ids, as `DOM` methods take them, for backend nodes.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PushNodesByBackendIdsToFrontend {
    pub backend_node_ids: Vec<BackendNodeId>,
}

/// Node ids.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeIds {
    pub node_ids: Vec<i64>,
}

/// Returns the descendants of a node that match a selector.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuerySelectorAll {
    pub node_id: i64,
    pub selector: String,
}

/// Returns the owner element of a frame. Called on the session of the page with that element.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetFrameOwner {
    pub frame_id: FrameId,
}

/// The owner element of a frame.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameOwner {
    pub backend_node_id: BackendNodeId,
    pub node_id: Option<i64>,
}

/// Sets the files of a file input.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SetFileInputFiles {
    pub files: Vec<String>,
    #[serde(flatten)]
    pub node: NodeRef,
}

bare! {
    /// Enables DOM events and node ids.
    Enable = "DOM.enable" -> EmptyResult;
    /// Disables them.
    Disable = "DOM.disable" -> EmptyResult;
}

methods! {
    GetDocument = "DOM.getDocument" -> Document;
    DescribeNode = "DOM.describeNode" -> NodeResult;
    ResolveNode = "DOM.resolveNode" -> ResolvedObject;
    ScrollIntoViewIfNeeded = "DOM.scrollIntoViewIfNeeded" -> EmptyResult;
    Focus = "DOM.focus" -> EmptyResult;
    GetContentQuads = "DOM.getContentQuads" -> ContentQuads;
    GetBoxModel = "DOM.getBoxModel" -> BoxModelResult;
    GetNodeForLocation = "DOM.getNodeForLocation" -> NodeForLocation;
    PushNodesByBackendIdsToFrontend = "DOM.pushNodesByBackendIdsToFrontend" -> NodeIds;
    QuerySelectorAll = "DOM.querySelectorAll" -> NodeIds;
    GetFrameOwner = "DOM.getFrameOwner" -> FrameOwner;
    SetFileInputFiles = "DOM.setFileInputFiles" -> EmptyResult;
}
