//! Content that runs on after the finger has left, and what stops it.

use std::time::Duration;

use driver::Key;
use driver_sim::{Phone, SimOptions};
use uitree::Point;

use crate::world::{World, bounds};

const LIST: &str = r#"
state: { pressed: "" }
data:
  rows: { repeat: 80, item: { name: "Row {n}" } }
screens:
  main:
    body:
      - list:
          id: rows
          items: rows
          row: [ { item: "{name}", height: 100, on_click: { set: { pressed: "{name}" } } } ]
"#;

/// The upper edge of a row that is in sight before and after a short way.
async fn top(world: &mut World, row: &str) -> i32 {
    bounds(&world.node(row).await).top
}

#[tokio::test(start_paused = true)]
async fn fling_slows_down_until_it_rests() {
    let mut world = World::yaml(LIST);
    let before = top(&mut world, "Row 7").await;
    world.fling((540, 1500), (540, 1100)).await;
    let mut places = vec![top(&mut world, "Row 7").await];
    assert_eq!(before - places[0], 400 - 21, "the finger's own way");
    while world.driver.phone().is_moving() {
        world.pass(16).await;
        places.push(top(&mut world, "Row 7").await);
    }
    let steps: Vec<i32> = places.windows(2).map(|pair| pair[0] - pair[1]).collect();
    assert!(steps.len() > 15, "{steps:?}");
    assert!(steps.iter().all(|step| *step >= 0), "it never runs back");
    let (first, last) = steps.split_at(steps.len() / 2);
    assert!(
        first.iter().sum::<i32>() > 4 * last.iter().sum::<i32>(),
        "it becomes slower: {steps:?}"
    );
    // 1600 pixels a second on this screen.
    let way = places[0] - places[places.len() - 1];
    assert_eq!(way, 216);
    assert_eq!(world.driver.phone().next_event(), None);
    let journal = world.happened_since(0);
    let end = &journal[journal.len() - 2..];
    assert!(
        end[0].starts_with("fling at 1601: com.test.app/main"),
        "{end:?}"
    );
    assert!(
        end[1].starts_with("rest after (0,216) by its way"),
        "{end:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn resting_finger_does_not_fling() {
    let mut world = World::yaml(LIST);
    world.swipe((540, 1500), (540, 1100)).await;
    assert!(!world.driver.phone().is_moving());
    assert_eq!(world.driver.phone().next_event(), None);
}

#[tokio::test(start_paused = true)]
async fn a_touch_stops_the_content_and_presses_nothing() {
    let mut world = World::yaml(LIST);
    world.fling((540, 1500), (540, 1100)).await;
    world.pass(100).await;
    let seen = top(&mut world, "Row 7").await;
    let from = world.journal().len();
    world.touch(Point::new(540, 900)).await;
    assert!(!world.driver.phone().is_moving());
    assert_eq!(top(&mut world, "Row 7").await, seen);
    let happened = world.happened_since(from);
    assert!(
        matches!(&happened[..], [one] if one.contains("by a touch")),
        "{happened:?}"
    );
    world.touch(Point::new(540, 900)).await;
    assert!(
        world.journal().last().unwrap().contains("pressed"),
        "the next one presses"
    );
}

#[tokio::test(start_paused = true)]
async fn fling_ends_at_the_edge() {
    let mut world = World::yaml(LIST);
    world.fling((540, 300), (540, 2000)).await;
    assert!(!world.driver.phone().is_moving(), "it is at its top");
    world.fling((540, 900), (540, 700)).await;
    world.rest().await;
    world.fling((540, 600), (540, 2000)).await;
    world.rest().await;
    assert_eq!(world.driver.phone().next_event(), None);
    let last = world.journal().last().unwrap().clone();
    assert!(
        !last.contains("fling"),
        "what is at its edge is not thrown: {last}"
    );
    world.fling((540, 1500), (540, 1200)).await;
    world.pass(48).await;
    world.fling((540, 400), (540, 690)).await;
    world.rest().await;
    assert!(world.journal().last().unwrap().contains("by the edge"));
    assert_eq!(world.driver.phone().next_event(), None);
}

#[tokio::test(start_paused = true)]
async fn leaving_the_window_ends_it() {
    let mut world = World::yaml(LIST);
    world.fling((540, 1500), (540, 1100)).await;
    world.key(Key::Home).await;
    assert_eq!(world.driver.phone().next_event(), None);
    assert!(world.noted("by its window was left"));
}

#[tokio::test(start_paused = true)]
async fn inner_list_hands_the_rest_to_the_outer_list() {
    let mut world = World::yaml(
        r#"
data:
  rows: { repeat: 8, item: { name: "Row {n}" } }
screens:
  main:
    body:
      - scroll:
          id: outer
          children:
            - list: { id: inner, items: rows, height: 300, grow: 0, row: [ { text: "{name}", height: 50 } ] }
            - { text: "below", height: 1500 }
"#,
    );
    let before = top(&mut world, "below").await;
    // The inner list has 100 density-independent pixels to go, which are 263.
    world.fling((540, 600), (540, 500)).await;
    assert_eq!(top(&mut world, "below").await, before);
    world.fling((540, 600), (540, 200)).await;
    world.rest().await;
    assert!(world.shows("Row 8").await);
    assert!(top(&mut world, "below").await < before - 100);
}

/// A walk through the phone with fingers, throws and pauses; time passes in steps of `grain` milliseconds.
fn walk(grain: u64) -> (Vec<String>, Vec<String>) {
    let mut phone = Phone::start(&SimOptions::default()).expect("the phone does it");
    let mut trees = Vec::new();
    let pass = |phone: &mut Phone, millis: u64| {
        let to = phone.now() + Duration::from_millis(millis);
        while phone.now() < to {
            phone.advance_to((phone.now() + Duration::from_millis(grain)).min(to));
        }
    };
    phone.open_app("com.android.settings").expect("it is there");
    for (from, to, millis) in [
        (1800, 1000, 120),
        (1900, 600, 90),
        (700, 1500, 100),
        (1500, 1498, 30),
        (1900, 400, 60),
    ] {
        phone.touch_down(Point::new(540, from));
        for step in 1..=6 {
            pass(&mut phone, millis / 6);
            phone.touch_move(Point::new(540, from + (to - from) * step / 6));
        }
        phone.touch_up(Point::new(540, to));
        pass(&mut phone, 333);
        let seen = phone.observe().expect("the screen is on");
        trees.push(seen.tree.to_compact());
    }
    phone.open_uri("settings://wifi").expect("it is there");
    pass(&mut phone, 1700);
    trees.push(phone.observe().expect("it is on").tree.to_compact());
    (
        trees,
        phone.journal().iter().map(ToString::to_string).collect(),
    )
}

#[test]
fn the_grain_of_time_changes_nothing() {
    let whole = walk(10_000);
    assert!(whole.1.iter().any(|line| line.contains("fling")));
    assert!(whole.1.iter().any(|line| line.contains("by a touch")));
    for grain in [1, 7, 16] {
        assert_eq!(walk(grain), whole, "in steps of {grain} ms");
    }
}
