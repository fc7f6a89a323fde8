//! Spinners.

use driver::Key;
use uitree::State;

use crate::world::{World, bounds, with_id};

const OFFERS: &str = r#"
state: { size: M, city: "2", plan: "", changes: 0 }
data:
  cities: [ { name: Oslo, code: 1 }, { name: Cairo, code: 2 }, { name: Lima, code: 3 } ]
  many: { repeat: 60, item: { name: "Entry {n}" } }
screens:
  main:
    padding: 16
    gap: 12
    body:
      - spinner: { id: size, bind: size, options: [ S, M, { text: Extra large, value: XL } ], on_change: { set: { changes: "= changes + 1" } } }
      - spinner: { id: city, items: cities, text: "{name}", value: "{code}", bind: city }
      - spinner: { id: many, items: many, text: "{name}", bind: plan, hint: "Pick one" }
      - spinner: { id: off, bind: size, options: [ S, M ], enabled: "false" }
      - text: "{size} {city} {plan} {changes}"
        id: all
"#;

async fn all(world: &mut World) -> String {
    let seen = world.see().await;
    with_id(&seen, "all")[0].text.to_string()
}

/// The first node of the system's id `id` and what it says.
async fn system_ids(world: &mut World, id: &str) -> Vec<uitree::Node> {
    let seen = world.see().await;
    let nodes = seen.tree.nodes().iter();
    nodes.filter(|node| &*node.id == id).cloned().collect()
}

#[tokio::test(start_paused = true)]
async fn a_spinner_shows_what_is_chosen_and_takes_the_press() {
    let mut world = World::yaml(OFFERS);
    let seen = world.see().await;
    let spinner = &with_id(&seen, "size")[0];
    assert_eq!(&*spinner.class, "android.widget.Spinner");
    assert!(spinner.is(State::CLICKABLE | State::FOCUSABLE | State::ENABLED));
    assert_eq!(&*spinner.text, "");
    let shown = system_ids(&mut world, "android:id/text1").await;
    let texts: Vec<&str> = shown.iter().map(|node| &*node.text).collect();
    assert_eq!(texts, ["M", "Cairo", "Pick one", "M"]);
    assert_eq!(&*shown[0].class, "android.widget.TextView");
    assert!(!shown[0].is(State::CLICKABLE));
    assert!(bounds(spinner).contains(bounds(&shown[0]).center()));
}

#[tokio::test(start_paused = true)]
async fn a_press_opens_the_entries_and_a_choice_closes_them() {
    let mut world = World::yaml(OFFERS);
    world.tap("M").await;
    let rows = system_ids(&mut world, "android:id/text1").await;
    let rows: Vec<_> = rows
        .iter()
        .filter(|node| &*node.class == "android.widget.CheckedTextView")
        .collect();
    let told: Vec<(&str, bool)> = rows
        .iter()
        .map(|node| (&*node.text, node.is(State::CHECKED)))
        .collect();
    assert_eq!(told, [("S", false), ("M", true), ("Extra large", false)]);
    assert!(
        rows.iter()
            .all(|row| row.is(State::CLICKABLE | State::CHECKABLE))
    );
    assert!(world.shows("Extra large").await);
    world.tap("Extra large").await;
    assert_eq!(all(&mut world).await, "XL 2  1");
    assert!(!world.shows("S").await, "the list has closed");
    // What is chosen already changes nothing, and neither does back.
    world.tap("Extra large").await;
    let rows = system_ids(&mut world, "android:id/text1").await;
    let again = rows.iter().find(|node| node.is(State::CHECKED));
    let again = bounds(again.expect("one is checked")).center();
    world.touch(again).await;
    assert_eq!(all(&mut world).await, "XL 2  1");
    world.tap("Extra large").await;
    world.key(Key::Back).await;
    assert_eq!(all(&mut world).await, "XL 2  1");
    assert!(!world.shows("S").await);
}

#[tokio::test(start_paused = true)]
async fn entries_come_from_data_with_values_of_their_own() {
    let mut world = World::yaml(OFFERS);
    world.tap("Cairo").await;
    world.tap("Lima").await;
    assert_eq!(all(&mut world).await, "M 3  0");
    assert!(world.shows("Lima").await);
}

#[tokio::test(start_paused = true)]
async fn long_dropdown_scrolls_and_disabled_one_stays_closed() {
    let mut world = World::yaml(OFFERS);
    let off = bounds(&with_id(&world.see().await, "off")[0]).center();
    world.touch(off).await;
    assert!(!world.shows("S").await);
    world.tap("Pick one").await;
    assert!(world.shows("Entry 1").await);
    assert!(!world.shows("Entry 60").await);
    for _ in 0..6 {
        world.fling((300, 1900), (300, 700)).await;
        world.rest().await;
    }
    world.tap("Entry 60").await;
    assert_eq!(all(&mut world).await, "M 2 Entry 60 0");
}

#[test]
fn dropdown_errors_are_reported() {
    let told = |widget: &str| {
        let yaml = format!(
            "app: com.test.app\nstart: main\nstate: {{ a: x }}\nscreens: {{ main: {{ body: [ {widget} ] }} }}\n"
        );
        let options = driver_sim::SimOptions {
            apps: vec![driver_sim::AppSource::Text {
                name: "test.yaml".to_owned(),
                yaml,
            }],
            ..driver_sim::SimOptions::default()
        };
        match driver_sim::SimDriver::new(options) {
            Ok(_) => panic!("{widget} is wrong"),
            Err(error) => error.to_string(),
        }
    };
    assert!(told("{ spinner: a }").contains("either `options` or `items` is needed"));
    assert!(
        told("{ spinner: { bind: a, options: [ x ], text: y } }").contains("goes with `items`")
    );
    assert!(told("{ spinner: { options: [ x ] } }").contains("`bind` is missing"));
    assert!(
        told("{ spinner: { bind: a, items: b, text: x } }").contains("no data set or list `b`")
    );
}
