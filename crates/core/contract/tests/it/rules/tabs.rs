//! The rules of `tab`.

use serde_json::json;

use crate::schemas;
use crate::support::{accepts, one, refuses};

#[test]
fn keys_belong_to_operations() {
    for sound in [
        json!({ "op": "list" }),
        json!({ "op": "open", "uri": "https://a.example" }),
        json!({ "op": "choose", "tab": { "index": 0 } }),
        json!({ "op": "choose", "tab": { "titleContains": "Cart" } }),
        json!({ "op": "choose", "tab": { "device": "chrome:A" } }),
        json!({ "op": "close" }),
        json!({ "op": "close", "tab": { "latest": true } }),
    ] {
        let payload = one("tab", sound);
        accepts(&payload);
        assert!(schemas::accepts(&payload), "the schema refuses {payload}");
    }
    let broken = [
        (json!({ "op": "open" }), "uri"),
        (json!({ "op": "close", "uri": "https://a.example" }), "uri"),
        (json!({ "op": "choose" }), "tab"),
        (json!({ "op": "list", "tab": { "index": 0 } }), "tab"),
        (json!({ "op": "choose", "tab": "Cart" }), "tab"),
        (json!({ "op": "choose", "tab": {} }), "tab"),
        (
            json!({ "op": "choose", "tab": { "index": 0, "latest": true } }),
            "tab",
        ),
        (
            json!({ "op": "choose", "tab": { "index": -1 } }),
            "tab.index",
        ),
        (
            json!({ "op": "choose", "tab": { "latest": false } }),
            "tab.latest",
        ),
        (
            json!({ "op": "choose", "tab": { "urlContains": " " } }),
            "tab.urlContains",
        ),
        (json!({ "op": "choose", "tab": { "url": "a" } }), "tab"),
        (json!({ "op": "reload" }), "op"),
    ];
    for (params, path) in broken {
        let payload = one("tab", params);
        assert!(!schemas::accepts(&payload), "the schema accepts {payload}");
        let expected = format!("actions.0.params.{path}");
        refuses(&payload, &expected);
    }
}
