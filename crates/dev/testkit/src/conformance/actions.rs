//! Checks the actions of a driver against the device's journal.

use std::time::Duration;

use driver::{DriverError, Gesture, Key, NodeAct, ScrollOutcome, Target};
use uitree::{Point, State};

use super::{ClickMethod, KeyResult, Scrolls, Subject, Text, bounds};

pub(super) async fn click_is_executed_once(subject: &mut Subject) {
    let cx = subject.cx.clone();
    for clicks in 1..=3 {
        let (observation, add) = subject.find("add").await;
        let clicked = subject.driver().act(&cx, add, &NodeAct::Click).await;
        let clicked = clicked.expect("it is clicked");
        assert_eq!(subject.count_events("click", "add").await, clicks);
        assert!(!clicked.missed && clicked.text.is_none() && clicked.refused_form.is_none());
        let touched = clicked.touched;
        match subject.device.abilities().acts {
            ClickMethod::OnNodes => assert_eq!(touched, None),
            ClickMethod::ByFinger | ClickMethod::ByMouse => assert!(
                touched.is_some_and(|at| bounds(&observation, add).contains(at)),
                "{touched:?}"
            ),
        }
        assert_eq!(
            subject.counter_text().await,
            format!("count {clicks}, held 0, sent 0")
        );
    }
    let (observation, light) = subject.find("light").await;
    assert!(!observation.tree.node(light.node).is(State::CHECKED));
    assert_eq!(subject.act(light, &NodeAct::Click).await, Ok(()));
    let (observation, light) = subject.find("light").await;
    assert!(observation.tree.node(light.node).is(State::CHECKED));
}

pub(super) async fn long_click_does_not_click(subject: &mut Subject) {
    let (_, add) = subject.find("add").await;
    assert_eq!(subject.act(add, &NodeAct::LongClick).await, Ok(()));
    assert_eq!(subject.count_events("long_click", "add").await, 1);
    assert_eq!(subject.count_events("click", "add").await, 0);
    assert_eq!(subject.counter_text().await, "count 0, held 1, sent 0");
}

pub(super) async fn click_on_old_node_is_stale(subject: &mut Subject) {
    let (_, add) = subject.find("add").await;
    assert_eq!(subject.act(add, &NodeAct::Click).await, Ok(()));
    // The screen has changed, and the button of the old one is gone.
    subject.open_other_app().await;
    subject.observe().await;
    let inputs_before = subject.count_inputs().await;
    let done = subject.act(add, &NodeAct::Click).await;
    assert_eq!(done, Err(DriverError::Stale));
    assert_eq!(subject.count_inputs().await, inputs_before);
    assert_eq!(subject.count_events("click", "add").await, 1);
}

pub(super) async fn set_text_writes_exact_text(subject: &mut Subject) {
    let hostile = "it's 100%s; $HOME & `id` \"so on\" | > /sdcard/x \\ * ~ #";
    for text in ["ada", hostile, "second", "%%s %d", "-n", " spaced "] {
        let (_, name) = subject.find("name").await;
        let act = NodeAct::SetText(text.to_owned());
        assert_eq!(subject.act(name, &act).await, Ok(()), "{text}");
        assert_eq!(subject.text("name").await, text);
    }
    let (_, name) = subject.find("name").await;
    let act = NodeAct::SetText("left".to_owned());
    assert_eq!(subject.act(name, &act).await, Ok(()));
    let (_, name) = subject.find("name").await;
    let act = NodeAct::AppendText(" and right".to_owned());
    assert_eq!(subject.act(name, &act).await, Ok(()));
    assert_eq!(subject.text("name").await, "left and right");
    let (_, name) = subject.find("name").await;
    let act = NodeAct::SetText(String::new());
    assert_eq!(subject.act(name, &act).await, Ok(()));
    // An empty field shows its hint.
    assert_eq!(subject.text("name").await, "Name");
    assert_eq!(subject.counter_text().await, "count 0, held 0, sent 0");
}

pub(super) async fn unsupported_text_changes_nothing(subject: &mut Subject) {
    let (_, name) = subject.find("name").await;
    let inputs_before = subject.count_inputs().await;
    let act = NodeAct::SetText("größe 漢字".to_owned());
    let done = subject.act(name, &act).await;
    match subject.device.abilities().text {
        Text::Any => {
            assert_eq!(done, Ok(()));
            assert_eq!(subject.text("name").await, "größe 漢字");
        }
        Text::Ascii => {
            assert!(matches!(done, Err(DriverError::Unwritable(_))), "{done:?}");
            assert_eq!(subject.count_inputs().await, inputs_before);
            assert_eq!(subject.text("name").await, "Name");
        }
    }
}

pub(super) async fn submit_is_executed_once(subject: &mut Subject) {
    let (_, name) = subject.find("name").await;
    let act = NodeAct::SetText("x".to_owned());
    assert_eq!(subject.act(name, &act).await, Ok(()));
    let (_, name) = subject.find("name").await;
    assert_eq!(subject.act(name, &NodeAct::Submit).await, Ok(()));
    assert_eq!(subject.count_events("submit", "name").await, 1);
    assert_eq!(subject.counter_text().await, "count 0, held 0, sent 1");
    assert_eq!(subject.text("name").await, "x");
}

pub(super) async fn focus_does_not_click(subject: &mut Subject) {
    let (_, name) = subject.find("name").await;
    assert_eq!(subject.act(name, &NodeAct::Focus).await, Ok(()));
    let (observation, name) = subject.find("name").await;
    assert!(observation.tree.node(name.node).is(State::FOCUSED));
    let add = subject.node(&observation, "add");
    let inputs_before = subject.count_inputs().await;
    let done = subject.act(add, &NodeAct::Focus).await;
    match subject.device.abilities().acts {
        ClickMethod::OnNodes => assert!(
            matches!(
                done,
                Ok(()) | Err(DriverError::Refused(_) | DriverError::Unreachable(_))
            ),
            "{done:?}"
        ),
        ClickMethod::ByMouse => {
            assert_eq!(done, Ok(()));
            let (observation, add) = subject.find("add").await;
            assert!(observation.tree.node(add.node).is(State::FOCUSED));
        }
        // A touch would click it.
        ClickMethod::ByFinger => {
            assert!(matches!(done, Err(DriverError::Unsupported(_))), "{done:?}");
            assert_eq!(subject.count_inputs().await, inputs_before);
        }
    }
    assert_eq!(subject.count_events("click", "add").await, 0);
}

pub(super) async fn click_on_covered_node_hits_it_or_is_refused(subject: &mut Subject) {
    let (observation, under) = subject.find("under").await;
    let expired = bounds(&observation, subject.node(&observation, "over"));
    let place = bounds(&observation, under);
    assert_eq!(
        expired.intersect(&place),
        Some(place),
        "the node is not fully covered"
    );
    let done = subject.act(under, &NodeAct::Click).await;
    match subject.device.abilities().acts {
        ClickMethod::OnNodes => {
            assert_eq!(done, Ok(()));
            assert_eq!(subject.counter_text().await, "count 100, held 0, sent 0");
        }
        ClickMethod::ByFinger | ClickMethod::ByMouse => {
            assert!(
                matches!(
                    done,
                    Err(DriverError::Refused(_) | DriverError::Unreachable(_))
                ),
                "{done:?}"
            );
            assert_eq!(subject.journal_entries("touch_down").await.len(), 0);
            assert_eq!(subject.counter_text().await, "count 0, held 0, sent 0");
        }
    }
}

pub(super) async fn touch_hits_its_point(subject: &mut Subject) {
    let cx = subject.cx.clone();
    let (observation, add) = subject.find("add").await;
    let at = bounds(&observation, add).center();
    assert_eq!(
        subject.driver().touch(&cx, &Gesture::Tap { at }).await,
        Ok(())
    );
    let down = subject.journal_entries("touch_down").await;
    assert_eq!(down.len(), 1);
    assert_eq!(down[0]["at"], serde_json::json!([at.x, at.y]));
    assert_eq!(subject.count_events("click", "add").await, 1);
    assert_eq!(
        subject
            .driver()
            .touch(&cx, &Gesture::LongPress { at })
            .await,
        Ok(())
    );
    assert_eq!(subject.count_events("long_click", "add").await, 1);
    assert_eq!(subject.count_events("click", "add").await, 1);
    assert_eq!(subject.journal_entries("touch_up").await.len(), 2);
}

pub(super) async fn touch_off_screen_is_refused(subject: &mut Subject) {
    let cx = subject.cx.clone();
    subject.observe().await;
    let inputs_before = subject.count_inputs().await;
    let (inside, outside) = (Point::new(500, 1500), Point::new(5000, 10));
    for at in [
        outside,
        Point::new(-1, 10),
        Point::new(1080, 0),
        Point::new(0, 2340),
    ] {
        let done = subject.driver().touch(&cx, &Gesture::Tap { at }).await;
        assert_eq!(done, Err(DriverError::OffScreen(at)));
        let done = subject
            .driver()
            .touch(&cx, &Gesture::LongPress { at })
            .await;
        assert_eq!(done, Err(DriverError::OffScreen(at)));
    }
    let swipe = Gesture::Swipe {
        from: inside,
        to: outside,
        duration: Duration::from_millis(100),
        rest: Duration::ZERO,
    };
    let done = subject.driver().touch(&cx, &swipe).await;
    let refused = match subject.device.abilities().scrolls {
        Scrolls::ByFinger => DriverError::OffScreen(outside),
        Scrolls::OnNodes => DriverError::Unsupported("swipes"),
    };
    assert_eq!(done, Err(refused));
    assert_eq!(subject.count_inputs().await, inputs_before);
}

pub(super) async fn scroll_moves_container_without_click(subject: &mut Subject) {
    let cx = subject.cx.clone();
    let (observation, rows) = subject.find("rows").await;
    let list = bounds(&observation, rows);
    let middle = list.center();
    let done = match subject.driver().browser() {
        Some(browser) => Some(browser.scroll(&cx, rows, (0, 400)).await),
        None => None,
    };
    let swipe = Gesture::Swipe {
        from: Point::new(middle.x, list.bottom - 200),
        to: Point::new(middle.x, list.top + 200),
        duration: Duration::from_millis(250),
        rest: Duration::ZERO,
    };
    // A swipe that ends on the edge, one past the last pixel, is inside.
    let edge = Gesture::Swipe {
        from: middle,
        to: Point::new(1080, middle.y),
        duration: Duration::from_millis(50),
        rest: Duration::ZERO,
    };
    let swipes = match subject.device.abilities().scrolls {
        Scrolls::ByFinger => {
            assert_eq!(done, None);
            assert_eq!(subject.count_events("scroll", "rows").await, 0);
            assert_eq!(subject.driver().touch(&cx, &swipe).await, Ok(()));
            assert!(subject.count_events("scroll", "rows").await > 0);
            let after = subject.observe().await;
            assert_ne!(after.tree, observation.tree);
            assert_eq!(subject.driver().touch(&cx, &edge).await, Ok(()));
            2
        }
        Scrolls::OnNodes => {
            assert_eq!(done, Some(Ok(ScrollOutcome::Moved)));
            assert!(subject.count_events("scroll", "rows").await > 0);
            let (after, rows) = subject.find("rows").await;
            assert_ne!(after.tree, observation.tree);
            for (by, outcome) in [
                ((0, -4000), ScrollOutcome::Moved),
                ((0, -400), ScrollOutcome::AtEdge),
                ((400, 0), ScrollOutcome::AtEdge),
            ] {
                let browser = subject.driver().browser().expect("it scrolled before");
                assert_eq!(browser.scroll(&cx, rows, by).await, Ok(outcome), "{by:?}");
            }
            let done = subject.driver().touch(&cx, &swipe).await;
            assert_eq!(done, Err(DriverError::Unsupported("swipes")));
            0
        }
    };
    assert_eq!(subject.journal_entries("touch_down").await.len(), swipes);
    assert_eq!(subject.journal_entries("touch_up").await.len(), swipes);
}

pub(super) async fn key_is_pressed_once(subject: &mut Subject) {
    let cx = subject.cx.clone();
    // Turning the screen off and on comes last.
    let keys = [
        Key::Tab,
        Key::Enter,
        Key::Delete,
        Key::Escape,
        Key::VolumeUp,
        Key::VolumeDown,
        Key::Menu,
        Key::Search,
        Key::Back,
        Key::Recents,
        Key::Home,
        Key::Power,
        Key::Power,
    ];
    let mut pressed = 0;
    for key in keys {
        let arrival = subject.device.key(key);
        if arrival == KeyResult::BackAStep {
            let link = Target::Uri(format!("{}back", subject.device.names().link));
            assert_eq!(subject.driver().open(&cx, &link).await.map(drop), Ok(()));
            assert_eq!(subject.text("word").await, "This is back");
        }
        let inputs_before = subject.count_inputs().await;
        let done = subject.driver().key(&cx, key).await.map(drop);
        match arrival {
            KeyResult::Pressed => {
                assert_eq!(done, Ok(()), "{key:?}");
                pressed += 1;
            }
            KeyResult::BackAStep => {
                assert_eq!(done, Ok(()), "{key:?}");
                subject.wait_for("count").await;
            }
            KeyResult::Unsupported => {
                assert!(
                    matches!(done, Err(DriverError::Unsupported(_))),
                    "{key:?}: {done:?}"
                );
                assert_eq!(subject.count_inputs().await, inputs_before, "{key:?}");
            }
        }
        assert_eq!(
            subject.journal_entries("key").await.len(),
            pressed,
            "{key:?}"
        );
    }
    assert!(pressed > 0);
    if subject.device.key(Key::Power) == KeyResult::Pressed {
        assert_eq!(subject.journal_entries("power").await.len(), 2);
    }
}
