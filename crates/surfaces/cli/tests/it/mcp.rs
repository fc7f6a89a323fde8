//! `clawperator mcp`: sessions with the official clients, and messages that those do not send.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use testkit::TempFolder;

use crate::run::{TimeLimit, program};
use crate::serve::serve;

/// The folder of the sessions, and where the clients were fetched to.
fn folders() -> (PathBuf, PathBuf) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    (root.join("tests/mcp"), root.join("../../../target/mcp"))
}

/// The session of a client, one line per event.
fn session(client: &str, way: &[&str]) -> String {
    let (scripts, fetched) = folders();
    assert!(
        fetched.join("fetched").exists(),
        "the MCP clients are not installed: run crates/surfaces/cli/tests/mcp/fetch"
    );
    let mut command = match client {
        "python" => {
            let mut command = Command::new("python3");
            command.arg(scripts.join("session.py"));
            command
        }
        client => {
            let mut command = Command::new("node");
            command.arg(scripts.join("session.mjs")).arg(client);
            command
        }
    };
    let out = crate::run::isolate(&mut command)
        .args(way)
        .env("CLIENTS", fetched.join("node"))
        .env("PYTHONPATH", fetched.join("python"))
        .output()
        .unwrap();
    let messages = String::from_utf8(out.stderr).unwrap();
    assert!(out.status.success(), "{client}: {messages}");
    let lines = String::from_utf8(out.stdout).unwrap();
    let lines = lines.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        plain(&mut line);
        serde_json::to_string(&line).unwrap() + "\n"
    });
    lines.collect()
}

/// Removes names of runs and files, which differ each time, and empty keys that a client adds.
fn plain(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(at) = text.find("/tmp/").or_else(|| text.find("mcp-1"))
                && !text.contains("clawperator://")
            {
                text.truncate(at);
                text.push('…');
            }
        }
        Value::Array(values) => values.iter_mut().for_each(plain),
        Value::Object(fields) => {
            fields.sort_keys();
            fields.values_mut().for_each(plain);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn official_clients_work() {
    let (scripts, _) = folders();
    let file = scripts.join("session.jsonl");
    let program = env!("CARGO_BIN_EXE_clawperator");
    for client in ["sdk", "client", "python"] {
        let (served, _) = serve(&[], &[]);
        let url = format!("{}/mcp", served.url);
        let ways: [&[&str]; 2] = [&["stdio", program, "mcp"], &["http", &url]];
        for way in ways {
            let found = session(client, way);
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                std::fs::write(&file, &found).unwrap();
            }
            let expected = std::fs::read_to_string(&file).unwrap();
            assert_eq!(
                found, expected,
                "{client} {way:?}: UPDATE_EXPECT=1 updates it"
            );
        }
    }
}

/// A client that sends arbitrary messages.
pub(crate) struct RawClient {
    child: Child,
    _limit: TimeLimit,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl RawClient {
    fn start(arguments: &[&str], temporary: &Path) -> Self {
        let mut command = program();
        command.arg("mcp").args(arguments).env("TMPDIR", temporary);
        Self::spawn(&mut command)
    }

    /// A client of a server that this command starts, after the handshake.
    pub(crate) fn from_command(command: &mut Command) -> Self {
        let mut raw = Self::spawn(command);
        raw.initialize(&json!({}));
        raw
    }

    fn spawn(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            _limit: TimeLimit::start(&child),
            to: child.stdin.take(),
            from: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    /// A client after the handshake.
    fn initialized(arguments: &[&str]) -> Self {
        Self::initialized_in(arguments, &std::env::temp_dir())
    }

    /// A client with roots, after the handshake.
    fn initialized_with_roots(arguments: &[&str]) -> Self {
        Self::initialized_with(
            arguments,
            &std::env::temp_dir(),
            &json!({ "roots": { "listChanged": true } }),
        )
    }

    /// A client after the handshake, whose server uses this folder for temporary files.
    pub(crate) fn initialized_in(arguments: &[&str], temporary: &Path) -> Self {
        Self::initialized_with(arguments, temporary, &json!({}))
    }

    fn initialized_with(arguments: &[&str], temporary: &Path, capabilities: &Value) -> Self {
        let mut raw = Self::start(arguments, temporary);
        raw.initialize(capabilities);
        raw
    }

    fn initialize(&mut self, capabilities: &Value) {
        self.initialize_as("raw", capabilities);
    }

    fn initialize_as(&mut self, name: &str, capabilities: &Value) {
        self.send(&json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": capabilities,
                "clientInfo": { "name": name, "version": "1" },
            },
        }));
        let hello = self.receive();
        assert_eq!(hello["result"]["serverInfo"]["name"], "clawperator");
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    }

    fn send(&mut self, message: &Value) {
        self.write(&format!("{message}\n"));
    }

    fn write(&mut self, text: &str) {
        self.to
            .as_mut()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
    }

    pub(crate) fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    pub(crate) fn call(&mut self, id: u32, tool: &str, arguments: Value) {
        self.send(&json!({
            "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments },
        }));
    }

    /// Disconnects; returns the exit status and standard error of the server.
    pub(crate) fn disconnect(mut self) -> (Option<i32>, String) {
        self.to = None;
        let out = self.child.wait_with_output().unwrap();
        (out.status.code(), String::from_utf8(out.stderr).unwrap())
    }
}

#[test]
fn mcp_exits_with_its_input() {
    let raw = RawClient::initialized(&[]);
    assert_eq!(raw.disconnect(), (Some(0), String::new()));
}

#[test]
fn non_client_gets_usage_error() {
    let mut raw = RawClient::start(&[], &std::env::temp_dir());
    raw.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
    let (status, messages) = raw.disconnect();
    assert_eq!(status, Some(1), "{messages}");
}

#[test]
fn unknown_tool_and_broken_line_are_harmless() {
    let mut raw = RawClient::initialized(&[]);
    raw.call(1, "fly", json!({}));
    let refused = raw.receive();
    assert_eq!(refused["id"], 1);
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("inspect_element"), "{message}");
    for (line, code) in [("this is no JSON\n", -32700), ("[]\n", -32600)] {
        raw.write(line);
        let answer = raw.receive();
        assert_eq!(
            (&answer["error"]["code"], answer.get("id")),
            (&json!(code), Some(&Value::Null)),
            "{line}"
        );
    }
    for (method, params, code, part) in [
        ("tools/call", json!({}), -32602, "`name`"),
        (
            "tools/call",
            json!({ "name": "devices", "arguments": 5 }),
            -32602,
            "`arguments`",
        ),
        ("resources/read", json!({}), -32602, "`uri`"),
        ("nope", json!({}), -32601, "unknown method \"nope\""),
    ] {
        raw.send(&json!({ "jsonrpc": "2.0", "id": 9, "method": method, "params": params }));
        let error = raw.receive()["error"].clone();
        assert_eq!(error["code"], code, "{error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(part), "{message}");
    }
    raw.call(2, "devices", json!({}));
    let answer = raw.receive();
    assert_eq!(
        answer["result"]["structuredContent"]["embedded"][0]["serial"],
        "sim"
    );
    assert_eq!(raw.disconnect().0, Some(0));
}

#[test]
fn calls_run_concurrently_on_different_devices() {
    let mut raw = RawClient::initialized(&["--device", "sim", "--sim-time", "real"]);
    let wait = json!({ "actions": [{ "type": "sleep", "durationMs": 1_000 }] });
    raw.call(1, "act", wait.clone());
    raw.call(2, "act", wait.clone());
    let mut other = wait;
    other["device"] = "sim#2".into();
    raw.call(3, "act", other);
    // Calls that only read wait.
    raw.call(4, "snapshot", json!({}));
    raw.call(5, "inspect_element", json!({ "description": "settings" }));
    let mut codes: Vec<(u64, String)> = (0..5)
        .map(|_| {
            let answer = raw.receive();
            let body = &answer["result"]["structuredContent"];
            let outcome = body.get("code").or(body["envelope"].get("status"));
            let outcome = outcome.map_or("success", |outcome| outcome.as_str().unwrap());
            (answer["id"].as_u64().unwrap(), outcome.to_owned())
        })
        .collect();
    codes.sort();
    for (_, code) in &codes[2..] {
        assert_eq!(code, "success");
    }
    let mut one: Vec<&str> = codes[..2].iter().map(|(_, code)| &**code).collect();
    one.sort_unstable();
    assert_eq!(one, ["EXECUTION_CONFLICT_IN_FLIGHT", "success"]);
    assert_eq!(raw.disconnect().0, Some(0));
}

#[test]
fn cancelled_call_stops_run() {
    let mut raw = RawClient::initialized(&["--device", "sim", "--sim-time", "real"]);
    raw.call(
        1,
        "act",
        json!({ "actions": [{ "type": "sleep", "durationMs": 100_000 }], "timeoutMs": 110_000 }),
    );
    raw.send(&json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": 1, "reason": "test" },
    }));
    // The device is free long before the timeout of the run.
    for id in 2..200 {
        raw.call(
            id,
            "act",
            json!({ "actions": [{ "type": "press_key", "key": "home" }] }),
        );
        let mut answer = raw.receive();
        while answer["id"] != id {
            answer = raw.receive();
        }
        let body = &answer["result"]["structuredContent"];
        if body["envelope"]["status"] == "success" {
            assert_eq!(raw.disconnect().0, Some(0));
            return;
        }
        assert_eq!(body["code"], "EXECUTION_CONFLICT_IN_FLIGHT");
    }
    panic!("the run was not called off");
}

#[test]
fn client_that_shows_structured_content_only_gets_text() {
    let mut raw = RawClient::start(&["--device", "sim"], &std::env::temp_dir());
    raw.initialize_as("claude-code", &json!({}));
    for (id, arguments) in [(1, json!({})), (2, json!({ "budget": 1 }))] {
        raw.call(id, "snapshot", arguments);
        let result = raw.receive()["result"].take();
        assert!(result.get("structuredContent").is_none(), "{result}");
        assert!(!result["content"][0]["text"].as_str().unwrap().is_empty());
    }
    let xml = json!({ "type": "snapshot_ui", "view": "hierarchy_xml" });
    raw.call(3, "act", json!({ "actions": [xml] }));
    let result = raw.receive()["result"].take();
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("<hierarchy rotation="), "{text}");
    assert_eq!(raw.disconnect().0, Some(0));
}

#[test]
fn progress_precedes_result() {
    let mut raw = RawClient::initialized(&["--device", "sim"]);
    raw.send(&json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": "act",
            "arguments": {
                "actions": [{ "type": "press_key", "key": "home" }, { "type": "press_key", "key": "back" }],
                "snapshot": true,
            },
            "_meta": { "progressToken": "p" },
        },
    }));
    let messages: Vec<Value> = (0..2).map(|_| raw.receive()["params"].clone()).collect();
    let line = |progress: u32, message: &str| json!({ "progressToken": "p", "progress": f64::from(progress), "total": 2.0, "message": message });
    assert_eq!(
        messages,
        [line(1, "1 press_key ok"), line(2, "2 press_key ok"),]
    );
    assert_eq!(raw.receive()["id"], 1);
    assert_eq!(raw.disconnect().0, Some(0));
}

impl RawClient {
    /// The result of a screenshot that is written to this path.
    fn picture(&mut self, id: u32, path: &str) -> Value {
        let shot = json!({ "type": "take_screenshot", "path": path });
        self.call(id, "act", json!({ "device": "sim", "actions": [shot] }));
        self.receive()["result"].clone()
    }

    /// The result of an upload of this file.
    fn upload(&mut self, id: u32, path: &str) -> Value {
        let upload = json!({ "type": "upload", "matcher": { "role": "button" }, "files": [path] });
        self.call(id, "act", json!({ "device": "sim", "actions": [upload] }));
        self.receive()["result"].clone()
    }

    /// The result of a screenshot for a client whose roots are requested first.
    fn picture_after_roots(&mut self, id: u32, path: &str, roots: &[&str]) -> Value {
        let shot = json!({ "type": "take_screenshot", "path": path });
        self.call(id, "act", json!({ "device": "sim", "actions": [shot] }));
        let request = self.receive();
        assert_eq!(request["method"], "roots/list", "{request}");
        let roots: Vec<Value> = roots
            .iter()
            .map(|root| json!({ "uri": format!("file://{root}") }))
            .collect();
        self.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": { "roots": roots } }));
        self.receive()["result"].clone()
    }
}

/// Asserts that a path was refused; the message names the path and the flag that allows it.
fn assert_refused(result: &Value, path: &str, flag: &str) {
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(result["structuredContent"]["code"], "INVALID_PATH");
    let text = result["content"][0]["text"].as_str().unwrap();
    for part in ["INVALID_PATH", path, flag] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn tools_access_only_named_directories() {
    let folder = TempFolder::new("files");
    let (profile, app) = (
        folder.file(".bashrc", b"export A=1\n"),
        folder.at("app.yaml"),
    );
    assert!(
        program()
            .args(["sim", "new", &app])
            .output()
            .unwrap()
            .status
            .success()
    );
    let mut raw = RawClient::initialized(&[]);
    assert_refused(&raw.picture(1, &profile), &profile, "--screenshots");
    assert_refused(
        &raw.picture(2, &folder.at("new.png")),
        "new.png",
        "--screenshots",
    );
    raw.call(3, "snapshot", json!({ "device": format!("sim:{app}") }));
    assert_refused(&raw.receive()["result"], &app, "--sim-apps");
    assert_refused(&raw.upload(4, &profile), &profile, "--uploads");
    assert_eq!(raw.disconnect().0, Some(0));

    let inside = folder.to_str().unwrap();
    let mut raw = RawClient::initialized(&[
        "--screenshots",
        inside,
        "--sim-apps",
        inside,
        "--uploads",
        inside,
    ]);
    // A file that is not a picture is not replaced, even in an allowed folder.
    let refused = raw.picture(1, &profile);
    assert_refused(&refused, &profile, "another file");
    for id in [2, 3] {
        let written = raw.picture(id, "new.png");
        assert_ne!(written["isError"], true, "{written}");
    }
    assert!(folder.join("new.png").is_file());
    assert_refused(
        &raw.picture(4, "/tmp/elsewhere.png"),
        "/tmp/elsewhere.png",
        "--screenshots",
    );
    raw.call(5, "snapshot", json!({ "device": format!("sim:{app}") }));
    assert_ne!(raw.receive()["result"]["isError"], true);
    assert_refused(
        &raw.upload(6, "/etc/hostname"),
        "/etc/hostname",
        "--uploads",
    );
    // The simulated phone shows no page; the file itself is allowed.
    let allowed = raw.upload(7, ".bashrc");
    let text = allowed["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("ACTION_NOT_SUPPORTED_HERE"), "{text}");
    assert_eq!(raw.disconnect().0, Some(0));
    assert_eq!(std::fs::read(&profile).unwrap(), b"export A=1\n");
}

#[test]
fn client_roots_are_allowed_directories() {
    let (mine, other) = (TempFolder::new("root a"), TempFolder::new("other"));
    let (root, next) = (mine.at("").replace(' ', "%20"), other.at(""));
    let mut raw = RawClient::initialized_with_roots(&[]);
    let written = raw.picture_after_roots(1, &mine.at("a.png"), &[&root, "/nowhere"]);
    assert_ne!(written["isError"], true, "{written}");
    assert!(mine.join("a.png").is_file());
    // Roots are requested once, until they change.
    assert_refused(
        &raw.picture(2, &other.at("b.png")),
        "b.png",
        "--screenshots",
    );
    raw.send(&json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }));
    let written = raw.picture_after_roots(3, &other.at("b.png"), &[&next]);
    assert_ne!(written["isError"], true, "{written}");
    assert_refused(&raw.picture(4, &mine.at("c.png")), "c.png", "--screenshots");
    assert_eq!(raw.disconnect().0, Some(0));
}

#[test]
fn printed_element_is_pressed_and_a_step_returns_the_screen() {
    let mut raw = RawClient::initialized(&[]);
    let open =
        json!({ "type": "open_app", "applicationId": "com.android.settings", "observe": "screen" });
    let click = json!({ "type": "click", "ref": "listitem \"Connections\"", "observe": "diff" });
    let back = json!({ "type": "press_key", "key": "back" });
    raw.call(
        1,
        "act",
        json!({ "device": "sim", "actions": [open, click, back] }),
    );
    let result = raw.receive()["result"].clone();
    let text = result["content"][0]["text"].as_str().unwrap();
    let line = |start: &str| text.lines().position(|line| line.starts_with(start));
    let (opened, clicked) = (
        line("ok open_app"),
        line("ok click listitem \"Connections\""),
    );
    let (opened, clicked, back) = (
        opened.unwrap(),
        clicked.unwrap(),
        line("ok press_key").unwrap(),
    );
    // Each screen follows the line of its step.
    let screens: Vec<usize> = (0..back)
        .filter(|at| text.lines().nth(*at).unwrap().starts_with("screen data"))
        .collect();
    assert_eq!(screens, [opened + 1, clicked + 1], "{text}");
    let steps = result["structuredContent"]["envelope"]["stepResults"].clone();
    assert_eq!(steps[0]["data"]["screen"], Value::Null, "{steps}");
    assert_eq!(raw.disconnect().0, Some(0));
}

#[test]
fn found_element_is_pressed_by_its_reference() {
    let mut raw = RawClient::initialized(&[]);
    let open = json!({ "type": "open_app", "applicationId": "com.android.settings" });
    raw.call(1, "act", json!({ "device": "sim", "actions": [open] }));
    assert_ne!(raw.receive()["result"]["isError"], true);
    let arguments = json!({ "device": "sim", "description": "the sounds and vibration entry" });
    raw.call(2, "inspect_element", arguments);
    let found = raw.receive()["result"].clone();
    let element = &found["structuredContent"]["elements"][0];
    let reference = element["sessionRef"].as_str().unwrap();
    let text = found["content"][0]["text"].as_str().unwrap();
    let line = text.lines().find(|line| line.contains("Element:")).unwrap();
    assert!(line.ends_with(&format!(" {reference}")), "{text}");
    let click = json!({ "type": "click", "matcher": { "ref": reference } });
    raw.call(
        3,
        "act",
        json!({ "device": "sim", "actions": [click], "observe": "diff" }),
    );
    let clicked = raw.receive()["result"]["content"][0]["text"].clone();
    let clicked = clicked.as_str().unwrap();
    assert!(
        clicked.starts_with(&format!("ok click {reference} · ")),
        "{clicked}"
    );
    assert!(clicked.contains("Sounds and vibration"), "{clicked}");
    assert_eq!(raw.disconnect().0, Some(0));
}
