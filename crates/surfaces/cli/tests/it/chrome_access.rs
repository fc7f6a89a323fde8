//! Access to a running browser, and what happens when its broker process ends.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::chrome::{User, call_browser, new_tab, warning_codes};
use crate::run::{accessible_temp_dir, copy_program, finish, program_at, until};

/// The user id of `nobody`, the other user.
const NOBODY: u32 = 65534;

fn path_of(endpoint: &Value) -> PathBuf {
    endpoint
        .as_str()
        .unwrap()
        .strip_prefix("unix://")
        .unwrap()
        .into()
}

fn pid_of(process: &Value) -> u32 {
    u32::try_from(process.as_u64().unwrap()).unwrap()
}

/// The parent of a process.
fn parent(pid: u32) -> u32 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"));
    line.unwrap().trim().parse().unwrap()
}

/// Whether a process is running.
fn runs(pid: u32) -> bool {
    let line = fs::read(format!("/proc/{pid}/cmdline"));
    line.is_ok_and(|line| !line.is_empty())
}

fn kill(pid: u32, signal: &str) {
    let mut command = Command::new("kill");
    let sent = command.args([signal, &pid.to_string()]).status();
    assert!(sent.unwrap().success());
}

fn kinds(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.path().extension()?.to_str().map(str::to_owned))
        .collect();
    names.sort();
    names
}

#[test]
fn only_owner_can_connect_to_browser() {
    let user = User::new("access");
    let started = user.run("chrome start").success();
    assert_eq!(testkit::listening_ports(pid_of(&started["pid"])), [0; 0]);
    assert_eq!(started.get("port"), None, "{started}");
    let socket = path_of(&started["endpoint"]);
    let found = fs::symlink_metadata(&socket).unwrap();
    assert!(found.file_type().is_socket());
    assert_eq!(found.mode() & 0o777, 0o600);
    for folder in socket.ancestors().skip(1).take(2) {
        assert_eq!(fs::metadata(folder).unwrap().mode() & 0o777, 0o700);
    }
    let endpoint = started["endpoint"].as_str().unwrap();
    let snapshot = ["snapshot", "--cdp", endpoint];
    user.run(&snapshot).success();
}

/// The folder denies other users access; if it is open, the socket does.
#[test]
fn other_users_cannot_connect_to_browser_as_root() {
    let user = User::in_folder(&accessible_temp_dir(), "access-as-root", "");
    let started = user.run("chrome start").success();
    let socket = path_of(&started["endpoint"]);
    let snapshot = ["snapshot", "--cdp", started["endpoint"].as_str().unwrap()];
    let program = user.file("program");
    copy_program(&program);
    let home = user.file("nobody");
    fs::create_dir(&home).unwrap();
    std::os::unix::fs::chown(&home, Some(NOBODY), Some(NOBODY)).unwrap();
    let open = |mode| {
        for folder in socket.ancestors().skip(1).take(2) {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
            fs::set_permissions(folder, mode).unwrap();
        }
    };
    for mode in [0o700, 0o755] {
        open(mode);
        let mut command = program_at(&program);
        command.args(snapshot);
        for folder in ["XDG_RUNTIME_DIR", "HOME", "TMPDIR"] {
            command.env(folder, &home);
        }
        command.uid(NOBODY).gid(NOBODY);
        let refused = finish(&mut command, None).failure("CHROME_UNREACHABLE");
        assert!(
            refused.to_string().contains("Permission denied"),
            "{refused}"
        );
    }
    open(0o700);
}

#[test]
fn port_is_opened_on_request_with_warning() {
    let user = User::new("port");
    let started = user.run("chrome start --port 0").success();
    let endpoint = started["port"]["endpoint"].as_str().unwrap();
    let opens = started["port"]["opens"].as_str().unwrap();
    assert!(opens.contains("Every user of this computer"), "{started}");
    let ports = testkit::listening_ports(pid_of(&started["pid"]));
    let [port] = &*ports else {
        panic!("{ports:?}");
    };
    assert_eq!(endpoint, format!("http://127.0.0.1:{port}"));
    // Port and socket lead to the same browser.
    let tab = new_tab(started["endpoint"].as_str().unwrap(), "about:blank");
    let device = format!("chrome:{tab}");
    let seen = user.run(&["snapshot", "--cdp", endpoint, "--device", &device]);
    seen.success();
    assert_eq!(user.browsers()[0]["port"], started["port"]);
    let stopped = user.run(&["chrome", "stop", endpoint]).success();
    assert_eq!(stopped["stopped"][0]["pid"], started["pid"]);
}

#[test]
fn browser_without_broker_ends_and_is_replaced() {
    let user = User::new("broker");
    user.open("First", "<p>gone");
    let first = user.browsers().remove(0);
    let pid = pid_of(&first["pid"]);
    let socket = path_of(&first["endpoint"]);
    let broker = parent(pid);
    kill(broker, "-KILL");
    until("the process that held the pipe has ended", || !runs(broker));
    let opened = user.open("Second", "<p>here");
    assert_eq!(warning_codes(&opened), ["BROWSER_STARTED"]);
    assert!(!runs(pid));
    assert!(!socket.exists());
    assert!(!Path::new(first["profile"].as_str().unwrap()).exists());
    let browsers = user.browsers();
    assert_eq!(browsers.len(), 1, "{browsers:?}");
    assert_ne!(browsers[0]["pid"], first["pid"]);
    assert!(user.snapshot("chrome").contains("here"));
}

#[test]
fn closed_browser_leaves_nothing() {
    for by_signal in [false, true] {
        let user = User::new(if by_signal { "ended" } else { "closed" });
        let started = user.run("chrome start").success();
        let socket = path_of(&started["endpoint"]);
        let broker = parent(pid_of(&started["pid"]));
        if by_signal {
            kill(broker, "-TERM");
        } else {
            call_browser(
                started["endpoint"].as_str().unwrap(),
                "Browser.close",
                &json!({}),
            );
        }
        until("the process that held the pipe has ended", || !runs(broker));
        assert!(!runs(pid_of(&started["pid"])));
        // The daemon exits by itself; the start lock remains.
        until("the files of the browser are gone", || {
            let remaining = kinds(socket.parent().unwrap());
            ["json", "socket", "starting"]
                .iter()
                .all(|kind| !remaining.iter().any(|left| left == kind))
        });
        assert!(!Path::new(started["profile"].as_str().unwrap()).exists());
    }
}

#[test]
fn killed_start_leaves_no_browser() {
    let user = User::new("start-killed");
    let folder = user.file("clawperator").join("browsers");
    let mut starting = user.spawn("chrome start");
    until("the browser starts", || {
        folder.is_dir() && kinds(&folder).iter().any(|kind| kind == "starting")
    });
    starting.kill().unwrap();
    starting.wait().unwrap();
    until("nothing of it is left", || {
        !kinds(&folder).iter().any(|kind| kind != "lock")
    });
    let left = fs::read_dir(user.profiles()).into_iter().flatten().count();
    assert_eq!(left, 0);
    assert_eq!(user.browsers(), [Value::Null; 0]);
}

#[test]
fn killed_command_leaves_no_session() {
    let user = User::new("no-session");
    user.open("Page", "<p>here");
    let endpoint = user.browsers()[0]["endpoint"].as_str().unwrap().to_owned();
    let tab = new_tab(&endpoint, "data:text/html,<title>Two</title>");
    let is_attached = || {
        let info = call_browser(
            &endpoint,
            "Target.getTargetInfo",
            &json!({ "targetId": tab }),
        );
        info["targetInfo"]["attached"] == true
    };
    let device = format!("chrome:{tab}");
    // A command with its own log level does not use the daemon.
    let wait = [
        "wait",
        "--text",
        "Never",
        "--timeout",
        "60000",
        "--device",
        &device,
    ];
    let mut waiting = user.spawn(&[&wait[..], &["--log-level", "warn"]].concat());
    until("it is attached", is_attached);
    waiting.kill().unwrap();
    waiting.wait().unwrap();
    until("no client is attached", || !is_attached());
    assert!(user.snapshot(&device).contains("Two"));
}
