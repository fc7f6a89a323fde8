//! Locates the adb program and starts servers with it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use crate::client::server::Address;
use crate::error::{Error, ErrorKind, Result};

/// Timeout of starting a server.
const START_TIMEOUT: Duration = Duration::from_secs(20);
/// Timeout of asking for the version and of stopping a server.
const VERSION_TIMEOUT: Duration = Duration::from_secs(5);

/// Environment variables and paths that locate adb.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramSearch {
    /// `ADB_PATH`: only this program.
    pub adb: Option<PathBuf>,
    pub path: Option<OsString>,
    /// `ANDROID_HOME`, `ANDROID_SDK_ROOT`, and the default paths of SDKs.
    pub sdks: Vec<PathBuf>,
}

impl ProgramSearch {
    /// The values of this process. Empty variables count as missing.
    pub fn from_env() -> Self {
        let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let mut sdks: Vec<PathBuf> = ["ANDROID_HOME", "ANDROID_SDK_ROOT"]
            .into_iter()
            .filter_map(var)
            .map(PathBuf::from)
            .collect();
        if let Some(home) = std::env::home_dir() {
            sdks.push(home.join("Android/Sdk"));
            sdks.push(home.join("Library/Android/sdk"));
        }
        sdks.push(PathBuf::from("/usr/lib/android-sdk"));
        Self {
            adb: var("ADB_PATH").map(PathBuf::from),
            path: var("PATH"),
            sdks,
        }
    }

    /// The adb program.
    ///
    /// # Errors
    /// `NoProgram` with the searched places.
    pub fn find(&self) -> Result<PathBuf> {
        let name = format!("adb{}", std::env::consts::EXE_SUFFIX);
        if let Some(adb) = &self.adb {
            // A name without a path is searched in `PATH`.
            let found = if adb.components().count() == 1 {
                self.on_path(adb)
            } else {
                is_program(adb).then(|| adb.clone())
            };
            return found.ok_or_else(|| {
                let looked = format!("ADB_PATH is {}", adb.display());
                ErrorKind::NoProgram { looked }.into()
            });
        }
        if let Some(found) = self.on_path(Path::new(&name)) {
            return Ok(found);
        }
        for sdk in &self.sdks {
            let program = sdk.join("platform-tools").join(&name);
            if is_program(&program) {
                return Ok(program);
            }
        }
        let sdks: Vec<String> = self
            .sdks
            .iter()
            .map(|sdk| sdk.display().to_string())
            .collect();
        let looked = format!("PATH, platform-tools of {}", sdks.join(", "));
        Err(ErrorKind::NoProgram { looked }.into())
    }

    fn on_path(&self, name: &Path) -> Option<PathBuf> {
        let path = self.path.as_ref()?;
        let mut programs = std::env::split_paths(path).map(|folder| folder.join(name));
        programs.find(|program| is_program(program))
    }
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path)
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Starts a server at this local address.
///
/// # Errors
/// `NotStarted` with the program's message.
pub async fn start(program: &Path, address: &Address) -> Result<()> {
    let failed = |why: String| not_started(program, why);
    if !address.is_local() {
        return Err(failed(format!("{address} is not on this machine")));
    }
    let output = run(program, Some(address), "start-server", START_TIMEOUT)
        .await
        .map_err(failed)?;
    if output.status.success() {
        return Ok(());
    }
    let output_text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(failed(if output_text.is_empty() {
        output.status.to_string()
    } else {
        output_text
    }))
}

/// Restarts the server at this local address. If the old one cannot be stopped, starting the new one fails.
pub async fn restart(program: &Path, address: &Address) -> Result<()> {
    if address.is_local() {
        // A server that does not answer cannot be stopped this way; starting the new one fails then.
        let _ = run(program, Some(address), "kill-server", VERSION_TIMEOUT).await;
    }
    start(program, address).await
}

/// The version output of the program.
///
/// # Errors
/// `NotStarted` if it fails or prints nothing.
pub async fn version(program: &Path) -> Result<String> {
    let output = run(program, None, "version", VERSION_TIMEOUT)
        .await
        .map_err(|why| not_started(program, why))?;
    let output_text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && !output_text.is_empty() {
        return Ok(output_text);
    }
    let why = format!("`version` prints nothing, {}", output.status);
    Err(not_started(program, why))
}

fn not_started(program: &Path, why: String) -> Error {
    let program = program.display().to_string();
    ErrorKind::NotStarted { program, why }.into()
}

/// Runs an adb command for a server at this address.
async fn run(
    program: &Path,
    address: Option<&Address>,
    word: &str,
    within: Duration,
) -> std::result::Result<std::process::Output, String> {
    let mut command = Command::new(program);
    command
        .arg(word)
        .env_remove("ADB_SERVER_SOCKET")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(address) = address {
        command.env("ANDROID_ADB_SERVER_PORT", address.port.to_string());
    }
    if word == "start-server" {
        // The background server would inherit a pipe and keep it open.
        command.stdout(Stdio::null());
    }
    let child = command.spawn().map_err(|error| error.to_string())?;
    match tokio::time::timeout(within, child.wait_with_output()).await {
        Ok(ended) => ended.map_err(|error| error.to_string()),
        Err(_) => Err(format!("it took longer than {within:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_configured_program_is_not_replaced() {
        let places = ProgramSearch {
            adb: Some(PathBuf::from("/nowhere/adb")),
            path: std::env::var_os("PATH"),
            sdks: vec![PathBuf::from("/usr/lib/android-sdk")],
        };
        let error = places.find().unwrap_err().to_string();
        assert!(error.contains("ADB_PATH is /nowhere/adb"), "{error}");
    }

    #[test]
    fn error_lists_searched_places() {
        let places = ProgramSearch {
            adb: None,
            path: Some(OsString::from("/nowhere")),
            sdks: vec![PathBuf::from("/nowhere/sdk")],
        };
        let error = places.find().unwrap_err().to_string();
        assert!(error.contains("platform-tools of /nowhere/sdk"), "{error}");
    }
}
