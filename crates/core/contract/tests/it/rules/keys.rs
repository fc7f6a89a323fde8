//! Keys of params that belong to another action or to none.

use expect_test::expect;
use serde_json::json;

use crate::support::check;

#[test]
fn keys_of_other_actions_are_kept_with_warning() {
    check(
        "sleep",
        json!({
            "uri": "https://x", "durationMs": 1, "matcher": { "text": "x" }, "coordinate": { "x": 1, "y": 2 },
            "all": true, "maxScrolls": 5.5, "scrollRetry": { "maxAttempts": 99 },
        }),
        expect![[r#"
            sleep {"uri":"https://x","durationMs":1,"matcher":{"textEquals":"x"},"coordinate":{"x":1,"y":2},"maxScrolls":5.5,"scrollRetry":{"maxAttempts":10},"all":true}
            VALUE_CLAMPED at actions.0.params.scrollRetry.maxAttempts: actions.0.params.scrollRetry.maxAttempts was clamped from 99 to 10, the range is 1 to 10
            PARAM_NOT_USED at actions.0.params.uri: actions.0.params.uri is not used by sleep
            PARAM_NOT_USED at actions.0.params.matcher: actions.0.params.matcher is not used by sleep
            PARAM_NOT_USED at actions.0.params.coordinate: actions.0.params.coordinate is not used by sleep
            PARAM_NOT_USED at actions.0.params.maxScrolls: actions.0.params.maxScrolls is not used by sleep
            PARAM_NOT_USED at actions.0.params.scrollRetry: actions.0.params.scrollRetry is not used by sleep
            PARAM_NOT_USED at actions.0.params.all: actions.0.params.all is not used by sleep
        "#]],
    );
    check(
        "sleep",
        json!({ "durationMs": 1, "uri": "x".repeat(2049) }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.uri must have at most 2048 characters, not 2049
              path: "actions.0.params.uri"
        "#]],
    );
    check(
        "sleep",
        json!({ "durationMs": 1, "matcher": {} }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher must have at least one field that is not blank
              path: "actions.0.params.matcher"
        "#]],
    );
    check(
        "sleep",
        json!({ "durationMs": 1, "key": 5 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.key must be a string, not a number
              path: "actions.0.params.key"
        "#]],
    );
    // The value of an unused key is not checked.
    check(
        "sleep",
        json!({ "durationMs": 1, "direction": "diag" }),
        expect![[r#"
            sleep {"durationMs":1,"direction":"diag"}
            PARAM_NOT_USED at actions.0.params.direction: actions.0.params.direction is not used by sleep
        "#]],
    );
}

#[test]
fn unknown_keys_are_refused_with_suggestion() {
    check(
        "click",
        json!({ "bogus": 1, "matcher": { "role": "x" } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params has the unknown key `bogus`
              path: "actions.0.params"
              invalidKeys: ["bogus"]
        "#]],
    );
    check(
        "click",
        json!({ "click_type": "focus", "matcher": { "role": "x" } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params has the unknown key `click_type`
              path: "actions.0.params"
              invalidKeys: ["click_type"]
              hint: "did you mean `clickType`?"
        "#]],
    );
    check(
        "click",
        json!({ "resourceId": "x" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params has the unknown key `resourceId`
              path: "actions.0.params"
              invalidKeys: ["resourceId"]
              hint: "`resourceId` belongs inside `matcher`"
            and at actions.0.params: must have either `matcher` or `coordinate`
        "#]],
    );
    check(
        "sleep",
        json!({ "duration": 5, "ms": 6 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params has the unknown keys `duration`, `ms`
              path: "actions.0.params"
              invalidKeys: ["duration","ms"]
              hint: "`duration` is called `durationMs` here; `ms` is called `durationMs` here"
            and at actions.0.params.durationMs: is required
        "#]],
    );
}
