//! The rules of flags: missing, blank, conflicting, repeated and unknown ones.

use serde_json::Value;

use crate::run::{run, words};

/// The flags of a selector: the one for the whole matcher, then the others with the fields that they set.
type Family = (
    &'static str,
    &'static [(&'static str, &'static [&'static str], &'static str)],
);

const ELEMENT: Family = (
    "--selector",
    &[
        ("--text", &[], "textEquals"),
        ("--text-contains", &[], "textContains"),
        ("--id", &["--resource-id"], "resourceId"),
        ("--desc", &["--content-desc"], "contentDescEquals"),
        (
            "--desc-contains",
            &["--content-desc-contains"],
            "contentDescContains",
        ),
        ("--role", &[], "role"),
        ("--css", &[], "css"),
    ],
);

const CONTAINER: Family = (
    "--container-selector",
    &[
        ("--container-text", &[], "textEquals"),
        ("--container-text-contains", &[], "textContains"),
        ("--container-id", &["--container-resource-id"], "resourceId"),
        (
            "--container-desc",
            &["--container-content-desc"],
            "contentDescEquals",
        ),
        (
            "--container-desc-contains",
            &["--container-content-desc-contains"],
            "contentDescContains",
        ),
        ("--container-role", &[], "role"),
        ("--container-css", &[], "css"),
    ],
);

/// Commands with a selector, their other arguments, and the path of the matcher in the plan.
const WITH_ELEMENT: &[(&[&str], &str)] = &[
    (&["click"], "matcher"),
    (&["read"], "matcher"),
    (&["wait"], "matcher"),
    (&["scroll-until"], "matcher"),
    (&["scroll-and-click"], "matcher"),
    (&["wait-for-nav", "--timeout", "5000"], "expectedNode"),
];

const WITH_CONTAINER: &[(&[&str], &str)] = &[
    (&["click", "--text", "x"], "container"),
    (&["type", "hi", "--id", "x"], "container"),
    (&["read", "--text", "x"], "container"),
    (&["wait", "--text", "x"], "container"),
    (&["scroll", "down"], "container"),
    (&["scroll-until", "--text", "x"], "container"),
    (&["scroll-and-click", "--text", "x"], "container"),
];

fn with(base: &[&'static str], more: &[&'static str]) -> Vec<&'static str> {
    let mut argv = base.to_vec();
    argv.extend_from_slice(more);
    argv.push("--validate-only");
    argv
}

fn refused(base: &[&'static str], more: &[&'static str], part: &str) {
    let argv = with(base, more);
    let document = run(&argv).failure("EXECUTION_VALIDATION_FAILED");
    let message = document["message"].as_str().unwrap();
    assert!(message.contains(part), "{argv:?}: {message}");
}

pub(crate) fn param(base: &[&'static str], more: &[&'static str], key: &str) -> Value {
    run(&with(base, more)).success()["execution"]["actions"][0]["params"][key].clone()
}

#[test]
fn selector_flags_share_rules() {
    let families = [(ELEMENT, WITH_ELEMENT), (CONTAINER, WITH_CONTAINER)];
    for ((raw, simple), commands) in families {
        for (base, key) in commands {
            for (name, aliases, field) in simple {
                refused(
                    base,
                    &[name, "a", name, "a"],
                    "must not appear more than once",
                );
                refused(base, &[name], "requires a value");
                refused(base, &[name, "--json"], "requires a value");
                refused(base, &[name, ""], "blank");
                refused(base, &[name, "   "], "blank");
                refused(base, &[raw, r#"{"role":"a"}"#, name, "a"], "not both");
                assert_eq!(param(base, &[name, "-5"], key)[field], "-5");
                assert_eq!(param(base, &[name, " a "], key)[field], " a ");
                for alias in *aliases {
                    assert_eq!(param(base, &[alias, "a"], key)[field], "a");
                    refused(
                        base,
                        &[name, "a", alias, "b"],
                        "must not appear more than once",
                    );
                    refused(base, &[alias], alias);
                }
            }
            refused(base, &[raw], "requires a value");
            refused(base, &[raw, "--json"], "requires a value");
            refused(base, &[raw, ""], "blank");
            refused(base, &[raw, " "], "blank");
            refused(base, &[raw, "{bad"], "valid JSON");
            refused(base, &[raw, "-5"], "JSON object");
            for no_object in ["[]", "[1]", "null", "1", "\"a\"", "true"] {
                refused(base, &[raw, no_object], "JSON object");
            }
            refused(
                base,
                &[raw, r#"{"role":"a"}"#, raw, "{}"],
                "must not appear more than once",
            );
            assert_eq!(param(base, &[raw, r#"{"id":"x"}"#], key)["resourceId"], "x");
        }
    }
}

#[test]
fn contract_validates_raw_selector() {
    let path = |argv: &[&str]| {
        run(argv).failure("EXECUTION_VALIDATION_FAILED")["details"]["path"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(path(&["click", "--selector", "{}"]), "actions.0.params");
    assert_eq!(
        path(&["read", "--selector", "{}"]),
        "actions.0.params.matcher"
    );
    assert_eq!(
        path(&["wait", "--selector", r#"{"bogus":"x"}"#]),
        "actions.0.params.matcher"
    );
    assert_eq!(
        path(&["scroll", "down", "--container-selector", r#"{"role":1}"#]),
        "actions.0.params.container.role"
    );
}

#[test]
fn missing_selector_is_reported() {
    for argv in [
        "click",
        "tap --long",
        "read",
        "read --container-id x",
        "wait",
        "wait --timeout 5",
        "scroll-until",
        "scroll-and-click up",
        "type hi",
    ] {
        let document = run(argv).failure("MISSING_SELECTOR");
        let message = document["message"].as_str().unwrap();
        assert!(
            message.starts_with(&format!("{} requires a selector", words(argv)[0])),
            "{message}"
        );
        for flag in ["--id", "--desc-contains", "--role"] {
            assert!(message.contains(flag), "{message}");
        }
        assert_eq!(
            message.contains("--coordinate"),
            ["click", "tap"].contains(&words(argv)[0])
        );
    }
}

#[test]
fn missing_argument_is_reported() {
    for (argv, part) in [
        ("open", "open requires a target"),
        ("open '  '", "https://example.com"),
        ("open --app", "com.android.settings"),
        ("open --uri ''", "open requires a target"),
        ("type --id x", "type requires text"),
        ("type --text", "type requires text"),
        ("type --text '' --id x", "type requires text"),
        ("press", "press requires a key"),
        ("press --key ''", "back"),
        ("close", "close requires a package"),
        ("close ' '", "close requires a package"),
        ("sleep", "sleep requires a duration"),
        ("sleep ''", "sleep requires a duration"),
        ("scroll", "scroll requires a direction"),
        (
            "scroll sideways",
            "invalid value \"sideways\" for the direction (expected down, up, left or right)",
        ),
        ("scroll --direction ' '", "scroll requires a direction"),
        ("scroll --direction", "scroll requires a direction"),
        (
            "scroll-until --text x sideways",
            "invalid value \"sideways\"",
        ),
        ("wait-for-nav --text x", "--timeout"),
        ("wait-for-nav --timeout 5000", "--app or a selector"),
        ("read-value", "--label"),
        ("read-value --label-id ''", "--label"),
        ("exec", "exec requires an execution"),
        ("completions", "bash"),
    ] {
        let document = run(argv).failure("MISSING_ARGUMENT");
        let message = document["message"].as_str().unwrap();
        assert!(message.contains(part), "{argv:?}: {message}");
    }
}

#[test]
fn invalid_values_are_refused() {
    for (argv, part) in [
        ("click --coordinate -10 20", "two whole numbers"),
        ("click --coordinate 1 2 --coordinate 1 2", "more than once"),
        ("click --coordinate=1", "two whole numbers"),
        ("click --coordinate=1,2,3", "two whole numbers"),
        ("click --coordinate 1 2 --id x", "not both"),
        ("click --coordinate 1 2 --container-id x", "not both"),
        ("click --coordinate 1 2 --focus", "not supported"),
        ("click --text x --long --focus", "--long long-presses"),
        ("click --text x --timeout abc", "not \"abc\""),
        ("open a.b --app c.d", "one target"),
        ("open --uri x:y --app c.d", "one target"),
        ("type a --text b --id x", "not both"),
        ("type --text --role textfield", "--text requires a value"),
        ("type a --id x --clear --append", "--append"),
        ("press back --key home", "not both"),
        ("press --key back --key back", "more than once"),
        ("press nothing", "key"),
        ("press KEYCODE_BACK", "Use 'back'"),
        ("press 66", "Use 'enter'"),
        ("close a --app b", "not both"),
        ("sleep -1", "non-negative"),
        ("sleep -x", "non-negative"),
        ("sleep Infinity", "non-negative"),
        ("sleep 120001", "120001 ms"),
        ("sleep 5 --timeout abc", "not \"abc\""),
        ("scroll down --direction up", "not both"),
        ("scroll-until --text x --direction", "requires a value"),
        ("scroll-until --text x --direction ''", "must not be blank"),
        ("scroll-until up --text x --direction up", "not both"),
        (
            "wait --text x --timeout 0",
            "above 0 and at most 120000, not 0",
        ),
        (
            "wait --text x --timeout -5",
            "above 0 and at most 120000, not -5",
        ),
        ("wait-for-nav --app ' ' --timeout 5000", "--app"),
        ("wait-for-nav --app --timeout 5000", "--app"),
        (
            "wait-for-nav --app a --timeout x",
            "above 0 and at most 30000, not \"x\"",
        ),
        (
            "wait-for-nav --app a --timeout 30001",
            "above 0 and at most 30000, not 30001",
        ),
        ("read-value --label ' '", "--label"),
        (
            "read-value --label '' --label-id x",
            "the value of --label must not be blank",
        ),
        (
            "read-value --label x --content-desc=",
            "the value of --content-desc must not be blank",
        ),
        ("read-value --label-id x --text", "--text requires a value"),
        (
            "inspect '' --role button",
            "the description must not be blank",
        ),
        ("press home --key ''", "--key requires a value"),
        ("open a.b --app ''", "one target"),
        ("read-value --label a --text b", "the same flag"),
        ("read-value --label a --timeout abc", "not \"abc\""),
        ("read --text a --all", "requires --json"),
        ("read --text a --all --output pretty", "JSON output"),
        ("read-value --label a --all", "requires --json"),
        (
            "read-value --label a --all --json --output pretty",
            "JSON output",
        ),
        ("snapshot --timeout abc", "not \"abc\""),
        ("snapshot --timeout 999", "1000"),
    ] {
        let document = run(argv).failure("EXECUTION_VALIDATION_FAILED");
        let message = document["message"].as_str().unwrap();
        assert!(message.contains(part), "{argv:?}: {message}");
    }
}

#[test]
fn plan_timeouts_are_validated() {
    for argv in [
        "screenshot",
        "click --text x",
        "open a.b",
        "type a --id x",
        "read --text x",
        "press back",
        "back",
        "close a.b",
        "scroll down",
        "scroll-until --text x",
        "scroll-and-click --text x",
    ] {
        for timeout in ["999", "120001", "-5"] {
            let argv = format!("{argv} --validate-only --timeout {timeout}");
            let document = run(&argv).failure("EXECUTION_VALIDATION_FAILED");
            assert_eq!(document["details"]["path"], "timeoutMs", "{argv:?}");
        }
    }
    for argv in [
        ["sleep", "5", "--timeout", "120001"],
        ["wait", "--text=x", "--timeout", "120001"],
    ] {
        let document = run(&argv).failure("EXECUTION_VALIDATION_FAILED");
        assert_eq!(document["details"]["path"], "timeoutMs", "{argv:?}");
    }
}

#[test]
fn unknown_flags_are_usage_errors() {
    for (argv, suggestion) in [
        ("snapshot --tex", None),
        ("click --tex x", Some("--text")),
        ("click --devic sim", Some("--device")),
        ("exec --valdate-only x", Some("--validate-only")),
        ("exec --dryrun x", Some("--dry-run")),
        ("read --continer-id x", Some("--container-id")),
        ("snapshot --app x", None),
        ("scroll down --text x", None),
        ("read-value --label x --role y", None),
        ("click --foo=bar", None),
        ("click -long", Some("--long")),
        ("click Wi-Fi", None),
        ("tap 100 200", Some("--coordinate")),
        ("tap 100,200", Some("--coordinate")),
        ("click --x 1 --y 2", Some("--coordinate")),
        ("click #login", Some("--css")),
        ("click text=Wi-Fi", Some("--text")),
        ("read android:id/title", Some("--id")),
        ("type #user bob", Some("--css")),
        ("click --xpath //a", None),
        ("screenshot --out a.png", Some("--path")),
        ("screenshot -o a.png", Some("--path")),
        ("screenshot a.png", None),
        ("snapshot --serial x", Some("--device")),
        ("snapshot --pretty", Some("--output")),
        ("back home", None),
        ("open a.b c.d", None),
        ("exec --payload {} x", None),
        ("exec --on-failure", None),
        ("exec {} --on-failure retry", None),
        ("screenshot --path '  ' x", None),
        ("completions tcsh", None),
        ("snapshot --dry-run=yes", None),
        ("inspect x --role ''", None),
        ("inspect x --near ' '", None),
        ("selectors --ref ' '", None),
    ] {
        let document = run(argv).failure("USAGE");
        assert_eq!(
            document["suggestion"].as_str(),
            suggestion,
            "{argv:?} {document}"
        );
    }
}

#[test]
fn unknown_commands_have_suggestions() {
    for (argv, suggestion) in [
        ("snapshto", Some("snapshot")),
        ("opn", Some("open")),
        ("press-ke", Some("press-key")),
        ("ab", Some("tab")),
        ("wait-for", Some("wait")),
        ("foo", None),
        ("x", None),
        ("totally-unknown-command", None),
        ("action click", Some("click")),
        ("action open-app", Some("open")),
        ("action press-key", Some("press")),
        ("action", None),
        ("action nothing", None),
        ("inspect ui", Some("snapshot")),
        ("inspect_element", Some("inspect")),
        ("observe", None),
        ("observe nothing", None),
        ("swipe up", Some("scroll down")),
        ("swipe LEFT", Some("scroll right")),
        ("swipe", Some("scroll")),
        ("long-press --text a", Some("click")),
        ("longPressOn", Some("click")),
        ("input tap 1 2", Some("type")),
        ("dump", Some("snapshot")),
        ("screencap", Some("screenshot")),
        ("launch a.b", Some("open")),
        ("force-stop a.b", Some("close")),
        ("assertVisible", Some("wait")),
        ("shell ls", None),
        ("skills", None),
        ("skills list", None),
        ("emulator start", None),
        ("provision emulator", None),
        ("-s emulator-5554 snapshot", Some("--device")),
        ("--bogus click", None),
        ("help clik", Some("click")),
    ] {
        let document = run(argv).failure("UNKNOWN_COMMAND");
        assert_eq!(
            document["suggestion"].as_str(),
            suggestion,
            "{argv:?} {document}"
        );
    }
    let removed = run("action click").document();
    let message = removed["message"].as_str().unwrap();
    assert!(
        message.contains("'action click' has been removed"),
        "{message}"
    );
    assert!(message.contains("Use 'click' instead"), "{message}");
}
