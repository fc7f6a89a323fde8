//! Scrolling: content follows the finger, recycler views hold only what is in sight.

use uitree::State;

use crate::world::{SETTINGS, World, bounds, with_id};

const COLUMN: &str = r#"
screens:
  main:
    body:
      - scroll:
          id: scroller
          height: 400
          grow: 0
          children:
            - { text: "first", height: 200 }
            - { text: "second", height: 200 }
            - { text: "third", height: 200 }
            - { text: "fourth", height: 200 }
"#;

const LIST: &str = r#"
data:
  rows: { repeat: 50, item: { name: "Row {n}" } }
screens:
  main:
    body:
      - list:
          id: rows
          items: rows
          row:
            - { text: "{name}", height: 100 }
"#;

#[tokio::test(start_paused = true)]
async fn about_phone_appears_after_scrolling() {
    let mut world = World::app(SETTINGS);
    let hidden = |seen: &driver::Observation| {
        !seen
            .tree
            .nodes()
            .iter()
            .any(|node| &*node.text == "About phone")
    };
    assert!(
        hidden(&world.see().await),
        "rows out of sight are not in the tree"
    );
    let mut swipes = 0;
    while hidden(&world.see().await) {
        world.swipe((540, 1800), (540, 1200)).await;
        swipes += 1;
        assert!(swipes < 20, "it never came");
    }
    assert!(
        swipes > 3,
        "{swipes} swipes of 600 pixels cannot reach the end of the list"
    );
    world.tap("About phone").await;
    assert!(world.shows("Android version").await);
}

#[tokio::test(start_paused = true)]
async fn content_moves_by_finger_travel_minus_threshold() {
    let mut world = World::yaml(LIST);
    let before = bounds(&world.node("Row 5").await).top;
    world.swipe((540, 1500), (540, 1100)).await;
    let after = bounds(&world.node("Row 5").await).top;
    // 8 density-independent pixels are 21.
    assert_eq!(before - after, 400 - 21);
    world.swipe((540, 1100), (540, 1121)).await;
    assert_eq!(
        bounds(&world.node("Row 5").await).top,
        after,
        "the threshold itself moves nothing"
    );
}

#[tokio::test(start_paused = true)]
async fn scrolling_ends_at_the_edges() {
    let mut world = World::yaml(LIST);
    world.swipe((540, 900), (540, 2000)).await;
    let list = with_id(&world.see().await, "rows");
    let top = bounds(&list[0]).top;
    assert_eq!(bounds(&world.node("Row 1").await).top, top);
    for _ in 0..10 {
        world.swipe((540, 2100), (540, 300)).await;
    }
    let bottom = bounds(&list[0]).bottom;
    assert_eq!(bounds(&world.node("Row 50").await).bottom, bottom);
}

#[tokio::test(start_paused = true)]
async fn large_header_shrinks_before_the_list_scrolls() {
    let mut world = World::app(SETTINGS);
    let list = |seen: &driver::Observation| bounds(&with_id(seen, "recycler_view")[0]);
    assert_eq!(list(&world.see().await).top, 884);
    world.swipe((540, 2000), (540, 1679)).await;
    assert_eq!(list(&world.see().await).top, 884 - 300);
    assert!(world.shows("Alex Morgan").await);
    world.swipe((540, 2000), (540, 1000)).await;
    assert_eq!(list(&world.see().await).top, 276);
    world.swipe((540, 600), (540, 2100)).await;
    assert_eq!(list(&world.see().await).top, 884);
}

#[tokio::test(start_paused = true)]
async fn a_scroll_view_keeps_what_is_out_of_sight() {
    let mut world = World::yaml(COLUMN);
    let seen = world.see().await;
    let scroller = bounds(&with_id(&seen, "scroller")[0]);
    let fourth = seen
        .tree
        .nodes()
        .iter()
        .find(|node| &*node.text == "fourth")
        .unwrap();
    assert!(!fourth.is(State::VISIBLE));
    // The platform moves the edges of clipped views into what clips them.
    assert_eq!(bounds(fourth).bottom, scroller.bottom);
    assert!(bounds(fourth).is_empty());
    world.swipe((540, 1000), (540, 100)).await;
    assert!(world.node("fourth").await.is(State::VISIBLE));
    assert!(!world.shows("first").await);
}

#[tokio::test(start_paused = true)]
async fn only_what_can_move_is_scrollable() {
    let mut world = World::yaml(LIST);
    assert!(with_id(&world.see().await, "rows")[0].is(State::SCROLLABLE));
    let mut world =
        World::yaml("screens: { main: { body: [ { list: [ { text: one } ], id: rows } ] } }");
    assert!(!with_id(&world.see().await, "rows")[0].is(State::SCROLLABLE));
}

#[tokio::test(start_paused = true)]
async fn innermost_scroller_on_the_axis_moves() {
    let mut world = World::yaml(
        r#"
data:
  rows: { repeat: 30, item: { name: "Row {n}" } }
  cards: { repeat: 10, item: { name: "Card {n}" } }
screens:
  main:
    body:
      - list:
          id: outer
          children:
            - list:
                id: inner
                axis: horizontal
                items: cards
                row: [ { text: "{name}", width: 200, height: 200 } ]
            - { text: "below", height: 1200 }
"#,
    );
    let card = bounds(&world.node("Card 2").await);
    world.swipe((900, 300), (500, 300)).await;
    let moved = bounds(&world.node("Card 2").await);
    assert_eq!((card.left - moved.left, card.top - moved.top), (379, 0));
    world.swipe((540, 500), (540, 300)).await;
    let lifted = bounds(&world.node("Card 2").await);
    assert_eq!(lifted.left, moved.left);
    assert!(
        lifted.bottom < moved.bottom,
        "a vertical swipe moves the outer list"
    );
}

#[tokio::test(start_paused = true)]
async fn the_gap_of_a_scroll_lies_between_what_it_holds() {
    let mut world = World::yaml(
        r#"screens:
  main:
    body:
      - scroll:
          gap: 16
          align: end
          children:
            - space: 10
            - { text: one, id: one, height: 20 }
            - { text: two, id: two, height: 20 }
"#,
    );
    let (one, two) = (world.node("one").await, world.node("two").await);
    let (one, two) = (bounds(&one), bounds(&two));
    assert_eq!(two.top - one.bottom, 42, "16 at 2.625 pixels each");
    assert_eq!((one.right, two.right), (1080, 1080));
}
