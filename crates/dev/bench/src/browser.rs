//! Browsers for measurements, each with a fresh profile that is removed afterwards.

use std::path::PathBuf;

use cdp::Connection;
use driver_chrome::browser::{Launch, LaunchedBrowser, Program, ProgramSearch, Sandbox, Window};

use crate::tab::VIEWPORT;

/// A browser that exits when this is dropped.
#[derive(Debug)]
pub struct Chrome {
    started: LaunchedBrowser,
    url: String,
    profile: PathBuf,
}

impl Chrome {
    /// Finds the browser as the product does.
    pub fn program() -> Result<Program, String> {
        ProgramSearch::from_env()
            .find()
            .map_err(|error| error.to_string())
    }

    /// How to start a browser with its own profile.
    pub fn launch(name: &str) -> Result<Launch, String> {
        let folder = format!("clawperator-bench-{}-{name}", std::process::id());
        Ok(Launch {
            program: Self::program()?,
            profile: std::env::temp_dir().join(folder),
            window: Window::Headless,
            sandbox: Sandbox::WherePossible,
            port: None,
            size: VIEWPORT,
            flags: Vec::new(),
        })
    }

    /// Starts a browser; `name` separates it from others of this process.
    pub async fn start(name: &str) -> Result<Self, String> {
        let launch = Self::launch(name)?;
        let started = launch.start().await.map_err(|error| error.to_string())?;
        let url = started.endpoint.connection_url().await;
        Ok(Self {
            url: url.map_err(|error| error.to_string())?,
            started,
            profile: launch.profile,
        })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub async fn connect(&self) -> Result<Connection, String> {
        Connection::open(&self.url)
            .await
            .map_err(|error| error.to_string())
    }

    /// Stops it and removes its profile.
    pub async fn close(mut self) -> Result<(), String> {
        let ended = self.started.child.kill().await;
        ended.map_err(|error| format!("the browser does not end: {error}"))
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        // Errors are ignored; it may have exited already.
        let _ = self.started.child.start_kill();
        remove(&self.profile);
    }
}

/// Removes a profile. Child processes of a killed browser may write into it for a moment.
fn remove(profile: &std::path::Path) {
    for _ in 0..20 {
        match std::fs::remove_dir_all(profile) {
            Ok(()) => return,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(25)),
        }
    }
}
