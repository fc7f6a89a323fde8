//! clawperator on the command line, with its persistent browser.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::process::Command;

use crate::mcp_server::quiet;
use crate::numbers::ms;
use crate::tab::VIEWPORT;

const TIMEOUT: Duration = Duration::from_secs(60);

/// The program, and its state folder; both are cleaned up by [`end`](Self::end).
#[derive(Clone, Debug)]
pub struct Cli {
    program: PathBuf,
    folder: PathBuf,
}

impl Cli {
    /// Makes the program start a browser; returns its endpoint.
    pub async fn start(program: &Path) -> Result<(Self, String), String> {
        let folder = format!("clawperator-bench-{}-cli", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let cli = Self {
            program: existing(program)?.to_owned(),
            folder,
        };
        let (width, height) = VIEWPORT;
        let size = format!("{width}x{height}");
        let (_, printed) = cli
            .run_command(&["chrome", "start", "--size", &size])
            .await?;
        let started: Value = serde_json::from_str(&printed).map_err(|error| error.to_string())?;
        match &started["endpoint"] {
            Value::String(endpoint) => Ok((cli, endpoint.clone())),
            _ => Err(format!("unexpected output of chrome start: {printed}")),
        }
    }

    /// Runs a command on the browser's tab: returns milliseconds and its output.
    pub async fn run(&self, arguments: &[&str]) -> Result<(f64, String), String> {
        let mut whole = arguments.to_vec();
        whole.extend(["--device", "chrome"]);
        self.run_command(&whole).await
    }

    async fn run_command(&self, arguments: &[&str]) -> Result<(f64, String), String> {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .env("XDG_RUNTIME_DIR", &self.folder)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let begin = Instant::now();
        let output = tokio::time::timeout(TIMEOUT, command.output()).await;
        let took = ms(begin.elapsed());
        let output = output
            .map_err(|_| format!("clawperator does not end: {arguments:?}"))?
            .map_err(|error| format!("{}: {error}", self.program.display()))?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok((took, printed));
        }
        let message = String::from_utf8_lossy(&output.stderr);
        Err(format!(
            "clawperator {arguments:?}: {} {}",
            printed.trim(),
            message.trim()
        ))
    }

    pub async fn end(self) -> Result<(), String> {
        self.run_command(&["chrome", "stop", "--all"]).await?;
        std::fs::remove_dir_all(&self.folder)
            .map_err(|error| format!("{}: {error}", self.folder.display()))
    }
}

fn existing(program: &Path) -> Result<&Path, String> {
    if program.is_file() {
        return Ok(program);
    }
    Err(format!(
        "clawperator by its command line: {} is not there; cargo build --release -p cli makes it",
        program.display()
    ))
}

/// The command of an MCP server for the browser at an endpoint.
pub fn mcp_command(program: &Path, endpoint: &str) -> Result<std::process::Command, String> {
    let mut command = quiet(existing(program)?);
    command.args(["mcp", "--cdp", endpoint]);
    Ok(command)
}
