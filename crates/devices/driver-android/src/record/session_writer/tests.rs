//! Lines derived from captures and touches in chronological order.

use uitree::Size;

use super::*;

const LIST: &str = "screen 1000x2000\nwindow application layer=0 active \"Shop\"\n  list #list [0,0][1000,1800] scrollable\n    row #row [0,0][1000,200] clickable\n      \
                    text \"Wi-Fi\" [0,0][400,200]\n    textfield #name \"$\" [0,200][1000,400] editable focused\n    image #logo [0,400][1000,600]\n\
                    window input-method layer=10\n  node #keys [0,1000][1000,1800]\nwindow system layer=20 owner=com.android.systemui\n  node [0,1800][1000,2000]\n    \
                    image #com.android.systemui:id/back [0,1800][300,2000] clickable\n";

fn look(began: f64, ended: f64, notation: &str, package: &str) -> ScreenCapture {
    let tree = UiTree::parse_notation(notation).unwrap();
    assert_eq!(tree.screen(), Size::new(1000, 2000), "{notation}");
    ScreenCapture {
        began,
        ended,
        xml: tree.to_hierarchy_xml().into(),
        tree: Arc::new(tree),
        package: package.to_owned(),
        class: None,
        title: None,
    }
}

fn story(gestures: bool) -> SessionWriter {
    let habits = PhoneSettings {
        density: 160,
        gestures,
    };
    let mut story = SessionWriter::new(1_000_000, habits);
    story.look(look(0.0, 100.0, LIST, "shop"));
    assert_eq!(kinds(&story.lines()), ["window_change"]);
    story
}

/// A finger that touches at `from` and leaves at `to`.
fn stroke(down: f64, up: f64, from: (f64, f64), to: (f64, f64)) -> Input {
    let share = |(x, y): (f64, f64)| Some(((x + 0.5) / 1000.0, (y + 0.5) / 2000.0));
    Input::Stroke(Stroke {
        down,
        up,
        from: share(from),
        to: share(to),
        fingers: 1,
    })
}

fn tap(at: f64, x: f64, y: f64) -> Input {
    stroke(at, at + 50.0, (x, y), (x, y))
}

fn kinds(lines: &[Value]) -> Vec<&str> {
    lines
        .iter()
        .map(|line| line["type"].as_str().unwrap())
        .collect()
}

#[test]
fn touch_belongs_to_the_screen_before_it() {
    let mut story = story(false);
    story.input(&tap(300.0, 100.0, 100.0));
    let lines = story.lines();
    let click = &lines[0];
    assert_eq!(click["type"], "click");
    assert_eq!(click["ts"], 1_000_300);
    assert_eq!(click["seq"], 1);
    assert_eq!(click["resourceId"], "row");
    assert_eq!(click["text"], "Wi-Fi");
    assert_eq!(click["treeAgeMs"], 200);
    assert_eq!(click["bounds"]["bottom"], 200);
    assert_eq!(click["coordinate"], json!({"x": 100, "y": 100}));
    assert!(click["snapshot"].as_str().unwrap().starts_with("<?xml"));
    assert!(click.get("confirmed").is_none());
}

#[test]
fn second_touch_waits_for_equal_capture() {
    let mut story = story(false);
    story.input(&tap(300.0, 100.0, 100.0));
    story.input(&tap(600.0, 100.0, 100.0));
    assert_eq!(kinds(&story.lines()), ["click"]);
    assert!(story.wants_look());
    // A capture that began before the finger left does not count.
    story.look(look(620.0, 700.0, LIST, "shop"));
    assert!(story.lines().is_empty());
    story.look(look(700.0, 800.0, LIST, "shop"));
    let lines = story.lines();
    assert_eq!(kinds(&lines), ["click"]);
    assert_eq!(lines[0]["confirmed"], "by the next look");
    assert_eq!(lines[0]["ts"], 1_000_600);
    assert!(!story.wants_look());
}

#[test]
fn touch_on_unknown_screen_is_coordinate_and_gap() {
    let mut story = story(false);
    story.input(&tap(300.0, 100.0, 100.0));
    story.input(&tap(600.0, 100.0, 100.0));
    let other = LIST.replace("Wi-Fi", "Bluetooth");
    story.look(look(700.0, 800.0, &other, "other"));
    let lines = story.lines();
    assert_eq!(kinds(&lines), ["click", "click", "gap", "window_change"]);
    assert_eq!(lines[1]["resourceId"], Value::Null);
    assert_eq!(lines[1]["coordinate"], json!({"x": 100, "y": 100}));
    let why = lines[2]["reason"].as_str().unwrap();
    assert!(why.contains("the next capture differs there"), "{why}");
    assert_eq!(lines[2]["treeAgeMs"], 500);
    assert_eq!(story.tally(), EventCounts { events: 5, gaps: 1 });
}

#[test]
fn old_capture_needs_confirmation() {
    let mut story = story(false);
    story.input(&tap(9_000.0, 100.0, 100.0));
    assert!(story.lines().is_empty());
    story.end(9_100.0);
    let lines = story.lines();
    assert_eq!(kinds(&lines), ["click", "gap"]);
    let why = lines[1]["reason"].as_str().unwrap();
    assert!(
        why.contains("8900 ms old") && why.contains("ended before"),
        "{why}"
    );
}

#[test]
fn typed_text_is_read_from_the_field() {
    let mut story = story(false);
    for at in [300.0, 400.0, 500.0] {
        story.input(&tap(at, 100.0, 1500.0));
    }
    story.input(&tap(900.0, 100.0, 100.0));
    assert!(story.lines().is_empty());
    story.look(look(1000.0, 1100.0, &LIST.replace('$', "abc"), "shop"));
    let lines = story.lines();
    assert_eq!(kinds(&lines), ["text_change", "click"]);
    assert_eq!(lines[0]["text"], "abc");
    assert_eq!(lines[0]["resourceId"], "name");
    // A password is marked as such, without its value.
    let mut story = self::story(false);
    let hidden = LIST.replace("editable focused", "editable focused password");
    story.look(look(150.0, 200.0, &hidden, "shop"));
    story.input(&tap(300.0, 100.0, 1500.0));
    story.look(look(400.0, 500.0, &hidden.replace('$', "secret"), "shop"));
    let lines = story.lines();
    assert_eq!(kinds(&lines), ["text_change"]);
    assert_eq!(
        (&lines[0]["text"], &lines[0]["password"]),
        (&json!(""), &json!(true))
    );
    // A field that has disappeared leaves a gap.
    let mut story = self::story(false);
    story.input(&tap(300.0, 100.0, 1500.0));
    let gone = LIST.replace(
        "textfield #name \"$\" [0,200][1000,400] editable focused",
        "text \"Saved\" [0,200][1000,400]",
    );
    story.look(look(400.0, 500.0, &gone, "shop"));
    let lines = story.lines();
    assert_eq!(kinds(&lines), ["gap"]);
    assert!(
        lines[0]["reason"]
            .as_str()
            .unwrap()
            .contains("the field was gone")
    );
}

#[test]
fn swipe_in_scroll_container_is_a_scroll() {
    let mut story = story(false);
    story.input(&stroke(300.0, 500.0, (500.0, 900.0), (500.0, 300.0)));
    let lines = story.lines();
    assert_eq!(kinds(&lines), ["scroll"]);
    assert_eq!(
        (&lines[0]["direction"], &lines[0]["resourceId"]),
        (&json!("down"), &json!("list"))
    );
    let mut story = self::story(false);
    let still = LIST.replace(" scrollable", "");
    story.look(look(150.0, 200.0, &still, "shop"));
    story.input(&stroke(300.0, 500.0, (500.0, 500.0), (900.0, 510.0)));
    let lines = story.lines();
    assert_eq!(kinds(&lines), ["gap"]);
    assert!(
        lines[0]["reason"]
            .as_str()
            .unwrap()
            .contains("outside of any scroll container")
    );
    // A finger that moves within a row still presses it.
    let mut story = self::story(false);
    story.look(look(150.0, 200.0, &still, "shop"));
    story.input(&stroke(300.0, 400.0, (100.0, 100.0), (120.0, 110.0)));
    assert_eq!(kinds(&story.lines()), ["click"]);
}

#[test]
fn long_press_needs_long_clickable_node() {
    let mut story = story(false);
    let long = |down: f64| stroke(down, down + 700.0, (100.0, 100.0), (100.0, 100.0));
    story.input(&long(300.0));
    let lines = story.lines();
    assert_eq!(
        (kinds(&lines).as_slice(), lines[0].get("clickType")),
        (["click"].as_slice(), None)
    );
    let takes = LIST.replace(
        "[0,0][1000,200] clickable",
        "[0,0][1000,200] clickable long-clickable",
    );
    story.look(look(1_100.0, 1_200.0, &takes, "shop"));
    story.input(&long(1_300.0));
    assert_eq!(story.lines()[0]["clickType"], "long_click");
}

#[test]
fn navigation_gestures_are_keys() {
    let mut story = story(false);
    story.input(&tap(300.0, 100.0, 1900.0));
    let lines = story.lines();
    assert_eq!(
        (&lines[0]["type"], &lines[0]["key"]),
        (&json!("press_key"), &json!("back"))
    );
    for (from, to, up, key) in [
        ((5.0, 900.0), (400.0, 900.0), 450.0, "back"),
        ((995.0, 900.0), (600.0, 900.0), 450.0, "back"),
        ((500.0, 1995.0), (500.0, 1200.0), 450.0, "home"),
        ((500.0, 1995.0), (500.0, 1200.0), 1_500.0, "recents"),
    ] {
        let mut story = self::story(true);
        story.input(&stroke(300.0, up, from, to));
        let lines = story.lines();
        assert_eq!(lines[0]["key"], key, "{lines:?}");
    }
    let mut story = self::story(false);
    story.input(&Input::Button {
        at: 300.0,
        key: Key::VolumeUp,
    });
    story.input(&Input::Button {
        at: 400.0,
        key: Key::Back,
    });
    let lines = story.lines();
    assert_eq!(lines[0]["key"], "volume_up");
    assert!(lines[0]["snapshot"].is_string());
    // There was no capture since the first.
    assert_eq!(
        (&lines[1]["key"], &lines[1]["snapshot"]),
        (&json!("back"), &Value::Null)
    );
}

#[test]
fn gaps_are_reported_once() {
    let mut story = story(false);
    story.screen_lost(1_000.0, 2_000.0, "it moves");
    story.screen_lost(3_000.0, 5_000.0, "it moves");
    assert!(story.lines().is_empty());
    story.screen_lost(5_000.0, 6_100.0, "it moves");
    story.screen_lost(7_000.0, 8_100.0, "it moves");
    story.touches_lost(9_000.0, "the connection broke");
    story.input(&Input::Lost { at: 9_500.0 });
    let lines = story.lines();
    assert_eq!(kinds(&lines), ["gap", "gap", "gap"]);
    assert!(lines[0]["reason"].as_str().unwrap().contains("it moves"));
    let mut pinch = stroke(10_000.0, 10_100.0, (1.0, 1.0), (1.0, 1.0));
    if let Input::Stroke(stroke) = &mut pinch {
        stroke.fingers = 2;
    }
    story.look(look(9_800.0, 9_900.0, LIST, "shop"));
    story.input(&pinch);
    assert!(
        story.lines()[0]["reason"]
            .as_str()
            .unwrap()
            .contains("2 fingers")
    );
}
