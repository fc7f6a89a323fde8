//! What moves by itself: ways of widgets, windows that slide in. Nothing is planned when
//! nothing moves.

use std::time::Duration;

use driver::Driver;
use driver_sim::{AnimationChoice, AppSource, SimOptions, Start};

use crate::world::{World, bounds, run, with_id};

const MOVING: &str = r#"
state: { pressed: 0 }
screens:
  main:
    body:
      - button:
          id: target
          text: "Catch me"
          move: { to: [0, 200], duration: 800ms, repeat: reverse }
          on_click: { set: { pressed: "= pressed + 1" } }
      - text: "pressed {pressed}"
"#;

pub(crate) fn animated(screens: &str) -> World {
    World::with(SimOptions {
        apps: vec![
            AppSource::BuiltIn,
            AppSource::Text {
                name: "test.yaml".to_owned(),
                yaml: format!("app: com.test.app\nlabel: Test\nstart: main\n{screens}"),
            },
        ],
        start: Start::App("com.test.app".to_owned()),
        animations: AnimationChoice::On,
        ..SimOptions::default()
    })
}

#[tokio::test(start_paused = true)]
async fn a_widget_goes_its_way_and_back() {
    let mut world = World::yaml(MOVING);
    let home = bounds(&world.node("Catch me").await);
    let mut places = Vec::new();
    for _ in 0..8 {
        world.pass(200).await;
        places.push(bounds(&world.node("Catch me").await).top - home.top);
    }
    // 200 density-independent pixels are 525; between two frames everything stands.
    assert_eq!(places, [76, 263, 437, 525, 449, 263, 88, 0]);
}

#[test]
fn observing_does_not_change_the_screen() {
    let places = |looks: bool| {
        run(async move {
            let mut world = World::yaml(MOVING);
            let mut places = Vec::new();
            for _ in 0..12 {
                world.pass(11).await;
                if looks {
                    world.see().await;
                }
                world.pass(10).await;
                places.push(world.see().await.tree.to_compact());
            }
            places
        })
    };
    assert_eq!(places(true), places(false));
}

#[tokio::test(start_paused = true)]
async fn a_change_is_heard_at_every_frame() {
    let mut world = World::yaml(MOVING);
    let mut seen = world.see().await;
    for frame in 1..=5 {
        world
            .driver
            .changed(&world.cx, seen.revision)
            .await
            .unwrap();
        seen = world.see().await;
        assert_eq!(
            world.driver.phone().now(),
            Duration::from_millis(16 * frame)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn press_on_moving_widget_counts_if_still_hit() {
    let mut world = World::yaml(MOVING);
    let home = bounds(&world.node("Catch me").await);
    world.touch(home.center()).await;
    assert!(world.shows("pressed 1").await);
    world.driver.phone_mut().touch_down(home.center());
    world.pass(300).await;
    world.driver.phone_mut().touch_up(home.center());
    assert!(world.shows("pressed 1").await);
    let last = world.journal().last().unwrap().clone();
    assert!(
        last.contains("touch lost, it moved away") && last.contains("Catch me"),
        "{last}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_way_that_is_over_leaves_nothing_planned() {
    let mut world = World::yaml(
        "screens: { main: { body: [ { text: Once, move: { to: [30, 0], duration: 100ms, delay: 50ms } } ] } }",
    );
    let home = bounds(&world.node("Once").await).left;
    world.pass(40).await;
    assert_eq!(bounds(&world.node("Once").await).left, home);
    world.pass(200).await;
    assert_eq!(bounds(&world.node("Once").await).left, home + 79);
    assert_eq!(world.driver.phone().next_event(), None);
    assert!(!world.driver.phone().is_moving());
}

#[tokio::test(start_paused = true)]
async fn what_moves_out_of_sight_is_still() {
    let mut world = World::yaml(MOVING);
    assert!(world.driver.phone().is_moving());
    world.key(driver::Key::Home).await;
    assert_eq!(world.driver.phone().next_event(), None);
    world.launch("com.test.app").await;
    assert!(world.driver.phone().is_moving(), "it goes on in sight");
    let mut hidden = World::yaml(
        "state: { on: false }\nscreens: { main: { body: [ { text: T, visible: on, move: { to: [9, 9], repeat: reverse } } ] } }",
    );
    hidden.see().await;
    assert_eq!(hidden.driver.phone().next_event(), None);
}

#[test]
fn windows_stand_still_unless_animations_are_on() {
    let screens = r#"
screens:
  main:
    body:
      - button: { text: "Next", on_click: { push: next } }
      - button: { text: "Ask", on_click: { dialog: ask } }
      - field: { hint: "Name" }
      - button: { text: "Say", on_click: { snackbar: "Said" } }
  next: { title: "Second", body: [ { button: { text: "Here", on_click: { pop: } } } ] }
dialogs:
  ask: { title: "Sure?", buttons: [ { text: "Yes" } ] }
"#
    .replace("{ pop: }", "pop");
    run(async {
        let mut calm = World::yaml(&screens);
        calm.tap("Next").await;
        assert_eq!(calm.driver.phone().next_event(), None);
        let place = bounds(&calm.node("Here").await);

        let mut world = animated(&screens);
        world.rest().await;
        world.tap("Next").await;
        let first = world.see().await;
        let here = first.tree.nodes().iter().find(|node| &*node.text == "Here");
        assert!(
            !here.unwrap().is(uitree::State::VISIBLE),
            "it is still beside the screen"
        );
        world.pass(100).await;
        let between = bounds(&world.node("Here").await);
        let picture = world.driver.phone_mut().draw();
        assert_ne!(picture.rgba, calm.driver.phone_mut().draw().rgba);
        assert!(between.left > place.left, "{between:?}");
        // The window that comes in takes the touches.
        world.touch(between.center()).await;
        let journal = world.happened_since(0);
        assert!(
            journal.iter().any(|line| line.contains("Here")),
            "{journal:?}"
        );
        world.rest().await;
        assert_eq!(world.driver.phone().next_event(), None);

        for name in ["Ask", "Say"] {
            world.tap(name).await;
            let began = world.driver.phone().now();
            let what = if name == "Ask" { "Sure?" } else { "Said" };
            let before = world.see().await;
            let node = |seen: &driver::Observation| {
                let nodes = seen.tree.nodes();
                bounds(nodes.iter().find(|node| &*node.text == what).unwrap())
            };
            let start = node(&before).top;
            world.rest().await;
            let took = world.driver.phone().now() - began;
            assert_eq!(took, Duration::from_millis(256), "{name}");
            let end = node(&world.see().await).top;
            assert!(end < start, "{name} comes up: {start} {end}");
            if name == "Ask" {
                world.tap("Yes").await;
            }
        }
        world.tap("Name").await;
        let keyboard = |seen: &driver::Observation| {
            seen.tree
                .nodes()
                .iter()
                .find(|node| &*node.label == "q")
                .map(bounds)
        };
        let low = keyboard(&world.see().await).unwrap().top;
        world.rest().await;
        assert!(keyboard(&world.see().await).unwrap().top < low);
    });
}

#[tokio::test(start_paused = true)]
async fn an_app_says_whether_it_is_animated() {
    let screens = "screens: { main: { body: [ { text: Hello } ] } }";
    let mut off = animated(&format!("animations: off\n{screens}"));
    off.see().await;
    assert_eq!(off.driver.phone().next_event(), None);
    let mut on = World::yaml(&format!("animations: on\n{screens}"));
    assert!(on.driver.phone().is_moving());
    on.rest().await;
    assert!(on.shows("Hello").await);
}

#[test]
fn timers_and_frames_keep_their_order() {
    let story = |grain: u64| {
        run(async move {
            let mut world = World::yaml(
                r#"
state: { ticks: 0 }
screens:
  main:
    timers: [ { every: 16ms, do: { set: { ticks: "= ticks + 1" } } }, { every: 48ms, do: { set: { ticks: "= ticks * 2" } } } ]
    body:
      - { text: "ticks {ticks}", move: { to: [100, 0], repeat: restart } }
      - { text: "late", appear_after: 96ms }
"#,
            );
            let mut seen = Vec::new();
            for _ in 0..20 {
                for _ in 0..(32 / grain) {
                    world.pass(grain).await;
                }
                seen.push(world.see().await.tree.to_compact());
            }
            (seen, world.journal())
        })
    };
    let whole = story(32);
    assert_eq!(story(1), whole);
    assert_eq!(story(8), whole);
}

const CHAT: &str = r#"
state: { n: 0 }
lists: { messages: [body] }
screens:
  main:
    body:
      - list: { id: chat, items: messages, row: [ { text: "{body}", height: 60 } ] }
      - row:
          - button: { text: "Send", on_click: [ { set: { n: "= n + 1" } }, { append: { messages: { body: "Message {n}" } } }, { scroll_to: { id: chat, to: end } } ] }
          - button: { text: "Top", on_click: { scroll_to: { id: chat, to: top, smooth: false } } }
          - button: { text: "Ten", on_click: { scroll_to: { id: chat, to: "count(messages) - 31" } } }
"#;

#[tokio::test(start_paused = true)]
async fn a_list_scrolls_to_where_its_app_wants_it() {
    let mut world = World::yaml(CHAT);
    for _ in 0..40 {
        world.tap("Send").await;
        world.rest().await;
    }
    assert!(world.shows("Message 40").await);
    world.tap("Top").await;
    assert!(!world.driver.phone().is_moving());
    assert!(world.shows("Message 1").await);
    world.tap("Ten").await;
    assert!(world.driver.phone().is_moving());
    world.pass(50).await;
    assert!(!world.shows("Message 40").await);
    world.rest().await;
    let list = bounds(&with_id(&world.see().await, "chat")[0]);
    assert_eq!(bounds(&world.node("Message 10").await).top, list.top);
    assert_eq!(world.driver.phone().next_event(), None);
}

#[test]
fn mistakes_are_named() {
    for (widget, problem) in [
        ("text: T, move: { to: [1] }", "expected how far it goes"),
        (
            "text: T, move: { to: [1, 2], repeat: ever }",
            "`ever` is none of once, restart, reverse",
        ),
        (
            "text: T, on_click: { scroll_to: { id: x } }",
            "`to` is missing",
        ),
    ] {
        let yaml = format!(
            "app: com.test.app\nstart: main\ndata: {{ rows: [ {{ n: 1 }} ] }}\nscreens: {{ main: {{ body: [ {{ {widget} }} ] }} }}"
        );
        let error = driver_sim::Phone::start(&SimOptions {
            apps: vec![AppSource::Text {
                name: "t.yaml".to_owned(),
                yaml,
            }],
            ..SimOptions::default()
        })
        .unwrap_err()
        .to_string();
        assert!(error.contains(problem), "{widget}: {error}");
    }
}

#[tokio::test(start_paused = true)]
async fn windows_of_the_system_come_in_frame_by_frame() {
    let mut world = animated("screens: { main: { body: [ { text: Hello } ] } }");
    world.rest().await;
    let tile = |seen: &driver::Observation| bounds(&with_id(seen, "tile")[0]).top;
    world.driver.phone_mut().open_shade();
    assert!(world.driver.phone().is_moving());
    let first = tile(&world.see().await);
    world.pass(100).await;
    let between = tile(&world.see().await);
    assert_ne!(first, between, "the tree follows the window");
    world.rest().await;
    let place = tile(&world.see().await);
    assert_ne!(between, place);
    assert!(!world.driver.phone().is_moving());
    world.pass(1000).await;
    assert_eq!(tile(&world.see().await), place);
}
