//! clawperator by its command line, with a browser that is kept.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::process::Command;

use crate::numbers::ms;
use crate::spoken::quiet;

/// How long one command may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program, and the browser that it is given.
#[derive(Clone, Debug)]
pub struct Cli {
    program: PathBuf,
    endpoint: String,
}

impl Cli {
    /// The program at a path, with the browser at an endpoint.
    ///
    /// # Errors
    ///
    /// In words, when it is not there.
    pub fn new(program: &Path, endpoint: &str) -> Result<Self, String> {
        if !program.is_file() {
            return Err(format!(
                "clawperator by its command line: {} is not there; cargo build --release -p cli makes it",
                program.display()
            ));
        }
        Ok(Self {
            program: program.to_owned(),
            endpoint: endpoint.to_owned(),
        })
    }

    /// The command of a server of its own, as a tool of an agent.
    pub fn served(&self) -> std::process::Command {
        let mut command = quiet(&self.program);
        command.args(["mcp", "--cdp", &self.endpoint]);
        command
    }

    /// Runs one command: milliseconds, and what it printed.
    ///
    /// # Errors
    ///
    /// In words, when it fails or does not end.
    pub async fn run(&self, arguments: &[&str]) -> Result<(f64, String), String> {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .args(["--cdp", &self.endpoint])
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
}
