//! Installs an app file: copies it to the phone and runs the package manager.

use std::path::Path;

use adb::{Error, ErrorKind, command};
use driver::{Cx, Dispatch, DriverError, Result};

use crate::shell::{Shell, error_text};

/// The folder of the file during installation: writable by the shell, readable by the package manager.
const FOLDER: &str = "/data/local/tmp";

/// The outcome of an installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallOutcome {
    /// It was installed.
    Yes,
    /// It was not; the phone's message, such as `INSTALL_FAILED_OLDER_SDK: …`, and the status of `pm` if it
    /// ran.
    No {
        /// The message.
        details: String,
        /// The exit status of `pm`; `None` if the file did not reach the phone.
        status: Option<u8>,
    },
}

/// Installs a local app file, replacing an older version and keeping its data.
///
/// # Errors
/// `Lost` with its progress: `Unknown` means that the phone may have installed it; the end of the context. A
/// file that cannot be read, or for which the phone has no room, is [`InstallOutcome::No`].
pub async fn install(shell: &Shell, cx: &Cx, apk: &Path) -> Result<InstallOutcome> {
    let file = format!("{FOLDER}/clawperator-{}.apk", std::process::id());
    if let Err(why) = std::fs::File::open(apk) {
        return Ok(InstallOutcome::No {
            details: why.to_string(),
            status: None,
        });
    }
    let pushed = cx.run(shell.phone().push_file(apk, &file, 0o644)).await;
    match pushed {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => {
            let outcome = refused(error)?;
            clear(shell, cx, &file).await;
            return Ok(outcome);
        }
        Err(end) => return Err(end),
    }
    // If this breaks, the outcome is unknown and the installation is not repeated.
    let install = command(["pm", "install", "-r", &file]);
    let output = shell.run(cx, &install).await?;
    clear(shell, cx, &file).await;
    let details = format!(
        "{}\n{}",
        output.text(),
        String::from_utf8_lossy(&output.stderr)
    );
    // Before about Android 7 the status is always 0.
    if output.status == 0 && details.lines().any(|line| line.trim() == "Success") {
        return Ok(InstallOutcome::Yes);
    }
    Ok(InstallOutcome::No {
        details: reason(&details).unwrap_or_else(|| error_text(&output)),
        status: Some(output.status),
    })
}

/// The reason in `Failure [INSTALL_FAILED_…: …]`.
fn reason(details: &str) -> Option<String> {
    let (_, rest) = details.split_once("Failure [")?;
    let reason = rest.lines().next().unwrap_or(rest).trim_end();
    let reason = reason.strip_suffix(']').unwrap_or(reason);
    Some(reason.chars().take(300).collect())
}

/// The error of a failed copy: the phone's message, or a lost phone.
fn refused(error: Error) -> Result<InstallOutcome> {
    let details = match error.kind {
        ErrorKind::Refused(details) => details,
        other => {
            // A partial file on the phone is not an installation.
            return Err(DriverError::Lost {
                message: other.to_string(),
                dispatch: Dispatch::NotSent,
            });
        }
    };
    Ok(InstallOutcome::No {
        details,
        status: None,
    })
}

/// Removes the file. A leftover only takes space and is overwritten the next time.
async fn clear(shell: &Shell, cx: &Cx, file: &str) {
    let _ = shell.query(cx, &command(["rm", "-f", file])).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_reason_is_parsed() {
        let details = "\tpkg: /data/local/tmp/x.apk\nFailure [INSTALL_FAILED_OLDER_SDK: Requires newer sdk]\n";
        assert_eq!(
            reason(details).as_deref(),
            Some("INSTALL_FAILED_OLDER_SDK: Requires newer sdk")
        );
        assert_eq!(reason("Success\n"), None);
    }
}
