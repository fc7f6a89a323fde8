//! `doctor`, `operator setup`, grants, packages, compatibility, long device lists.

use std::io::{Read, Write};
use std::net::TcpListener;

use serde_json::Value;

use crate::phones::User;
use crate::run::{RunOutput, finish, program, run};

/// A report: one line of JSON.
#[track_caller]
fn report(ran: &RunOutput, exit: i32) -> Value {
    assert_eq!(ran.exit, exit, "{}", ran.stdout);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    ran.document()
}

/// A check of a report: its status and code.
#[track_caller]
fn check<'a>(report: &'a Value, id: &str) -> (&'a str, Option<&'a str>) {
    let checks = report["checks"].as_array().unwrap();
    let found = checks.iter().find(|check| check["id"] == id);
    let found = found.unwrap_or_else(|| panic!("no {id} in {report}"));
    (found["status"].as_str().unwrap(), found["code"].as_str())
}

#[track_caller]
fn passes(report: &Value, id: &str) {
    assert_eq!(check(report, id), ("pass", None), "{report}");
}

#[track_caller]
fn fails(report: &Value, id: &str, code: &str) {
    assert_eq!(check(report, id), ("fail", Some(code)), "{report}");
}

#[track_caller]
fn warns(report: &Value, id: &str, code: &str) {
    assert_eq!(check(report, id), ("warn", Some(code)), "{report}");
}

#[test]
fn doctor_without_phone_has_next_action() {
    let ran = run("doctor --json");
    let found = report(&ran, 1);
    assert!(ran.stdout.contains("\"criticalOk\":false"));
    fails(&found, "host.adb.presence", "ADB_NOT_FOUND");
    report(&run("doctor --check-only"), 0);
    let text = run("doctor --output pretty");
    assert_eq!(text.exit, 1);
    for part in [
        "Critical checks:\n  [FAIL] The adb program is missing",
        "\n[FAIL] The device cannot be driven.\n",
        "\nNext actions:\n  - ",
    ] {
        assert!(text.stdout.contains(part), "{}", text.stdout);
    }
}

#[test]
fn doctor_names_a_program_that_is_not_adb() {
    let ran = finish(program().arg("doctor").env("ADB_PATH", "/bin/true"), None);
    let found = report(&ran, 1);
    let checks = found["checks"].as_array().unwrap();
    let presence = checks
        .iter()
        .find(|check| check["id"] == "host.adb.presence");
    let summary = presence.unwrap()["summary"].as_str().unwrap();
    assert_eq!(
        summary,
        "/bin/true does not work as adb, and no server runs"
    );
}

#[test]
fn doctor_passes_on_embedded_phone() {
    let found = report(&run("doctor --device sim --full"), 0);
    assert_eq!(
        (&found["deviceId"], &found["via"]),
        (&"sim".into(), &"embedded".into())
    );
    passes(&found, "readiness.smoke");
    let broken = ["doctor", "--device", "sim", "--sim-fault", "no_window"];
    let found = report(&run(&broken), 1);
    fails(&found, "readiness.snapshot", "SCREEN_UNAVAILABLE");
    let text = run("doctor --device sim --output pretty");
    assert!(
        text.stdout.contains("\n[OK] The device can be driven.\n"),
        "{}",
        text.stdout
    );
}

#[test]
fn doctor_fixes_phone_through_real_adb_server() {
    let user = User::with_adb("doctor");
    let none = report(&user.run("doctor"), 1);
    passes(&none, "host.adb.presence");
    passes(&none, "host.adb.server");
    fails(&none, "device.discovery", "NO_DEVICES");
    let serial = user.start("");
    let healthy = report(&user.run("doctor --full"), 0);
    assert_eq!(healthy["via"], "agent");
    passes(&healthy, "readiness.agent");
    passes(&healthy, "readiness.smoke");
    warns(&healthy, "device.animations", "DEVICE_ANIMATIONS_ON");
    // The screen goes off: doctor finds and fixes it, then passes.
    let slept = user.adb(&["-s", &serial, "shell", "input keyevent SLEEP"]);
    assert!(slept.status.success(), "{slept:?}");
    let dark = report(&user.run("doctor"), 1);
    fails(&dark, "device.screen", "DEVICE_SCREEN_OFF");
    let repaired = report(&user.run("doctor --fix"), 0);
    passes(&repaired, "device.screen");
    passes(&repaired, "device.animations");
    assert_eq!(repaired["fixed"].as_array().unwrap().len(), 2, "{repaired}");
    // The server loses the phone: doctor reconnects it.
    assert!(user.adb(&["disconnect", &serial]).status.success());
    let lost = report(&user.run(&["doctor", "--device", &serial]), 1);
    fails(&lost, "device.discovery", "DEVICE_NOT_FOUND");
    let found = report(&user.run(&["doctor", "--device", &serial, "--fix"]), 0);
    assert_eq!(found["fixed"][0]["check"], "device.discovery", "{found}");
    let second = user.start("");
    let several = user.run("doctor");
    let several = report(&several, 0);
    warns(
        &several,
        "device.discovery",
        "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED",
    );
    let next = several["nextActions"].to_string();
    assert!(next.contains(&serial) && next.contains(&second), "{next}");
    assert!(several.get("deviceId").is_none() && several.get("via").is_none());
}

#[test]
fn full_doctor_reports_a_trial_of_each_transport() {
    let user = User::with_adb("trials");
    let trials = |report: &Value| -> Vec<(String, bool, usize)> {
        let checks = report["checks"].as_array().unwrap();
        let smoke = checks.iter().find(|check| check["id"] == "readiness.smoke");
        let trials = smoke.unwrap()["evidence"]["trials"].as_array().unwrap();
        let steps = |trial: &Value| {
            let steps = trial["steps"].as_array().unwrap();
            assert!(
                steps.iter().all(|step| step["elapsedMs"].is_number()),
                "{trial}"
            );
            steps.len()
        };
        trials
            .iter()
            .map(|trial| {
                let via = trial["via"].as_str().unwrap().to_owned();
                (via, trial["ok"].as_bool().unwrap(), steps(trial))
            })
            .collect()
    };
    let serial = user.start("");
    let healthy = report(&user.run(&["doctor", "--full", "--device", &serial]), 0);
    passes(&healthy, "readiness.smoke");
    assert_eq!(
        trials(&healthy),
        [("agent".to_owned(), true, 5), ("stock".to_owned(), true, 5)]
    );
    // The dump of the stock transport is broken; a command would use the agent.
    let serial = user.start("--fault null_root");
    let broken = report(&user.run(&["doctor", "--full", "--device", &serial]), 0);
    warns(&broken, "readiness.smoke", "SMOKE_OPEN_SETTINGS_FAILED");
    assert_eq!(
        trials(&broken),
        [
            ("agent".to_owned(), true, 5),
            ("stock".to_owned(), false, 2)
        ]
    );
}

#[test]
fn full_report_can_be_published() {
    let user = User::with_adb("publish");
    let serial = user.start("");
    let full = ["doctor", "--full", "--via", "agent", "--device", &serial];
    let found = user.run(&full);
    let end: String = serial.chars().skip(serial.len() - 4).collect();
    assert_eq!(found.document()["deviceId"], format!("…{end}"));
    let trial = &found.document()["trial"];
    assert_eq!(trial["device"]["sdk"], 36, "{trial}");
    let rows = trial["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["status"] != "fail"), "{trial}");
    let text = user.run(&[&full[..], &["--output", "pretty"]].concat());
    for part in [
        "\nTrial on ",
        "\n  dex   ",
        "\n  [OK]   agent keyboard   the keyboard is a window, input-method at layer ",
        "\n  [-]    agent webview    no WebView on the screen",
    ] {
        assert!(text.stdout.contains(part), "{}", text.stdout);
    }
    for output in [&found.stdout, &text.stdout] {
        assert!(!output.contains(&serial), "{output}");
    }
}

/// A listener that is not an adb server, until it is stopped.
fn non_adb_server() -> (u16, std::thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let runs = std::thread::spawn(move || {
        while let Ok((mut socket, _)) = listener.accept() {
            let mut request = [0; 64];
            let read = socket.read(&mut request).unwrap_or(0);
            if String::from_utf8_lossy(&request[..read]).contains("host:kill") {
                return;
            }
            // The client may have disconnected.
            let _ = socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    (port, runs)
}

#[test]
fn doctor_restarts_broken_adb_server() {
    let (port, non_adb_server) = non_adb_server();
    let user = User::of_server("non_adb_server", port);
    let found = report(&user.run("doctor"), 1);
    fails(&found, "host.adb.server", "ADB_SERVER_FAILED");
    let found = report(&user.run("doctor --fix"), 1);
    non_adb_server.join().unwrap();
    assert_eq!(found["fixed"][0]["check"], "host.adb.server", "{found}");
    assert_eq!(found["fixed"][0]["done"], true, "{found}");
    passes(&found, "host.adb.server");
    fails(&found, "device.discovery", "NO_DEVICES");
}

#[test]
fn operator_setup_installs_app() {
    let user = User::with_adb("setup");
    let serial = user.start("");
    let none = user.run("version --check-compat");
    assert_eq!(none.exit, 1);
    assert_eq!(none.document()["error"]["code"], "OPERATOR_NOT_INSTALLED");
    let asked_for = ["doctor", "--operator-package", "com.clawperator.operator"];
    let missing = report(&user.run(&asked_for), 1);
    fails(&missing, "readiness.apk.presence", "OPERATOR_NOT_INSTALLED");
    user.run("grant-device-permissions")
        .failure("OPERATOR_NOT_INSTALLED");
    let missing = user.run("operator setup --apk nowhere.apk");
    assert_eq!(
        missing.failure("OPERATOR_APK_NOT_FOUND")["install"]["ok"],
        false
    );
    let apk = user.file(
        "operator.apk",
        &service::sim::operator_apk("com.clawperator.operator", "0.5.3"),
    );
    let answer = user.run(&["operator", "install", "--apk", &apk]).success();
    assert_eq!(answer["deviceId"], *serial);
    assert_eq!(answer["verification"]["packageInstalled"], true, "{answer}");
    let compatible = user.run("version --check-compat").success();
    assert_eq!(compatible["compatible"], true, "{compatible}");
    assert_eq!(compatible["apkVersion"], "0.5.3");
    let found = report(&user.run(&asked_for), 0);
    passes(&found, "readiness.handshake");
    assert_eq!(found["via"], "operator");
    // The stock transport is checked only on request: it would disturb the others.
    let usual = report(&user.run("doctor"), 0);
    assert_eq!(usual["via"], "agent");
    passes(&usual, "readiness.handshake");
    let stock = report(&user.run("doctor --via stock --full"), 0);
    assert_eq!(stock["via"], "stock");
    passes(&stock, "readiness.snapshot");
    let invalid = finish(user.command("doctor").env("CLAWPERATOR_VIA", "air"), None);
    invalid.failure("USAGE");
    // Its service is disabled: doctor enables it.
    let off = "settings delete secure enabled_accessibility_services";
    assert!(user.adb(&["-s", &serial, "shell", off]).status.success());
    let found = report(&user.run(&asked_for), 1);
    fails(
        &found,
        "readiness.handshake",
        "DEVICE_ACCESSIBILITY_NOT_RUNNING",
    );
    let mut fix = asked_for.to_vec();
    fix.push("--fix");
    let found = report(&user.run(&fix), 0);
    passes(&found, "readiness.handshake");
    let granted = user.run("grant-device-permissions").success();
    assert_eq!(
        granted["accessibility"]["alreadyEnabled"], true,
        "{granted}"
    );
    let listed = user.run("packages list --third-party").success();
    assert!(
        listed["packages"]
            .to_string()
            .contains("com.clawperator.operator")
    );
    let devices = user.run("devices --long").success();
    let phone = &devices["devices"][0];
    assert_eq!(
        (&phone["via"], &phone["ready"]),
        (&"agent".into(), &true.into()),
        "{devices}"
    );
    assert_eq!(devices["embedded"][0]["via"], "embedded", "{devices}");
}

#[test]
fn management_commands_need_a_phone() {
    run("grant-device-permissions --device sim").failure("ACTION_NOT_SUPPORTED_HERE");
    run("version --check-compat").failure("NO_DEVICES");
    let packages = run("packages list --device sim").success();
    assert!(packages["packages"].as_array().unwrap().len() > 5);
}
