//! `serve`: starting, stopping, and the guide, whose requests are sent as written.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::run::{TimeLimit, assert_has, program, run};

/// A server that stops when this is dropped.
pub(crate) struct TestServer {
    child: Child,
    _limit: TimeLimit,
    pub(crate) url: String,
}

impl Drop for TestServer {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl TestServer {
    /// Stops it.
    pub(crate) fn end(mut self) -> Self {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self
    }
}

/// Starts a server, on a free port unless the arguments set one.
pub(crate) fn serve(arguments: &[&str], variables: &[(&str, &str)]) -> (TestServer, Value) {
    let mut command = program();
    command.arg("serve").args(arguments);
    if !arguments.contains(&"--port") {
        command.args(["--port", "0"]);
    }
    command.envs(variables.iter().copied());
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let limit = TimeLimit::start(&child);
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    child.stdout = Some(out.into_inner());
    let document: Value = serde_json::from_str(&line).unwrap_or_else(|error| {
        let mut output = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut output)
            .unwrap();
        panic!("{error}: {line:?} {output}")
    });
    let url = document["url"].as_str().unwrap().to_owned();
    let served = TestServer {
        child,
        _limit: limit,
        url,
    };
    (served, document)
}

/// The output of curl, which must succeed.
pub(crate) fn curl(arguments: &[&str]) -> String {
    let ran = Command::new("curl")
        .args(["-sS", "--max-time", "60"])
        .args(arguments)
        .output();
    let ran = ran.expect("the test needs curl");
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    String::from_utf8(ran.stdout).unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn serve_prints_address_and_exits_on_signal() {
    for name in ["-TERM", "-INT"] {
        let (mut served, document) = serve(&["--device", "sim"], &[]);
        assert_eq!(document["ok"], true);
        assert_eq!(document["host"], "127.0.0.1");
        let port = document["port"].as_u64().unwrap();
        assert_eq!(served.url, format!("http://127.0.0.1:{port}"));
        let health = curl(&[&format!("{}/healthz", served.url)]);
        assert!(health.contains("\"ok\":true"), "{health}");
        // Two servers cannot share a port.
        let port = port.to_string();
        let second = run(&["serve", "--port", &port]).failure("SERVE_FAILED");
        assert_has(&second, "hint", "--port");
        signal(&served.child, name);
        let ended = served.child.wait().unwrap();
        assert_eq!(ended.code(), Some(0));
        let mut output = String::new();
        let mut stderr = served.child.stderr.take().unwrap();
        stderr.read_to_string(&mut output).unwrap();
        let line = format!("Clawperator API server listening on {}\n", served.url);
        assert!(output.starts_with(&line), "{output}");
    }
}

#[test]
fn second_signal_cancels_runs_and_sends_responses() {
    let (mut served, _) = serve(&["--device", "sim", "--sim-time", "real"], &[]);
    let sleep =
        serde_json::json!([{"id": "s", "type": "sleep", "params": {"durationMs": 110_000}}]);
    let mut plan = serde_json::json!({ "execution": testkit::plan("long", sleep) });
    plan["execution"]["timeoutMs"] = 120_000.into();
    let plan = plan.to_string();
    let url = served.url.clone();
    let request = {
        let url = format!("{url}/execute");
        std::thread::spawn(move || {
            curl(&["-H", "content-type: application/json", "-d", &plan, &url])
        })
    };
    let limit = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !curl(&[&format!("{url}/executions/long")]).contains("\"running\"") {
        assert!(std::time::Instant::now() < limit, "the run does not begin");
    }
    signal(&served.child, "-TERM");
    // The server reports the first signal.
    let mut stderr = BufReader::new(served.child.stderr.take().unwrap()).lines();
    assert!(stderr.any(|line| line.unwrap().contains("stopping")));
    signal(&served.child, "-TERM");
    let answer = request.join().unwrap();
    assert!(answer.contains("EXECUTION_CANCELLED"), "{answer}");
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
}

#[test]
fn serve_accepts_device_flags_and_variables() {
    let (served, _) = serve(
        &[
            "--device",
            "sim",
            "--sim-theme",
            "dark",
            "--host",
            "localhost",
        ],
        &[("CLAWPERATOR_TOKEN", "open-sesame")],
    );
    let snapshot = format!("{}/snapshot", served.url);
    let refused = curl(&["-X", "POST", &snapshot]);
    assert!(refused.contains("UNAUTHORIZED"), "{refused}");
    let answer = curl(&[
        "-X",
        "POST",
        "-H",
        "authorization: Bearer open-sesame",
        &snapshot,
    ]);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["deviceId"], "sim", "{answer}");
}

#[test]
fn http_guide_requests_work() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/guides/http.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let blocks: Vec<&str> = guide
        .split("```sh\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(blocks.len() >= 6, "{blocks:?}");
    let folder = testkit::TempFolder::new("serve");
    let (served, _) = serve(&["--device", "sim"], &[]);
    for block in blocks {
        let script = block.replace("http://127.0.0.1:3000", &served.url);
        let ran = Command::new("sh")
            .args(["-e", "-c", &script])
            .current_dir(&folder)
            .output()
            .unwrap();
        let output = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success(), "{block}\n{output}");
        assert!(output.contains("\"ok\":true"), "{block}\n{output}");
        assert!(!output.contains("\"ok\":false"), "{block}\n{output}");
        assert!(
            !output.contains("\"status\":\"failed\""),
            "{block}\n{output}"
        );
    }
    let picture = std::fs::read(folder.join("screen.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
}
