//! All accepted spellings, and conflicts between them.

use contract::{
    ActionKind, Execution,
    keys::{ActionKey, CoordinateKey, MatcherKey, ParamKey, RetryKey},
};
use expect_test::expect;
use serde_json::{Value, json};

use crate::support::{check_payload, one, payload};

/// The tables of the contract, repeated here so that the crate's tables do not prove themselves.
const TYPES: &[(&str, &str)] = &[
    ("open_url", "open_uri"),
    ("tap", "click"),
    ("press", "click"),
    ("wait_for", "wait_for_node"),
    ("find", "wait_for_node"),
    ("find_node", "wait_for_node"),
    ("read", "read_text"),
    ("snapshot", "snapshot_ui"),
    ("screenshot", "take_screenshot"),
    ("capture_screenshot", "take_screenshot"),
    ("console", "read_console"),
    ("get_clipboard", "read_clipboard"),
    ("set_rotation", "set_orientation"),
    ("set_window_size", "resize_window"),
    ("set_viewport", "resize_window"),
    ("type_text", "enter_text"),
    ("text_entry", "enter_text"),
    ("input_text", "enter_text"),
    ("drag_and_drop", "drag"),
    ("select_option", "select_options"),
    ("choose", "select_options"),
    ("upload_file", "upload"),
    ("set_files", "upload"),
    ("key_press", "press_key"),
];

const TOP: &[(&str, &str)] = &[
    ("command_id", "commandId"),
    ("task_id", "taskId"),
    ("expected_format", "expectedFormat"),
    ("timeout_ms", "timeoutMs"),
    ("on_failure", "onFailure"),
];

const PARAMS: &[(&str, &str)] = &[
    ("package", "applicationId"),
    ("package_id", "applicationId"),
    ("application_id", "applicationId"),
    ("app", "applicationId"),
    ("app_id", "applicationId"),
    ("url", "uri"),
    ("selector", "matcher"),
    ("node", "matcher"),
    ("element", "matcher"),
    ("value", "text"),
    ("file", "path"),
    ("filePath", "path"),
    ("output_path", "path"),
    ("full_page", "fullPage"),
    ("expected_package", "expectedPackage"),
    ("expected_node", "expectedNode"),
    ("timeout_ms", "timeoutMs"),
    ("label_matcher", "labelMatcher"),
    ("label_selector", "labelMatcher"),
    ("on_missing", "onMissing"),
    ("any_of", "anyOf"),
];

const MATCHER: &[(&str, &str)] = &[
    ("id", "resourceId"),
    ("resource_id", "resourceId"),
    ("text", "textEquals"),
    ("text_contains", "textContains"),
    ("content_desc", "contentDescEquals"),
    ("content_desc_equals", "contentDescEquals"),
    ("description", "contentDescEquals"),
    ("accessibility_label", "contentDescEquals"),
    ("content_desc_contains", "contentDescContains"),
    ("description_contains", "contentDescContains"),
    ("accessibility_label_contains", "contentDescContains"),
];

fn accepted(payload: &Value) -> Value {
    let parsed = Execution::from_value(payload).unwrap();
    serde_json::to_value(&parsed.execution).unwrap()
}

/// Params that every action accepts.
fn rich() -> Value {
    json!({
        "applicationId": "a.b", "uri": "x:y", "durationMs": 1, "path": "/tmp/x", "matcher": { "role": "x" },
        "text": "t", "key": "back", "expectedPackage": "a.b", "expectedNode": { "role": "y" }, "timeoutMs": 5,
        "labelMatcher": { "role": "z" }, "fullPage": false, "options": ["o"], "files": ["f"],
        "from": { "matcher": { "role": "x" } }, "to": { "coordinate": { "x": 1, "y": 2 } },
        "onMissing": "skip", "anyOf": [{ "quiet": 4 }], "op": "open", "width": 390, "height": 844, "orientation": "auto",
    })
}

#[test]
fn types() {
    for (alias, canonical) in TYPES {
        for spelled in [(*alias).to_owned(), format!(" {} ", alias.to_uppercase())] {
            let accepted = accepted(&one(&spelled, rich()));
            assert_eq!(accepted["actions"][0]["type"], *canonical, "{spelled}");
        }
    }
    for kind in ActionKind::ALL {
        assert_eq!(
            accepted(&one(kind.as_str(), rich()))["actions"][0]["type"],
            kind.as_str()
        );
    }
}

#[test]
fn tables_have_exactly_these_spellings() {
    fn count(aliases: impl Iterator<Item = usize>) -> usize {
        aliases.sum()
    }
    assert_eq!(
        count(ActionKind::ALL.iter().map(|kind| kind.aliases().len())),
        TYPES.len()
    );
    assert_eq!(
        count(
            contract::keys::ExecutionKey::ALL
                .iter()
                .map(|key| key.aliases().len())
        ),
        TOP.len()
    );
    assert_eq!(
        count(ParamKey::ALL.iter().map(|key| key.aliases().len())),
        PARAMS.len()
    );
    assert_eq!(
        count(MatcherKey::ALL.iter().map(|key| key.aliases().len())),
        MATCHER.len()
    );
    assert_eq!(
        count(ActionKey::ALL.iter().map(|key| key.aliases().len())),
        0
    );
    assert_eq!(
        count(RetryKey::ALL.iter().map(|key| key.aliases().len())),
        0
    );
    assert_eq!(
        count(CoordinateKey::ALL.iter().map(|key| key.aliases().len())),
        0
    );
}

#[test]
fn payload_keys() {
    for (alias, canonical) in TOP {
        let mut spelled = payload(json!([{ "id": "a", "type": "snapshot_ui" }]));
        spelled["onFailure"] = json!("continue");
        let expected = accepted(&spelled);
        let value = spelled.as_object_mut().unwrap().remove(*canonical).unwrap();
        spelled[*alias] = value;
        assert_eq!(accepted(&spelled), expected, "{alias}");
    }
}

#[test]
fn param_keys() {
    for (alias, canonical) in PARAMS {
        let mut spelled = rich();
        let value = spelled.as_object_mut().unwrap().remove(*canonical).unwrap();
        spelled[*alias] = value;
        for kind in ActionKind::ALL {
            assert_eq!(
                accepted(&one(kind.as_str(), spelled.clone())),
                accepted(&one(kind.as_str(), rich())),
                "{alias} on {kind}"
            );
        }
    }
}

#[test]
fn matcher_keys() {
    let places = ["matcher", "container", "expectedNode", "labelMatcher"];
    for (alias, canonical) in MATCHER {
        for place in places {
            let mut params = rich();
            params[place] = json!({ *alias: "x" });
            let accepted = accepted(&one("wait_for_node", params));
            assert_eq!(
                accepted["actions"][0]["params"][place],
                json!({ *canonical: "x" }),
                "{alias} in {place}"
            );
        }
    }
}

#[test]
fn canonical_key_wins_with_warning() {
    let mut both = payload(json!([{ "id": "a", "type": "snapshot_ui" }]));
    both["timeout_ms"] = json!("never looked at");
    check_payload(
        &both,
        expect![[r#"
        {"commandId":"cmd-1","taskId":"task-1","source":"test","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"a","type":"snapshot_ui"}]}
        ALIAS_IGNORED at timeout_ms: timeout_ms was ignored because `timeoutMs` is given
    "#]],
    );
}
