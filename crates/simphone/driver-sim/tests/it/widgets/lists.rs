//! Rows in columns, lists inside lists.

use uitree::Rect;

use crate::world::{World, bounds, with_id};

const LISTS: &str = r#"
data:
  people: { repeat: 60, item: { name: "Person {n}" } }
  cards: [ { name: one }, { name: two }, { name: three }, { name: four }, { name: five }, { name: six } ]
screens:
  main:
    body:
      - list: { id: grid, items: cards, columns: 3, gap: 8, row: { card: [ { text: "{name}" } ], id: card } }
  shelves:
    body:
      - list:
          items: people
          row: [ { text: "{name}" }, { list: { id: shelf, items: cards, axis: horizontal, height: 100, grow: 0, row: { text: "Card {name}", width: 200, id: card } } } ]
links:
  - { uri: "lists://shelves", open: shelves }
"#;

#[tokio::test(start_paused = true)]
async fn rows_stand_in_columns() {
    let mut world = World::yaml(LISTS);
    let seen = world.see().await;
    let cards: Vec<Rect> = with_id(&seen, "card").iter().map(bounds).collect();
    assert_eq!(cards.len(), 6);
    assert_eq!((cards[0].top, cards[1].top), (cards[2].top, cards[2].top));
    assert_eq!(cards[1].left, cards[0].right + 21);
    assert_eq!(cards[3].top, cards[0].bottom + 21);
    assert_eq!(cards[3].left, cards[0].left);
}

#[tokio::test(start_paused = true)]
async fn carousel_in_a_list_scrolls_sideways() {
    let mut world = World::yaml(LISTS);
    world.open("lists://shelves").await;
    let shelves = with_id(&world.see().await, "shelf");
    let (first, second) = (bounds(&shelves[0]), bounds(&shelves[1]));
    world
        .swipe((900, first.center().y), (200, first.center().y))
        .await;
    world.rest().await;
    let cards = |seen: &driver::Observation, shelf: Rect| {
        let all = with_id(seen, "card");
        let in_it = all
            .iter()
            .filter(|node| shelf.contains(bounds(node).center()));
        in_it.map(|node| node.text.to_string()).collect::<Vec<_>>()
    };
    let seen = world.see().await;
    assert!(!cards(&seen, first).contains(&"Card one".to_owned()));
    assert!(cards(&seen, second).contains(&"Card one".to_owned()));
    world
        .swipe((500, second.center().y + 400), (500, second.center().y))
        .await;
    world.rest().await;
    let moved = bounds(&with_id(&world.see().await, "shelf")[0]);
    assert_ne!(moved, first, "the list itself goes down");
}
