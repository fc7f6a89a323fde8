//! Headers between the rows of a list, rows over several columns, lists inside lists.

use uitree::Rect;

use crate::world::{World, bounds, run, with_id};

const LISTS: &str = r#"
state: { only: "" }
data:
  people:
    repeat: 60
    item: { name: "Person {n}", letter: "= if(n <= 20, 'A', if(n <= 40, 'B', 'C'))" }
  cards: [ { name: one }, { name: two }, { name: three }, { name: four }, { name: five }, { name: six } ]
screens:
  main:
    body:
      - list:
          id: people
          items: people
          filter: "only == '' or letter == only"
          sections: { by: letter, header: { text: "Letter {letter}", id: head, height: 40 }, sticky: true }
          row: { item: "{name}" }
      - button: { text: "Only C", on_click: { set: { only: C } } }
  plain:
    body:
      - list: { id: plain, items: people, sections: { by: letter, header: { text: "Letter {letter}", id: head } }, row: { item: "{name}" } }
  grid:
    body:
      - list: { id: grid, items: cards, columns: 3, span: "if(index == 0, 3, if(name == 'four', 2, 1))", gap: 8, row: { card: [ { text: "{name}" } ], id: card } }
  shelves:
    body:
      - list:
          items: people
          row: [ { text: "{name}" }, { list: { id: shelf, items: cards, axis: horizontal, height: 100, grow: 0, row: { text: "Card {name}", width: 200, id: card } } } ]
links:
  - { uri: "lists://{page}", open: grid }
  - { uri: "lists://plain", open: plain }
  - { uri: "lists://shelves", open: shelves }
"#;

/// The headers that are there, from top to bottom.
async fn heads(world: &mut World) -> Vec<(String, Rect)> {
    let mut heads: Vec<(String, Rect)> = with_id(&world.see().await, "head")
        .iter()
        .map(|node| (node.text.to_string(), bounds(node)))
        .collect();
    heads.sort_by_key(|(_, place)| place.top);
    heads
}

#[test]
fn a_header_stands_above_each_group() {
    run(async {
        let mut world = World::yaml(LISTS);
        world.open("lists://plain").await.expect("it has a link");
        let first = heads(&mut world).await;
        assert_eq!(first[0].0, "Letter A");
        let row = bounds(&world.node("Person 1").await);
        assert!(first[0].1.bottom <= row.top);
        for _ in 0..2 {
            world.swipe((500, 2000), (500, 400)).await;
        }
        let later = heads(&mut world).await;
        assert_eq!(
            later.len(),
            1,
            "only the header among the rows that are seen is there"
        );
        assert_eq!(later[0].0, "Letter B");
        let below = bounds(&world.node("Person 21").await);
        assert!(later[0].1.bottom <= below.top);
    });
}

#[test]
fn sticky_header_stays_until_the_next_pushes_it() {
    run(async {
        let mut world = World::yaml(LISTS);
        let list = bounds(&with_id(&world.see().await, "people")[0]);
        assert_eq!(heads(&mut world).await[0].1.top, list.top);
        let mut pushed = false;
        let mut seen = Vec::new();
        for _ in 0..50 {
            world.swipe((500, 1200), (500, 1100)).await;
            let heads = heads(&mut world).await;
            let (name, place) = &heads[0];
            seen.push(name.clone());
            if let Some((_, next)) = heads.get(1)
                && next.top < list.top + 105
            {
                pushed = true;
                assert!(place.bottom <= next.top, "{place} lies above {next}");
            } else {
                assert_eq!(place.top, list.top, "{name} stays");
                assert_eq!(place.height(), 105);
            }
        }
        seen.dedup();
        assert_eq!(seen, ["Letter A", "Letter B"]);
        assert!(
            pushed,
            "the way is long enough that one header pushes the other"
        );
        // Other rows have other headers.
        world.tap("Only C").await;
        assert_eq!(heads(&mut world).await.len(), 1);
        assert_eq!(heads(&mut world).await[0].0, "Letter C");
    });
}

#[test]
fn rows_go_over_several_columns() {
    run(async {
        let mut world = World::yaml(LISTS);
        world.open("lists://grid").await.expect("it has a link");
        let seen = world.see().await;
        let list = bounds(&with_id(&seen, "grid")[0]);
        let cards: Vec<Rect> = with_id(&seen, "card").iter().map(bounds).collect();
        assert_eq!(cards[0].width(), list.width());
        assert_eq!(
            (cards[1].top, cards[2].top),
            (cards[0].bottom + 21, cards[0].bottom + 21)
        );
        assert_eq!(cards[1].width(), cards[2].width());
        // The one of two columns has no room beside the two before it.
        assert!(cards[3].top > cards[2].top);
        assert_eq!(cards[3].width(), 2 * cards[1].width() + 21);
        assert_eq!(cards[4].top, cards[3].top);
        assert!(cards[5].top > cards[4].top);
    });
}

#[test]
fn carousel_in_a_list_scrolls_sideways() {
    run(async {
        let mut world = World::yaml(LISTS);
        world.open("lists://shelves").await.expect("it has a link");
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
    });
}
