//! What `mcp` costs: until it greets, while it waits, and over what the engine itself needs for a click.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use contract::Execution;
use serde_json::{Value, json};
use service::{Options, Service};
use tokio_util::sync::CancellationToken;

use crate::numbers::{median, ms};

/// How often it is started.
const STARTS: usize = 20;
/// How often something is clicked.
const CLICKS: usize = 200;

/// What was measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// From the start of the process to its answer to `initialize`, in milliseconds.
    pub greeting: f64,
    /// What it holds then, in megabytes.
    pub memory: f64,
    /// A click through it, in milliseconds.
    pub click: f64,
    /// The same click by the engine alone, in milliseconds.
    pub engine: f64,
}

/// A server that is spoken with.
struct Spoken {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Drop for Spoken {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Spoken {
    fn start(program: &Path) -> Result<Self, String> {
        let mut child = Command::new(program)
            .args(["mcp", "--device", "sim", "--log-level", "error"])
            .env(
                "CLAWPERATOR_LOG_DIR",
                std::env::temp_dir().join("clawperator-bench-log"),
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        Ok(Self {
            to: to.ok_or("the server hears nothing")?,
            from: BufReader::new(from.ok_or("the server says nothing")?),
            child,
        })
    }

    fn say(&mut self, message: &Value) -> Result<(), String> {
        let line = format!("{message}\n");
        self.to
            .write_all(line.as_bytes())
            .map_err(|error| error.to_string())
    }

    fn hear(&mut self) -> Result<Value, String> {
        let mut line = String::new();
        self.from
            .read_line(&mut line)
            .map_err(|error| error.to_string())?;
        serde_json::from_str(&line).map_err(|_| format!("it said {line:?}"))
    }

    fn greet(&mut self) -> Result<(), String> {
        self.say(&json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "bench", "version": "1" },
            },
        }))?;
        self.hear()?;
        Ok(())
    }

    /// The memory that it has, in megabytes; nothing where the system does not say.
    fn memory(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes / 1024.0)
    }
}

/// A click that changes nothing, at a place of the launcher where nothing is.
fn click() -> Value {
    json!({ "type": "click", "coordinate": { "x": 540, "y": 300 } })
}

/// Measures.
///
/// # Errors
/// The program cannot be started, or does not answer.
pub async fn measure(program: &Path) -> Result<Measured, String> {
    let (mut greetings, mut memory) = (Vec::new(), 0.0_f64);
    for _ in 0..STARTS {
        let begun = Instant::now();
        let mut spoken = Spoken::start(program)?;
        spoken.greet()?;
        greetings.push(ms(begun.elapsed()));
        memory = memory.max(spoken.memory().unwrap_or(f64::NAN));
    }
    let mut spoken = Spoken::start(program)?;
    spoken.greet()?;
    spoken.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
    let mut through = Vec::new();
    for id in 1..=CLICKS {
        let begun = Instant::now();
        spoken.say(&json!({
            "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": { "name": "act", "arguments": { "actions": [click()] } },
        }))?;
        let answer = spoken.hear()?;
        through.push(ms(begun.elapsed()));
        if answer["result"]["structuredContent"]["envelope"]["status"] != "success" {
            return Err(format!("the click failed: {answer}"));
        }
    }
    let nothing = || "nothing was measured".to_owned();
    Ok(Measured {
        greeting: median(&greetings).ok_or_else(nothing)?,
        memory,
        click: median(&through).ok_or_else(nothing)?,
        engine: median(&alone()?).ok_or_else(nothing)?,
    })
}

/// The same clicks by the engine in this process, in the phone's own time, on a thread that has no other.
fn alone() -> Result<Vec<f64>, String> {
    let worked = std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .map_err(|error| error.to_string())?;
        let service = Service::new(Options::default());
        let mut took = Vec::new();
        for number in 0..CLICKS {
            let plan = json!({
                "commandId": format!("bench-{number}"), "taskId": "bench", "source": "bench",
                "expectedFormat": "android-ui-automator", "timeoutMs": 30_000,
                "actions": [{ "id": "1", "type": "click", "params": { "coordinate": { "x": 540, "y": 300 } } }],
            });
            let parsed = Execution::from_value(&plan).map_err(|error| format!("{error:?}"))?;
            let begun = Instant::now();
            let mut unheard = |_: &service::Event<'_>| {};
            let cancel = CancellationToken::new();
            let ran = runtime.block_on(service.execute(Some("sim"), parsed, cancel, &mut unheard));
            took.push(ms(begun.elapsed()));
            ran.map_err(|error| error.message)?;
        }
        Ok(took)
    });
    worked
        .join()
        .map_err(|_| "the engine's own clicks ended".to_owned())?
}
