//! From bytes to JSON: encoding, syntax, doubled keys, depth and size.

use std::time::{Duration, Instant};

use contract::{ErrorCode, Execution};
use expect_test::{Expect, expect};

use crate::support::outcome;

fn check(text: impl AsRef<[u8]>, expect: Expect) {
    expect.assert_eq(&outcome(Execution::parse(text.as_ref())));
}

const GOOD: &str = r#"{"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":1000,"actions":[{"id":"a","type":"snapshot_ui"}]}"#;

#[test]
fn good_text_is_read_whatever_is_around_it() {
    check(
        GOOD,
        expect![[r#"
        {"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":1000,"actions":[{"id":"a","type":"snapshot_ui"}]}
    "#]],
    );
    assert!(Execution::parse(format!("\n\t {GOOD} \r\n").as_bytes()).is_ok());
    assert!(Execution::parse(format!("\u{feff}{GOOD}").as_bytes()).is_ok());
}

#[test]
fn bad_text_is_told_by_line_and_column() {
    check(
        "",
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: the payload is blank
    "#]],
    );
    check(
        "  \n",
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: the payload is blank
    "#]],
    );
    check(
        "{\n  \"a\": }",
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 2, column 8: expected value
          line: 2
          column: 8
    "#]],
    );
    check(
        "{\"a\":1",
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 6: EOF while parsing an object
          line: 1
          column: 6
    "#]],
    );
    check(
        format!("{GOOD} x"),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 146: trailing characters
          line: 1
          column: 146
    "#]],
    );
    check(
        "{'a':1}",
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 2: key must be a string
          line: 1
          column: 2
    "#]],
    );
    check(
        r#"{"timeoutMs":1e999}"#,
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 18: number out of range
          line: 1
          column: 18
    "#]],
    );
    check(
        r#""\ud800""#,
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 8: unexpected end of hex escape
          line: 1
          column: 8
    "#]],
    );
}

#[test]
fn bytes_that_are_no_text_are_told_by_their_place() {
    check(
        b"{\"a\":\"\xff\"}",
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: the payload is not UTF-8, from byte 6
    "#]],
    );
}

#[test]
fn a_doubled_key_is_refused_at_its_place() {
    check(
        r#"{"actions":[{"id":"a","type":"click","params":{"matcher":{"role":"x","role":"y"}}},{"id":"b","id":"c"}],"actions":1}"#,
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher.role is given more than once in the same object
              path: "actions.0.params.matcher.role"
            and at actions.1.id: is given more than once in the same object
            and at actions: is given more than once in the same object
        "#]],
    );
}

#[test]
fn depth_is_bounded() {
    check(
        "[".repeat(100_000),
        expect![[r#"
        EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 128: recursion limit exceeded
          line: 1
          column: 128
    "#]],
    );
    for deep in [
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        format!(
            "{{\"actions\":{}{}}}",
            "[".repeat(100_000),
            "]".repeat(100_000)
        ),
    ] {
        let error = Execution::parse(deep.as_bytes()).unwrap_err();
        assert_eq!(error.body().code, ErrorCode::ExecutionValidationFailed);
    }
}

#[test]
fn size_is_bounded_before_anything_is_read() {
    let started = Instant::now();
    check(
        vec![b'['; 10_000_000],
        expect![[r#"
            PAYLOAD_TOO_LARGE: the payload has more than 1048576 bytes
              limit: 1048576
        "#]],
    );
    check(
        vec![0xff; 10_000_000],
        expect![[r#"
            PAYLOAD_TOO_LARGE: the payload has more than 1048576 bytes
              limit: 1048576
        "#]],
    );
    assert!(started.elapsed() < Duration::from_secs(2));
    let body = Execution::parse(&vec![b' '; 1_048_576]).unwrap_err();
    assert_eq!(body.body().code, ErrorCode::ExecutionValidationFailed);
}

#[test]
fn the_largest_text_is_answered_quickly() {
    let keys: Vec<String> = (0..60_000)
        .map(|index| format!("\"k{index}\":{index}"))
        .collect();
    let flood = format!("{{{}}}", keys.join(","));
    let doubled = format!("{{{}}}", vec!["\"k\":1"; 100_000].join(","));
    let numbers = format!("{{\"actions\":[{}]}}", vec!["0"; 400_000].join(","));
    for text in [flood, doubled, numbers] {
        assert!(text.len() < 1_048_576);
        let started = Instant::now();
        let error = Execution::parse(text.as_bytes()).unwrap_err();
        assert!(started.elapsed() < Duration::from_secs(3));
        let answer = serde_json::to_string(error.body()).unwrap();
        assert!(answer.len() < 20_000, "{} bytes", answer.len());
    }
}
