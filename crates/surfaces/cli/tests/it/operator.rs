//! Phones with the Operator app or the runtime app, simulated by `sim start`, as the shell of the real adb sees them.

use serde_json::{Value, json};

use crate::phones::User;
use crate::run::words;

const PACKAGE: &str = "com.clawperator.operator";
const SERVICES: &str = "secure enabled_accessibility_services";

/// The output of a shell command on the phone.
fn shell(user: &User, serial: &str, command: &str) -> String {
    let ran = user.adb(&["-s", serial, "shell", command]);
    String::from_utf8(ran.stdout).unwrap().trim().to_owned()
}

/// A payload of these actions in the format of the app.
fn payload(id: &str, actions: Value) -> String {
    testkit::plan(id, actions).to_string()
}

/// Sends a payload directly to the app; returns the result in the log.
fn answer(user: &User, serial: &str, id: &str, actions: Value) -> Value {
    let broadcast = format!(
        "am broadcast -a app.clawperator.operator.ACTION_AGENT_COMMAND -p {PACKAGE} --es payload '{}' --receiver-foreground",
        payload(id, actions)
    );
    let sent = shell(user, serial, &broadcast);
    assert!(sent.ends_with("Broadcast completed: result=0"), "{sent}");
    // The app responds when it is done; logcat waits for the first line of the response.
    let command = format!("logcat -v raw -m 1 -e '\"commandId\":\"{id}\",\"taskId\"'");
    let line = shell(user, serial, &command);
    let (_, json) = line.split_once("[Clawperator-Result] ").unwrap();
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

#[test]
fn runtime_app_drives_the_phone() {
    let user = User::with_adb("runtime-app");
    let serial = user.start("--runtime-app");
    let setting = shell(&user, &serial, &format!("settings get {SERVICES}"));
    assert!(setting.starts_with("app.clawperator.runtime/"), "{setting}");
    let ran = user.run(&["snapshot", "--device", &serial, "--via", "app"]);
    let document = ran.success();
    assert_eq!(document["via"], "app", "{document}");
    let without = user.start("");
    let ran = user.run(&["snapshot", "--device", &without, "--via", "app"]);
    let refused = ran.failure("AGENT_UNAVAILABLE");
    assert_eq!(
        refused["details"]["reason"], "app_not_installed",
        "{refused}"
    );
}

#[test]
fn operator_app_is_found_and_runs_plans() {
    let user = User::with_adb("operator-app");
    let started = user.run("sim start --operator").success();
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
    let reported: Vec<(&str, bool, &Value)> = steps
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
        reported,
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
    // A failure that ends a command also discards the results of earlier steps.
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
    // The recording is on the phone and can be pulled.
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
fn disabled_service_is_reported() {
    let user = User::with_adb("operator-off");
    let serial = user.start("--operator --operator-version 9.9.9-d");
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
    // Force-stopping the app disables its service, and broadcasts do not reach it.
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

/// Every command that acts on a screen, with arguments that succeed on the screen that the previous command left.
const EVERY: &[&str] = &[
    "open com.android.settings",
    "wait --text Notifications --timeout 20000",
    "snapshot",
    "inspect notifications",
    "selectors --text Notifications",
    "screenshot",
    "read --text-contains Sounds",
    "scroll down",
    "scroll-until up --text Connections",
    "scroll-and-click down --text 'About phone'",
    "read-value --label 'Android version'",
    "home",
    "open com.android.settings",
    "back",
    "press home",
    "open forms://text",
    "type TEXT --id com.example.forms:id/full_name",
    "click --id com.example.forms:id/full_name",
    "sleep 10",
    "close com.example.forms",
    "wait-for-nav --app com.android.settings --timeout 3000",
    r#"exec '{"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":9000,
        "actions":[{"id":"s","type":"snapshot"}]}'"#,
];

/// The commands whose actions the app does not have.
const NOT_IN_APP: &[&str] = &[
    "hover",
    "drag",
    "select",
    "upload",
    "explain",
    "clipboard",
    "orientation",
];

#[test]
fn commands_run_through_app() {
    let user = User::with_adb("operator-every");
    let serial = user.start("--operator");
    for line in EVERY {
        let arguments = words(line);
        let quoted = |word| if word == "TEXT" { "it's 100%" } else { word };
        let mut all: Vec<&str> = arguments.iter().copied().map(quoted).collect();
        all.extend(["--via", "operator", "--device", &serial]);
        let ran = user.run(&all);
        // Nothing is opened while it waits, so it times out.
        if arguments[0] == "wait-for-nav" {
            let document = ran.document();
            assert_eq!(
                document["envelope"]["errorCode"], "NAVIGATION_TIMEOUT",
                "{document}"
            );
            assert_eq!(document["via"], "operator", "{document}");
            continue;
        }
        let document = ran.success();
        assert_eq!(document["via"], "operator", "{arguments:?}");
        if ["inspect", "selectors"].contains(&arguments[0]) {
            assert_eq!(document["verdict"], "certain", "{document}");
            continue;
        }
        assert_eq!(document["envelope"]["status"], "success", "{arguments:?}");
    }
    // No command is missing here.
    let help = user.run("--help").stdout;
    let (_, listed) = help.split_once("Device Interaction ---\n").unwrap();
    let (listed, _) = listed.split_once("\n\n").unwrap();
    for line in listed.lines().filter(|line| !line.starts_with("   ")) {
        let name = line.trim().split([',', ' ']).next().unwrap();
        let runs = EVERY.iter().any(|line| words(line)[0] == name);
        assert!(runs != NOT_IN_APP.contains(&name), "{name}");
    }
    // Progress is reported, and the screenshot is a PNG file.
    let reported = user.run(&[
        "screenshot",
        "--verbose",
        "--via",
        "operator",
        "--device",
        &serial,
    ]);
    assert!(
        reported
            .stderr
            .contains("via operator: com.clawperator.operator"),
        "{}",
        reported.stderr
    );
    let path = reported.success()["envelope"]["stepResults"][0]["data"]["path"].clone();
    assert!(
        std::fs::read(path.as_str().unwrap())
            .unwrap()
            .starts_with(b"\x89PNG")
    );
}

#[test]
fn transport_is_set_by_flag_and_environment() {
    let user = User::with_adb("operator-via");
    let serial = user.start(
        "--operator --operator-package com.clawperator.operator.dev --fault agent_slot_taken",
    );
    let run = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = user.command(&["press", "home", "--device", &serial]);
        command.args(arguments).envs(variables.iter().copied());
        crate::run::finish(&mut command, None)
    };
    assert_eq!(run(&[], &["--via", "auto"]).success()["via"], "stock");
    let dev = "com.clawperator.operator.dev";
    let named = run(&[], &["--operator-package", dev, "--via", "auto"]);
    assert_eq!(named.success()["via"], "operator");
    let variable = ("CLAWPERATOR_OPERATOR_PACKAGE", dev);
    assert_eq!(
        run(&[variable, ("CLAWPERATOR_VIA", "operator")], &[]).success()["via"],
        "operator"
    );
    assert_eq!(
        run(&[variable], &["--via", "stock"]).success()["via"],
        "stock"
    );
    // Empty counts as missing.
    let empty = [
        ("CLAWPERATOR_OPERATOR_PACKAGE", ""),
        ("CLAWPERATOR_VIA", ""),
    ];
    assert_eq!(run(&empty, &[]).success()["via"], "stock");
    let mismatch = run(&[], &["--via", "operator"]).failure("OPERATOR_VARIANT_MISMATCH");
    assert_eq!(mismatch["details"]["installedPackage"], dev, "{mismatch}");
    let taken = run(&[("CLAWPERATOR_VIA", "agent")], &[]).failure("AGENT_UNAVAILABLE");
    assert_eq!(taken["details"]["reason"], "ui_automation_taken", "{taken}");
    run(&[("CLAWPERATOR_VIA", "robot")], &[]).failure("USAGE");
    run(&[], &["--operator-package", "a; reboot"]).failure("USAGE");
}

/// A plan that takes the app a while, and the phone's log once it has started.
fn long_plan(user: &User, serial: &str, id: &str, millis: u32) -> std::process::Child {
    let actions = json!([
        {"id": "k", "type": "press_key", "params": {"key": "home"}},
        {"id": "z", "type": "sleep", "params": {"durationMs": millis}},
    ]);
    let plan = payload(id, actions);
    let mut command = user.command(&["exec", &plan, "--via", "operator", "--device", serial]);
    let running = command
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    shell(
        user,
        serial,
        &format!("logcat -v raw -m 1 -e 'start commandId={id}'"),
    );
    running
}

fn document(running: std::process::Child) -> Value {
    let _limit = crate::run::TimeLimit::start(&running);
    serde_json::from_slice(&running.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn plan_of_the_operator_app_is_reported_as_sent_if_the_phone_is_lost() {
    let user = User::with_adb("operator-lost");
    let serial = user.start("--operator");
    let running = long_plan(&user, &serial, "lost", 6000);
    user.run(&["sim", "stop", &serial]).success();
    let lost = document(running);
    assert_eq!(lost["code"], "DEVICE_LOST", "{lost}");
    assert_eq!(lost["details"]["dispatch"], "sent", "{lost}");
    assert_eq!(lost["details"]["commandId"], "lost");
}

#[test]
fn plan_of_the_operator_app_survives_lost_adb_server() {
    let user = User::with_adb("operator-cut");
    let serial = user.start("--operator");
    for (id, reconnects) in [("restarted", false), ("reconnected", true)] {
        // This program starts the server again, or another one that is faster; the slower one of them may fail.
        let running = long_plan(&user, &serial, id, 1500);
        assert!(user.adb("kill-server").status.success());
        if reconnects {
            drop(user.adb(&["connect", &serial]));
        }
        let answer = document(running);
        assert_eq!(answer["envelope"]["status"], "success", "{answer}");
        assert_eq!(answer["envelope"]["commandId"], id);
        let log = shell(&user, &serial, "logcat -d -v raw");
        let started = format!("start commandId={id}");
        assert_eq!(log.matches(&started).count(), 1, "{log}");
    }
}
