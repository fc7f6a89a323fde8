//! The journal: its entries, its size limit and its JSON form.

use driver::NodeAct;
use driver_sim::journal::{Event, Passwords, Retention};
use driver_sim::{Keycode, SimOptions, Start};
use expect_test::expect;
use serde_json::Value;
use uitree::Point;

use crate::fixture::{Fixture, SHOP, with_id};

const FORM: &str = "
state: { pin: \"\", copy: \"\" }
screens:
  main:
    title: Form
    body:
      - field: { id: pin, bind: pin, password: true }
      - button: { text: Go, id: go, on_click: { set: { copy: \"= pin\" } } }
      - text: { text: \"{copy}\", id: copy }
";

async fn with_password() -> Fixture {
    let mut fixture = Fixture::yaml(FORM);
    let seen = fixture.see().await;
    let field = with_id(&seen, "pin")[0].bounds.unwrap().center();
    fixture.touch(field).await;
    let seen = fixture.see().await;
    let field = seen
        .tree
        .ids()
        .find(|id| seen.tree.node(*id).id.ends_with(":id/pin"))
        .unwrap();
    let text = NodeAct::SetText("opensesame".to_owned());
    fixture
        .driver_act(seen.node_ref(field), text)
        .await
        .unwrap();
    // A key of the on-screen keyboard.
    fixture.touch(Point::new(540, 1900)).await;
    fixture.act("Go", NodeAct::Click).await;
    fixture
}

#[tokio::test(start_paused = true)]
async fn passwords_are_masked_by_default() {
    let fixture = with_password().await;
    let log = fixture.driver.phone().log();
    let masked = log.to_json(Passwords::Masked);
    assert!(!masked.contains("opensesame"), "{masked}");
    assert!(masked.contains("\"masked\":true"), "{masked}");
    let clear = log.to_json(Passwords::ClearText);
    assert!(clear.matches("opensesame").count() >= 3, "{clear}");
    let typed = clear.lines().filter(|line| line.contains("touch_down"));
    assert!(typed.count() > 1, "{clear}");
}

/// An app that shows a password elsewhere while it is typed.
const ECHO: &str = "
state: { pin: \"\", copy: \"\" }
screens:
  main:
    title: Form
    body:
      - field: { id: pin, bind: pin, password: true, on_change: { set: { copy: \"= pin\" } } }
      - text: { text: \"{copy}\", id: copy }
      - button: { text: \"{copy}\", id: go, on_click: { toast: \"{copy}\" } }
";

#[tokio::test(start_paused = true)]
async fn typed_password_leaves_no_trace() {
    let mut fixture = Fixture::yaml(ECHO);
    let seen = fixture.see().await;
    let field = with_id(&seen, "pin")[0].bounds.unwrap().center();
    fixture.touch(field).await;
    let password = "wqzkvxyj";
    for end in 1..=password.len() {
        fixture
            .driver
            .phone_mut()
            .type_text(&password[end - 1..end]);
        let button = with_id(&fixture.see().await, "go")[0].bounds.unwrap();
        fixture.touch(button.center()).await;
    }
    let log = fixture.driver.phone().log();
    let clear = log.to_json(Passwords::ClearText);
    assert!(clear.matches(password).count() >= 3, "{clear}");
    let masked = log.to_json(Passwords::Masked);
    for from in 0..=password.len() - 3 {
        // The first three were once the whole text, which is too short to be masked.
        let piece = &password[from..from + 3];
        assert!(from == 0 || !masked.contains(piece), "{piece}: {masked}");
    }
    assert!(!masked.contains(&password[..4]), "{masked}");
}

#[tokio::test(start_paused = true)]
async fn journal_line_has_event_place_and_time() {
    let fixture = with_password().await;
    let lines = fixture.driver.phone().log().to_json(Passwords::Masked);
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(line["seq"], number);
        assert!(line["ms"].is_number() && line["kind"].is_string(), "{line}");
    }
    let click = lines.iter().rfind(|line| line["kind"] == "click").unwrap();
    let mut click = click.clone();
    let bounds = click["widget"]["bounds"].take();
    assert_eq!(bounds.as_array().map(Vec::len), Some(4), "{bounds}");
    click["seq"] = Value::Null;
    expect![[r#"{"seq":null,"ms":0,"kind":"click","by":"accessibility","widget":{"app":"com.test.app","screen":"main","id":"com.test.app:id/go","name":"Go","window":2,"bounds":null}}"#]]
        .assert_eq(&click.to_string());
}

#[tokio::test(start_paused = true)]
async fn limited_journal_can_be_queried() {
    let mut fixture = Fixture::with(SimOptions {
        start: Start::App(SHOP.to_owned()),
        journal: Retention::Last(20),
        ..SimOptions::default()
    });
    for _ in 0..100 {
        fixture.touch(Point::new(540, 100)).await;
    }
    let log = fixture.driver.phone().log();
    assert_eq!(fixture.driver.phone().journal().len(), 20);
    assert!(log.next_index() > 200);
    let mark = log.next_index();
    fixture.touch(Point::new(540, 1302)).await;
    let log = fixture.driver.phone().log();
    assert!(log.since(mark).all(|(number, _)| number >= mark));
    let swallowed = log
        .since(mark)
        .any(|(_, entry)| matches!(entry.what, Event::Swallowed(_)));
    assert!(swallowed);
    assert_eq!(log.clicks(mark).count(), 0);
}

#[tokio::test(start_paused = true)]
async fn pasted_password_leaves_no_trace() {
    let mut fixture = Fixture::yaml(
        r#"
state: { secret: geheim }
screens:
  main:
    body:
      - field: { id: secret, bind: secret, password: true }
      - button: { text: "Copy", on_click: { copy: "A1-12345" } }
"#,
    );
    fixture.tap("Copy").await;
    assert_eq!(fixture.driver.phone().clipboard(), "A1-12345");
    fixture.act("••••••", NodeAct::Focus).await;
    fixture.driver.phone_mut().press_keycode(Keycode::Paste);
    assert!(fixture.shows(&"•".repeat(14)).await);
    let json = fixture.driver.phone().log().to_json(Passwords::Masked);
    assert!(!json.contains("geheimA1"), "{json}");
}
