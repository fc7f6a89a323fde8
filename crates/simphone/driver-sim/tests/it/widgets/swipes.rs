//! Rows that a finger pushes aside.

use driver::Key;
use driver_sim::journal::Event;
use uitree::{Point, Rect};

use crate::world::{World, bounds, named, with_id};

const APP: &str = r#"
state: { pressed: 0 }
lists: { tasks: { fields: [name], entries: [ { name: One }, { name: Two }, { name: Three }, { name: Four } ] } }
screens:
  main:
    body:
      - list:
          id: tasks
          items: tasks
          row:
            - item: { title: "{name}", id: task }
              on_click: { set: { pressed: "= pressed + 1" } }
              on_swipe: [ { remove: tasks }, { snackbar: { text: "{name} is gone", action: Undo, on_click: { append: { tasks: { name: "{name}" } } } } } ]
            - text: "StaticScreen below {name}"
      - text: "{count(tasks)} {pressed}"
        id: all
"#;

async fn row(world: &mut World, name: &str) -> Rect {
    let seen = world.see().await;
    let title = named(&seen, name).unwrap_or_else(|| panic!("no {name}"));
    let mut at = Some(title);
    while let Some(id) = at {
        let node = seen.tree.node(id);
        if node.id.ends_with(":id/task") {
            return bounds(node);
        }
        at = node.parent;
    }
    panic!("{name} stands in no row");
}

/// The row at a place, with its finger on it: its words may be out of sight.
fn held_row(world: &mut World, index: usize) -> Rect {
    bounds(&with_id(&world.see_held(), "task")[index])
}

async fn all(world: &mut World) -> String {
    with_id(&world.see().await, "all")[0].text.to_string()
}

#[tokio::test(start_paused = true)]
async fn a_row_that_is_pushed_beyond_its_half_goes() {
    let mut world = World::yaml(APP);
    let two = row(&mut world, "Two").await;
    let y = two.center().y;
    let before = world.journal().len();
    world.swipe((1000, y), (420, y)).await;
    assert_eq!(all(&mut world).await, "3 0");
    assert!(!world.shows("Two").await && world.shows("Three").await);
    let happened = world.happened_since(before);
    assert!(
        happened.iter().any(|line| line.starts_with("swipe left: ")),
        "{happened:?}"
    );
    // What the row said is known to what follows.
    assert!(world.shows("Two is gone").await);
    world.tap("Undo").await;
    assert_eq!(all(&mut world).await, "4 0");
}

#[tokio::test(start_paused = true)]
async fn a_row_that_is_pushed_less_comes_back() {
    let mut world = World::yaml(APP);
    let two = row(&mut world, "Two").await;
    let y = two.center().y;
    world.swipe((1000, y), (500, y)).await;
    assert_eq!(row(&mut world, "Two").await, two);
    assert_eq!(all(&mut world).await, "4 0");
    // A fast finger needs less.
    world.fling((900, y), (700, y)).await;
    assert_eq!(all(&mut world).await, "3 0");
}

#[tokio::test(start_paused = true)]
async fn a_row_follows_the_finger_alone() {
    let mut world = World::yaml(APP);
    let two = row(&mut world, "Two").await;
    let below = bounds(&world.node("StaticScreen below Two").await);
    let y = two.center().y;
    world.driver.phone_mut().touch_down(Point::new(800, y));
    // Beyond the threshold of 8, which is 21 pixels.
    world
        .driver
        .phone_mut()
        .touch_move(Point::new(779 - 300, y));
    let held = held_row(&mut world, 1);
    assert_eq!(held.right, two.right - 300);
    let seen = world.see_held();
    let still_below = named(&seen, "StaticScreen below Two").expect("it is there");
    assert_eq!(bounds(seen.tree.node(still_below)), below);
    world.driver.phone_mut().touch_cancel();
    assert_eq!(row(&mut world, "Two").await, two);
    assert_eq!(all(&mut world).await, "4 0");
}

#[tokio::test(start_paused = true)]
async fn swiped_row_is_not_clicked() {
    let mut world = World::yaml(APP);
    let two = row(&mut world, "Two").await;
    let y = two.center().y;
    world.swipe((800, y), (700, y)).await;
    assert_eq!(all(&mut world).await, "4 0");
    world.tap("Two").await;
    assert_eq!(all(&mut world).await, "4 1");
    world.swipe((800, y), (780, y + 400)).await;
    assert_eq!(all(&mut world).await, "4 1");
    let pushed = |world: &World| {
        let all = world.driver.phone().journal();
        all.iter()
            .filter(|entry| matches!(entry.what, Event::Swiped { .. }))
            .count()
    };
    assert_eq!(pushed(&world), 0);
}

#[tokio::test(start_paused = true)]
async fn swiped_row_slides_away_before_its_effect() {
    let yaml = format!("animations: on\n{}", APP.trim_start());
    let mut world = World::yaml(&yaml);
    world.rest().await;
    let two = row(&mut world, "Two").await;
    let y = two.center().y;
    world.swipe((1000, y), (420, y)).await;
    assert_eq!(all(&mut world).await, "4 0");
    assert!(world.driver.phone().is_moving());
    world.pass(100).await;
    let going = held_row(&mut world, 1);
    assert!(going.right < two.right - 580 && going.right > 0, "{going}");
    world.rest().await;
    world.pass(20).await;
    assert_eq!(all(&mut world).await, "3 0");
    // Nor does one that goes back jump.
    let three = row(&mut world, "Three").await;
    let y = three.center().y;
    world.swipe((1000, y), (700, y)).await;
    assert!(held_row(&mut world, 1).right < three.right);
    world.rest().await;
    assert_eq!(row(&mut world, "Three").await, three);
    // A screen that is left meanwhile does not lose the row.
    world.swipe((1000, y), (420, y)).await;
    world.key(Key::Home).await;
    world.pass(1000).await;
    world.launch("com.test.app").await;
    assert_eq!(all(&mut world).await, "2 0");
}
