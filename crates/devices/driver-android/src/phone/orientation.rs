//! Rotating the screen with the phone's settings.

use adb::Output;
use driver::{Cx, DriverError, Result};

use crate::phone::ui_automation::quit_if_running;
use crate::shell::{Shell, error_text};

/// Rotates the screen to this many quarter turns; `None` enables auto-rotation. Ends the agent first, because Android resets
/// the rotation that an agent set when it ends.
pub(crate) async fn set(shell: &Shell, cx: &Cx, turns: Option<u8>) -> Result<()> {
    match quit_if_running(shell, cx).await {
        // An agent that another client uses keeps running; it resets the rotation only when it ends.
        Ok(_) | Err(DriverError::Refused(_)) => {}
        Err(error) => return Err(error),
    }
    let put = |key: &str, value: u8| format!("settings put system {key} {value}");
    let command = match turns {
        // The rotation first, so that the screen turns once.
        Some(turns) => format!(
            "{} && {}",
            put("user_rotation", turns),
            put("accelerometer_rotation", 0)
        ),
        None => put("accelerometer_rotation", 1),
    };
    check(&shell.change(cx, &command).await?)
}

/// `settings` says nothing when it worked. Some phones refuse the shell with an exception and the status 0.
fn check(output: &Output) -> Result<()> {
    match output.text().contains("Exception") || output.error_text().contains("Exception") {
        true => Err(DriverError::Refused(error_text(output))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exception_with_status_zero_is_a_refusal() {
        let output = |stdout: &str, stderr: &str| Output {
            stdout: stdout.as_bytes().to_vec(),
            stderr: stderr.as_bytes().to_vec(),
            status: 0,
        };
        let thrown = "java.lang.SecurityException: com.android.shell was not granted this permission: \
                      android.permission.WRITE_SETTINGS.";
        let refused = Err(DriverError::Refused(thrown.to_owned()));
        assert_eq!(
            check(&output("", &format!("\n{thrown}\n\tat a.b(C.java:1)\n"))),
            refused
        );
        assert_eq!(check(&output(&format!("{thrown}\n"), "")), refused);
        assert_eq!(check(&output("", "")), Ok(()));
    }
}
