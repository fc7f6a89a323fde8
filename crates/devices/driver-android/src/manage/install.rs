//! An app file goes to the phone and is installed there, its outcome read from what the package manager says.

use std::path::Path;

use adb::{Error, ErrorKind, command};
use driver::{Cx, Dispatch, DriverError, Result};

use crate::shell::{Shell, error_text};

/// Where the file lies while it is installed: a folder that the shell may write and the package manager read.
const FOLDER: &str = "/data/local/tmp";

/// How an installation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallOutcome {
    /// The package manager says that it is.
    Yes,
    /// It is not, in the phone's words, such as `INSTALL_FAILED_OLDER_SDK: …`; with the status of `pm`, where it ran.
    No {
        /// The words.
        said: String,
        /// The status with which `pm` ended; `None` when the file did not reach the phone.
        status: Option<u8>,
    },
}

/// Installs an app file of this machine, in place of an older version that keeps its data.
///
/// # Errors
/// `Lost` with how far it had come: `Unknown` means that the phone may have installed it; the ends of the context.
/// A file that cannot be read, or that the phone has no room for, is [`Installed::No`].
pub async fn install(shell: &Shell, cx: &Cx, apk: &Path) -> Result<InstallOutcome> {
    let file = format!("{FOLDER}/clawperator-{}.apk", std::process::id());
    if let Err(why) = std::fs::File::open(apk) {
        return Ok(InstallOutcome::No {
            said: why.to_string(),
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
    // Where that breaks, whether it was installed is not known, and it is not installed once more.
    let install = command(["pm", "install", "-r", &file]);
    let output = shell.run(cx, &install).await?;
    clear(shell, cx, &file).await;
    let said = format!(
        "{}\n{}",
        output.text(),
        String::from_utf8_lossy(&output.stderr)
    );
    // Before Android 7 or so it ends with 0 whatever became of it.
    if output.status == 0 && said.lines().any(|line| line.trim() == "Success") {
        return Ok(InstallOutcome::Yes);
    }
    Ok(InstallOutcome::No {
        said: reason(&said).unwrap_or_else(|| error_text(&output)),
        status: Some(output.status),
    })
}

/// The reason in `Failure [INSTALL_FAILED_…: …]`.
fn reason(said: &str) -> Option<String> {
    let (_, rest) = said.split_once("Failure [")?;
    let reason = rest.lines().next().unwrap_or(rest).trim_end();
    let reason = reason.strip_suffix(']').unwrap_or(reason);
    Some(reason.chars().take(300).collect())
}

/// A file that did not arrive: in the phone's words, or because the phone is lost.
fn refused(error: Error) -> Result<InstallOutcome> {
    let said = match error.kind {
        ErrorKind::Refused(said) => said,
        other => {
            // Half a file on the phone is no installation.
            return Err(DriverError::Lost {
                message: other.to_string(),
                dispatch: Dispatch::NotSent,
            });
        }
    };
    Ok(InstallOutcome::No { said, status: None })
}

/// Takes the file away again. One that stays costs room and is written over the next time.
async fn clear(shell: &Shell, cx: &Cx, file: &str) {
    let _ = shell.query(cx, &command(["rm", "-f", file])).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_a_failure() {
        let said = "\tpkg: /data/local/tmp/x.apk\nFailure [INSTALL_FAILED_OLDER_SDK: Requires newer sdk]\n";
        assert_eq!(
            reason(said).as_deref(),
            Some("INSTALL_FAILED_OLDER_SDK: Requires newer sdk")
        );
        assert_eq!(reason("Success\n"), None);
    }
}
