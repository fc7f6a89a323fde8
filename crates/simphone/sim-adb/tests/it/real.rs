//! The phone with the program adb, through an adb server that the test starts.
//!
//! The program is `adb`, or what `CLAWPERATOR_TEST_ADB` names: `./check` runs these tests with an old and with a new one.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sim_adb::{Access, AdbPhone, Options, WireFault};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use crate::fixture::*;

/// The time limit of a call, long enough for a loaded machine.
const TIME_LIMIT: Duration = Duration::from_secs(60);

fn program() -> std::ffi::OsString {
    std::env::var_os("CLAWPERATOR_TEST_ADB").unwrap_or_else(|| "adb".into())
}

struct Adb {
    port: u16,
    home: PathBuf,
    address: String,
    adb_phone: AdbPhone,
}

impl Drop for Adb {
    fn drop(&mut self) {
        let killed = std::process::Command::new(program())
            .args(["-P", &self.port.to_string(), "kill-server"])
            .env("HOME", &self.home)
            .output();
        drop(killed);
        drop(std::fs::remove_dir_all(&self.home));
    }
}

impl Adb {
    async fn start(options: Options) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let (adb_phone, address) = serve(options).await;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let home = std::env::temp_dir().join(format!("sim-adb-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&home).unwrap();
        let adb = Self {
            port: testkit::free_port(),
            home,
            address,
            adb_phone,
        };
        let started = adb.run(&["start-server"]).await;
        assert!(started.status.success(), "{started:?}");
        adb
    }

    async fn connected(options: Options) -> Self {
        let adb = Self::start(options).await;
        let output = adb.run(&["connect", &adb.address]).await;
        assert_eq!(
            text(&output.stdout),
            format!("connected to {}\n", adb.address)
        );
        adb.ok(&["wait-for-device"]).await;
        adb
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program());
        command
            .args(args)
            .env("HOME", &self.home)
            .env("ANDROID_ADB_SERVER_PORT", self.port.to_string())
            .env_remove("ANDROID_SERIAL")
            .env_remove("ADB_SERVER_SOCKET")
            .env_remove("ANDROID_ADB_SERVER_ADDRESS")
            .envs(testkit::NO_SCAN)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    async fn run(&self, args: &[&str]) -> Output {
        match tokio::time::timeout(TIME_LIMIT, self.command(args).output()).await {
            Ok(Ok(output)) => output,
            Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => {
                panic!(
                    "the program adb is not installed; `./check` installs it, and so does `apt-get install adb`"
                )
            }
            Ok(Err(error)) => panic!("adb {args:?}: {error}"),
            Err(_) => panic!("adb {args:?} did not end"),
        }
    }

    async fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args).await;
        assert!(output.status.success(), "adb {args:?}: {output:?}");
        text(&output.stdout)
    }

    /// Asserts that a call fails with this message, which versions of adb print to either stream.
    async fn fails(&self, args: &[&str], message: &str) {
        let output = self.run(args).await;
        let printed = text(&output.stdout) + &text(&output.stderr);
        assert!(!output.status.success(), "adb {args:?}: {output:?}");
        assert!(printed.contains(message), "adb {args:?}: {output:?}");
    }

    /// Runs a call with text on its standard input.
    async fn run_with_input(&self, args: &[&str], input: &str) -> Output {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).await.unwrap();
        drop(stdin);
        tokio::time::timeout(TIME_LIMIT, child.wait_with_output())
            .await
            .unwrap()
            .unwrap()
    }

    fn file(&self, name: &str) -> String {
        self.home.join(name).to_str().unwrap().to_owned()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn write(path: &str, bytes: &[u8]) {
    std::fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn commands_have_streams_and_statuses() {
    let adb = Adb::connected(in_app(FORMS)).await;
    assert_eq!(adb.ok(&["get-state"]).await, "device\n");
    assert_eq!(
        adb.ok(&["get-serialno"]).await,
        format!("{}\n", adb.address)
    );
    let devices = adb.ok(&["devices", "-l"]).await;
    assert!(
        devices.contains("product:sim_phone model:Simulated_phone device:sim"),
        "{devices}"
    );
    assert_eq!(adb.ok(&["shell", "echo", "hi"]).await, "hi\n");
    let output = adb.run(&["shell", "echo out; echo err >&2; exit 3"]).await;
    assert_eq!(
        (
            output.status.code(),
            text(&output.stdout).as_str(),
            text(&output.stderr).as_str()
        ),
        (Some(3), "out\n", "err\n")
    );
    let output = adb.run(&["shell", "nonsense"]).await;
    assert_eq!(output.status.code(), Some(127));
    // Standard input and its end reach the command.
    let output = adb
        .run_with_input(&["shell", "cat"], &"x".repeat(300_000))
        .await;
    assert_eq!(output.stdout.len(), 300_000);
    // Without a command the shell reads lines.
    let output = adb
        .run_with_input(
            &["shell"],
            "x=1\necho $x\nif :\nthen echo then; fi\nexit 4\n",
        )
        .await;
    assert_eq!(
        (text(&output.stdout).as_str(), output.status.code()),
        ("1\nthen\n", Some(4))
    );
    let png = adb.run(&["exec-out", "screencap", "-p"]).await.stdout;
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let dump = adb
        .ok(&["exec-out", "uiautomator", "dump", "/dev/tty"])
        .await;
    assert!(
        dump.ends_with("</hierarchy>UI hierchary dumped to: /dev/tty\n"),
        "{dump}"
    );
    let output = adb.run(&["root"]).await;
    assert!(
        text(&output.stdout).contains("cannot run as root in production builds"),
        "{output:?}"
    );
    adb.fails(&["bugreport", &adb.file("bug.zip")], "").await;
}

#[tokio::test]
async fn files_are_pushed_pulled_and_listed() {
    let adb = Adb::connected(quick()).await;
    let bytes: Vec<u8> = (0..1_000_000_u32).map(|n| (n % 251) as u8).collect();
    write(&adb.file("tree/big"), &bytes);
    write(&adb.file("tree/in/ner"), b"inner");
    std::fs::create_dir_all(adb.file("tree/empty")).unwrap();
    adb.ok(&["push", &adb.file("tree/big"), "/sdcard/big"])
        .await;
    adb.ok(&["push", &adb.file("tree"), "/sdcard/made/here"])
        .await;
    assert_eq!(
        adb.ok(&["shell", "cat /sdcard/made/here/in/ner"]).await,
        "inner"
    );
    adb.ok(&["pull", "/sdcard/made/here", &adb.file("back")])
        .await;
    assert_eq!(std::fs::read(adb.file("back/big")).unwrap(), bytes);
    assert_eq!(std::fs::read(adb.file("back/in/ner")).unwrap(), b"inner");
    let listed = adb.ok(&["ls", "/sdcard/made/here"]).await;
    assert!(
        listed
            .lines()
            .any(|line| line.ends_with(" big") && line.contains("000f4240")),
        "{listed}"
    );
    for (args, message) in [
        (
            ["pull", "/sdcard/none", &adb.file("none")],
            "No such file or directory",
        ),
        (["push", &adb.file("tree/big"), "/system/big"], "Read-only"),
    ] {
        adb.fails(&args, message).await;
    }
    adb.adb_phone.faults().add(WireFault::FullDisk);
    let more = ["push", &adb.file("tree/big"), "/sdcard/more"];
    adb.fails(&more, "No space left on device").await;
    assert!(adb.adb_phone.files().meta("/sdcard/more").is_err());
}

const APP: &str = "app: com.test.own\nlabel: Own\nicon: star\nstart: main\nscreens:\n  main:\n    title: Own\n    body:\n      - text: \"Hello from adb\"\n";

#[tokio::test]
async fn apps_are_installed_and_uninstalled() {
    let adb = Adb::connected(quick()).await;
    write(&adb.file("own.apk"), APP.as_bytes());
    let output = adb.ok(&["install", "-r", &adb.file("own.apk")]).await;
    assert!(output.contains("Success"), "{output}");
    adb.ok(&["shell", "am start -n com.test.own/.MainActivity"])
        .await;
    assert!(
        adb.ok(&["exec-out", "uiautomator dump /dev/tty"])
            .await
            .contains("Hello from adb")
    );
    // Older versions of adb push the file first.
    adb.ok(&["push", &adb.file("own.apk"), "/data/local/tmp/own.apk"])
        .await;
    assert_eq!(
        adb.ok(&["shell", "pm install -r /data/local/tmp/own.apk"])
            .await,
        "Success\n"
    );
    assert!(
        adb.ok(&["shell", "dumpsys package com.test.own"])
            .await
            .contains("versionCode=2")
    );
    write(&adb.file("bad.apk"), b"app: com.test.bad\n");
    adb.fails(&["install", &adb.file("bad.apk")], "INSTALL_PARSE_FAILED")
        .await;
    assert_eq!(adb.ok(&["uninstall", "com.test.own"]).await, "Success\n");
    assert_eq!(adb.ok(&["shell", "pm list packages com.test"]).await, "");
    adb.fails(&["uninstall", "com.test.own"], "Failure").await;
}

#[tokio::test]
async fn log_is_read_and_reboot_keeps_files() {
    let adb = Adb::connected(quick()).await;
    adb.ok(&["shell", "log -t Mine 'a word'; log -t Other no"])
        .await;
    let output = adb.ok(&["logcat", "-d", "-v", "raw", "-s", "Mine"]).await;
    assert_eq!(output, "--------- beginning of main\na word\n");
    // Without `-d` logcat follows the log.
    let mut child = adb
        .command(&["logcat", "-v", "raw", "-s", "Live"])
        .spawn()
        .unwrap();
    let mut lines = child.stdout.take().unwrap();
    let mut seen = String::new();
    let mut buffer = [0; 4096];
    while !seen.contains("now") {
        adb.adb_phone
            .log()
            .write(1, sim_adb::Priority::Info, "Live", "now");
        let read = tokio::time::timeout(TIME_LIMIT, lines.read(&mut buffer))
            .await
            .unwrap()
            .unwrap();
        assert!(read > 0, "{seen}");
        seen.push_str(&text(&buffer[..read]));
    }
    child.kill().await.unwrap();
    adb.ok(&["logcat", "-c"]).await;
    assert_eq!(adb.ok(&["logcat", "-d"]).await, "");

    adb.ok(&[
        "shell",
        "echo kept > /sdcard/kept; am start -n com.example.shop/.MainActivity",
    ])
    .await;
    let mut boots = 0;
    adb.ok(&["reboot"]).await;
    // The old connection ends; a new one reaches the rebooted phone.
    let focus = loop {
        boots += 1;
        assert!(boots < 100, "the phone did not come back");
        adb.run(&["connect", &adb.address]).await;
        let output = adb
            .run(&[
                "-s",
                &adb.address,
                "shell",
                "dumpsys window | grep mCurrentFocus",
            ])
            .await;
        if output.status.success() && !text(&output.stdout).contains("shop") {
            break text(&output.stdout);
        }
    };
    assert!(focus.contains("launcher3"), "{focus}");
    assert_eq!(adb.ok(&["shell", "cat /sdcard/kept"]).await, "kept\n");
}

#[tokio::test]
async fn unknown_key_is_unauthorized() {
    let adb = Adb::start(Options {
        access: Access::Keys { known: Vec::new() },
        ..quick()
    })
    .await;
    adb.run(&["connect", &adb.address]).await;
    let devices = adb.ok(&["devices"]).await;
    assert!(
        devices.contains(&format!("{}\tunauthorized", adb.address)),
        "{devices}"
    );
}
