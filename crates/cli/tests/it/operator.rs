//! A phone with the Operator app, as `sim start --operator` plays it: what the shell of the real adb gets to see of it.

use serde_json::{Value, json};

use crate::phones::User;

const PACKAGE: &str = "com.clawperator.operator";
const SERVICES: &str = "secure enabled_accessibility_services";

/// What a command of the phone's shell prints.
fn shell(user: &User, serial: &str, command: &str) -> String {
    let ran = user.adb(&["-s", serial, "shell", command]);
    String::from_utf8(ran.stdout).unwrap().trim().to_owned()
}

/// A payload of these actions, as the app takes it.
fn payload(id: &str, actions: Value) -> String {
    json!({"commandId": id, "taskId": "t", "source": "test", "expectedFormat": "android-ui-automator",
        "timeoutMs": 20000, "actions": actions})
    .to_string()
}

/// Sends a payload past everything of ours, and gives the answer that the log holds.
fn answer(user: &User, serial: &str, id: &str, actions: Value) -> Value {
    let broadcast = format!(
        "am broadcast -a app.clawperator.operator.ACTION_AGENT_COMMAND -p {PACKAGE} --es payload '{}' --receiver-foreground",
        payload(id, actions)
    );
    let sent = shell(user, serial, &broadcast);
    assert!(sent.ends_with("Broadcast completed: result=0"), "{sent}");
    // The app answers when it is done: the first line of its answer, waited for by logcat itself.
    let asked = format!("logcat -v raw -m 1 -e '\"commandId\":\"{id}\",\"taskId\"'");
    let line = shell(user, serial, &asked);
    let (_, json) = line.split_once("[Clawperator-Result] ").unwrap();
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

#[test]
fn the_app_is_seen_and_takes_commands() {
    let user = User::with_adb("operator-app");
    let started = user.run(&["sim", "start", "--operator"]).success();
    assert_eq!(started["operator"]["package"], PACKAGE, "{started}");
    let serial = started["serial"].as_str().unwrap();
    let sh = |command: &str| shell(&user, serial, command);
    assert_eq!(
        sh("pm list packages com.clawperator"),
        format!("package:{PACKAGE}")
    );
    let version = sh(&format!("dumpsys package {PACKAGE} | grep versionName"));
    assert_eq!(
        version,
        format!("versionName={}", env!("CARGO_PKG_VERSION"))
    );
    let pid = sh(&format!("pidof {PACKAGE}"));
    assert!(pid.parse::<u32>().is_ok(), "{pid:?}");
    let service = sh(&format!("settings get {SERVICES}"));
    assert_eq!(
        service,
        format!("{PACKAGE}/clawperator.operator.accessibilityservice.OperatorAccessibilityService")
    );
    let actions = json!([
        {"id": "p", "type": "doctor_ping"},
        {"id": "o", "type": "open_app", "params": {"applicationId": "com.android.settings"}},
        {"id": "s", "type": "snapshot_ui"},
        {"id": "c", "type": "close_app", "params": {"applicationId": "com.android.settings"}},
        {"id": "t", "type": "take_screenshot"},
        {"id": "v", "type": "read_key_value_pair", "params": {"labelMatcher": {"textEquals": "no such label"}}},
        {"id": "k", "type": "KEY_PRESS", "params": {"key": "back"}},
    ]);
    let envelope = answer(&user, serial, "c1", actions);
    assert_eq!(envelope["status"], "success", "{envelope}");
    assert_eq!(envelope["error"], Value::Null);
    let steps = envelope["stepResults"].as_array().unwrap();
    let told: Vec<(&str, bool, &Value)> = steps
        .iter()
        .map(|step| {
            (
                step["actionType"].as_str().unwrap(),
                step["success"].as_bool().unwrap(),
                &step["data"]["error"],
            )
        })
        .collect();
    let none = Value::Null;
    let (close, shot) = (
        json!("UNSUPPORTED_RUNTIME_CLOSE"),
        json!("UNSUPPORTED_RUNTIME_SCREENSHOT"),
    );
    let missing = json!("NODE_NOT_FOUND");
    assert_eq!(
        told,
        [
            ("doctor_ping", true, &none),
            ("open_app", true, &none),
            ("snapshot_ui", true, &none),
            ("close_app", false, &close),
            ("take_screenshot", false, &shot),
            ("read_key_value_pair", false, &missing),
            ("press_key", true, &none),
        ]
    );
    assert_eq!(steps[0]["data"]["usb_debugging_enabled"], "true");
    assert_eq!(steps[2]["data"].get("text"), None);
    let log = sh("logcat -d -v raw");
    assert!(log.contains("[TaskScope] UI Hierarchy:\n<?xml"), "{log}");
    // What ends a command takes the steps before it along.
    let actions = json!([
        {"id": "h", "type": "press_key", "params": {"key": "home"}},
        {"id": "c", "type": "click", "params": {"matcher": {"textEquals": "no such node"}, "retry": {}}},
    ]);
    let envelope = answer(&user, serial, "c2", actions);
    assert_eq!(envelope["status"], "failed", "{envelope}");
    assert_eq!(envelope["stepResults"], json!([]));
    assert!(
        envelope["error"]
            .as_str()
            .unwrap()
            .starts_with("Task execution failed: No UI node found matching criteria: NodeMatcher(")
    );
    // A recording lies on the phone, where it can be pulled from.
    answer(
        &user,
        serial,
        "r1",
        json!([{"id": "r", "type": "start_recording", "params": {"sessionId": "one"}}]),
    );
    let stopped = answer(
        &user,
        serial,
        "r2",
        json!([{"id": "r", "type": "stop_recording"}]),
    );
    let path = stopped["stepResults"][0]["data"]["filePath"]
        .as_str()
        .unwrap();
    assert!(sh(&format!("cat {path}")).starts_with("{\"type\":\"recording_header\""));
    let latest = format!("cat /sdcard/Android/data/{PACKAGE}/files/recordings/latest");
    assert_eq!(sh(&latest), "one");
}

#[test]
fn a_service_that_is_switched_off_is_said_to_be() {
    let user = User::with_adb("operator-off");
    let serial = user.start(&["--operator", "--operator-version", "9.9.9-d"]);
    let sh = |command: &str| shell(&user, &serial, command);
    assert_eq!(
        sh(&format!("dumpsys package {PACKAGE} | grep versionName")),
        "versionName=9.9.9-d"
    );
    let services = sh(&format!("settings get {SERVICES}"));
    sh(&format!("settings put {SERVICES} com.other/.Service"));
    let key = json!([{"id": "k", "type": "press_key", "params": {"key": "home"}}]);
    let envelope = answer(&user, &serial, "c1", key.clone());
    assert_eq!(envelope["errorCode"], "SERVICE_UNAVAILABLE", "{envelope}");
    assert_eq!(envelope["stepResults"], json!([]));
    sh(&format!(
        "settings put {SERVICES} com.other/.Service:{services}"
    ));
    assert_eq!(answer(&user, &serial, "c2", key)["status"], "success");
    // Who stops the app by force switches its service off, too, and nothing reaches it.
    let before = sh(&format!("pidof {PACKAGE}"));
    sh(&format!("am force-stop {PACKAGE}"));
    assert_eq!(sh(&format!("pidof {PACKAGE}")), "");
    assert_eq!(
        sh(&format!("settings get {SERVICES}")),
        "com.other/.Service"
    );
    sh(&format!("settings put {SERVICES} {services}"));
    let after = sh(&format!("pidof {PACKAGE}"));
    assert!(!after.is_empty() && after != before, "{before} {after}");
}

#[test]
fn what_the_app_is_like_is_said_only_of_one_that_is_there() {
    let user = User::without_adb("operator-flags");
    for flag in [
        &["--operator-version", "1.0.0"][..],
        &["--operator-package", "a.b"],
        &["--operator-silent"],
    ] {
        let mut arguments = vec!["sim", "start"];
        arguments.extend(flag);
        user.run(&arguments).failure("USAGE");
    }
    user.run(&["sim", "list", "--operator-package", "a.b"])
        .failure("USAGE");
}
