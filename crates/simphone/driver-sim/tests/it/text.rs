//! Text fields: what they take, what they show, what their keys do.

use driver::{Key, NodeAct};
use uitree::State;

use crate::world::{SHOP, World, bounds, run, with_id};

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

#[test]
fn an_empty_field_shows_its_hint_and_says_so() {
    run(async {
        let mut world = World::app(SHOP);
        let field = world.node("Email").await;
        assert_eq!((&*field.text, &*field.hint), ("Email", "Email"));
        assert!(
            field.is(State::SHOWING_HINT | State::EDITABLE | State::CLICKABLE | State::FOCUSABLE)
        );
        world
            .act("Email", NodeAct::SetText("ann".to_owned()))
            .await
            .unwrap();
        let field = world.node("ann").await;
        assert_eq!((&*field.text, &*field.hint), ("ann", "Email"));
        assert!(!field.is(State::SHOWING_HINT));
    });
}

#[test]
fn passwords_are_masked() {
    run(async {
        let mut world = World::app(SHOP);
        world
            .act("Password", NodeAct::SetText("geheim".to_owned()))
            .await
            .unwrap();
        let field = world.node("••••••").await;
        assert!(field.is(State::PASSWORD));
        let xml = world.see().await.tree.to_hierarchy_xml();
        assert!(!xml.contains("geheim"));
        assert!(
            world
                .journal()
                .iter()
                .any(|line| line.contains("\"geheim\"")),
            "the journal is the truth"
        );
    });
}

#[test]
fn fields_take_what_they_have_room_for() {
    run(async {
        let mut world = World::yaml(FIELDS);
        world
            .act("short", NodeAct::SetText("abcdefgh".to_owned()))
            .await
            .unwrap();
        assert!(world.shows("abcde").await);
        world
            .act("abcde", NodeAct::SetText("a\nb".to_owned()))
            .await
            .unwrap();
        assert!(world.shows("a b").await, "a single line has no line breaks");
        world
            .act("a b", NodeAct::AppendText("cdefg".to_owned()))
            .await
            .unwrap();
        assert!(world.shows("a bcd").await);
        world
            .act("digits", NodeAct::SetText("4 apples, 2 pears".to_owned()))
            .await
            .unwrap();
        assert!(world.shows("42").await);
        world
            .act("many", NodeAct::SetText("one\ntwo".to_owned()))
            .await
            .unwrap();
        assert!(world.shows("one\ntwo").await);
    });
}

#[test]
fn keys_edit_the_focused_field() {
    run(async {
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
    });
}

#[test]
fn the_editor_action_runs_and_hides_the_keyboard() {
    run(async {
        let mut world = World::yaml(FIELDS);
        world
            .act("short", NodeAct::SetText("x".to_owned()))
            .await
            .unwrap();
        world.tap("say").await;
        assert_eq!(world.see().await.tree.windows().len(), 2);
        world.act("say", NodeAct::Submit).await.unwrap();
        assert!(world.shows("said: sent x").await);
        assert_eq!(world.see().await.tree.windows().len(), 1);
    });
}

#[test]
fn a_search_finds_while_it_is_typed() {
    run(async {
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
    });
}

#[test]
fn a_wrong_login_is_refused_and_a_right_one_is_not() {
    run(async {
        let mut world = World::app(SHOP);
        world
            .act("Email", NodeAct::SetText("ann@example.com".to_owned()))
            .await
            .unwrap();
        world
            .act("Password", NodeAct::SetText("wrong".to_owned()))
            .await
            .unwrap();
        world.tap("•••••").await;
        world.key(Key::Enter).await;
        tokio::time::sleep(std::time::Duration::from_secs(3)).await;
        assert!(world.shows("Wrong password").await);
        world
            .act("•••••", NodeAct::SetText("secret".to_owned()))
            .await
            .unwrap();
        world.tap("••••••").await;
        world.key(Key::Enter).await;
        tokio::time::sleep(std::time::Duration::from_secs(3)).await;
        assert!(world.shows("Item 1").await);
    });
}

#[test]
fn padded_text_is_as_high_as_its_lines() {
    run(async {
        let words =
            "Could you look at the window in the study before Thursday, and at the door as well?";
        let mut world = World::yaml(&format!(
            "screens: {{ main: {{ body: [ {{ text: \"{words}\", id: inside, padding: [0, 60] }}, {{ column: {{ padding: [0, 60], children: [ {{ text: \"{words}\", id: around }} ] }} }} ] }} }}"
        ));
        let seen = world.see().await;
        let height = |id: &str| bounds(&with_id(&seen, id)[0]).height();
        assert!(height("around") > 100);
        assert_eq!(height("inside"), height("around"));
    });
}
