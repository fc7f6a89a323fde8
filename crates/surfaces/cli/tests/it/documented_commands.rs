//! The command lines of the public documentation; each must parse.

use serde_json::json;

use crate::run::run;

/// The result of a command line: the type and params of its action, or an error code.
const DOCUMENTED: &[(&str, &str)] = &[
    (
        "wait --text Done --role button",
        r#"wait_for_node {"matcher":{"role":"button","textEquals":"Done"}}"#,
    ),
    (
        "read --text Price --container-id android:id/list --json",
        r#"read_text {"matcher":{"textEquals":"Price"},"container":{"resourceId":"android:id/list"}}"#,
    ),
    (
        r#"read --text Price --selector {"textEquals":"Price"}"#,
        "EXECUTION_VALIDATION_FAILED",
    ),
    (
        "type 'hello world' --role textfield",
        r#"enter_text {"matcher":{"role":"textfield"},"text":"hello world","submit":false,"clear":true}"#,
    ),
    (
        "scroll-until --text 'About phone' --container-id android:id/list",
        r#"scroll_until {"matcher":{"textEquals":"About phone"},"container":{"resourceId":"android:id/list"},"direction":"down"}"#,
    ),
    (
        "click --text Wi-Fi",
        r#"click {"matcher":{"textEquals":"Wi-Fi"}}"#,
    ),
    (
        r#"read --selector {"resourceId":"android:id/title"} --json"#,
        r#"read_text {"matcher":{"resourceId":"android:id/title"}}"#,
    ),
    (
        "wait --text-contains Done --timeout 10000 --json",
        r#"wait_for_node {"matcher":{"textContains":"Done"},"timeoutMs":10000}"#,
    ),
    (
        "read-value --label Battery --json",
        r#"read_key_value_pair {"labelMatcher":{"textEquals":"Battery"}}"#,
    ),
    (
        "snapshot --json --device <device_serial>",
        "snapshot_ui null",
    ),
    (
        "click --coordinate 1 2 --focus",
        "EXECUTION_VALIDATION_FAILED",
    ),
    (
        r#"exec --validate-only --payload {"command_id":"cmd-001","task_id":"task-001","source":"docs","expected_format":"android-ui-automator","timeout_ms":30000,"actions":[{"id":"snap-1","type":"snapshot"}]} --json"#,
        "snapshot_ui null",
    ),
];

#[test]
fn documented_command_lines_parse() {
    for (arguments, expected) in DOCUMENTED {
        let argv = format!("{arguments} --validate-only");
        let document = run(&argv).document();
        let action = &document["execution"]["actions"][0];
        let found = match document["code"].as_str() {
            Some(code) => code.to_owned(),
            None => format!("{} {}", action["type"].as_str().unwrap(), action["params"]),
        };
        assert_eq!(found, *expected, "{argv:?}");
    }
}

#[test]
fn mixed_selector_error_has_code_and_message_only() {
    let document = run(r#"read --text Price --selector {"textEquals":"Price"}"#)
        .failure("EXECUTION_VALIDATION_FAILED");
    let keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["code", "message"]);
    assert_eq!(
        document["message"],
        "use --selector OR the simple flags, not both"
    );
}

#[test]
fn wrapper_keys_are_in_order() {
    let payload = testkit::plan("c", json!([{"id": "a", "type": "snapshot_ui"}])).to_string();
    assert_eq!(
        run(&["exec", &payload, "--validate"]).stdout,
        format!("{{\"ok\":true,\"validated\":true,\"execution\":{payload}}}\n")
    );
    assert_eq!(
        run(&["exec", &payload, "--dry-run"]).stdout,
        "{\"ok\":true,\"dryRun\":true,\"plan\":{\"commandId\":\"c\",\"timeoutMs\":30000,\"actionCount\":1,\"actions\":[{\"id\":\"a\",\"type\":\"snapshot_ui\"}]}}\n"
    );
}

#[test]
fn documented_commands_run_on_embedded_phone() {
    for argv in [
        "read --text Price --container-id android:id/list --json",
        "scroll-until --text 'About phone' --container-id android:id/list",
        "click --text Wi-Fi",
        r#"read --selector {"resourceId":"android:id/title"} --json"#,
        "read-value --label Battery --json",
    ] {
        let answer = run(&format!("{argv} --device sim")).success();
        assert_eq!(
            answer["envelope"]["status"], "success",
            "{argv:?}: {answer}"
        );
    }
}

#[test]
fn missing_navigation_timeout_has_documented_message() {
    for timeout in [None, Some(0), Some(-1)] {
        let mut params = json!({"expectedPackage": "com.android.settings"});
        if let Some(timeout) = timeout {
            params["timeoutMs"] = timeout.into();
        }
        let wait = json!([{"id": "wait-1", "type": "wait_for_navigation", "params": params}]);
        let payload = testkit::plan("c", wait).to_string();
        let error =
            run(&["exec", "--validate-only", &payload]).failure("EXECUTION_VALIDATION_FAILED");
        assert_eq!(
            error["message"],
            "wait_for_navigation requires params.timeoutMs > 0"
        );
        assert_eq!(error["details"]["path"], "actions.0.params.timeoutMs");
        assert_eq!(error["details"]["actionId"], "wait-1");
        assert_eq!(error["details"]["actionType"], "wait_for_navigation");
    }
}

#[test]
fn snapshot_of_a_settled_screen_after_click_has_no_warning() {
    let actions = json!([
        {"id": "a", "type": "click", "params": {"matcher": {"textEquals": "Settings"}}},
        {"id": "s", "type": "snapshot_ui"},
    ]);
    let payload = testkit::plan("c", actions).to_string();
    let answer = run(&["exec", "--device", "sim", &payload]).success();
    let data = &answer["envelope"]["stepResults"][1]["data"];
    assert!(data["text"].is_string(), "{answer}");
    assert!(data["warn"].is_null(), "{answer}");
}

#[test]
fn screen_in_readme_is_the_printed_one() {
    let readme = include_str!("../../../../../README.md");
    let (_, screen) = readme.split_once("```text\napplication").unwrap();
    let (screen, _) = screen.split_once("```").unwrap();
    let printed = run("snapshot --device sim --view text").stdout;
    let mut printed = printed.lines();
    let shown = format!("application{screen}");
    for line in shown.lines().filter(|line| !line.trim().eq("…")) {
        assert!(printed.any(|other| other == line), "{line}");
    }
}

#[test]
fn missing_node_on_new_phone_hints_at_sim_start() {
    let click = run("click --text 'Nothing here' --device sim").document();
    assert_eq!(click["envelope"]["errorCode"], "NODE_NOT_FOUND");
    let hint = click["envelope"]["hint"].as_str().unwrap();
    assert!(
        hint.contains("new embedded phone") && hint.contains("clawperator sim start"),
        "{hint}"
    );
}

#[test]
fn unknown_app_has_suggestions() {
    let open = run("open settings --device sim").document();
    let data = &open["envelope"]["stepResults"][0]["data"];
    assert_eq!(data["error"], "APP_NOT_FOUND");
    assert_eq!(
        data["message"],
        "no app settings is installed; com.android.settings comes near"
    );
    assert_eq!(data["near_packages"], r#"["com.android.settings"]"#);
}

#[test]
fn address_without_scheme_hints_at_uri() {
    for address in ["www.example.org", "example.com", "example.com/login"] {
        let open = run(&["open", address, "--device", "sim"]).document();
        let hint = open["envelope"]["hint"].as_str().unwrap();
        assert!(hint.contains("https://"), "{open}");
    }
}
