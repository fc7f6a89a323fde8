//! Refusals have the same text on every surface.

use serde_json::{Value, json};

use super::{Http, Surface, TestFolders, run_by_tool};
use crate::mcp::RawClient;
use crate::run::run;

#[test]
fn invalid_plans_have_same_error_on_every_surface() {
    let place = TestFolders::new("refusals");
    let http = Http::start(&["--device", "sim"], &place.of(Surface::Http));
    let mut mcp = RawClient::initialized_in(&["--device", "sim"], &place.of(Surface::Mcp));
    let mut calls = 0;
    for (action, words) in [
        // An action with another name elsewhere.
        (
            json!({ "id": "1", "click": { "matcher": { "textEquals": "A" } } }),
            r#"did you mean {"id": "1", "type": "click", "params": {…}}?"#,
        ),
        (
            json!({ "id": "1", "action": "click", "matcher": { "textEquals": "A" } }),
            r#"`action` is called `type` here: did you mean {"id": "1", "type": "click", "params": {…}}?"#,
        ),
        (
            json!({ "id": "1", "type": "clikc", "params": { "matcher": { "textEquals": "A" } } }),
            r#""suggestion":"click""#,
        ),
        (
            json!({ "id": "1", "type": "click", "params": { "textEquals": "A" } }),
            "`textEquals` belongs inside `matcher`",
        ),
        (Value::Null, "put a single action in brackets"),
        (
            json!("home"),
            r#"did you mean {"id": "1", "type": "press_key""#,
        ),
        (
            json!({ "id": "1", "type": "sleep", "params": { "durationMs": -5 } }),
            "must be between 0 and 120000",
        ),
    ] {
        let list = match action {
            // A value that is not a list.
            Value::Null => json!({ "id": "1", "type": "snapshot_ui" }),
            action => json!([action]),
        };
        let plan = testkit::plan("cmd", list);
        let ran = run(&["exec", &plan.to_string(), "--device", "sim"]);
        let over_http = http.run_plan("sim", &plan);
        calls += 1;
        let over_mcp = run_by_tool(&mut mcp, calls, "sim", &plan);
        let expected = ran.document();
        let text = expected.to_string().replace("\\\"", "\"");
        assert!(text.contains(words), "{words} is not in {text}");
        assert_eq!(ran.exit, 1);
        assert_eq!(expected, over_http, "over HTTP");
        assert_eq!(expected, over_mcp, "over MCP");
    }
}

#[test]
fn invalid_json_has_likely_cause() {
    let place = TestFolders::new("syntax");
    let http = Http::start(&["--device", "sim"], &place.of(Surface::Http));
    for (text, words) in [
        (r#"{"broken'"#, "the shell removed quotes"),
        (r#"{"commandId": "c",}"#, "Remove the trailing comma"),
        ("{commandId: c}", "A key has no quotes"),
    ] {
        let ran = run(&["exec", text, "--device", "sim"]);
        let refused = ran.failure("EXECUTION_VALIDATION_FAILED");
        let hint = refused["hint"].as_str().unwrap();
        assert!(hint.contains(words), "{refused}");
        let answer: Value = serde_json::from_str(&crate::serve::curl(&[
            "-H",
            "content-type: application/json",
            "-d",
            text,
            &format!("{}/execute", http.url()),
        ]))
        .unwrap();
        assert_eq!(answer["error"]["code"], "INVALID_JSON", "{answer}");
        assert_eq!(answer["error"]["hint"], hint, "{answer}");
        assert_eq!(answer["error"]["details"], refused["details"], "{answer}");
    }
}

#[test]
fn hints_fit_the_surface() {
    let place = TestFolders::new("hints");
    let http = Http::start(&[], &place.of(Surface::Http));
    let mut mcp = RawClient::initialized_in(&[], &place.of(Surface::Mcp));
    let snapshot = testkit::plan("cmd", json!([{ "id": "1", "type": "snapshot_ui" }]));
    for (calls, device, code, words) in [
        (
            1,
            "nobody",
            "ADB_NOT_FOUND",
            [
                "`--device sim` needs none",
                r#"`"deviceId": "sim"` needs none"#,
                r#"`"device": "sim"` needs none"#,
            ],
        ),
        (
            2,
            "chrome:nobody",
            "TAB_NOT_FOUND",
            [
                "`--device chrome` starts one",
                r#"`"deviceId": "chrome"` starts one"#,
                r#"`"device": "chrome"` starts one"#,
            ],
        ),
    ] {
        let ran = run(&["snapshot", "--device", device]);
        let refused = [
            ran.document(),
            http.run_plan(device, &snapshot),
            run_by_tool(&mut mcp, calls, device, &snapshot),
        ];
        for (error, words) in refused.iter().zip(words) {
            assert_eq!(error["code"], code, "{error}");
            let hint = error["hint"].as_str().unwrap();
            assert!(hint.contains(words), "{words} is not in {hint}");
        }
    }
}
