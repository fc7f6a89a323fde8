//! The judge sees what is wrong: a proof whose judge sees nothing would be worth nothing.

use proving::{Case, Op, Setup, replay};
use serde_json::json;

fn case(ops: Vec<Op>) -> Case {
    Case {
        seed: 1,
        setup: Setup {
            screen: (1080, 2340),
            density: 2.625,
            theme: driver_sim::ThemeChoice::Light,
            seed: 1,
            app: Some("com.android.settings".to_owned()),
            animations: driver_sim::AnimationChoice::Off,
            pace: driver_sim::PaceChoice::Instant,
            faults: Vec::new(),
        },
        ops,
    }
}

#[test]
fn a_plan_that_is_no_plan_is_a_violation() {
    let played = replay(&case(vec![Op::Run {
        payload: json!({ "commandId": "c" }),
        cancel: None,
        budget: None,
    }]));
    assert_eq!(played.violations.len(), 1);
    assert_eq!(played.violations[0].rule, "plan refused");
}

#[test]
fn a_plain_plan_is_judged_and_found_right() {
    let payload = json!({
        "commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
        "timeoutMs": 30000, "actions": [
            { "id": "a", "type": "click", "params": { "matcher": { "textEquals": "Connections" } } },
            { "id": "b", "type": "read_text", "params": { "matcher": { "textEquals": "Wi-Fi" } } },
            { "id": "c", "type": "press_key", "params": { "key": "back" } },
        ],
    });
    let played = replay(&case(vec![
        Op::Wait(1000),
        Op::Run {
            payload,
            cancel: None,
            budget: None,
        },
    ]));
    assert_eq!(played.violations, []);
    assert_eq!(played.answers[0]["status"], "success");
    let clicked = played
        .journal
        .iter()
        .filter(|line| line.contains("click by"));
    assert_eq!(clicked.count(), 1);
    // The story has everything in the order of time: what was asked, what happened, what was answered.
    let place = |words: &str| {
        let found = played.story.iter().position(|line| line.contains(words));
        found.unwrap_or_else(|| panic!("{words:?} is not in\n{}", played.story.join("\n")))
    };
    let order = [
        "begins in com.android.settings",
        "1. at 0.000 ms: 1000 ms pass",
        "2. at 1000.000 ms: the plan c of 3 steps",
        "step 0: click {\"matcher\":{\"textEquals\":\"Connections\"}}",
        "looks",
        "for Click",
        "click by accessibility",
        "=> ok, click_types \"click\"",
        "step 1: read_text",
        "step 2: press_key",
    ]
    .map(place);
    assert!(order.is_sorted(), "{order:?}\n{}", played.story.join("\n"));
}
