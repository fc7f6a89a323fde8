//! clawperator by its command line, with the browser that it starts and keeps.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::process::Command;

use crate::numbers::ms;
use crate::spoken::quiet;
use crate::tab::VIEWPORT;

/// How long one command may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program, and the folder of what it knows of its browser; both are gone with [`end`](Self::end).
#[derive(Clone, Debug)]
pub struct Cli {
    program: PathBuf,
    folder: PathBuf,
}

impl Cli {
    /// Has the program at a path start a browser; gives where that listens.
    ///
    /// # Errors
    ///
    /// In words, when the program is not there or the browser does not start.
    pub async fn start(program: &Path) -> Result<(Self, String), String> {
        let folder = format!("clawperator-bench-{}-cli", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let cli = Self {
            program: there(program)?.to_owned(),
            folder,
        };
        let (width, height) = VIEWPORT;
        let size = format!("{width}x{height}");
        let (_, said) = cli.ran(&["chrome", "start", "--size", &size]).await?;
        let started: Value = serde_json::from_str(&said).map_err(|error| error.to_string())?;
        match &started["endpoint"] {
            Value::String(endpoint) => Ok((cli, endpoint.clone())),
            _ => Err(format!("chrome start said {said}")),
        }
    }

    /// Runs one command on the browser's tab: milliseconds, and what it printed.
    ///
    /// # Errors
    ///
    /// In words, when it fails or does not end.
    pub async fn run(&self, arguments: &[&str]) -> Result<(f64, String), String> {
        let mut whole = arguments.to_vec();
        whole.extend(["--device", "chrome"]);
        self.ran(&whole).await
    }

    async fn ran(&self, arguments: &[&str]) -> Result<(f64, String), String> {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .env("XDG_RUNTIME_DIR", &self.folder)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let began = Instant::now();
        let output = tokio::time::timeout(PATIENCE, command.output()).await;
        let took = ms(began.elapsed());
        let output = output
            .map_err(|_| format!("clawperator does not end: {arguments:?}"))?
            .map_err(|error| format!("{}: {error}", self.program.display()))?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok((took, said));
        }
        let told = String::from_utf8_lossy(&output.stderr);
        Err(format!(
            "clawperator {arguments:?}: {} {}",
            said.trim(),
            told.trim()
        ))
    }

    /// Ends the browser.
    ///
    /// # Errors
    ///
    /// In words, when it does not end.
    pub async fn end(self) -> Result<(), String> {
        self.ran(&["chrome", "stop", "--all"]).await?;
        std::fs::remove_dir_all(&self.folder)
            .map_err(|error| format!("{}: {error}", self.folder.display()))
    }
}

fn there(program: &Path) -> Result<&Path, String> {
    if program.is_file() {
        return Ok(program);
    }
    Err(format!(
        "clawperator by its command line: {} is not there; cargo build --release -p cli makes it",
        program.display()
    ))
}

/// The command of a server of its own for the browser at an endpoint, as a tool of an agent.
///
/// # Errors
///
/// In words, when the program is not there.
pub fn served(program: &Path, endpoint: &str) -> Result<std::process::Command, String> {
    let mut command = quiet(there(program)?);
    command.args(["mcp", "--cdp", endpoint]);
    Ok(command)
}
