//! The conditions of `wait_until`, and `onMissing`.

use expect_test::expect;
use serde_json::{Value, json};

use crate::schemas::accepts;
use crate::support::check;

#[test]
fn each_condition_has_one_key() {
    let matcher = json!({ "text": "A" });
    check(
        "wait_until",
        json!({ "any_of": [
            { "visible": matcher }, { "gone": matcher },
            { "text": { "matcher": matcher, "pattern": "[0-9]+" } },
            { "count": { "matcher": matcher, "atLeast": 3.0 } },
            { "enabled": { "matcher": matcher } }, { "checked": { "matcher": matcher, "is": false } },
            { "url": { "contains": "/done" } }, { "app": "a.b" }, { "quiet": 500 },
        ], "timeout_ms": 200_000 }),
        expect![[r#"
            wait_until {"anyOf":[{"visible":{"textEquals":"A"}},{"gone":{"textEquals":"A"}},{"text":{"matcher":{"textEquals":"A"},"pattern":"[0-9]+"}},{"count":{"matcher":{"textEquals":"A"},"atLeast":3}},{"enabled":{"matcher":{"textEquals":"A"}}},{"checked":{"matcher":{"textEquals":"A"},"is":false}},{"url":{"contains":"/done"}},{"app":"a.b"},{"quiet":500}],"timeoutMs":120000}
            VALUE_CLAMPED at actions.0.params.timeout_ms: actions.0.params.timeout_ms was clamped from 200000 to 120000; the range is 1 to 120000
            OUTLASTS_TIMEOUT at actions.0.params.timeout_ms: actions.0.params.timeout_ms is 120000, but the execution times out after 30000; raise its timeoutMs
        "#]],
    );
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

#[test]
fn conditions_are_required_and_quiet_fits_the_wait() {
    check(
        "wait_until",
        json!({ "matcher": { "text": "A" } }),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: actions.0.params.anyOf is required
          path: "actions.0.params.anyOf"
          hint: "`matcher` is not used by wait_until; use `anyOf`"
    "#]],
    );
    check(
        "wait_until",
        json!({ "anyOf": [{ "quiet": 5000 }], "timeoutMs": 5000 }),
        expect![[r#"
            wait_until {"anyOf":[{"quiet":5000}],"timeoutMs":5000}
            OUTLASTS_TIMEOUT at actions.0.params.anyOf.0.quiet: actions.0.params.anyOf.0.quiet is 5000, but the step waits only 5000 ms: this condition cannot hold
        "#]],
    );
    check(
        "wait_until",
        json!({ "anyOf": [{ "text": { "matcher": { "text": "A" }, "regex": "a", "is": true } }] }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.anyOf.0.text has the unknown keys `regex`, `is`
              path: "actions.0.params.anyOf.0.text"
              invalidKeys: ["regex","is"]
        "#]],
    );
}

#[test]
fn on_missing_belongs_to_actions_that_look_for_a_node() {
    check(
        "click",
        json!({ "matcher": { "text": "A" }, "on_missing": " Skip " }),
        expect![[r#"
            click {"matcher":{"textEquals":"A"},"onMissing":"skip"}
        "#]],
    );
    check(
        "click",
        json!({ "matcher": { "text": "A" }, "onMissing": "ignore" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.onMissing must be one of fail, skip, not `ignore`
              path: "actions.0.params.onMissing"
        "#]],
    );
    check(
        "click",
        json!({ "coordinate": { "x": 1, "y": 2 }, "onMissing": "skip" }),
        expect![[r#"
            click {"coordinate":{"x":1,"y":2},"onMissing":"skip"}
            PARAM_NOT_USED at actions.0.params.onMissing: actions.0.params.onMissing has no effect without a matcher
        "#]],
    );
    check(
        "sleep",
        json!({ "durationMs": 1, "onMissing": "skip" }),
        expect![[r#"
            sleep {"durationMs":1,"onMissing":"skip"}
            PARAM_NOT_USED at actions.0.params.onMissing: actions.0.params.onMissing is not used by sleep
        "#]],
    );
}
