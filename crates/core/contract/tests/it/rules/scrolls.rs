//! Rules of the scrolling actions.

use expect_test::expect;
use serde_json::json;

use crate::support::check;

#[test]
fn scroll() {
    check(
        "scroll",
        json!({}),
        expect![[r#"
        scroll {}
    "#]],
    );
    check(
        "scroll",
        json!({
            "retry": { "maxAttempts": 2 }, "findFirstScrollableChild": false, "settleDelayMs": 10000,
            "distanceRatio": 1.0, "direction": " Left ", "container": { "role": "list" },
        }),
        expect![[r#"
            scroll {"container":{"role":"list"},"direction":"left","distanceRatio":1,"settleDelayMs":10000,"findFirstScrollableChild":false,"retry":{"maxAttempts":2}}
        "#]],
    );
    check(
        "scroll",
        json!({ "direction": "" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.direction must be one of down, up, left, right, not ``
              path: "actions.0.params.direction"
        "#]],
    );
    check(
        "scroll",
        json!({ "direction": "diag", "distanceRatio": 1.01, "settleDelayMs": -0.5 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.direction must be one of down, up, left, right, not `diag`
              path: "actions.0.params.direction"
            and at actions.0.params.distanceRatio: must be between 0 and 1, not 1.01
            and at actions.0.params.settleDelayMs: must be between 0 and 10000, not -0.5
        "#]],
    );
    check(
        "scroll",
        json!({ "distanceRatio": -0.1 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.distanceRatio must be between 0 and 1, not -0.1
              path: "actions.0.params.distanceRatio"
        "#]],
    );
    check(
        "scroll",
        json!({ "settleDelayMs": 10000.5 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.settleDelayMs must be between 0 and 10000, not 10000.5
              path: "actions.0.params.settleDelayMs"
        "#]],
    );
    check(
        "scroll",
        json!({ "findFirstScrollableChild": "true" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.findFirstScrollableChild must be a boolean, not a string
              path: "actions.0.params.findFirstScrollableChild"
        "#]],
    );
    check(
        "scroll",
        json!({ "container": { "role": " " } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.container must have at least one field that is not blank
              path: "actions.0.params.container"
        "#]],
    );
}

#[test]
fn scroll_until() {
    check(
        "scroll_until",
        json!({
            "all": true, "clickAfter": true, "findFirstScrollableChild": true, "noPositionChangeThreshold": 20,
            "maxDurationMs": 120000, "maxScrolls": 200.0, "settleDelayMs": 0, "distanceRatio": 0, "direction": "UP",
            "container": { "role": "list" }, "clickType": "default", "matcher": { "role": "x" },
        }),
        expect![[r#"
            scroll_until {"matcher":{"role":"x"},"clickType":"default","container":{"role":"list"},"direction":"up","distanceRatio":0,"settleDelayMs":0,"maxScrolls":200,"maxDurationMs":120000,"noPositionChangeThreshold":20,"findFirstScrollableChild":true,"clickAfter":true,"all":true}
            PARAM_NOT_USED at actions.0.params.all: actions.0.params.all is not used by scroll_until
        "#]],
    );
    check(
        "scroll_until",
        json!({}),
        expect![[r#"
        scroll_until {}
    "#]],
    );
    check(
        "scroll_until",
        json!({ "clickAfter": false }),
        expect![[r#"
            scroll_until {"clickAfter":false}
        "#]],
    );
    check(
        "scroll_until",
        json!({ "clickAfter": true }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher is required if `clickAfter` is true
              path: "actions.0.params.matcher"
        "#]],
    );
    check(
        "scroll_until",
        json!({
            "clickAfter": true, "direction": "diag", "distanceRatio": 2, "settleDelayMs": 10001, "maxScrolls": 0,
            "maxDurationMs": 120001, "noPositionChangeThreshold": 21, "clickType": "x",
        }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher is required if `clickAfter` is true
              path: "actions.0.params.matcher"
            and at actions.0.params.direction: must be one of down, up, left, right, not `diag`
            and at actions.0.params.distanceRatio: must be between 0 and 1, not 2
            and at actions.0.params.settleDelayMs: must be between 0 and 10000, not 10001
            and at actions.0.params.maxScrolls: must be a whole number between 1 and 200, not 0
            and at actions.0.params.maxDurationMs: must be between 0 and 120000, not 120001
            and at actions.0.params.noPositionChangeThreshold: must be a whole number between 1 and 20, not 21
            and at actions.0.params.clickType: must be one of default, long_click, focus, double_click, right_click, not `x`
        "#]],
    );
    check(
        "scroll_until",
        json!({ "maxScrolls": 201 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.maxScrolls must be a whole number between 1 and 200, not 201
              path: "actions.0.params.maxScrolls"
        "#]],
    );
    check(
        "scroll_until",
        json!({ "maxScrolls": 1.5 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.maxScrolls must be a whole number between 1 and 200, not 1.5
              path: "actions.0.params.maxScrolls"
        "#]],
    );
    check(
        "scroll_until",
        json!({ "noPositionChangeThreshold": 0 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.noPositionChangeThreshold must be a whole number between 1 and 20, not 0
              path: "actions.0.params.noPositionChangeThreshold"
        "#]],
    );
    check(
        "scroll_until",
        json!({ "maxDurationMs": -1 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.maxDurationMs must be between 0 and 120000, not -1
              path: "actions.0.params.maxDurationMs"
        "#]],
    );
}

#[test]
fn scroll_and_click() {
    check(
        "scroll_and_click",
        json!({ "matcher": { "role": "x" }, "clickAfter": false }),
        expect![[r#"
            scroll_and_click {"matcher":{"role":"x"},"clickAfter":false}
        "#]],
    );
    check(
        "scroll_and_click",
        json!({}),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher is required
              path: "actions.0.params.matcher"
        "#]],
    );
    check(
        "scroll_and_click",
        json!({ "matcher": { "role": "x" }, "direction": "diag", "clickType": "y" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.clickType must be one of default, long_click, focus, double_click, right_click, not `y`
              path: "actions.0.params.clickType"
            and at actions.0.params.direction: must be one of down, up, left, right, not `diag`
        "#]],
    );
    check(
        "scroll_and_click",
        json!({ "matcher": { "role": "x" }, "maxSwipes": 1.5 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.maxSwipes must be a whole number, not 1.5
              path: "actions.0.params.maxSwipes"
        "#]],
    );
}
