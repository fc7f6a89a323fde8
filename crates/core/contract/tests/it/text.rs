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
              hint: A value or an entry is missing before this place. Give one JSON value: keys and texts in double quotes, no comments, no comma behind the last entry
              line: 2
              column: 8
        "#]],
    );
    check(
        "{\"a\":1",
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 6: EOF while parsing an object
              hint: The text ends before all brackets are closed: it was cut off, or a shell took a part of it; in a shell put the whole JSON between single quotes, or pass it as a file. Give one JSON value: keys and texts in double quotes, no comments, no comma behind the last entry
              line: 1
              column: 6
        "#]],
    );
    check(
        format!("{GOOD} x"),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 146: trailing characters
              hint: Something follows the JSON: several steps belong into one plan's actions, in this order. Give one JSON value: keys and texts in double quotes, no comments, no comma behind the last entry
              line: 1
              column: 146
        "#]],
    );
    check(
        "{'a':1}",
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 2: key must be a string
              hint: Quotes are double ones in JSON, not single ones. Give one JSON value: keys and texts in double quotes, no comments, no comma behind the last entry
              line: 1
              column: 2
        "#]],
    );
    check(
        r#"{"timeoutMs":1e999}"#,
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 18: number out of range
              hint: The number is larger than any that is taken. Give one JSON value: keys and texts in double quotes, no comments, no comma behind the last entry
              line: 1
              column: 18
        "#]],
    );
    check(
        r#""\ud800""#,
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 8: unexpected end of hex escape
              hint: Give one JSON value: keys and texts in double quotes, no comments, no comma behind the last entry
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
            The text ends inside quotes: a closing double quote is missing, or a shell took quotes away; in a shell put the whole JSON between single quotes, or pass it as a file
        "{commandId: c}"
            A key has no quotes: a shell takes double quotes away unless the whole JSON stands between single quotes; or pass it as a file
        "{\"commandId\": c}"
            A text has no quotes: a shell takes double quotes away unless the whole JSON stands between single quotes; or pass it as a file
        "{'commandId': 'c'}"
            Quotes are double ones in JSON, not single ones
        "{\"commandId\": \"c\""
            The text ends before all brackets are closed: it was cut off, or a shell took a part of it; in a shell put the whole JSON between single quotes, or pass it as a file
        "{“commandId”: 1}"
            Quotes are plain double ones in JSON, not typographic ones
        "{\"actions\": [1, 2,]}"
            A comma stands behind the last entry: take it out
        "{\"a\": True}"
            The words of JSON are true, false and null
        "{\"a\": None}"
            The words of JSON are true, false and null
        "{\n  // the plan\n  \"a\": 1}"
            JSON has no comments: take them out
        "{\"a\": 1 # one\n}"
            JSON has no comments: take them out
        "{\"a\": \"two\nlines\"}"
            A line break or a tab stands inside a text: write it as \n or \t
        "{\"a\": \"C:\\plans\"}"
            A backslash inside a text is written twice
        "{\"a\": 01}"
            Numbers are written as 12, -3 or 0.5, without a plus or zeros in front
        "{\"a\": +1}"
            Numbers are written as 12, -3 or 0.5, without a plus or zeros in front
        "{\"a\": 1} {\"b\": 2}"
            Something follows the JSON: several steps belong into one plan's actions, in this order
        "{\"a\" 1}"
            A colon is missing before this place
        "{\"a\": 1 \"b\": 2}"
            A comma or a colon is missing before this place
        "{\"a\": \"say \"hello\"\"}"
            A comma is missing before this place, or a double quote inside a text is not written as \"
        "{\"a\": }"
            A value or an entry is missing before this place
        "{\"a\": [1}"
            A bracket closes what was not opened with its like
        "{ä: 1}"
            A key has no quotes: a shell takes double quotes away unless the whole JSON stands between single quotes; or pass it as a file"#]].assert_eq(&hints.join("\n"));
}

#[test]
fn invalid_utf8_is_reported_with_position() {
    check(
        b"{\"a\":\"\xff\"}",
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not UTF-8, from byte 6
              hint: Send the text in UTF-8
        "#]],
    );
}

#[test]
fn duplicate_key_is_refused_with_path() {
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
fn nesting_depth_is_limited() {
    check(
        "[".repeat(100_000),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: the payload is not valid JSON at line 1, column 128: recursion limit exceeded
              hint: The text is nested far deeper than any plan. Give one JSON value: keys and texts in double quotes, no comments, no comma behind the last entry
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
