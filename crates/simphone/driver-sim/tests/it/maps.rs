//! The built-in map: virtual nodes on a canvas that pans and zooms, and what lies above it.

use uitree::{Point, Rect, State};

use crate::world::{World, bounds, run, with_id};

const MAPS: &str = "com.example.maps";
const KITCHEN: &str = "The Lantern Kitchen, Seafood restaurant";
const HOTEL: &str = "Grand Hotel Elva, 4-star hotel";

async fn map(world: &mut World) -> Rect {
    bounds(&with_id(&world.see().await, "map")[0])
}

#[test]
fn a_marker_is_a_bare_view_and_a_tap_opens_its_sheet() {
    run(async {
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
        // The place is in the middle of the map now, as far as there is enough town above it.
        let middle = map(&mut world).await.center();
        let marker = bounds(&world.node(KITCHEN).await).center();
        assert!((marker.x - middle.x).abs() <= 1 && (marker.y - middle.y).abs() <= 30);
        world.tap("Close").await;
        assert!(!world.shows("14 Quay Street").await);
    });
}

#[test]
fn a_finger_moves_the_map_up_to_its_edge() {
    run(async {
        let mut world = World::app(MAPS);
        let before = bounds(&world.node(HOTEL).await);
        assert!(
            !world.shows("Northgate Petrol, Petrol station").await,
            "absent while out of sight"
        );
        world.swipe((500, 1500), (400, 1700)).await;
        let after = bounds(&world.node(HOTEL).await);
        // What the finger went before it had gone 8 design units is lost.
        assert_eq!(
            (after.left - before.left, after.top - before.top),
            (-100 + 12, 200 - 21)
        );
        for _ in 0..4 {
            world.swipe((900, 1000), (100, 1700)).await;
        }
        assert!(world.shows("Northgate Petrol, Petrol station").await);
        assert!(!world.shows("Saffron Garden, Persian restaurant").await);
        // The upper right corner of the town is the upper right corner of the view, and stays there.
        let corner = bounds(&world.node("Northgate Petrol, Petrol station").await);
        world.swipe((900, 1000), (100, 1700)).await;
        assert_eq!(
            bounds(&world.node("Northgate Petrol, Petrol station").await),
            corner
        );
        let expected = (1000 - 770) * 2625 / 1000;
        let center = corner.center();
        let map = map(&mut world).await;
        assert!((map.right - center.x - expected).abs() <= 2, "{center}");
    });
}

#[test]
fn a_drag_that_begins_on_a_marker_presses_nothing() {
    run(async {
        let mut world = World::app(MAPS);
        let at = bounds(&world.node(KITCHEN).await).center();
        world.swipe((at.x, at.y), (at.x + 100, at.y + 100)).await;
        assert!(!world.shows("14 Quay Street").await);
        assert!(bounds(&world.node(KITCHEN).await).center().x > at.x + 50);
    });
}

#[test]
fn buttons_and_two_quick_taps_zoom() {
    run(async {
        let mut world = World::app(MAPS);
        let apart = async |world: &mut World| {
            let one = bounds(&world.node(KITCHEN).await);
            let other = bounds(&world.node(HOTEL).await);
            // The edges, for one that reaches out of the map is cut there.
            (other.left - one.left, one.width())
        };
        let (before, size) = apart(&mut world).await;
        world.tap("Zoom in").await;
        let (nearer, same) = apart(&mut world).await;
        assert!((nearer - before * 3 / 2).abs() <= 2, "{before} {nearer}");
        assert_eq!(size, same, "markers keep their size");
        world.tap("Zoom out").await;
        world.tap("Zoom out").await;
        assert!(apart(&mut world).await.0 < before);
        assert!(!world.node("Zoom out").await.is(State::ENABLED));
        let (far, _) = apart(&mut world).await;
        let bare = Point::new(300, 1250);
        world.touch(bare).await.expect("it is on the screen");
        assert!(world.shows("Dropped pin").await);
        world.touch(bare).await.expect("it is on the screen");
        let (near, _) = apart(&mut world).await;
        assert!((near - far * 3 / 2).abs() <= 2, "{far} {near}");
        assert!(!world.shows("Share").await, "the pin is gone");
    });
}

#[test]
fn a_tap_on_the_bare_map_drops_a_pin_there() {
    run(async {
        let mut world = World::app(MAPS);
        let at = Point::new(300, 1250);
        world.touch(at).await.expect("it is on the screen");
        assert!(world.shows("Share").await);
        let seen = world.see().await;
        let pin = seen
            .tree
            .nodes()
            .iter()
            .find(|node| &*node.label == "Dropped pin")
            .expect("the pin is a node");
        // The pin stands just above the place where the finger was.
        let pin = bounds(pin);
        assert!((pin.center().x - at.x).abs() <= 2, "{pin}");
        assert!((pin.center().y + 55 - at.y).abs() <= 3, "{pin}");
        world.pass(1000).await;
        world
            .touch(Point::new(200, 1000))
            .await
            .expect("it is on the screen");
        assert!(!world.shows("Share").await);
    });
}

#[test]
fn results_come_as_one_types_and_lead_to_their_place() {
    run(async {
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
    });
}

#[test]
fn a_category_leaves_its_markers_alone() {
    run(async {
        let mut world = World::app(MAPS);
        world.tap("Hotels").await;
        assert!(world.shows(HOTEL).await && !world.shows(KITCHEN).await);
        assert!(world.node("Hotels").await.is(State::SELECTED));
        world.tap("Hotels").await;
        assert!(world.shows(KITCHEN).await);
    });
}

#[test]
fn my_location_asks_for_the_permission_first() {
    run(async {
        let mut world = World::app(MAPS);
        world.tap("My location").await;
        assert!(!world.shows("Your location").await);
        world.tap("Don’t allow").await;
        assert!(world.shows("Maps cannot see where you are").await);
        world.tap("My location").await;
        world.tap("While using the app").await;
        let here = bounds(&world.node("Your location").await).center();
        let middle = map(&mut world).await.center();
        assert!((here.x - middle.x).abs() <= 1 && (here.y - middle.y).abs() <= 1);
        // It is not asked again.
        world.swipe((500, 1500), (300, 1300)).await;
        world.tap("My location").await;
        assert_eq!(bounds(&world.node("Your location").await).center(), here);
    });
}

#[test]
fn links_lead_to_a_place_a_point_and_a_search() {
    run(async {
        let mut world = World::app(MAPS);
        world
            .open("maps://place/eastway")
            .await
            .expect("the app takes it");
        assert!(world.shows("17 Eastway").await);
        assert!(world.shows("Eastway Petrol, Petrol station").await);
        world
            .open("geo:54.187,10.077?z=20")
            .await
            .expect("the app takes it");
        assert!(!world.shows("17 Eastway").await);
        assert!(world.shows("Northgate Petrol, Petrol station").await);
        world
            .open("geo:0,0?q=noodle")
            .await
            .expect("the app takes it");
        assert!(world.shows("Noodle Bar Nine").await);
        world
            .open("maps://directions/museum")
            .await
            .expect("the app takes it");
        world.pass(1000).await;
        assert!(world.shows("Arrive at Museum of Tides").await);
    });
}

#[test]
fn a_saved_place_is_found_again() {
    run(async {
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
    });
}

#[test]
fn directions_come_when_they_are_found() {
    run(async {
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
    });
}
