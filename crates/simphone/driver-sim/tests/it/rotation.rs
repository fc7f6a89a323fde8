//! Turning the phone, screens made for one orientation, and other screens.

use driver::{Driver, Key};
use driver_sim::{AppSource, Rotation, SimOptions, Start};
use uitree::{Point, Size};

use crate::world::{LAUNCHER, SETTINGS, World, bounds, with_id};

const APP: &str = r#"
state: { words: "", wide: "" }
data:
  rows: { repeat: 40, item: { name: "Row {n}" } }
screens:
  main:
    title: Turning
    menu: main
    body:
      - row:
          children:
            - text: "upright"
              visible: "not @landscape"
            - text: "sideways, {@width} by {@height}"
              visible: "@landscape"
      - field: { hint: "Words", bind: words }
      - button: { text: "Video", on_click: { push: video } }
      - button: { text: "Ask", on_click: { dialog: ask } }
      - list:
          items: rows
          row: [ { item: "{name}{if(@landscape, ' wide', '')}" } ]
  video: { title: Video, orientation: landscape, body: [ { text: "Film" } ] }
dialogs:
  ask: { title: "Really?", buttons: [ { text: "Yes" } ] }
menus:
  main: [ { text: "Entry" } ]
"#;

fn turn(world: &mut World, to: Rotation) {
    world.driver.phone_mut().rotate(to);
}

#[tokio::test(start_paused = true)]
async fn rotation_lays_out_anew_and_keeps_state() {
    let mut world = World::yaml(APP);
    world.tap("Words").await;
    world.driver.phone_mut().type_text("abc");
    world.key(Key::Back).await;
    world.swipe((540, 2000), (540, 1000)).await;
    assert!(!world.shows("Row 1").await);
    turn(&mut world, Rotation::Landscape);
    let seen = world.see().await;
    assert_eq!(seen.tree.screen(), Size::new(2340, 1080));
    assert_eq!(seen.tree.rotation(), 1);
    let root = bounds(seen.tree.node(seen.tree.windows()[0].root));
    assert_eq!(root.to_string(), "[0,0][2340,1080]");
    assert!(world.shows("sideways, 891 by 411").await);
    assert!(world.shows("abc").await, "the text is still there");
    assert!(
        !world.shows("Row 1 wide").await,
        "the list is still scrolled"
    );
    let row = seen
        .tree
        .nodes()
        .iter()
        .find(|node| node.text.ends_with(" wide"));
    let row = bounds(row.expect("rows know that the screen is wide"));
    assert!(
        row.right <= 2340 - 144,
        "the navigation bar is at the right edge: {row}"
    );
    turn(&mut world, Rotation::ReversePortrait);
    let seen = world.see().await;
    assert_eq!(
        (seen.tree.screen(), seen.tree.rotation()),
        (Size::new(1080, 2340), 2)
    );
    assert!(world.shows("upright").await);
    assert!(
        world
            .happened_since(0)
            .contains(&"screen 2340x1080 turned 1".to_owned())
    );
}

#[tokio::test(start_paused = true)]
async fn rotation_keeps_keyboard_and_dialogs_and_closes_menus() {
    let mut world = World::yaml(APP);
    world.tap("Words").await;
    turn(&mut world, Rotation::Landscape);
    let seen = world.see().await;
    let keyboard = seen.tree.windows()[1].bounds.unwrap();
    assert_eq!(keyboard.to_string(), "[0,540][2340,1080]");
    world.tap("q").await;
    assert!(world.shows("q").await);
    world.key(Key::Back).await;
    turn(&mut world, Rotation::Portrait);
    world.tap("Ask").await;
    turn(&mut world, Rotation::ReverseLandscape);
    let panel = bounds(&with_id(&world.see().await, "parentPanel")[0]);
    assert!(
        panel.left > 400 && panel.right < 1900,
        "in the middle: {panel}"
    );
    world.tap("Yes").await;
    world.tap("More options").await;
    assert!(world.shows("Entry").await);
    turn(&mut world, Rotation::Portrait);
    assert!(!world.shows("Entry").await);
}

#[tokio::test(start_paused = true)]
async fn a_screen_for_one_orientation_turns_the_phone() {
    let mut world = World::yaml(APP);
    world.tap("Video").await;
    assert_eq!(world.driver.phone().rotation(), Rotation::Landscape);
    assert!(world.shows("Film").await);
    world.key(Key::Back).await;
    assert_eq!(world.driver.phone().rotation(), Rotation::Portrait);
    turn(&mut world, Rotation::Landscape);
    world.key(Key::Home).await;
    assert_eq!(world.front().await, LAUNCHER);
    assert_eq!(world.driver.phone().rotation(), Rotation::Portrait);
    world.launch(SETTINGS).await;
    assert_eq!(world.driver.phone().rotation(), Rotation::Landscape);
}

#[tokio::test(start_paused = true)]
async fn navigation_bar_is_at_the_right_in_landscape() {
    let mut world = World::yaml(APP);
    turn(&mut world, Rotation::Landscape);
    world.tap("Ask").await;
    world.touch(Point::new(2270, 900)).await;
    assert!(!world.shows("Really?").await, "that was back");
    world.touch(Point::new(2270, 540)).await;
    assert_eq!(world.front().await, LAUNCHER);
}

#[tokio::test(start_paused = true)]
async fn a_phone_can_start_turned_and_unfold() {
    let mut world = World::with(SimOptions {
        apps: vec![AppSource::BuiltIn],
        start: Start::App(SETTINGS.to_owned()),
        rotation: Rotation::Landscape,
        ..SimOptions::default()
    });
    assert_eq!(world.see().await.tree.screen(), Size::new(2340, 1080));
    turn(&mut world, Rotation::Portrait);
    let phone = world.driver.phone_mut();
    phone
        .resize(Size::new(2208, 1840), 2.625)
        .expect("a sane screen");
    let seen = world.see().await;
    assert_eq!(seen.tree.screen(), Size::new(2208, 1840));
    let picture = world.driver.screenshot(&world.cx).await.expect("it is on");
    assert_eq!(picture.size, Size::new(2208, 1840));
    let phone = world.driver.phone_mut();
    assert!(phone.resize(Size::new(10, 10), 2.0).is_err());
}
