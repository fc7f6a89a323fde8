//! Toasts and notifications.

use std::time::Duration;

use driver::{Driver, NoticeKind, SideEffect};
use driver_sim::{AppSource, SimOptions, Start};
use sim_adb::Options;
use uitree::Query;

use crate::agent_fixture::{AgentFixture, phone_with};

/// An app that says what it did in a toast and a notification, with a field and a password.
const APP: &str = r#"
app: com.example.notes
label: Notes
state: { name: "", code: "" }
start: main
screens:
  main:
    title: Notes
    body:
      - field: { id: name, bind: name, hint: Name }
      - field: { id: code, bind: code, hint: Code, password: true }
      - button: { id: save, text: Save, on_click: { toast: "Saved {name}" } }
      - button: { id: tell, text: Tell, on_click: { notify: { title: "Note", text: "It is kept" } } }
      - button: { id: more, text: More, on_click: { push: more } }
  more:
    title: More
    body:
      - button: { id: last, text: Last, on_click: { push: last } }
      - button: { id: info, text: Info, on_click: { dialog: info } }
  last:
    title: Last
    body:
      - text: "The end"
dialogs:
  info:
    title: Information
    buttons: [ { text: Understood } ]
"#;

pub(crate) async fn notes(runtime_app: bool) -> AgentFixture {
    phone_with(Options {
        sim: SimOptions {
            apps: vec![
                AppSource::BuiltIn,
                AppSource::Text {
                    name: "notes.yaml".to_owned(),
                    yaml: APP.to_owned(),
                },
            ],
            start: Start::App("com.example.notes".to_owned()),
            ..SimOptions::default()
        },
        idle: Duration::ZERO,
        runtime_app,
        ..Options::default()
    })
    .await
}

pub(crate) async fn click(driver: &mut dyn Driver, fixture: &AgentFixture, text: &str) {
    let seen = driver.observe(&fixture.cx).await.unwrap();
    let node = seen.tree.find(&Query::new().text(text)).unwrap();
    let node = seen.node_ref(node);
    let act = driver::NodeAct::Click;
    driver.act(&fixture.cx, node, &act).await.unwrap();
}

/// The side effects until there is one.
async fn noticed(driver: &mut dyn Driver) -> Vec<SideEffect> {
    let waiting = async {
        loop {
            let effects = driver.side_effects();
            if !effects.is_empty() {
                return effects;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let notified = tokio::time::timeout(Duration::from_secs(30), waiting);
    notified.await.unwrap()
}

#[tokio::test]
async fn toasts_and_notifications_are_side_effects() {
    let fixture = notes(false).await;
    let mut driver = fixture.attach().await;
    click(&mut driver, &fixture, "Save").await;
    let effects = noticed(&mut driver).await;
    let [SideEffect::Noticed(toast)] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!(toast.kind, NoticeKind::Toast);
    assert_eq!(
        (toast.app.as_str(), toast.text.as_str()),
        ("com.example.notes", "Saved")
    );
    // No observation shows it.
    let seen = driver.observe(&fixture.cx).await.unwrap();
    assert_eq!(seen.tree.find(&Query::new().text("Saved")), None);
    click(&mut driver, &fixture, "Tell").await;
    let effects = noticed(&mut driver).await;
    let [SideEffect::Noticed(notice)] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!(
        (notice.kind, notice.text.as_str()),
        (NoticeKind::Notification, "Note")
    );
    assert!(notice.at >= toast.at);
    assert!(driver.side_effects().is_empty());
}
