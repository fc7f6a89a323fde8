//! Steps of synthetic recordings.

use super::*;

struct Story(Vec<Event>, f64);

impl Story {
    fn new() -> Self {
        Self(Vec::new(), 0.0)
    }

    fn then(mut self, after: f64, kind: EventKind) -> Self {
        self.1 += after;
        let seq = self.0.len() as f64;
        self.0.push(Event {
            ts: self.1,
            seq,
            has_snapshot: true,
            kind,
        });
        self
    }

    fn window(self, package: &str) -> Self {
        let package = package.to_owned();
        self.then(
            100.0,
            EventKind::Window {
                package,
                title: None,
            },
        )
    }

    fn click(self, text: &str) -> Self {
        self.then(
            500.0,
            EventKind::Click {
                node: EventNode {
                    text: Some(text.to_owned()),
                    ..event_node("a")
                },
                bounds: Place::default(),
                long: false,
                at: None,
            },
        )
    }

    fn text(self, text: &str) -> Self {
        let text = text.to_owned();
        self.then(
            100.0,
            EventKind::Text {
                node: event_node("a"),
                text,
                password: false,
            },
        )
    }

    fn scroll(self, y: f64) -> Self {
        self.then(
            50.0,
            EventKind::Scroll {
                node: event_node("a"),
                offset: (0.0, y),
                most: (0.0, 900.0),
                direction: None,
            },
        )
    }

    fn steps(&self) -> Vec<String> {
        let made = steps(&self.0);
        made.steps
            .iter()
            .map(|step| format!("{} {}", step.name(), step.described()))
            .collect()
    }

    fn warnings(&self) -> Vec<String> {
        steps(&self.0)
            .warnings
            .iter()
            .map(StepWarning::to_string)
            .collect()
    }
}

fn event_node(package: &str) -> EventNode {
    EventNode {
        package: package.to_owned(),
        ..EventNode::default()
    }
}

#[test]
fn events_become_steps() {
    let story = Story::new()
        .window("a")
        .click("Name")
        .text("A")
        .text("An")
        .text("Ann")
        .scroll(0.0)
        .scroll(40.0)
        .scroll(200.0)
        .click("Share")
        .window("b")
        .then(500.0, EventKind::Key(Key::Back));
    assert_eq!(
        story.steps(),
        [
            "open_app a",
            "click \"Name\"",
            "enter_text a",
            "scroll down",
            "click \"Share\"",
            "wait_for_navigation b",
            "press_key back",
        ]
    );
    let made = steps(&story.0);
    assert!(
        matches!(&made.steps[2].kind, StepKind::Enter { text, chosen: Some(1), .. } if text == "Ann")
    );
    let dropped = "seq 5: the scroll was dropped: its direction is not recorded";
    assert_eq!(story.warnings(), [dropped]);
}

#[test]
fn passwords_are_never_steps() {
    let story = Story::new()
        .window("a")
        .click("Password")
        .text("s")
        .text("•e")
        .text("••••••")
        .then(
            100.0,
            EventKind::Text {
                node: event_node("a"),
                text: "secret".to_owned(),
                password: true,
            },
        );
    let made = steps(&story.0);
    // Text that was shown before the field was masked is ordinary text.
    assert!(matches!(&made.steps[2].kind, StepKind::Enter { text, .. } if text == "s"));
    assert_eq!(made.steps.len(), 3);
    assert_eq!(made.warnings.len(), 1, "{:?}", made.warnings);
    assert!(!format!("{made:?}").contains("secret"));
}

#[test]
fn unexplained_events_are_warnings() {
    let story = Story::new()
        .window("a")
        .window("launcher")
        .then(20_000.0, EventKind::Key(Key::Home))
        .window("launcher2")
        .then(
            1.0,
            EventKind::Gap {
                reason: "blind".to_owned(),
            },
        );
    assert_eq!(
        story.steps(),
        ["open_app a", "press_key home", "press_key home"]
    );
    let warnings = story.warnings();
    assert!(
        warnings[0].starts_with("seq 1: launcher came to the foreground"),
        "{warnings:?}"
    );
    assert!(warnings[1].contains("20 s after"), "{warnings:?}");
    assert!(warnings[2].contains("blind"), "{warnings:?}");
    assert_eq!(warnings.len(), 3);
    let late = Story::new().click("x");
    assert!(
        late.warnings()[0].contains("no window"),
        "{:?}",
        late.warnings()
    );
}

/// The agent does not see the home key: the launcher comes to the front after a click that did not lead to it.
#[test]
fn home_screen_after_touch_is_press_of_home() {
    let story = Story::new()
        .window("launcher")
        .click("Chat")
        .window("chat")
        .click("Send")
        .window("launcher")
        .window("settings")
        .window("launcher")
        .click("Mail")
        .window("mail");
    let expected = [
        "open_app launcher",
        "click \"Chat\"",
        "wait_for_navigation chat",
        "click \"Send\"",
        "press_key home",
        "press_key home",
        "click \"Mail\"",
        "wait_for_navigation mail",
    ];
    assert_eq!(story.steps(), expected);
    let warnings = story.warnings();
    let told = ["seq 4: launcher", "seq 5: settings", "seq 6: launcher"];
    for (warning, start) in warnings.iter().zip(told) {
        assert!(warning.starts_with(start), "{warnings:?}");
    }
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    // Back is a key that is recorded, where it is seen.
    let back = Story::new()
        .window("a")
        .then(500.0, EventKind::Key(Key::Back))
        .window("launcher");
    let expected = [
        "open_app a",
        "press_key back",
        "wait_for_navigation launcher",
    ];
    assert_eq!(back.steps(), expected);
    assert_eq!(back.warnings(), [""; 0]);
}

#[test]
fn app_without_a_recorded_cause_is_opened_before_it_is_used() {
    let story = Story::new()
        .window("a")
        .click("Go")
        .then(500.0, EventKind::Key(Key::Home))
        .window("launcher")
        .window("b")
        .scroll(10.0)
        .then(
            10.0,
            EventKind::Text {
                node: event_node("b"),
                text: "Ann".to_owned(),
                password: false,
            },
        );
    let expected = [
        "open_app a",
        "click \"Go\"",
        "press_key home",
        "scroll down",
        "open_app b",
        "enter_text b",
    ];
    assert_eq!(story.steps(), expected);
    assert!(story.warnings()[0].starts_with("seq 4: b came to the foreground"));
}

/// Notifications, the shade and the bars belong to no app.
#[test]
fn system_ui_windows_are_no_navigation() {
    let story = Story::new()
        .window(SYSTEM_UI)
        .window("a")
        .click("Send")
        .window(SYSTEM_UI)
        .window("a")
        .click("Next");
    let expected = ["open_app a", "click \"Send\"", "click \"Next\""];
    assert_eq!(story.steps(), expected);
    assert_eq!(story.warnings(), [""; 0]);
}

#[test]
fn missing_snapshots_are_reported_once() {
    let mut story = Story::new().window("a").click("one").click("two");
    for event in &mut story.0 {
        event.has_snapshot = false;
    }
    assert_eq!(story.warnings(), ["the recording has no snapshots"]);
    story.0[0].has_snapshot = true;
    let each = [
        "seq 1: the click has no snapshot",
        "seq 2: the click has no snapshot",
    ];
    assert_eq!(story.warnings(), each);
}

#[test]
fn direction_change_starts_a_new_scroll() {
    let story = Story::new()
        .window("a")
        .scroll(10.0)
        .scroll(90.0)
        .scroll(40.0)
        .scroll(0.0);
    assert_eq!(story.steps(), ["open_app a", "scroll down", "scroll up"]);
    assert!(story.warnings()[0].contains("assumed to go down"));
    let unknown = Story::new().window("a").scroll(-1.0);
    assert!(unknown.warnings()[0].contains("dropped"));
    assert_eq!(unknown.steps(), ["open_app a"]);
}

#[test]
fn events_are_ordered_by_sequence_then_by_file() {
    let mut story = Story::new()
        .window("a")
        .click("one")
        .click("two")
        .click("three");
    story.0[1].seq = 3.0;
    story.0[3].seq = 2.0;
    story.0[2].seq = 2.0;
    assert_eq!(
        story.steps(),
        [
            "open_app a",
            "click \"two\"",
            "click \"three\"",
            "click \"one\""
        ]
    );
}

#[test]
fn step_is_written_in_step_log_format() {
    let story = Story::new().window("a").click("Name");
    let made = steps(&story.0);
    assert_eq!(
        made.steps[0].to_json(Some("<x/>")).to_string(),
        r#"{"seq":0,"type":"open_app","packageName":"a","uiStateBefore":"<x/>"}"#
    );
    assert_eq!(
        made.steps[1].to_json(None).to_string(),
        r#"{"seq":1,"type":"click","packageName":"a","resourceId":null,"text":"Name","contentDesc":null,"bounds":{"left":0,"top":0,"right":0,"bottom":0},"uiStateBefore":null}"#
    );
}

/// Apps made with Compose report no clicks of fingers; the warning says so once.
#[test]
fn touches_that_no_app_reported_are_clicks_with_a_warning() {
    let touch = || EventKind::Click {
        node: event_node("a"),
        bounds: Place::default(),
        long: false,
        at: Some((5, 7)),
    };
    let story = Story::new().window("a");
    let reported = steps(&story.then(500.0, touch()).then(500.0, touch()).0);
    let clicks = reported.steps.iter().filter(|step| step.name() == "click");
    assert_eq!(clicks.count(), 2);
    let [warning] = &*reported.warnings else {
        panic!("{:?}", reported.warnings);
    };
    assert!(warning.seq.is_none() && warning.message.contains("no app reported"));
    assert_eq!(steps(&Story::new().window("a").click("x").0).warnings, []);
}
