//! The phone's shell for drivers: with a deadline, and errors with the progress of the command.

use std::time::Duration;

use adb::{ErrorKind, Output, Progress};
use driver::{Cx, Dispatch, DriverError, Result};

/// How long to wait for a phone to come back that was lost while it was in use.
pub(crate) const RECONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// The pause between attempts to reach it.
pub(crate) const RETRY_PAUSE: Duration = Duration::from_millis(100);

/// The exit status of a signal is its number, up to 64, plus this. Java tools exit with 255 on exceptions.
const SIGNALS: u8 = 128;
const LAST_SIGNAL: u8 = SIGNALS + 64;
/// The line that system tools print before an exception.
const PREAMBLE: &str = "Exception occurred while executing";
/// Printed if the first of several commands succeeded and a later one failed.
const PARTLY: &str = "clawperator-partly";

/// A phone's shell.
#[derive(Clone, Debug)]
pub struct Shell {
    phone: adb::Phone,
}

impl Shell {
    /// The shell of this phone.
    pub const fn new(phone: adb::Phone) -> Self {
        Self { phone }
    }

    /// The phone.
    pub const fn phone(&self) -> &adb::Phone {
        &self.phone
    }

    /// Runs a command that changes nothing.
    ///
    /// # Errors
    /// `Lost` if the phone cannot be reached, `Deadline` and `Cancelled`. A failed command is not an error.
    pub async fn query(&self, cx: &Cx, command: &str) -> Result<Output> {
        cx.run(self.phone.shell(command))
            .await?
            .map_err(|error| lost_error(&error, Dispatch::NotSent))
    }

    /// Runs a command that changes nothing on a terminal, with standard output and standard error combined.
    pub(crate) async fn exec(&self, cx: &Cx, command: &str) -> Result<Vec<u8>> {
        cx.run(self.phone.exec(command))
            .await?
            .map_err(|error| lost_error(&error, Dispatch::NotSent))
    }

    /// Runs commands with side effects, each once and only if the previous one succeeded, and none if `guard`,
    /// the beginning of the same command line, exits.
    ///
    /// # Errors
    /// As [`Shell::change`]; `Partial` if one of them failed after others had succeeded.
    pub async fn change_all(&self, cx: &Cx, guard: &str, commands: &[String]) -> Result<()> {
        match commands {
            [] => Ok(()),
            [only] => self.change(cx, &format!("{guard}{only}")).await.map(|_| ()),
            [first, rest @ ..] => {
                let rest = rest.join(" && ");
                let line = format!(
                    "{guard}{first} || exit $?; {{ {rest}; }} || {{ status=$?; echo {PARTLY}; exit $status; }}"
                );
                let ran = self.run(cx, &line).await?;
                let partly = ran.text().lines().any(|line| line.trim() == PARTLY);
                match check_output(ran) {
                    Err(DriverError::Refused(full_text)) if partly => {
                        Err(DriverError::Partial(full_text))
                    }
                    done => done.map(|_| ()),
                }
            }
        }
    }

    /// Runs a command with side effects, once.
    ///
    /// # Errors
    /// `Refused` with the message of a failed command; `Lost` if its result is unknown, or it was not started;
    /// `Deadline` and `Cancelled`.
    pub async fn change(&self, cx: &Cx, command: &str) -> Result<Output> {
        check_output(self.run(cx, command).await?)
    }

    /// Runs a command line with side effects, whatever its status.
    pub(crate) async fn run(&self, cx: &Cx, line: &str) -> Result<Output> {
        let ran = cx.run(self.phone.shell(line)).await?;
        ran.map_err(|error| {
            let dispatch = match error.reach {
                Progress::NotStarted => Dispatch::NotSent,
                // A phone kills the commands of a broken connection, so that a started one may not have been
                // completed.
                Progress::Unknown | Progress::Started => Dispatch::Unknown,
            };
            lost_error(&error, dispatch)
        })
    }

    /// Runs a command that changes nothing, with binary output such as a screenshot.
    pub async fn raw(&self, cx: &Cx, command: &str) -> Result<Output> {
        cx.run(self.phone.raw(command))
            .await?
            .map_err(|error| lost_error(&error, Dispatch::NotSent))
    }
}

/// The output of a successful command.
fn check_output(output: Output) -> Result<Output> {
    // Tools before Android 11 print exceptions and exit with 0.
    if [&output.stdout, &output.stderr]
        .into_iter()
        .any(|full_text| is_denial(&String::from_utf8_lossy(full_text)))
    {
        return Err(DriverError::InputDenied(error_text(&output)));
    }
    match output.status {
        0 => Ok(output),
        status @ SIGNALS..=LAST_SIGNAL if status > SIGNALS => Err(DriverError::Lost {
            message: format!(
                "the phone ended the command with signal {}",
                status - SIGNALS
            ),
            dispatch: Dispatch::Unknown,
        }),
        _ => Err(DriverError::Refused(error_text(&output))),
    }
}

/// Whether `input` reports that it may not inject events, which some vendors forbid to the shell.
fn is_denial(full_text: &str) -> bool {
    full_text.contains("SecurityException") && full_text.contains("INJECT_EVENTS")
}

/// The message of a failed command: its last line, where Java prints the error after a trace.
pub(crate) fn error_text(output: &Output) -> String {
    let full_text = output.error_text();
    let mut lines = full_text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && *line != PARTLY && !line.starts_with(PREAMBLE));
    let first = lines
        .clone()
        .find(|line| line.contains("Exception") || line.contains("Error"));
    let line = first.or_else(|| lines.next());
    match line {
        Some(line) => line.chars().take(300).collect(),
        None => format!("the command ended with status {}", output.status),
    }
}

/// The error of a broken connection or an unusable phone.
fn lost_error(error: &adb::Error, dispatch: Dispatch) -> DriverError {
    if let ErrorKind::Refused(full_text) = &error.kind {
        return DriverError::Lost {
            message: format!("adb refused: {full_text}"),
            dispatch,
        };
    }
    DriverError::Lost {
        message: error.to_string(),
        dispatch,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_message_is_the_exception() {
        let full_text = |stderr: &str| {
            error_text(&Output {
                stdout: b"clawperator-partly\n".to_vec(),
                stderr: stderr.as_bytes().to_vec(),
                status: 255,
            })
        };
        let thrown = "\nException occurred while executing 'tap':\n\
                      java.lang.SecurityException: Injecting input events requires permission\n\tat a.b(C.java:1)\n";
        assert_eq!(
            full_text(thrown),
            "java.lang.SecurityException: Injecting input events requires permission"
        );
        assert_eq!(full_text("Error: no such tool\n"), "Error: no such tool");
        assert_eq!(full_text(""), "the command ended with status 255");
    }
}
