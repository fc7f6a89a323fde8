//! Editing a text: the cursor, what is selected, and the clipboard.

use draw::{TextRole, Theme, caret};
use driver::{Key, NodeAct};
use driver_sim::Keycode;
use driver_sim::journal::Passwords;
use uitree::{Node, Point, State};

use crate::world::{World, bounds, run, with_id};

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
      - button: { id: select, text: "Select", on_click: { select_all: line } }
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
        let width = caret(before, &style(), None).0.round() as i32;
        Point::new(field.left + 42 + width, field.center().y)
    }

    async fn tap_after(&mut self, id: &str, before: &str) {
        let at = self.place_after(id, before).await;
        self.touch(at).await.unwrap();
        // The next tap is no second one.
        self.pass(400).await;
    }

    async fn double_tap_after(&mut self, id: &str, before: &str) {
        let at = self.place_after(id, before).await;
        self.touch(at).await.unwrap();
        self.pass(100).await;
        // The keyboard may have moved the field.
        let at = self.place_after(id, before).await;
        self.touch(at).await.unwrap();
        self.pass(400).await;
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

#[test]
fn a_tap_puts_the_cursor_where_the_finger_is() {
    run(async {
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
    });
}

#[test]
fn keys_move_the_cursor() {
    run(async {
        let mut world = World::yaml(FIELDS);
        world.tap_after("line", "one two three").await;
        for _ in 0..5 {
            world.press(Keycode::DpadLeft);
        }
        world.type_text("->");
        world.holds("line", "one two ->three").await;
        world.press(Keycode::MoveHome);
        world.press(Keycode::ForwardDel);
        world.press(Keycode::DpadRight);
        world.type_text("é");
        world.holds("line", "née two ->three").await;
        world.press(Keycode::MoveEnd);
        world.key(Key::Delete).await;
        world.press(Keycode::ForwardDel);
        world.holds("line", "née two ->thre").await;
        world.press(Keycode::SelectAll);
        world.type_text("new");
        world.holds("line", "new").await;
    });
}

#[test]
fn a_cursor_counts_what_people_count() {
    run(async {
        let mut world = World::yaml(FIELDS);
        world
            .act("one two three", NodeAct::SetText("a👩‍💻b🇩🇪".to_owned()))
            .await
            .unwrap();
        world.tap_after("line", "a👩‍💻b🇩🇪").await;
        world.key(Key::Delete).await;
        world.holds("line", "a👩‍💻b").await;
        world.press(Keycode::DpadLeft);
        world.press(Keycode::DpadLeft);
        world.type_text("-");
        world.holds("line", "a-👩‍💻b").await;
        world.press(Keycode::ForwardDel);
        world.holds("line", "a-b").await;
    });
}

#[test]
fn double_tap_selects_a_word() {
    run(async {
        let mut world = World::yaml(FIELDS);
        world.double_tap_after("line", "one t").await;
        let journal = world.happened_since(0);
        assert!(
            journal
                .iter()
                .any(|line| line.starts_with("select 4 to 7:")),
            "{journal:#?}"
        );
        world.press(Keycode::Cut);
        world.holds("line", "one  three").await;
        assert_eq!(world.driver.phone().clipboard(), "two");
        // What was cut out goes in where the cursor is now.
        world.press(Keycode::MoveEnd);
        world.type_text(" ");
        world.press(Keycode::Paste);
        world.holds("line", "one  three two").await;
    });
}

#[test]
fn typing_replaces_the_selection() {
    run(async {
        let mut world = World::yaml(FIELDS);
        world.double_tap_after("line", "one t").await;
        world.type_text("2");
        world.holds("line", "one 2 three").await;
        world.double_tap_after("line", "o").await;
        world.key(Key::Delete).await;
        world.holds("line", " 2 three").await;
        // The driver's way of entering text replaces everything, whatever is selected.
        world.double_tap_after("line", " 2 t").await;
        world
            .act(" 2 three", NodeAct::SetText("whole".to_owned()))
            .await
            .unwrap();
        world.holds("line", "whole").await;
        world.tap_after("line", "").await;
        world
            .act("whole", NodeAct::AppendText(" text".to_owned()))
            .await
            .unwrap();
        world.holds("line", "whole text").await;
        world.type_text(".");
        world.holds("line", "whole text.").await;
    });
}

#[test]
fn holding_a_field_selects_the_word() {
    run(async {
        let mut world = World::yaml(FIELDS);
        let at = world.place_after("line", "one two th").await;
        world.driver.phone_mut().touch_down(at);
        world.pass(450).await;
        world.driver.phone_mut().touch_up(at);
        world.press(Keycode::Copy);
        assert_eq!(world.driver.phone().clipboard(), "three");
        world.type_text("3");
        world.holds("line", "one two 3").await;
    });
}

#[test]
fn accessibility_long_click_selects_the_word() {
    run(async {
        let mut world = World::yaml(FIELDS);
        world
            .act("one two three", NodeAct::LongClick)
            .await
            .unwrap();
        world.press(Keycode::Copy);
        assert_eq!(world.driver.phone().clipboard(), "three");
    });
}

#[test]
fn on_long_click_prevents_selection() {
    run(async {
        let mut world = World::yaml(FIELDS);
        world
            .act("Own", NodeAct::SetText("word".to_owned()))
            .await
            .unwrap();
        world.act("word", NodeAct::LongClick).await.unwrap();
        assert!(world.shows("line: one two three, notes: , held: yes").await);
    });
}

#[test]
fn a_password_cannot_be_copied() {
    run(async {
        let mut world = World::yaml(FIELDS);
        world.double_tap_after("secret", "••").await;
        world.press(Keycode::Copy);
        world.press(Keycode::Cut);
        assert_eq!(world.driver.phone().clipboard(), "");
        world.holds("secret", "••••••").await;
        world.press(Keycode::DpadRight);
        world.type_text("nis");
        world.press(Keycode::DpadLeft);
        world.press(Keycode::DpadLeft);
        world.press(Keycode::DpadLeft);
        world.key(Key::Delete).await;
        world.holds("secret", "••••••••").await;
        let json = world.driver.phone().log().to_json(Passwords::Masked);
        assert!(
            !json.contains("geheinis") && !json.contains("geheimnis"),
            "{json}"
        );
        // It can be replaced by what was copied elsewhere.
        world.tap("Copy code").await;
        world.double_tap_after("secret", "••").await;
        world.press(Keycode::Paste);
        world.holds("secret", "••••••••").await;
        assert!(
            world
                .happened_since(0)
                .iter()
                .any(|line| line.contains("\"A1-12345\""))
        );
    });
}

#[test]
fn select_on_focus_selects_the_whole_text() {
    run(async {
        let mut world = World::yaml(FIELDS);
        world.tap_after("all", "47").await;
        world.type_text("0");
        world.holds("all", "0").await;
        world.type_text("8");
        world.holds("all", "08").await;
        // A tap while it has the focus puts the cursor.
        world.tap_after("all", "0").await;
        world.type_text("1");
        world.holds("all", "018").await;
        world.act("Select", NodeAct::Click).await.unwrap();
        assert!(world.by_id("line").await.is(State::FOCUSED));
        world.type_text("gone");
        world.holds("line", "gone").await;
    });
}

#[test]
fn number_field_filters_and_limits_input() {
    run(async {
        let mut world = World::yaml(FIELDS);
        world.tap_after("number", "12").await;
        world.type_text("x9y8");
        world.holds("number", "129345").await;
        // A number is selected as a whole.
        world.double_tap_after("number", "1").await;
        world.press(Keycode::Cut);
        world.holds("number", "Number").await;
        assert_eq!(world.driver.phone().clipboard(), "129345");
    });
}

#[test]
fn the_keyboard_writes_at_the_cursor() {
    run(async {
        let mut world = World::yaml(FIELDS);
        world.tap_after("line", "one").await;
        world.tap("s").await;
        world.tap("Delete").await;
        world.tap("Delete").await;
        world.holds("line", "on two three").await;
        world.tap_after("notes", "").await;
        world.type_text("ab");
        world.press(Keycode::DpadLeft);
        world.key(Key::Enter).await;
        world.holds("notes", "a\nb").await;
        world.press(Keycode::DpadUp);
        world.type_text("0");
        world.holds("notes", "0a\nb").await;
        world.press(Keycode::DpadDown);
        world.press(Keycode::MoveEnd);
        world.type_text("1");
        world.holds("notes", "0a\nb1").await;
    });
}

#[test]
fn a_long_line_shows_the_part_with_the_cursor() {
    run(async {
        let mut world = World::yaml(FIELDS);
        let long = "a".repeat(60);
        world
            .act("one two three", NodeAct::SetText(long))
            .await
            .unwrap();
        let field = world.by_id("line").await;
        world
            .act(&field.text.clone(), NodeAct::Focus)
            .await
            .unwrap();
        // A tap at the right edge meets the end, for that is what is seen while the field is written.
        let at = Point::new(bounds(&field).right - 43, bounds(&field).center().y);
        world.touch(at).await.unwrap();
        world.type_text("b");
        assert!(world.by_id("line").await.text.ends_with("ab"));
        // A letter that is not at the edge is met where it is seen.
        world.pass(400).await;
        world.press(Keycode::MoveHome);
        world.tap_after("line", "aaa").await;
        world.type_text("c");
        assert!(world.by_id("line").await.text.starts_with("aaacaa"));
    });
}

#[test]
fn many_lines_scroll_in_their_field() {
    run(async {
        let mut world = World::yaml(FIELDS);
        let height = bounds(&world.by_id("notes").await).height();
        world.act("Notes", NodeAct::Focus).await.unwrap();
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
        world.touch(Point::new(left, top)).await.unwrap();
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
        world.touch(Point::new(left, top)).await.unwrap();
        world.type_text("^");
        world.holds("notes", &format!("^{text}")).await;
        // The cursor comes into sight when it is moved out of it.
        for _ in 0..6 {
            world.press(Keycode::DpadDown);
        }
        world.pass(400).await;
        world.touch(Point::new(left, top)).await.unwrap();
        world.type_text("_");
        world
            .holds(
                "notes",
                "^line 1\nline 2\nline 3\nline 4\n_>line 5\nline 6\n",
            )
            .await;
    });
}

#[test]
fn a_field_has_the_focus_when_its_screen_opens() {
    run(async {
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
    });
}
