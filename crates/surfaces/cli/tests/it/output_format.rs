//! Output: exactly one document in the requested format.

use std::process::Stdio;

use crate::run::{assert_has, finish, program, run};

#[test]
fn errors_use_requested_format() {
    for argv in [
        "click",
        "nothing",
        "click --nothing",
        "--timeout",
        "open",
        "exec {}",
    ] {
        let compact = run(argv);
        assert_eq!(compact.stdout.lines().count(), 1, "{argv:?}");
        let pretty = run(&format!("--output pretty {argv}"));
        assert!(
            pretty.stdout.starts_with("{\n  \"code\": "),
            "{}",
            pretty.stdout
        );
        assert_eq!(pretty.document(), compact.document());
        assert_eq!((pretty.exit, compact.exit), (1, 1));
    }
}

#[test]
fn successes_use_requested_format() {
    assert_eq!(
        run("version").stdout,
        format!("{{\"cliVersion\":\"{}\"}}\n", env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(
        run("version --format=pretty").stdout,
        format!(
            "{{\n  \"cliVersion\": \"{}\"\n}}\n",
            env!("CARGO_PKG_VERSION")
        )
    );
    let odd = run("version --output yaml");
    assert_eq!(odd.success(), run("version").success());
    assert!(odd.stderr.contains("yaml"), "{}", odd.stderr);
}

#[test]
fn version_takes_precedence() {
    for argv in [
        "--version",
        "-V",
        "nothing --bad --version",
        "--timeout --version",
    ] {
        let ran = run(argv);
        assert_eq!(ran.stdout, format!("{}\n", env!("CARGO_PKG_VERSION")));
        assert_eq!(ran.exit, 0);
    }
}

#[test]
fn no_command_prints_short_help() {
    let ran = run("");
    let document = ran.failure("USAGE");
    assert_has(&document, "message", "--help");
    assert!(
        ran.stderr.starts_with("Usage: clawperator <command>"),
        "{}",
        ran.stderr
    );
    for argv in ["''", "--json", "--"] {
        run(argv).failure("USAGE");
    }
}

#[test]
fn devices_are_listed() {
    let document = run("devices").success();
    assert_eq!(
        document,
        serde_json::json!({
            "devices": [],
            "embedded": [{ "serial": "sim", "state": "embedded" }],
        })
    );
}

#[test]
fn unknown_device_without_adb_is_not_found() {
    let error = run("snapshot --device no-such-device").failure("ADB_NOT_FOUND");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("no-such-device") && message.contains("/nowhere/adb"),
        "{error}"
    );
}

#[test]
fn non_utf8_arguments_are_usage_errors() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let argv = [OsStr::new("open"), OsStr::from_bytes(b"caf\xE9")];
    let document = run(&argv).failure("USAGE");
    assert_has(&document, "message", "argument 2");
}

#[test]
fn closed_pipe_is_not_an_error() {
    let mut child = program()
        .arg("generate-docs")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn write_failure_is_an_error() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = program()
        .arg("version")
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(!output.stderr.is_empty());
}

#[test]
fn no_progress_without_terminal() {
    let ran = finish(
        program()
            .args(["snapshot", "--validate-only"])
            .env("CLICOLOR_FORCE", "1"),
        None,
    );
    ran.success();
    assert_eq!(ran.stderr, "");
}
