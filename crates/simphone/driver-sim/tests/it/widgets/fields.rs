//! Text fields and what stands around them.

use driver::{DriverError, NodeAct};
use uitree::State;

use crate::world::{World, bounds, with_id};

const FIELDS: &str = r#"
state: { name: "", mail: "ann", secret: hunter2, fixed: "A 17", note: "", on: true }
screens:
  main:
    padding: 16
    gap: 8
    body:
      - field: { id: name, label: Name, hint: "First and last", helper: "As on your card", bind: name, capitalize: words }
      - field: { id: mail, label: Email, bind: mail, error: "{if(contains(mail, '@'), '', 'This is no address')}", helper: "Yours", end_icon: clear }
      - field: { id: secret, label: Password, bind: secret, password: true, end_icon: eye, max_length: 9, enabled: on }
      - field: { id: own, end_icon: clear, max_length: 5 }
      - field: { id: fixed, bind: fixed, read_only: true }
      - field: { id: note, hint: Note, bind: note, max_lines: 2 }
      - button: { text: Lock, on_click: { toggle: on } }
"#;

#[tokio::test(start_paused = true)]
async fn labelled_field_is_a_text_input_layout() {
    let mut world = World::yaml(FIELDS);
    let seen = world.see().await;
    let field = &with_id(&seen, "name")[0];
    assert_eq!(&*field.class, "android.widget.EditText");
    assert_eq!(&*field.text, "Name", "an empty field says its label");
    assert_eq!(&*field.hint, "Name");
    assert!(field.is(State::SHOWING_HINT));
    let helper = &with_id(&seen, "textinput_helper_text")[0];
    assert_eq!(&*helper.text, "As on your card");
    assert!(bounds(helper).top >= bounds(field).bottom);
    assert!(!helper.is(State::CLICKABLE));
}

#[tokio::test(start_paused = true)]
async fn an_error_takes_the_place_of_the_helper_text() {
    let mut world = World::yaml(FIELDS);
    let seen = world.see().await;
    let errors = with_id(&seen, "textinput_error");
    assert_eq!(errors.len(), 1);
    assert_eq!(&*errors[0].text, "This is no address");
    assert!(!world.shows("Yours").await);
    world.set_text("ann", "ann@example.com").await;
    assert!(with_id(&world.see().await, "textinput_error").is_empty());
    assert!(world.shows("Yours").await);
}

#[tokio::test(start_paused = true)]
async fn the_eye_shows_a_password_and_hides_it_again() {
    let mut world = World::yaml(FIELDS);
    let eye = world.node("Show password").await;
    assert_eq!(&*eye.class, "android.widget.ImageButton");
    assert_eq!(&*eye.id, "com.test.app:id/text_input_end_icon");
    assert!(eye.is(State::CHECKABLE) && !eye.is(State::CHECKED));
    let hidden = world.node("•••••••").await;
    assert!(hidden.is(State::PASSWORD));
    assert!(bounds(&hidden).contains(bounds(&eye).center()));
    world.tap("Show password").await;
    let shown = world.node("hunter2").await;
    assert!(!shown.is(State::PASSWORD));
    assert!(world.node("Show password").await.is(State::CHECKED));
    world.tap("Show password").await;
    assert!(world.shows("•••••••").await);
    assert!(
        !world.noted("changed"),
        "looking at a password changes nothing"
    );
}

#[tokio::test(start_paused = true)]
async fn a_full_field_takes_no_more() {
    let mut world = World::yaml(FIELDS);
    world.tap("•••••••").await;
    world.driver.phone_mut().type_text("abcd");
    assert!(world.shows("•••••••••").await);
}

#[tokio::test(start_paused = true)]
async fn clear_button_shows_while_there_is_text() {
    let mut world = World::yaml(FIELDS);
    let crosses = |seen: &driver::Observation| {
        seen.tree
            .nodes()
            .iter()
            .filter(|node| &*node.label == "Clear text")
            .count()
    };
    assert_eq!(crosses(&world.see().await), 1);
    world.tap("Clear text").await;
    assert_eq!(crosses(&world.see().await), 0);
    assert_eq!(&*with_id(&world.see().await, "mail")[0].text, "Email");
    // A field without a variable is cleared as well.
    let own = bounds(&with_id(&world.see().await, "own")[0]);
    world.touch(own.center()).await;
    world.driver.phone_mut().type_text("abc");
    assert_eq!(crosses(&world.see().await), 1);
    world.tap("Clear text").await;
    assert_eq!(crosses(&world.see().await), 0);
}

#[tokio::test(start_paused = true)]
async fn a_read_only_field_takes_no_text() {
    let mut world = World::yaml(FIELDS);
    let field = world.node("A 17").await;
    assert!(!field.is(State::EDITABLE));
    world.tap("A 17").await;
    assert_eq!(world.see().await.tree.windows().len(), 1, "no keyboard");
    let refused = world
        .try_act("A 17", NodeAct::SetText("B".to_owned()))
        .await
        .expect_err("it takes no text");
    assert!(matches!(refused, DriverError::Refused(_)), "{refused}");
    assert!(world.shows("A 17").await);
}

#[tokio::test(start_paused = true)]
async fn the_keyboard_begins_words_with_capitals() {
    let mut world = World::yaml(FIELDS);
    let name = bounds(&with_id(&world.see().await, "name")[0]);
    world.touch(name.center()).await;
    for key in ["A", "n", "n", "Space", "L"] {
        world.tap(key).await;
    }
    assert!(world.shows("Ann L").await);
    assert!(world.shows("m").await, "small letters go on");
}

#[tokio::test(start_paused = true)]
async fn a_field_grows_up_to_its_lines() {
    let mut world = World::yaml(FIELDS);
    let mut heights = Vec::new();
    for text in ["one", "one\ntwo", "one\ntwo\nthree"] {
        let (node, _) = {
            let seen = world.see().await;
            let id = seen
                .tree
                .ids()
                .find(|id| seen.tree.node(*id).id.ends_with(":id/note"))
                .expect("the field is there");
            (seen.node_ref(id), ())
        };
        world
            .driver_act(node, NodeAct::SetText(text.to_owned()))
            .await
            .expect("it takes text");
        let field = &with_id(&world.see().await, "note")[0];
        assert_eq!(&*field.text, text, "the whole text is in the node");
        heights.push(bounds(field).height());
    }
    assert!(heights[0] < heights[1], "{heights:?}");
    assert_eq!(heights[1], heights[2]);
}

#[tokio::test(start_paused = true)]
async fn a_disabled_field_takes_its_buttons_with_it() {
    let mut world = World::yaml(FIELDS);
    world.tap("Lock").await;
    assert!(!world.node("Show password").await.is(State::ENABLED));
    assert!(!world.node("•••••••").await.is(State::ENABLED));
}
