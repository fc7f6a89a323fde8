//! Canvases, web pages, and what is folded away.

use driver::NodeAct;
use uitree::{Point, State};

use crate::world::{World, bounds, run, with_id};

const SURFACES: &str = r#"
state: { seen: "", x: 70 }
screens:
  main:
    body:
      - canvas:
          id: map
          height: 200
          shapes: [ { draw: line, points: "0,0 100,100" }, { draw: circle, points: "50,50" } ]
          children:
            - icon: { name: place, desc: Station, at: { x: x, y: 25 }, on_click: { set: { seen: station } } }
            - text: { text: Park, at: { x: 0, y: 50, width: 50, height: 50 }, on_click: { set: { seen: park } } }
      - button: { text: Move, on_click: { set: { x: 20 } } }
      - expandable: { id: faq, title: "How?", body: [ { text: "Like this." } ] }
      - expandable: { title: "Why?", body: [ { text: "Because." } ] }
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

#[test]
fn what_stands_on_a_canvas_is_a_view_at_its_place() {
    run(async {
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
    });
}

#[test]
fn a_row_unfolds_and_folds_by_itself() {
    run(async {
        let mut world = World::yaml(SURFACES);
        assert!(!world.shows("Like this.").await);
        let before = bounds(&with_id(&world.see().await, "faq")[0]).height();
        world.tap("How?").await;
        assert!(world.shows("Like this.").await);
        assert!(
            !world.shows("Because.").await,
            "only the one that was pressed"
        );
        assert!(world.shows("Collapse").await && world.shows("Expand").await);
        assert!(bounds(&with_id(&world.see().await, "faq")[0]).height() > before);
        world.tap("Collapse").await;
        assert!(!world.shows("Like this.").await);
    });
}

#[test]
fn a_web_page_has_the_nodes_of_a_browser() {
    run(async {
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
        world
            .act("More", NodeAct::Click)
            .await
            .expect("it is a link");
        assert!(world.shows("Seen: more").await);
    });
}

const CHART: &str = r##"
state: { seen: "", x: 300, y: 200, zoom: 1 }
lists: { values: { fields: [day, amount], entries: [ { day: Monday, amount: 20 }, { day: Tuesday, amount: 80 } ] } }
screens:
  main:
    body:
      - canvas:
          id: chart
          height: 200
          shapes: [ { draw: rect, items: values, points: "{index * 50},{100 - amount} {index * 50 + 40},100", color: "#ff0000" } ]
          items: values
          filter: "amount > 10"
          node: { box: { desc: "{day}, {amount}", at: { x: "index * 50", y: "100 - amount", width: 40, height: amount }, on_click: { set: { seen: "{day}" } } } }
          on_tap: { set: { seen: "{x} {y}" } }
      - button: { text: Add, on_click: { append: { values: { day: Friday, amount: 5 } } } }
      - text: "Seen: {seen}"
      - canvas:
          id: world
          height: 200
          pan: { x: x, y: y, width: 1000, height: 1000, zoom: zoom }
          shapes: [ { draw: polygon, points: "290,190 310,190 310,210 290,210", color: "#00ff00" } ]
          children:
            - box: { desc: Square, at: { x: 290, y: 190, width: 20, height: 20 } }
            - box: { desc: Far, at: { x: 900, y: 900, width: 20, height: 20 } }
            - box: { desc: Edge, at: { x: 0, y: 190, width: 100, height: 20 } }
      - button: { text: Nearer, on_click: { set: { zoom: "= zoom * 2" } } }
"##;

#[test]
fn a_value_of_a_chart_is_a_node_where_its_bar_is_drawn() {
    run(async {
        let mut world = World::yaml(CHART);
        let chart = bounds(&with_id(&world.see().await, "chart")[0]);
        let bar = bounds(&world.node("Tuesday, 80").await);
        assert_eq!(bar.bottom, chart.bottom);
        assert_eq!(bar.height() * 10, chart.height() * 8);
        let image = world.driver.phone_mut().draw();
        let red = |x: i32, y: i32| {
            let at = ((y * image.width as i32 + x) * 4) as usize;
            image.rgba[at..at + 3] == [255, 0, 0]
        };
        assert!(red(bar.center().x, bar.top + 3) && !red(bar.center().x, bar.top - 3));
        assert!(red(bar.right - 3, bar.bottom - 3) && !red(bar.right + 3, bar.bottom - 3));
        world.tap("Tuesday, 80").await;
        assert!(world.shows("Seen: Tuesday").await);
        world
            .touch(Point::new(
                chart.left + chart.width() / 4,
                chart.top + chart.height() / 2,
            ))
            .await
            .expect("it is there");
        assert!(world.shows("Seen: 25 49.9").await);
        world.tap("Add").await;
        assert!(!world.shows("Friday, 5").await, "the filter leaves it out");
    });
}

#[test]
fn a_canvas_tells_of_what_it_shows_of_its_world() {
    run(async {
        let mut world = World::yaml(CHART);
        let canvas = bounds(&with_id(&world.see().await, "world")[0]);
        let square = bounds(&world.node("Square").await);
        assert!((square.center().x - canvas.center().x).abs() <= 1);
        assert!(!world.shows("Far").await);
        let edge = bounds(&world.node("Edge").await);
        assert_eq!(edge.left, canvas.left, "cut at the edge of the canvas");
        assert!(edge.width() < 262, "{edge}");
        world.tap("Nearer").await;
        let nearer = bounds(&world.node("Square").await);
        assert!((nearer.width() - 2 * square.width()).abs() <= 1);
        assert!(!world.shows("Edge").await);
        let middle = canvas.center();
        world
            .swipe((middle.x, middle.y), (middle.x, middle.y - 2000))
            .await;
        world
            .swipe((middle.x, middle.y), (middle.x - 2000, middle.y))
            .await;
        for _ in 0..2 {
            world
                .swipe((middle.x, middle.y), (middle.x - 2000, middle.y - 2000))
                .await;
        }
        let far = bounds(&world.node("Far").await);
        let from_corner = (canvas.right - far.left, canvas.bottom - far.top);
        assert!(
            (from_corner.0 - 525).abs() <= 1 && (from_corner.1 - 525).abs() <= 1,
            "{far}"
        );
    });
}
