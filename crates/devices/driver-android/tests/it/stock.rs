//! The stock driver.

use std::time::Duration;

use driver::{Driver, DriverError, Gesture, Key, NodeAct, NodeRef, Observation, Target};
use uitree::{NodeId, Query, Rect, Size};

use crate::fixture::{Fixture, app};
use crate::sim_phone;

/// The node that matches.
#[track_caller]
fn node(seen: &Observation, query: &Query) -> NodeRef {
    match seen.tree.find(query) {
        Some(id) => seen.node_ref(id),
        None => panic!("{query:?} in\n{}", seen.tree.to_notation()),
    }
}

fn text(seen: &Observation, id: NodeId) -> String {
    seen.tree.node(id).text.to_string()
}

async fn observe(fixture: &mut Fixture) -> Observation {
    fixture.driver.observe(&fixture.cx).await.unwrap()
}

#[tokio::test]
async fn driver_reports_device_and_screen() {
    let mut fixture = app("com.android.settings").await;
    assert_eq!(fixture.driver.profile().screen, Size::new(1080, 2340));
    let seen = observe(&mut fixture).await;
    assert_eq!(seen.foreground.as_deref(), Some("com.android.settings"));
    assert!(seen.tree.len() > 20, "{}", seen.tree.to_notation());
    let again = observe(&mut fixture).await;
    assert_eq!(again.revision, seen.revision);
    let front = fixture.driver.foreground(&fixture.cx).await.unwrap();
    assert_eq!(front.app.as_deref(), Some("com.android.settings"));
    let picture = fixture.driver.screenshot(&fixture.cx).await.unwrap();
    assert_eq!(picture.size, Size::new(1080, 2340));
}

#[tokio::test]
async fn pixels_of_an_area_are_read() {
    let mut fixture = app("com.android.settings").await;
    let drawn = fixture.adb_phone.driver().await.phone_mut().draw();
    let area = Rect::new(100, 2300, 1300, 9000);
    let part = fixture.driver.pixels(&fixture.cx, area).await.unwrap();
    assert_eq!((part.size(), part.depth()), (Size::new(980, 40), 4));
    let rows = drawn.rgba.chunks_exact(1080 * 4).skip(2300);
    assert!(part.rows().eq(rows.map(|row| &row[100 * 4..])));
    let outside = Rect::new(0, 5000, 10, 5010);
    let refused = fixture.driver.pixels(&fixture.cx, outside).await;
    assert!(
        matches!(refused, Err(DriverError::Refused(_))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn click_is_a_tap() {
    let mut fixture = app("com.android.settings").await;
    let seen = observe(&mut fixture).await;
    let row = node(&seen, &Query::new().text("Alex Morgan"));
    let row = seen
        .tree
        .ancestors(row.node)
        .find(|id| seen.tree.node(*id).is(uitree::State::CLICKABLE))
        .unwrap();
    fixture
        .driver
        .act(&fixture.cx, seen.node_ref(row), &NodeAct::Click)
        .await
        .unwrap();
    let after = observe(&mut fixture).await;
    assert!(after.revision > seen.revision);
    assert_ne!(after.tree, seen.tree);
    let old = fixture
        .driver
        .act(&fixture.cx, seen.node_ref(row), &NodeAct::Click)
        .await;
    assert_eq!(old, Err(DriverError::Stale));
    let log = sim_phone::journal(&fixture.adb_phone).await;
    let clicks = log.iter().filter(|entry| entry["kind"] == "click").count();
    assert_eq!(clicks, 1, "{log:?}");
}

#[tokio::test]
async fn text_replaces_field_content_and_is_read_back() {
    let mut fixture = app("com.example.forms").await;
    let text_fields = Target::Uri("forms://text".to_owned());
    fixture
        .driver
        .open(&fixture.cx, &text_fields)
        .await
        .unwrap();
    let seen = observe(&mut fixture).await;
    let field = seen
        .tree
        .on_screen()
        .find(|id| seen.tree.node(*id).is(uitree::State::EDITABLE));
    let Some(field) = field else {
        panic!("no field in\n{}", seen.tree.to_notation());
    };
    let id = seen.tree.node(field).id.to_string();
    for words in ["it's 100%s; $HOME & \"so on\"", "second"] {
        let seen = observe(&mut fixture).await;
        let field = node(&seen, &Query::new().id(id.as_str()));
        fixture
            .driver
            .act(&fixture.cx, field, &NodeAct::SetText(words.to_owned()))
            .await
            .unwrap();
        let seen = observe(&mut fixture).await;
        let field = node(&seen, &Query::new().id(id.as_str()));
        assert_eq!(text(&seen, field.node), words);
    }
    let seen = observe(&mut fixture).await;
    let field = node(&seen, &Query::new().id(id.as_str()));
    fixture
        .driver
        .act(
            &fixture.cx,
            field,
            &NodeAct::AppendText(" third".to_owned()),
        )
        .await
        .unwrap();
    let seen = observe(&mut fixture).await;
    let field = node(&seen, &Query::new().id(id.as_str()));
    assert_eq!(text(&seen, field.node), "second third");
    let refused = fixture
        .driver
        .act(&fixture.cx, field, &NodeAct::SetText("größe".to_owned()))
        .await;
    assert!(
        matches!(refused, Err(DriverError::Unwritable(_))),
        "{refused:?}"
    );
    let seen = observe(&mut fixture).await;
    let field = node(&seen, &Query::new().id(id.as_str()));
    assert_eq!(text(&seen, field.node), "second third");
}

#[tokio::test]
async fn slider_takes_a_share_of_its_range() {
    let mut fixture = app("com.example.forms").await;
    let cx = fixture.cx.clone();
    let pickers = Target::Uri("forms://pickers".to_owned());
    fixture.driver.open(&cx, &pickers).await.unwrap();
    let id = |name: &str| Query::new().id(format!("com.example.forms:id/{name}").as_str());
    for (share, expected) in [("70%", 67..=73), ("0%", 0..=1), (" 100 % ", 99..=100)] {
        let seen = observe(&mut fixture).await;
        let slider = node(&seen, &id("volume"));
        assert_eq!(seen.tree.node(slider.node).range(), None);
        let act = NodeAct::SetText(share.to_owned());
        fixture.driver.act(&cx, slider, &act).await.unwrap();
        let seen = observe(&mut fixture).await;
        let value = text(&seen, node(&seen, &id("volume_value")).node);
        let value: u32 = value.strip_prefix("value: ").unwrap().parse().unwrap();
        assert!(expected.contains(&value), "{share}: {value}");
    }
    for wrong in ["70", "101%", "-1%", "loud", "NaN%", ""] {
        let seen = observe(&mut fixture).await;
        let act = NodeAct::SetText(wrong.to_owned());
        let slider = node(&seen, &id("volume"));
        let refused = fixture.driver.act(&cx, slider, &act).await;
        assert!(
            matches!(refused, Err(DriverError::Unwritable(_))),
            "{wrong}: {refused:?}"
        );
        let after = observe(&mut fixture).await;
        assert_eq!(after.revision, seen.revision, "{wrong}");
    }
}

#[tokio::test]
async fn apps_and_uris_open_and_close() {
    let mut fixture = app("com.android.settings").await;
    let cx = fixture.cx.clone();
    let forms = Target::App("com.example.forms".to_owned());
    fixture.driver.open(&cx, &forms).await.unwrap();
    let seen = observe(&mut fixture).await;
    assert_eq!(seen.foreground.as_deref(), Some("com.example.forms"));
    fixture
        .driver
        .close(&cx, "com.example.forms")
        .await
        .unwrap();
    let seen = observe(&mut fixture).await;
    assert_ne!(seen.foreground.as_deref(), Some("com.example.forms"));
    for name in [
        "com.nobody.here",
        "a; reboot",
        "$(reboot)",
        "com.x'; input tap 1 1; '",
    ] {
        let target = Target::App(name.to_owned());
        let error = fixture.driver.open(&cx, &target).await.unwrap_err();
        assert_eq!(error, DriverError::NotInstalled(name.to_owned()));
        let error = fixture.driver.close(&cx, name).await.unwrap_err();
        assert_eq!(error, DriverError::NotInstalled(name.to_owned()));
    }
    let uri = "nothing-takes-this://x'; reboot; '";
    let error = fixture
        .driver
        .open(&cx, &Target::Uri(uri.to_owned()))
        .await
        .unwrap_err();
    assert_eq!(error, DriverError::NotHandled(uri.to_owned()));
    fixture
        .driver
        .open(
            &cx,
            &Target::Uri("https://example.com/a?b=c&d=e".to_owned()),
        )
        .await
        .unwrap();
    let seen = observe(&mut fixture).await;
    assert_ne!(seen.foreground.as_deref(), Some("com.android.settings"));
}

#[tokio::test]
async fn keys_and_touches_arrive() {
    let mut fixture = app("com.android.settings").await;
    let cx = fixture.cx.clone();
    let first = observe(&mut fixture).await;
    let (from, to) = (uitree::Point::new(540, 1800), uitree::Point::new(540, 600));
    let duration = std::time::Duration::from_millis(250);
    fixture
        .driver
        .touch(
            &cx,
            &Gesture::Swipe {
                from,
                to,
                duration,
                rest: Duration::ZERO,
            },
        )
        .await
        .unwrap();
    let scrolled = observe(&mut fixture).await;
    assert_ne!(scrolled.tree, first.tree);
    fixture.driver.key(&cx, Key::Home).await.unwrap();
    let home = observe(&mut fixture).await;
    assert_ne!(home.foreground.as_deref(), Some("com.android.settings"));
    let at = uitree::Point::new(5000, 10);
    let outside = fixture.driver.touch(&cx, &Gesture::Tap { at }).await;
    assert_eq!(outside, Err(DriverError::OffScreen(at)));
}
