//! The programs of the phone, one file for each family.

mod activity;
mod agent;
mod content;
mod dump;
mod dumpsys;
mod echo;
mod event;
mod file;
mod grep;
mod input;
mod intent;
mod keys;
mod logcat;
mod package;
mod process;
mod property;
mod ui;
mod window;

pub(crate) use dump::second_display;
pub(crate) use input::press_code;
pub(crate) use ui::bar_trees;

use driver::DriverError;
use driver_sim::pace::start_of_program;

use crate::adb_phone::{AdbPhone, DriverGuard};
use crate::files;
use crate::shell::Shell;
use crate::shell::io::{CommandResult, Io, PipeClosed};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) shell: &'a Shell,
    /// The arguments, the program's name first.
    pub(crate) args: &'a [String],
    pub(crate) io: &'a Io,
}

impl<'a> Call<'a> {
    pub(crate) fn adb_phone(&self) -> &'a AdbPhone {
        &self.shell.adb_phone
    }

    pub(crate) async fn driver(&self) -> DriverGuard<'a> {
        self.shell.adb_phone.driver().await
    }

    pub(crate) fn name(&self) -> &'a str {
        self.args.first().map_or("", String::as_str)
    }

    /// The argument at an index; the name has index 0.
    pub(crate) fn arg(&self, place: usize) -> Option<&'a str> {
        self.args.get(place).map(String::as_str)
    }

    pub(crate) fn from(&self, place: usize) -> &'a [String] {
        self.args.get(place..).unwrap_or_default()
    }

    /// The same call without its first word.
    pub(crate) fn next(&self) -> Call<'a> {
        Call {
            args: self.from(1),
            ..*self
        }
    }

    /// The absolute form of a path; the working directory is `/`.
    pub(crate) fn path(&self, name: &str) -> String {
        files::normal("/", name)
    }

    pub(crate) async fn print_line(&self, line: impl AsRef<str>) -> Result<(), PipeClosed> {
        self.io.out.line(line).await
    }

    pub(crate) async fn done(&self, line: impl AsRef<str>) -> CommandResult {
        self.print_line(line).await?;
        Ok(0)
    }

    /// Prints a line to standard error and returns the status.
    pub(crate) async fn fail(&self, line: impl AsRef<str>, status: u8) -> CommandResult {
        self.io.error.line(line).await?;
        Ok(status)
    }

    /// Refuses a command that a service does not have.
    pub(crate) async fn unknown_command(&self, name: &str) -> CommandResult {
        self.print_line(format!("Unknown command: {name}")).await?;
        Ok(255)
    }

    /// Prints an exception as the system's services do.
    pub(crate) async fn throws(&self, what: &str, exception: &str) -> CommandResult {
        let text = format!(
            "\nException occurred while executing '{what}':\n{exception}\n\tat android.os.BasicShellCommandHandler.exec(\
             BasicShellCommandHandler.java:97)\n\tat android.os.ShellCommand.exec(ShellCommand.java:38)\n\tat \
             android.os.Binder.shellCommand(Binder.java:1069)\n\tat android.os.Binder.execTransact(Binder.java:1344)\n"
        );
        self.io.error.bytes(text).await?;
        Ok(255)
    }

    /// Reports a driver error: as an exception, or by ending the command if the connection is lost.
    pub(crate) async fn refused(&self, what: &str, error: &DriverError) -> CommandResult {
        match error {
            DriverError::Lost { .. } | DriverError::Deadline | DriverError::Cancelled => {
                Err(PipeClosed)
            }
            other => {
                let exception = format!("java.lang.SecurityException: {other}");
                self.throws(what, &exception).await
            }
        }
    }
}

pub(crate) async fn run(shell: &Shell, args: &[String], io: &Io) -> CommandResult {
    let call = Call { shell, args, io };
    let name = call.name();
    let plain = name.strip_prefix("/system/bin/").unwrap_or(name);
    let mut renamed = args.to_vec();
    if let Some(first) = renamed.first_mut() {
        plain.clone_into(first);
    }
    let call = Call {
        args: &renamed,
        ..call
    };
    let start = start_of_program(call.adb_phone().options().sim.pace, plain);
    if !start.is_zero() {
        tokio::time::sleep(start).await;
    }
    match plain {
        "am" => Box::pin(activity::am(call)).await,
        // Clawperator's agent, and the programs that start and end it.
        "app_process" | "kill" | "setsid" => Box::pin(agent::run(call)).await,
        "content" => Box::pin(content::run(call)).await,
        "dumpsys" => Box::pin(dumpsys::run(call)).await,
        "getevent" | "sendevent" => Box::pin(event::run(call)).await,
        "cat" | "ls" | "rm" | "sha256sum" => Box::pin(file::run(call)).await,
        "chmod" | "mkdir" | "mv" => Box::pin(file::change(call)).await,
        "input" => Box::pin(input::run(call)).await,
        "logcat" | "log" => Box::pin(logcat::run(call)).await,
        "pm" => Box::pin(package::run(call)).await,
        "pidof" | "date" | "sleep" => Box::pin(process::run(call)).await,
        "getprop" | "settings" => Box::pin(property::run(call)).await,
        "echo" => Box::pin(echo::run(call)).await,
        "grep" => Box::pin(grep::run(call)).await,
        "uiautomator" | "screencap" => Box::pin(ui::run(call)).await,
        "wm" => Box::pin(window::run(call)).await,
        "cmd" => services(call.next()).await,
        _ => missing(call, name).await,
    }
}

/// Reports that a program does not exist or cannot be executed.
async fn missing(call: Call<'_>, name: &str) -> CommandResult {
    let found = call.adb_phone().files().meta(&call.path(name));
    let (why, status) = match found.ok().filter(|_| name.contains('/')) {
        Some(meta) if meta.is_folder() => ("can't execute: Is a directory", 126),
        Some(_) => ("can't execute: Permission denied", 126),
        None => ("inaccessible or not found", 127),
    };
    let line = format!("/system/bin/sh: {name}: {why}");
    call.fail(line, status).await
}

/// `cmd`: calls a service by name.
async fn services(call: Call<'_>) -> CommandResult {
    match call.name() {
        "activity" => Box::pin(activity::am(call)).await,
        "package" => Box::pin(package::run(call)).await,
        other => {
            call.fail(format!("cmd: Can't find service: {other}"), 20)
                .await
        }
    }
}
