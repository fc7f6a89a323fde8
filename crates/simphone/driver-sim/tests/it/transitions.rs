//! How screens and dialogs come and go where animations are on: both contents are there, one of them takes touches.

use driver::{DriverError, Key, NodeAct, Observation};
use uitree::{Point, Rect, State};

use crate::animation::animated;
use crate::world::{World, bounds, run};

/// Two screens and a dialog.
const SCREENS: &str = r##"
screens:
  main:
    body:
      - button: { text: "Next", on_click: { push: next } }
      - button: { text: "Swap", on_click: { replace: next } }
      - button: { text: "Ask", on_click: { dialog: ask } }
      - box: { height: 300 }
      - button: { text: "Below", on_click: { toast: below } }
  next:
    background: "#203040"
    body:
      - box: { height: 500 }
      - button: { text: "Here", on_click: { toast: here } }
dialogs:
  ask: { title: "Sure?", buttons: [ { text: "Yes" } ] }
"##;

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

async fn calm() -> World {
    let mut world = animated(SCREENS);
    world.rest().await;
    world
}

#[tokio::test(start_paused = true)]
async fn leaving_screen_slides_back_and_takes_no_touches() {
    let mut world = calm().await;
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
}

#[test]
fn what_leaves_does_not_depend_on_who_looks() {
    let story = |looks: bool| {
        run(async move {
            let mut world = calm().await;
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
