//! Transport faults between a phone and a real adb server: each result is in time and agrees with the phone's record, and the
//! next command works.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::phones::User;
use crate::run::{RunOutput, TimeLimit, Words, assert_has, until};

/// Tolerance of a command's time limit on a loaded machine.
const SLACK: Duration = Duration::from_secs(20);

/// A user with a phone that records its input.
struct RecordedPhone {
    user: User,
    serial: String,
    record: PathBuf,
}

impl RecordedPhone {
    fn start(name: &str, faults: &[&str]) -> Self {
        let user = User::with_adb(name);
        let record = user.path("seen.ndjson");
        let path = record.display().to_string();
        let mut arguments = vec!["--record", &path];
        for fault in faults {
            arguments.extend(["--fault", fault]);
        }
        let serial = user.start(&arguments);
        Self {
            user,
            serial,
            record,
        }
    }

    fn run(&self, arguments: &(impl Words + ?Sized)) -> RunOutput {
        let begun = Instant::now();
        let mut all = arguments.words();
        // Most faults are those of the phone's own tools.
        let rest = format!("--via stock --timeout 3000 --device {}", self.serial);
        all.extend(rest.words());
        let ran = self.user.run(&all);
        assert!(
            begun.elapsed() < Duration::from_secs(3) + SLACK,
            "{:?}",
            begun.elapsed()
        );
        ran
    }

    /// The record of the phone so far.
    fn record(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(&self.record).unwrap();
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().unwrap()
    }

    fn count(&self, matches: impl Fn(&Value) -> bool) -> usize {
        self.record().iter().filter(|line| matches(line)).count()
    }

    fn keys(&self) -> usize {
        self.count(|line| line["kind"] == "key")
    }

    fn times_fired(&self, fault: &str) -> usize {
        self.count(|line| line["kind"] == "wire_fault" && line["name"] == fault)
    }

    /// Reconnects the phone to the server, which loses a phone whose connection broke. The server also retries by itself, and
    /// may drop the new connection with the old one.
    #[track_caller]
    fn reconnect(&self) {
        self.user.adb(&["disconnect", &self.serial]);
        for _ in 0..20 {
            self.user.adb(&["connect", &self.serial]);
            let waited = ["devices", "--wait", &self.serial, "--within", "1000"];
            if self.user.run(&waited).exit == 0
                && self.user.run(&["snapshot", "--device", &self.serial]).exit == 0
            {
                return;
            }
        }
        panic!("the server does not find {} again", self.serial);
    }

    /// The next command works and is executed once.
    #[track_caller]
    fn next_command_works(&self) {
        let before = self.keys();
        let pressed = self.run("press home").success();
        assert_eq!(pressed["envelope"]["status"], "success", "{pressed}");
        assert_eq!(self.keys(), before + 1);
        let seen = self.run("snapshot").success();
        assert_eq!(seen["envelope"]["status"], "success", "{seen}");
    }
}

/// The first step of a result.
fn step(answer: &Value) -> &Value {
    let steps = match answer.get("envelope") {
        Some(envelope) => &envelope["stepResults"],
        None => &answer["details"]["stepResults"],
    };
    &steps[0]
}

#[test]
fn offline_phone_is_reported_and_returns() {
    // The first request connects, the second opens the phone.
    let phone = RecordedPhone::start("offline", &["offline @2"]);
    let silent = phone.run("press home");
    let error = silent.failure("DEVICE_SHELL_UNAVAILABLE");
    assert_has(&error, "message", "did not answer within");
    assert_eq!((phone.keys(), phone.times_fired("offline")), (0, 1));
    phone.next_command_works();
}

/// The first request connects, the second reads the phone's properties and which agent runs; the third starts one.
#[test]
fn phone_that_goes_offline_before_its_agent_answers_is_reported_with_the_time() {
    let phone = RecordedPhone::start("offline-agent", &["offline @3"]);
    let press = ["press", "home", "--via", "agent", "--device", &phone.serial];
    let silent = phone
        .user
        .run(&[&press[..], &["--timeout", "2000"]].concat());
    let error = silent.failure("DEVICE_SHELL_UNAVAILABLE");
    let message = error["message"].as_str().unwrap();
    let waited = message
        .split_once("did not answer within ")
        .and_then(|(_, rest)| rest.strip_suffix(" ms"))
        .and_then(|millis| millis.parse::<u64>().ok());
    assert!(waited.is_some_and(|waited| waited > 500), "{error}");
    assert_eq!((phone.keys(), phone.times_fired("offline")), (0, 1));
    phone.next_command_works();
}

#[test]
fn silent_phone_leaves_key_unknown() {
    let phone = RecordedPhone::start("silent", &["offline @3"]);
    let silent = phone.run("press home").failure("RESULT_ENVELOPE_TIMEOUT");
    assert_eq!(silent["details"]["dispatch"], "unknown", "{silent}");
    assert_eq!((phone.keys(), phone.times_fired("offline")), (0, 1));
    phone.next_command_works();
}

#[test]
fn unauthorized_phone_is_reported() {
    let user = User::with_adb("unauthorized");
    let started = user.run("sim start --fault 'unauthorized x1'").success();
    let serial = started["serial"].as_str().unwrap();
    let refused = user.run(&["press", "home", "--device", serial]);
    refused.failure("DEVICE_UNAUTHORIZED");
    let listed = user.run("devices").success();
    assert!(listed.to_string().contains("unauthorized"), "{listed}");
    // The phone is authorized now.
    user.adb(&["disconnect", serial]);
    assert!(user.adb(&["connect", serial]).status.success());
    user.run(&["press", "home", "--device", serial]).success();
}

#[test]
fn connection_cut_before_key_is_unknown() {
    let phone = RecordedPhone::start("cut-before", &["cut_before input keyevent x1"]);
    let lost = phone.run("press home");
    let answer = lost.document();
    assert_eq!(step(&answer)["data"]["dispatch"], "unknown", "{answer}");
    assert_eq!(lost.exit, 1);
    assert_eq!((phone.keys(), phone.times_fired("cut_before")), (0, 1));
    phone.reconnect();
    phone.next_command_works();
}

#[test]
fn connection_cut_after_key_is_unknown_and_not_resent() {
    let phone = RecordedPhone::start("cut-done", &["cut_done input keyevent x1"]);
    let lost = phone.run("press home");
    let answer = lost.document();
    assert_eq!(step(&answer)["data"]["dispatch"], "unknown", "{answer}");
    assert_eq!(lost.exit, 1);
    assert_eq!((phone.keys(), phone.times_fired("cut_done")), (1, 1));
    phone.reconnect();
    phone.next_command_works();
}

#[test]
fn connection_cut_mid_output_claims_nothing() {
    for (way, name) in [("cut_in_after", "cut-in"), ("cut_out_after", "cut-out")] {
        for bytes in ["400", "900", "1500", "3000"] {
            let fault = format!("{way} {bytes} x1");
            let phone = RecordedPhone::start(&format!("{name}-{bytes}"), &[&fault]);
            let (mut pressed, mut unknown) = (0, 0);
            // The limit of bytes is reached some commands later.
            for _ in 0..40 {
                let ran = phone.run("press home");
                let answer = ran.document();
                let broke = ran.exit != 0;
                if ran.exit == 0 {
                    pressed += 1;
                } else {
                    match step(&answer)["data"]["dispatch"].as_str() {
                        Some("unknown") => unknown += 1,
                        // Opening failed, or nothing was sent.
                        Some("not_sent") | None => {}
                        Some(other) => panic!("{fault}: {other}: {answer}"),
                    }
                    phone.reconnect();
                }
                let arrived = phone.keys();
                assert!(
                    (pressed..=pressed + unknown).contains(&arrived),
                    "{fault}: {arrived} arrived, {pressed} claimed, {unknown} unknown: {answer}"
                );
                if broke {
                    break;
                }
            }
            phone.next_command_works();
        }
    }
}

#[test]
fn cut_plan_reports_finished_and_running_steps() {
    let press = |id| json!({"id": id, "type": "press_key", "params": {"key": "volume_up"}});
    let plan = testkit::plan("c", json!([press("one"), press("two"), press("three")])).to_string();
    for (fault, arrived) in [("cut_before input @2", 1), ("cut_done input @2", 2)] {
        let phone = RecordedPhone::start(&fault.replace(' ', "-"), &[fault]);
        let arguments = ["exec", &plan, "--via", "stock", "--device", &phone.serial];
        let ran = phone.user.run(&arguments);
        let answer = ran.document();
        let steps = answer["envelope"]["stepResults"].as_array().unwrap();
        assert_eq!(
            steps.len(),
            2,
            "what comes after a loss is not tried: {answer}"
        );
        assert_eq!(steps[0]["success"], true, "{answer}");
        assert_eq!(steps[1]["id"], "two", "{answer}");
        assert_eq!(steps[1]["data"]["dispatch"], "unknown", "{answer}");
        assert_eq!((ran.exit, phone.keys()), (1, arrived), "{answer}");
        phone.reconnect();
        phone.next_command_works();
    }
}

#[test]
fn phone_faults_are_visible_over_adb() {
    let phone = RecordedPhone::start("on-phone", &["crash @2", "latency key 50ms"]);
    phone.run("click --text Settings").success();
    phone.run("press volume_up").success();
    assert_eq!(phone.count(|line| line["kind"] == "crash"), 1);
    let seen = phone.run("snapshot").success();
    let text = step(&seen)["data"]["text"].as_str().unwrap();
    assert!(
        text.contains("keeps stopping") || text.contains("has stopped"),
        "{text}"
    );
    phone.next_command_works();
    // A dialog opens during a plan: the next step does not find its target, and reports it.
    let watched = RecordedPhone::start("dialog", &["permission camera @2"]);
    let actions = json!([
        {"id": "open", "type": "open_app", "params": {"applicationId": "com.android.settings"}},
        {"id": "key", "type": "press_key", "params": {"key": "volume_up"}},
        {"id": "read", "type": "read_text", "params": {"matcher": {"textEquals": "Connections"}}},
    ]);
    let plan = testkit::plan("c", actions).to_string();
    let ran = watched
        .user
        .run(&["exec", &plan, "--device", &watched.serial]);
    let answer = ran.document();
    let steps = answer["envelope"]["stepResults"].as_array().unwrap();
    assert_eq!(
        (&steps[0]["success"], &steps[1]["success"]),
        (&true.into(), &true.into()),
        "{answer}"
    );
    let fired = watched.count(|line| line["kind"] == "fault" && line["name"] == "permission");
    assert_eq!(fired, 1, "{answer}");
    assert_eq!(ran.exit == 0, steps[2]["success"] == true, "{answer}");
    watched.next_command_works();
}

#[test]
fn slow_phone_is_waited_for_within_timeout() {
    let phone = RecordedPhone::start("slow", &["slow 10ms"]);
    phone.next_command_works();
    assert_eq!(phone.times_fired("slow"), 1, "it is recorded once");
    let slower = RecordedPhone::start("slower", &["slow 2s @60"]);
    for _ in 0..20 {
        let before = slower.keys();
        let ran = slower.run("press home");
        let answer = ran.document();
        let arrived = slower.keys() - before;
        if ran.exit == 0 {
            assert_eq!(arrived, 1, "{answer}");
        } else {
            // One packet was late; the result is correct whether or not it was in time.
            assert!(arrived <= 1, "{answer}");
            break;
        }
        if slower.times_fired("slow") > 0 {
            break;
        }
    }
    assert_eq!(slower.times_fired("slow"), 1);
    slower.next_command_works();
}

#[test]
fn truncated_dump_is_not_a_screen() {
    for (fault, name) in [
        ("truncated_dump", "truncated"),
        ("no_idle", "no-idle"),
        ("null_root", "null-root"),
    ] {
        // More failures than a snapshot has retries.
        let phone = RecordedPhone::start(name, &[&format!("{fault} x200")]);
        let blind = phone.run("snapshot");
        let answer = blind.document();
        assert_eq!(blind.exit, 1, "{answer}");
        let code = answer["code"]
            .as_str()
            .or(step(&answer)["data"]["error"].as_str());
        assert!(
            matches!(code, Some("SCREEN_UNAVAILABLE" | "RESULT_ENVELOPE_TIMEOUT")),
            "{fault}: {answer}"
        );
        assert!(!answer.to_string().contains("<node"), "{fault}: {answer}");
        let fired = phone.times_fired(fault);
        assert!(fired > 0, "{fault}");
        // A key needs no screen; complete dumps are used again.
        let healed = RecordedPhone::start(&format!("{name}-once"), &[&format!("{fault} x1")]);
        healed.next_command_works();
        assert_eq!(healed.times_fired(fault), 1);
    }
}

#[test]
fn stale_dump_is_rejected() {
    // The first dump prints nothing, as with tools that cannot write to a terminal: files are used from then on, and
    // writing the first of them fails.
    let phone = RecordedPhone::start("stale", &["truncated_dump x1", "stale_dump x1"]);
    let seen = phone.run("snapshot").success();
    let text = step(&seen)["data"]["text"].as_str().unwrap();
    assert!(text.contains("launcher"), "{text}");
    phone.run("open com.android.settings").success();
    let seen = phone.run("snapshot").success();
    let package = &step(&seen)["data"]["foreground_package"];
    assert_eq!(package, "com.android.settings");
    phone.next_command_works();
}

#[test]
fn full_disk_and_dirty_log_do_not_block_snapshot() {
    let phone = RecordedPhone::start("full", &["full_disk", "log_garbage"]);
    phone.next_command_works();
    let file = phone.user.path("pushed");
    std::fs::write(&file, b"text").unwrap();
    let path = file.display().to_string();
    let pushed = phone
        .user
        .adb(&["-s", &phone.serial, "push", &path, "/sdcard/f"]);
    assert!(!pushed.status.success(), "{pushed:?}");
    assert!(phone.times_fired("full_disk") > 0);
    let log = phone.user.adb(&["-s", &phone.serial, "logcat", "-d"]);
    assert!(log.status.success(), "{log:?}");
    assert!(phone.times_fired("log_garbage") > 0);
    phone.next_command_works();
}

#[test]
fn phone_without_shell_is_reported() {
    let phone = RecordedPhone::start("no-shell", &["no_shell"]);
    phone.run("press home").failure("DEVICE_SHELL_UNAVAILABLE");
    assert_eq!(phone.keys(), 0);
    assert!(phone.times_fired("no_shell") > 0);
}

#[test]
fn shell_that_is_refused_once_is_opened_again() {
    let phone = RecordedPhone::start("no-shell-once", &["no_shell x1"]);
    phone.next_command_works();
    assert_eq!(phone.times_fired("no_shell"), 1);
}

#[test]
fn killed_adb_server_claims_nothing() {
    // The server stops during a key press that takes a second.
    let phone = RecordedPhone::start("mid-kill", &["latency key 1500ms"]);
    let arguments = ["press", "home", "--via", "stock", "--device", &phone.serial];
    let mut command = phone.user.command(&arguments);
    let child = command
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let _limit = TimeLimit::start(&child);
    until("the key is sent", || {
        phone.count(|line| line["kind"] == "command" && line["args"][0] == "input") > 0
    });
    let begun = Instant::now();
    phone.user.kill_server();
    let output = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < SLACK * 2);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(step(&answer)["data"]["dispatch"], "unknown", "{answer}");
    assert_eq!(output.status.code(), Some(1));
    assert!(phone.keys() <= 1);
    // The next command starts a server; the user reconnects the phone, unless it is on a cable.
    let listed = phone.user.run("devices").success();
    assert!(listed["devices"].is_array(), "{listed}");
    phone.reconnect();
    phone.next_command_works();
    assert!(phone.keys() <= 2, "no key was sent twice");
}

#[test]
fn command_after_cut_waits_for_phone() {
    let phone = RecordedPhone::start("found-again", &["cut_done input tap x1"]);
    let cut = phone.run("click --text Settings");
    let lost = cut.document();
    assert_eq!(step(&lost)["data"]["dispatch"], "unknown", "{lost}");
    // Without a delay and without a name: the only phone is the lost one.
    phone.user.run("press home").success();
    assert_eq!(phone.keys(), 1);
}

#[test]
fn killed_agent_leaves_key_unknown_and_is_started_again() {
    for (fault, arrived) in [("agent_killed_before x1", 0), ("agent_killed_done x1", 1)] {
        let phone = RecordedPhone::start(&fault.replace(' ', "-"), &[fault]);
        let press = ["press", "home", "--via", "auto", "--device", &phone.serial];
        let killed = phone.user.run(&press).document();
        let data = &step(&killed)["data"];
        assert_eq!(data["dispatch"], "unknown", "{fault}: {killed}");
        assert_eq!(phone.keys(), arrived, "{fault}");
        let again = phone.user.run(&press).success();
        assert_eq!(again["via"], "agent", "{again}");
        assert_eq!(phone.keys(), arrived + 1, "{fault}");
    }
}

#[test]
fn screen_that_the_agent_reads_in_part_is_an_error() {
    for fault in ["agent_half_tree", "agent_no_root"] {
        let phone = RecordedPhone::start(fault, &[fault]);
        let snapshot = ["snapshot", "--via", "agent", "--device", &phone.serial];
        let refused = phone.user.run(&snapshot).document();
        assert_eq!(
            step(&refused)["data"]["error"],
            "SNAPSHOT_EXTRACTION_FAILED",
            "{fault}: {refused}"
        );
    }
}

#[test]
fn killed_phone_leaves_readable_record() {
    let phone = RecordedPhone::start("killed-phone", &[]);
    phone.next_command_works();
    let listed = phone.user.run("sim list").success();
    let pid = listed["phones"][0]["pid"].as_u64().unwrap();
    let killed = std::process::Command::new("kill")
        .args(["-9", &pid.to_string()])
        .status();
    assert!(killed.unwrap().success());
    let seen = phone.record();
    assert!(seen.iter().any(|line| line["kind"] == "key"), "{seen:?}");
    assert!(seen.iter().any(|line| line["kind"] == "connected"));
    // The phone no longer answers; the server gives the reason.
    let lost = phone.run("press home");
    assert_eq!(lost.exit, 1);
    assert!(
        ["DEVICE_NOT_FOUND", "DEVICE_OFFLINE"].contains(&lost.document()["code"].as_str().unwrap()),
        "{}",
        lost.stdout
    );
}

#[test]
fn unwritable_record_is_refused_before_start() {
    let user = User::without_adb("wrong-faults");
    for (arguments, expected) in [
        (["--record", "/nowhere/at/all"], "/nowhere/at/all"),
        (["--record", "/dev/full"], "No space left"),
    ] {
        let mut all = vec!["sim", "start"];
        all.extend(arguments);
        let error = user.run(&all).failure("USAGE");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(expected), "{error}");
    }
    assert_eq!(
        user.run("sim list").success()["phones"],
        serde_json::json!([])
    );
}
