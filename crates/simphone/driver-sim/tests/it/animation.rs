//! Animations: moving widgets, windows that slide in. No frame is scheduled when nothing moves.

use std::time::Duration;

use driver_sim::{AnimationChoice, SimOptions};

use crate::fixture::{Fixture, run, with_screens};

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

pub(crate) fn animated(screens: &str) -> Fixture {
    Fixture::with(SimOptions {
        animations: AnimationChoice::On,
        ..with_screens(screens)
    })
}

#[test]
fn observing_does_not_change_the_screen() {
    let places = |observes: bool| {
        run(async move {
            let mut fixture = Fixture::yaml(MOVING);
            let mut places = Vec::new();
            for _ in 0..12 {
                fixture.pass(11).await;
                if observes {
                    fixture.see().await;
                }
                fixture.pass(10).await;
                places.push(fixture.see().await.tree.to_compact());
            }
            places
        })
    };
    assert_eq!(places(true), places(false));
}

#[tokio::test(start_paused = true)]
async fn every_frame_is_reported_as_a_change() {
    let mut fixture = Fixture::yaml(MOVING);
    let mut seen = fixture.see().await;
    for frame in 1..=5 {
        fixture.changed(seen.revision).await;
        seen = fixture.see().await;
        assert_eq!(
            fixture.driver.phone().now(),
            Duration::from_millis(16 * frame)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn app_setting_overrides_animations() {
    let screens = "screens: { main: { body: [ { text: Hello } ] } }";
    let mut off = animated(&format!("animations: off\n{screens}"));
    off.see().await;
    assert_eq!(off.driver.phone().next_event(), None);
    let mut on = Fixture::yaml(&format!("animations: on\n{screens}"));
    assert!(on.driver.phone().is_moving());
    on.rest().await;
    assert!(on.shows("Hello").await);
}

#[test]
fn order_of_timers_and_frames_is_independent_of_time_step() {
    let play = |step: u64| {
        run(async move {
            let mut fixture = Fixture::yaml(
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
                for _ in 0..(32 / step) {
                    fixture.pass(step).await;
                }
                seen.push(fixture.see().await.tree.to_compact());
            }
            (seen, fixture.journal())
        })
    };
    let whole = play(32);
    assert_eq!(play(1), whole);
    assert_eq!(play(8), whole);
}
