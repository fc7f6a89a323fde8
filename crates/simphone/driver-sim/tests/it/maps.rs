//! The built-in map: virtual nodes on a canvas, and what lies above it.

use uitree::State;

use crate::world::World;

const MAPS: &str = "com.example.maps";
const KITCHEN: &str = "The Lantern Kitchen, Seafood restaurant";
const HOTEL: &str = "Grand Hotel Elva, 4-star hotel";

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
async fn results_come_as_one_types_and_lead_to_their_place() {
    let mut world = World::app(MAPS);
    world.tap("Search here").await;
    world.driver.phone_mut().type_text("hotel");
    assert!(world.shows("4-star hotel · 1 Station Square").await);
    assert!(world.shows("Anchor Inn").await && !world.shows("Ember & Oak").await);
    world.tap("Anchor Inn").await;
    assert!(world.shows("27 Quay Street").await && world.shows("Call").await);
    assert!(
        !world.shows("Grand Hotel Elva").await,
        "the results are gone"
    );
}

#[tokio::test(start_paused = true)]
async fn a_category_leaves_its_markers_alone() {
    let mut world = World::app(MAPS);
    world.tap("Hotels").await;
    assert!(world.shows(HOTEL).await && !world.shows(KITCHEN).await);
    assert!(world.node("Hotels").await.is(State::SELECTED));
    world.tap("Hotels").await;
    assert!(world.shows(KITCHEN).await);
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

#[tokio::test(start_paused = true)]
async fn a_saved_place_is_found_again() {
    let mut world = World::app(MAPS);
    world.tap("Saved places").await;
    assert!(world.shows("Nothing saved yet").await);
    world.key(driver::Key::Back).await;
    world.tap(HOTEL).await;
    world.tap("Save").await;
    assert!(world.shows("Saved").await && world.shows("Saved to your places").await);
    world.tap("View").await;
    world.tap("Grand Hotel Elva").await;
    assert!(world.shows("1 Station Square").await && world.shows("Directions").await);
}

#[tokio::test(start_paused = true)]
async fn directions_come_when_they_are_found() {
    let mut world = World::app(MAPS);
    world.tap(KITCHEN).await;
    world.tap("Directions").await;
    assert!(world.shows("Finding the best way").await);
    assert!(!world.shows("Start").await);
    world.pass(1000).await;
    assert!(world.shows("5 min (1.2 km)").await);
    world.tap("Walk").await;
    assert!(world.shows("16 min (1.2 km)").await);
    assert!(world.shows("Arrive at The Lantern Kitchen").await);
}
