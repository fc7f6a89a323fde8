//! The values of flags: times, directions, JSON, flags without effect, and very long arguments.

use crate::flags::param;
use crate::run::{run, words};

#[test]
fn invalid_timeouts_have_same_form() {
    for argv in [
        "snapshot",
        "screenshot",
        "click --text x",
        "open a.b",
        "read --text x",
        "read-value --label x",
        "press back",
        "close a.b",
        "sleep 10",
        "scroll down",
        "scroll-until --text x",
        "wait --text x",
        "wait-for-nav --app a.b",
        "exec {}",
        "back",
        "type a --id x",
        "scroll-and-click --text x",
    ] {
        for timeout in ["abc", "0", "-1", "120001", "Infinity"] {
            let argv = format!("{argv} --validate-only --timeout {timeout}");
            let document = run(&argv).failure("EXECUTION_VALIDATION_FAILED");
            let message = document["message"].as_str().unwrap();
            let named = if timeout.parse::<f64>().is_ok_and(f64::is_finite) {
                timeout.to_owned()
            } else {
                format!("\"{timeout}\"")
            };
            let (range, wrong) = message
                .strip_prefix("timeoutMs must be ")
                .and_then(|rest| rest.split_once(", not "))
                .unwrap();
            assert_eq!(wrong, named, "{argv:?}");
            let own = match words(&argv)[0] {
                "wait" => "above 0 and at most 120000",
                "wait-for-nav" => "above 0 and at most 30000",
                _ => "between 1000 and 120000",
            };
            assert_eq!(range, own, "{argv:?}");
            assert_eq!(document["details"]["path"], "timeoutMs", "{argv:?}");
            assert_eq!(
                document["details"]["problems"],
                serde_json::json!([{
                    "path": "timeoutMs",
                    "message": format!("must be {range}, not {wrong}"),
                }]),
                "{argv:?}"
            );
        }
    }
}

#[test]
fn directions_ignore_case() {
    for argv in [
        &["scroll", "DOWN"][..],
        &["scroll", " Down "],
        &["scroll", "--direction", "dOWN"],
        &["scroll-until", "--text", "x", "--direction", "Down"],
        &["scroll-and-click", "Down", "--text", "x"],
    ] {
        assert_eq!(param(argv, &[], "direction"), "down", "{argv:?}");
    }
}

#[test]
fn long_arguments_are_truncated_in_errors() {
    let long = "x".repeat(60_000);
    let dashes = format!("--{long}");
    for argv in [
        &[long.as_str()][..],
        &["click", &dashes],
        &["click", &long],
        &["press", &long],
        &["press", "back", "--key", &long],
        &["open", "a.b", &long],
        &["sleep", &long],
        &["scroll", &long],
        &["scroll-until", "--text", "x", &long],
        &["exec", &long],
        &["exec", "{}", "--payload", &long],
        &["completions", &long],
        &["help", &long],
        &["click", "--coordinate", &long, "1"],
        &["click", "--text", &long],
        &["click", "--text", "x", "--timeout", &long],
        &["snapshot", "--log-level", &long],
    ] {
        let ran = run(argv);
        assert_eq!(ran.exit, 1, "{:.100?}", argv);
        assert!(
            ran.stdout.len() < 1_000,
            "{:.100?}: {}",
            argv,
            ran.stdout.len()
        );
    }
    let odd = run(&["version", "--output", &long]);
    assert!(odd.stderr.len() < 1_000, "{}", odd.stderr.len());
}
