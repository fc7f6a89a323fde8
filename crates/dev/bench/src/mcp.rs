//! Measures `mcp`: startup, memory, and the overhead of a click over the engine alone.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use contract::Execution;
use serde_json::{Value, json};
use service::{Options, Service};
use tokio_util::sync::CancellationToken;

use crate::mcp_server::{McpServer, quiet};
use crate::numbers::{median, ms};

const STARTS: usize = 20;
const CLICKS: usize = 200;

#[derive(Clone, Copy, Debug)]
pub struct McpFigures {
    /// From the start of the process to its answer to `initialize`, in milliseconds.
    pub startup: f64,
    pub memory: f64,
    /// A click through it, in milliseconds.
    pub click: f64,
    /// The same click by the engine alone, in milliseconds.
    pub engine: f64,
}

/// The program as an MCP server of the simulated phone.
fn server_command(program: &Path) -> Command {
    let mut command = quiet(program);
    command.args(["mcp", "--device", "sim"]);
    command
}

/// A click on an empty part of the launcher, which changes nothing.
fn click() -> Value {
    json!({ "type": "click", "coordinate": { "x": 540, "y": 300 } })
}

pub async fn measure(program: &Path) -> Result<McpFigures, String> {
    let (mut startups, mut memory) = (Vec::new(), 0.0_f64);
    for _ in 0..STARTS {
        let started = Instant::now();
        let mut server = McpServer::start(&mut server_command(program))?;
        server.initialize()?;
        startups.push(ms(started.elapsed()));
        memory = memory.max(server.memory().unwrap_or(f64::NAN));
    }
    let mut server = McpServer::start(&mut server_command(program))?;
    server.initialize()?;
    let mut clicks = Vec::new();
    for _ in 0..CLICKS {
        clicks.push(server.call("act", &json!({ "actions": [click()] }))?);
    }
    let no_measurements = || "nothing was measured".to_owned();
    Ok(McpFigures {
        startup: median(&startups).ok_or_else(no_measurements)?,
        memory,
        click: median(&clicks).ok_or_else(no_measurements)?,
        engine: median(&engine_clicks()?).ok_or_else(no_measurements)?,
    })
}

/// The same clicks by the engine in this process, in virtual time, on a separate thread.
fn engine_clicks() -> Result<Vec<f64>, String> {
    let worked = std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .map_err(|error| error.to_string())?;
        let service = Service::new(Options::default());
        let mut took = Vec::new();
        for number in 0..CLICKS {
            let click = json!({ "id": "1", "type": "click", "params": { "coordinate": { "x": 540, "y": 300 } } });
            let plan = testkit::plan(&format!("bench-{number}"), json!([click]));
            let parsed = Execution::from_value(&plan).map_err(|error| format!("{error:?}"))?;
            let started = Instant::now();
            let mut unheard = |_: &service::Event<'_>| {};
            let cancel = CancellationToken::new();
            let ran = runtime.block_on(service.execute(Some("sim"), parsed, cancel, &mut unheard));
            took.push(ms(started.elapsed()));
            ran.map_err(|error| error.message)?;
        }
        Ok(took)
    });
    worked
        .join()
        .map_err(|_| "the engine's own clicks ended".to_owned())?
}
