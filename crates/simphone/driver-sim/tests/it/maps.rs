//! The built-in map: virtual nodes on a canvas, and what lies above it.

use uitree::State;

use crate::world::World;

const MAPS: &str = "com.example.maps";
const KITCHEN: &str = "The Lantern Kitchen, Seafood restaurant";

#[tokio::test(start_paused = true)]
async fn a_marker_is_a_bare_view_and_a_tap_opens_its_sheet() {
    let mut world = World::app(MAPS);
    let marker = world.node(KITCHEN).await;
    assert_eq!(&*marker.class, "android.view.View");
    assert_eq!(&*marker.id, "", "markers of real maps have no ids");
    assert!(marker.is(State::CLICKABLE) && marker.text.is_empty());
    assert!(!world.shows("14 Quay Street").await);
    world.tap(KITCHEN).await;
    for words in [
        "The Lantern Kitchen",
        "14 Quay Street",
        "Directions",
        "(812)",
    ] {
        assert!(world.shows(words).await, "{words}");
    }
    world.tap("Close").await;
    assert!(!world.shows("14 Quay Street").await);
}

#[tokio::test(start_paused = true)]
async fn my_location_asks_for_the_permission_first() {
    let mut world = World::app(MAPS);
    world.tap("My location").await;
    assert!(!world.shows("Your location").await);
    world.tap("Don’t allow").await;
    assert!(world.shows("Maps cannot see where you are").await);
    // The message covers the button.
    world.pass(3000).await;
    world.tap("My location").await;
    world.tap("While using the app").await;
    assert!(world.shows("Your location").await);
    // It is not asked again.
    world.tap("My location").await;
    assert!(world.shows("Search here").await);
}

#[tokio::test(start_paused = true)]
async fn links_lead_to_a_place_a_point_and_a_search() {
    let mut world = World::app(MAPS);
    world.open("maps://place/eastway").await;
    assert!(world.shows("17 Eastway").await);
    assert!(world.shows("Eastway Petrol, Petrol station").await);
    world.open("geo:54.187,10.077").await;
    assert!(!world.shows("17 Eastway").await);
    world.open("geo:0,0?q=noodle").await;
    assert!(world.shows("Noodle Bar Nine").await);
    world.open("maps://directions/museum").await;
    world.pass(1000).await;
    assert!(world.shows("Arrive at Museum of Tides").await);
}
