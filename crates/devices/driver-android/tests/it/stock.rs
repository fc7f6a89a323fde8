//! The stock driver.

use std::time::Duration;

use driver::{Driver, DriverError, Gesture, Key, NodeAct, NodeRef, Observation, Target};
use uitree::{NodeId, Query, Rect, Size};

use crate::sim_phone;
use crate::world::{World, app};

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

async fn look(world: &mut World) -> Observation {
    world.driver.observe(&world.cx).await.unwrap()
}

#[tokio::test]
async fn driver_reports_device_and_screen() {
    let mut world = app("com.android.settings").await;
    assert_eq!(world.driver.profile().screen, Size::new(1080, 2340));
    let seen = look(&mut world).await;
    assert_eq!(seen.foreground.as_deref(), Some("com.android.settings"));
    assert!(seen.tree.len() > 20, "{}", seen.tree.to_notation());
    let again = look(&mut world).await;
    assert_eq!(again.revision, seen.revision);
    let front = world.driver.foreground(&world.cx).await.unwrap();
    assert_eq!(front.app.as_deref(), Some("com.android.settings"));
    let picture = world.driver.screenshot(&world.cx).await.unwrap();
    assert_eq!(picture.size, Size::new(1080, 2340));
}

#[tokio::test]
async fn pixels_of_an_area_are_read() {
    let mut world = app("com.android.settings").await;
    let drawn = world.adb_phone.driver().await.phone_mut().draw();
    let area = Rect::new(100, 2300, 1300, 9000);
    let part = world.driver.pixels(&world.cx, area).await.unwrap();
    assert_eq!((part.size(), part.depth()), (Size::new(980, 40), 4));
    let rows = drawn.rgba.chunks_exact(1080 * 4).skip(2300);
    assert!(part.rows().eq(rows.map(|row| &row[100 * 4..])));
    let outside = Rect::new(0, 5000, 10, 5010);
    let refused = world.driver.pixels(&world.cx, outside).await;
    assert!(
        matches!(refused, Err(DriverError::Refused(_))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn click_is_a_tap() {
    let mut world = app("com.android.settings").await;
    let seen = look(&mut world).await;
    let row = node(&seen, &Query::new().text("Alex Morgan"));
    let row = seen
        .tree
        .ancestors(row.node)
        .find(|id| seen.tree.node(*id).is(uitree::State::CLICKABLE))
        .unwrap();
    world
        .driver
        .act(&world.cx, seen.node_ref(row), &NodeAct::Click)
        .await
        .unwrap();
    let after = look(&mut world).await;
    assert!(after.revision > seen.revision);
    assert_ne!(after.tree, seen.tree);
    let old = world
        .driver
        .act(&world.cx, seen.node_ref(row), &NodeAct::Click)
        .await;
    assert_eq!(old, Err(DriverError::Stale));
    let log = sim_phone::journal(&world.adb_phone).await;
    let clicks = log.iter().filter(|entry| entry["kind"] == "click").count();
    assert_eq!(clicks, 1, "{log:?}");
}

#[tokio::test]
async fn text_replaces_field_content_and_is_read_back() {
    let mut world = app("com.example.forms").await;
    let text_fields = Target::Uri("forms://text".to_owned());
    world.driver.open(&world.cx, &text_fields).await.unwrap();
    let seen = look(&mut world).await;
    let field = seen
        .tree
        .on_screen()
        .find(|id| seen.tree.node(*id).is(uitree::State::EDITABLE));
    let Some(field) = field else {
        panic!("no field in\n{}", seen.tree.to_notation());
    };
    let id = seen.tree.node(field).id.to_string();
    for words in ["it's 100%s; $HOME & \"so on\"", "second"] {
        let seen = look(&mut world).await;
        let field = node(&seen, &Query::new().id(id.as_str()));
        world
            .driver
            .act(&world.cx, field, &NodeAct::SetText(words.to_owned()))
            .await
            .unwrap();
        let seen = look(&mut world).await;
        let field = node(&seen, &Query::new().id(id.as_str()));
        assert_eq!(text(&seen, field.node), words);
    }
    let seen = look(&mut world).await;
    let field = node(&seen, &Query::new().id(id.as_str()));
    world
        .driver
        .act(&world.cx, field, &NodeAct::AppendText(" third".to_owned()))
        .await
        .unwrap();
    let seen = look(&mut world).await;
    let field = node(&seen, &Query::new().id(id.as_str()));
    assert_eq!(text(&seen, field.node), "second third");
    let refused = world
        .driver
        .act(&world.cx, field, &NodeAct::SetText("größe".to_owned()))
        .await;
    assert!(
        matches!(refused, Err(DriverError::Unwritable(_))),
        "{refused:?}"
    );
    let seen = look(&mut world).await;
    let field = node(&seen, &Query::new().id(id.as_str()));
    assert_eq!(text(&seen, field.node), "second third");
}

#[tokio::test]
async fn apps_and_uris_open_and_close() {
    let mut world = app("com.android.settings").await;
    let cx = world.cx.clone();
    let forms = Target::App("com.example.forms".to_owned());
    world.driver.open(&cx, &forms).await.unwrap();
    let seen = look(&mut world).await;
    assert_eq!(seen.foreground.as_deref(), Some("com.example.forms"));
    world.driver.close(&cx, "com.example.forms").await.unwrap();
    let seen = look(&mut world).await;
    assert_ne!(seen.foreground.as_deref(), Some("com.example.forms"));
    for name in [
        "com.nobody.here",
        "a; reboot",
        "$(reboot)",
        "com.x'; input tap 1 1; '",
    ] {
        let target = Target::App(name.to_owned());
        let error = world.driver.open(&cx, &target).await.unwrap_err();
        assert_eq!(error, DriverError::NotInstalled(name.to_owned()));
        let error = world.driver.close(&cx, name).await.unwrap_err();
        assert_eq!(error, DriverError::NotInstalled(name.to_owned()));
    }
    let uri = "nothing-takes-this://x'; reboot; '";
    let error = world
        .driver
        .open(&cx, &Target::Uri(uri.to_owned()))
        .await
        .unwrap_err();
    assert_eq!(error, DriverError::NotHandled(uri.to_owned()));
    world
        .driver
        .open(
            &cx,
            &Target::Uri("https://example.com/a?b=c&d=e".to_owned()),
        )
        .await
        .unwrap();
    let seen = look(&mut world).await;
    assert_ne!(seen.foreground.as_deref(), Some("com.android.settings"));
}

#[tokio::test]
async fn keys_and_touches_arrive() {
    let mut world = app("com.android.settings").await;
    let cx = world.cx.clone();
    let first = look(&mut world).await;
    let (from, to) = (uitree::Point::new(540, 1800), uitree::Point::new(540, 600));
    let duration = std::time::Duration::from_millis(250);
    world
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
    let scrolled = look(&mut world).await;
    assert_ne!(scrolled.tree, first.tree);
    world.driver.key(&cx, Key::Home).await.unwrap();
    let home = look(&mut world).await;
    assert_ne!(home.foreground.as_deref(), Some("com.android.settings"));
    let at = uitree::Point::new(5000, 10);
    let outside = world.driver.touch(&cx, &Gesture::Tap { at }).await;
    assert_eq!(outside, Err(DriverError::OffScreen(at)));
}
