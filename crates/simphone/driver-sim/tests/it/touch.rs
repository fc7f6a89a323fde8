//! What a finger presses: what it came down on, if it is still there and still under it when it leaves.

use driver_sim::{AppSource, SimOptions, Start};

use crate::world::World;

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
