//! Rules of the actions on one node, and of matchers.

use serde_json::json;

use crate::support::{accepts, one};

#[test]
fn matchers() {
    accepts(&one(
        "click",
        json!({ "matcher": { "role": "x".repeat(512) } }),
    ));
}

#[test]
fn css_has_a_larger_length_limit() {
    let css = |value: String| one("click", json!({ "matcher": { "css": value } }));
    accepts(&css("x".repeat(2048)));
}

#[test]
fn matchers_of_a_step_are_complete() {
    let css = |kind: &str, params: serde_json::Value| {
        let payload =
            crate::support::payload(json!([{ "id": "x", "type": kind, "params": params }]));
        let read = contract::Execution::from_value(&payload).unwrap().execution;
        read.actions()[0].params().css().join(" | ")
    };
    let (a, b) = (json!({ "css": "a" }), json!({ "css": "b", "role": "list" }));
    for kind in [
        "click",
        "wait_for_node",
        "read_text",
        "scroll_and_click",
        "scroll_until",
    ] {
        assert_eq!(
            css(kind, json!({ "matcher": a, "container": b })),
            "a | b",
            "{kind}"
        );
    }
    let text = json!({ "matcher": a, "container": b, "text": "x" });
    assert_eq!(css("enter_text", text), "a | b");
    let pair = json!({ "labelMatcher": a, "container": b });
    assert_eq!(css("read_key_value_pair", pair), "a | b");
    assert_eq!(css("scroll", json!({ "container": b })), "b");
    let wait = json!({ "expectedNode": a, "timeoutMs": 1 });
    assert_eq!(css("wait_for_navigation", wait), "a");
    assert_eq!(css("click", json!({ "matcher": a, "container": a })), "a");
    assert_eq!(css("snapshot_ui", json!({})), "");
}

#[test]
fn single_matcher_can_be_parsed() {
    let read = |value| contract::NodeMatcher::from_value(&value);
    let matcher = read(json!({ "id": "x", "text": "y" })).unwrap();
    assert_eq!(matcher.resource_id.as_deref(), Some("x"));
    assert_eq!(matcher.text_equals.as_deref(), Some("y"));
    assert_eq!(matcher.fields().count(), 2);
    let refused = |value| read(value).unwrap_err().body().message.clone();
    assert_eq!(
        read(json!({ "txet": "x" }))
            .unwrap_err()
            .body()
            .detail("hint"),
        Some(&json!("did you mean `textEquals`?"))
    );
    assert_eq!(
        refused(json!({})),
        "the matcher must have at least one field that is not blank"
    );
    assert_eq!(
        refused(json!([])),
        "the matcher must be an object, not an array"
    );
    assert_eq!(
        refused(json!({ "role": 1 })),
        "role must be a string, not a number"
    );
    assert_eq!(
        refused(json!({ "txet": "x" })),
        "the matcher has the unknown key `txet`"
    );
}

#[test]
fn enter_text() {
    accepts(&one(
        "enter_text",
        json!({ "matcher": { "role": "x" }, "text": "x".repeat(512) }),
    ));
}

#[test]
fn wait_for_navigation() {
    accepts(&one(
        "wait_for_navigation",
        json!({ "expectedPackage": "a", "timeoutMs": 30000 }),
    ));
}
