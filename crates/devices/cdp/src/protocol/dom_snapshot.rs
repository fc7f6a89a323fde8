//! Snapshots of whole documents, with layout and computed styles.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::{Deserialize, Serialize};

use super::{BackendNodeId, methods};

/// Captures all documents of the session's process.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CaptureSnapshot {
    /// The styles to return for each laid-out node, in this order.
    pub computed_styles: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_paint_order: Option<bool>,
    #[serde(rename = "includeDOMRects", skip_serializing_if = "Option::is_none")]
    pub include_dom_rects: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_blended_background_colors: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_text_color_opacities: Option<bool>,
}

/// The index of a string in [`Snapshot::strings`]; -1 for none.
pub type StringIndex = i32;

/// All documents of a process.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Snapshot {
    pub documents: Vec<DocumentSnapshot>,
    pub strings: Vec<String>,
}

/// One document. Nodes are identified by their index in [`NodeTreeSnapshot`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentSnapshot {
    #[serde(rename = "documentURL")]
    pub document_url: StringIndex,
    pub title: StringIndex,
    #[serde(rename = "baseURL")]
    pub base_url: StringIndex,
    pub frame_id: StringIndex,
    pub nodes: NodeTreeSnapshot,
    pub layout: LayoutTreeSnapshot,
    #[serde(default)]
    pub scroll_offset_x: f64,
    #[serde(default)]
    pub scroll_offset_y: f64,
    pub content_width: Option<f64>,
    pub content_height: Option<f64>,
}

/// Strings of some nodes: `index[i]` is the node, `value[i]` its string.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct RareStrings {
    pub index: Vec<i32>,
    pub value: Vec<StringIndex>,
}

/// The nodes with a property.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct RareBooleans {
    pub index: Vec<i32>,
}

/// Numbers of some nodes.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct RareIntegers {
    pub index: Vec<i32>,
    pub value: Vec<i32>,
}

/// The nodes of a document in document order, one list per property.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeTreeSnapshot {
    /// The index of the parent; -1 for the document.
    pub parent_index: Vec<i32>,
    pub node_type: Vec<u8>,
    pub shadow_root_type: RareStrings,
    pub node_name: Vec<StringIndex>,
    pub node_value: Vec<StringIndex>,
    pub backend_node_id: Vec<BackendNodeId>,
    /// Names and values alternate, for each node.
    pub attributes: Vec<Vec<StringIndex>>,
    pub text_value: RareStrings,
    pub input_value: RareStrings,
    pub input_checked: RareBooleans,
    pub option_selected: RareBooleans,
    /// The index in [`Snapshot::documents`] of a frame element's document.
    pub content_document_index: RareIntegers,
    pub pseudo_type: RareStrings,
    pub pseudo_identifier: RareStrings,
    pub is_clickable: RareBooleans,
    #[serde(rename = "currentSourceURL")]
    pub current_source_url: RareStrings,
    #[serde(rename = "originURL")]
    pub origin_url: RareStrings,
}

/// The laid-out nodes of a document, one list per property.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LayoutTreeSnapshot {
    pub node_index: Vec<i32>,
    /// The requested styles, in order.
    pub styles: Vec<Vec<StringIndex>>,
    /// Left, top, width and height in device pixels of the document, including zoom.
    pub bounds: Vec<Vec<f64>>,
    pub text: Vec<StringIndex>,
    pub stacking_contexts: RareBooleans,
    pub paint_orders: Vec<i32>,
    pub offset_rects: Vec<Vec<f64>>,
    pub scroll_rects: Vec<Vec<f64>>,
    pub client_rects: Vec<Vec<f64>>,
}

methods! {
    CaptureSnapshot = "DOMSnapshot.captureSnapshot" -> Snapshot;
}
