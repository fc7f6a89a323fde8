//! Time: changes happen on time, to the millisecond.

use std::time::Duration;

use driver::{Cx, Driver, DriverError, Key, NodeAct};
use driver_sim::{PaceChoice, SimOptions, TimeChoice};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::fixture::{Fixture, SETTINGS, millis_since, with_file, with_screens};

#[tokio::test(start_paused = true)]
async fn changed_waits_until_the_context_ends() {
    let mut fixture = Fixture::app(SETTINGS);
    let seen = fixture.see().await;
    let start = Instant::now();
    let cx = Cx::new(Duration::from_millis(700), CancellationToken::new());
    let end = fixture.driver.changed(&cx, seen.revision).await;
    assert_eq!(end, Err(DriverError::Deadline));
    assert_eq!(millis_since(start), 700);
    let token = CancellationToken::new();
    token.cancel();
    let cx = Cx::new(Duration::from_secs(1), token);
    assert_eq!(
        fixture.driver.observe(&cx).await.err(),
        Some(DriverError::Cancelled)
    );
}

#[tokio::test(start_paused = true)]
async fn phone_pace_waits_for_idle_and_delays_inputs() {
    let yaml = "app: com.test.pace\nlabel: Pace\nicon: star\nstart: main\nstate: { n: 0 }\nscreens:\n  main:\n    body:\n      \
                - button: { text: Once, on_click: { after: 700ms, do: { set: { n: 1 } } } }\n      \
                - button: { text: Ever, on_click: { push: busy } }\n      - text: \"{n}\"\n  busy:\n    timers:\n      \
                - { every: 20ms, do: { set: { n: \"= n + 1\" } } }\n    body:\n      - text: \"{n}\"\n";
    let mut fixture = Fixture::with(SimOptions {
        pace: PaceChoice::Phone,
        ..with_file(yaml)
    });
    assert!(!fixture.driver.info().capabilities.events);
    let start = Instant::now();
    fixture.see().await;
    assert_eq!(millis_since(start), 1600);
    fixture.act("Once", NodeAct::Click).await;
    let start = Instant::now();
    // The screen changes 700 ms after the click and is still for a second afterwards.
    let seen = fixture.see().await;
    assert!(crate::fixture::named(&seen, "1").is_some());
    assert_eq!(millis_since(start), 1700);
    let start = Instant::now();
    fixture.key(Key::VolumeUp).await;
    assert_eq!(millis_since(start), 300);
    fixture.act("Ever", NodeAct::Click).await;
    let start = Instant::now();
    let seen = fixture.try_see().await;
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
        let mut fixture = Fixture::with(SimOptions {
            time: TimeChoice::Real,
            ..with_screens("screens: { main: { body: [ { text: T, appear_after: 20ms } ] } }")
        });
        while !fixture.shows("T").await {
            let seen = fixture.see().await;
            fixture.changed(seen.revision).await;
        }
        assert!(fixture.driver.phone().now().as_millis() >= 20);
    });
}
