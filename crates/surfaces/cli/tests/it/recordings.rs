//! Recordings: touches on a phone through a real adb server, and files.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::phones::User;
use crate::run::{RunOutput, assert_has, run, until, wait_for_value};

const GLASS: &str = "/dev/input/event1";

/// Touches a point of an upright phone, whose touch panel has four units per pixel.
fn press(user: &User, serial: &str, (x, y): (i64, i64)) {
    let script = [
        (3, 57, 1),
        (3, 53, x * 4 + 2),
        (3, 54, y * 4 + 2),
        (1, 330, 1),
        (0, 0, 0),
        (3, 57, -1),
        (1, 330, 0),
        (0, 0, 0),
    ]
    .map(|(kind, code, value)| format!("sendevent {GLASS} {kind} {code} {value}"))
    .join("; ");
    let pressed = user.adb(&["-s", serial, "shell", &script]);
    assert!(pressed.status.success(), "{pressed:?}");
}

/// The center of the node with this text.
fn middle(user: &User, serial: &str, text: &str) -> (i64, i64) {
    middle_of(user, serial, &format!("text=\"{text}\""))
}

/// The center of the first node with this attribute.
fn middle_of(user: &User, serial: &str, attribute: &str) -> (i64, i64) {
    let seen = user.run(&["snapshot", "--device", serial]).success();
    let xml = seen["envelope"]["stepResults"][0]["data"]["text"]
        .as_str()
        .unwrap();
    let at = xml
        .find(attribute)
        .unwrap_or_else(|| panic!("{attribute} in {xml}"));
    let bounds = xml[at..].split("bounds=\"").nth(1).unwrap();
    let numbers: Vec<i64> = bounds
        .split('"')
        .next()
        .unwrap()
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    ((numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2)
}

/// The complete lines of a session file.
fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map_while(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Waits until the file has a number of events of a type.
fn wait(path: &Path, kind: &str, count: usize) -> Vec<Value> {
    wait_for_value(&format!("{count} {kind}"), || {
        let lines = lines(path);
        let of_kind = lines.iter().filter(|line| line["type"] == kind);
        (of_kind.count() >= count).then_some(lines)
    })
}

/// The record that a recorder leaves for `recording stop`.
fn record(user: &User) -> Value {
    let records = std::fs::read_dir(user.folder.join("clawperator")).unwrap();
    let is_record = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap();
        name.starts_with("recorder-") && name.ends_with(".json")
    };
    let record = records.map(|entry| entry.unwrap().path()).find(is_record);
    serde_json::from_slice(&std::fs::read(record.unwrap()).unwrap()).unwrap()
}

/// The data of the only step.
fn data(answer: &Value) -> &Value {
    &answer["envelope"]["stepResults"][0]["data"]
}

/// A step that failed, by its code.
#[track_caller]
fn failed(ran: &RunOutput, code: &str) -> Value {
    let answer = ran.document();
    assert_eq!(data(&answer)["error"], code, "{answer}");
    assert_eq!(ran.exit, 1);
    data(&answer).clone()
}

#[test]
fn recording_becomes_equivalent_plan() {
    let user = User::with_adb("recorded");
    let serial = user.start("");
    let on = user.on(&serial);
    on("open com.android.settings").success();
    let row = middle(&user, &serial, "Alex Morgan");
    on("press home").success();
    let icon = middle(&user, &serial, "Settings");
    let started = on("recording start --session-id look --via auto").success();
    assert_eq!(started["via"], "agent", "{started}");
    assert_eq!(data(&started)["recorder"], "agent-events", "{started}");
    assert_eq!(data(&started)["touches"], "true");
    let file = PathBuf::from(data(&started)["filePath"].as_str().unwrap());
    assert!(file.starts_with(&user.folder), "{}", file.display());
    // Only one can run at a time; the error names it.
    let second = failed(&on("record start"), "RECORDING_ALREADY_IN_PROGRESS");
    assert_eq!(second["sessionId"], "look");
    let other = failed(
        &on("recording stop --session-id other"),
        "RECORDING_STOP_FAILED",
    );
    assert_eq!(other["sessionId"], "look");
    press(&user, &serial, icon);
    wait(&file, "window_change", 2);
    press(&user, &serial, row);
    wait(&file, "window_change", 3);
    let stopped = on("recording stop").success();
    let lines = lines(&file);
    assert_eq!(
        data(&stopped)["eventCount"],
        (lines.len() - 1).to_string(),
        "{stopped}"
    );
    assert_eq!(data(&stopped)["gapCount"], "0", "{lines:#?}");
    failed(&on("recording stop"), "RECORDING_NOT_IN_PROGRESS");
    let again = failed(
        &on("recording start --session-id look"),
        "RECORDING_START_FAILED",
    );
    assert_has(&again, "message", "already exists");
    // It is pulled, parsed, and replayed.
    let pulled_file = user.folder.join("kept");
    let pulled = on(&format!("recording pull --out {}", pulled_file.display())).success();
    assert_eq!(
        (&pulled["ok"], &pulled["sessionId"]),
        (&json!(true), &json!("look"))
    );
    assert_eq!(pulled["recorder"], "agent-events");
    let local = pulled["localPath"].as_str().unwrap();
    assert_eq!(std::fs::read(local).unwrap(), std::fs::read(&file).unwrap());
    let parsed = user
        .run(&["recording", "parse", "--input", local])
        .success();
    assert_eq!(
        parsed["outputFile"],
        pulled_file.join("look.steps.json").to_str().unwrap()
    );
    let log: Value =
        serde_json::from_slice(&std::fs::read(pulled_file.join("look.steps.json")).unwrap())
            .unwrap();
    let kinds: Vec<&str> = log["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["open_app", "click", "wait_for_navigation", "click"],
        "{log:#}"
    );
    assert_eq!(log["steps"][1]["text"], "Settings");
    assert!(
        log["steps"][3]["uiStateBefore"]
            .as_str()
            .unwrap()
            .contains("Alex Morgan")
    );
    assert_eq!(parsed["stepCount"], 4);
    let planned = user
        .run(&["recording", "parse", local, "--as", "execution"])
        .success();
    assert_eq!(planned["complete"], true, "{planned}");
    // Each matcher is unique on a recorded screen.
    assert!(planned.get("warnings").is_none(), "{planned}");
    let screen = on("snapshot").success();
    // The replay starts like the recording: in an app with its first screen.
    on("close com.android.settings").success();
    let ran = on(&format!("exec {}", planned["outputFile"].as_str().unwrap())).success();
    assert_eq!(ran["envelope"]["status"], "success", "{ran}");
    let screen_again = on("snapshot").success();
    assert_eq!(data(&screen_again)["text"], data(&screen)["text"]);
}

#[test]
fn killed_recorder_keeps_recording() {
    let user = User::without_adb("killed-recorder");
    let serial = user.start("");
    let on = user.on(&serial);
    let started = on("recording start").success();
    let file = PathBuf::from(data(&started)["filePath"].as_str().unwrap());
    wait(&file, "window_change", 1);
    let record = record(&user);
    let killed = std::process::Command::new("kill")
        .args(["-9", &record["process"]["pid"].to_string()])
        .status();
    assert!(killed.unwrap().success());
    let stopped = failed(&on("recording stop"), "RECORDING_STOP_FAILED");
    assert_has(&stopped, "message", "was killed");
    assert_eq!(stopped["filePath"], file.to_str().unwrap());
    assert_eq!(stopped["eventCount"], "1");
    user.run(&["recording", "parse", file.to_str().unwrap()])
        .success();
    failed(&on("recording stop"), "RECORDING_NOT_IN_PROGRESS");
    // The next one can start.
    on("recording start --session-id next").success();
    on("recording stop --session-id next").success();
}

#[test]
fn self_stopped_recorder_is_reported() {
    let user = User::without_adb("ended-recorder");
    let serial = user.start("");
    let on = user.on(&serial);
    let listed = || on("recording list").success()["recordings"].clone();
    assert_eq!(listed(), json!([]));
    let started = on("recording start --session-id early").success();
    let file = data(&started)["filePath"].as_str().unwrap().to_owned();
    let running = listed();
    assert_eq!(running[0]["state"], "recording", "{running}");
    assert_eq!(
        (&running[0]["sessionId"], &running[0]["filePath"]),
        (&json!("early"), &json!(file))
    );
    let ended = std::process::Command::new("kill")
        .args(["-TERM", &record(&user)["process"]["pid"].to_string()])
        .status();
    assert!(ended.unwrap().success());
    until("it has ended", || !record(&user)["outcome"].is_null());
    let why = "a signal ended its process";
    let ended = listed();
    assert_eq!(
        (&ended[0]["state"], &ended[0]["endedEarly"]),
        (&json!("ended"), &json!(why)),
        "{ended}"
    );
    let stopped = on("recording stop").success();
    assert_eq!(data(&stopped)["endedEarly"], why, "{stopped}");
    assert_eq!(data(&stopped)["filePath"], *file);
    failed(&on("recording stop"), "RECORDING_NOT_IN_PROGRESS");
    assert_eq!(listed()[0]["state"], "ended");
}

#[test]
fn plan_can_start_and_stop_recording() {
    let user = User::without_adb("recorded-by-plan");
    let serial = user.start("");
    let actions = json!([
        {"id": "start", "type": "start_recording", "params": {"sessionId": "planned"}},
        {"id": "open", "type": "open_app", "params": {"applicationId": "com.android.settings"}},
        {"id": "stop", "type": "stop_recording", "params": {"sessionId": "planned"}},
    ]);
    let mut plan = testkit::plan("c", actions);
    plan["timeoutMs"] = 60_000.into();
    let ran = user
        .run(&["exec", &plan.to_string(), "--device", &serial])
        .success();
    let data = &ran["envelope"]["stepResults"][2]["data"];
    assert_eq!(
        (&data["sessionId"], &data["recorder"]),
        (&json!("planned"), &json!("agent-events")),
        "{ran}"
    );
    let header = &lines(Path::new(data["filePath"].as_str().unwrap()))[0];
    assert_eq!(header["deviceId"], *serial);
    // A missing phone cannot be recorded; a session name must be a valid file name.
    let closed = format!("127.0.0.1:{}", testkit::closed_port());
    user.run(&["recording", "start", "--device", &closed])
        .failure("DEVICE_OFFLINE");
    let hostile = user.run(&format!(
        "recording start --session-id ../x --device {serial}"
    ));
    failed(&hostile, "RECORDING_START_FAILED");
}

#[test]
fn app_recordings_are_pulled_from_phone() {
    let user = User::with_adb("pulled");
    let serial = user.start("");
    let out = user.folder.join("out");
    let to = format!("{serial} --out '{}'", out.display());
    let on = user.on(&to);
    let pull = |more: &str| on(&format!("recording pull {more}"));
    pull("").failure("RECORDING_SESSION_NOT_FOUND");
    pull("--session-id a").failure("RECORDING_SESSION_NOT_FOUND");
    for hostile in ["../a", "a;reboot", "a b"] {
        pull(&format!("--session-id '{hostile}'")).failure("RECORDING_SESSION_NOT_FOUND");
    }
    pull("--operator-package com.x;reboot").failure("USAGE");
    let folder = "/sdcard/Android/data/com.clawperator.operator/files/recordings";
    let header = r#"{"type":"recording_header","schemaVersion":1,"sessionId":"a","startedAt":1,"operatorPackage":"com.clawperator.operator"}"#;
    for (name, text) in [
        ("a.ndjson", format!("{header}\n")),
        ("latest", "a".to_owned()),
    ] {
        let file = user.file(name, text.as_bytes());
        let pushed = user.adb(&["-s", &serial, "push", &file, &format!("{folder}/{name}")]);
        assert!(pushed.status.success(), "{pushed:?}");
    }
    for named in ["", "--session-id a"] {
        let pulled = pull(named).success();
        assert_eq!(pulled["recorder"], "operator", "{pulled}");
        assert_eq!(
            std::fs::read_to_string(out.join("a.ndjson")).unwrap(),
            format!("{header}\n")
        );
    }
    pull("--session-id b").failure("RECORDING_SESSION_NOT_FOUND");
    let blocked = user.folder.join("file");
    std::fs::write(&blocked, "").unwrap();
    let blocked = blocked.display();
    user.run(&format!(
        "recording pull --device {serial} --out '{blocked}'"
    ))
    .failure("RECORDING_PULL_FAILED");
    assert!(
        std::fs::read_dir(&out).unwrap().count() == 1,
        "no part is left behind"
    );
}

#[test]
fn phone_with_app_records_itself() {
    let user = User::with_adb("app-records");
    let serial = user.start("--operator");
    let on = user.on(&serial);
    let started = on("recording start --session-id app --via operator").success();
    assert!(data(&started).get("recorder").is_none(), "{started}");
    on("click --text Settings --via operator").success();
    on("press back --via operator").success();
    let stopped = on("recording stop --via operator").success();
    let path = data(&stopped)["filePath"].as_str().unwrap();
    assert_eq!(
        path,
        "/sdcard/Android/data/com.clawperator.operator/files/recordings/app.ndjson"
    );
    let out = user.folder.join("out");
    let pulled = on(&format!("recording pull --out {}", out.display())).success();
    assert_eq!(
        (&pulled["sessionId"], &pulled["recorder"]),
        (&json!("app"), &json!("operator"))
    );
    let parsed = user
        .run(&["recording", "parse", pulled["localPath"].as_str().unwrap()])
        .success();
    let log: Value =
        serde_json::from_slice(&std::fs::read(parsed["outputFile"].as_str().unwrap()).unwrap())
            .unwrap();
    let steps = log["steps"].as_array().unwrap();
    let kinds: Vec<&str> = steps
        .iter()
        .map(|step| step["type"].as_str().unwrap())
        .collect();
    assert!(
        kinds.contains(&"click") && kinds.contains(&"press_key"),
        "{kinds:?}"
    );
}

#[test]
fn recording_is_parsed_strictly_and_written_atomically() {
    let folder = testkit::TempFolder::new("parse");
    let file = folder.join("s.ndjson");
    let path = file.to_str().unwrap();
    let missing = run(&["recording", "parse", path]).failure("RECORDING_PARSE_FAILED");
    assert_has(&missing, "message", "the file does not exist");
    let header = r#"{"type":"recording_header","schemaVersion":1,"sessionId":"s","startedAt":1,"operatorPackage":"p"}"#;
    let key = r#"{"ts":1,"seq":0,"snapshot":null,"key":"back","type":"press_key"}"#;
    std::fs::write(&file, format!("{header}\n{key}\n{{\"ts\":2")).unwrap();
    let cut = run(&["recording", "parse", path]).failure("RECORDING_PARSE_FAILED");
    assert_eq!(cut["details"]["line"], 3, "{cut}");
    assert_has(&cut, "message", "truncated");
    assert_eq!(
        std::fs::read_dir(&folder).unwrap().count(),
        1,
        "nothing was written"
    );
    std::fs::write(
        &file,
        header.replace("\"schemaVersion\":1", "\"schemaVersion\":2"),
    )
    .unwrap();
    run(&["recording", "parse", path]).failure("RECORDING_SCHEMA_VERSION_UNSUPPORTED");
    std::fs::write(&file, format!("{header}\r\n\r\n{key}\r\n")).unwrap();
    run(&["recording", "parse", path, "--out", path]).failure("USAGE");
    let parsed = run(&["recording", "parse", path]).success();
    assert_eq!(parsed["stepCount"], 1);
    let log = std::fs::read_to_string(folder.join("s.steps.json")).unwrap();
    let expected = "{\n  \"sessionId\": \"s\",\n  \"schemaVersion\": 1,\n  \"steps\": [\n    {\n      \"seq\": 0,\n      \"type\": \"press_key\",\n      \
                    \"key\": \"back\",\n      \"uiStateBefore\": null\n    }\n  ]\n}\n";
    assert_eq!(log, expected);
    let out = folder.join("no/such/folder.json");
    let refused = run(&["recording", "parse", path, "--out", out.to_str().unwrap()]);
    refused.failure("RECORDING_PULL_FAILED");
    // An empty recording gives an empty log and no plan.
    std::fs::write(&file, header).unwrap();
    assert_eq!(run(&["recording", "parse", path]).success()["stepCount"], 0);
    run(&["recording", "parse", path, "--as", "execution"]).failure("EXECUTION_VALIDATION_FAILED");
}

#[test]
fn large_recordings_are_streamed() {
    let folder = testkit::TempFolder::new("large");
    let file = folder.join("large.ndjson");
    let mut text = String::from(
        r#"{"type":"recording_header","schemaVersion":1,"sessionId":"large","startedAt":1,"operatorPackage":"p"}"#,
    );
    let screen = "x".repeat(20_000);
    for seq in (0..500).rev() {
        text.push_str(&format!(
            "\n{{\"ts\":{seq},\"seq\":{seq},\"snapshot\":\"{seq}:{screen}\",\"packageName\":\"p\",\"resourceId\":null,\"text\":\"t{seq}\",\
             \"contentDesc\":null,\"bounds\":{{\"left\":0,\"top\":0,\"right\":1,\"bottom\":1}},\"type\":\"click\"}}"
        ));
    }
    std::fs::write(&file, text).unwrap();
    let parsed = run(&["recording", "parse", file.to_str().unwrap()]).success();
    assert_eq!(parsed["stepCount"], 500);
    let log: Value =
        serde_json::from_slice(&std::fs::read(folder.join("large.steps.json")).unwrap()).unwrap();
    for (place, step) in log["steps"].as_array().unwrap().iter().enumerate() {
        assert_eq!(
            (&step["seq"], &step["text"]),
            (&json!(place), &json!(format!("t{place}")))
        );
        assert!(
            step["uiStateBefore"]
                .as_str()
                .unwrap()
                .starts_with(&format!("{place}:"))
        );
    }
}

#[test]
fn recording_prefers_the_agent_and_ends_where_it_runs() {
    let user = User::with_adb("recorder-choice");
    let serial = user.start("--operator");
    let on = user.on(&serial);
    let started = on("recording start --session-id ours --via auto").success();
    assert_eq!(
        (&started["via"], &data(&started)["recorder"]),
        (&json!("agent"), &json!("agent-events")),
        "{started}"
    );
    // Other transports find it, too.
    let stopped = on("recording stop --via stock").success();
    assert_eq!(data(&stopped)["sessionId"], "ours", "{stopped}");
    on("recording start --session-id own --via operator").success();
    let stopped = on("recording stop --via auto").success();
    assert_eq!(
        (&stopped["via"], &data(&stopped)["sessionId"]),
        (&json!("operator"), &json!("own")),
        "{stopped}"
    );
}

#[test]
fn phone_without_agent_and_apps_is_not_recorded() {
    let user = User::with_adb("recorded-without-agent");
    let serial = user.start("--fault agent_slot_taken");
    let on = user.on(&serial);
    let open = r#"{"id":"o","type":"open_app","params":{"applicationId":"com.android.settings"}}"#;
    let start = r#"{"id":"s","type":"start_recording"}"#;
    let plan = format!(
        r#"exec '{{"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":60000,"actions":[{open},{start}]}}'"#
    );
    for (command, action, reason) in [
        ("recording start --via stock", "actions.0", "requested"),
        ("recording start --via auto", "actions.0", "UI automation"),
        (&*plan, "actions.1", "UI automation"),
    ] {
        let refused = on(command).failure("ACTION_NOT_SUPPORTED_HERE");
        assert_has(&refused, "message", action);
        assert_has(&refused, "message", "the Operator app");
        assert_has(&refused["details"], "reason", reason);
        assert_has(&refused, "hint", "doctor");
    }
    // Nothing was opened.
    let shown = user.adb(&["-s", &serial, "shell", "dumpsys window"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains("launcher") && !shown.contains("com.android.settings"),
        "{shown}"
    );
    failed(&on("recording stop"), "RECORDING_NOT_IN_PROGRESS");
}

#[test]
fn agent_records_clicks_and_toasts() {
    let user = User::with_adb("agent-events");
    let app = user.folder.join("notes.yaml");
    let yaml = "app: com.example.notes\nlabel: Notes\nstart: main\nscreens:\n  main:\n    title: Notes\n    body:\n      - button: { id: save, text: Save, on_click: { toast: Saved } }\n      - icon_button: { name: star, desc: Favorite, on_click: { toast: Starred } }\n";
    std::fs::write(&app, yaml).unwrap();
    let serial = user.start(&["--app", app.to_str().unwrap()]);
    let device = format!("{serial} --via agent");
    let on = user.on(&device);
    on("open com.example.notes").success();
    let started = on("recording start --session-id told").success();
    assert_eq!(data(&started)["recorder"], "agent-events", "{started}");
    let file = PathBuf::from(data(&started)["filePath"].as_str().unwrap());
    let actions = json!([
        { "id": "save", "type": "click", "params": { "matcher": { "textEquals": "Save" } } },
        { "id": "rest", "type": "sleep", "params": { "durationMs": 500 } },
        { "id": "star", "type": "click", "params": { "matcher": { "contentDescEquals": "Favorite" } } },
    ]);
    let mut plan = testkit::plan("c", actions);
    plan["timeoutMs"] = 60_000.into();
    let ran = on(&format!("exec '{plan}'")).success();
    let notices: Value = serde_json::from_str(data(&ran)["notices"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&notices[0]["kind"], &notices[0]["text"]),
        (&json!("toast"), &json!("Saved")),
        "{ran}"
    );
    wait(&file, "click", 2);
    let stopped = on("recording stop").success();
    assert_eq!(data(&stopped)["gapCount"], "0", "{stopped}");
    let kept = user.folder.join("kept");
    let out = kept.to_str().unwrap();
    let pulled = user.run(&["recording", "pull", "--out", out, "--device", &serial]);
    let pulled = pulled.success();
    assert_eq!(pulled["recorder"], "agent-events");
    let input = pulled["localPath"].as_str().unwrap();
    user.run(&["recording", "parse", "--input", input])
        .success();
    let log = std::fs::read(kept.join("told.steps.json")).unwrap();
    let log: Value = serde_json::from_slice(&log).unwrap();
    let steps = log["steps"].as_array().unwrap();
    let clicked = steps.iter().find(|step| step["type"] == "click");
    assert_eq!(clicked.unwrap()["text"], "Save", "{log:#}");
    // A button without a text is named by its description, as its app reports it.
    let made = user.run(&["recording", "parse", "--input", input, "--as", "execution"]);
    let made = made.success();
    let path = made["outputFile"].as_str().unwrap();
    let plan: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let clicks = plan["actions"].as_array().unwrap().iter();
    let mut clicks = clicks.filter(|action| action["type"] == "click");
    let star = &clicks.nth(1).unwrap()["params"]["matcher"];
    assert_eq!(star["contentDescEquals"], "Favorite", "{plan:#}");
    on(&format!("exec {path}")).success();
}

/// The home key is no event, a notification is a window, and an app made with Compose has no ids and reports no touches.
#[test]
fn recording_by_the_agent_replays_across_apps() {
    let user = User::with_adb("agent-replay");
    let serial = user.start("");
    let device = format!("{serial} --via agent");
    let on = user.on(&device);
    let started = on("recording start --session-id apps").success();
    let file = PathBuf::from(data(&started)["filePath"].as_str().unwrap());
    on("open com.example.chat").success();
    press(&user, &serial, middle(&user, &serial, "Nora Lindgren"));
    wait(&file, "click", 1);
    on("type 'On my way' --role textfield").success();
    let send = middle_of(&user, &serial, "content-desc=\"Send\"");
    press(&user, &serial, send);
    wait(&file, "click", 2);
    on("press home").success();
    on("click --text Mail").success();
    on("press home").success();
    on("open com.android.settings").success();
    on("click --text Connections").success();
    wait(&file, "click", 4);
    on("recording stop").success();
    let kept = user.folder.join("kept");
    let out = kept.to_str().unwrap();
    let pulled = user.run(&["recording", "pull", "--out", out, "--device", &serial]);
    let pulled = pulled.success();
    let input = pulled["localPath"].as_str().unwrap();
    let made = user.run(&["recording", "parse", "--input", input, "--as", "execution"]);
    let made = made.success();
    let path = made["outputFile"].as_str().unwrap();
    let plan: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let ids = plan.to_string().contains("com.example.chat:id/");
    assert!(!ids, "{plan:#}");
    for app in ["com.example.chat", "com.android.settings"] {
        on(&format!("close {app}")).success();
    }
    on(&format!("exec {path}")).success();
    let seen = on("snapshot").success().to_string();
    assert!(seen.contains("Airplane mode"), "{seen}\n{plan:#}");
}
