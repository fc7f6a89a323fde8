//! Rotation and size of the phone's screen.

use driver::Driver;
use driver_sim::{AppSource, Rotation, SimOptions, Start};
use uitree::Size;

use crate::world::{SETTINGS, World};

fn rotate(world: &mut World, to: Rotation) {
    world.driver.phone_mut().rotate(to);
}

#[tokio::test(start_paused = true)]
async fn phone_starts_in_landscape_and_unfolds() {
    let mut world = World::with(SimOptions {
        apps: vec![AppSource::BuiltIn],
        start: Start::App(SETTINGS.to_owned()),
        rotation: Rotation::Landscape,
        ..SimOptions::default()
    });
    assert_eq!(world.see().await.tree.screen(), Size::new(2340, 1080));
    rotate(&mut world, Rotation::Portrait);
    let phone = world.driver.phone_mut();
    phone
        .resize(Size::new(2208, 1840), 2.625)
        .expect("a valid screen");
    let seen = world.see().await;
    assert_eq!(seen.tree.screen(), Size::new(2208, 1840));
    let picture = world.driver.screenshot(&world.cx).await.expect("it is on");
    assert_eq!(picture.size, Size::new(2208, 1840));
    let phone = world.driver.phone_mut();
    assert!(phone.resize(Size::new(10, 10), 2.0).is_err());
}
