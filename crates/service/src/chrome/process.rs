//! Processes of browsers that outlive the command that started them: whether one is there, and its end by force.

use std::path::Path;
use std::process::{Command, Stdio};

/// Whether the process of this number is a browser with this profile. A number alone may be another's by now.
pub(super) fn runs(pid: u32, profile: &Path) -> bool {
    command_line(pid).is_some_and(|line| {
        let profile = profile.to_string_lossy();
        line.contains(&*profile)
    })
}

#[cfg(target_os = "linux")]
fn command_line(pid: u32) -> Option<String> {
    // That of a process that has ended and waits for its parent is empty.
    let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(all(unix, not(target_os = "linux")))]
fn command_line(pid: u32) -> Option<String> {
    let pid = pid.to_string();
    let mut ps = Command::new("ps");
    ps.args(["-ww", "-o", "command=", "-p", &pid]);
    let said = ps.stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&said.stdout).into_owned())
}

#[cfg(windows)]
fn command_line(pid: u32) -> Option<String> {
    let query = format!("(Get-CimInstance Win32_Process -Filter \"ProcessId={pid}\").CommandLine");
    let mut shell = Command::new("powershell");
    shell.args(["-NoProfile", "-NonInteractive", "-Command", &query]);
    let said = shell.stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&said.stdout).into_owned())
}

/// Ends a process that does not end when it is asked, with its helpers: a page whose scripts never end outlives its browser
/// otherwise. A browser that was started from here leads a group of its own.
pub(super) fn kill(pid: u32) -> std::io::Result<()> {
    #[cfg(unix)]
    let group = format!("-{pid}");
    #[cfg(windows)]
    let pid = pid.to_string();
    #[cfg(unix)]
    let (program, arguments) = ("kill", ["-s", "KILL", "--", &*group]);
    #[cfg(windows)]
    let (program, arguments) = ("taskkill", ["/F", "/T", "/PID", &*pid]);
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let status = command.status()?;
    if status.success() {
        Ok(())
    } else {
        let arguments = arguments.join(" ");
        Err(std::io::Error::other(format!(
            "{program} {arguments}: {status}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_what_it_was_started_with() {
        let own = std::env::current_exe().unwrap();
        assert!(runs(std::process::id(), &own));
        assert!(!runs(std::process::id(), Path::new("/no/profile/of/ours")));
        assert!(!runs(u32::MAX - 1, &own));
    }
}
