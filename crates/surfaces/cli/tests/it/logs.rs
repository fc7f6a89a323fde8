//! The log: the entries that commands write, and data that is never logged.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::phones::User;
use crate::run::{RunOutput, TimeLimit, Words, finish, program};

/// The folder of the log of one test, which does not exist at first.
struct Folder {
    log: PathBuf,
    _parent: testkit::TempFolder,
}

impl Folder {
    fn new(name: &str) -> Self {
        let parent = testkit::TempFolder::new(name);
        Self {
            log: parent.join("logs"),
            _parent: parent,
        }
    }

    fn command(&self, arguments: &(impl Words + ?Sized)) -> Command {
        let mut command = program();
        command
            .args(arguments.words())
            .env("CLAWPERATOR_LOG_DIR", &self.log);
        command
    }

    fn run(&self, arguments: &(impl Words + ?Sized)) -> RunOutput {
        finish(&mut self.command(arguments), None)
    }

    /// Everything in its files.
    fn text(&self) -> String {
        let mut text = String::new();
        for entry in std::fs::read_dir(&self.log).unwrap() {
            text.push_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap());
        }
        text
    }

    /// The complete entries.
    fn entries(&self) -> Vec<Value> {
        entries(&self.text())
    }
}

fn entries(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

fn names(entries: &[Value]) -> Vec<&str> {
    entries
        .iter()
        .map(|entry| entry["event"].as_str().unwrap())
        .collect()
}

#[test]
fn command_start_and_end_are_logged() {
    let folder = Folder::new("whole");
    folder
        .run("open com.android.settings --device sim")
        .success();
    let entries = folder.entries();
    assert_eq!(
        names(&entries),
        [
            "command.started",
            "device.resolved",
            "step.ended",
            "command.ended"
        ]
    );
    let command = &entries[0]["commandId"];
    for entry in &entries {
        assert_eq!(&entry["commandId"], command, "{entry}");
        assert_eq!(entry["level"], "info");
        assert!(entry["ts"].as_str().unwrap().ends_with('Z') && entry["message"].is_string());
    }
    assert_eq!(
        (&entries[0]["command"], &entries[0]["taskId"]),
        (&json!("open"), &json!("cli-action-open-app"))
    );
    assert_eq!(
        (&entries[2]["action"], &entries[2]["deviceId"]),
        (&json!("open_app"), &json!("sim"))
    );
    assert_eq!(entries[3]["exitCode"], 0);
    let failed = folder.run("click --text nowhere --device sim --log-level warn");
    assert_eq!(failed.exit, 1);
    let entries = folder.entries();
    let new = &entries[4..];
    assert_eq!(
        names(new),
        ["step.ended", "command.ended"],
        "what matters less is left out"
    );
    assert_eq!(
        (&new[0]["level"], &new[0]["code"]),
        (&json!("warn"), &json!("NODE_NOT_FOUND"))
    );
    assert_eq!(
        (&new[1]["level"], &new[1]["code"], &new[1]["exitCode"]),
        (&json!("error"), &json!("NODE_NOT_FOUND"), &json!(1))
    );
    // Commands that only print or read the log write no entries.
    for quiet in [
        "--help",
        "version",
        "completions bash",
        "logs",
        "logs --path",
        "press home --dry-run",
    ] {
        folder.run(quiet);
    }
    assert_eq!(folder.entries().len(), 6);
    let mut debug = folder.command("press home --device sim");
    finish(debug.env("CLAWPERATOR_LOG_LEVEL", "Debug"), None).success();
    assert!(names(&folder.entries()[6..]).contains(&"step.started"));
}

/// A marker in every free text of a plan.
const SECRET: &str = "hunter2";

/// A plan that has the secret in every text of every action.
fn plan_with_secrets() -> String {
    let matcher = json!({"textContains": SECRET});
    let actions = json!([
        {"id": "a", "type": "open_uri", "params": {"uri": "forms://text?hunter2"}},
        {"id": "b", "type": "open_uri", "params": {"uri": "forms://text"}},
        {"id": "c", "type": "enter_text", "params": {"matcher": {"resourceId": "com.example.forms:id/full_name"}, "text": SECRET}},
        {"id": "d", "type": "enter_text", "params": {"matcher": {"resourceId": "com.example.forms:id/secret"}, "text": SECRET}},
        {"id": "e", "type": "read_text", "params": {"matcher": {"resourceId": "com.example.forms:id/full_name"}}},
        {"id": "f", "type": "click", "params": {"matcher": {"textContains": SECRET}, "retry": {"maxAttempts": 1}}},
        {"id": "g", "type": "click", "params": {"matcher": {"textEquals": "hunter2 is nowhere"}, "retry": {"maxAttempts": 1}}},
        {"id": "h", "type": "wait_for_node", "params": {"matcher": matcher, "timeoutMs": 10}},
        {"id": "i", "type": "scroll_and_click", "params": {"matcher": {"textEquals": "no hunter2"}, "maxSwipes": 1}},
        {"id": "j", "type": "scroll_until", "params": {"matcher": {"textEquals": "no hunter2"}, "direction": "down", "maxScrolls": 1}},
        {"id": "k", "type": "scroll", "params": {"container": matcher, "direction": "down"}},
        {"id": "l", "type": "read_key_value_pair", "params": {"labelMatcher": matcher}},
        {"id": "m", "type": "snapshot_ui"},
        {"id": "n", "type": "wait_for_navigation", "params": {"expectedNode": {"textEquals": "no hunter2"}, "timeoutMs": 10}},
        {"id": "o", "type": "open_app", "params": {"applicationId": "com.hunter2"}},
        {"id": "p", "type": "close_app", "params": {"applicationId": "com.hunter2"}},
        {"id": "q", "type": "take_screenshot", "params": {"path": "/nowhere/hunter2.png"}},
        {"id": "r", "type": "start_recording", "params": {"sessionId": "hunter2 no id"}},
        {"id": "s", "type": "stop_recording", "params": {"sessionId": "hunter2"}},
        {"id": "t", "type": "press_key", "params": {"key": "home"}},
        {"id": "u", "type": "sleep", "params": {"durationMs": 1}},
    ]);
    let mut plan = testkit::plan("c", actions);
    plan["timeoutMs"] = 120_000.into();
    plan["onFailure"] = "continue".into();
    plan.to_string()
}

/// Command lines with the secret in every text argument.
fn commands_with_secrets() -> Vec<Vec<&'static str>> {
    vec![
        vec!["type", SECRET, "--text", SECRET],
        vec!["click", "--text", SECRET, "--bogus", SECRET],
        vec!["read", "--selector", "{\"hunter2\":1}"],
        vec!["exec", "{\"hunter2\":\"hunter2\"}"],
        vec!["exec", "/nowhere/hunter2.json"],
        vec!["recording", "parse", "/nowhere/hunter2"],
        vec!["sim", "check", "/nowhere/hunter2.yaml"],
    ]
}

#[test]
fn typed_and_read_text_is_never_logged() {
    let folder = Folder::new("secrets");
    let plan = plan_with_secrets();
    let ran = folder.run(&["exec", &plan, "--device", "sim", "--log-level", "debug"]);
    let answer = ran.document();
    let steps = answer["envelope"]["stepResults"].as_array().unwrap();
    assert_eq!(steps.len(), 21, "{answer}");
    assert!(
        answer.to_string().contains(SECRET),
        "the answer does tell it"
    );
    for mut line in commands_with_secrets() {
        if ["type", "click", "read"].contains(&line[0]) {
            line.extend(["--device", "sim"]);
        }
        line.extend(["--log-level", "debug"]);
        folder.run(&line);
    }
    let text = folder.text();
    // Each step has one entry for its start and one for its end, whatever its outcome.
    for (event, count) in [("step.started", 21), ("step.ended", 21)] {
        assert!(text.matches(event).count() >= count, "{text}");
    }
    assert!(!text.contains(SECRET), "{text}");
    assert!(!text.contains("password"), "{text}");
}

#[test]
fn adb_phone_logs_no_screen_text() {
    let folder = Folder::new("phone");
    let user = User::with_adb("logged");
    let serial = user.start("");
    let plan = plan_with_secrets();
    let mut command = user.command(&["exec", &plan, "--device", &serial, "--log-level", "debug"]);
    let ran = finish(command.env("CLAWPERATOR_LOG_DIR", &folder.log), None);
    let answer = ran.document();
    assert!(answer.to_string().contains(SECRET), "{answer}");
    let text = folder.text();
    assert!(
        text.contains("step.ended") && text.contains(&serial),
        "{text}"
    );
    assert!(!text.contains(SECRET), "{text}");
    // A stopped server is restarted, which is logged.
    assert!(user.adb("kill-server").status.success());
    let mut command = user.command("devices");
    finish(command.env("CLAWPERATOR_LOG_DIR", &folder.log), None).success();
    assert!(
        folder.text().contains("adb.server.started"),
        "{}",
        folder.text()
    );
}

#[test]
fn unwritable_log_warns_once() {
    let folder = Folder::new("blocked");
    std::fs::write(&folder.log, "a file where the folder should be").unwrap();
    let ran = folder.run("press home --device sim");
    ran.success();
    let warning = "[clawperator] WARN: logging disabled after write failure for ";
    assert_eq!(ran.stderr.matches(warning).count(), 1, "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}

#[test]
fn concurrent_processes_write_whole_lines() {
    let folder = Folder::new("many");
    let mut running: Vec<_> = (0..6)
        .map(|_| {
            let mut command = folder.command("press home --device sim");
            command
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in &mut running {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(folder.entries().len(), 6 * 4);
}

#[test]
fn logs_flags_filter_lines() {
    let folder = Folder::new("shown");
    let nothing = folder.run("logs");
    assert_eq!((nothing.exit, nothing.stdout.as_str()), (0, ""));
    assert!(
        nothing.stderr.contains("No log file found at "),
        "{}",
        nothing.stderr
    );
    let path = folder.run("logs --path").success();
    let path = PathBuf::from(path["path"].as_str().unwrap());
    assert_eq!(path.parent(), Some(folder.log.as_path()));
    folder.run("press home --device sim").success();
    folder.run("click --text nowhere --device sim");
    folder.run("devices").success();
    assert!(path.exists());
    let all = folder.run("logs");
    assert_eq!(all.stdout, std::fs::read_to_string(&path).unwrap());
    let shown = |flags: &str| entries(&folder.run(&format!("logs {flags}")).stdout);
    let whole = entries(&all.stdout);
    assert_eq!(shown("--tail 3"), whole[whole.len() - 3..]);
    assert_eq!(names(&shown("--level error")), ["command.ended"]);
    assert_eq!(
        names(&shown("--level warn")),
        ["step.ended", "command.ended"]
    );
    let id = whole[0]["commandId"].as_str().unwrap();
    assert_eq!(shown(&format!("--command-id {id}")), whole[..4]);
    let of_sim = shown("--device sim");
    assert!(
        of_sim.len() == 4 && of_sim.iter().all(|entry| entry["deviceId"] == "sim"),
        "{of_sim:#?}"
    );
    assert!(shown("--device other").is_empty());
    // `--tail` includes entries of earlier days.
    let old =
        json!({"ts": "2020-01-01T00:00:00.000Z", "level": "info", "event": "old", "message": "m"});
    std::fs::write(
        folder.log.join("clawperator-2020-01-01.log"),
        format!("{old}\n"),
    )
    .unwrap();
    assert_eq!(shown("--tail 1000")[0], old);
    assert_eq!(shown(""), whole);
}

#[test]
fn logs_follow_prints_new_lines() {
    let folder = Folder::new("followed");
    let mut command = folder.command("logs --follow --level warn");
    let mut follower = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let _limit = TimeLimit::start(&follower);
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    folder.run("click --text nowhere --device sim");
    let entry: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(entry["event"], "step.ended");
    let entry: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(entry["event"], "command.ended");
    // An interrupt ends it successfully.
    interrupt(follower.id());
    assert!(follower.wait().unwrap().success());
    assert!(Path::new(&folder.log).exists());
}

fn interrupt(pid: u32) {
    let sent = Command::new("kill")
        .args(["-INT", &pid.to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}
