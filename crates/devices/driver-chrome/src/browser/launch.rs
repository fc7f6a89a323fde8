//! Starts a browser: its flags, and when it is ready.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use cdp::Endpoint;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader, Split};
use tokio::process::{Child, ChildStderr};

use super::Program;
#[cfg(unix)]
use super::pipe::Pipe;

/// Timeout of starting a browser.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// The start of the line on standard error that announces the endpoint.
const ENDPOINT_PREFIX: &str = "DevTools listening on ";
/// The prefix of a loopback endpoint.
const LOOPBACK: &str = "ws://127.0.0.1:";
/// The number of output lines to keep.
const MAX_OUTPUT_LINES: usize = 20;

/// Flags of every browser: no prompts, no telemetry, no updates, and background tabs run at full speed.
const FLAGS: &[&str] = &[
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-field-trial-config",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-features=Translate,MediaRouter,OptimizationHints,InterestFeedContentSuggestions,CertificateTransparencyComponentUpdater,DestroyProfileOnBrowserClose,WebUIOmniboxPopup,WebUIOmniboxAimPopup",
];

/// Whether the browser shows its windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Window {
    /// No window; needs no display.
    #[default]
    Headless,
    /// With a window.
    Headed,
}

/// Whether pages run in the browser's sandbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sandbox {
    /// Yes, except where the browser refuses it: as root.
    #[default]
    WherePossible,
    /// No: for containers that do not allow the sandbox.
    Off,
}

/// How to start a browser.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub program: Program,
    /// The profile folder; created if missing. No other browser may use it.
    pub profile: PathBuf,
    /// Whether it has a window.
    pub window: Window,
    /// Whether it uses the sandbox.
    pub sandbox: Sandbox,
    /// The port on 127.0.0.1, which every local user can connect to; 0 for any free port.
    pub port: Option<u16>,
    /// The size of its windows in CSS pixels.
    pub size: (u32, u32),
    /// Additional flags, which override ours.
    pub flags: Vec<OsString>,
}

/// A started browser that listens on a port. It keeps running when this is dropped.
#[derive(Debug)]
pub struct LaunchedBrowser {
    /// Its process.
    pub child: Child,
    /// Its endpoint.
    pub endpoint: Endpoint,
}

/// A started browser on a pipe. It exits when the pipe is dropped.
#[cfg(unix)]
#[derive(Debug)]
pub struct PipedBrowser {
    /// Its process.
    pub child: Child,
    /// The pipe.
    pub pipe: Pipe,
    /// Its name and version, such as `Chrome/140.0.0.0`.
    pub product: String,
    /// Its additional endpoint, if it has a port.
    pub endpoint: Option<Endpoint>,
}

/// Why a browser was not started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The program cannot be executed, or its profile not be created.
    #[error("{program} cannot be run: {message}")]
    NotRun {
        /// The program.
        program: String,
        /// The reason.
        message: String,
    },
    /// It exited before it was ready.
    #[error("{program} ended ({how}) before it was ready{}", join_output(.words))]
    Ended {
        /// The program.
        program: String,
        /// The exit status or signal.
        how: String,
        /// Its last output.
        words: Vec<String>,
    },
    /// The port is in use.
    #[error("{program} cannot listen on port {port}: it is taken")]
    PortTaken {
        /// The program.
        program: String,
        /// The port.
        port: u16,
    },
    /// The sandbox is not available.
    #[error("{program} cannot create its sandbox here{}", join_output(.words))]
    NoSandbox {
        /// The program.
        program: String,
        /// Its last output.
        words: Vec<String>,
    },
    /// There is no display for its window.
    #[error("{program} has no display for its window{}", join_output(.words))]
    NoScreen {
        /// The program.
        program: String,
        /// Its last output.
        words: Vec<String>,
    },
    /// Another browser uses the profile and received the command instead.
    #[error("another browser is using the profile {profile}")]
    ProfileTaken {
        /// The profile.
        profile: String,
    },
    /// It runs but does not answer, and was killed.
    #[error("{program} was not ready within {} s{}", START_TIMEOUT.as_secs(), join_output(.words))]
    Silent {
        /// The program.
        program: String,
        /// Its last output.
        words: Vec<String>,
    },
}

fn join_output(words: &[String]) -> String {
    if words.is_empty() {
        String::new()
    } else {
        format!(": {}", words.join(" | "))
    }
}

impl Launch {
    /// Starts it on its port, by default any free one, and returns once it listens. If the future is dropped,
    /// the process is killed.
    pub async fn start(&self) -> Result<LaunchedBrowser, LaunchError> {
        self.start_with(&mut |_| {}).await
    }

    /// Like [`start`](Self::start); `on_spawn` is called with the process id as soon as it is known.
    pub async fn start_with(
        &self,
        on_spawn: &mut (dyn FnMut(u32) + Send),
    ) -> Result<LaunchedBrowser, LaunchError> {
        let command = self.command(&[port_flag(self.port.unwrap_or(0))]);
        let (process, mut output) = self.spawn(command, on_spawn)?;
        let url = tokio::time::timeout(START_TIMEOUT, output.endpoint_line()).await;
        let (mut child, url) = self.once_ready(process, output, url).await?;
        match self.endpoint_of(&url) {
            Ok(endpoint) => Ok(LaunchedBrowser { child, endpoint }),
            Err(error) => {
                child
                    .kill()
                    .await
                    .map_err(|error| self.spawn_error(&error))?;
                Err(error)
            }
        }
    }

    /// Starts it with a pipe, and additionally on its port if it has one, and returns once it answers. `on_spawn` is called with
    /// the process id as soon as it is known. If the future is dropped, the process is killed.
    #[cfg(unix)]
    pub async fn start_with_pipe(
        &self,
        on_spawn: &mut (dyn FnMut(u32) + Send),
    ) -> Result<PipedBrowser, LaunchError> {
        let mut flags = vec!["--remote-debugging-pipe".to_owned()];
        flags.extend(self.port.map(port_flag));
        let mut command = self.command(&flags);
        let mut pipe = Pipe::to(&mut command).map_err(|error| self.spawn_error(&error))?;
        let (process, mut output) = self.spawn(command, on_spawn)?;
        let ready = async {
            let url = match self.port {
                Some(_) => Some(output.endpoint_line().await?),
                None => None,
            };
            let product = output.read_until(pipe.wait_for_version()).await?;
            Some((url, product))
        };
        let ready = tokio::time::timeout(START_TIMEOUT, ready).await;
        let (mut child, (url, product)) = self.once_ready(process, output, ready).await?;
        match url.map(|url| self.endpoint_of(&url)).transpose() {
            Ok(endpoint) => Ok(PipedBrowser {
                child,
                pipe,
                product,
                endpoint,
            }),
            Err(error) => {
                child
                    .kill()
                    .await
                    .map_err(|error| self.spawn_error(&error))?;
                Err(error)
            }
        }
    }

    /// The program with its flags, the connection flags first.
    fn command(&self, connection_flags: &[String]) -> Command {
        let mut command = Command::new(self.program.path());
        command
            .args(connection_flags)
            .arg(flag_with_path("--user-data-dir=", &self.profile))
            .args(FLAGS);
        let (width, height) = self.size;
        command.arg(format!("--window-size={width},{height}"));
        if self.window == Window::Headless {
            // Without a display there is rarely a GPU, and probing for one takes time.
            command.args(["--headless", "--disable-gpu"]);
        }
        if self.sandbox == Sandbox::Off || is_root() {
            command.arg("--no-sandbox");
        }
        if small_shared_memory() {
            command.arg("--disable-dev-shm-usage");
        }
        command.args(&self.flags).arg("about:blank");
        command
    }

    /// Starts the process.
    fn spawn(
        &self,
        mut command: Command,
        on_spawn: &mut (dyn FnMut(u32) + Send),
    ) -> Result<(KillOnDrop, Output<ChildStderr>), LaunchError> {
        private_folder(&self.profile).map_err(|error| self.spawn_error(&error))?;
        // The port file of an earlier browser would be taken for this one's.
        match std::fs::remove_file(self.profile.join("DevToolsActivePort")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(self.spawn_error(&error));
            }
            _ => {}
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        // An interrupt of the command must not reach the browser, which outlives it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let spawned = tokio::process::Command::from(command).spawn();
        let mut child = spawned.map_err(|error| self.spawn_error(&error))?;
        if let Some(pid) = child.id() {
            on_spawn(pid);
        }
        let output = Output::new(child.stderr.take());
        Ok((KillOnDrop(Some(child)), output))
    }

    /// Returns the process and its ready value; kills the process if it is not ready in time.
    async fn once_ready<T>(
        &self,
        mut process: KillOnDrop,
        output: Output<ChildStderr>,
        ready: Result<Option<T>, tokio::time::error::Elapsed>,
    ) -> Result<(Child, T), LaunchError> {
        let words = output.words;
        let Some(mut child) = process.0.take() else {
            return Err(self.exit_error("unknown".to_owned(), words));
        };
        match ready {
            Ok(Some(ready)) => return Ok((child, ready)),
            Ok(None) => match tokio::time::timeout(START_TIMEOUT, child.wait()).await {
                Ok(Ok(status)) => return Err(self.exit_error(status.to_string(), words)),
                Ok(Err(error)) => return Err(self.exit_error(error.to_string(), words)),
                Err(_) => {}
            },
            Err(_) => {}
        }
        // It would run without ever being reachable.
        child
            .kill()
            .await
            .map_err(|error| self.spawn_error(&error))?;
        Err(LaunchError::Silent {
            program: self.name(),
            words,
        })
    }

    /// Its endpoint, if it is the requested one.
    fn endpoint_of(&self, url: &str) -> Result<Endpoint, LaunchError> {
        match self.port {
            // If the IPv4 port is in use, browsers listen on the IPv6 one: clients would reach another
            // program.
            Some(port) if port != 0 && !url.starts_with(LOOPBACK) => Err(LaunchError::PortTaken {
                program: self.name(),
                port,
            }),
            _ => Endpoint::parse(url).map_err(|error| LaunchError::Silent {
                program: self.name(),
                words: vec![error.to_string()],
            }),
        }
    }

    fn name(&self) -> String {
        self.program.path().display().to_string()
    }

    fn spawn_error(&self, error: &std::io::Error) -> LaunchError {
        LaunchError::NotRun {
            program: self.name(),
            message: error.to_string(),
        }
    }

    /// The error for an early exit, from its output.
    fn exit_error(&self, how: String, words: Vec<String>) -> LaunchError {
        let program = self.name();
        let printed = |part: &str| words.iter().any(|line| line.contains(part));
        if printed("Cannot start http server for devtools")
            || printed("bind() failed: Address already")
        {
            LaunchError::PortTaken {
                program,
                port: self.port.unwrap_or(0),
            }
        } else if printed("No usable sandbox") || printed("Running as root without --no-sandbox") {
            LaunchError::NoSandbox { program, words }
        } else if printed("Missing X server") || printed("cannot open display") {
            LaunchError::NoScreen { program, words }
        } else if printed("ProcessSingleton") || printed("Opening in existing browser session") {
            LaunchError::ProfileTaken {
                profile: self.profile.display().to_string(),
            }
        } else {
            LaunchError::Ended {
                program,
                how,
                words,
            }
        }
    }
}

/// Kills the process when dropped, unless it was taken out.
struct KillOnDrop(Option<Child>);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            // Fails only if it has exited already.
            let _ = child.start_kill();
        }
    }
}

/// The standard error of a browser.
struct Output<R> {
    lines: Option<Split<BufReader<R>>>,
    /// The last lines.
    words: Vec<String>,
}

impl<R: AsyncRead + Unpin> Output<R> {
    fn new(stderr: Option<R>) -> Self {
        Self {
            lines: stderr.map(|stderr| BufReader::new(stderr).split(b'\n')),
            words: Vec::new(),
        }
    }

    /// Reads until the browser announces its endpoint; `None` if it exits first.
    async fn endpoint_line(&mut self) -> Option<String> {
        let lines = self.lines.as_mut()?;
        while let Ok(Some(line)) = lines.next_segment().await {
            let line = String::from_utf8_lossy(&line);
            let line = line.trim();
            if let Some(url) = line.strip_prefix(ENDPOINT_PREFIX) {
                return Some(url.to_owned());
            }
            if line.is_empty() {
                continue;
            }
            if self.words.len() == MAX_OUTPUT_LINES {
                self.words.remove(0);
            }
            self.words.push(line.chars().take(300).collect());
        }
        None
    }

    /// Reads until `ready` completes, or until the browser exits.
    #[cfg(unix)]
    async fn read_until<T>(&mut self, ready: impl Future<Output = Option<T>>) -> Option<T> {
        let mut ready = std::pin::pin!(ready);
        tokio::select! {
            biased;
            ready = &mut ready => match ready {
                Some(ready) => Some(ready),
                None => {
                    while self.endpoint_line().await.is_some() {}
                    None
                }
            },
            () = async { while self.endpoint_line().await.is_some() {} } => ready.await,
        }
    }
}

fn port_flag(port: u16) -> String {
    format!("--remote-debugging-port={port}")
}

fn flag_with_path(flag: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(flag);
    argument.push(path);
    argument
}

/// Creates a folder that only its owner can access.
fn private_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Whether this process runs as root, for which browsers refuse to use their sandbox.
#[cfg(target_os = "linux")]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

#[cfg(not(target_os = "linux"))]
fn is_root() -> bool {
    false
}

/// Whether the shared memory is too small for pages, as in most containers.
#[cfg(target_os = "linux")]
fn small_shared_memory() -> bool {
    // Containers get 64 MB by default; the size is in the mount options.
    let Ok(mounts) = std::fs::read_to_string("/proc/self/mounts") else {
        return false;
    };
    !mounts.lines().any(|line| {
        let mut words = line.split(' ').skip(1);
        words.next() == Some("/dev/shm")
            && words.nth(1).is_some_and(|options| {
                options
                    .split(',')
                    .find_map(|option| option.strip_prefix("size="))
                    .is_none_or(|size| !is_small(size))
            })
    })
}

#[cfg(not(target_os = "linux"))]
fn small_shared_memory() -> bool {
    false
}

/// Whether the size of a mount (`65536k`, `64m`) is too small for a few large pages.
#[cfg(any(target_os = "linux", test))]
fn is_small(size: &str) -> bool {
    const MIN_BYTES: u64 = 512 << 20;
    let digits = size.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &size[digits.len()..] {
        "k" | "K" => 1 << 10,
        "m" | "M" => 1 << 20,
        "g" | "G" => 1 << 30,
        _ => 1,
    };
    digits
        .parse::<u64>()
        .is_ok_and(|number| number.saturating_mul(unit) < MIN_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn container_shared_memory_is_small() {
        assert!(is_small("65536k"));
        assert!(is_small("64m"));
        assert!(!is_small("2g"));
        assert!(!is_small("16384000k"));
        assert!(!is_small("half"));
    }

    #[tokio::test]
    async fn output_is_read_until_browser_listens() {
        let output_bytes = b"/usr/bin/chromium: 9: unexpected operator\n\n[1:2] \xff noise\nDevTools listening on ws://127.0.0.1:1/devtools/browser/a\nmore";
        let mut output = Output::new(Some(&output_bytes[..]));
        let url = output.endpoint_line().await;
        assert_eq!(url.as_deref(), Some("ws://127.0.0.1:1/devtools/browser/a"));
        assert_eq!(output.words.len(), 2);
        let many: String = (0..50).map(|line| format!("line {line}\n")).collect();
        let mut output = Output::new(Some(many.as_bytes()));
        assert_eq!(output.endpoint_line().await, None);
        assert_eq!(
            (output.words.len(), &*output.words[19]),
            (MAX_OUTPUT_LINES, "line 49")
        );
    }
}
