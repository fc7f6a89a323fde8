//! Other tools: Playwright as a child process that measures itself, agent-browser on its command line.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::process::Command;

use crate::node::{NodeProcess, require_package};
use crate::numbers::ms;

/// The script of Playwright's child process.
const PLAYWRIGHT: &str = include_str!("../../peers/playwright.cjs");

const TIMEOUT: Duration = Duration::from_secs(60);

pub struct Playwright(NodeProcess);

impl Playwright {
    /// The Playwright of the packages in `folder`.
    pub fn start(folder: &Path) -> Result<Self, String> {
        require_package(folder, "playwright-core")?;
        Ok(Self(NodeProcess::start(folder, PLAYWRIGHT)?))
    }

    /// Runs a command: returns milliseconds and its result.
    pub async fn run(&mut self, command: Value) -> Result<(f64, Value), String> {
        let mut answer = self.0.request(&command).await?;
        if let Some(error) = answer["error"].as_str() {
            return Err(format!("playwright: {error}"));
        }
        let took = answer["ms"].as_f64().ok_or("playwright gave no time")?;
        Ok((took, answer["value"].take()))
    }

    pub async fn attach(&mut self, endpoint: &str) -> Result<f64, String> {
        let command = json!({ "do": "attach", "endpoint": endpoint });
        Ok(self.run(command).await?.0)
    }

    /// Attaches again over a separate connection, then disconnects.
    pub async fn reattach(&mut self, endpoint: &str) -> Result<f64, String> {
        let command = json!({ "do": "again", "endpoint": endpoint });
        Ok(self.run(command).await?.0)
    }

    pub async fn stop(self) -> Result<(), String> {
        self.0.stop().await
    }
}

/// agent-browser on its command line, with its background process.
pub struct AgentBrowser {
    program: PathBuf,
    session: String,
    endpoint: Option<String>,
    browser: PathBuf,
}

impl AgentBrowser {
    /// The agent-browser of the packages in `folder`. With an endpoint it attaches to that browser, otherwise
    /// it starts `browser`.
    pub fn new(
        folder: &Path,
        session: &str,
        endpoint: Option<&str>,
        browser: &Path,
    ) -> Result<Self, String> {
        require_package(folder, "agent-browser")?;
        let system = match (std::env::consts::OS, std::env::consts::ARCH) {
            ("linux", "x86_64") => "linux-x64",
            ("linux", "aarch64") => "linux-arm64",
            ("macos", "x86_64") => "darwin-x64",
            ("macos", "aarch64") => "darwin-arm64",
            (os, arch) => return Err(format!("agent-browser has no program for {os} on {arch}")),
        };
        Ok(Self {
            program: folder.join(format!(
                "node_modules/agent-browser/bin/agent-browser-{system}"
            )),
            session: session.to_owned(),
            endpoint: endpoint.map(str::to_owned),
            browser: browser.to_owned(),
        })
    }

    pub fn mcp_command(&self) -> std::process::Command {
        let mut command = std::process::Command::new(&self.program);
        command.args(["--session", &self.session]);
        if let Some(endpoint) = &self.endpoint {
            command.args(["--cdp", endpoint]);
        }
        command
            .arg("mcp")
            .env("AGENT_BROWSER_EXECUTABLE_PATH", &self.browser);
        command
    }

    pub fn session(&self) -> &str {
        &self.session
    }

    /// Starts its process and a browser, and loads a page: milliseconds until the command exits.
    pub async fn first_page(&self, url: &str) -> Result<f64, String> {
        let fresh = Self {
            program: self.program.clone(),
            session: format!("{}-first", self.session),
            endpoint: None,
            browser: self.browser.clone(),
        };
        let (took, _) = fresh.run(&["open", url]).await?;
        fresh.run(&["close"]).await?;
        Ok(took)
    }

    /// Runs a command: returns milliseconds and its output.
    pub async fn run(&self, arguments: &[&str]) -> Result<(f64, String), String> {
        let mut command = Command::new(&self.program);
        command.args(["--session", &self.session]);
        match &self.endpoint {
            Some(endpoint) => command.args(["--cdp", endpoint]),
            None => command.args(["--args", "--no-sandbox,--disable-gpu"]),
        };
        command
            .args(arguments)
            .env("AGENT_BROWSER_EXECUTABLE_PATH", &self.browser)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let started = Instant::now();
        let output = tokio::time::timeout(TIMEOUT, command.output()).await;
        let took = ms(started.elapsed());
        let output = output
            .map_err(|_| format!("agent-browser does not end: {arguments:?}"))?
            .map_err(|error| format!("{}: {error}", self.program.display()))?;
        if !output.status.success() {
            return Err(format!(
                "agent-browser {arguments:?}: {}",
                String::from_utf8_lossy(&output.stderr).trim()
            ));
        }
        Ok((took, String::from_utf8_lossy(&output.stdout).into_owned()))
    }
}
