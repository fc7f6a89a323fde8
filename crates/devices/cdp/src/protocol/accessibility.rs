//! The accessibility tree.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dom::NodeRef;
use super::{BackendNodeId, EmptyResult, bare, methods};
use crate::FrameId;

bare! {
    /// Keeps the accessibility tree up to date between requests.
    Enable = "Accessibility.enable" -> EmptyResult;
    /// Stops that.
    Disable = "Accessibility.disable" -> EmptyResult;
}

/// Returns the tree of a frame; by default that of the session's root frame.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetFullAXTree {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<FrameId>,
}

/// Returns one node, with or without its surroundings.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetPartialAXTree {
    #[serde(flatten)]
    pub node: NodeRef,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fetch_relatives: Option<bool>,
}

/// Nodes of a tree, the outermost first.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct AXTree {
    pub nodes: Vec<AXNode>,
}

/// A node of the accessibility tree.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AXNode {
    pub node_id: String,
    #[serde(default)]
    pub ignored: bool,
    pub role: Option<AXValue>,
    pub name: Option<AXValue>,
    pub description: Option<AXValue>,
    pub value: Option<AXValue>,
    #[serde(default)]
    pub properties: Vec<AXProperty>,
    pub parent_id: Option<String>,
    #[serde(default)]
    pub child_ids: Vec<String>,
    #[serde(rename = "backendDOMNodeId")]
    pub backend_dom_node_id: Option<BackendNodeId>,
    pub frame_id: Option<FrameId>,
}

/// A value with its type, without its sources.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct AXValue {
    #[serde(default)]
    pub value: Value,
}

impl AXValue {
    /// The value, if it is text.
    pub fn text(&self) -> Option<&str> {
        self.value.as_str()
    }
}

/// A state or property of a node.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct AXProperty {
    /// Such as `focusable`, `disabled`, `checked`, `expanded`, `level`.
    pub name: String,
    pub value: AXValue,
}

methods! {
    GetFullAXTree = "Accessibility.getFullAXTree" -> AXTree;
    GetPartialAXTree = "Accessibility.getPartialAXTree" -> AXTree;
}
