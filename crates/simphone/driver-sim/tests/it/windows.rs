//! Windows: keyboard, dialogs, system bars, what covers what.

use driver::{DriverError, Key, NodeAct};
use uitree::{Point, State, WindowKind};

use crate::world::{SETTINGS, SHOP, World, bounds, named};

const DIALOG: &str = r#"
state: { sure: false }
screens:
  main:
    body:
      - button: { text: "Ask", on_click: { dialog: ask } }
      - button: { text: "Insist", on_click: { dialog: insist } }
dialogs:
  ask:
    title: "Really?"
    message: "It cannot be undone."
    buttons:
      - text: "No"
      - text: "Yes"
        on_click: { set: { sure: true } }
  insist:
    title: "You must"
    cancelable: false
    buttons: [ { text: "OK" } ]
"#;

fn kinds(seen: &driver::Observation) -> Vec<(WindowKind, bool)> {
    seen.windows
        .iter()
        .map(|window| (window.kind, window.active))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn the_keyboard_is_a_window_above_the_app() {
    let mut world = World::app(SHOP);
    let app = (WindowKind::Application, true);
    let bar = (WindowKind::System, false);
    assert_eq!(kinds(&world.see().await), [bar, bar, app]);
    world.tap("Email").await;
    let seen = world.see().await;
    assert_eq!(
        kinds(&seen),
        [bar, bar, (WindowKind::InputMethod, false), app]
    );
    let windows: Vec<_> = seen
        .tree
        .windows()
        .iter()
        .map(|window| (window.kind, seen.tree.node(window.root).owner.to_string()))
        .collect();
    assert_eq!(
        windows,
        [
            (WindowKind::Application, SHOP.to_owned()),
            (
                WindowKind::InputMethod,
                "com.android.inputmethod.latin".to_owned()
            ),
        ]
    );
    assert!(seen.tree.windows()[1].layer > seen.tree.windows()[0].layer);
    let keyboard = seen.tree.windows()[1].bounds.unwrap();
    assert_eq!(keyboard.to_string(), "[0,1404][1080,2340]");
    let root = bounds(seen.tree.node(seen.tree.windows()[1].root));
    assert_eq!(root.to_string(), "[0,84][1080,2340]");
    assert_eq!(seen.foreground.as_deref(), Some(SHOP));
}

#[tokio::test(start_paused = true)]
async fn the_keys_type_and_the_action_key_moves_on() {
    let mut world = World::app(SHOP);
    world.tap("Email").await;
    for key in [
        "a", "n", "Shift", "N", "Delete", "Symbols", "@", "Letters", "x",
    ] {
        world.tap(key).await;
    }
    assert!(world.shows("an@x").await);
    world.tap("Next").await;
    world.tap("s").await;
    assert!(
        world.shows("•").await,
        "the password field has the focus now"
    );
}

#[tokio::test(start_paused = true)]
async fn back_closes_the_keyboard_first() {
    let mut world = World::app(SHOP);
    world.tap("Email").await;
    world.key(Key::Back).await;
    assert_eq!(world.see().await.tree.windows().len(), 1);
    assert_eq!(world.front().await, SHOP);
    world.key(Key::Back).await;
    assert_ne!(world.front().await, SHOP);
}

#[tokio::test(start_paused = true)]
async fn a_dialog_is_all_there_is() {
    let mut world = World::yaml(DIALOG);
    world.tap("Ask").await;
    let seen = world.see().await;
    assert_eq!(seen.tree.windows().len(), 1);
    assert!(
        named(&seen, "Ask").is_none(),
        "the screen below is not in the tree"
    );
    let root = bounds(seen.tree.node(seen.tree.windows()[0].root));
    assert!(
        root.left > 0 && root.right < 1080 && root.top > 84,
        "{root}"
    );
    let ids: Vec<&str> = seen
        .tree
        .nodes()
        .iter()
        .map(|node| &*node.id)
        .filter(|id| !id.is_empty())
        .collect();
    assert_eq!(
        ids,
        [
            "android:id/content",
            "android:id/parentPanel",
            "android:id/alertTitle",
            "android:id/scrollView",
            "android:id/message",
            "android:id/buttonPanel",
            "android:id/button2",
            "android:id/button1",
        ]
    );
    world.tap("Yes").await;
    assert!(world.shows("Ask").await);
    assert!(world.noted("sure: \"false\" -> \"true\""));
}

#[tokio::test(start_paused = true)]
async fn tap_outside_closes_cancelable_dialog() {
    let mut world = World::yaml(DIALOG);
    world.tap("Ask").await;
    world.touch(Point::new(540, 300)).await;
    assert!(world.shows("Ask").await);
    world.tap("Insist").await;
    world.touch(Point::new(540, 300)).await;
    world.key(Key::Back).await;
    assert!(world.shows("You must").await);
    world.tap("OK").await;
    assert!(world.shows("Insist").await);
}

#[tokio::test(start_paused = true)]
async fn a_field_stays_above_the_keyboard() {
    let mut world = World::yaml(
        r#"
screens:
  main:
    body:
      - space: 600
      - field: { hint: "deep down" }
"#,
    );
    let before = bounds(&world.node("deep down").await);
    assert!(before.bottom > 1404);
    world.tap("deep down").await;
    let after = bounds(&world.node("deep down").await);
    assert!(after.bottom <= 1404, "{after}");
    world.key(Key::Back).await;
    assert_eq!(bounds(&world.node("deep down").await), before);
}

#[tokio::test(start_paused = true)]
async fn field_scrolls_above_a_bar_on_the_keyboard() {
    let mut world = World::with(driver_sim::SimOptions {
        start: driver_sim::Start::Uri("shop://item/3".to_owned()),
        ..driver_sim::SimOptions::default()
    });
    world.tap("Note for the seller").await;
    let field = bounds(&world.node("Note for the seller").await);
    let bar = bounds(&world.node("Add to cart").await);
    assert!(
        field.height() > 100 && field.bottom <= bar.top && bar.bottom <= 1404,
        "{field} {bar}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_field_in_a_list_is_scrolled_above_the_keyboard() {
    let mut world = World::yaml(
        r#"
screens:
  main:
    body:
      - list:
          - { text: "top", height: 600 }
          - field: { hint: "in the list" }
          - { text: "bottom", height: 600 }
"#,
    );
    world.tap("in the list").await;
    let field = bounds(&world.node("in the list").await);
    assert!(field.bottom <= 1404 && field.height() > 100, "{field}");
    // After that the user may scroll it away.
    world.swipe((540, 300), (540, 1300)).await;
    assert!(world.shows("top").await);
}

#[tokio::test(start_paused = true)]
async fn disabled_widgets_take_touches_and_do_nothing() {
    let mut world = World::app(SHOP);
    let from = world.journal().len();
    let button = world.see().await;
    let button = button
        .tree
        .ids()
        .rev()
        .find(|id| &*button.tree.node(*id).text == "Sign in")
        .map(|id| (button.node_ref(id), bounds(button.tree.node(id))));
    let (node, place) = button.unwrap();
    world.touch(place.center()).await;
    assert_eq!(
        world.happened_since(from),
        ["swallowed by disabled com.example.shop/login \"Sign in\""]
    );
    let refused = world.driver_act(node, NodeAct::Click).await;
    assert!(
        matches!(refused, Err(DriverError::Refused(_))),
        "{refused:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn node_acts_follow_platform_rules() {
    let mut world = World::app(SETTINGS);
    for act in [
        NodeAct::Click,
        NodeAct::LongClick,
        NodeAct::Focus,
        NodeAct::Submit,
        NodeAct::SetText("x".to_owned()),
        NodeAct::AppendText("x".to_owned()),
    ] {
        let refused = world.try_act("Connections", act.clone()).await;
        assert!(
            matches!(refused, Err(DriverError::Refused(_))),
            "{act:?}: {refused:?}"
        );
    }
    let (node, _) = world.find("Search settings").await.unwrap();
    world.driver_act(node, NodeAct::Click).await.unwrap();
    let stale = world.driver_act(node, NodeAct::Click).await;
    assert_eq!(stale, Err(DriverError::Stale));
}

#[tokio::test(start_paused = true)]
async fn touches_outside_the_screen_are_errors() {
    let mut world = World::app(SETTINGS);
    for at in [
        Point::new(-1, 5),
        Point::new(1080, 5),
        Point::new(5, 2340),
        Point::new(5, i32::MIN),
    ] {
        assert_eq!(world.try_touch(at).await, Err(DriverError::OffScreen(at)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_snackbar_stands_in_the_app_and_goes_away() {
    let mut world = World::yaml(
        r#"
state: { undone: false }
screens:
  main:
    body:
      - button: { text: "Delete", on_click: { snackbar: { text: "Gone", action: "Undo", on_click: { set: { undone: true } } } } }
"#,
    );
    world.tap("Delete").await;
    assert_eq!(world.see().await.tree.windows().len(), 1);
    world.tap("Undo").await;
    assert!(!world.shows("Gone").await);
    assert!(world.noted("undone: \"false\" -> \"true\""));
    world.tap("Delete").await;
    tokio::time::sleep(std::time::Duration::from_millis(2749)).await;
    assert!(world.shows("Gone").await);
    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    assert!(!world.shows("Gone").await);
}

#[tokio::test(start_paused = true)]
async fn a_snackbar_stays_under_a_finger() {
    let mut world = World::yaml(
        r#"
state: { undone: 0 }
screens:
  main:
    body:
      - text: "Undone {undone}"
      - button: { text: "Delete", on_click: { snackbar: { text: "Gone", action: "Undo", on_click: { set: { undone: "= undone + 1" } } } } }
"#,
    );
    let millis = std::time::Duration::from_millis;
    world.tap("Delete").await;
    let undo = bounds(&world.node("Undo").await).center();
    let words = bounds(&world.node("Gone").await).center();
    let shows = |phone: &mut driver_sim::Phone, text: &str| {
        let seen = phone.observe().expect("the screen is on");
        seen.tree.nodes().iter().any(|node| &*node.text == text)
    };
    // Past the driver, whose calls take the finger of another call away.
    let phone = world.driver.phone_mut();
    phone.advance_to(phone.now() + millis(2600));
    phone.touch_down(undo);
    phone.advance_to(phone.now() + millis(500));
    assert!(shows(phone, "Gone"), "its time is over");
    phone.touch_up(undo);
    assert!(shows(phone, "Undone 1"), "it was pressed");
    assert!(!shows(phone, "Gone"));

    let delete = bounds(&world.node("Delete").await).center();
    let phone = world.driver.phone_mut();
    phone.tap(delete);
    phone.advance_to(phone.now() + millis(2600));
    phone.touch_down(words);
    phone.advance_to(phone.now() + millis(500));
    phone.touch_up(words);
    assert!(shows(phone, "Gone"), "its words were held");
    phone.advance_to(phone.now() + millis(1000));
    assert!(!shows(phone, "Gone"), "it goes when nobody holds it");

    phone.tap(delete);
    phone.advance_to(phone.now() + millis(2600));
    phone.touch_down(delete);
    phone.advance_to(phone.now() + millis(500));
    assert!(!shows(phone, "Gone"), "the finger holds something else");
}

#[tokio::test(start_paused = true)]
async fn switch_in_a_clickable_row_is_pressed_alone() {
    let mut world = World::yaml(
        r#"
state: { wifi: true, sound: true }
screens:
  main:
    body:
      - list:
          - { item: "Wi-Fi", switch: wifi, on_click: { push: wifi } }
          - { item: "Sound", switch: sound }
  wifi:
    title: "Networks"
    back: true
"#,
    );
    let seen = world.see().await;
    let switches: Vec<_> = seen
        .tree
        .nodes()
        .iter()
        .filter(|node| node.id.ends_with("switch_widget"))
        .collect();
    assert_eq!(
        (&*switches[0].label, switches[0].is(State::CLICKABLE)),
        ("Wi-Fi", true)
    );
    assert_eq!(
        (&*switches[1].label, switches[1].is(State::CLICKABLE)),
        ("", false)
    );
    let place = bounds(switches[0]).center();
    world.touch(place).await;
    assert!(!world.shows("Networks").await);
    let seen = world.see().await;
    let on = |place: usize| {
        let mut switches = seen
            .tree
            .nodes()
            .iter()
            .filter(|node| node.id.ends_with("switch_widget"));
        switches
            .nth(place)
            .is_some_and(|node| node.is(State::CHECKED))
    };
    assert_eq!((on(0), on(1)), (false, true));
    world.tap("Sound").await;
    let seen = world.see().await;
    assert!(
        seen.tree
            .nodes()
            .iter()
            .all(|node| !node.is(State::CHECKED))
    );
    world.tap("Wi-Fi").await;
    assert!(world.shows("Networks").await);
}
