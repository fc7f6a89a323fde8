//! Editing a text: the cursor, the selection of a whole field, and the clipboard.

use draw::{TextRole, Theme, places};
use driver::{Key, NodeAct};
use driver_sim::Keycode;
use driver_sim::journal::Passwords;
use uitree::{Node, Point, State};

use crate::world::{World, bounds, with_id};

pub(crate) const FIELDS: &str = r#"
state: { line: "one two three", secret: "geheim", all: "4711", number: "12345", notes: "", held: "" }
screens:
  main:
    padding: 16
    gap: 12
    body:
      - field: { hint: Line, id: line, bind: line }
      - field: { hint: Secret, id: secret, bind: secret, password: true }
      - field: { hint: All, id: all, bind: all, select_on_focus: true }
      - field: { hint: Number, id: number, bind: number, type: number, max_length: 6 }
      - field: { hint: Notes, id: notes, bind: notes, multiline: true, max_lines: 3 }
      - field: { hint: Own, id: own, on_long_click: { set: { held: "yes" } } }
      - button: { id: copy, text: "Copy code", on_click: { copy: "A1-{number}" } }
      - text: "line: {line}, notes: {notes}, held: {held}"
"#;

fn style() -> draw::TextStyle {
    Theme::light(2.625).text(TextRole::BodyLarge)
}

impl World {
    pub(crate) async fn by_id(&mut self, id: &str) -> Node {
        let seen = self.see().await;
        let found = with_id(&seen, id);
        let node = found.first().cloned();
        node.unwrap_or_else(|| panic!("no {id}:\n{}", seen.tree.to_compact()))
    }

    /// Where the finger is between the characters of a line, after `before`.
    async fn place_after(&mut self, id: &str, before: &str) -> Point {
        let field = bounds(&self.by_id(id).await);
        let found = places(before, &style(), 10_000.0, None);
        let width = found.cursor(before.len()).0.round() as i32;
        Point::new(field.left + 42 + width, field.center().y)
    }

    async fn tap_after(&mut self, id: &str, before: &str) {
        let at = self.place_after(id, before).await;
        self.touch(at).await;
    }

    pub(crate) fn type_text(&mut self, text: &str) {
        self.driver.phone_mut().type_text(text);
    }

    pub(crate) fn press(&mut self, key: Keycode) {
        self.driver.phone_mut().press_keycode(key);
    }

    pub(crate) async fn holds(&mut self, id: &str, text: &str) {
        assert_eq!(&*self.by_id(id).await.text, text);
    }
}

#[tokio::test(start_paused = true)]
async fn a_tap_puts_the_cursor_where_the_finger_is() {
    let mut world = World::yaml(FIELDS);
    world.tap_after("line", "one ").await;
    world.type_text("and ");
    world.holds("line", "one and two three").await;
    // The cursor stays behind what was typed.
    world.type_text("a ");
    world.holds("line", "one and a two three").await;
    world.key(Key::Delete).await;
    world.key(Key::Delete).await;
    world.holds("line", "one and two three").await;
    world.tap_after("line", "one and two three").await;
    world.type_text("!");
    world.holds("line", "one and two three!").await;
    world.tap_after("line", "").await;
    world.type_text("¡");
    world.holds("line", "¡one and two three!").await;
}

#[tokio::test(start_paused = true)]
async fn a_cursor_counts_what_people_count() {
    let mut world = World::yaml(FIELDS);
    world.set_text("one two three", "a👩‍💻b🇩🇪").await;
    world.tap_after("line", "a👩‍💻b🇩🇪").await;
    world.key(Key::Delete).await;
    world.holds("line", "a👩‍💻b").await;
    world.tap_after("line", "a").await;
    world.type_text("-");
    world.holds("line", "a-👩‍💻b").await;
    world.press(Keycode::ForwardDel);
    world.holds("line", "a-b").await;
}

#[tokio::test(start_paused = true)]
async fn what_is_typed_replaces_a_selection() {
    let mut world = World::yaml(FIELDS);
    // The field selects its text when it gets the focus; a tap while it has the focus puts the cursor.
    world.tap_after("all", "47").await;
    world.type_text("0");
    world.holds("all", "0").await;
    world.tap_after("all", "").await;
    world.type_text("1");
    world.holds("all", "10").await;
    // A long press selects, unless the app says what it does.
    world.act("one two three", NodeAct::LongClick).await;
    world.key(Key::Delete).await;
    world.holds("line", "Line").await;
    world.set_text("Own", "word").await;
    world.act("word", NodeAct::LongClick).await;
    world.type_text("s");
    world.holds("own", "words").await;
    // A key that moves the cursor ends the selection.
    world.act("12345", NodeAct::LongClick).await;
    world.press(Keycode::MoveEnd);
    world.type_text("x9y8");
    world.holds("number", "123459").await;
}

#[tokio::test(start_paused = true)]
async fn what_was_copied_is_pasted() {
    let mut world = World::yaml(FIELDS);
    world.tap("Copy code").await;
    assert_eq!(world.driver.phone().clipboard(), "A1-12345");
    world.tap_after("secret", "••••••").await;
    world.press(Keycode::Paste);
    world.holds("secret", &"•".repeat(14)).await;
    let json = world.driver.phone().log().to_json(Passwords::Masked);
    assert!(!json.contains("geheimA1"), "{json}");
}

#[tokio::test(start_paused = true)]
async fn the_keyboard_writes_at_the_cursor() {
    let mut world = World::yaml(FIELDS);
    world.tap_after("line", "one").await;
    world.tap("s").await;
    world.tap("Delete").await;
    world.tap("Delete").await;
    world.holds("line", "on two three").await;
    world.tap_after("notes", "").await;
    world.type_text("ab");
    world.press(Keycode::MoveHome);
    world.type_text("a");
    world.key(Key::Enter).await;
    world.holds("notes", "a\nab").await;
    world.press(Keycode::PageUp);
    world.press(Keycode::ForwardDel);
    world.type_text("0");
    world.holds("notes", "0\nab").await;
    world.press(Keycode::PageDown);
    world.press(Keycode::MoveEnd);
    world.type_text("1");
    world.holds("notes", "0\nab1").await;
}

#[tokio::test(start_paused = true)]
async fn a_long_line_shows_the_part_with_the_cursor() {
    let mut world = World::yaml(FIELDS);
    let long = "a".repeat(60);
    world.act("one two three", NodeAct::SetText(long)).await;
    let field = world.by_id("line").await;
    world.act(&field.text.clone(), NodeAct::Focus).await;
    // A tap at the right edge meets the end, for that is what is seen while the field is written.
    let at = Point::new(bounds(&field).right - 43, bounds(&field).center().y);
    world.touch(at).await;
    world.type_text("b");
    assert!(world.by_id("line").await.text.ends_with("ab"));
    // A letter that is not at the edge is met where it is seen.
    world.pass(400).await;
    world.press(Keycode::MoveHome);
    world.tap_after("line", "aaa").await;
    world.type_text("c");
    assert!(world.by_id("line").await.text.starts_with("aaacaa"));
}

#[tokio::test(start_paused = true)]
async fn many_lines_scroll_in_their_field() {
    let mut world = World::yaml(FIELDS);
    let height = bounds(&world.by_id("notes").await).height();
    world.act("Notes", NodeAct::Focus).await;
    for line in 1..=6 {
        world.type_text(&format!("line {line}\n"));
    }
    let field = world.by_id("notes").await;
    let lines = (bounds(&field).height() - height) as f32 / 2.0;
    assert!(
        (40.0..80.0).contains(&lines),
        "three lines, each {lines} high"
    );
    assert!(
        !field.is(State::SCROLLABLE),
        "a field does not say that it scrolls"
    );
    // The end is in sight: the upper line is the fifth. A tap there puts the cursor into it.
    let left = bounds(&field).left + 44;
    let top = bounds(&field).top + 42 + 20;
    world.touch(Point::new(left, top)).await;
    world.type_text(">");
    let text = "line 1\nline 2\nline 3\nline 4\n>line 5\nline 6\n";
    world.holds("notes", text).await;
    // A finger moves the lines inside of the field and nothing else.
    let place = bounds(&world.by_id("notes").await);
    world.pass(400).await;
    let middle = place.center();
    world
        .swipe((middle.x, middle.y), (middle.x, middle.y + 600))
        .await;
    world.rest().await;
    assert_eq!(bounds(&world.by_id("notes").await), place);
    world.pass(400).await;
    world.touch(Point::new(left, top)).await;
    world.type_text("^");
    world.holds("notes", &format!("^{text}")).await;
    // The cursor comes into sight when it is moved out of it.
    for _ in 0..3 {
        world.press(Keycode::PageDown);
    }
    world.pass(400).await;
    world.touch(Point::new(left, top)).await;
    world.type_text("_");
    world
        .holds(
            "notes",
            "^line 1\nline 2\nline 3\nline 4\n_>line 5\nline 6\n",
        )
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_field_has_the_focus_when_its_screen_opens() {
    let mut world = World::yaml(
        r#"
screens:
  main:
    body:
      - field: { hint: First, id: first }
      - field: { hint: Second, id: second, auto_focus: true }
      - button: { text: On, on_click: { push: next } }
  next:
    on_open: { focus: third }
    body:
      - field: { hint: Hidden, id: hidden, auto_focus: true, visible: "false" }
      - field: { hint: Third, id: third }
      - field: { hint: Fourth, id: fourth, auto_focus: true, enabled: "false" }
dialogs:
  ask: { body: [ { field: { hint: Answer, auto_focus: true } } ] }
"#,
    );
    assert!(world.by_id("second").await.is(State::FOCUSED));
    assert_eq!(
        world.see().await.tree.windows().len(),
        2,
        "with the keyboard"
    );
    world.type_text("here");
    world.holds("second", "here").await;
    world.tap("On").await;
    assert!(world.by_id("third").await.is(State::FOCUSED));
    let before = world.journal().len();
    world.key(Key::Back).await;
    world.key(Key::Back).await;
    let after = world.happened_since(before);
    assert!(
        !after.iter().any(|line| line.starts_with("focus")),
        "{after:#?}"
    );
}
