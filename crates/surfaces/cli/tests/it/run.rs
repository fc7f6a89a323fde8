//! Runs the program and collects what it did.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The result of a run of the program.
pub(crate) struct RunOutput {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl RunOutput {
    /// Standard output, which must be one JSON document and nothing else.
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {:?} {:?}", self.stdout, self.stderr))
    }

    /// The document of a run that must have failed, with its code checked.
    #[track_caller]
    pub(crate) fn failure(&self, code: &str) -> Value {
        let document = self.document();
        assert_eq!(document["code"], code, "{document}");
        assert_eq!(self.exit, 1, "{document}");
        assert!(
            !document["message"].as_str().unwrap_or_default().is_empty(),
            "{document}"
        );
        document
    }

    /// The document of a run that must have succeeded.
    #[track_caller]
    pub(crate) fn success(&self) -> Value {
        let document = self.document();
        assert_eq!(self.exit, 0, "{document}");
        assert!(document.get("code").is_none(), "{document}");
        document
    }
}

/// Asserts that a text of a document contains a part.
#[track_caller]
pub(crate) fn assert_has(document: &Value, key: &str, part: &str) {
    let text = document[key].as_str().unwrap_or_default();
    assert!(
        text.contains(part),
        "{part:?} is not in {key} of {document}"
    );
}

/// Timeout of waits.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(60);
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Waits until a condition holds.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    wait_for_value(what, || holds().then_some(()));
}

#[track_caller]
pub(crate) fn wait_for_value<T>(what: &str, mut poll: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(value) = poll() {
            return value;
        }
        assert!(begun.elapsed() < TIME_LIMIT, "timeout: {what}");
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Kills a process that exceeds a time limit, so that no test waits forever.
pub(crate) struct TimeLimit {
    _ends: Sender<()>,
}

impl TimeLimit {
    const MAX: Duration = Duration::from_secs(300);

    pub(crate) fn start(child: &Child) -> Self {
        let pid = child.id().to_string();
        let (ends, ended) = channel();
        std::thread::spawn(move || {
            if ended.recv_timeout(Self::MAX) == Err(RecvTimeoutError::Timeout) {
                eprintln!("process {pid} was killed after {:?}", Self::MAX);
                // It may have exited in the meantime.
                let _ = Command::new("kill").args(["-KILL", &pid]).status();
            }
        });
        Self { _ends: ends }
    }
}

/// Whether other users can access a path.
#[cfg(target_os = "linux")]
fn others_reach(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let enter = |at: &Path| {
        at.metadata()
            .is_ok_and(|at| at.permissions().mode() & 1 != 0)
    };
    path.ancestors().all(enter)
}

/// The temporary folder, or the system's if other users cannot enter it.
#[cfg(target_os = "linux")]
pub(crate) fn accessible_temp_dir() -> std::path::PathBuf {
    let own = std::env::temp_dir();
    match others_reach(&own) {
        true => own,
        false => std::path::PathBuf::from("/tmp"),
    }
}

/// Copies the program to a place where other users can run it: its own folder may be private.
#[cfg(target_os = "linux")]
pub(crate) fn copy_program(to: &Path) {
    let own = env!("CARGO_BIN_EXE_clawperator");
    std::fs::hard_link(own, to)
        .or_else(|_| std::fs::copy(own, to).map(drop))
        .unwrap();
}

/// The program in an environment independent of the user who runs the tests.
pub(crate) fn program() -> Command {
    program_at(Path::new(env!("CARGO_BIN_EXE_clawperator")))
}

/// A copy of the program in the same environment.
pub(crate) fn program_at(path: &Path) -> Command {
    let mut command = Command::new(path);
    isolate(&mut command);
    command.stdin(Stdio::null());
    command
}

/// Hides the settings, log, phones and browsers of the user who runs the tests from a command and from what it starts.
pub(crate) fn isolate(command: &mut Command) -> &mut Command {
    for name in [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "CLAWPERATOR_LOG_LEVEL",
        "CLAWPERATOR_CDP",
        "CLAWPERATOR_CHROME_FLAGS",
        "CLAWPERATOR_CHROME_FILES",
        "ADB_SERVER_SOCKET",
        "ANDROID_ADB_SERVER_ADDRESS",
    ] {
        command.env_remove(name);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    command
        .env("CLAWPERATOR_LOG_DIR", folder.join("logs"))
        .env("XDG_RUNTIME_DIR", folder.join("runtime"))
        .env("ADB_PATH", "/nowhere/adb")
        .env(
            "ANDROID_ADB_SERVER_PORT",
            testkit::closed_port().to_string(),
        )
        // For servers that a test starts anyway.
        .envs(testkit::NO_SCAN)
}

/// The words of a command line; one in single quotes may have spaces.
pub(crate) fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    words
}

/// The arguments of a command: a line of [`words`], or a list.
pub(crate) trait Words {
    fn words(&self) -> Vec<&OsStr>;
}

impl Words for str {
    fn words(&self) -> Vec<&OsStr> {
        words(self).into_iter().map(OsStr::new).collect()
    }
}

impl Words for String {
    fn words(&self) -> Vec<&OsStr> {
        self.as_str().words()
    }
}

impl<A: AsRef<OsStr>> Words for [A] {
    fn words(&self) -> Vec<&OsStr> {
        self.iter().map(AsRef::as_ref).collect()
    }
}

impl<A: AsRef<OsStr>, const N: usize> Words for [A; N] {
    fn words(&self) -> Vec<&OsStr> {
        self.as_slice().words()
    }
}

impl<A: AsRef<OsStr>> Words for Vec<A> {
    fn words(&self) -> Vec<&OsStr> {
        self.as_slice().words()
    }
}

/// Runs the program with these arguments.
pub(crate) fn run(arguments: &(impl Words + ?Sized)) -> RunOutput {
    finish(program().args(arguments.words()), None)
}

/// Runs the program with these arguments and this standard input.
pub(crate) fn run_with(arguments: &(impl Words + ?Sized), stdin: &[u8]) -> RunOutput {
    finish(program().args(arguments.words()), Some(stdin))
}

/// Runs a prepared program.
pub(crate) fn finish(command: &mut Command, stdin: Option<&[u8]>) -> RunOutput {
    if stdin.is_some() {
        command.stdin(Stdio::piped());
    }
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _limit = TimeLimit::start(&child);
    if let Some(bytes) = stdin {
        // The program stops reading at its limit, so the pipe may be closed before all is written.
        let _ = child.stdin.take().unwrap().write_all(bytes);
    }
    let output = child.wait_with_output().unwrap();
    RunOutput {
        exit: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
