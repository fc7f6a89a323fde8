//! Tests of the judge and the report.

use proving::{Case, Op, Setup, replay};
use serde_json::json;

fn case(ops: Vec<Op>) -> Case {
    Case {
        seed: 1,
        setup: Setup::in_app("com.android.settings"),
        ops,
    }
}

#[test]
fn an_invalid_plan_is_a_violation() {
    let replayed = replay(&case(vec![Op::Run {
        payload: json!({ "commandId": "c" }),
        cancel: None,
        budget: None,
    }]));
    assert_eq!(replayed.violations.len(), 1);
    assert_eq!(replayed.violations[0].rule, "plan refused");
}

#[test]
fn a_valid_plan_has_no_violations_and_a_chronological_report() {
    let payload = json!({
        "commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
        "timeoutMs": 30000, "actions": [
            { "id": "a", "type": "click", "params": { "matcher": { "textEquals": "Connections" } } },
            { "id": "b", "type": "read_text", "params": { "matcher": { "textEquals": "Wi-Fi" } } },
            { "id": "c", "type": "press_key", "params": { "key": "back" } },
        ],
    });
    let replayed = replay(&case(vec![
        Op::Wait(1000),
        Op::Run {
            payload,
            cancel: None,
            budget: None,
        },
    ]));
    assert_eq!(replayed.violations, []);
    assert_eq!(replayed.results[0]["status"], "success");
    let clicked = replayed
        .journal
        .iter()
        .filter(|line| line.contains("click by"));
    assert_eq!(clicked.count(), 1);
    // The report is chronological.
    let line_of = |text: &str| {
        let found = replayed.report.iter().position(|line| line.contains(text));
        found.unwrap_or_else(|| panic!("{text:?} is not in\n{}", replayed.report.join("\n")))
    };
    let lines = [
        "starts in com.android.settings",
        "1. at 0.000 ms: Wait(1000)",
        "2. at 1000.000 ms: run plan c with 3 steps",
        "step 0: click {\"matcher\":{\"textEquals\":\"Connections\"}}",
        "Observe",
        "Click",
        "click by accessibility",
        "=> ok, click_types \"click\"",
        "step 1: read_text",
        "step 2: press_key",
    ]
    .map(line_of);
    assert!(
        lines.is_sorted(),
        "{lines:?}\n{}",
        replayed.report.join("\n")
    );
}

/// The screen has both `Tea room` and, before it, the same text with a no-break space.
#[test]
fn a_press_is_of_the_text_with_the_given_kind_of_space() {
    for (key, given, pressed) in [
        ("textEquals", "Tea room", "Tea room"),
        ("textEquals", "Tea\u{a0}room", "Tea\u{a0}room"),
        ("textContains", "TEA R", "Tea room"),
        ("textContains", "TEA\u{a0}R", "Tea\u{a0}room"),
        // No element has this kind, so that every kind matches.
        ("textEquals", "Tea\u{202f}room", "Tea\u{a0}room"),
    ] {
        let payload = json!({
            "commandId": "c", "taskId": "t", "source": "s", "expectedFormat": "android-ui-automator",
            "timeoutMs": 30000, "actions": [
                { "id": "a", "type": "open_uri", "params": { "uri": "torture://unicode" } },
                { "id": "b", "type": "click", "params": { "matcher": { key: given } } },
            ],
        });
        let replayed = replay(&case(vec![Op::Run {
            payload,
            cancel: None,
            budget: None,
        }]));
        assert_eq!(replayed.violations, [], "{key} {given:?}");
        let clicks = replayed.journal.iter();
        let clicks: Vec<&String> = clicks.filter(|line| line.contains("click by")).collect();
        let is_pressed = clicks
            .iter()
            .all(|line| line.ends_with(&format!("{pressed:?}")));
        assert!(
            is_pressed && clicks.len() == 1,
            "{key} {given:?}: {clicks:?}"
        );
    }
}
