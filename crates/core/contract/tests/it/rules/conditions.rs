//! The conditions of `wait_until`, and `onMissing`.

use serde_json::{Value, json};

use crate::schemas::accepts;

#[test]
fn each_condition_has_one_key() {
    let matcher = json!({ "text": "A" });
    for broken in [
        json!([]),
        json!({ "visible": matcher }),
        json!([{}]),
        json!([{ "visible": matcher, "gone": matcher }]),
        json!([{ "shown": matcher }]),
        json!([{ "text": { "matcher": matcher } }]),
        json!([{ "text": { "matcher": matcher, "equals": "a", "contains": "b" } }]),
        json!([{ "text": { "matcher": matcher, "pattern": "(" } }]),
        json!([{ "text": { "equals": "a", "atLeast": 1 } }]),
        json!([{ "count": { "matcher": matcher, "exactly": 1.5 } }]),
        json!([{ "url": { "matcher": matcher, "contains": "a" } }]),
        json!([{ "quiet": 0 }]),
        json!([{ "app": " " }]),
        json!([{ "checked": { "matcher": matcher, "is": "yes" } }]),
    ] {
        refused(&broken);
    }
}

fn refused(conditions: &Value) {
    let payload = crate::support::one("wait_until", json!({ "anyOf": conditions }));
    // The schema cannot tell a broken pattern.
    let is_pattern = conditions.to_string().contains("\"(\"");
    assert!(
        is_pattern || !accepts(&payload),
        "the schema accepts {payload}"
    );
    let path = crate::support::first_path(&payload);
    let path = path.unwrap_or_else(|| panic!("{conditions} is accepted"));
    assert!(path.starts_with("actions.0.params.anyOf"), "{path}");
}
