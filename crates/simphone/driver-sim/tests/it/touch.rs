//! What a finger presses: what it came down on, if it is still there and still under it when it leaves.

use driver::Key;
use driver_sim::{AppSource, SimOptions, Start};
use uitree::Point;

use crate::world::{World, bounds};

const BUTTONS: &str = r#"
state: { count: 0, late: true, ready: true }
screens:
  main:
    body:
      - button: { text: "Count", on_click: { set: { count: "= count + 1" } }, on_long_click: { set: { count: 100 } } }
      - text: "count {count}"
      - button: { text: "Vanishes", vanish_after: 1s, on_click: { set: { count: 7 } } }
      - button: { text: "Dead at first", enabled: "not late", on_click: { set: { count: 8 } } }
      - button: { text: "Dead at last", enabled: ready, on_click: { set: { count: 9 } } }
    timers: [ { after: 2s, do: { set: { late: false, ready: false } } }, { after: 4s, do: { dialog: over } } ]
dialogs:
  over: { title: "Over", buttons: [ { text: "Go" } ] }
"#;

/// Comes down on `name`, lets time pass, and leaves there.
async fn hold(world: &mut World, name: &str, millis: u64) {
    let at = bounds(&world.node(name).await).center();
    world.driver.phone_mut().touch_down(at);
    world.pass(millis).await;
    world.driver.phone_mut().touch_up(at);
}

fn last(world: &World) -> String {
    world.journal().last().cloned().unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn press_tolerates_small_movement() {
    let mut world = World::yaml(BUTTONS);
    let button = bounds(&world.node("Count").await);
    let y = button.center().y;
    for (to, counts) in [
        (button.right - 2, "count 1"),
        (button.right + 20, "count 2"),
        (button.right + 25, "count 2"),
    ] {
        let phone = world.driver.phone_mut();
        phone.touch_down(Point::new(button.left + 5, y));
        phone.touch_move(Point::new(to, y));
        phone.touch_up(Point::new(to, y));
        assert!(world.shows(counts).await, "to {to} of {button:?}");
    }
    assert!(last(&world).contains("touch lost, the finger left it"));
    // Coming back does not help.
    let phone = world.driver.phone_mut();
    phone.touch_down(button.center());
    phone.touch_move(Point::new(button.center().x, button.bottom + 100));
    phone.touch_move(button.center());
    phone.touch_up(button.center());
    assert!(world.shows("count 2").await);
}

#[tokio::test(start_paused = true)]
async fn long_press_after_400_ms_replaces_click() {
    let mut world = World::yaml(BUTTONS);
    hold(&mut world, "Count", 399).await;
    assert!(world.shows("count 1").await);
    hold(&mut world, "Count", 400).await;
    assert!(world.shows("count 100").await);
    let button = bounds(&world.node("Count").await).center();
    let phone = world.driver.phone_mut();
    phone.touch_down(button);
    phone.touch_cancel();
    phone.touch_down(button);
    world.pass(399).await;
    world.driver.phone_mut().touch_up(button);
    assert!(
        world.shows("count 101").await,
        "each finger has its own time"
    );
}

#[tokio::test(start_paused = true)]
async fn vanished_widget_is_not_pressed() {
    let mut world = World::yaml(BUTTONS);
    world.pass(900).await;
    hold(&mut world, "Vanishes", 200).await;
    assert!(world.shows("count 0").await);
    let line = last(&world);
    assert!(
        line.contains("touch lost, it vanished") && line.contains("Vanishes"),
        "{line}"
    );
}

#[tokio::test(start_paused = true)]
async fn disabled_widget_swallows_the_finger() {
    for name in ["Dead at first", "Dead at last"] {
        let mut world = World::yaml(BUTTONS);
        world.pass(1900).await;
        hold(&mut world, name, 200).await;
        assert!(world.shows("count 0").await);
        assert!(
            last(&world).contains("swallowed by disabled"),
            "{}",
            last(&world)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_window_that_comes_up_takes_the_touch_away() {
    let mut world = World::yaml(BUTTONS);
    world.pass(3900).await;
    hold(&mut world, "Count", 200).await;
    assert!(world.shows("Over").await);
    let journal = world.happened_since(0);
    let line = &journal[journal.len() - 1];
    assert!(line.contains("touch lost, a window covered it"), "{line}");
    assert!(!journal.iter().any(|line| line.starts_with("click")));
}

#[tokio::test(start_paused = true)]
async fn what_lies_on_top_takes_the_touch() {
    let mut world = World::yaml(
        r#"
state: { hit: none }
screens:
  main:
    body:
      - box:
          height: 200
          children:
            - button: { text: "Below", on_click: { set: { hit: below } } }
            - button: { text: "Above", enabled: "false", on_click: { set: { hit: above } } }
      - text: "hit {hit}"
"#,
    );
    let at = bounds(&world.node("Above").await).center();
    world.touch(at).await;
    assert!(world.shows("hit none").await);
    assert!(last(&world).contains("swallowed"));
}

#[tokio::test(start_paused = true)]
async fn the_axis_of_a_drag_is_that_of_a_scroller() {
    let mut world = World::yaml(
        r#"
state: { pressed: 0 }
data: { rows: { repeat: 40, item: { n: "= n" } } }
screens:
  main:
    body:
      - list: { id: rows, items: rows, row: [ { item: "Row {n}", on_click: { set: { pressed: "= n" } } } ] }
"#,
    );
    let top = bounds(&world.node("Row 3").await);
    // Sideways there is nothing to drag: it stays a press as long as it stays on the row.
    world
        .swipe((200, top.center().y), (900, top.center().y))
        .await;
    assert!(last(&world).contains("pressed"), "{}", last(&world));
    // Mostly sideways, but far enough down: the list moves, and only down.
    world.swipe((200, 1500), (900, 1200)).await;
    let moved = bounds(&world.node("Row 5").await);
    assert_eq!(moved.left, top.left);
    assert!(last(&world).contains("scroll by (0,"), "{}", last(&world));
}

#[tokio::test(start_paused = true)]
async fn volume_keys_change_the_volume() {
    let mut world = World::yaml(
        r#"
screens:
  main: { body: [ { text: Main } ] }
"#,
    );
    assert_eq!(world.driver.phone().volume(), 5);
    for _ in 0..12 {
        world.key(Key::VolumeUp).await;
    }
    assert_eq!(world.driver.phone().volume(), 15);
    world.key(Key::VolumeDown).await;
    assert!(last(&world).ends_with("volume 14"));
}

#[test]
fn the_phone_works_in_the_time_of_the_world() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut world = World::with(SimOptions {
            apps: vec![AppSource::Text {
                name: "t.yaml".to_owned(),
                yaml: "app: com.test.app\nstart: main\nscreens: { main: { body: [ { text: T, appear_after: 20ms } ] } }"
                    .to_owned(),
            }],
            start: Start::App("com.test.app".to_owned()),
            time: driver_sim::TimeChoice::Real,
            ..SimOptions::default()
        });
        while !world.shows("T").await {
            let seen = world.see().await;
            let cx = world.cx.clone();
            driver::Driver::changed(&mut world.driver, &cx, seen.revision)
                .await
                .unwrap();
        }
        assert!(world.driver.phone().now().as_millis() >= 20);
    });
}
