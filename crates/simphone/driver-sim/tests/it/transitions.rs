//! How screens and dialogs come and go where animations are on: both contents are there, one of them takes touches.

use driver::{DriverError, Key, NodeAct, Observation};
use driver_sim::{AppSource, SimOptions};
use uitree::{Point, Rect, State};

use crate::animation::animated;
use crate::world::{World, bounds, run};

/// Two screens and a dialog; the second screen comes and goes as it is told to.
fn screens(transition: &str) -> String {
    format!(
        r##"
screens:
  main:
    body:
      - button: {{ text: "Next", on_click: {{ push: next }} }}
      - button: {{ text: "Swap", on_click: {{ replace: next }} }}
      - button: {{ text: "Ask", on_click: {{ dialog: ask }} }}
      - box: {{ height: 300 }}
      - button: {{ text: "Below", on_click: {{ toast: below }} }}
  next:
    transition: {transition}
    background: "#203040"
    body:
      - box: {{ height: 500 }}
      - button: {{ text: "Here", on_click: {{ toast: here }} }}
dialogs:
  ask: {{ title: "Sure?", buttons: [ {{ text: "Yes" }} ] }}
"##
    )
}

/// Where the first node with this text is, and whether it can be seen.
fn place(seen: &Observation, text: &str) -> Option<(Rect, bool)> {
    let found = seen.tree.nodes().iter().find(|node| &*node.text == text);
    found.map(|node| (bounds(node), node.is(State::VISIBLE)))
}

fn apps(seen: &Observation) -> Vec<bool> {
    let own = |info: &&driver::WindowInfo| info.package.as_deref() == Some("com.test.app");
    seen.windows
        .iter()
        .filter(own)
        .map(|it| it.active)
        .collect()
}

async fn calm(transition: &str) -> World {
    let mut world = animated(&screens(transition));
    world.rest().await;
    world
}

#[test]
fn opening_screen_slides_over_the_one_below() {
    run(async {
        let mut world = calm("slide").await;
        let home = place(&world.see().await, "Below").unwrap().0;
        assert_eq!(apps(&world.see().await), [true]);
        world.tap("Next").await;
        world.pass(96).await;
        let seen = world.see().await;
        let (here, below) = (
            place(&seen, "Here").unwrap(),
            place(&seen, "Below").unwrap(),
        );
        assert!(here.0.left > 0 && here.1, "{here:?}");
        assert!(below.0.right < home.right && below.1, "{below:?}");
        // The new one lies above and is active.
        assert_eq!(apps(&seen), [true, false]);
        world.rest().await;
        let seen = world.see().await;
        assert_eq!(place(&seen, "Below"), None);
        assert_eq!(apps(&seen), [true]);
        assert_eq!(world.driver.phone().next_event(), None);
    });
}

#[test]
fn leaving_screen_slides_back_and_takes_no_touches() {
    run(async {
        let mut world = calm("slide").await;
        world.tap("Next").await;
        world.rest().await;
        let home = place(&world.see().await, "Here").unwrap().0;
        world.key(Key::Back).await;
        world.pass(128).await;
        let seen = world.see().await;
        let here = place(&seen, "Here").unwrap().0;
        assert!(here.left > home.left, "{here:?}");
        // The one that leaves lies above.
        assert_eq!(apps(&seen), [false, true]);
        let from = world.journal().len();
        world.driver.phone_mut().tap(here.center());
        assert_eq!(
            world.happened_since(from),
            [format!("missed at {}", here.center())]
        );
        // Through accessibility its widgets are as good as gone.
        let id = seen
            .tree
            .ids()
            .find(|id| &*seen.tree.node(*id).text == "Here");
        let node = seen.node_ref(id.unwrap());
        assert_eq!(
            world.driver_act(node, NodeAct::Click).await,
            Err(DriverError::Stale)
        );
        // Where it has gone already, what comes in takes the finger.
        let next = world.node("Next").await;
        let free = Point::new(bounds(&next).left + 4, bounds(&next).center().y);
        let slid = here.left - home.left;
        assert!(free.x < slid, "{free:?} {slid}");
        assert!(bounds(&next).contains(free));
        world.driver.phone_mut().tap(free);
        let journal = world.happened_since(from);
        assert!(
            journal.iter().any(|line| line.contains("Next")),
            "{journal:?}"
        );
        world.rest().await;
        assert_eq!(world.driver.phone().next_event(), None);
    });
}

#[test]
fn a_screen_that_fades_stands_where_it_belongs() {
    run(async {
        let mut still = World::yaml(&screens("fade"));
        still.tap("Next").await;
        let there = place(&still.see().await, "Here");
        let mut world = calm("fade").await;
        let before = world.driver.phone_mut().draw();
        world.tap("Next").await;
        world.pass(48).await;
        let seen = world.see().await;
        assert_eq!(place(&seen, "Here"), there);
        // What it covers is not reported any more.
        assert_eq!(apps(&seen), [true]);
        let between = world.driver.phone_mut().draw();
        world.rest().await;
        let after = world.driver.phone_mut().draw();
        assert_eq!(after, still.driver.phone_mut().draw());
        let at = |image: &draw::Image| {
            let pixel = (1000 * image.width as usize + 20) * 4;
            i32::from(image.rgba[pixel])
        };
        let (low, high) = (at(&after).min(at(&before)), at(&after).max(at(&before)));
        assert!(
            low < at(&between) && at(&between) < high,
            "it shines through"
        );
        world.key(Key::Back).await;
        world.pass(16).await;
        let seen = world.see().await;
        assert_eq!(apps(&seen), [false, true]);
        let from = world.journal().len();
        world
            .driver
            .phone_mut()
            .tap(place(&seen, "Next").unwrap().0.center());
        assert!(world.happened_since(from)[0].contains("missed at"));
        world.rest().await;
        assert_eq!(world.driver.phone_mut().draw(), before);
    });
}

#[test]
fn screen_without_transition_opens_at_once() {
    run(async {
        let mut world = calm("none").await;
        world.tap("Next").await;
        assert_eq!(world.driver.phone().next_event(), None);
        assert_eq!(apps(&world.see().await), [true]);
        world.key(Key::Back).await;
        assert_eq!(world.driver.phone().next_event(), None);
        assert_eq!(apps(&world.see().await), [true]);
    });
}

#[test]
fn a_closed_dialog_fades_in_pictures_alone() {
    run(async {
        let mut world = calm("slide").await;
        let before = world.driver.phone_mut().draw();
        world.tap("Ask").await;
        world.rest().await;
        world.tap("Yes").await;
        assert_eq!(place(&world.see().await, "Yes"), None);
        world.pass(64).await;
        assert_ne!(world.driver.phone_mut().draw(), before);
        // The window below takes touches again.
        world.tap("Below").await;
        assert!(
            world
                .journal()
                .iter()
                .any(|line| line.contains("\"below\""))
        );
        world.pass(5000).await;
        assert_eq!(world.driver.phone_mut().draw(), before);
    });
}

#[test]
fn replaced_screen_stays_until_the_new_one_is_in() {
    run(async {
        let mut world = calm("slide").await;
        let home = place(&world.see().await, "Below").unwrap().0;
        world.tap("Swap").await;
        world.pass(32).await;
        let seen = world.see().await;
        assert!(place(&seen, "Below").unwrap().0.right < home.right);
        assert_eq!(apps(&seen), [true, false]);
        // Something else in front ends it all.
        world.key(Key::Home).await;
        assert_eq!(place(&world.see().await, "Below"), None);
        world.launch("com.test.app").await.unwrap();
        assert_eq!(apps(&world.see().await), [true]);
    });
}

#[test]
fn what_leaves_does_not_depend_on_who_looks() {
    let story = |looks: bool| {
        run(async move {
            let mut world = calm("slide").await;
            world.tap("Next").await;
            world.pass(100).await;
            if looks {
                world.see().await;
            }
            world.key(Key::Back).await;
            let mut seen = Vec::new();
            for _ in 0..10 {
                world.pass(31).await;
                if looks {
                    world.see().await;
                }
                world.pass(2).await;
                seen.push(world.see().await.tree.to_compact());
            }
            seen
        })
    };
    assert_eq!(story(true), story(false));
}

#[test]
fn a_transition_that_is_none_is_named() {
    let error = driver_sim::Phone::start(&SimOptions {
        apps: vec![AppSource::Text {
            name: "t.yaml".to_owned(),
            yaml: format!("app: com.test.app\nstart: main\n{}", screens("zoom")),
        }],
        ..SimOptions::default()
    })
    .unwrap_err()
    .to_string();
    assert!(
        error.contains("`zoom` is none of slide, fade, none"),
        "{error}"
    );
}
