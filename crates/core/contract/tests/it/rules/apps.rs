//! Rules of the actions on apps and on the whole device.

use expect_test::expect;
use serde_json::json;

use crate::support::{check, first_path, one};

#[test]
fn open_app() {
    check(
        "open_app",
        json!({ "applicationId": "com.x" }),
        expect![[r#"
            open_app {"applicationId":"com.x"}
        "#]],
    );
    check(
        "open_app",
        json!({}),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.applicationId is required
              path: "actions.0.params.applicationId"
        "#]],
    );
    check(
        "open_app",
        json!({ "applicationId": " " }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.applicationId must not be blank
              path: "actions.0.params.applicationId"
        "#]],
    );
    check(
        "open_app",
        json!({ "applicationId": "a\u{0}b" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.applicationId must not contain control characters
              path: "actions.0.params.applicationId"
        "#]],
    );
    check(
        "open_app",
        json!({ "applicationId": 5 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.applicationId must be a string, not a number
              path: "actions.0.params.applicationId"
        "#]],
    );
}

#[test]
fn close_app() {
    check(
        "close_app",
        json!({ "applicationId": "com.x", "retry": { "maxAttempts": 2 } }),
        expect![[r#"
            close_app {"applicationId":"com.x","retry":{"maxAttempts":2}}
        "#]],
    );
    check(
        "close_app",
        json!({}),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.applicationId is required
              path: "actions.0.params.applicationId"
        "#]],
    );
    check(
        "close_app",
        json!({ "applicationId": "a\nb" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.applicationId must not contain control characters
              path: "actions.0.params.applicationId"
        "#]],
    );
}

#[test]
fn open_uri() {
    check(
        "open_uri",
        json!({ "uri": "not a uri" }),
        expect![[r#"
        open_uri {"uri":"not a uri"}
    "#]],
    );
    check(
        "open_uri",
        json!({}),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.uri is required
              path: "actions.0.params.uri"
        "#]],
    );
    check(
        "open_uri",
        json!({ "uri": "\t" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.uri must not be blank
              path: "actions.0.params.uri"
        "#]],
    );
    assert_eq!(
        first_path(&one("open_uri", json!({ "uri": "x".repeat(2048) }))),
        None
    );
    check(
        "open_uri",
        json!({ "uri": "x".repeat(2049) }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.uri must have at most 2048 characters, not 2049
              path: "actions.0.params.uri"
        "#]],
    );
}

#[test]
fn recordings() {
    for kind in ["start_recording", "stop_recording"] {
        assert_eq!(first_path(&one(kind, json!({}))), None);
        assert_eq!(
            first_path(&one(kind, json!({ "sessionId": "Az09-_" }))),
            None
        );
        assert_eq!(
            first_path(&one(kind, json!({ "sessionId": "x".repeat(128) }))),
            None
        );
        for bad in ["", " ", &"x".repeat(129)] {
            assert_eq!(
                first_path(&one(kind, json!({ "sessionId": bad }))).as_deref(),
                Some("actions.0.params.sessionId"),
                "{bad}"
            );
        }
    }
    check(
        "stop_recording",
        json!({ "sessionId": "x".repeat(129) }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.sessionId must have at most 128 characters, not 129
              path: "actions.0.params.sessionId"
        "#]],
    );
}

#[test]
fn snapshot_ui() {
    check(
        "snapshot_ui",
        json!({ "retry": { "maxAttempts": 1 } }),
        expect![[r#"
            snapshot_ui {"retry":{"maxAttempts":1}}
        "#]],
    );
    check(
        "snapshot_ui",
        json!({ "format": "xml" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params has the unknown key `format`
              path: "actions.0.params"
              invalidKeys: ["format"]
              hint: "`format` was removed from snapshot_ui; `view` selects `hierarchy_xml`, `text` or `actionable`"
        "#]],
    );
    // Only this action ever had the key.
    check(
        "sleep",
        json!({ "durationMs": 1, "format": "xml" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params has the unknown key `format`
              path: "actions.0.params"
              invalidKeys: ["format"]
        "#]],
    );
}

#[test]
fn take_screenshot() {
    check(
        "take_screenshot",
        json!({}),
        expect![[r#"
        take_screenshot {}
    "#]],
    );
    check(
        "take_screenshot",
        json!({ "path": "/tmp/a b.png" }),
        expect![[r#"
            take_screenshot {"path":"/tmp/a b.png"}
        "#]],
    );
    check(
        "take_screenshot",
        json!({ "path": "" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.path must not be blank
              path: "actions.0.params.path"
        "#]],
    );
    check(
        "take_screenshot",
        json!({ "path": "a\u{0}b" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.path must not contain a NUL character
              path: "actions.0.params.path"
        "#]],
    );
}

#[test]
fn sleep() {
    for good in [json!(0), json!(1.5), json!(120_000), json!(-0.0)] {
        assert_eq!(
            first_path(&one("sleep", json!({ "durationMs": good }))),
            None
        );
    }
    check(
        "sleep",
        json!({ "durationMs": 1.5, "retry": {} }),
        expect![[r#"
            sleep {"durationMs":1.5,"retry":{}}
        "#]],
    );
    check(
        "sleep",
        json!({}),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.durationMs is required
              path: "actions.0.params.durationMs"
        "#]],
    );
    check(
        "sleep",
        json!({ "durationMs": -0.1 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.durationMs must be between 0 and 120000, not -0.1
              path: "actions.0.params.durationMs"
        "#]],
    );
    check(
        "sleep",
        json!({ "durationMs": 120_000.5 }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.durationMs must be between 0 and 120000, not 120000.5
              path: "actions.0.params.durationMs"
        "#]],
    );
}

#[test]
fn press_key() {
    for good in [
        "back",
        "home",
        "recents",
        "enter",
        "delete",
        "tab",
        "escape",
        "volume_up",
        "volume_down",
        "power",
        "menu",
        "search",
    ] {
        assert_eq!(
            first_path(&one("press_key", json!({ "key": good }))),
            None,
            "{good}"
        );
    }
    check(
        "press_key",
        json!({ "key": " BACK " }),
        expect![[r#"
        press_key {"key":"back"}
    "#]],
    );
    check(
        "press_key",
        json!({}),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.key is required
              path: "actions.0.params.key"
        "#]],
    );
    check(
        "press_key",
        json!({ "key": "  " }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.key must be one of back, home, recents, enter, delete, tab, escape, volume_up, volume_down, power, menu, search, or a key of a keyboard such as page_down, f5, a or ctrl+a, not `  `
              path: "actions.0.params.key"
        "#]],
    );
    check(
        "press_key",
        json!({ "key": "any" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.key must be one of back, home, recents, enter, delete, tab, escape, volume_up, volume_down, power, menu, search, or a key of a keyboard such as page_down, f5, a or ctrl+a, not `any`
              path: "actions.0.params.key"
        "#]],
    );
}
