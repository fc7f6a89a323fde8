//! Reads JSON: encoding, syntax, duplicate keys, depth and size.

use contract::{ErrorCode, Execution};
use expect_test::{Expect, expect};

use crate::support::outcome;

fn check(text: impl AsRef<[u8]>, expect: Expect) {
    expect.assert_eq(&outcome(Execution::parse(text.as_ref())));
}

const GOOD: &str = r#"{"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator","timeoutMs":1000,"actions":[{"id":"a","type":"snapshot_ui"}]}"#;

#[test]
fn surrounding_white_space_and_bom_are_ignored() {
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
fn syntax_errors_have_line_and_column() {
    check(
        "",
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is blank
              hint: Give a JSON object
        "#]],
    );
    check(
        "  \n",
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is blank
              hint: Give a JSON object
        "#]],
    );
    check(
        "{\n  \"a\": }",
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 2, column 8: expected value
              hint: A value or an entry is missing before this position. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
              line: 2
              column: 8
        "#]],
    );
    check(
        "{\"a\":1",
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 6: EOF while parsing an object
              hint: The input ends before all brackets are closed: it was cut off, or the shell removed a part; in a shell put the whole JSON in single quotes, or pass it as a file. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
              line: 1
              column: 6
        "#]],
    );
    check(
        format!("{GOOD} x"),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 146: trailing characters
              hint: There is text after the JSON; put several steps into the actions of one plan, in order. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
              line: 1
              column: 146
        "#]],
    );
    check(
        "{'a':1}",
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 2: key must be a string
              hint: JSON uses double quotes, not single quotes. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
              line: 1
              column: 2
        "#]],
    );
    check(
        r#"{"timeoutMs":1e999}"#,
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 18: number out of range
              hint: The number is too large. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
              line: 1
              column: 18
        "#]],
    );
    check(
        r#""\ud800""#,
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 8: unexpected end of hex escape
              hint: Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
              line: 1
              column: 8
        "#]],
    );
}

#[test]
fn syntax_errors_have_a_likely_cause() {
    let hints: Vec<String> = [
        // Quotes altered by a shell.
        r#"{"broken'"#,
        "{commandId: c}",
        r#"{"commandId": c}"#,
        "{'commandId': 'c'}",
        r#"{"commandId": "c""#,
        "{\u{201c}commandId\u{201d}: 1}",
        // Syntax of other languages.
        r#"{"actions": [1, 2,]}"#,
        r#"{"a": True}"#,
        r#"{"a": None}"#,
        "{\n  // the plan\n  \"a\": 1}",
        "{\"a\": 1 # one\n}",
        "{\"a\": \"two\nlines\"}",
        r#"{"a": "C:\plans"}"#,
        r#"{"a": 01}"#,
        r#"{"a": +1}"#,
        r#"{"a": 1} {"b": 2}"#,
        // Typos.
        r#"{"a" 1}"#,
        r#"{"a": 1 "b": 2}"#,
        r#"{"a": "say "hello""}"#,
        r#"{"a": }"#,
        r#"{"a": [1}"#,
        "{\u{e4}: 1}",
    ]
    .into_iter()
    .map(|text| {
        let invalid = Execution::parse(text.as_bytes()).unwrap_err();
        let hint = invalid.body().hint.clone().unwrap();
        // The expected form is the same for all.
        let cause = hint.split(". Give one JSON value").next().unwrap();
        format!("{text:?}\n    {cause}")
    })
    .collect();
    expect![[r#"
        "{\"broken'"
            The input ends inside a string: a closing double quote is missing, or the shell removed quotes; in a shell put the whole JSON in single quotes, or pass it as a file. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{commandId: c}"
            A key has no quotes: the shell removes double quotes unless the whole JSON is in single quotes; or pass it as a file. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"commandId\": c}"
            A string has no quotes: the shell removes double quotes unless the whole JSON is in single quotes; or pass it as a file. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{'commandId': 'c'}"
            JSON uses double quotes, not single quotes. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"commandId\": \"c\""
            The input ends before all brackets are closed: it was cut off, or the shell removed a part; in a shell put the whole JSON in single quotes, or pass it as a file. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{“commandId”: 1}"
            JSON uses plain double quotes, not typographic ones. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"actions\": [1, 2,]}"
            Remove the trailing comma. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\": True}"
            JSON keywords are true, false and null. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\": None}"
            JSON keywords are true, false and null. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\n  // the plan\n  \"a\": 1}"
            JSON has no comments: remove them. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\": 1 # one\n}"
            JSON has no comments: remove them. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\": \"two\nlines\"}"
            A string contains a line break or a tab: write it as \n or \t. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\": \"C:\\plans\"}"
            Write a backslash in a string twice. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\": 01}"
            Write numbers as 12, -3 or 0.5, without a plus sign or leading zeros. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\": +1}"
            Write numbers as 12, -3 or 0.5, without a plus sign or leading zeros. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\": 1} {\"b\": 2}"
            There is text after the JSON; put several steps into the actions of one plan, in order. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\" 1}"
            A colon is missing before this position. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\": 1 \"b\": 2}"
            A comma or a colon is missing before this position. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\": \"say \"hello\"\"}"
            A comma is missing before this position, or a double quote in a string is not escaped as \". Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\": }"
            A value or an entry is missing before this position. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{\"a\": [1}"
            A closing bracket does not match the opening one. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
        "{ä: 1}"
            A key has no quotes: the shell removes double quotes unless the whole JSON is in single quotes; or pass it as a file. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma"#]].assert_eq(&hints.join("\n"));
}

#[test]
fn invalid_utf8_is_reported_with_position() {
    check(
        b"{\"a\":\"\xff\"}",
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not UTF-8 at byte 6
              hint: Send the text in UTF-8
        "#]],
    );
}

#[test]
fn duplicate_key_is_refused_with_path() {
    check(
        r#"{"actions":[{"id":"a","type":"click","params":{"matcher":{"role":"x","role":"y"}}},{"id":"b","id":"c"}],"actions":1}"#,
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher.role appears more than once in the same object
              path: "actions.0.params.matcher.role"
            and at actions.1.id: appears more than once in the same object
            and at actions: appears more than once in the same object
        "#]],
    );
}

#[test]
fn nesting_depth_is_limited() {
    check(
        "[".repeat(100_000),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 128: recursion limit exceeded
              hint: The JSON is nested too deeply. Pass one JSON value: keys and strings in double quotes, no comments, no trailing comma
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
fn size_is_checked_before_parsing() {
    check(
        vec![b'['; 10_000_000],
        expect![[r#"
            PAYLOAD_TOO_LARGE: the payload has more than 1048576 bytes
              hint: Split the plan into several executions
              limit: 1048576
        "#]],
    );
    check(
        vec![0xff; 10_000_000],
        expect![[r#"
            PAYLOAD_TOO_LARGE: the payload has more than 1048576 bytes
              hint: Split the plan into several executions
              limit: 1048576
        "#]],
    );
    let body = Execution::parse(&vec![b' '; 1_048_576]).unwrap_err();
    assert_eq!(body.body().code, ErrorCode::ExecutionValidationFailed);
}

#[test]
fn errors_for_large_text_are_short() {
    let keys: Vec<String> = (0..60_000)
        .map(|index| format!("\"k{index}\":{index}"))
        .collect();
    let flood = format!("{{{}}}", keys.join(","));
    let doubled = format!("{{{}}}", vec!["\"k\":1"; 100_000].join(","));
    let numbers = format!("{{\"actions\":[{}]}}", vec!["0"; 400_000].join(","));
    for text in [flood, doubled, numbers] {
        assert!(text.len() < 1_048_576);
        let error = Execution::parse(text.as_bytes()).unwrap_err();
        let answer = serde_json::to_string(error.body()).unwrap();
        assert!(answer.len() < 20_000, "{} bytes", answer.len());
    }
}
