//! Two apps on one screen.

use driver::{DriverError, Key};
use driver_sim::journal::Happening;
use driver_sim::{JournalEntry, Rotation};
use uitree::{Point, WindowKind};

use crate::world::{LAUNCHER, SETTINGS, SHOP, World, bounds, named, run};

const APP: &str = r#"
state: { count: 0 }
screens:
  main:
    body:
      - button: { text: "Count {count}", on_click: { set: { count: "= count + 1" } } }
      - button: { text: "Ask", on_click: { dialog: ask } }
      - field: { hint: "Words" }
dialogs:
  ask: { title: "Really?", buttons: [ { text: "Yes" } ] }
"#;

const TEST: &str = "com.test.app";

async fn split() -> World {
    let mut world = World::yaml(APP);
    let phone = world.driver.phone_mut();
    phone.split(TEST, SETTINGS).expect("both are installed");
    assert_eq!(world.front().await, SETTINGS);
    world
}

#[test]
fn both_windows_are_there_each_in_its_half() {
    run(async {
        let mut world = split().await;
        let seen = world.see().await;
        let windows: Vec<_> = seen
            .tree
            .windows()
            .iter()
            .map(|window| {
                let root = seen.tree.node(window.root);
                (
                    window.active,
                    root.owner.to_string(),
                    bounds(root).to_string(),
                )
            })
            .collect();
        assert_eq!(
            windows,
            [
                (true, SETTINGS.to_owned(), "[0,1183][1080,2340]".to_owned()),
                (false, TEST.to_owned(), "[0,0][1080,1157]".to_owned()),
            ]
        );
        let infos: Vec<_> = seen
            .windows
            .iter()
            .map(|info| (info.kind, info.active))
            .collect();
        let bar = (WindowKind::System, false);
        assert_eq!(
            infos,
            [
                bar,
                bar,
                bar,
                (WindowKind::Application, false),
                (WindowKind::Application, true),
            ]
        );
        assert!(seen.tree.nodes().iter().all(|node| {
            let place = bounds(node);
            &*node.owner == TEST || place.is_empty() || place.top >= 1183
        }));
    });
}

#[test]
fn a_touch_makes_the_app_that_it_meets_the_active_one() {
    run(async {
        let mut world = split().await;
        world.tap("Count 0").await;
        assert_eq!(world.front().await, TEST);
        assert!(world.shows("Count 1").await);
        world.tap("Search settings").await;
        assert_eq!(world.front().await, SETTINGS);
        world.key(Key::Back).await;
        world.key(Key::Back).await;
        assert!(world.shows("Count 1").await && world.shows("Search settings").await);
        assert_eq!(
            world.front().await,
            SETTINGS,
            "back has left a screen of the settings"
        );
    });
}

#[test]
fn touch_on_other_half_meets_what_was_there_before_the_app_resumed() {
    run(async {
        let mut world = World::yaml(
            r#"
state: { away: false, count: 0 }
screens:
  main:
    on_resume: { set: { away: false } }
    on_pause: { set: { away: true } }
    body:
      - button: { text: "Catch up", visible: away, on_click: { toast: "caught up" } }
      - button: { text: "Count {count}", on_click: { set: { count: "= count + 1" } } }
"#,
        );
        let phone = world.driver.phone_mut();
        phone.split(TEST, SETTINGS).expect("both are installed");
        world.tap("Catch up").await;
        assert_eq!(world.front().await, TEST);
        // What took its place was never touched.
        assert!(world.shows("Count 0").await);
        let journal = world.driver.phone().journal();
        let lost = |entry: &JournalEntry| match &entry.what {
            Happening::TouchLost { widget, .. } => &*widget.name == "Catch up",
            _ => false,
        };
        assert!(journal.iter().any(lost), "{journal:?}");
    });
}

#[test]
fn a_dialog_stands_in_the_half_of_its_app() {
    run(async {
        let mut world = split().await;
        world.tap("Ask").await;
        let seen = world.see().await;
        let dialog = bounds(seen.tree.node(seen.tree.windows()[0].root));
        assert!(dialog.top > 84 && dialog.bottom < 1157, "{dialog}");
        assert!(named(&seen, "Count 0").is_none());
        assert!(
            named(&seen, "Search settings").is_some(),
            "the other app can be seen"
        );
        world
            .touch(Point::new(540, 1000))
            .await
            .expect("on the screen");
        assert!(world.shows("Count 0").await, "a touch beside it closes it");
        world.tap("Ask").await;
        world.tap("Search settings").await;
        assert!(
            world.shows("Really?").await,
            "it stays while the other app is used"
        );
        world.tap("Yes").await;
        assert!(world.shows("Count 0").await);
    });
}

#[test]
fn the_keyboard_belongs_to_the_active_one() {
    run(async {
        let mut world = split().await;
        world.tap("Words").await;
        let seen = world.see().await;
        assert_eq!(seen.tree.windows().len(), 3);
        assert_eq!(seen.tree.windows()[2].kind, WindowKind::InputMethod);
        world.tap("w").await;
        assert_eq!(world.front().await, TEST, "keys belong to no app");
        assert!(world.shows("w").await);
        world
            .touch(Point::new(540, 1250))
            .await
            .expect("on the screen");
        assert_eq!(world.front().await, SETTINGS);
        assert_eq!(world.see().await.tree.windows().len(), 2);
    });
}

#[test]
fn home_another_app_and_an_end_leave_the_split() {
    run(async {
        let mut world = split().await;
        world.key(Key::Home).await;
        assert_eq!(world.front().await, LAUNCHER);
        assert_eq!(world.see().await.tree.windows().len(), 1);

        for way in ["app", "end", "leave"] {
            let phone = world.driver.phone_mut();
            phone.split(TEST, SETTINGS).expect("both are installed");
            match way {
                "app" => phone.open_app(SHOP).expect("it is installed"),
                "end" => phone.close_app(SETTINGS).expect("it is installed"),
                _ => phone.unsplit(),
            }
            let seen = world.see().await;
            assert_eq!(seen.tree.windows().len(), 1, "{way}");
            let root = bounds(seen.tree.node(seen.tree.windows()[0].root));
            assert_eq!(root.to_string(), "[0,0][1080,2340]", "{way}");
        }
        let phone = world.driver.phone_mut();
        let same = phone.split(TEST, TEST);
        assert!(matches!(same, Err(DriverError::Refused(_))), "{same:?}");
    });
}

#[test]
fn sideways_they_stand_beside_each_other() {
    run(async {
        let mut world = split().await;
        world.driver.phone_mut().rotate(Rotation::Landscape);
        let seen = world.see().await;
        let places: Vec<String> = seen
            .tree
            .windows()
            .iter()
            .map(|window| bounds(seen.tree.node(window.root)).to_string())
            .collect();
        assert_eq!(places, ["[1183,0][2340,1080]", "[0,0][1157,1080]"]);
    });
}
