//! The notification shade, and what can be pulled with a finger.

use driver::Key;
use uitree::{State, WindowKind};

use crate::world::{LAUNCHER, SETTINGS, World, named, with_id};

const APP: &str = r#"
state: { read: "" }
screens:
  main:
    body:
      - button: { text: "Send", on_click: [ { notify: { title: "First", text: "one", on_click: { set: { read: first } } } }, { notify: { title: "Second" } } ] }
      - button: { text: "Call", on_click: { notify: { title: "Ring", heads_up: true, on_click: { push: call } } } }
      - button: { text: "Shade", on_click: open_shade }
      - text: "read {read}"
  call: { title: "Calling" }
"#;

const TEST: &str = "com.test.app";
const DOWN: ((i32, i32), (i32, i32)) = ((540, 10), (540, 900));

#[tokio::test(start_paused = true)]
async fn the_shade_comes_down_and_lists_what_was_sent() {
    let mut world = World::yaml(APP);
    world.swipe(DOWN.0, DOWN.1).await;
    assert!(world.shows("No notifications").await);
    assert!(!world.shows("Clear all").await);
    world.key(Key::Back).await;
    world.tap("Send").await;
    assert_eq!(
        world.see().await.tree.windows().len(),
        1,
        "nothing drops in"
    );
    world.swipe(DOWN.0, DOWN.1).await;
    let seen = world.see().await;
    assert_eq!(seen.foreground.as_deref(), Some("com.android.systemui"));
    assert_eq!(seen.tree.windows().len(), 1);
    assert_eq!(seen.tree.windows()[0].kind, WindowKind::System);
    assert!(named(&seen, "Send").is_none(), "the app is covered");
    let titles: Vec<String> = with_id(&seen, "title")
        .iter()
        .map(|node| node.text.to_string())
        .collect();
    assert_eq!(titles, ["Second", "First"]);
    world.tap("First").await;
    assert_eq!(world.front().await, TEST);
    assert!(world.shows("read first").await);
    world.tap("Shade").await;
    assert!(!world.shows("First").await, "it has been read");
    world.tap("Clear all").await;
    assert_eq!(world.front().await, TEST);
    world.tap("Shade").await;
    assert!(world.shows("No notifications").await);
}

#[tokio::test(start_paused = true)]
async fn the_shade_is_pushed_up() {
    let mut world = World::yaml(APP);
    world.tap("Send").await;
    world.tap("Shade").await;
    world.swipe((540, 2100), (540, 1200)).await;
    assert_eq!(world.front().await, TEST);
    world.key(Key::Home).await;
    world.swipe(DOWN.0, DOWN.1).await;
    world.tap("Second").await;
    assert_eq!(world.front().await, TEST, "it opens its app");
    world
        .driver
        .phone_mut()
        .close_app(TEST)
        .expect("it is installed");
    assert_eq!(world.front().await, LAUNCHER);
}

#[tokio::test(start_paused = true)]
async fn tiles_switch_and_the_home_key_closes() {
    let mut world = World::yaml(APP);
    world.tap("Shade").await;
    let tile = world.node("Bluetooth, Off").await;
    assert_eq!(&*tile.class, "android.widget.Switch");
    assert!(!tile.is(State::SELECTED));
    world.tap("Bluetooth, Off").await;
    assert!(world.node("Bluetooth, On").await.is(State::SELECTED));
    world.key(Key::Home).await;
    assert_eq!(world.front().await, LAUNCHER);
    world.swipe(DOWN.0, DOWN.1).await;
    assert!(
        world.shows("Bluetooth, On").await,
        "the tile keeps its state"
    );
    world.tap("Open settings").await;
    assert_eq!(world.front().await, SETTINGS);
}

#[tokio::test(start_paused = true)]
async fn a_banner_is_tapped_or_waits_in_the_shade() {
    let mut world = World::yaml(APP);
    world.tap("Call").await;
    world.tap("Ring").await;
    assert!(world.shows("Calling").await);
    world.key(Key::Back).await;
    world.tap("Call").await;
    world.pass(6000).await;
    assert!(!world.shows("Ring").await);
    world.tap("Shade").await;
    assert!(world.shows("Ring").await, "it waits in the shade");
}
