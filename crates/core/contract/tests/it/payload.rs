//! The payload as a whole: keys and their order, ids, times, numbers of actions, size.

use contract::{ErrorCode, Execution, Mode, Observe, OnFailure, Overrides, WarningCode};
use expect_test::expect;
use serde_json::{Value, json};

use crate::support::{accepts, check_payload, payload, refuses};

fn with(key: &str, value: Value) -> Value {
    let mut payload = payload(json!([{ "id": "a1", "type": "snapshot_ui" }]));
    payload[key] = value;
    payload
}

fn without(key: &str) -> Value {
    let mut payload = with("mode", json!("direct"));
    payload.as_object_mut().unwrap().remove(key);
    payload
}

#[test]
fn payload_is_written_in_contract_order() {
    let shuffled = json!({
        "onFailure": "continue",
        "mode": "artifact_compiled",
        "actions": [{
            "params": { "timeoutMs": 1.5, "retry": {}, "matcher": { "textEquals": "a", "role": "b" } },
            "type": "wait_for_node",
            "id": "w",
        }],
        "timeoutMs": 1500.25,
        "expectedFormat": "android-ui-automator",
        "source": "s",
        "taskId": "t",
        "commandId": "c",
    });
    check_payload(
        &shuffled,
        expect![[r#"
        {"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":1500.25,"actions":[{"id":"w","type":"wait_for_node","params":{"matcher":{"role":"b","textEquals":"a"},"retry":{},"timeoutMs":1.5}}],"mode":"artifact_compiled","onFailure":"continue"}
    "#]],
    );
}

#[test]
fn execution_has_accessors() {
    let parsed = Execution::from_value(&with("mode", json!("direct"))).unwrap();
    let execution = parsed.execution;
    assert_eq!(execution.command_id(), "cmd-1");
    assert_eq!(execution.task_id(), "task-1");
    assert_eq!(execution.source(), "test");
    assert_eq!(execution.timeout().as_f64(), 30_000.0);
    assert_eq!(execution.mode(), Some(Mode::Direct));
    assert_eq!(execution.on_failure(), OnFailure::Stop);
    assert_eq!(execution.actions()[0].id(), "a1");
}

#[test]
fn missing_required_keys_are_named() {
    for key in [
        "commandId",
        "taskId",
        "source",
        "expectedFormat",
        "timeoutMs",
        "actions",
    ] {
        refuses(&without(key), key);
    }
    accepts(&without("mode"));
}

#[test]
fn non_object_payload_is_refused() {
    for value in [json!(null), json!(5), json!("x"), json!([]), json!(true)] {
        refuses(&value, "");
    }
    check_payload(
        &json!([]),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: the payload must be an object, not an array
          path: ""
    "#]],
    );
}

#[test]
fn blank_and_too_long_ids_are_refused() {
    for key in ["commandId", "taskId"] {
        accepts(&with(key, json!("x".repeat(128))));
        for value in [
            json!("x".repeat(129)),
            json!(""),
            json!(" \t\n"),
            json!(5),
            json!(null),
        ] {
            refuses(&with(key, value), key);
        }
    }
    accepts(&with("source", json!("x".repeat(64))));
    refuses(&with("source", json!("x".repeat(65))), "source");
    refuses(&with("source", json!(" ")), "source");
}

#[test]
fn lengths_count_utf_16_units() {
    // This letter is one character, four bytes and two UTF-16 units.
    accepts(&with("source", json!("𝔸".repeat(32))));
    refuses(&with("source", json!("𝔸".repeat(33))), "source");
    accepts(&with("source", json!("é".repeat(64))));
}

#[test]
fn timeout_has_lower_and_upper_limit() {
    for good in [json!(1000), json!(120_000), json!(1000.5), json!(1e4)] {
        accepts(&with("timeoutMs", good));
    }
    for bad in [
        json!(999),
        json!(999.9),
        json!(120_001),
        json!(0),
        json!(-1),
        json!("30000"),
        json!(null),
    ] {
        refuses(&with("timeoutMs", bad), "timeoutMs");
    }
    check_payload(
        &with("timeoutMs", json!(999.5)),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: timeoutMs must be between 1000 and 120000, not 999.5
          path: "timeoutMs"
    "#]],
    );
}

#[test]
fn fractions_of_milliseconds_are_kept() {
    let execution = Execution::from_value(&with("timeoutMs", json!(1000.5)))
        .unwrap()
        .execution;
    assert_eq!(execution.timeout().to_duration().as_micros(), 1_000_500);
    assert!(
        serde_json::to_string(&execution)
            .unwrap()
            .contains("\"timeoutMs\":1000.5,")
    );
}

#[test]
fn expected_format_is_exact() {
    check_payload(
        &with("expectedFormat", json!("Android-UI-Automator")),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: expectedFormat must be `android-ui-automator`, not `Android-UI-Automator`
              path: "expectedFormat"
        "#]],
    );
}

#[test]
fn an_action_may_ask_for_the_screen() {
    let press = |observe: Value| json!([{ "id": "a", "type": "press_key", "params": { "key": "back" }, "observe": observe }]);
    for (word, observe) in [
        ("none", Observe::None),
        ("diff", Observe::Diff),
        ("screen", Observe::Screen),
    ] {
        let parsed = Execution::from_value(&with("actions", press(json!(word)))).unwrap();
        let action = &parsed.execution.actions()[0];
        assert_eq!(action.observe(), Some(observe));
        assert!(parsed.execution.observes());
        let written = serde_json::to_value(action).unwrap();
        assert_eq!(written, press(json!(observe))[0]);
    }
    let without = json!([{ "id": "a", "type": "press_key", "params": { "key": "back" } }]);
    let parsed = Execution::from_value(&with("actions", without)).unwrap();
    assert!(!parsed.execution.observes());
    check_payload(
        &with("actions", press(json!("all"))),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: actions.0.observe must be one of none, diff, screen, not `all`
          path: "actions.0.observe"
          actionId: "a"
          actionType: "press_key"
    "#]],
    );
    // The action of a rule has no result of its own.
    let rule = json!([{ "when": { "text": "Allow" }, "action": { "type": "press_key", "params": { "key": "back" }, "observe": "diff" } }]);
    check_payload(
        &with("interrupts", rule),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: interrupts.0.action has the unknown key `observe`
          path: "interrupts.0.action"
          invalidKeys: ["observe"]
    "#]],
    );
}

#[test]
fn mode_and_on_failure_are_words() {
    accepts(&with("mode", json!("artifact_compiled")));
    refuses(&with("mode", json!(null)), "mode");
    check_payload(
        &with("mode", json!("fast")),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: mode must be one of artifact_compiled, direct, not `fast`
          path: "mode"
    "#]],
    );
    check_payload(
        &with("onFailure", json!("ignore")),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: onFailure must be one of stop, continue, not `ignore`
          path: "onFailure"
    "#]],
    );
    check_payload(
        &with("onFailure", json!("stop")),
        expect![[r#"
        {"commandId":"cmd-1","taskId":"task-1","source":"test","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"a1","type":"snapshot_ui"}]}
    "#]],
    );
    check_payload(
        &with("onFailure", json!("continue")),
        expect![[r#"
        {"commandId":"cmd-1","taskId":"task-1","source":"test","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"a1","type":"snapshot_ui"}],"onFailure":"continue"}
    "#]],
    );
}

#[test]
fn number_of_actions_is_one_to_fifty() {
    let sleeps = |count: usize| {
        let actions: Vec<Value> = (0..count)
            .map(|index| json!({ "id": format!("s{index}"), "type": "sleep", "params": { "durationMs": 1 } }))
            .collect();
        payload(json!(actions))
    };
    accepts(&sleeps(1));
    accepts(&sleeps(50));
    check_payload(
        &sleeps(0),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions must have 1 to 50 actions, not 0
              path: "actions"
        "#]],
    );
    check_payload(
        &sleeps(51),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions must have 1 to 50 actions, not 51
              path: "actions"
        "#]],
    );
    refuses(&with("actions", json!({})), "actions");
}

#[test]
fn action_has_id_type_and_optional_params() {
    check_payload(
        &payload(json!([{}])),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.id is required
              path: "actions.0.id"
            and at actions.0.type: is required
        "#]],
    );
    check_payload(
        &payload(json!([{ "id": " ", "type": 5, "params": [] }])),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.id must not be blank
              path: "actions.0.id"
              actionId: " "
            and at actions.0.type: must be a string, not a number
            and at actions.0.params: must be an object, not an array
        "#]],
    );
    check_payload(
        &payload(json!([{ "id": "x".repeat(129), "type": "x".repeat(65) }])),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.id must have at most 128 characters, not 129
              path: "actions.0.id"
              actionId: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
              actionType: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            and at actions.0.type: must have at most 64 characters, not 65
        "#]],
    );
    check_payload(
        &payload(json!([{ "id": "a", "type": "snapshot_ui", "parms": {} }])),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0 has the unknown key `parms`
              path: "actions.0"
              actionId: "a"
              actionType: "snapshot_ui"
              invalidKeys: ["parms"]
              hint: "did you mean `params`?"
        "#]],
    );
}

#[test]
fn empty_and_missing_params_are_preserved() {
    let both = payload(json!([
        { "id": "a", "type": "snapshot_ui", "params": {} },
        { "id": "b", "type": "snapshot_ui" },
    ]));
    check_payload(
        &both,
        expect![[r#"
        {"commandId":"cmd-1","taskId":"task-1","source":"test","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"a","type":"snapshot_ui","params":{}},{"id":"b","type":"snapshot_ui"}]}
    "#]],
    );
}

#[test]
fn duplicate_ids_are_warned_about_once() {
    let many: Vec<Value> = (0..50)
        .map(|index| json!({ "id": if index % 2 == 0 { "a" } else { "b" }, "type": "snapshot_ui" }))
        .collect();
    let warnings = Execution::from_value(&payload(json!(many)))
        .unwrap()
        .warnings;
    let messages: Vec<&str> = warnings.iter().map(|warning| &*warning.message).collect();
    assert_eq!(
        messages,
        [
            "actions.2.id is `a`, the id of 25 actions",
            "actions.3.id is `b`, the id of 25 actions"
        ]
    );
    let twice = payload(json!([
        { "id": "a", "type": "snapshot_ui" },
        { "id": "a", "type": "snapshot_ui" },
    ]));
    check_payload(
        &twice,
        expect![[r#"
            {"commandId":"cmd-1","taskId":"task-1","source":"test","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"a","type":"snapshot_ui"},{"id":"a","type":"snapshot_ui"}]}
            DUPLICATE_ACTION_ID at actions.1.id: actions.1.id is `a`, the id of 2 actions
        "#]],
    );
}

#[test]
fn payload_size_is_limited() {
    let long = |actions: usize| {
        let actions: Vec<Value> = (0..actions)
            .map(|index| {
                json!({ "id": format!("u{index}"), "type": "open_uri", "params": { "uri": "x".repeat(2048) } })
            })
            .collect();
        payload(json!(actions))
    };
    assert!(Execution::from_value(&long(30)).is_ok());
    check_payload(
        &long(31),
        expect![[r#"
            PAYLOAD_TOO_LARGE: the normalised payload has 65184 bytes; the limit is 64000
              hint: Split the plan into several executions
              limit: 64000
        "#]],
    );
}

#[test]
fn size_limit_applies_to_normalized_form() {
    // The input exceeds the limit, the normalized form does not.
    let text =
        serde_json::to_string_pretty(&payload(json!([{ "id": "a", "type": "snapshot_ui" }])))
            .unwrap();
    let spaced = text.replace('\n', &format!("\n{}", " ".repeat(10_000)));
    assert!(spaced.len() > 64_000);
    assert!(Execution::parse(spaced.as_bytes()).is_ok());
}

#[test]
fn timeout_can_be_replaced_within_limits() {
    let execution = Execution::from_value(&with("mode", json!("direct")))
        .unwrap()
        .execution;
    let changed = execution.clone().with_timeout(1500.5).unwrap();
    assert_eq!(changed.timeout().as_f64(), 1500.5);
    assert_eq!(changed.actions(), execution.actions());
    let refused = |millis: f64| execution.clone().with_timeout(millis).unwrap_err();
    let message = |millis: f64| refused(millis).body().message.clone();
    assert!(message(f64::NAN).starts_with("timeoutMs must be between 1000 and 120000"));
    assert!(message(f64::INFINITY).starts_with("timeoutMs must be between 1000 and 120000"));
    assert_eq!(
        refused(5.0).body().detail("problems"),
        Some(
            &json!([{ "path": "timeoutMs", "message": "must be between 1000 and 120000, not 5" }])
        )
    );
    assert_eq!(
        message(999.0),
        "timeoutMs must be between 1000 and 120000, not 999"
    );
    assert_eq!(
        message(-5.0),
        "timeoutMs must be between 1000 and 120000, not -5"
    );
    assert_eq!(
        message(120_000.5),
        "timeoutMs must be between 1000 and 120000, not 120000.5"
    );
    assert_eq!(
        refused(0.0).body().code,
        ErrorCode::ExecutionValidationFailed
    );
    assert_eq!(
        refused(0.0).body().detail("path"),
        Some(&json!("timeoutMs"))
    );
}

#[test]
fn overrides_apply_before_validation() {
    let instead = Overrides {
        timeout_ms: Some(5000.0),
        on_failure: Some(OnFailure::Continue),
    };
    for key in ["timeoutMs", "timeout_ms", "commandId"] {
        let mut broken = without("timeoutMs");
        broken[key] = json!("soon");
        broken["on_failure"] = json!("perhaps");
        broken["commandId"] = json!("c");
        let parsed = Execution::parse_with(broken.to_string().as_bytes(), &instead).unwrap();
        assert_eq!(parsed.execution.timeout().as_f64(), 5000.0);
        assert_eq!(parsed.execution.on_failure(), OnFailure::Continue);
        assert_eq!(parsed.warnings, []);
        assert!(
            Execution::parse_with(broken.to_string().as_bytes(), &Overrides::default()).is_err()
        );
    }
    let late = Overrides {
        timeout_ms: Some(5.0),
        on_failure: None,
    };
    let invalid = Execution::parse_with(with("mode", json!("fast")).to_string().as_bytes(), &late)
        .unwrap_err();
    assert_eq!(invalid.problems().len(), 2, "{invalid}");
    assert_eq!(invalid.body().detail("path"), Some(&json!("timeoutMs")));
    assert!(Execution::parse_with(b"[]", &instead).is_err());
}

#[test]
fn wait_longer_than_timeout_is_warned_about() {
    let plan = |timeout: u32, actions: Value| {
        let mut plan = payload(actions);
        plan["timeoutMs"] = json!(timeout);
        plan
    };
    let sleep = |millis: u32| json!({ "id": millis.to_string(), "type": "sleep", "params": { "durationMs": millis } });
    let wait = |key: &str, millis: u32| json!({ "id": "w", "type": "wait_for_node", "params": { "matcher": { "role": "x" }, key: millis } });
    let remarks = |plan: &Value| -> Vec<String> {
        let parsed = Execution::from_value(plan).unwrap();
        parsed
            .warnings
            .iter()
            .map(|warning| {
                assert_eq!(warning.code, WarningCode::OutlastsTimeout);
                let path = warning.path.as_deref().unwrap();
                assert!(warning.message.starts_with(path), "{}", warning.message);
                warning.message.clone()
            })
            .collect()
    };
    assert_eq!(
        remarks(&plan(2000, json!([sleep(1500), sleep(500)]))),
        [""; 0]
    );
    expect![[r#"
        [
            "timeoutMs is 2000, but the plan sleeps 2001: it will time out",
        ]
    "#]]
    .assert_debug_eq(&remarks(&plan(2000, json!([sleep(1500), sleep(501)]))));
    expect![[r#"
        [
            "actions.0.params.timeout_ms is 3000, but the execution times out after 2000; raise its timeoutMs",
        ]
    "#]]
    .assert_debug_eq(&remarks(&plan(2000, json!([wait("timeout_ms", 3000)]))));
    assert_eq!(
        remarks(&plan(2000, json!([wait("timeoutMs", 2000)]))),
        [""; 0]
    );
    let nav = json!({ "id": "n", "type": "wait_for_navigation", "params": { "expectedPackage": "a", "timeoutMs": 2001 } });
    assert_eq!(remarks(&plan(2000, json!([nav, sleep(1)]))).len(), 1);
}
