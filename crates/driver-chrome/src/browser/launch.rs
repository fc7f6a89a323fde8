//! Starting a browser: which flags, and when it is ready.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use cdp::Endpoint;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};

use super::Program;

/// A browser that does not listen by then does not come.
const START: Duration = Duration::from_secs(30);
/// How it says on standard error that it listens.
const LISTENS: &str = "DevTools listening on ";
/// Where one listens whose port is its own.
const LOOPBACK: &str = "ws://127.0.0.1:";
/// How many of its last words are kept.
const WORDS: usize = 20;

/// What every browser of ours is told: it asks nothing, tells nobody, updates nothing, and a tab that is not in front does
/// its work as one that is.
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
    "--disable-features=Translate,MediaRouter,OptimizationHints,InterestFeedContentSuggestions,CertificateTransparencyComponentUpdater,DestroyProfileOnBrowserClose",
];

/// Whether the browser shows its windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Window {
    /// It does not; nothing needs a screen.
    #[default]
    Headless,
    /// It does.
    Headed,
}

/// Whether pages are locked into the browser's sandbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sandbox {
    /// They are, except where the browser refuses to run so: as root.
    #[default]
    WherePossible,
    /// They are not: for containers that do not let a browser make its sandbox.
    Off,
}

/// How a browser is to be started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub program: Program,
    /// The folder of its profile; made when it is not there. No other browser may be using it.
    pub profile: PathBuf,
    /// Whether it shows its windows.
    pub window: Window,
    /// Whether it has its sandbox.
    pub sandbox: Sandbox,
    /// The port of 127.0.0.1 to listen on; 0 for any that is free.
    pub port: u16,
    /// The size of its windows in CSS pixels.
    pub size: (u32, u32),
    /// Flags behind ours, which count before them.
    pub flags: Vec<OsString>,
}

/// A browser that was started and listens. It lives on when this is dropped.
#[derive(Debug)]
pub struct Started {
    /// Its process.
    pub child: Child,
    /// Where it listens.
    pub endpoint: Endpoint,
}

/// Why a browser was not started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The program cannot be run, or its folder not be made.
    #[error("{program} cannot be run: {message}")]
    NotRun {
        /// The program.
        program: String,
        /// Why.
        message: String,
    },
    /// It ended before it listened.
    #[error("{program} ended ({how}) before it listened{}", said(.words))]
    Ended {
        /// The program.
        program: String,
        /// With which exit status or signal.
        how: String,
        /// What it said last.
        words: Vec<String>,
    },
    /// The port is taken.
    #[error("{program} cannot listen on port {port}: it is taken")]
    PortTaken {
        /// The program.
        program: String,
        /// Which port.
        port: u16,
    },
    /// The sandbox cannot be made here.
    #[error("{program} cannot make its sandbox here{}", said(.words))]
    NoSandbox {
        /// The program.
        program: String,
        /// What it said last.
        words: Vec<String>,
    },
    /// There is no screen for its windows.
    #[error("{program} has no screen to show its windows on{}", said(.words))]
    NoScreen {
        /// The program.
        program: String,
        /// What it said last.
        words: Vec<String>,
    },
    /// Another browser uses the profile, and was given what this one was asked to do.
    #[error("another browser is using the profile {profile}")]
    ProfileTaken {
        /// Which.
        profile: String,
    },
    /// It runs, but does not listen. It was ended again.
    #[error("{program} did not listen within {} s{}", START.as_secs(), said(.words))]
    Silent {
        /// The program.
        program: String,
        /// What it said last.
        words: Vec<String>,
    },
}

fn said(words: &[String]) -> String {
    if words.is_empty() {
        String::new()
    } else {
        format!(": {}", words.join(" | "))
    }
}

impl Launch {
    /// The flags in their order.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec![
            format!("--remote-debugging-port={}", self.port).into(),
            with("--user-data-dir=", &self.profile),
        ];
        arguments.extend(FLAGS.iter().map(OsString::from));
        let (width, height) = self.size;
        arguments.push(format!("--window-size={width},{height}").into());
        if self.window == Window::Headless {
            arguments.push("--headless".into());
            // There is none in most places without a screen, and looking for one takes time.
            arguments.push("--disable-gpu".into());
        }
        if self.sandbox == Sandbox::Off || is_root() {
            arguments.push("--no-sandbox".into());
        }
        if small_shared_memory() {
            arguments.push("--disable-dev-shm-usage".into());
        }
        arguments.extend(self.flags.iter().cloned());
        arguments.push("about:blank".into());
        arguments
    }

    /// Starts it, and returns when it listens. Dropping the future ends what was started of it.
    pub async fn start(&self) -> Result<Started, LaunchError> {
        self.start_and_tell(&mut |_| {}).await
    }

    /// The same; `begun` is told of the process as soon as it is there.
    pub async fn start_and_tell(
        &self,
        begun: &mut (dyn FnMut(u32) + Send),
    ) -> Result<Started, LaunchError> {
        let program = self.program.path().display().to_string();
        let not_run = |error: std::io::Error| LaunchError::NotRun {
            program: program.clone(),
            message: error.to_string(),
        };
        private_folder(&self.profile).map_err(not_run)?;
        // One of an earlier browser would be told for this one's.
        match std::fs::remove_file(self.profile.join("DevToolsActivePort")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(not_run(error));
            }
            _ => {}
        }
        let mut command = Command::new(self.program.path());
        command
            .args(self.arguments())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        // An interruption is meant for the command, not for the browser that outlives it.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = Ends(Some(command.spawn().map_err(not_run)?));
        if let Some(pid) = child.0.as_ref().and_then(Child::id) {
            begun(pid);
        }
        let mut words = Words::default();
        let stderr = child.0.as_mut().and_then(|child| child.stderr.take());
        let listening = match stderr {
            Some(stderr) => tokio::time::timeout(START, listening(stderr, &mut words)).await,
            None => Ok(None),
        };
        let Some(mut process) = child.0.take() else {
            return Err(self.ended(program, "unknown".to_owned(), words.0));
        };
        match listening {
            // Where the port of one kind of loopback is taken, browsers take that of the other: whoever asked for it would
            // reach somebody else there.
            Ok(Some(url)) if self.port != 0 && !url.starts_with(LOOPBACK) => {
                process.kill().await.map_err(not_run)?;
                return Err(LaunchError::PortTaken {
                    program,
                    port: self.port,
                });
            }
            Ok(Some(url)) => match Endpoint::parse(&url) {
                Ok(endpoint) => {
                    return Ok(Started {
                        child: process,
                        endpoint,
                    });
                }
                Err(error) => words.push(error.to_string()),
            },
            Ok(None) => {
                let how = match process.wait().await {
                    Ok(status) => status.to_string(),
                    Err(error) => error.to_string(),
                };
                return Err(self.ended(program, how, words.0));
            }
            Err(_) => {}
        }
        // It runs, and nobody could ever talk to it.
        process.kill().await.map_err(not_run)?;
        Err(LaunchError::Silent {
            program,
            words: words.0,
        })
    }

    /// Why it ended, from what it said.
    fn ended(&self, program: String, how: String, words: Vec<String>) -> LaunchError {
        let says = |part: &str| words.iter().any(|line| line.contains(part));
        if says("Cannot start http server for devtools") || says("bind() failed: Address already") {
            LaunchError::PortTaken {
                program,
                port: self.port,
            }
        } else if says("No usable sandbox") || says("Running as root without --no-sandbox") {
            LaunchError::NoSandbox { program, words }
        } else if says("Missing X server") || says("cannot open display") {
            LaunchError::NoScreen { program, words }
        } else if says("ProcessSingleton") || says("Opening in existing browser session") {
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

/// A process that ends with this value, unless it is taken out.
struct Ends(Option<Child>);

impl Drop for Ends {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            // One that has ended by itself needs no end.
            let _ = child.start_kill();
        }
    }
}

/// What a browser said, the last of it.
#[derive(Debug, Default)]
struct Words(Vec<String>);

impl Words {
    fn push(&mut self, line: String) {
        if self.0.len() == WORDS {
            self.0.remove(0);
        }
        self.0.push(line);
    }
}

/// Reads what a browser says until it says where it listens; `None` when it ends before.
async fn listening(stderr: impl AsyncRead + Unpin, words: &mut Words) -> Option<String> {
    let mut lines = BufReader::new(stderr).split(b'\n');
    while let Ok(Some(line)) = lines.next_segment().await {
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if let Some(url) = line.strip_prefix(LISTENS) {
            return Some(url.to_owned());
        }
        if !line.is_empty() {
            words.push(line.chars().take(300).collect());
        }
    }
    None
}

fn with(flag: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(flag);
    argument.push(path);
    argument
}

/// Makes a folder that only its user can look into.
fn private_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Whether this process is root's, as which browsers refuse to run with their sandbox.
#[cfg(target_os = "linux")]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[cfg(not(target_os = "linux"))]
fn is_root() -> bool {
    false
}

/// Whether the shared memory of this machine is too small for pages, as it is in most containers.
#[cfg(target_os = "linux")]
fn small_shared_memory() -> bool {
    // Containers get 64 MB unless somebody says otherwise; whoever mounts it says how much in the options.
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

/// Whether a size as a mount has it (`65536k`, `64m`) is below what a few large pages need.
#[cfg(any(target_os = "linux", test))]
fn is_small(size: &str) -> bool {
    const NEEDED: u64 = 512 << 20;
    let digits = size.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &size[digits.len()..] {
        "k" | "K" => 1 << 10,
        "m" | "M" => 1 << 20,
        "g" | "G" => 1 << 30,
        _ => 1,
    };
    digits
        .parse::<u64>()
        .is_ok_and(|number| number.saturating_mul(unit) < NEEDED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shared_memory_of_a_container_is_small() {
        assert!(is_small("65536k"));
        assert!(is_small("64m"));
        assert!(!is_small("2g"));
        assert!(!is_small("16384000k"));
        assert!(!is_small("half"));
    }

    #[tokio::test]
    async fn what_a_browser_says_is_read_until_it_listens() {
        let mut words = Words::default();
        let said = b"/usr/bin/chromium: 9: unexpected operator\n\n[1:2] \xff noise\nDevTools listening on ws://127.0.0.1:1/devtools/browser/a\nmore";
        let url = listening(&said[..], &mut words).await;
        assert_eq!(url.as_deref(), Some("ws://127.0.0.1:1/devtools/browser/a"));
        assert_eq!(words.0.len(), 2);
        let mut words = Words::default();
        let many: String = (0..50).map(|line| format!("line {line}\n")).collect();
        assert_eq!(listening(many.as_bytes(), &mut words).await, None);
        assert_eq!((words.0.len(), words.0[19].as_str()), (WORDS, "line 49"));
    }
}
