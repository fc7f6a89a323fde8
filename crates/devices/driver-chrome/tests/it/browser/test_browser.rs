//! A browser for one test with its own profile; both are removed afterwards.

use std::path::PathBuf;

use driver_chrome::browser::{Browser, Launch, LaunchedBrowser, ProgramSearch, Sandbox, Window};
use testkit::{Watch, browser_profile};

/// A browser that exits when this is dropped.
pub(crate) struct TestBrowser {
    _watch: Option<Watch>,
    started: LaunchedBrowser,
    pub(crate) profile: PathBuf,
    pub(crate) browser: Browser,
}

/// How the browsers of these tests are started.
pub(crate) fn launch() -> Launch {
    Launch {
        program: ProgramSearch::from_env()
            .find()
            .unwrap_or_else(|why| panic!("these tests need a browser: {why}")),
        profile: browser_profile("chrome"),
        window: Window::Headless,
        sandbox: Sandbox::WherePossible,
        port: None,
        size: (1280, 800),
        flags: Vec::new(),
    }
}

impl TestBrowser {
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts a browser with additional flags.
    pub(crate) async fn start_with(flags: &[&str]) -> Self {
        let mut launch = launch();
        launch.flags = flags.iter().map(Into::into).collect();
        let started = launch.start().await.unwrap();
        let pid = started.child.id();
        let watch = pid.map(|pid| Watch::over(pid, &launch.profile));
        let browser = Browser::connect(&started.endpoint).await.unwrap();
        Self {
            _watch: watch,
            started,
            profile: launch.profile,
            browser,
        }
    }

    pub(crate) fn endpoint(&self) -> &cdp::Endpoint {
        &self.started.endpoint
    }

    /// Kills it, like an out-of-memory killer.
    pub(crate) async fn kill(&mut self) {
        self.started.child.kill().await.unwrap();
    }
}
