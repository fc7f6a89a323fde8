//! Values that are clamped to their range, each with a warning.

use contract::{
    Direction, Execution, Key, KeyPress, Millis, Params, Retry, Validator,
    actions::{ClickTarget, Scroll},
};
use expect_test::expect;
use serde_json::{Value, json};

use crate::support::{check, one};

#[test]
fn retry_objects() {
    let retry = |retry: Value| json!({ "durationMs": 1, "retry": retry });
    check(
        "sleep",
        retry(json!({})),
        expect![[r#"
        sleep {"durationMs":1,"retry":{}}
    "#]],
    );
    check(
        "sleep",
        retry(
            json!({ "jitterRatio": 0.15, "backoffMultiplier": 2, "maxDelayMs": 2000, "initialDelayMs": 400.5, "maxAttempts": 4 }),
        ),
        expect![[r#"
            sleep {"durationMs":1,"retry":{"maxAttempts":4,"initialDelayMs":400.5,"maxDelayMs":2000,"backoffMultiplier":2,"jitterRatio":0.15}}
        "#]],
    );
    check(
        "sleep",
        retry(
            json!({ "maxAttempts": 99, "initialDelayMs": 30001, "maxDelayMs": 60001, "backoffMultiplier": 5.5, "jitterRatio": 1.5 }),
        ),
        expect![[r#"
            sleep {"durationMs":1,"retry":{"maxAttempts":10,"initialDelayMs":30000,"maxDelayMs":60000,"backoffMultiplier":5,"jitterRatio":1}}
            VALUE_CLAMPED at actions.0.params.retry.maxAttempts: actions.0.params.retry.maxAttempts was clamped from 99 to 10; the range is 1 to 10
            VALUE_CLAMPED at actions.0.params.retry.initialDelayMs: actions.0.params.retry.initialDelayMs was clamped from 30001 to 30000; the range is 0 to 30000
            VALUE_CLAMPED at actions.0.params.retry.maxDelayMs: actions.0.params.retry.maxDelayMs was clamped from 60001 to 60000; the range is 30000 to 60000
            VALUE_CLAMPED at actions.0.params.retry.backoffMultiplier: actions.0.params.retry.backoffMultiplier was clamped from 5.5 to 5; the range is 1 to 5
            VALUE_CLAMPED at actions.0.params.retry.jitterRatio: actions.0.params.retry.jitterRatio was clamped from 1.5 to 1; the range is 0 to 1
        "#]],
    );
    check(
        "sleep",
        retry(
            json!({ "maxAttempts": 0, "initialDelayMs": -1, "maxDelayMs": -1, "backoffMultiplier": 0.5, "jitterRatio": -0.5 }),
        ),
        expect![[r#"
            sleep {"durationMs":1,"retry":{"maxAttempts":1,"initialDelayMs":0,"maxDelayMs":0,"backoffMultiplier":1,"jitterRatio":0}}
            VALUE_CLAMPED at actions.0.params.retry.maxAttempts: actions.0.params.retry.maxAttempts was clamped from 0 to 1; the range is 1 to 10
            VALUE_CLAMPED at actions.0.params.retry.initialDelayMs: actions.0.params.retry.initialDelayMs was clamped from -1 to 0; the range is 0 to 30000
            VALUE_CLAMPED at actions.0.params.retry.maxDelayMs: actions.0.params.retry.maxDelayMs was clamped from -1 to 0; the range is 0 to 60000
            VALUE_CLAMPED at actions.0.params.retry.backoffMultiplier: actions.0.params.retry.backoffMultiplier was clamped from 0.5 to 1; the range is 1 to 5
            VALUE_CLAMPED at actions.0.params.retry.jitterRatio: actions.0.params.retry.jitterRatio was clamped from -0.5 to 0; the range is 0 to 1
        "#]],
    );
    check(
        "sleep",
        retry(json!({ "initialDelayMs": 500, "maxDelayMs": 100 })),
        expect![[r#"
            sleep {"durationMs":1,"retry":{"initialDelayMs":500,"maxDelayMs":500}}
            VALUE_CLAMPED at actions.0.params.retry.maxDelayMs: actions.0.params.retry.maxDelayMs was clamped from 100 to 500; the range is 500 to 60000
        "#]],
    );
    check(
        "sleep",
        retry(json!({ "maxAttempts": 1.5 })),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.retry.maxAttempts must be a whole number, not 1.5
              path: "actions.0.params.retry.maxAttempts"
        "#]],
    );
    check(
        "sleep",
        retry(json!({ "maxAttempts": "3", "jitterRatio": null, "attempts": 2 })),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.retry.maxAttempts must be a number, not a string
              path: "actions.0.params.retry.maxAttempts"
            and at actions.0.params.retry.jitterRatio: must be a number, not null
            and at actions.0.params.retry: has the unknown key `attempts`
        "#]],
    );
    check(
        "sleep",
        retry(json!([])),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.retry must be an object, not an array
              path: "actions.0.params.retry"
        "#]],
    );
}

#[test]
fn the_time_of_wait_for_node() {
    let wait = |timeout: Value| json!({ "matcher": { "role": "x" }, "timeoutMs": timeout });
    check(
        "wait_for_node",
        wait(json!(999_999)),
        expect![[r#"
            wait_for_node {"matcher":{"role":"x"},"timeoutMs":120000}
            VALUE_CLAMPED at actions.0.params.timeoutMs: actions.0.params.timeoutMs was clamped from 999999 to 120000; the range is 1 to 120000
            OUTLASTS_TIMEOUT at actions.0.params.timeoutMs: actions.0.params.timeoutMs is 120000, but the execution times out after 30000; raise its timeoutMs
        "#]],
    );
    check(
        "wait_for_node",
        wait(json!(0)),
        expect![[r#"
            wait_for_node {"matcher":{"role":"x"},"timeoutMs":1}
            VALUE_CLAMPED at actions.0.params.timeoutMs: actions.0.params.timeoutMs was clamped from 0 to 1; the range is 1 to 120000
        "#]],
    );
    check(
        "wait_for_node",
        wait(json!(-5)),
        expect![[r#"
            wait_for_node {"matcher":{"role":"x"},"timeoutMs":1}
            VALUE_CLAMPED at actions.0.params.timeoutMs: actions.0.params.timeoutMs was clamped from -5 to 1; the range is 1 to 120000
        "#]],
    );
    check(
        "wait_for_node",
        wait(json!(120_000)),
        expect![[r#"
            wait_for_node {"matcher":{"role":"x"},"timeoutMs":120000}
            OUTLASTS_TIMEOUT at actions.0.params.timeoutMs: actions.0.params.timeoutMs is 120000, but the execution times out after 30000; raise its timeoutMs
        "#]],
    );
    check(
        "wait_for_node",
        wait(json!("5")),
        expect![[r#"
            EXECUTION_VALIDATION_FAILED: actions.0.params.timeoutMs must be a number, not a string
              path: "actions.0.params.timeoutMs"
        "#]],
    );
}

#[test]
fn the_tuning_of_scroll_and_click() {
    let tuned = |swipes: Value, ratio: Value, delay: Value| json!({ "matcher": { "role": "x" }, "maxSwipes": swipes, "distanceRatio": ratio, "settleDelayMs": delay });
    check(
        "scroll_and_click",
        tuned(json!(51), json!(1.01), json!(10_001)),
        expect![[r#"
            scroll_and_click {"matcher":{"role":"x"},"maxSwipes":50,"distanceRatio":1,"settleDelayMs":10000}
            VALUE_CLAMPED at actions.0.params.maxSwipes: actions.0.params.maxSwipes was clamped from 51 to 50; the range is 1 to 50
            VALUE_CLAMPED at actions.0.params.distanceRatio: actions.0.params.distanceRatio was clamped from 1.01 to 1; the range is 0 to 1
            VALUE_CLAMPED at actions.0.params.settleDelayMs: actions.0.params.settleDelayMs was clamped from 10001 to 10000; the range is 0 to 10000
        "#]],
    );
    check(
        "scroll_and_click",
        tuned(json!(0), json!(-1), json!(-1)),
        expect![[r#"
            scroll_and_click {"matcher":{"role":"x"},"maxSwipes":1,"distanceRatio":0,"settleDelayMs":0}
            VALUE_CLAMPED at actions.0.params.maxSwipes: actions.0.params.maxSwipes was clamped from 0 to 1; the range is 1 to 50
            VALUE_CLAMPED at actions.0.params.distanceRatio: actions.0.params.distanceRatio was clamped from -1 to 0; the range is 0 to 1
            VALUE_CLAMPED at actions.0.params.settleDelayMs: actions.0.params.settleDelayMs was clamped from -1 to 0; the range is 0 to 10000
        "#]],
    );
    check(
        "scroll_and_click",
        tuned(json!(50), json!(1), json!(10_000)),
        expect![[r#"
            scroll_and_click {"matcher":{"role":"x"},"maxSwipes":50,"distanceRatio":1,"settleDelayMs":10000}
        "#]],
    );
}

fn params(kind: &str, params: Value) -> Params {
    let execution = Execution::from_value(&one(kind, params)).unwrap().execution;
    execution.actions()[0].params().clone()
}

#[test]
fn missing_values_have_documented_defaults() {
    let Params::Scroll(scroll) = params("scroll", json!({})) else {
        panic!()
    };
    assert_eq!(
        scroll,
        Scroll {
            container: None,
            direction: None,
            distance_ratio: None,
            settle_delay_ms: None,
            find_first_scrollable_child: None,
            retry: None
        }
    );
    assert_eq!(scroll.direction(), Direction::Down);
    assert_eq!(scroll.distance_ratio(), 0.7);
    assert_eq!(scroll.settle_delay(), Millis::whole(250));
    assert!(scroll.find_first_scrollable_child());
    assert_eq!(scroll.retry(), Retry::NONE);

    let Params::ScrollUntil(scroll) = params("scroll_until", json!({})) else {
        panic!()
    };
    assert_eq!(scroll.direction(), Direction::Down);
    assert_eq!(scroll.distance_ratio(), 0.7);
    assert_eq!(scroll.settle_delay(), Millis::whole(250));
    assert_eq!(scroll.max_scrolls(), 20);
    assert_eq!(scroll.max_duration(), Millis::whole(10_000));
    assert_eq!(scroll.no_position_change_threshold(), 3);
    assert!(scroll.find_first_scrollable_child());
    assert!(!scroll.click_after());

    let Params::ScrollAndClick(scroll) =
        params("scroll_and_click", json!({ "matcher": { "role": "x" } }))
    else {
        panic!()
    };
    assert_eq!(scroll.direction(), Direction::Down);
    assert_eq!(scroll.max_swipes(), 10);
    assert_eq!(scroll.distance_ratio(), 0.7);
    assert_eq!(scroll.settle_delay(), Millis::whole(250));
    assert!(scroll.find_first_scrollable_child());
    assert!(scroll.click_after());
    assert_eq!(scroll.scroll_retry(), Retry::UI_SCROLL);
    assert_eq!(scroll.click_retry(), Retry::UI_READINESS);
}

#[test]
fn actions_have_documented_retry_presets() {
    let preset = |kind: &str, given: Value| params(kind, given).facts().retry.unwrap();
    let matcher = json!({ "role": "x" });
    for (kind, given, expected) in [
        (
            "open_app",
            json!({ "applicationId": "a" }),
            Retry::APP_LAUNCH,
        ),
        ("open_uri", json!({ "uri": "a" }), Retry::APP_LAUNCH),
        (
            "close_app",
            json!({ "applicationId": "a" }),
            Retry::APP_CLOSE,
        ),
        ("start_recording", json!({}), Retry::NONE),
        ("stop_recording", json!({}), Retry::NONE),
        (
            "wait_for_node",
            json!({ "matcher": matcher }),
            Retry::UI_READINESS,
        ),
        ("click", json!({ "matcher": matcher }), Retry::UI_READINESS),
        ("scroll", json!({}), Retry::NONE),
        (
            "read_text",
            json!({ "matcher": matcher }),
            Retry::UI_READINESS,
        ),
        (
            "enter_text",
            json!({ "matcher": matcher, "text": "a" }),
            Retry::UI_READINESS,
        ),
        ("snapshot_ui", json!({}), Retry::UI_READINESS),
        ("take_screenshot", json!({}), Retry::NONE),
        ("sleep", json!({ "durationMs": 1 }), Retry::NONE),
        ("press_key", json!({ "key": "back" }), Retry::NONE),
        (
            "read_key_value_pair",
            json!({ "labelMatcher": matcher }),
            Retry::UI_READINESS,
        ),
    ] {
        assert_eq!(preset(kind, given.clone()), expected, "{kind}");
        let mut once = given;
        once["retry"] = json!({});
        assert_eq!(
            preset(kind, once),
            Retry::NONE,
            "{kind} with an empty retry object"
        );
    }
}

#[test]
fn given_values_reach_the_engine() {
    let Params::Click(click) = params("tap", json!({ "coordinate": { "x": 3, "y": 4 } })) else {
        panic!()
    };
    let ClickTarget::Point(point) = click.target else {
        panic!()
    };
    assert_eq!((point.x, point.y), (3, 4));

    let Params::PressKey(press) = params("press_key", json!({ "key": "Volume_Up" })) else {
        panic!()
    };
    assert_eq!(press.key, KeyPress::Device(Key::VolumeUp));

    let Params::EnterText(enter) = params(
        "enter_text",
        json!({ "matcher": { "role": "x" }, "text": "a" }),
    ) else {
        panic!()
    };
    assert!(enter.clear());
    assert!(!enter.submit());

    let Params::ReadText(read) = params(
        "read_text",
        json!({ "matcher": { "role": "x" }, "validator": "regex", "validatorPattern": "^a$" }),
    ) else {
        panic!()
    };
    let Some(Validator::Regex { pattern }) = &read.validator else {
        panic!()
    };
    assert_eq!(pattern.as_str(), "^a$");
    assert!(!read.all());

    let Params::Sleep(sleep) = params(
        "sleep",
        json!({ "durationMs": 1.5, "retry": { "maxAttempts": 3, "initialDelayMs": 10 } }),
    ) else {
        panic!()
    };
    assert_eq!(sleep.duration_ms.to_duration().as_micros(), 1_500);
    assert_eq!(sleep.retry().max_attempts, 3);
    assert_eq!(sleep.retry().max_delay, Millis::whole(10));
}
