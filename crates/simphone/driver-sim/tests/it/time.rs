//! Time: changes happen on time, to the millisecond.

use std::time::Duration;

use driver::{Cx, Driver, DriverError, Gesture, Key, NodeAct};
use driver_sim::{PaceChoice, SimOptions, TimeChoice};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uitree::Point;

use crate::world::{SETTINGS, World, millis_since, with_file, with_screens};

#[tokio::test(start_paused = true)]
async fn changed_returns_at_once_after_a_change() {
    let mut world = World::app(SETTINGS);
    let seen = world.see().await;
    world.tap("Connections").await;
    let start = Instant::now();
    world.changed(seen.revision).await;
    assert_eq!(millis_since(start), 0);
}

#[tokio::test(start_paused = true)]
async fn changed_waits_until_the_context_ends() {
    let mut world = World::app(SETTINGS);
    let seen = world.see().await;
    let start = Instant::now();
    let cx = Cx::new(Duration::from_millis(700), CancellationToken::new());
    let end = world.driver.changed(&cx, seen.revision).await;
    assert_eq!(end, Err(DriverError::Deadline));
    assert_eq!(millis_since(start), 700);
    let token = CancellationToken::new();
    token.cancel();
    let cx = Cx::new(Duration::from_secs(1), token);
    assert_eq!(
        world.driver.observe(&cx).await.err(),
        Some(DriverError::Cancelled)
    );
}

#[tokio::test(start_paused = true)]
async fn cancelled_swipe_leaves_content_in_place() {
    let mut world = World::app(SETTINGS);
    let gesture = Gesture::Swipe {
        from: Point::new(540, 2000),
        to: Point::new(540, 1000),
        duration: Duration::from_millis(1000),
        rest: Duration::ZERO,
    };
    let cx = Cx::new(Duration::from_millis(400), CancellationToken::new());
    assert_eq!(
        world.driver.touch(&cx, &gesture).await,
        Err(DriverError::Deadline)
    );
    let list = crate::world::with_id(&world.see().await, "recycler_view");
    let moved = 884 - crate::world::bounds(&list[0]).top;
    assert!((300..400).contains(&moved), "{moved}");
    world.tap("Connections").await;
    assert!(
        world.shows("Airplane mode").await,
        "the swipe was cancelled"
    );
}

#[tokio::test(start_paused = true)]
async fn phone_pace_waits_for_idle_and_delays_inputs() {
    let yaml = "app: com.test.pace\nlabel: Pace\nicon: star\nstart: main\nstate: { n: 0 }\nscreens:\n  main:\n    body:\n      \
                - button: { text: Once, on_click: { after: 700ms, do: { set: { n: 1 } } } }\n      \
                - button: { text: Ever, on_click: { push: busy } }\n      - text: \"{n}\"\n  busy:\n    timers:\n      \
                - { every: 20ms, do: { set: { n: \"= n + 1\" } } }\n    body:\n      - text: \"{n}\"\n";
    let mut world = World::with(SimOptions {
        pace: PaceChoice::Phone,
        ..with_file(yaml)
    });
    assert!(!world.driver.info().capabilities.events);
    let start = Instant::now();
    world.see().await;
    assert_eq!(millis_since(start), 1600);
    world.act("Once", NodeAct::Click).await;
    let start = Instant::now();
    // The screen changes 700 ms after the click and is still for a second afterwards.
    let seen = world.see().await;
    assert!(crate::world::named(&seen, "1").is_some());
    assert_eq!(millis_since(start), 1700);
    let start = Instant::now();
    world.key(Key::VolumeUp).await;
    assert_eq!(millis_since(start), 300);
    world.act("Ever", NodeAct::Click).await;
    let start = Instant::now();
    let seen = world.try_see().await;
    assert!(matches!(seen, Err(DriverError::NotIdle(_))), "{seen:?}");
    assert!(start.elapsed() <= Duration::from_millis(10_600));
}

#[test]
fn phone_works_in_real_time() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut world = World::with(SimOptions {
            time: TimeChoice::Real,
            ..with_screens("screens: { main: { body: [ { text: T, appear_after: 20ms } ] } }")
        });
        while !world.shows("T").await {
            let seen = world.see().await;
            world.changed(seen.revision).await;
        }
        assert!(world.driver.phone().now().as_millis() >= 20);
    });
}
