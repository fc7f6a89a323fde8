//! The end of a browser that a test has started: it goes with its helpers and its profile, however the test ends.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// What ends the browser: it waits until nobody holds the other end of its input any more. Helpers write into the profile
/// for a moment after the browser is gone, so that removing it is tried again; what they write later still is removed behind
/// the back of the test, which does not wait for it.
const END: &str = "read nothing
kill -s KILL -- \"-$0\" 2>/dev/null
tries=0
until rm -rf -- \"$1\" 2>/dev/null || [ $tries -ge 500 ]; do tries=$((tries+1)); done
(for again in 1 2 4; do sleep $again; rm -rf -- \"$1\"; done) &";

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
