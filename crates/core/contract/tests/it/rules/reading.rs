//! Rules of the reading actions and of patterns.

use expect_test::expect;
use serde_json::json;

use crate::support::{check, first_path, one};

#[test]
fn read_text() {
    check(
        "read_text",
        json!({ "matcher": { "role": "x" }, "all": true, "validator": " REGEX ", "validatorPattern": "^a(?=b)\\1?$", "container": { "role": "y" } }),
        expect![[r#"
            read_text {"matcher":{"role":"x"},"container":{"role":"y"},"validator":"regex","validatorPattern":"^a(?=b)\\1?$","all":true}
        "#]],
    );
    check(
        "read_text",
        json!({ "matcher": { "role": "x" }, "validator": "Version" }),
        expect![[r#"
            read_text {"matcher":{"role":"x"},"validator":"version"}
        "#]],
    );
    check(
        "read_text",
        json!({ "matcher": { "role": "x" }, "validator": "temperature", "validatorPattern": "x" }),
        expect![[r#"
            read_text {"matcher":{"role":"x"},"validator":"temperature","validatorPattern":"x"}
            PARAM_NOT_USED at actions.0.params.validatorPattern: actions.0.params.validatorPattern is used only if `validator` is `regex`
        "#]],
    );
    check(
        "read_text",
        json!({ "matcher": { "role": "x" }, "validatorPattern": "^a$" }),
        expect![[r#"
            read_text {"matcher":{"role":"x"},"validatorPattern":"^a$"}
            PARAM_NOT_USED at actions.0.params.validatorPattern: actions.0.params.validatorPattern is used only if `validator` is `regex`; the text is not validated
        "#]],
    );
    check(
        "read_text",
        json!({ "validator": "regex" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher is required
              path: "actions.0.params.matcher"
            and at actions.0.params.validatorPattern: is required if `validator` is `regex`
        "#]],
    );
    check(
        "read_text",
        json!({ "matcher": { "role": "x" }, "validator": "regex", "validatorPattern": " " }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.validatorPattern must not be blank
              path: "actions.0.params.validatorPattern"
        "#]],
    );
    check(
        "read_text",
        json!({ "matcher": { "role": "x" }, "validator": "email" }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.validator must be one of temperature, version, regex, not `email`
              path: "actions.0.params.validator"
        "#]],
    );
}

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
        assert_eq!(first_path(&pattern(good)), None, "{good}");
    }
    for bad in ["(", "[", "*", "a**", "\\", "(?<n>a)(?<n>b)", "a{2,1}", "(?"] {
        assert_eq!(
            first_path(&pattern(bad)).as_deref(),
            Some("actions.0.params.validatorPattern"),
            "{bad}"
        );
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

#[test]
fn read_key_value_pair() {
    check(
        "read_key_value_pair",
        json!({ "all": true, "labelMatcher": { "textEquals": "Battery" }, "container": { "role": "card" } }),
        expect![[r#"
            read_key_value_pair {"container":{"role":"card"},"labelMatcher":{"textEquals":"Battery"},"all":true}
        "#]],
    );
    check(
        "read_key_value_pair",
        json!({ "matcher": { "textEquals": "Battery" } }),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.labelMatcher is required
              path: "actions.0.params.labelMatcher"
              hint: "`matcher` is not used by read_key_value_pair; use `labelMatcher`"
        "#]],
    );
}
