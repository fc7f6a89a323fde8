//! Cached layouts equal fresh ones.

use crate::fixture::{Fixture, bounds, named};
use driver_sim::Phone;

/// Class, text and bounds of every node.
fn nodes(phone: &mut Phone) -> Vec<String> {
    let seen = phone.observe().expect("the screen is on");
    let nodes = seen.tree.nodes().iter();
    nodes
        .map(|node| format!("{} {:?} {:?}", node.class, node.text, node.bounds))
        .collect()
}

#[test]
fn changed_text_is_laid_out_like_new_text() {
    let fixture = |count: u32| {
        Fixture::yaml(&format!(
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
    let mut counting = fixture(0);
    for count in 1..12 {
        let phone = counting.driver.phone_mut();
        let seen = phone.observe().expect("the screen is on");
        let more = named(&seen, "More").expect("the button is there");
        phone.tap(bounds(seen.tree.node(more)).center());
        let mut fresh = fixture(count);
        assert_eq!(nodes(phone), nodes(fresh.driver.phone_mut()), "{count}");
    }
}
