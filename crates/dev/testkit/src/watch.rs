//! The end of a browser that a test has started: it goes with its helpers and its profile, however the test ends.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// What ends the browser: it waits until nobody holds the other end of its input any more. Helpers write into the profile
/// for a moment after the browser is gone, so that removing it is tried again; what they write later still is removed behind
/// the back of the test, which does not wait for it.
const END: &str = "read nothing
kill -s KILL -- \"-$0\" 2>/dev/null
tries=0
until rm -rf -- \"$1\" 2>/dev/null || [ $tries -ge 500 ]; do tries=$((tries+1)); done
(for again in 1 2 4; do sleep $again; rm -rf -- \"$1\"; done) &";

/// A folder for the profile of one browser, which no other browser has had or will have: what is left of an earlier one's is
/// removed for seconds after it is gone. Files that pages give go into it.
///
/// # Panics
/// When it cannot be written.
#[must_use]
#[expect(clippy::expect_used, reason = "a test cannot go on without a profile")]
pub fn browser_profile(tests: &str) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("clawperator-{tests}-{}-{number}", std::process::id());
    let profile = std::env::temp_dir().join(name);
    let downloads =
        serde_json::json!({ "download": { "default_directory": profile.join("downloads") } });
    let folder = profile.join("Default");
    let mut owned = std::fs::DirBuilder::new();
    owned.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut owned, 0o700);
    let written = owned
        .create(&folder)
        .and_then(|()| std::fs::write(folder.join("Preferences"), downloads.to_string()));
    written.expect("a profile is written");
    profile
}

/// Ends a browser, which leads a process group of its own, and removes its profile: when this is dropped, and when the
/// process of the tests itself is killed.
#[derive(Debug)]
pub struct Watch(Child);

impl Watch {
    /// Watches over the browser with this process id and this profile.
    ///
    /// # Panics
    /// When there is no shell.
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "a test cannot go on with a browser that nobody ends"
    )]
    pub fn over(pid: u32, profile: impl Into<PathBuf>) -> Self {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", END, &pid.to_string()])
            .arg(profile.into())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // An interruption of the tests is not the watch's.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        Self(shell.spawn().expect("a shell that ends the browser"))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // A shell that is gone has nobody to be waited for.
        let _ = self.0.wait();
    }
}
