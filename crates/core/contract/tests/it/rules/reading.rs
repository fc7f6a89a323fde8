//! Rules of the reading actions and of patterns.

use serde_json::json;

use crate::support::{accepts, first_path, one, refuses};

#[test]
fn patterns_are_ecmascript() {
    let pattern = |pattern: &str| {
        one(
            "read_text",
            json!({ "matcher": { "role": "x" }, "validator": "regex", "validatorPattern": pattern }),
        )
    };
    for good in [
        "{",
        "]",
        "a{,2}",
        "(?<=x)y",
        "(?<n>a)\\k<n>",
        "\\d+",
        "\\cA",
        "[^]",
        "(?:)",
    ] {
        accepts(&pattern(good));
    }
    for bad in ["(", "[", "*", "a**", "\\", "(?<n>a)(?<n>b)", "a{2,1}", "(?"] {
        refuses(&pattern(bad), "actions.0.params.validatorPattern");
    }
}

#[test]
fn expensive_patterns_are_accepted_or_refused() {
    let nested = "(".repeat(60) + &")".repeat(60);
    let nested_too_deeply = "(".repeat(250) + &")".repeat(250);
    let deep = "((((((((((a{9999}){9999}){9999}){9999}){9999}){9999}){9999}){9999}){9999}){9999})"
        .to_owned();
    let hostile = [
        nested,
        nested_too_deeply,
        deep,
        "a".repeat(513),
        "()".repeat(256),
        "(a+)+$".to_owned(),
        "[\\u0000-\\uffff]".repeat(30),
    ];
    let refused = hostile.map(|pattern| {
        first_path(&one(
            "read_text",
            json!({ "matcher": { "role": "x" }, "validator": "regex", "validatorPattern": pattern }),
        ))
    });
    let at = Some("actions.0.params.validatorPattern");
    let refused = refused.each_ref().map(Option::as_deref);
    assert_eq!(refused, [None, at, None, at, None, None, None]);
}
