//! `--output line` and `--observe`.

use crate::run::run;

#[test]
fn step_is_one_line_with_its_effect() {
    let opened = run("open com.android.settings --device sim --output line");
    assert_eq!(opened.exit, 0, "{}", opened.stdout);
    assert_eq!(
        opened.stdout.trim_end(),
        "ok open_app com.android.settings · app com.android.settings"
    );
    let missing = run("click --text Nowhere --device sim --output line");
    assert_eq!(missing.exit, 1, "{}", missing.stdout);
    assert_eq!(missing.stdout.lines().count(), 1, "{}", missing.stdout);
    let begin = "failed click \"Nowhere\" NODE_NOT_FOUND · ";
    assert!(missing.stdout.starts_with(begin), "{}", missing.stdout);
    let refused = run("click --device sim --output line");
    assert_eq!(refused.exit, 1);
    assert!(
        refused.stdout.starts_with("failed MISSING_SELECTOR · "),
        "{}",
        refused.stdout
    );
}

#[test]
fn batch_prints_a_line_for_each_step() {
    let actions = serde_json::json!([
        {"id": "o", "type": "open_app", "params": {"applicationId": "com.android.settings"}},
        {"id": "c", "type": "click", "params": {"matcher": "listitem \"Connections\""}, "observe": "diff"},
        {"id": "w", "type": "click", "params": {"matcher": {"text": "Nowhere"}, "retry": {"maxAttempts": 1}}},
    ]);
    let plan = testkit::plan("c", actions).to_string();
    let printed = |flags: &[&str]| run(&[&["exec", &*plan, "--device", "sim"][..], flags].concat());
    let batch = printed(&["--batch"]);
    assert_eq!(batch.exit, 1, "{}", batch.stdout);
    assert_eq!(batch.stdout, printed(&["--output", "line"]).stdout);
    let lines: Vec<&str> = batch.stdout.lines().collect();
    assert_eq!(
        lines[..2],
        [
            "ok open_app com.android.settings · app com.android.settings",
            "ok click listitem \"Connections\" · screen \"Connections\"",
        ],
        "{}",
        batch.stdout
    );
    // The new screen of the step that asks for it.
    assert!(lines[2].starts_with("application com.android.settings"));
    let last = lines.last().unwrap();
    assert!(
        last.starts_with("failed click \"Nowhere\" NODE_NOT_FOUND"),
        "{last}"
    );
}

#[test]
fn what_is_printed_is_a_matcher() {
    for flags in [
        ["--ref", "listitem \"Settings\""],
        ["--selector", "listitem \"Settings\""],
        ["--selector", "{\"line\": \"listitem \\\"Settings\\\"\"}"],
    ] {
        let command = [&["click"][..], &flags, &["--device", "sim", "--batch"]].concat();
        let clicked = run(&command);
        assert_eq!(
            clicked.stdout.trim_end(),
            "ok click listitem \"Settings\" · app com.android.settings"
        );
    }
    let several = run(&["click", "--ref", "tab \"A\" e1 \"B\" e2", "--device", "sim"]);
    let message = several.document()["message"].clone();
    assert!(
        message
            .as_str()
            .unwrap()
            .ends_with("has several elements; paste one of them, or its reference"),
        "{message}"
    );
}

#[test]
fn screen_and_changes_follow_the_lines() {
    let command = [
        "open",
        "com.android.settings",
        "--device",
        "sim",
        "--output",
        "line",
    ];
    let observed = run(&[&command[..], &["--observe", "diff"]].concat());
    assert_eq!(observed.exit, 0, "{}", observed.stdout);
    let mut lines = observed.stdout.lines();
    assert!(
        lines.next().unwrap().starts_with("ok open_app "),
        "{}",
        observed.stdout
    );
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("application com.android.settings"),
        "{}",
        observed.stdout
    );
    let json = run("sleep 1 --device sim --observe diff --json");
    assert_eq!(
        json.document()["envelope"]["changes"],
        "",
        "{}",
        json.stdout
    );
    let unused = run("devices --observe diff");
    assert_eq!(unused.exit, 1, "{}", unused.stdout);
    let invalid = run("press home --device sim --observe all");
    assert_eq!(invalid.exit, 1, "{}", invalid.stdout);
}

#[test]
fn screen_of_a_snapshot_step_follows_its_line() {
    let actions = serde_json::json!([
        {"id": "o", "type": "open_app", "params": {"applicationId": "com.android.settings"}},
        {"id": "s", "type": "snapshot_ui", "params": {"view": "text"}},
        {"id": "c", "type": "read_clipboard"},
    ]);
    let plan = testkit::plan("c", actions).to_string();
    let ran = run(&["exec", &plan, "--device", "sim", "--output", "line"]);
    assert_eq!(ran.exit, 0, "{}", ran.stdout);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[1].starts_with("ok snapshot_ui"), "{}", ran.stdout);
    assert!(
        lines[2].starts_with("application com.android.settings"),
        "{}",
        ran.stdout
    );
    assert!(
        lines.last().unwrap().starts_with("ok read_clipboard"),
        "{}",
        ran.stdout
    );
}

#[test]
fn command_that_ends_has_no_references() {
    let refused = run("click --ref e12 --device sim");
    assert_eq!(refused.exit, 1, "{}", refused.stdout);
    assert_eq!(
        refused.document()["envelope"]["errorCode"],
        "REF_NOT_AVAILABLE"
    );
    let malformed = run("click --ref 12 --device sim");
    assert_eq!(malformed.document()["code"], "EXECUTION_VALIDATION_FAILED");
    let both = run("click --ref e12 --text Save --device sim");
    assert_eq!(both.document()["code"], "EXECUTION_VALIDATION_FAILED");
}
