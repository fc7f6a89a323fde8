//! Values that are clamped to their range, each with a warning.

use contract::{
    Direction, Execution, Key, KeyPress, Millis, Params, Retry, Validator,
    actions::{ClickTarget, Scroll},
};
use serde_json::{Value, json};

use crate::support::one;

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
