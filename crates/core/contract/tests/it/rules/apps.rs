//! Rules of the actions on apps and on the whole device.

use serde_json::json;

use crate::support::{accepts, one, refuses};

#[test]
fn open_uri() {
    accepts(&one("open_uri", json!({ "uri": "x".repeat(2048) })));
}

#[test]
fn recordings() {
    for kind in ["start_recording", "stop_recording"] {
        accepts(&one(kind, json!({})));
        accepts(&one(kind, json!({ "sessionId": "Az09-_" })));
        accepts(&one(kind, json!({ "sessionId": "x".repeat(128) })));
        for bad in ["", " ", &"x".repeat(129)] {
            refuses(
                &one(kind, json!({ "sessionId": bad })),
                "actions.0.params.sessionId",
            );
        }
    }
}

#[test]
fn sleep() {
    for good in [json!(0), json!(1.5), json!(120_000), json!(-0.0)] {
        accepts(&one("sleep", json!({ "durationMs": good })));
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
        accepts(&one("press_key", json!({ "key": good })));
    }
}
