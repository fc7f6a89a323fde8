//! The focus under keys, the keyboard with its letters, and how windows give way to it.

use driver::{Key, NodeAct};
use uitree::{Node, Point, State};

use crate::world::{World, bounds, run, with_id};

const GRID: &str = r#"
state: { said: "", name: "" }
screens:
  main:
    title: Grid
    body:
      - row:
          children:
            - button: { id: a, text: A, grow: 1, on_click: { set: { said: a } } }
            - button: { id: b, text: B, grow: 1, on_click: { set: { said: b } } }
      - row:
          children:
            - button: { id: c, text: C, grow: 1, enabled: "false" }
            - button: { id: d, text: D, grow: 1, on_click: { set: { said: d } } }
      - field: { id: name, hint: Name, bind: name }
      - switch: { id: on, text: On, checked: "said == 'on'", on_click: { set: { said: on } } }
      - text: "said: {said}"
"#;

impl World {
    async fn focused(&mut self) -> String {
        let seen = self.see().await;
        let focused = seen
            .tree
            .nodes()
            .iter()
            .find(|node| node.is(State::FOCUSED));
        focused.map_or_else(String::new, |node| {
            let (_, name) = node.id.split_once(":id/").unwrap_or(("", &node.id));
            name.to_owned()
        })
    }

    async fn one(&mut self, id: &str) -> Node {
        let seen = self.see().await;
        with_id(&seen, id)
            .first()
            .cloned()
            .unwrap_or_else(|| panic!("no {id}"))
    }
}

#[tokio::test(start_paused = true)]
async fn tab_goes_through_what_can_have_the_focus() {
    let mut world = World::yaml(GRID);
    assert_eq!(world.focused().await, "");
    let mut seen = Vec::new();
    for _ in 0..6 {
        world.key(Key::Tab).await;
        seen.push(world.focused().await);
    }
    assert_eq!(
        seen,
        ["a", "b", "d", "name", "on", "a"],
        "what is disabled is left out"
    );
}

#[tokio::test(start_paused = true)]
async fn enter_presses_what_has_the_focus() {
    let mut world = World::yaml(GRID);
    world.key(Key::Tab).await;
    world.key(Key::Enter).await;
    assert!(world.shows("said: a").await);
    world.key(Key::Tab).await;
    world.key(Key::Enter).await;
    assert!(world.shows("said: b").await);
    let clicks = world.happened_since(0);
    let clicks: Vec<&String> = clicks
        .iter()
        .filter(|line| line.starts_with("click"))
        .collect();
    assert!(clicks.iter().all(|line| line.starts_with("click by key:")) && clicks.len() == 2);
    // Nothing is pressed where nothing has the focus.
    let mut fresh = World::yaml(GRID);
    fresh.key(Key::Enter).await;
    assert!(fresh.shows("said: ").await);
}

#[tokio::test(start_paused = true)]
async fn a_touch_takes_the_focus_from_what_keys_gave_it() {
    let mut world = World::yaml(GRID);
    world.key(Key::Tab).await;
    let ringed = world.driver.phone_mut().display_list();
    world.touch(Point::new(540, 1500)).await;
    assert_eq!(world.focused().await, "");
    let plain = world.driver.phone_mut().display_list();
    assert_eq!(
        ringed.0.len(),
        plain.0.len() + 1,
        "the ring is drawn while keys are used"
    );
    // A field keeps it.
    world.act("Name", NodeAct::Focus).await;
    world.touch(Point::new(540, 1200)).await;
    assert_eq!(world.focused().await, "name");
}

#[tokio::test(start_paused = true)]
async fn keys_go_to_the_window_in_front() {
    let mut world = World::yaml(
        r#"
state: { said: "" }
screens:
  main:
    body:
      - button: { id: open, text: Open, on_click: { dialog: ask } }
      - text: "said: {said}"
dialogs:
  ask:
    title: Sure?
    buttons: [ { text: "No" }, { text: "Yes", on_click: { set: { said: "yes" } } } ]
"#,
    );
    world.key(Key::Tab).await;
    world.key(Key::Enter).await;
    assert!(world.shows("Sure?").await);
    world.key(Key::Tab).await;
    assert_eq!(
        world.focused().await,
        "button2",
        "the first one of the dialog"
    );
    world.key(Key::Tab).await;
    assert_eq!(world.focused().await, "button1");
    world.key(Key::Enter).await;
    assert!(world.shows("said: yes").await);
    assert_eq!(
        world.focused().await,
        "open",
        "the window below kept its own"
    );
}

const KINDS: &str = r#"
screens:
  main:
    body:
      - field: { hint: Text, id: text }
      - field: { hint: Mail, id: mail, type: email, action: next }
      - field: { hint: Web, id: web, type: url, action: go }
      - field: { hint: Number, id: number, type: number, action: done }
      - field: { hint: Code, id: code, password: true, action: send }
"#;

impl World {
    /// The words of the keys that are up, row by row.
    async fn keys(&mut self) -> Vec<String> {
        let seen = self.see().await;
        let keys = seen
            .tree
            .nodes()
            .iter()
            .filter(|node| node.class.ends_with(".Key"));
        keys.map(|node| node.label.to_string()).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn the_keyboard_has_the_keys_that_a_field_needs() {
    let mut world = World::yaml(KINDS);
    for (hint, beside, action) in [
        ("Text", ",", "Enter"),
        ("Mail", "@", "Next"),
        ("Web", "/", "Go"),
        ("Code", ",", "Send"),
    ] {
        world.act(hint, NodeAct::Focus).await;
        let keys = world.keys().await;
        let space = keys.iter().position(|key| key == "Space").unwrap();
        assert_eq!(keys[space - 1], beside, "{hint}");
        assert_eq!(keys.last().unwrap(), action);
    }
    world.act("Number", NodeAct::Focus).await;
    let keys = world.keys().await;
    assert_eq!(keys[..3], ["1", "2", "3"]);
    assert!(!keys.contains(&"q".to_owned()));
}

const FIXED: &str = r#"
      - text: { id: top, text: Top }
      - space: 1
      - column: { grow: 1 }
      - field: { hint: Low, id: low }
      - button: { id: last, text: Last }
"#;

const SCROLLED: &str = r#"
      - text: { id: top, text: Top }
      - scroll:
          children:
            - column: { height: 700 }
            - field: { hint: Low, id: low }
            - column: { height: 300 }
      - button: { id: last, text: Last }
"#;

#[test]
fn windows_shrink_for_the_keyboard_where_they_scroll_and_move_up_otherwise() {
    // Where the text, the field and the button are while the keyboard is up: at their place, above the keyboard or
    // below its edge.
    run(async {
        const KEYBOARD: i32 = 2340 - 936;
        for (body, top_stays, field_seen, button_seen) in
            [(FIXED, false, true, false), (SCROLLED, true, true, true)]
        {
            let mut world = World::yaml(&format!("screens:\n  main:\n    body:\n{body}"));
            let top = bounds(&world.one("top").await);
            world.act("Low", NodeAct::Focus).await;
            assert_eq!(world.see().await.tree.windows().len(), 2);
            let is = |node: &Node| bounds(node).bottom <= KEYBOARD && bounds(node).height() > 0;
            let low = world.one("low").await;
            assert_eq!(is(&low), field_seen, "{body} {:?}", low.bounds);
            let last = world.one("last").await;
            assert_eq!(is(&last), button_seen, "{body} {:?}", last.bounds);
            let seen = world.see().await;
            let now = with_id(&seen, "top").first().and_then(|node| node.bounds);
            assert_eq!(now == Some(top), top_stays, "{body} {now:?}");
            // When the keyboard goes everything is where it was.
            world.key(Key::Back).await;
            assert_eq!(bounds(&world.one("top").await), top);
        }
    });
}
