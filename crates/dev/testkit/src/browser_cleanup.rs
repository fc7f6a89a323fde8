//! Cleanup of a test's browser: stops it with its helper processes and removes its profile, however the test
//! ends.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The cleanup script: waits until its input is closed. A killed Chromium leaves the folder of its socket behind. Helper
/// processes may write into the profile for a moment, so removing it is retried; later files are removed in the background.
const SCRIPT: &str = "read ignored
socket=$(readlink -- \"$1/SingletonSocket\")
kill -s KILL -- \"-$0\" 2>/dev/null
case $socket in */org.chromium.*/SingletonSocket) rm -rf -- \"${socket%/*}\" ;; esac
tries=0
until rm -rf -- \"$1\" 2>/dev/null || [ $tries -ge 500 ]; do tries=$((tries+1)); done
(for delay in 1 2 4; do sleep $delay; rm -rf -- \"$1\"; done) &";

/// A unique profile folder for one browser, since the remains of an earlier one may be removed for seconds. It
/// also takes downloads.
#[expect(clippy::expect_used, reason = "tests need a profile")]
pub fn browser_profile(tests: &str) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("clawperator-{tests}-{}-{number}", std::process::id());
    let profile = std::env::temp_dir().join(name);
    let downloads =
        serde_json::json!({ "download": { "default_directory": profile.join("downloads") } });
    let folder = profile.join("Default");
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let created = builder
        .create(&folder)
        .and_then(|()| std::fs::write(folder.join("Preferences"), downloads.to_string()));
    created.expect("the profile is writable");
    profile
}

/// Stops a browser, which leads a process group, and removes its profile: when this is dropped, and when the
/// test process is killed.
#[derive(Debug)]
pub struct Watch(Child);

impl Watch {
    /// Watches the browser with this process id and profile.
    #[expect(clippy::expect_used, reason = "tests must not leave browsers running")]
    pub fn over(pid: u32, profile: impl Into<PathBuf>) -> Self {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", SCRIPT, &pid.to_string()])
            .arg(profile.into())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // An interrupt of the tests must not stop the watch.
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        Self(shell.spawn().expect("a shell that ends the browser"))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // Fails only if the shell is gone.
        let _ = self.0.wait();
    }
}
