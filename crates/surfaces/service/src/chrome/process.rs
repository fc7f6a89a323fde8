//! Browser processes that outlive the command that started them: checking and killing them.

use std::ffi::{OsStr, OsString};
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
#[cfg(not(target_os = "linux"))]
use std::process::{Command, Stdio};

/// Whether this pid is a browser of this user with this profile; the system may have given the pid to another process.
pub(super) fn runs(pid: u32, profile: &Path) -> bool {
    let mut argument = OsString::from("--user-data-dir=");
    argument.push(profile);
    pid > 1 && is_own(pid) && has_argument(pid, &argument)
}

#[cfg(target_os = "linux")]
fn is_own(pid: u32) -> bool {
    let Ok(status) = std::fs::read_to_string(format!("/proc/{pid}/status")) else {
        return false;
    };
    let uids = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    let real = uids.and_then(|uids| uids.split_whitespace().next()?.parse().ok());
    real == Some(rustix::process::getuid().as_raw())
}

#[cfg(target_os = "linux")]
fn has_argument(pid: u32, wanted: &OsStr) -> bool {
    // It is empty for a zombie.
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let mut arguments = line.split(|byte| *byte == 0);
    arguments.any(|argument| argument == wanted.as_bytes())
}

#[cfg(not(target_os = "linux"))]
fn is_own(pid: u32) -> bool {
    let user_id = rustix::process::getuid().as_raw().to_string();
    ps(pid, "uid=").trim() == user_id
}

#[cfg(not(target_os = "linux"))]
fn has_argument(pid: u32, argument: &OsStr) -> bool {
    is_whole_word(&ps(pid, "command="), &argument.to_string_lossy())
}

/// What `ps` reports about a process.
#[cfg(not(target_os = "linux"))]
fn ps(pid: u32, what: &str) -> String {
    let pid = pid.to_string();
    let mut ps = Command::new("ps");
    ps.args(["-ww", "-o", what, "-p", &pid]);
    let output = ps.stdin(Stdio::null()).output();
    output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default()
}

/// Whether a command line without separators contains this argument, with only whitespace around it.
#[cfg(any(not(target_os = "linux"), test))]
fn is_whole_word(line: &str, argument: &str) -> bool {
    let is_space = |letter: Option<char>| letter.is_none_or(char::is_whitespace);
    line.match_indices(argument).any(|(at, _)| {
        is_space(line[..at].chars().next_back())
            && is_space(line[at + argument.len()..].chars().next())
    })
}

/// Kills a process and its helpers, which lead or belong to one process group: a page with an endless script outlives its
/// browser otherwise.
pub(super) fn kill(pid: u32) -> std::io::Result<()> {
    let group = i32::try_from(pid).ok().filter(|pid| *pid > 1);
    let Some(group) = group.and_then(rustix::process::Pid::from_raw) else {
        return Err(std::io::ErrorKind::InvalidInput.into());
    };
    let killed = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    Ok(killed?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_matched_as_a_whole() {
        let argument = "--user-data-dir=/a/b c";
        for line in [
            "chrome --user-data-dir=/a/b c --headless",
            "--user-data-dir=/a/b c",
            "x --user-data-dir=/a/b c2 --user-data-dir=/a/b c",
        ] {
            assert!(is_whole_word(line, argument), "{line}");
        }
        for line in [
            "",
            "chrome --user-data-dir=/a/b",
            "chrome --user-data-dir=/a/b c2",
            "chrome x--user-data-dir=/a/b c",
            "vi /a/b c",
        ] {
            assert!(!is_whole_word(line, argument), "{line}");
        }
    }

    #[test]
    fn other_processes_are_not_browsers() {
        let own = std::env::current_exe().unwrap();
        for pid in [0, 1, std::process::id(), u32::MAX - 1] {
            assert!(!runs(pid, &own), "{pid}");
        }
        for pid in [0, 1, u32::MAX] {
            assert!(kill(pid).is_err(), "{pid}");
        }
    }
}
