//! Phones over adb: simulated ones that `sim start` starts, reached through a real adb server and without one.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::json;
use testkit::TempFolder;

use crate::mcp::RawClient;
use crate::run::{RunOutput, TimeLimit, Words, assert_has, finish, program};

/// A user with their own directories, and with either no adb or a private adb server.
pub(crate) struct User {
    pub(crate) folder: TempFolder,
    /// The port of the adb server; `None` where there is no adb.
    server: Option<u16>,
}

impl User {
    fn new(name: &str, server: Option<u16>) -> Self {
        Self {
            folder: TempFolder::new(name),
            server,
        }
    }

    /// Writes a file for the user; returns its path.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> String {
        self.folder.file(name, bytes)
    }

    /// A user without adb.
    pub(crate) fn without_adb(name: &str) -> Self {
        Self::new(name, None)
    }

    /// A user whose adb server is expected at this port.
    pub(crate) fn of_server(name: &str, port: u16) -> Self {
        Self::new(name, Some(port))
    }

    /// A user with a real adb server.
    pub(crate) fn with_adb(name: &str) -> Self {
        let user = Self::new(name, Some(testkit::free_port()));
        let started = user.adb("start-server");
        assert!(started.status.success(), "{started:?}");
        user
    }

    /// A user with the adb program and no running server.
    fn without_server(name: &str) -> Self {
        let user = Self::with_adb(name);
        user.kill_server();
        user
    }

    /// Runs the real adb.
    pub(crate) fn adb(&self, arguments: &(impl Words + ?Sized)) -> std::process::Output {
        let program = std::env::var_os("CLAWPERATOR_TEST_ADB").unwrap_or_else(|| "adb".into());
        let mut adb = Command::new(program);
        adb.args(arguments.words()).env("HOME", &*self.folder);
        adb.env("ANDROID_ADB_SERVER_PORT", self.server.unwrap().to_string());
        adb.env_remove("ADB_SERVER_SOCKET")
            .env_remove("ANDROID_ADB_SERVER_ADDRESS")
            .envs(testkit::NO_SCAN);
        adb.stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let adb = adb.spawn();
        let adb = adb.expect("these tests need the program adb, which ./check installs");
        let _limit = TimeLimit::start(&adb);
        adb.wait_with_output().unwrap()
    }

    /// The port of the adb server.
    pub(crate) fn port(&self) -> u16 {
        self.server.unwrap()
    }

    /// A file of this user's own.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Kills the process of the server.
    pub(crate) fn kill_server(&self) {
        let port = self.server.unwrap().to_string();
        let mut ended = 0;
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            // A process may end before it is read.
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
            let serves = words.iter().any(|word| *word == b"fork-server");
            let ours = words
                .iter()
                .any(|word| word.ends_with(format!(":{port}").as_bytes()));
            if serves && ours {
                let pid = entry.file_name().to_string_lossy().into_owned();
                let killed = Command::new("kill").args(["-9", &pid]).status().unwrap();
                assert!(killed.success());
                ended += 1;
            }
        }
        assert_eq!(ended, 1, "one server listens on {port}");
    }

    pub(crate) fn run(&self, arguments: &(impl Words + ?Sized)) -> RunOutput {
        finish(&mut self.command(arguments), None)
    }

    /// Runs command lines for a device, which may be followed by flags.
    pub(crate) fn on<'a>(&'a self, device: &'a str) -> impl Fn(&str) -> RunOutput + 'a {
        move |line| self.run(&format!("{line} --device {device}"))
    }

    pub(crate) fn command(&self, arguments: &(impl Words + ?Sized)) -> Command {
        let mut command = program();
        command.args(arguments.words());
        command
            .env("XDG_RUNTIME_DIR", &*self.folder)
            .env("HOME", &*self.folder);
        command.env_remove("ANDROID_USER_HOME");
        if let Some(port) = self.server {
            match std::env::var_os("CLAWPERATOR_TEST_ADB") {
                Some(program) => command.env("ADB_PATH", program),
                None => command.env_remove("ADB_PATH"),
            };
            command.env("ANDROID_ADB_SERVER_PORT", port.to_string());
        }
        command
    }

    /// Starts a phone; returns its serial.
    pub(crate) fn start(&self, arguments: &(impl Words + ?Sized)) -> String {
        let mut all = "sim start".words();
        all.extend(arguments.words());
        let started = self.run(&all).success();
        assert_eq!(started["connected"], self.server.is_some(), "{started}");
        started["serial"].as_str().unwrap().to_owned()
    }
}

impl Drop for User {
    fn drop(&mut self) {
        self.run("sim stop --all");
        if self.server.is_some() {
            self.adb("kill-server");
        }
    }
}

/// Asserts that typical commands work on a phone.
fn assert_drivable(user: &User, serial: &str) {
    let click = user
        .run(&["click", "--text", "Settings", "--device", serial])
        .success();
    assert_eq!(click["deviceId"], serial);
    let seen = user.run(&["snapshot", "--device", serial]).success();
    let data = &seen["envelope"]["stepResults"][0]["data"];
    assert_eq!(data["foreground_package"], "com.android.settings");
    // All commands use the same phone.
    user.run(&["press", "home", "--device", serial]).success();
    let actions = serde_json::json!([
        {"id": "open", "type": "open_uri", "params": {"uri": "forms://text"}},
        {"id": "type", "type": "enter_text",
         "params": {"matcher": {"resourceId": "com.example.forms:id/full_name"}, "text": "it's 100%s; $HOME"}},
        {"id": "hostile", "type": "close_app", "params": {"applicationId": "a; reboot"}},
    ]);
    let plan = testkit::plan("c", actions).to_string();
    let ran = user.run(&["exec", &plan, "--device", serial]);
    let answer = ran.document();
    let steps = answer["envelope"]["stepResults"].as_array().unwrap();
    assert_eq!(steps[1]["data"]["verified"], "true", "{answer}");
    let warned = steps[2]["data"]["warn"].as_str();
    assert!(
        warned.is_some_and(|words| words.contains("nothing was closed")),
        "{answer}"
    );
    assert_eq!(ran.exit, 0);
}

#[test]
fn phone_is_driven_without_adb() {
    let user = User::without_adb("no-adb");
    let serial = user.start("");
    assert_drivable(&user, &serial);
    let closed = format!("127.0.0.1:{}", testkit::closed_port());
    let unreachable = user.run(&["snapshot", "--device", &closed]);
    unreachable.failure("DEVICE_OFFLINE");
    let listed = user.run("sim list").success();
    assert_eq!(listed["phones"][0]["serial"], *serial);
    user.run(&["sim", "stop", &closed])
        .failure("DEVICE_NOT_FOUND");
    user.run(&["sim", "stop", &serial]).success();
    let listed = user.run("sim list").success();
    assert_eq!(listed["phones"].as_array().unwrap().len(), 0);
    user.run(&["snapshot", "--device", &serial])
        .failure("DEVICE_OFFLINE");
}

#[test]
fn later_adb_server_learns_phones() {
    let user = User::without_server("later");
    let started = user.run("sim start").success();
    assert_eq!(started["connected"], false, "{started}");
    let listed = user.run("sim list").success();
    assert_eq!(listed["phones"][0]["connected"], false, "{listed}");
    // The first command that needs a server starts it.
    let seen = user.run("snapshot").success();
    assert_eq!(seen["deviceId"], started["serial"]);
    let listed = user.run("sim list").success();
    assert_eq!(listed["phones"][0]["connected"], true, "{listed}");
    user.kill_server();
    let repaired = user.run("doctor").success();
    assert_eq!(repaired["deviceId"], started["serial"], "{repaired}");
}

#[test]
fn phone_is_driven_through_real_adb_server() {
    let user = User::with_adb("adb");
    user.run("snapshot").failure("NO_DEVICES");
    let port = testkit::free_port().to_string();
    let first = user.start(&["--port", &port]);
    assert_drivable(&user, &first);
    // A single phone needs no name; with two, a name is required.
    user.run("snapshot").success();
    let second = user.start("--sim-theme dark");
    let several = user
        .run("snapshot")
        .failure("MULTIPLE_DEVICES_DEVICE_ID_REQUIRED");
    assert_eq!(
        several["details"]["devices"].as_array().unwrap().len(),
        2,
        "{several}"
    );
    let devices = user.run("devices").success();
    for serial in [&first, &second] {
        let known = devices["devices"].as_array().unwrap();
        assert!(
            known
                .iter()
                .any(|phone| phone["serial"] == **serial && phone["state"] == "device"),
            "{devices}"
        );
    }
    user.run("snapshot --device no-such-device")
        .failure("DEVICE_NOT_FOUND");
    // A stopped phone is disconnected; its replacement is another phone.
    user.run(&["sim", "stop", &first]).success();
    user.run(&["snapshot", "--device", &first])
        .failure("DEVICE_NOT_FOUND");
    assert_eq!(user.start(&["--port", &port]), first);
    user.run(&["snapshot", "--device", &first]).success();
}

#[test]
fn phone_runs_one_command_at_a_time() {
    let user = User::without_adb("two");
    let serial = user.start("");
    let actions = serde_json::json!([
        {"id": "key", "type": "press_key", "params": {"key": "home"}},
        {"id": "sleep", "type": "sleep", "params": {"durationMs": 20000}},
    ]);
    let plan = testkit::plan("first", actions).to_string();
    let mut first = user.command(&["exec", &plan, "--device", &serial, "--verbose"]);
    let mut first = first
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _limit = TimeLimit::start(&first);
    // After its first step, the run holds the phone.
    let mut stderr_lines = BufReader::new(first.stderr.take().unwrap()).lines();
    assert!(stderr_lines.any(|line| line.unwrap().contains("press_key")));
    let refused = user
        .run(&["press", "back", "--device", &serial])
        .failure("EXECUTION_CONFLICT_IN_FLIGHT");
    assert_eq!(refused["details"]["holderCommandId"], "first", "{refused}");
    // Afterwards the phone is free, however the run ended.
    first.kill().unwrap();
    first.wait().unwrap();
    user.run(&["press", "back", "--device", &serial]).success();
}

#[test]
fn killed_adb_server_is_restarted() {
    let user = User::with_adb("killed");
    let serial = user.start("");
    assert!(user.adb("kill-server").status.success());
    // A server started by clawperator gets the running phones; one started by adb does not.
    user.run(&["snapshot", "--device", &serial]).success();
    assert!(user.adb("kill-server").status.success());
    assert!(user.adb("start-server").status.success());
    let lost = user
        .run(&["snapshot", "--device", &serial])
        .failure("DEVICE_NOT_FOUND");
    assert_eq!(
        lost["details"]["connected"].as_array().unwrap().len(),
        0,
        "{lost}"
    );
    assert!(user.adb(&["connect", &serial]).status.success());
    user.run(&["snapshot", "--device", &serial]).success();
}

#[test]
fn failed_start_reports_reason() {
    let user = User::without_adb("wrong");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let error = user
        .run(&["sim", "start", "--port", &port])
        .failure("USAGE");
    assert_has(&error, "message", &port);
    user.run("sim start --app nowhere.yaml")
        .failure("SIM_APP_INVALID");
}

#[test]
fn fallback_is_reported_on_every_surface() {
    let user = User::with_adb("fallback");
    let serial = user.start("--fault agent_slot_taken");
    let is_fallback = |answer: &serde_json::Value| {
        assert_eq!(answer["via"], "stock", "{answer}");
        let reason = &answer["viaReason"];
        assert_eq!(reason["code"], "AGENT_UNAVAILABLE", "{answer}");
        assert_eq!(reason["reason"], "ui_automation_taken", "{answer}");
        assert_has(
            reason,
            "message",
            "another program holds the phone's UI automation",
        );
    };
    let press = ["press", "home", "--device", &serial];
    is_fallback(&user.run(&press).success());
    let missing = user.run(&["click", "--role", "gauge", "--device", &serial]);
    let missing = missing.document();
    assert_eq!(
        missing["envelope"]["errorCode"], "NODE_NOT_FOUND",
        "{missing}"
    );
    is_fallback(&missing);
    let line = user.run(&[&press[..], &["--output", "line"]].concat());
    assert!(
        line.stdout.contains("\nvia stock: another program holds"),
        "{}",
        line.stdout
    );
    let mut client = RawClient::from_command(&mut user.command("mcp"));
    client.call(
        1,
        "act",
        json!({ "device": serial, "actions": [{ "type": "press_key", "key": "home" }] }),
    );
    let result = client.receive()["result"].clone();
    is_fallback(&result["structuredContent"]);
    assert_has(
        &result["content"][0],
        "text",
        "via stock: another program holds",
    );
    let mut command = user.command(&["serve", "--port", "0", "--device", &serial]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let _limit = TimeLimit::start(&child);
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let listening: serde_json::Value = serde_json::from_str(&line).unwrap();
    let url = format!("{}/snapshot", listening["url"].as_str().unwrap());
    let served = crate::serve::curl(&["-X", "POST", &url]);
    is_fallback(&serde_json::from_str(&served).unwrap());
    child.kill().unwrap();
    child.wait().unwrap();
    // The agent is not a fallback, nor is what was requested.
    let healthy = user.start("");
    let usual = user.run(&["press", "home", "--device", &healthy, "--output", "line"]);
    assert!(!usual.stdout.contains("via "), "{}", usual.stdout);
    for (via, arguments) in [("agent", &[][..]), ("stock", &["--via", "stock"])] {
        let press = ["press", "home", "--device", &healthy];
        let answer = user.run(&[&press[..], arguments].concat()).success();
        assert_eq!(
            (&answer["via"], answer.get("viaReason")),
            (&json!(via), None)
        );
    }
}

#[test]
fn server_and_command_share_the_agent() {
    let user = User::with_adb("shared-agent");
    let serial = user.start("");
    let mut command = user.command(&["serve", "--port", "0", "--device", &serial]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let _limit = TimeLimit::start(&child);
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let listening: serde_json::Value = serde_json::from_str(&line).unwrap();
    let url = format!("{}/snapshot", listening["url"].as_str().unwrap());
    for _ in 0..2 {
        let served = crate::serve::curl(&["-X", "POST", &url]);
        let served: serde_json::Value = serde_json::from_str(&served).unwrap();
        assert_eq!(served["envelope"]["status"], "success", "{served}");
        let seen = user.run(&["snapshot", "--via", "auto", "--device", &serial]);
        assert_eq!(seen.success()["via"], "agent");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
