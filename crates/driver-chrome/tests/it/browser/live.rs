//! A browser for one test, with a profile of its own; both go with it.

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use driver_chrome::browser::{Browser, Launch, Places, Sandbox, Started, Window};

/// Helpers of a browser that have not ended by then never do.
const PATIENCE: Duration = Duration::from_secs(10);

/// A browser that ends with this value.
pub(crate) struct Live {
    watch: Option<Watch>,
    started: Started,
    pub(crate) profile: PathBuf,
    pub(crate) browser: Browser,
}

/// A profile that nobody else has.
pub(crate) fn profile() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("clawperator-chrome-test-{}-{number}", std::process::id());
    std::env::temp_dir().join(name)
}

/// How the browsers of these tests are started.
pub(crate) fn launch() -> Launch {
    Launch {
        program: Places::from_env()
            .find()
            .unwrap_or_else(|why| panic!("these tests need a browser: {why}")),
        profile: profile(),
        window: Window::Headless,
        sandbox: Sandbox::WherePossible,
        port: 0,
        size: (1280, 800),
        flags: Vec::new(),
    }
}

impl Live {
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// With flags behind those of every browser.
    pub(crate) async fn start_with(flags: &[&str]) -> Self {
        let mut launch = launch();
        launch.flags = flags.iter().map(Into::into).collect();
        let started = launch.start().await.unwrap();
        let watch = started.child.id().map(Watch::over);
        let browser = Browser::connect(&started.endpoint).await.unwrap();
        Self {
            watch,
            started,
            profile: launch.profile,
            browser,
        }
    }

    pub(crate) fn endpoint(&self) -> &cdp::Endpoint {
        &self.started.endpoint
    }

    /// Kills it, as a system that is out of memory does.
    pub(crate) async fn kill(&mut self) {
        self.started.child.kill().await.unwrap();
    }
}

/// Ends a browser with its helpers as soon as this process lets go of a pipe: when the test is over, however it ends, and
/// when the process of the tests itself is killed.
struct Watch(Child);

impl Watch {
    fn over(pid: u32) -> Self {
        let script = "read nothing; kill -s KILL -- \"-$0\"";
        let mut shell = Command::new("sh");
        shell
            .args(["-c", script, &pid.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // An interruption of the tests is not the watch's.
            .process_group(0);
        Self(shell.spawn().unwrap())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        drop(self.watch.take());
        let begun = Instant::now();
        while std::fs::remove_dir_all(&self.profile).is_err() && begun.elapsed() < PATIENCE {
            std::thread::yield_now();
        }
    }
}
