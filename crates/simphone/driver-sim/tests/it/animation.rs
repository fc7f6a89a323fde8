//! What moves by itself: ways of widgets, windows that slide in. Nothing is planned when
//! nothing moves.

use std::time::Duration;

use driver_sim::{AnimationChoice, SimOptions};

use crate::world::{World, in_front, run};

const MOVING: &str = r#"
state: { pressed: 0 }
screens:
  main:
    body:
      - button:
          id: target
          text: "Catch me"
          move: { to: [0, 200], duration: 800ms, repeat: reverse }
          on_click: { set: { pressed: "= pressed + 1" } }
      - text: "pressed {pressed}"
"#;

pub(crate) fn animated(screens: &str) -> World {
    World::with(SimOptions {
        animations: AnimationChoice::On,
        ..in_front(screens)
    })
}

#[test]
fn observing_does_not_change_the_screen() {
    let places = |looks: bool| {
        run(async move {
            let mut world = World::yaml(MOVING);
            let mut places = Vec::new();
            for _ in 0..12 {
                world.pass(11).await;
                if looks {
                    world.see().await;
                }
                world.pass(10).await;
                places.push(world.see().await.tree.to_compact());
            }
            places
        })
    };
    assert_eq!(places(true), places(false));
}

#[tokio::test(start_paused = true)]
async fn a_change_is_heard_at_every_frame() {
    let mut world = World::yaml(MOVING);
    let mut seen = world.see().await;
    for frame in 1..=5 {
        world.changed(seen.revision).await;
        seen = world.see().await;
        assert_eq!(
            world.driver.phone().now(),
            Duration::from_millis(16 * frame)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_app_says_whether_it_is_animated() {
    let screens = "screens: { main: { body: [ { text: Hello } ] } }";
    let mut off = animated(&format!("animations: off\n{screens}"));
    off.see().await;
    assert_eq!(off.driver.phone().next_event(), None);
    let mut on = World::yaml(&format!("animations: on\n{screens}"));
    assert!(on.driver.phone().is_moving());
    on.rest().await;
    assert!(on.shows("Hello").await);
}

#[test]
fn timers_and_frames_keep_their_order() {
    let story = |grain: u64| {
        run(async move {
            let mut world = World::yaml(
                r#"
state: { ticks: 0 }
screens:
  main:
    timers: [ { every: 16ms, do: { set: { ticks: "= ticks + 1" } } }, { every: 48ms, do: { set: { ticks: "= ticks * 2" } } } ]
    body:
      - { text: "ticks {ticks}", move: { to: [100, 0], repeat: restart } }
      - { text: "late", appear_after: 96ms }
"#,
            );
            let mut seen = Vec::new();
            for _ in 0..20 {
                for _ in 0..(32 / grain) {
                    world.pass(grain).await;
                }
                seen.push(world.see().await.tree.to_compact());
            }
            (seen, world.journal())
        })
    };
    let whole = story(32);
    assert_eq!(story(1), whole);
    assert_eq!(story(8), whole);
}
