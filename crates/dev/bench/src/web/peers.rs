//! Other tools: Playwright as a child process that measures itself, agent-browser on its command line.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::numbers::ms;

/// The script of Playwright's child process.
const PLAYWRIGHT: &str = include_str!("../../peers/playwright.cjs");
/// The script that counts tokens.
const TOKENS: &str = include_str!("../../peers/tokens.cjs");

/// Timeout of each operation of a peer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A Node child process that answers each line of JSON with one.
struct Node {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Node {
    /// Runs `script` with the packages in `folder`.
    fn start(folder: &Path, script: &str) -> Result<Self, String> {
        let mut child = Command::new("node")
            .args(["--eval", script])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("node: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("node has no pipes".to_owned());
        };
        Ok(Self {
            child,
            input,
            output: BufReader::new(output).lines(),
        })
    }

    async fn ask(&mut self, line: &Value) -> Result<Value, String> {
        let told = |error: std::io::Error| format!("node: {error}");
        let line = format!("{line}\n");
        self.input.write_all(line.as_bytes()).await.map_err(told)?;
        let answer = tokio::time::timeout(PATIENCE, self.output.next_line()).await;
        let answer = answer.map_err(|_| format!("node has not answered within {PATIENCE:?}"))?;
        let answer = answer.map_err(told)?.ok_or("node has ended")?;
        serde_json::from_str(&answer).map_err(|error| format!("node: {error}: {answer}"))
    }

    async fn end(mut self) -> Result<(), String> {
        drop(self.input);
        let ended = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        match ended {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(format!("node: {error}")),
            Err(_) => Err("node does not end".to_owned()),
        }
    }
}

/// Counts tokens of the o200k family.
pub struct Tokens(Node);

impl Tokens {
    /// The tokenizer of the packages in `folder`.
    ///
    /// # Errors
    ///
    /// A message if it is missing: `crates/dev/bench/fetch peers` downloads it.
    pub fn start(folder: &Path) -> Result<Self, String> {
        installed(folder, "gpt-tokenizer")?;
        Ok(Self(Node::start(folder, TOKENS)?))
    }

    /// The number of tokens of a text.
    pub async fn count(&mut self, text: &str) -> Result<u32, String> {
        let count = self.0.ask(&Value::from(text)).await?;
        let count = count.as_u64().and_then(|count| u32::try_from(count).ok());
        count.ok_or_else(|| "the tokenizer gave no number".to_owned())
    }

    /// Stops the process.
    pub async fn end(self) -> Result<(), String> {
        self.0.end().await
    }
}

/// The error for a missing package says how to get it.
fn installed(folder: &Path, package: &str) -> Result<(), String> {
    if folder.join("node_modules").join(package).is_dir() {
        return Ok(());
    }
    Err(format!(
        "{package} is not in {}; crates/dev/bench/fetch brings it",
        folder.display()
    ))
}

/// Playwright, in process with its own script.
pub struct Playwright(Node);

impl Playwright {
    /// The Playwright of the packages in `folder`.
    ///
    /// # Errors
    ///
    /// A message if it is missing.
    pub fn start(folder: &Path) -> Result<Self, String> {
        installed(folder, "playwright-core")?;
        Ok(Self(Node::start(folder, PLAYWRIGHT)?))
    }

    /// Runs a command: returns milliseconds and its result.
    pub async fn run(&mut self, command: Value) -> Result<(f64, Value), String> {
        let mut answer = self.0.ask(&command).await?;
        if let Some(error) = answer["error"].as_str() {
            return Err(format!("playwright: {error}"));
        }
        let took = answer["ms"].as_f64().ok_or("playwright gave no time")?;
        Ok((took, answer["value"].take()))
    }

    /// Attaches to a browser by its endpoint.
    pub async fn attach(&mut self, endpoint: &str) -> Result<f64, String> {
        let command = json!({ "do": "attach", "endpoint": endpoint });
        Ok(self.run(command).await?.0)
    }

    /// Attaches again over a separate connection, then disconnects.
    pub async fn again(&mut self, endpoint: &str) -> Result<f64, String> {
        let command = json!({ "do": "again", "endpoint": endpoint });
        Ok(self.run(command).await?.0)
    }

    /// Stops the process.
    pub async fn end(self) -> Result<(), String> {
        self.0.end().await
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
    ///
    /// # Errors
    ///
    /// A message if it is missing or has no program for this computer.
    pub fn new(
        folder: &Path,
        session: &str,
        endpoint: Option<&str>,
        browser: &Path,
    ) -> Result<Self, String> {
        installed(folder, "agent-browser")?;
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

    /// The command of its MCP server.
    pub fn served(&self) -> std::process::Command {
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

    /// The session name for its tools.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Starts its process and a browser, and loads a page: milliseconds until the command exits.
    ///
    /// # Errors
    ///
    /// A message if it fails or times out.
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
    ///
    /// # Errors
    ///
    /// A message if it fails or times out.
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
        let output = tokio::time::timeout(PATIENCE, command.output()).await;
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
