//! Lines of events that the test makes.

use super::*;
use agent_protocol::Bounds;

fn event(kind: AppEventKind, id: &str) -> AppEvent {
    AppEvent {
        number: 1,
        lost: 0,
        age_ms: 0,
        kind,
        package: "com.x".to_owned(),
        class: "android.widget.EditText".to_owned(),
        texts: vec!["a".to_owned()],
        description: String::new(),
        password: false,
        scroll: (-1, -1),
        scroll_end: (-1, -1),
        scroll_by: (0, 0),
        source: Some(EventSource {
            window: 3,
            class: "android.widget.EditText".to_owned(),
            resource_id: id.to_owned(),
            text: "a".to_owned(),
            description: String::new(),
            flags: NodeFlags::EDITABLE,
            bounds: Bounds {
                left: 1,
                top: 2,
                width: 10,
                height: 20,
            },
        }),
    }
}

fn written(events: &[(u64, AppEvent)]) -> (Vec<Value>, EventCounts) {
    let mut writer = EventWriter::new(1000);
    for (at, (lost, event)) in events.iter().enumerate() {
        writer.event(at as f64, *lost, event, None);
    }
    writer.settle();
    (writer.lines(), writer.tally())
}

#[test]
fn clicks_name_their_node_and_lost_events_are_a_gap() {
    let (lines, tally) = written(&[
        (0, event(AppEventKind::Clicked, "com.x:id/a")),
        (2, event(AppEventKind::LongClicked, "com.x:id/b")),
    ]);
    assert_eq!((tally.events, tally.gaps), (3, 1));
    assert_eq!(
        lines[0],
        json!({
            "ts": 1000, "seq": 0, "snapshot": null, "packageName": "com.x", "resourceId": "com.x:id/a",
            "text": null, "contentDesc": null,
            "bounds": { "left": 1, "top": 2, "right": 11, "bottom": 22 },
            "type": "click", "windowId": 3, "className": "android.widget.EditText",
        })
    );
    let mut row = event(AppEventKind::Clicked, "com.x:id/row");
    row.texts = ["", "Wi-Fi", "On"].map(str::to_owned).to_vec();
    let source = row.source.as_mut().unwrap();
    (source.text, source.flags) = (String::new(), NodeFlags::CLICKABLE);
    let mut button = row.clone();
    button.source.as_mut().unwrap().text = "Save".to_owned();
    let named = written(&[(0, row), (0, button)]).0;
    assert_eq!(
        (&named[0]["text"], &named[1]["text"]),
        (&json!("Wi-Fi"), &json!("Save"))
    );
    assert_eq!(lines[1]["reason"], "2 events of the phone were lost");
    assert_eq!(lines[2]["clickType"], "long_click");
    assert_eq!(lines[2]["seq"], 2);
}

#[test]
fn typing_in_one_field_and_scrolling_one_list_are_one_event_each() {
    let typed = |text: &str, id| AppEvent {
        texts: vec![text.to_owned()],
        ..event(AppEventKind::TextChanged, id)
    };
    let scrolled = |by| AppEvent {
        scroll_by: by,
        ..event(AppEventKind::Scrolled, "com.x:id/list")
    };
    let mut label = typed("12:01", "com.x:id/clock");
    label.source.as_mut().unwrap().flags = NodeFlags::ENABLED;
    let secret = AppEvent {
        password: true,
        ..typed("geheim", "com.x:id/pw")
    };
    let events = [
        typed("A", "com.x:id/name"),
        typed("Ada", "com.x:id/name"),
        label,
        secret,
        scrolled((0, 40)),
        scrolled((0, 900)),
        scrolled((0, -5)),
    ];
    let (lines, _) = written(&events.map(|event| (0, event)));
    let texts: Vec<&Value> = lines.iter().filter_map(|line| line.get("text")).collect();
    assert_eq!(texts, ["Ada", ""]);
    assert_eq!(lines[1]["password"], true);
    let ways: Vec<&Value> = lines
        .iter()
        .filter_map(|line| line.get("direction"))
        .collect();
    assert_eq!(ways, ["down", "up"]);
}

#[test]
fn windows_and_buttons_of_the_bar_are_reported_once() {
    let window = |class: &str| AppEvent {
        class: class.to_owned(),
        ..event(AppEventKind::WindowChanged, "")
    };
    let back = AppEvent {
        package: SYSTEM_UI.to_owned(),
        ..event(AppEventKind::Clicked, "com.android.systemui:id/back")
    };
    let gone = AppEvent {
        source: None,
        texts: Vec::new(),
        ..event(AppEventKind::Clicked, "")
    };
    let events = [window("Main"), window("Main"), window(KEYBOARD), back, gone];
    let (lines, tally) = written(&events.map(|event| (0, event)));
    let types: Vec<&Value> = lines.iter().map(|line| &line["type"]).collect();
    assert_eq!(types, ["window_change", "press_key", "gap"]);
    assert_eq!(tally.gaps, 1);
}

#[test]
fn unreported_touch_is_a_click_on_what_was_there() {
    let tree = uitree::UiTree::parse_notation(
        "column [0,0][100,300]\n  row #row \"Nora\" [0,0][100,100] clickable\n  image #map [0,100][100,200]\n  list #list \
         [0,200][100,300] scrollable\n",
    );
    let tree = tree.unwrap();
    let touch = |y, ms, to| Touch {
        down: 10.0,
        up: 10.0 + ms,
        from: uitree::Point::new(5, y),
        to,
        target: crate::record::touch::TouchTarget::at(&tree, uitree::Point::new(5, y)).unwrap(),
    };
    let mut writer = EventWriter::new(1000);
    let moved = Some(uitree::Point::new(90, 150));
    writer.touch(&touch(5, 50.0, None), None);
    writer.touch(&touch(150, 600.0, None), None);
    writer.touch(&touch(250, 50.0, moved), None);
    writer.touch(&touch(150, 50.0, moved), None);
    let lines = writer.lines();
    assert_eq!(
        (&lines[0]["text"], &lines[0]["ts"]),
        (&json!("Nora"), &json!(1010))
    );
    assert_eq!(lines[0]["coordinate"], json!({"x": 5, "y": 5}));
    assert_eq!(lines[0]["bounds"]["bottom"], 100);
    assert_eq!(
        (&lines[1]["resourceId"], &lines[1]["clickType"]),
        (&json!("map"), &json!("long_click"))
    );
    // A swipe at the end of a list moves nothing.
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[2]["reason"],
        "no app reported the swipe from 5 150 to 90 150"
    );
}
