//! Rotation and size of the phone's screen.

use driver::Driver;
use driver_sim::{AppSource, Rotation, SimOptions, Start};
use uitree::Size;

use crate::fixture::{Fixture, SETTINGS};

fn rotate(fixture: &mut Fixture, to: Rotation) {
    fixture.driver.phone_mut().rotate(to);
}

#[tokio::test(start_paused = true)]
async fn phone_starts_in_landscape_and_unfolds() {
    let mut fixture = Fixture::with(SimOptions {
        apps: vec![AppSource::BuiltIn],
        start: Start::App(SETTINGS.to_owned()),
        rotation: Rotation::Landscape,
        ..SimOptions::default()
    });
    assert_eq!(fixture.see().await.tree.screen(), Size::new(2340, 1080));
    rotate(&mut fixture, Rotation::Portrait);
    let phone = fixture.driver.phone_mut();
    phone
        .resize(Size::new(2208, 1840), 2.625)
        .expect("a valid screen");
    let seen = fixture.see().await;
    assert_eq!(seen.tree.screen(), Size::new(2208, 1840));
    let picture = fixture
        .driver
        .screenshot(&fixture.cx)
        .await
        .expect("it is on");
    assert_eq!(picture.size, Size::new(2208, 1840));
    let phone = fixture.driver.phone_mut();
    assert!(phone.resize(Size::new(10, 10), 2.0).is_err());
}
