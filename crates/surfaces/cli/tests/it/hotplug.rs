//! Phones that connect and disconnect, and servers that stop.

use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Stdio};

use serde_json::Value;

use crate::phones::User;
use crate::run::TimeLimit;

/// A running watch.
struct Watch {
    child: Child,
    _limit: TimeLimit,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Watch {
    fn start(user: &User) -> Self {
        let mut command = user.command("devices --watch");
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self {
            _limit: TimeLimit::start(&child),
            child,
            lines,
        }
    }

    /// Reads lists, one per line, until one satisfies a condition.
    fn until(&mut self, what: &str, is_met: impl Fn(&[(String, String)]) -> bool) {
        let mut lists = Vec::new();
        for line in self.lines.by_ref() {
            let document: Value = serde_json::from_str(&line.unwrap()).unwrap();
            let devices: Vec<(String, String)> = document["devices"]
                .as_array()
                .unwrap()
                .iter()
                .map(|device| {
                    let text = |key: &str| device[key].as_str().unwrap().to_owned();
                    (text("serial"), text("state"))
                })
                .collect();
            assert_ne!(
                lists.last(),
                Some(&devices),
                "the same list is reported once"
            );
            if is_met(&devices) {
                return;
            }
            lists.push(devices);
        }
        panic!("{what} was not reported: {lists:?}");
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn has(devices: &[(String, String)], serial: &str) -> bool {
    devices
        .iter()
        .any(|(listed, state)| listed == serial && state == "device")
}

#[test]
fn watch_reports_phones_and_adb_server() {
    let user = User::with_adb("watch");
    let mut watch = Watch::start(&user);
    watch.until("no phone", |devices| devices.is_empty());
    let first = user.start("");
    watch.until("the first", |devices| has(devices, &first));
    let second = user.start("");
    watch.until("both", |devices| {
        has(devices, &first) && has(devices, &second)
    });
    user.run(&["sim", "stop", &first]).success();
    watch.until("only the second", |devices| {
        !has(devices, &first) && has(devices, &second)
    });
    user.kill_server();
    watch.until("the end of the server", |devices| devices.is_empty());
    // The server runs again, and the phone is connected to it.
    assert!(user.adb(&["connect", &second]).status.success());
    watch.until("the second again", |devices| has(devices, &second));
}

#[test]
fn devices_wait_has_time_limit() {
    let user = User::with_adb("wait");
    let serial = user.start("");
    user.run(&["devices", "--wait", &serial]).success();
    let late = user.run("devices --wait without_adb --within 300");
    let late = late.failure("DEVICE_NOT_FOUND");
    assert!(
        late["details"]["waitedMs"].as_u64().unwrap() >= 300,
        "{late}"
    );
    // A phone that disconnects and returns during the wait.
    user.adb(&["disconnect", &serial]);
    let mut waiting = user.command(&["devices", "--wait", &serial]);
    let waiting = waiting.stdout(Stdio::piped()).spawn().unwrap();
    let _limit = TimeLimit::start(&waiting);
    assert!(user.adb(&["connect", &serial]).status.success());
    let ended = waiting.wait_with_output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    assert!(String::from_utf8(ended.stdout).unwrap().contains(&serial));
    // A restarted phone has the same serial.
    user.adb(&["-s", &serial, "reboot"]);
    assert!(user.adb(&["connect", &serial]).status.success());
    user.run(&["devices", "--wait", &serial]).success();
    user.run(&["press", "home", "--device", &serial]).success();
    let without_adb = User::without_adb("wait-without");
    without_adb
        .run("devices --wait x --within 300")
        .failure("ADB_NOT_FOUND");
    without_adb.run("devices --watch").failure("ADB_NOT_FOUND");
}

#[test]
fn adb_servers_have_separate_phones() {
    let (one, other) = (User::with_adb("one"), User::with_adb("other"));
    let (first, second) = (one.start(""), other.start(""));
    one.run(&["press", "home", "--device", &first]).success();
    other.run(&["press", "home", "--device", &second]).success();
    one.run(&["press", "home", "--device", &second])
        .failure("DEVICE_NOT_FOUND");
    other
        .run(&["press", "home", "--device", &first])
        .failure("DEVICE_NOT_FOUND");
    // `ADB_SERVER_SOCKET` names the same server and takes precedence.
    let mut by_socket = one.command(&["press", "home", "--device", &second]);
    by_socket.env(
        "ADB_SERVER_SOCKET",
        format!("tcp:127.0.0.1:{}", other.port()),
    );
    crate::run::finish(&mut by_socket, None).success();
    // The server of one ends; the other's phone does not notice.
    one.kill_server();
    other.run(&["press", "home", "--device", &second]).success();
}
