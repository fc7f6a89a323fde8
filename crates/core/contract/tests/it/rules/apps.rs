//! Rules of the actions on apps and on the whole device.

use serde_json::json;

use crate::support::{first_path, one};

#[test]
fn open_uri() {
    assert_eq!(
        first_path(&one("open_uri", json!({ "uri": "x".repeat(2048) }))),
        None
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
}

#[test]
fn sleep() {
    for good in [json!(0), json!(1.5), json!(120_000), json!(-0.0)] {
        assert_eq!(
            first_path(&one("sleep", json!({ "durationMs": good }))),
            None
        );
    }
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
}
