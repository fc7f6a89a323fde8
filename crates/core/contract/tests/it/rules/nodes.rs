//! Rules of the actions on one node, and of matchers.

use expect_test::expect;
use serde_json::json;

use crate::support::{check, first_path, one};

#[test]
fn matchers() {
    check(
        "click",
        json!({ "matcher": {
            "contentDescContains": "f", "contentDescEquals": "e", "textContains": "d",
            "css": "g >>> h", "textEquals": "c", "role": "b", "resourceId": "a",
        } }),
        expect![[r#"
            click {"matcher":{"resourceId":"a","role":"b","textEquals":"c","textContains":"d","contentDescEquals":"e","contentDescContains":"f","css":"g >>> h"}}
        "#]],
    );
    check(
        "click",
        json!({ "matcher": {} }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher must have at least one field that is not blank
              path: "actions.0.params.matcher"
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "textEquals": "" } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher must have at least one field that is not blank
              path: "actions.0.params.matcher"
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "textEquals": " ", "role": "" } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher must have at least one field that is not blank
              path: "actions.0.params.matcher"
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "textEquals": "", "role": "x" } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher.textEquals must not be blank
              path: "actions.0.params.matcher.textEquals"
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "textEquals": null, "role": 5 } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher.role must be a string, not a number
              path: "actions.0.params.matcher.role"
            and at actions.0.params.matcher.textEquals: must be a string, not null
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "textEquals": "x", "texts": 1, "bogus": 2 } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher has the unknown keys `texts`, `bogus`
              path: "actions.0.params.matcher"
              invalidKeys: ["texts","bogus"]
              hint: "`texts` may mean `textEquals`"
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "bogus": "x" } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher has the unknown key `bogus`
              path: "actions.0.params.matcher"
              invalidKeys: ["bogus"]
        "#]],
    );
    assert_eq!(
        first_path(&one(
            "click",
            json!({ "matcher": { "role": "x".repeat(512) } })
        )),
        None
    );
    check(
        "click",
        json!({ "matcher": { "role": "x".repeat(513) } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher.role must have at most 512 characters, not 513
              path: "actions.0.params.matcher.role"
        "#]],
    );
}

#[test]
fn css_has_a_larger_length_limit() {
    let css = |value: String| one("click", json!({ "matcher": { "css": value } }));
    assert_eq!(first_path(&css("x".repeat(2048))), None);
    check(
        "wait_for_node",
        json!({ "matcher": { "css": "x".repeat(2049) } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher.css must have at most 2048 characters, not 2049
              path: "actions.0.params.matcher.css"
        "#]],
    );
    check(
        "read_text",
        json!({ "matcher": { "role": "button" }, "container": { "css": " " } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.container must have at least one field that is not blank
              path: "actions.0.params.container"
        "#]],
    );
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
fn coordinates() {
    check(
        "click",
        json!({ "coordinate": {} }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.coordinate.x is required
              path: "actions.0.params.coordinate.x"
            and at actions.0.params.coordinate.y: is required
        "#]],
    );
    check(
        "click",
        json!({ "coordinate": { "x": -1, "y": 1.5 } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.coordinate.x must be a whole number of pixels from 0, not -1
              path: "actions.0.params.coordinate.x"
            and at actions.0.params.coordinate.y: must be a whole number of pixels from 0, not 1.5
        "#]],
    );
    check(
        "click",
        json!({ "coordinate": { "x": "1", "y": 3_000_000_000_u32, "z": 1 } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.coordinate.x must be a number, not a string
              path: "actions.0.params.coordinate.x"
            and at actions.0.params.coordinate.y: must be a whole number of pixels from 0, not 3000000000
            and at actions.0.params.coordinate: has the unknown key `z`
        "#]],
    );
    check(
        "click",
        json!({ "coordinate": [1, 2] }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.coordinate must be an object, not an array
              path: "actions.0.params.coordinate"
        "#]],
    );
}

#[test]
fn click() {
    check(
        "click",
        json!({ "matcher": { "textEquals": "OK" } }),
        expect![[r#"
            click {"matcher":{"textEquals":"OK"}}
        "#]],
    );
    check(
        "click",
        json!({ "coordinate": { "y": 0, "x": 10.0 }, "clickType": "long_click" }),
        expect![[r#"
            click {"coordinate":{"x":10,"y":0},"clickType":"long_click"}
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "textEquals": "OK" }, "clickType": " FOCUS " }),
        expect![[r#"
            click {"matcher":{"textEquals":"OK"},"clickType":"focus"}
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "textEquals": "OK" }, "clickType": "LongClick" }),
        expect![[r#"
            click {"matcher":{"textEquals":"OK"},"clickType":"long_click"}
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "textEquals": "OK" }, "clickType": "click" }),
        expect![[r#"
            click {"matcher":{"textEquals":"OK"},"clickType":"default"}
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "textEquals": "OK" }, "container": { "role": "list" } }),
        expect![[r#"
            click {"matcher":{"textEquals":"OK"},"container":{"role":"list"}}
        "#]],
    );
    check(
        "click",
        json!({ "coordinate": { "x": 1, "y": 2 }, "container": { "role": "list" } }),
        expect![[r#"
            click {"coordinate":{"x":1,"y":2},"container":{"role":"list"}}
            PARAM_NOT_USED at actions.0.params.container: actions.0.params.container has no effect on a point
        "#]],
    );
    check(
        "click",
        json!({}),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params must have either `matcher` or `coordinate`
              path: "actions.0.params"
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "role": "x" }, "coordinate": { "x": 1, "y": 2 }, "clickType": "focus" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params must not have both `matcher` and `coordinate`
              path: "actions.0.params"
            and at actions.0.params.clickType: must not be `focus` with `coordinate`
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "role": "x" }, "clickType": "double" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.clickType must be one of default, long_click, focus, double_click, right_click, not `double`
              path: "actions.0.params.clickType"
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "role": "x" }, "clickType": null }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.clickType must be a string, not null
              path: "actions.0.params.clickType"
        "#]],
    );
}

#[test]
fn enter_text() {
    check(
        "enter_text",
        json!({ "container": { "role": "x" }, "clear": false, "submit": true, "text": " a ", "matcher": { "role": "textfield" } }),
        expect![[r#"
            enter_text {"matcher":{"role":"textfield"},"text":" a ","submit":true,"clear":false,"container":{"role":"x"}}
        "#]],
    );
    check(
        "enter_text",
        json!({}),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher is required
              path: "actions.0.params.matcher"
            and at actions.0.params.text: is required
        "#]],
    );
    check(
        "enter_text",
        json!({ "matcher": { "role": "x" }, "text": " \u{a0}" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.text must not be blank; an empty text with `"clear": true` empties the field
              path: "actions.0.params.text"
        "#]],
    );
    assert_eq!(
        first_path(&one(
            "enter_text",
            json!({ "matcher": { "role": "x" }, "text": "x".repeat(512) })
        )),
        None
    );
    check(
        "enter_text",
        json!({ "matcher": { "role": "x" }, "text": "x".repeat(513) }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.text must have at most 512 characters, not 513
              path: "actions.0.params.text"
        "#]],
    );
    check(
        "enter_text",
        json!({ "matcher": { "role": "x" }, "text": "a", "submit": 1, "clear": "no" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.submit must be a boolean, not a number
              path: "actions.0.params.submit"
            and at actions.0.params.clear: must be a boolean, not a string
        "#]],
    );
}

#[test]
fn wait_for_node() {
    check(
        "wait_for_node",
        json!({ "matcher": { "role": "x" }, "timeoutMs": 2.5, "container": { "role": "list" }, "retry": {} }),
        expect![[r#"
            wait_for_node {"matcher":{"role":"x"},"container":{"role":"list"},"retry":{},"timeoutMs":2.5}
        "#]],
    );
    check(
        "wait_for_node",
        json!({}),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher is required
              path: "actions.0.params.matcher"
        "#]],
    );
}

#[test]
fn wait_for_navigation() {
    check(
        "wait_for_navigation",
        json!({ "timeoutMs": 0.5, "expectedNode": { "role": "x" }, "expectedPackage": "a.b" }),
        expect![[r#"
            wait_for_navigation {"expectedPackage":"a.b","expectedNode":{"role":"x"},"timeoutMs":0.5}
        "#]],
    );
    check(
        "wait_for_navigation",
        json!({}),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params must have at least one of `expectedPackage` and `expectedNode`
              path: "actions.0.params"
            and at actions.0.params.timeoutMs: is required
        "#]],
    );
    check(
        "wait_for_navigation",
        json!({ "expectedPackage": " ", "timeoutMs": 1 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params must have at least one of `expectedPackage` and `expectedNode`
              path: "actions.0.params"
        "#]],
    );
    check(
        "wait_for_navigation",
        json!({ "expectedPackage": "", "expectedNode": { "role": "x" }, "timeoutMs": 1 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.expectedPackage must not be blank
              path: "actions.0.params.expectedPackage"
        "#]],
    );
    check(
        "wait_for_navigation",
        json!({ "expectedPackage": "a", "timeoutMs": 0 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: wait_for_navigation requires params.timeoutMs > 0
              path: "actions.0.params.timeoutMs"
        "#]],
    );
    check(
        "wait_for_navigation",
        json!({ "expectedPackage": "a", "timeoutMs": 30000.5 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.timeoutMs must be at most 30000, not 30000.5
              path: "actions.0.params.timeoutMs"
        "#]],
    );
    assert_eq!(
        first_path(&one(
            "wait_for_navigation",
            json!({ "expectedPackage": "a", "timeoutMs": 30000 })
        )),
        None
    );
    check(
        "wait_for_navigation",
        json!({ "expectedPackage": "x".repeat(513), "timeoutMs": 1 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.expectedPackage must have at most 512 characters, not 513
              path: "actions.0.params.expectedPackage"
        "#]],
    );
    check(
        "wait_for_navigation",
        json!({ "expectedPackage": "a\u{7}", "timeoutMs": 1 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.expectedPackage must not contain control characters
              path: "actions.0.params.expectedPackage"
        "#]],
    );
}

#[test]
fn timeout_of_a_step_that_looks_for_a_node_is_a_retry() {
    let matcher = json!({ "textEquals": "Save" });
    check(
        "click",
        json!({ "matcher": matcher, "timeoutMs": 8000 }),
        expect![[r#"
            click {"matcher":{"textEquals":"Save"},"retry":{"maxAttempts":2,"initialDelayMs":8000}}
        "#]],
    );
    check(
        "read_text",
        json!({ "matcher": matcher, "timeoutMs": 99_000, "retry": { "maxAttempts": 3 } }),
        expect![[r#"
            read_text {"matcher":{"textEquals":"Save"},"retry":{"maxAttempts":3},"timeoutMs":99000}
            PARAM_NOT_USED at actions.0.params.timeoutMs: actions.0.params.timeoutMs is not used by read_text
        "#]],
    );
    check(
        "hover",
        json!({ "matcher": matcher, "timeoutMs": 99_000 }),
        expect![[r#"
            hover {"matcher":{"textEquals":"Save"},"retry":{"maxAttempts":2,"initialDelayMs":30000}}
            VALUE_CLAMPED at actions.0.params.timeoutMs: actions.0.params.timeoutMs was clamped from 99000 to 30000; the range is 1 to 30000
        "#]],
    );
    check(
        "press_key",
        json!({ "key": "back", "timeoutMs": 8000 }),
        expect![[r#"
            press_key {"key":"back","timeoutMs":8000}
            PARAM_NOT_USED at actions.0.params.timeoutMs: actions.0.params.timeoutMs is not used by press_key
        "#]],
    );
}
