//! Hints for keys at the wrong level or with names of other tools, and the paths of problems.

use contract::{Execution, Invalid};
use expect_test::expect;
use serde_json::{Value, json};

use crate::support::{one, payload};

fn refused(payload: &Value) -> Invalid {
    Execution::from_value(payload).expect_err("the payload is wrong")
}

/// The path and the hint of the first problem.
fn hint(payload: &Value) -> String {
    let invalid = refused(payload);
    let detail = |key| {
        invalid
            .body()
            .detail(key)
            .and_then(Value::as_str)
            .unwrap_or("-")
            .to_owned()
    };
    format!("{}: {}", detail("path"), detail("hint"))
}

#[test]
fn foreign_names_suggest_ours() {
    for row in r#"
        open_app {"packageName":"a"} `packageName` is called `applicationId` here
        close_app {"package_name":"a"} `package_name` is called `applicationId` here
        open_app {"bundleId":"a"} `bundleId` is called `applicationId` here
        wait_for_navigation {"packageName":"a","timeoutMs":5} `packageName` is called `expectedPackage` here
        sleep {"ms":5} `ms` is called `durationMs` here
        sleep {"duration":5} `duration` is called `durationMs` here
        sleep {"seconds":5} `seconds` is called `durationMs` here, in milliseconds
        sleep {"timeout":5} `timeout` is called `durationMs` here
        wait_for_node {"matcher":{"role":"x"},"seconds":5} `seconds` is called `timeoutMs` here, in milliseconds
        click {"x":1,"y":2} `x` belongs inside `coordinate`; `y` belongs inside `coordinate`
        read_key_value_pair {"textEquals":"a"} `textEquals` belongs inside `labelMatcher`
        read_key_value_pair {"label":"a"} `label` is called `labelMatcher` here
        click {"matcher":{"role":"x"},"onFailure":"stop"} `onFailure` belongs to the execution
    "#
    .trim()
    .lines()
    {
        let mut words = row.trim().splitn(3, ' ');
        let mut word = || words.next().unwrap();
        let (kind, params, meant) = (word(), serde_json::from_str(word()).unwrap(), word());
        assert_eq!(
            hint(&one(kind, params)),
            format!("actions.0.params: {meant}")
        );
    }
    // A name unknown to the action is not explained by its meaning for another action.
    assert_eq!(
        hint(&one(
            "click",
            json!({ "matcher": { "role": "x" }, "seconds": 1 })
        )),
        "actions.0.params: -"
    );
}

#[test]
fn untyped_action_shows_the_correct_form() {
    let reported: Vec<String> = [
        json!({ "click": { "matcher": { "textEquals": "A" } } }),
        json!({ "id": "go", "tap": { "matcher": { "textEquals": "A" } } }),
        json!({ "action": "click", "params": { "matcher": { "textEquals": "A" } } }),
        json!({ "id": "go", "action": "type", "matcher": { "role": "textfield" }, "text": "secret" }),
        json!({ "kind": "wait" }),
        json!({ "press_key": "back" }),
        json!({ "snapshot": null, "id": 5 }),
        json!({ "clikc": {} }),
        json!("back"),
        json!(["click"]),
        // Two types are ambiguous, and an unknown name is no type.
        json!({ "click": {}, "scroll": {} }),
        json!({ "action": "dance" }),
        json!({ "matcher": { "textEquals": "A" } }),
        json!({ "type": "click", "click": { "matcher": { "textEquals": "A" } } }),
    ]
    .into_iter()
    .map(|action| {
        let invalid = refused(&payload(json!([{ "id": "first", "type": "snapshot_ui" }, action])));
        let problems = invalid.problems().iter();
        let lines: Vec<String> = problems
            .map(|problem| format!("    {}: {}", problem.path, problem.message))
            .collect();
        format!("{action}\n{}", lines.join("\n"))
    })
    .collect();
    expect![[r#"
        {"click":{"matcher":{"textEquals":"A"}}}
            actions.1: has the unknown key `click`; did you mean {"id": "2", "type": "click", "params": {…}}?
        {"id":"go","tap":{"matcher":{"textEquals":"A"}}}
            actions.1: has the unknown key `tap`; did you mean {"id": "go", "type": "click", "params": {…}}?
        {"action":"click","params":{"matcher":{"textEquals":"A"}}}
            actions.1: has the unknown key `action`; `action` is called `type` here: did you mean {"id": "2", "type": "click", "params": {…}}?
        {"id":"go","action":"type","matcher":{"role":"textfield"},"text":"secret"}
            actions.1: has the unknown key `action`; `action` is called `type` here: did you mean {"id": "go", "type": "enter_text", "params": {…}}?
        {"kind":"wait"}
            actions.1: has the unknown key `kind`; `kind` is called `type` here: did you mean {"id": "2", "type": "wait_for_node", "params": {"matcher":{"textEquals":"Settings"},"timeoutMs":5000}}?
        {"press_key":"back"}
            actions.1: has the unknown key `press_key`; did you mean {"id": "2", "type": "press_key", "params": {"key":"back"}}?
        {"snapshot":null,"id":5}
            actions.1: has the unknown key `snapshot`; did you mean {"id": "2", "type": "snapshot_ui", "params": {"view":"text"}}?
        {"clikc":{}}
            actions.1: has the unknown key `clikc`; did you mean {"id": "2", "type": "click", "params": {"matcher":{"textEquals":"Settings"},"clickType":"long_click"}}?
        "back"
            actions.1: must be an object, not a string; did you mean {"id": "2", "type": "press_key", "params": {"key":"back"}}?
        ["click"]
            actions.1: must be an object, not an array; write an action as {"id": "2", "type": "press_key", "params": {"key":"back"}}
        {"click":{},"scroll":{}}
            actions.1.id: is required
            actions.1.type: is required
            actions.1: has the unknown keys `click`, `scroll`
        {"action":"dance"}
            actions.1.id: is required
            actions.1.type: is required
            actions.1: has the unknown key `action`; `action` is called `type` here
        {"matcher":{"textEquals":"A"}}
            actions.1.id: is required
            actions.1.type: is required
            actions.1: has the unknown key `matcher`; `matcher` belongs inside `params`
        {"type":"click","click":{"matcher":{"textEquals":"A"}}}
            actions.1.id: is required
            actions.1: has the unknown key `click`; the content of `click` belongs inside `params`
            actions.1.params: must have either `matcher` or `coordinate`"#]].assert_eq(&reported.join("\n"));
}

#[test]
fn misplaced_keys_get_a_hint() {
    for (kind, key, meant) in [
        ("click", "matcher", "`matcher` belongs inside `params`"),
        ("click", "text", "`text` belongs inside `params.matcher`"),
        ("enter_text", "text", "`text` belongs inside `params`"),
        (
            "click",
            "textEquals",
            "`textEquals` belongs inside `params.matcher`",
        ),
        (
            "wait_for_node",
            "timeoutMs",
            "`timeoutMs` belongs inside `params`",
        ),
        ("click", "timeoutMs", "`timeoutMs` belongs to the execution"),
        ("click", "onFailure", "`onFailure` belongs to the execution"),
        ("sleep", "ms", "`ms` is called `params.durationMs` here"),
        (
            "click",
            "parameters",
            "`parameters` is called `params` here",
        ),
    ] {
        let mut plan = one(kind, json!({}));
        plan["actions"][0][key] = json!(5);
        let invalid = refused(&plan);
        let reported = invalid
            .problems()
            .iter()
            .find(|problem| problem.path == "actions.0")
            .unwrap();
        assert_eq!(
            reported.message,
            format!("has the unknown key `{key}`; {meant}")
        );
    }
    let mut plan = payload(json!([{ "id": "a", "type": "snapshot_ui" }]));
    plan["steps"] = json!([]);
    assert_eq!(hint(&plan), ": `steps` is called `actions` here");
}

#[test]
fn problem_path_uses_given_spelling() {
    let path = |kind: &str, params: Value| refused(&one(kind, params)).problems()[0].path.clone();
    assert_eq!(
        path("click", json!({ "selector": { "text": 5 } })),
        "actions.0.params.selector.text"
    );
    assert_eq!(
        path(
            "click",
            json!({ "element": { "resource_id": " ", "role": "x" } })
        ),
        "actions.0.params.element.resource_id"
    );
    assert_eq!(
        path("open_uri", json!({ "url": " " })),
        "actions.0.params.url"
    );
    assert_eq!(
        path("open_app", json!({ "package": "a\u{7}" })),
        "actions.0.params.package"
    );
    assert_eq!(
        path(
            "wait_for_navigation",
            json!({ "expected_package": "a", "timeout_ms": 0 })
        ),
        "actions.0.params.timeout_ms"
    );
    let mut plan = payload(json!([{ "id": "a", "type": "snapshot_ui", "params": { "url": "x" } }]));
    assert_eq!(
        Execution::from_value(&plan).unwrap().warnings[0]
            .path
            .as_deref(),
        Some("actions.0.params.url")
    );
    let whole = plan.as_object_mut().unwrap();
    whole.remove("timeoutMs");
    whole.insert("timeout_ms".to_owned(), json!(5));
    assert_eq!(refused(&plan).problems()[0].path, "timeout_ms");
    // Of two spellings the canonical one counts, so it is reported.
    assert_eq!(
        path("open_uri", json!({ "url": "x:y", "uri": " " })),
        "actions.0.params.uri"
    );
}

#[test]
fn long_input_is_truncated_in_messages() {
    let long = "x".repeat(60_000);
    for plan in [
        one(
            "click",
            json!({ "matcher": { "role": "x" }, "clickType": long }),
        ),
        one("click", json!({ (long.clone()): 1 })),
        one("scroll", json!({ "direction": long })),
        payload(json!([{ "id": long, "type": "snapshot_ui" }])),
        payload(json!([{ "id": "a", "type": &long[..64] }])),
    ] {
        let answer = serde_json::to_string(refused(&plan).body()).unwrap();
        assert!(answer.len() < 1_000, "{}", answer.len());
        let longest_run = answer.split(|letter| letter != 'x').map(str::len).max();
        // An id is not cut, so that it can be looked up.
        assert!(longest_run <= Some(128), "{answer}");
    }
}
