//! The command lines of the public documentation, each of which must be understood.

use crate::run::run;

/// What a command line becomes: the type and the params of its action, or an error's code.
const DOCUMENTED: &[(&[&str], &str)] = &[
    (
        &["wait", "--text", "Done", "--role", "button"],
        r#"wait_for_node {"matcher":{"role":"button","textEquals":"Done"}}"#,
    ),
    (
        &[
            "read",
            "--text",
            "Price",
            "--container-id",
            "android:id/list",
            "--json",
        ],
        r#"read_text {"matcher":{"textEquals":"Price"},"container":{"resourceId":"android:id/list"}}"#,
    ),
    (
        &[
            "read",
            "--text",
            "Price",
            "--selector",
            r#"{"textEquals":"Price"}"#,
        ],
        "EXECUTION_VALIDATION_FAILED",
    ),
    (
        &["type", "hello world", "--role", "textfield"],
        r#"enter_text {"matcher":{"role":"textfield"},"text":"hello world","submit":false,"clear":true}"#,
    ),
    (
        &[
            "scroll-until",
            "--text",
            "About phone",
            "--container-id",
            "android:id/list",
        ],
        r#"scroll_until {"matcher":{"textEquals":"About phone"},"container":{"resourceId":"android:id/list"},"direction":"down"}"#,
    ),
    (
        &["click", "--text", "Wi-Fi"],
        r#"click {"matcher":{"textEquals":"Wi-Fi"}}"#,
    ),
    (
        &[
            "read",
            "--selector",
            r#"{"resourceId":"android:id/title"}"#,
            "--json",
        ],
        r#"read_text {"matcher":{"resourceId":"android:id/title"}}"#,
    ),
    (
        &[
            "wait",
            "--text-contains",
            "Done",
            "--timeout",
            "10000",
            "--json",
        ],
        r#"wait_for_node {"matcher":{"textContains":"Done"},"timeoutMs":10000}"#,
    ),
    (
        &["read-value", "--label", "Battery", "--json"],
        r#"read_key_value_pair {"labelMatcher":{"textEquals":"Battery"}}"#,
    ),
    (
        &["snapshot", "--json", "--device", "<device_serial>"],
        "snapshot_ui null",
    ),
    (
        &["click", "--coordinate", "1", "2", "--focus"],
        "EXECUTION_VALIDATION_FAILED",
    ),
    (
        &[
            "exec",
            "--validate-only",
            "--payload",
            r#"{"command_id":"cmd-001","task_id":"task-001","source":"docs","expected_format":"android-ui-automator","timeout_ms":30000,"actions":[{"id":"snap-1","type":"snapshot"}]}"#,
            "--json",
        ],
        "snapshot_ui null",
    ),
];

#[test]
fn every_documented_command_line_is_understood() {
    for (arguments, expected) in DOCUMENTED {
        let mut argv = arguments.to_vec();
        argv.push("--validate-only");
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
fn a_mixed_selector_is_refused_with_code_and_message_alone() {
    let document = run(&[
        "read",
        "--text",
        "Price",
        "--selector",
        r#"{"textEquals":"Price"}"#,
    ])
    .failure("EXECUTION_VALIDATION_FAILED");
    let keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["code", "message"]);
    assert!(document["message"].as_str().unwrap().contains("not both"));
}

#[test]
fn the_wrappers_have_their_keys_in_order() {
    let payload = r#"{"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"a","type":"snapshot_ui"}]}"#;
    assert_eq!(
        run(&["exec", payload, "--validate"]).stdout,
        format!("{{\"ok\":true,\"validated\":true,\"execution\":{payload}}}\n")
    );
    assert_eq!(
        run(&["exec", payload, "--dry-run"]).stdout,
        "{\"ok\":true,\"dryRun\":true,\"plan\":{\"commandId\":\"c\",\"timeoutMs\":30000,\"actionCount\":1,\"actions\":[{\"id\":\"a\",\"type\":\"snapshot_ui\"}]}}\n"
    );
}

#[test]
fn the_documented_commands_run_on_the_embedded_phone_as_typed() {
    for argv in [
        &[
            "read",
            "--text",
            "Price",
            "--container-id",
            "android:id/list",
            "--json",
        ][..],
        &[
            "scroll-until",
            "--text",
            "About phone",
            "--container-id",
            "android:id/list",
        ],
        &["click", "--text", "Wi-Fi"],
        &[
            "read",
            "--selector",
            r#"{"resourceId":"android:id/title"}"#,
            "--json",
        ],
        &["read-value", "--label", "Battery", "--json"],
    ] {
        let answer = run(&[argv, &["--device", "sim"]].concat()).success();
        assert_eq!(
            answer["envelope"]["status"], "success",
            "{argv:?}: {answer}"
        );
    }
}
