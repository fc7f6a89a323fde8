//! The rules of flags: missing, blank, conflicting, repeated and unknown ones.

use serde_json::Value;

use crate::run::run;

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
            for no_object in ["[]", "[1]", "null", "1", "true"] {
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
