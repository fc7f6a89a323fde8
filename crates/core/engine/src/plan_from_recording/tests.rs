//! Plans of synthetic sessions.

use contract::recording::{Event, Reader, snapshot_of, steps};
use contract::{Execution, recording};

use super::*;

const SHOP: &str = "column [0,0][1080,2400]\n  list #list [0,0][1080,2000] scrollable\n    row #row [0,0][1080,200] clickable\n      text \"Wi-Fi\" \
                    [0,0][400,200]\n      text \"On\" #state [400,0][600,200]\n    row #row [0,200][1080,400] clickable\n      text \"Bluetooth\" \
                    [0,200][400,400]\n      text \"On\" #state [400,200][600,400]\n  textfield #name \"old\" [0,2000][1080,2100] editable clickable\n  \
                    textfield #pw \"••\" [0,2100][1080,2200] editable password clickable\n  image [0,2200][200,2400] clickable\n  image \
                    [200,2200][400,2400] clickable\n";

/// The lines of a session, with this screen before each event.
fn session(events: &[Value]) -> (Header, Vec<Event>, Vec<String>) {
    let xml = UiTree::parse_notation(SHOP).unwrap().to_hierarchy_xml();
    let header = json!({"type": "recording_header", "schemaVersion": 1, "sessionId": "s-1", "startedAt": 1, "operatorPackage": "p"});
    let mut lines = vec![header.to_string()];
    for (seq, event) in events.iter().enumerate() {
        let mut line = json!({"ts": 1000 * seq, "seq": seq, "snapshot": xml});
        for (key, value) in event.as_object().unwrap() {
            line[key] = value.clone();
        }
        lines.push(line.to_string());
    }
    let mut reader = Reader::new();
    let mut events = Vec::new();
    for line in &lines {
        events.extend(reader.take(line.as_bytes()).unwrap());
    }
    (reader.end().unwrap(), events, lines)
}

fn click(id: Option<&str>, bounds: [i32; 4]) -> Value {
    let [left, top, right, bottom] = bounds;
    json!({"type": "click", "packageName": "shop", "resourceId": id, "text": null, "contentDesc": null,
        "bounds": {"left": left, "top": top, "right": right, "bottom": bottom}})
}

fn text(id: Option<&str>, text: &str) -> Value {
    json!({"type": "text_change", "packageName": "shop", "resourceId": id, "text": text})
}

fn window(package: &str) -> Value {
    json!({"type": "window_change", "packageName": package})
}

/// The plan of a session, validated like any other.
fn plan(events: &[Value]) -> (Vec<Value>, ReplayPlan) {
    let (header, events, lines) = session(events);
    let mut screen = |event: usize| snapshot_of(lines[event + 1].as_bytes()).unwrap();
    let replay = plan_from_recording(&header, &steps(&events), &mut screen);
    let parsed = Execution::from_value(&replay.payload)
        .unwrap_or_else(|error| panic!("{error:?}\n{}", replay.payload));
    assert!(parsed.warnings.is_empty(), "{:?}", parsed.warnings);
    let canonical = serde_json::to_value(&parsed.execution).unwrap();
    (canonical["actions"].as_array().unwrap().clone(), replay)
}

#[test]
fn rows_with_equal_ids_are_matched_by_content() {
    let (actions, replay) = plan(&[window("shop"), click(Some("row"), [0, 200, 1080, 400])]);
    assert_eq!(actions[0]["params"], json!({"applicationId": "shop"}));
    assert_eq!(
        actions[1]["params"]["matcher"],
        json!({"textEquals": "Bluetooth"})
    );
    assert_eq!(
        (replay.coverage, replay.warnings),
        (Coverage::Complete, vec![])
    );
    let (actions, _) = plan(&[window("com.android.launcher3")]);
    assert_eq!(
        (&actions[0]["type"], &actions[0]["params"]["key"]),
        (&json!("press_key"), &json!("home"))
    );
}

#[test]
fn field_of_a_screen_that_a_click_opened_is_found_on_that_screen() {
    let list = UiTree::parse_notation("row \"Nora\" [0,0][1080,200] clickable").unwrap();
    let mut opens = click(None, [0, 0, 1080, 200]);
    opens["text"] = "Nora".into();
    opens["snapshot"] = list.to_hierarchy_xml().into();
    let (actions, replay) = plan(&[window("shop"), opens, text(Some("name"), "Ada")]);
    assert_eq!(
        actions[2]["params"]["matcher"],
        json!({"resourceId": "name"}),
        "{:?}",
        replay.warnings
    );
}

#[test]
fn indistinguishable_node_is_clicked_by_coordinate() {
    let (actions, replay) = plan(&[window("shop"), click(None, [200, 2200, 400, 2400])]);
    assert_eq!(
        actions[1]["params"]["coordinate"],
        json!({"x": 300, "y": 2300})
    );
    assert!(
        replay.warnings[0]
            .message
            .contains("no matcher is unique for this node"),
        "{:?}",
        replay.warnings
    );
    let (actions, replay) = plan(&[window("shop"), click(Some("gone"), [0, 0, 10, 10])]);
    assert_eq!(actions[1]["params"]["coordinate"], json!({"x": 5, "y": 5}));
    assert!(replay.warnings[0].message.contains("not on the screen"));
    let (actions, replay) = plan(&[window("shop"), click(Some("gone"), [0, 0, 0, 0])]);
    assert_eq!((actions.len(), replay.coverage), (1, Coverage::Partial));
}

/// A touch on the empty part of a list.
#[test]
fn touch_on_a_node_that_is_not_clickable_becomes_a_coordinate_with_a_warning() {
    let (actions, replay) = plan(&[window("shop"), click(Some("list"), [0, 0, 1080, 2000])]);
    assert_eq!(
        actions[1]["params"]["coordinate"],
        json!({"x": 540, "y": 1000})
    );
    assert!(
        replay.warnings[0]
            .message
            .ends_with("nothing at its place takes clicks"),
        "{:?}",
        replay.warnings
    );
}

#[test]
fn events_without_a_screen_match_what_the_app_reported() {
    let unseen = |mut event: Value, more: Value| {
        event["snapshot"] = Value::Null;
        for (key, value) in more.as_object().unwrap() {
            event[key] = value.clone();
        }
        event
    };
    let scroll = json!({"type": "scroll", "packageName": "shop", "resourceId": "list", "scrollX": -1, "scrollY": -1,
        "maxScrollX": -1, "maxScrollY": -1, "direction": "down"});
    let area = [0, 200, 1080, 400];
    let (actions, replay) = plan(&[
        window("shop"),
        unseen(click(Some("row"), area), json!({"text": "Bluetooth"})),
        unseen(click(Some("up"), area), json!({"contentDesc": "Back"})),
        unseen(click(Some("fab"), area), json!({})),
        unseen(click(None, area), json!({})),
        unseen(text(Some("name"), "Ann"), json!({})),
        unseen(text(None, "Ann"), json!({})),
        unseen(scroll, json!({})),
    ]);
    let params: Vec<&Value> = actions.iter().map(|action| &action["params"]).collect();
    let expected = [
        json!({"applicationId": "shop"}),
        json!({"matcher": {"textEquals": "Bluetooth"}}),
        json!({"matcher": {"contentDescEquals": "Back"}}),
        json!({"matcher": {"resourceId": "fab"}}),
        json!({"coordinate": {"x": 540, "y": 300}}),
        json!({"matcher": {"resourceId": "name"}, "text": "Ann"}),
        json!({"focused": true, "text": "Ann"}),
        json!({"container": {"resourceId": "list"}, "direction": "down"}),
    ];
    for (got, expected) in params.iter().zip(&expected) {
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&got[key], value, "{got}");
        }
    }
    assert_eq!((params.len(), replay.coverage), (8, Coverage::Complete));
    let (typed, _) = plan(&[window("shop"), unseen(text(None, "Ann"), json!({}))]);
    assert_eq!(typed[1]["params"]["matcher"], json!({"role": "textfield"}));
    let unproven = replay.warnings.iter();
    let unproven = unproven.filter(|why| why.message.contains("whether it is unique"));
    let steps: Vec<f64> = unproven.filter_map(|why| why.seq).collect();
    assert_eq!(steps, [1.0, 2.0, 3.0, 5.0]);
}

#[test]
fn text_goes_into_recorded_field_and_passwords_are_left_out() {
    let named = plan(&[window("shop"), text(Some("name"), "Ann")]).0;
    assert_eq!(named[1]["params"]["matcher"], json!({"resourceId": "name"}));
    assert_eq!(named[1]["params"]["text"], "Ann");
    // If the event does not name the field, the click before it does.
    let chosen = plan(&[
        window("shop"),
        click(Some("name"), [0, 2000, 1080, 2100]),
        text(None, "Ann"),
    ])
    .0;
    assert_eq!(
        chosen[2]["params"]["matcher"],
        json!({"resourceId": "name"})
    );
    let button = plan(&[
        window("shop"),
        click(Some("row"), [0, 0, 1080, 200]),
        text(None, "Ann"),
    ]);
    assert_eq!((button.0.len(), button.1.coverage), (2, Coverage::Partial));
    for secret in [
        plan(&[window("shop"), text(Some("pw"), "secret")]),
        plan(&[
            window("shop"),
            click(Some("pw"), [0, 2100, 1080, 2200]),
            text(None, "secret"),
        ]),
        plan(&[window("shop"), text(Some("pw"), "••••••")]),
    ] {
        assert!(
            !secret.1.payload.to_string().contains("secret"),
            "{}",
            secret.1.payload
        );
        assert!(!secret.0.iter().any(|action| action["type"] == "enter_text"));
    }
}

#[test]
fn scroll_before_click_becomes_scroll_and_click() {
    let scroll = json!({"type": "scroll", "packageName": "shop", "resourceId": "list", "scrollX": -1, "scrollY": -1,
        "maxScrollX": -1, "maxScrollY": -1, "direction": "down"});
    let (actions, _) = plan(&[
        window("shop"),
        scroll.clone(),
        click(Some("row"), [0, 0, 1080, 200]),
    ]);
    assert_eq!(actions.len(), 2);
    assert_eq!(actions[1]["type"], "scroll_and_click");
    let params = json!({"matcher": {"textEquals": "Wi-Fi"}, "container": {"resourceId": "list"}, "direction": "down"});
    assert_eq!(actions[1]["params"], params);
    let (actions, _) = plan(&[
        window("shop"),
        scroll.clone(),
        json!({"type": "press_key", "key": "back"}),
    ]);
    assert_eq!(
        (&actions[1]["type"], &actions[2]["params"]["key"]),
        (&json!("scroll"), &json!("back"))
    );
    let (actions, _) = plan(&[window("shop"), scroll, click(None, [200, 2200, 400, 2400])]);
    assert_eq!(
        (&actions[1]["type"], &actions[2]["type"]),
        (&json!("scroll"), &json!("click"))
    );
}

#[test]
fn long_pauses_and_app_switches_become_waits() {
    let mut late = click(Some("row"), [0, 0, 1080, 200]);
    late["ts"] = json!(6_000);
    let mut other = window("other");
    other["ts"] = json!(6_500);
    let (actions, _) = plan(&[window("shop"), late, other]);
    let kinds: Vec<&str> = actions
        .iter()
        .map(|action| action["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["open_app", "wait_for_node", "click", "wait_for_navigation"]
    );
    assert_eq!(actions[1]["params"]["timeoutMs"], 16_000);
    assert_eq!(actions[3]["params"]["expectedPackage"], "other");
    assert!(recording::is_session_id("s-1"));
}
