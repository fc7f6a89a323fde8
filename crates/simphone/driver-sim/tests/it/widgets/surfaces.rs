//! Canvases and web pages.

use driver::NodeAct;
use uitree::State;

use crate::world::{World, bounds, with_id};

const SURFACES: &str = r#"
state: { seen: "", x: 70 }
screens:
  main:
    body:
      - canvas:
          id: map
          height: 200
          children:
            - icon: { name: place, desc: Station, at: { x: x, y: 25 }, on_click: { set: { seen: station } } }
            - text: { text: Park, at: { x: 0, y: 50, width: 50, height: 50 }, on_click: { set: { seen: park } } }
      - button: { text: Move, on_click: { set: { x: 20 } } }
      - text: "Seen: {seen}"
      - web:
          id: page
          title: News
          children:
            - { text: Today, heading: true }
            - { text: More, on_click: { set: { seen: more } } }
            - field: { id: search, hint: Search }
            - { image: harbour, desc: The harbour }
            - row: { id: foot, children: [ { text: The end } ] }
"#;

#[tokio::test(start_paused = true)]
async fn what_stands_on_a_canvas_is_a_view_at_its_place() {
    let mut world = World::yaml(SURFACES);
    let map = bounds(&with_id(&world.see().await, "map")[0]);
    assert_eq!(map.to_string(), "[0,84][1080,609]");
    let station = world.node("Station").await;
    assert_eq!(&*station.class, "android.view.View");
    // An odd width has no middle pixel.
    assert!((755..=756).contains(&bounds(&station).center().x));
    let park = world.node("Park").await;
    assert_eq!(bounds(&park).to_string(), "[0,347][540,609]");
    world.tap("Station").await;
    assert!(world.shows("Seen: station").await);
    world.tap("Move").await;
    let moved = bounds(&world.node("Station").await);
    assert!((215..=216).contains(&moved.center().x), "{moved}");
    world.tap("Park").await;
    assert!(world.shows("Seen: park").await);
}

#[tokio::test(start_paused = true)]
async fn a_web_page_has_the_nodes_of_a_browser() {
    let mut world = World::yaml(SURFACES);
    let seen = world.see().await;
    let tree = &seen.tree;
    let page: Vec<(String, String)> = tree
        .nodes()
        .iter()
        .skip_while(|node| !node.id.ends_with(":id/page"))
        .map(|node| {
            let words = if node.text.is_empty() {
                &node.label
            } else {
                &node.text
            };
            (node.class.replace("android.", ""), words.to_string())
        })
        .collect();
    let page: Vec<(&str, &str)> = page.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(
        page,
        [
            ("webkit.WebView", ""),
            ("webkit.WebView", "News"),
            ("view.View", ""),
            ("widget.TextView", "Today"),
            ("view.View", "More"),
            ("widget.EditText", "Search"),
            ("widget.Image", "The harbour"),
            ("view.View", ""),
            ("widget.TextView", "The end"),
        ]
    );
    assert!(world.node("Today").await.is(State::HEADING));
    assert_eq!(&*world.node("Search").await.id, "search");
    world.act("More", NodeAct::Click).await;
    assert!(world.shows("Seen: more").await);
}
