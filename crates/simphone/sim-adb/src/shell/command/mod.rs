//! The programs of the phone, each family in a file of its own.

mod activity;
mod agent;
mod content;
mod dump;
mod dumpsys;
mod event;
mod file;
mod file_change;
mod grep;
mod input;
mod intent;
mod keys;
mod logcat;
mod package;
mod process;
mod property;
mod text;
mod ui;
mod window;

pub(crate) use dump::second_display;
pub(crate) use input::press_code;
pub(crate) use ui::bar_trees;

use driver::DriverError;

use crate::adb_phone::{AdbPhone, DriverGuard};
use crate::files;
use crate::shell::Shell;
use crate::shell::io::{Broken, CommandResult, Io};

/// The families of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Activity,
    /// Our agent, and what starts and ends it.
    Agent,
    /// Questions to the providers of apps.
    Content,
    Dumpsys,
    /// The input devices of the kernel.
    Event,
    File,
    FileChange,
    Input,
    Logcat,
    Package,
    Process,
    Property,
    Text,
    Ui,
    Window,
    /// `cmd`: the services of the others by name.
    Services,
}

impl Family {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "am" | "monkey" => Family::Activity,
            "app_process" | "kill" | "setsid" => Family::Agent,
            "content" => Family::Content,
            "dumpsys" => Family::Dumpsys,
            "getevent" | "sendevent" => Family::Event,
            "cat" | "ls" | "rm" => Family::File,
            "chmod" | "mkdir" | "mv" => Family::FileChange,
            "input" => Family::Input,
            "logcat" | "log" => Family::Logcat,
            "pm" => Family::Package,
            "pidof" | "date" | "sleep" | "reboot" => Family::Process,
            "getprop" | "settings" => Family::Property,
            "echo" | "grep" => Family::Text,
            "uiautomator" | "screencap" => Family::Ui,
            "wm" => Family::Window,
            "cmd" => Family::Services,
            _ => return None,
        })
    }
}

/// A command as its program gets it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) shell: &'a Shell,
    /// Its name first.
    pub(crate) args: &'a [String],
    pub(crate) io: &'a Io,
}

impl<'a> Call<'a> {
    pub(crate) fn handset(&self) -> &'a AdbPhone {
        &self.shell.handset
    }

    /// Exclusive access to the phone.
    pub(crate) async fn driver(&self) -> DriverGuard<'a> {
        self.shell.handset.driver().await
    }

    pub(crate) fn name(&self) -> &'a str {
        self.args.first().map_or("", String::as_str)
    }

    /// An argument by its place; the name has place 0.
    pub(crate) fn arg(&self, place: usize) -> Option<&'a str> {
        self.args.get(place).map(String::as_str)
    }

    /// The arguments from a place on.
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

    /// An absolute path; the shell works in `/`.
    pub(crate) fn path(&self, name: &str) -> String {
        files::normal("/", name)
    }

    pub(crate) async fn say(&self, line: impl AsRef<str>) -> Result<(), Broken> {
        self.io.out.line(line).await
    }

    /// A line of standard error, and a status.
    pub(crate) async fn fail(&self, line: impl AsRef<str>, status: u8) -> CommandResult {
        self.io.error.line(line).await?;
        Ok(status)
    }

    /// What a service of the system says when it throws.
    pub(crate) async fn throws(&self, what: &str, exception: &str) -> CommandResult {
        let text = format!(
            "\nException occurred while executing '{what}':\n{exception}\n\tat android.os.BasicShellCommandHandler.exec(\
             BasicShellCommandHandler.java:97)\n\tat android.os.ShellCommand.exec(ShellCommand.java:38)\n\tat \
             android.os.Binder.shellCommand(Binder.java:1069)\n\tat android.os.Binder.execTransact(Binder.java:1344)\n"
        );
        self.io.error.bytes(text).await?;
        Ok(255)
    }

    /// What becomes of a command that the phone did not do. A connection that is lost ends everything.
    pub(crate) async fn refused(&self, what: &str, error: &DriverError) -> CommandResult {
        match error {
            DriverError::Lost { .. } | DriverError::Deadline | DriverError::Cancelled => {
                Err(Broken)
            }
            other => {
                let exception = format!("java.lang.SecurityException: {other}");
                self.throws(what, &exception).await
            }
        }
    }
}

/// Runs a program.
pub(crate) async fn run(shell: &Shell, args: &[String], io: &Io) -> CommandResult {
    let call = Call { shell, args, io };
    let name = call.name();
    let plain = name.strip_prefix("/system/bin/").unwrap_or(name);
    let Some(family) = Family::of(plain) else {
        let found = shell.handset.files().meta(&call.path(name));
        let why = match found {
            Ok(_) if name.contains('/') => {
                format!("/system/bin/sh: {name}: can't execute: Permission denied")
            }
            _ => format!("/system/bin/sh: {name}: inaccessible or not found"),
        };
        let status = if found.is_ok() && name.contains('/') {
            126
        } else {
            127
        };
        return call.fail(why, status).await;
    };
    let mut renamed;
    let call = if plain == name {
        call
    } else {
        renamed = args.to_vec();
        if let Some(first) = renamed.first_mut() {
            plain.clone_into(first);
        }
        Call {
            shell,
            args: &renamed,
            io,
        }
    };
    match family {
        Family::Services => services(call).await,
        family => program(family, call).await,
    }
}

async fn program(family: Family, call: Call<'_>) -> CommandResult {
    match family {
        Family::Activity => Box::pin(activity::run(call)).await,
        Family::Agent => Box::pin(agent::run(call)).await,
        Family::Content => Box::pin(content::run(call)).await,
        Family::Dumpsys => Box::pin(dumpsys::run(call)).await,
        Family::Event => Box::pin(event::run(call)).await,
        Family::File => Box::pin(file::run(call)).await,
        Family::FileChange => Box::pin(file_change::run(call)).await,
        Family::Input => Box::pin(input::run(call)).await,
        Family::Logcat => Box::pin(logcat::run(call)).await,
        Family::Package => Box::pin(package::run(call)).await,
        Family::Process => Box::pin(process::run(call)).await,
        Family::Property => Box::pin(property::run(call)).await,
        Family::Text => Box::pin(text::run(call)).await,
        Family::Ui => Box::pin(ui::run(call)).await,
        Family::Window => Box::pin(window::run(call)).await,
        Family::Services => Ok(0),
    }
}

async fn services(call: Call<'_>) -> CommandResult {
    let inner = call.next();
    match inner.name() {
        "activity" => Box::pin(activity::am(inner)).await,
        "package" => Box::pin(package::run(inner)).await,
        other => {
            call.fail(format!("cmd: Can't find service: {other}"), 20)
                .await
        }
    }
}
