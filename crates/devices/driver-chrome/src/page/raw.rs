//! Captured data of whole documents, parsed only as far as needed. These are the largest answers, and most of
//! the time of an observation goes into producing and parsing them.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use cdp::FrameId;
use cdp::protocol::BackendNodeId;
use cdp::protocol::accessibility::GetPartialAXTree;
use cdp::protocol::dom_snapshot::CaptureSnapshot;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

/// The requested computed styles, in order; [`Style`] has their indexes.
pub(crate) const STYLES: [&str; 15] = [
    "display",
    "visibility",
    "opacity",
    "cursor",
    "overflow-x",
    "overflow-y",
    "position",
    "transform",
    "pointer-events",
    "float",
    "background-color",
    "clip-path",
    "filter",
    "font-family",
    "color",
];

/// The index of a requested computed style.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    Display,
    Visibility,
    Opacity,
    Cursor,
    OverflowX,
    OverflowY,
    Position,
    Transform,
    PointerEvents,
    Float,
    BackgroundColor,
    ClipPath,
    Filter,
    FontFamily,
    Color,
}

/// Captures all documents of a process with the needed styles. Scroll and client rectangles are not requested:
/// they take as long as everything else.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Capture(CaptureSnapshot);

impl Default for Capture {
    fn default() -> Self {
        Self(CaptureSnapshot {
            computed_styles: STYLES.to_vec(),
            include_paint_order: Some(true),
            ..CaptureSnapshot::default()
        })
    }
}

impl cdp::Method for Capture {
    const NAME: &'static str = "DOMSnapshot.captureSnapshot";
    type Answer = Snapshot;
}

/// The index of a string; negative for none.
pub(crate) type Text = i32;

/// All documents of a process.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) documents: Vec<Document>,
    pub(crate) strings: Vec<Arc<str>>,
}

impl Snapshot {
    /// A string; empty if there is none.
    pub(crate) fn text(&self, at: Text) -> &str {
        usize::try_from(at)
            .ok()
            .and_then(|at| self.strings.get(at))
            .map_or("", |text| text)
    }

    /// As [`text`](Self::text), shared.
    pub(crate) fn shared(&self, at: Text) -> Arc<str> {
        usize::try_from(at)
            .ok()
            .and_then(|at| self.strings.get(at))
            .map_or_else(|| Arc::from(""), Arc::clone)
    }
}

/// One document.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document {
    #[serde(rename = "documentURL")]
    pub(crate) url: Text,
    pub(crate) title: Text,
    pub(crate) frame_id: Text,
    pub(crate) nodes: Nodes,
    pub(crate) layout: Layout,
    #[serde(default)]
    pub(crate) scroll_offset_x: f64,
    #[serde(default)]
    pub(crate) scroll_offset_y: f64,
    #[serde(default)]
    pub(crate) content_width: f64,
    #[serde(default)]
    pub(crate) content_height: f64,
}

/// The nodes of a document in order, one list per property.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Nodes {
    pub(crate) parent_index: Vec<i32>,
    pub(crate) node_type: Vec<u8>,
    pub(crate) node_name: Vec<Text>,
    pub(crate) node_value: Vec<Text>,
    pub(crate) backend_node_id: Vec<i64>,
    /// Names and values alternate.
    pub(crate) attributes: Vec<Vec<Text>>,
    pub(crate) shadow_root_type: RareData,
    pub(crate) text_value: RareData,
    pub(crate) input_value: RareData,
    pub(crate) input_checked: RareData,
    pub(crate) option_selected: RareData,
    pub(crate) content_document_index: RareData,
    pub(crate) is_clickable: RareData,
}

/// A rare property; boolean ones have no values.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RareData {
    pub(crate) index: Vec<i32>,
    pub(crate) value: Vec<i32>,
}

/// The laid-out nodes of a document, one list per property.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Layout {
    pub(crate) node_index: Vec<i32>,
    pub(crate) styles: Vec<Styles>,
    pub(crate) bounds: Vec<[f64; 4]>,
    pub(crate) text: Vec<Text>,
    pub(crate) paint_orders: Vec<u32>,
}

/// The styles of one node; none for a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Styles(pub(crate) [Text; STYLES.len()]);

impl Styles {
    pub(crate) const fn get(&self, style: Style) -> Text {
        self.0[style as usize]
    }
}

impl<'de> Deserialize<'de> for Styles {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Styles;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the places of styles")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Styles, A::Error> {
                let mut styles = [-1; STYLES.len()];
                for slot in &mut styles {
                    match from.next_element()? {
                        Some(value) => *slot = value,
                        None => return Ok(Styles(styles)),
                    }
                }
                while from.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Styles(styles))
            }
        }
        from.deserialize_seq(Read)
    }
}

/// Returns the accessibility tree of a frame; by default that of the session's root frame.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessibility {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) frame_id: Option<FrameId>,
}

impl cdp::Method for Accessibility {
    const NAME: &'static str = "Accessibility.getFullAXTree";
    type Answer = AxTree;
}

/// Returns the accessibility node of one element.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct PartialAccessibility(GetPartialAXTree);

impl PartialAccessibility {
    pub(crate) fn of(node: BackendNodeId) -> Self {
        Self(GetPartialAXTree {
            node: node.into(),
            fetch_relatives: Some(false),
        })
    }
}

impl cdp::Method for PartialAccessibility {
    const NAME: &'static str = "Accessibility.getPartialAXTree";
    type Answer = AxTree;
}

/// The accessibility tree of a frame.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct AxTree {
    pub(crate) nodes: Vec<AxNode>,
}

/// A node of the accessibility tree.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AxNode {
    #[serde(rename = "backendDOMNodeId")]
    pub(crate) node: Option<i64>,
    #[serde(default)]
    pub(crate) ignored: bool,
    #[serde(default)]
    pub(crate) role: Scalar,
    #[serde(default)]
    pub(crate) name: Scalar,
    #[serde(default)]
    pub(crate) description: Scalar,
    #[serde(default)]
    pub(crate) value: Scalar,
    #[serde(default)]
    pub(crate) properties: Vec<Property>,
    #[serde(default)]
    pub(crate) ignored_reasons: Vec<Property>,
}

/// A state or property, or a reason why a node is ignored.
#[derive(Debug, PartialEq, Deserialize)]
pub(crate) struct Property {
    pub(crate) name: PropertyName,
    #[serde(default)]
    pub(crate) value: Scalar,
}

/// The needed properties and reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum PropertyName {
    Focusable,
    Focused,
    Disabled,
    Editable,
    Readonly,
    Required,
    Invalid,
    Checked,
    Pressed,
    Selected,
    Expanded,
    Valuetext,
    /// Ignored: behind an open modal dialog.
    ActiveModalDialog,
    /// Ignored: inert.
    InertElement,
    /// Ignored: inside an inert element.
    InertSubtree,
    #[serde(other)]
    Other,
}

/// The `value` of a typed value; lists and objects are dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Scalar {
    #[default]
    Nothing,
    Yes(bool),
    Number(f64),
    Text(Arc<str>),
}

impl Scalar {
    pub(crate) fn text(&self) -> Arc<str> {
        match self {
            Scalar::Text(text) => Arc::clone(text),
            Scalar::Number(number) => number.to_string().into(),
            Scalar::Yes(_) | Scalar::Nothing => Arc::from(""),
        }
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        match self {
            Scalar::Text(own) => **own == *text,
            Scalar::Yes(own) => *own == (text == "true"),
            Scalar::Number(_) | Scalar::Nothing => false,
        }
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Typed;
        impl<'de> Visitor<'de> for Typed {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value with its type")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Scalar, A::Error> {
                let mut scalar = Scalar::Nothing;
                while let Some(key) = from.next_key::<Key<'_>>()? {
                    if key.0 == "value" {
                        scalar = from.next_value::<UntypedScalar>()?.0;
                    } else {
                        from.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(scalar)
            }
        }
        from.deserialize_map(Typed)
    }
}

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// A value without its type.
struct UntypedScalar(Scalar);

impl<'de> Deserialize<'de> for UntypedScalar {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = UntypedScalar;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }

            fn visit_bool<E: de::Error>(self, value: bool) -> Result<UntypedScalar, E> {
                Ok(UntypedScalar(Scalar::Yes(value)))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<UntypedScalar, E> {
                Ok(UntypedScalar(Scalar::Number(value as f64)))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<UntypedScalar, E> {
                Ok(UntypedScalar(Scalar::Number(value as f64)))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<UntypedScalar, E> {
                Ok(UntypedScalar(Scalar::Number(value)))
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<UntypedScalar, E> {
                Ok(UntypedScalar(Scalar::Text(value.into())))
            }

            fn visit_unit<E: de::Error>(self) -> Result<UntypedScalar, E> {
                Ok(UntypedScalar(Scalar::Nothing))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<UntypedScalar, A::Error> {
                while from.next_element::<IgnoredAny>()?.is_some() {}
                Ok(UntypedScalar(Scalar::Nothing))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<UntypedScalar, A::Error> {
                while from.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(UntypedScalar(Scalar::Nothing))
            }
        }
        from.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_sources_are_skipped() {
        let node: AxNode = serde_json::from_str(
            r#"{"nodeId":"7","ignored":false,"role":{"type":"role","value":"slider"},"chromeRole":{"type":"internalRole","value":9},
            "name":{"type":"computedString","value":"Vol\"ume","sources":[{"type":"attribute","attribute":"aria-label"}]},
            "value":{"type":"number","value":4},
            "properties":[{"name":"focusable","value":{"type":"booleanOrUndefined","value":true}},{"name":"live","value":{"type":"token","value":"x"}},
            {"name":"labelledby","value":{"type":"nodeList","relatedNodes":[]}}],
            "backendDOMNodeId":12,"childIds":["1"]}"#,
        )
        .unwrap();
        assert_eq!(node.node, Some(12));
        assert_eq!(&*node.name.text(), "Vol\"ume");
        assert_eq!(&*node.value.text(), "4");
        assert!(node.role.is("slider"));
        assert_eq!(node.properties[0].name, PropertyName::Focusable);
        assert!(node.properties[0].value.is("true"));
        assert_eq!(node.properties[1].name, PropertyName::Other);
        assert_eq!(node.properties[2].value, Scalar::Nothing);
    }

    #[test]
    fn document_has_no_styles() {
        let layout: Layout =
            serde_json::from_str(r#"{"nodeIndex":[0,2],"styles":[[],[1,2,3,4,5,6,7,8,9,10]]}"#)
                .unwrap();
        assert_eq!(layout.styles[0].get(Style::Display), -1);
        assert_eq!(layout.styles[1].get(Style::PointerEvents), 9);
        assert_eq!(layout.styles[1].get(Style::Opacity), 3);
    }
}
