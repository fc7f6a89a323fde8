//! Servers of the Model Context Protocol over standard streams.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use crate::numbers::ms;

/// Our program, with its log separate from the user's.
pub fn quiet(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["--log-level", "error"]).env(
        "CLAWPERATOR_LOG_DIR",
        std::env::temp_dir().join("clawperator-bench-log"),
    );
    command
}

/// A running server, which exits when this is dropped.
pub struct McpServer {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    calls: u32,
}

impl Drop for McpServer {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl McpServer {
    pub fn start(command: &mut Command) -> Result<Self, String> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", command.get_program().display()))?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        Ok(Self {
            to: to.ok_or("the server's standard input is not piped")?,
            from: BufReader::new(from.ok_or("the server's standard output is not piped")?),
            child,
            calls: 0,
        })
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        let line = format!("{message}\n");
        self.to
            .write_all(line.as_bytes())
            .map_err(|error| error.to_string())
    }

    fn read_answer(&mut self) -> Result<Value, String> {
        let mut line = String::new();
        self.from
            .read_line(&mut line)
            .map_err(|error| error.to_string())?;
        serde_json::from_str(&line).map_err(|_| format!("invalid answer: {line:?}"))
    }

    pub fn initialize(&mut self) -> Result<(), String> {
        self.send(&json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "bench", "version": "1" },
            },
        }))?;
        self.read_answer()?;
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
    }

    /// Calls a tool; returns the milliseconds until its answer.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<f64, String> {
        self.calls += 1;
        let started = Instant::now();
        self.send(&json!({
            "jsonrpc": "2.0", "id": self.calls, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments },
        }))?;
        let answer = self.read_answer()?;
        let took = ms(started.elapsed());
        let result = &answer["result"];
        if result.is_object() && result["isError"] != true {
            return Ok(took);
        }
        Err(format!("{tool} failed: {answer}"))
    }

    /// Its memory in megabytes; `None` if the system does not report it.
    pub fn memory(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes / 1024.0)
    }
}
