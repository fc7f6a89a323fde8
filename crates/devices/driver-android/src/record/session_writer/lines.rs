//! The lines of a session file and their fields.

use serde_json::{Value, json};
use uitree::{NodeId, Point, State, UiTree};

use super::Press;
use crate::record::target;

/// The visible text of a field.
pub(super) fn field_text(node: &uitree::Node) -> &str {
    if node.is(State::SHOWING_HINT) {
        ""
    } else {
        &node.text
    }
}

pub(super) fn click_event(
    node: Option<(&UiTree, NodeId)>,
    snapshot: &Value,
    at: Point,
    press: Press,
) -> Value {
    let mut event = match node {
        Some((tree, id)) => {
            let bounds = target::bounds(tree, id);
            json!({
                "snapshot": snapshot,
                "packageName": &*tree.node(id).owner,
                "resourceId": or_null(&tree.node(id).id),
                "text": target::words(tree, id),
                "contentDesc": target::name(tree, id),
                "bounds": {
                    "left": bounds.left,
                    "top": bounds.top,
                    "right": bounds.right,
                    "bottom": bounds.bottom,
                },
                "type": "click",
            })
        }
        None => json!({
            "snapshot": snapshot,
            "packageName": "",
            "resourceId": null,
            "text": null,
            "contentDesc": null,
            "bounds": { "left": at.x, "top": at.y, "right": at.x + 1, "bottom": at.y + 1 },
            "type": "click",
        }),
    };
    if press == Press::Long {
        put(&mut event, "clickType", json!("long_click"));
    }
    put(&mut event, "coordinate", json!({ "x": at.x, "y": at.y }));
    event
}

pub(super) fn put(object: &mut Value, key: &str, value: Value) {
    if let Value::Object(fields) = object {
        fields.insert(key.to_owned(), value);
    }
}

pub(super) fn or_null(text: &str) -> Value {
    if text.trim().is_empty() {
        Value::Null
    } else {
        Value::from(text)
    }
}

pub(super) fn distance(from: Point, to: Point) -> f64 {
    let (x, y) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
    (x * x + y * y).sqrt()
}

/// The scroll direction of a swipe: a finger that moves up shows content further down.
pub(super) fn way(from: Point, to: Point) -> &'static str {
    let (x, y) = (to.x - from.x, to.y - from.y);
    match (x.abs() > y.abs(), x < 0, y < 0) {
        (true, true, _) => "right",
        (true, false, _) => "left",
        (false, _, true) => "down",
        (false, _, false) => "up",
    }
}
