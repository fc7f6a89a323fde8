//! Content that is pulled past its edge stretches in pictures alone, where animations are on.

use uitree::Point;

use crate::animation::animated;
use crate::world::{World, run};

const ROWS: &str = r#"
data: { rows: { repeat: 40, item: { n: "= n" } } }
screens:
  main:
    body: [ { list: { id: rows, items: rows, row: [ { text: "Row {n}", height: 80 } ] } } ]
"#;

const REFRESHED: &str = r#"
data: { rows: { repeat: 40, item: { n: "= n" } } }
screens:
  main:
    body: [ { list: { id: rows, items: rows, row: [ { text: "Row {n}", height: 80 } ], on_refresh: { toast: fresh } } } ]
"#;

fn pull(world: &mut World, from: i32, to: i32) {
    world.driver.phone_mut().touch_down(Point::new(540, from));
    world
        .driver
        .phone_mut()
        .touch_move(Point::new(540, (from + to) / 2));
    world.driver.phone_mut().touch_move(Point::new(540, to));
}

#[test]
fn a_pull_past_the_edge_stretches_pictures_and_nothing_else() {
    run(async {
        let mut world = animated(ROWS);
        world.rest().await;
        let tree = world.see().await.tree.to_compact();
        let calm = world.driver.phone_mut().draw();
        let from = world.journal().len();
        pull(&mut world, 600, 1400);
        assert_eq!(world.see_held().tree.to_compact(), tree);
        let pulled = world.driver.phone_mut().draw();
        assert_ne!(pulled, calm);
        assert_eq!(world.happened_since(from), [""; 0]);
        assert!(!world.driver.phone().is_moving(), "the finger holds it");
        world.pass(100).await;
        assert_eq!(world.driver.phone_mut().draw(), pulled);
        world.driver.phone_mut().touch_up(Point::new(540, 1400));
        assert!(world.driver.phone().is_moving());
        world.pass(100).await;
        assert_eq!(world.see().await.tree.to_compact(), tree);
        let between = world.driver.phone_mut().draw();
        assert!(between != pulled && between != calm);
        world.rest().await;
        assert_eq!(world.driver.phone_mut().draw(), calm);
        assert_eq!(world.driver.phone().next_event(), None);
    });
}

#[test]
fn the_way_back_takes_the_stretch_away_before_content_moves() {
    run(async {
        let mut world = animated(ROWS);
        world.rest().await;
        let calm = world.driver.phone_mut().draw();
        let from = world.journal().len();
        pull(&mut world, 600, 1000);
        // 8 design units, 21 pixels, are the threshold.
        world.driver.phone_mut().touch_move(Point::new(540, 621));
        assert_eq!(world.driver.phone_mut().draw(), calm);
        assert_eq!(world.happened_since(from), [""; 0]);
        world.driver.phone_mut().touch_move(Point::new(540, 521));
        let moved = world.happened_since(from);
        assert!(
            moved.len() == 1 && moved[0].starts_with("scroll by (0,100)"),
            "{moved:?}"
        );
    });
}

#[test]
fn nothing_stretches_where_animations_are_off_or_a_wheel_is_pulled() {
    run(async {
        let mut still = World::yaml(ROWS);
        let calm = still.driver.phone_mut().draw();
        pull(&mut still, 600, 1400);
        assert_eq!(still.driver.phone_mut().draw(), calm);
        still.driver.phone_mut().touch_up(Point::new(540, 1400));
        assert!(!still.driver.phone().is_moving());

        let mut off = World::yaml(REFRESHED);
        let mut on = animated(REFRESHED);
        on.rest().await;
        for world in [&mut off, &mut on] {
            pull(world, 600, 1400);
        }
        let (off, on) = (off.driver.phone_mut().draw(), on.driver.phone_mut().draw());
        // The clocks differ by less than a minute, and so do the pictures by nothing.
        assert_eq!(off, on);
    });
}
