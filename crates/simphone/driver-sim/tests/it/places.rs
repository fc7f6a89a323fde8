//! Places that are not worked out anew are those that would be worked out.

use driver_sim::Phone;
use uitree::Node;

use crate::world::{World, bounds, named};

/// What every node that is `wanted` is, says and where it is.
fn nodes(phone: &mut Phone, wanted: impl Fn(&Node) -> bool) -> Vec<String> {
    let seen = phone.observe().expect("the screen is on");
    let nodes = seen.tree.nodes().iter().filter(|node| wanted(node));
    nodes
        .map(|node| format!("{} {:?} {:?}", node.class, node.text, node.bounds))
        .collect()
}

/// Children of all kinds, so many times that a scroll view lays each out by itself.
fn children(indent: &str) -> String {
    let kinds = [
        r#"{ text: "A line that is long enough to be broken into two, whatever the language {n}" }"#,
        r#"{ button: "Press {n}" }"#,
        r#"{ button: "Wide {n}", width: "60%" }"#,
        r#"{ text: "apart", margin: [7, 3], padding: 5, background: surface }"#,
        r#"{ text: "hidden", visible: "n > 100" }"#,
        r#"{ row: [ { text: "left" }, { text: "right", grow: 1 } ], gap: 4, margin: 2 }"#,
        r#"{ card: [ { text: "in a card" }, { switch: "On", bind: on } ], margin: 9 }"#,
        r#"{ text: "grows", grow: 1 }"#,
        r#"{ icon: star }"#,
        r#"{ box: [ { text: "below" }, { text: "above" } ], height: 77 }"#,
    ];
    let kinds = kinds.iter().cycle().take(40);
    kinds.map(|kind| format!("{indent}- {kind}\n")).collect()
}

#[test]
fn scroll_view_children_are_placed_like_a_column() {
    // The column is one layout more.
    let wanted = |node: &Node| !node.class.ends_with("LinearLayout");
    for frame in [
        "gap: 0",
        "gap: 11, padding: 13",
        "align: center, gap: 3",
        "align: end",
    ] {
        let [outer, inner] = [12, 16].map(|indent| {
            let indent = " ".repeat(indent - 2);
            let lines = frame.split(", ").map(|line| format!("{indent}{line}\n"));
            lines.collect::<String>()
        });
        // The only child of a scroll view has nobody to be laid out apart from.
        let together = format!(
            "      - scroll:\n          children:\n            - column:\n{}                children:\n{}",
            inner.replace("              ", "                "),
            children("                  "),
        );
        let apart = format!(
            "      - scroll:\n{outer}          children:\n{}",
            children("            ")
        );
        let world = |body: &str| {
            World::yaml(&format!(
                "state: {{ n: 7, on: true }}\nscreens:\n  main:\n    body:\n{body}"
            ))
        };
        let (mut apart, mut together) = (world(&apart), world(&together));
        for language in ["en-US", "ar"] {
            let [apart, together] = [&mut apart, &mut together].map(|world| {
                let phone = world.driver.phone_mut();
                phone.set_language(language).expect("it is a language");
                nodes(phone, wanted)
            });
            assert!(apart.len() > 40, "{apart:#?}");
            assert_eq!(apart, together, "{language}, {frame}");
        }
    }
}

#[test]
fn changed_text_is_laid_out_as_if_it_were_new() {
    let world = |count: u32| {
        World::yaml(&format!(
            r#"
state: {{ count: {count} }}
data: {{ rows: {{ repeat: 6, item: {{ number: "= n" }} }} }}
screens:
  main:
    body:
      - button: {{ text: "More", on_click: {{ set: {{ count: "= count + 1" }} }} }}
      - row:
          children:
            - text: "{{if(count == 5, 'words that need more than a line of their own', count * 7)}}"
            - {{ text: "beside", visible: "count != 3" }}
            - {{ switch: "{{count}} times", checked: "count > 4", grow: 1 }}
      - text: "{{count * count * count}} at the end"
      - list:
          items: rows
          row:
            - row:
                children:
                  - {{ text: "{{number * count}}", align: end, width: "30%" }}
                  - text: "{{if(count > number, 'over and over and over and over and over', 'under')}}"
"#
        ))
    };
    let mut counting = world(0);
    for count in 1..12 {
        let phone = counting.driver.phone_mut();
        let seen = phone.observe().expect("the screen is on");
        let more = named(&seen, "More").expect("the button is there");
        phone.tap(bounds(seen.tree.node(more)).center());
        let mut fresh = world(count);
        assert_eq!(
            nodes(phone, |_| true),
            nodes(fresh.driver.phone_mut(), |_| true),
            "{count}"
        );
    }
}
