//! Text fields: what they take, what they show, what their keys do.

use driver::{Key, NodeAct};
use uitree::State;

use crate::world::{SHOP, World, bounds, with_id};

const FIELDS: &str = r#"
state: { short: "", many: "", said: "" }
screens:
  main:
    body:
      - field: { hint: "short", id: short, bind: short, max_length: 5 }
      - field: { hint: "digits", type: number, id: digits }
      - field: { hint: "many", multiline: true, bind: many }
      - field: { hint: "say", action: send, on_submit: { set: { said: "sent {short}" } } }
      - text: "said: {said}"
"#;

#[tokio::test(start_paused = true)]
async fn an_empty_field_shows_its_hint_and_says_so() {
    let mut world = World::app(SHOP);
    let field = world.node("Email").await;
    assert_eq!((&*field.text, &*field.hint), ("Email", "Email"));
    assert!(field.is(State::SHOWING_HINT | State::EDITABLE | State::CLICKABLE | State::FOCUSABLE));
    world.set_text("Email", "ann").await;
    let field = world.node("ann").await;
    assert_eq!((&*field.text, &*field.hint), ("ann", "Email"));
    assert!(!field.is(State::SHOWING_HINT));
}

#[tokio::test(start_paused = true)]
async fn passwords_are_masked() {
    let mut world = World::app(SHOP);
    world.set_text("Password", "geheim").await;
    let field = world.node("••••••").await;
    assert!(field.is(State::PASSWORD));
    let xml = world.see().await.tree.to_hierarchy_xml();
    assert!(!xml.contains("geheim"));
    assert!(world.noted("\"geheim\""), "the journal is the truth");
}

#[tokio::test(start_paused = true)]
async fn fields_take_what_they_have_room_for() {
    let mut world = World::yaml(FIELDS);
    world.set_text("short", "abcdefgh").await;
    assert!(world.shows("abcde").await);
    world.set_text("abcde", "a\nb").await;
    assert!(world.shows("a b").await, "a single line has no line breaks");
    world
        .act("a b", NodeAct::AppendText("cdefg".to_owned()))
        .await;
    assert!(world.shows("a bcd").await);
    world.set_text("digits", "4 apples, 2 pears").await;
    assert!(world.shows("42").await);
    world.set_text("many", "one\ntwo").await;
    assert!(world.shows("one\ntwo").await);
}

#[tokio::test(start_paused = true)]
async fn keys_edit_the_focused_field() {
    let mut world = World::yaml(FIELDS);
    world.key(Key::Delete).await;
    world.tap("short").await;
    world.driver.phone_mut().type_text("héé");
    world.key(Key::Delete).await;
    assert!(world.shows("hé").await);
    world.key(Key::Tab).await;
    world.driver.phone_mut().type_text("1x2");
    assert!(world.shows("12").await);
    world.key(Key::Tab).await;
    world.driver.phone_mut().type_text("a");
    world.key(Key::Enter).await;
    world.driver.phone_mut().type_text("b");
    assert!(
        world.shows("a\nb").await,
        "enter is a line break where there may be several"
    );
}

#[tokio::test(start_paused = true)]
async fn the_editor_action_runs_and_hides_the_keyboard() {
    let mut world = World::yaml(FIELDS);
    world.set_text("short", "x").await;
    world.tap("say").await;
    assert_eq!(world.see().await.tree.windows().len(), 2);
    world.act("say", NodeAct::Submit).await;
    assert!(world.shows("said: sent x").await);
    assert_eq!(world.see().await.tree.windows().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_search_finds_while_it_is_typed() {
    let mut world = World::yaml(
        r#"
state: { query: "" }
data:
  fruits: [ { name: Apple }, { name: Banana }, { name: Apricot } ]
screens:
  main:
    body:
      - field: { hint: "Search", bind: query, action: search }
      - list:
          items: fruits
          filter: "query != '' and contains(name, query)"
          row: [ { text: "{name}" } ]
          empty:
            text: "Nothing for {query}"
            visible: "query != ''"
"#,
    );
    assert!(!world.shows("Apple").await);
    world.tap("Search").await;
    for (typed, apple, apricot) in [
        ("a", true, true),
        ("P", true, true),
        ("r", false, true),
        ("x", false, false),
    ] {
        world.driver.phone_mut().type_text(typed);
        assert_eq!(world.shows("Apple").await, apple, "{typed}");
        assert_eq!(world.shows("Apricot").await, apricot, "{typed}");
    }
    assert!(world.shows("Nothing for aPrx").await);
}

#[tokio::test(start_paused = true)]
async fn padded_text_is_as_high_as_its_lines() {
    let words =
        "Could you look at the window in the study before Thursday, and at the door as well?";
    let mut world = World::yaml(&format!(
        "screens: {{ main: {{ body: [ {{ text: \"{words}\", id: inside, padding: [0, 60] }}, {{ column: {{ padding: [0, 60], children: [ {{ text: \"{words}\", id: around }} ] }} }} ] }} }}"
    ));
    let seen = world.see().await;
    let height = |id: &str| bounds(&with_id(&seen, id)[0]).height();
    assert!(height("around") > 100);
    assert_eq!(height("inside"), height("around"));
}
