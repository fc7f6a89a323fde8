//! The text of a password field appears in no answer, however the step ends.

use std::time::Duration;

use driver::Cx;
use driver_sim::SimDriver;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::phone::{Album, json_of, phone, plan, run};

const SECRET: &str = "hunter2-Straße";

const VAULT: &str = "
app: com.example.vault
label: Vault
start: home
state: { short: \"\", long: \"\", old: \"hunter2\" }
screens:
  home:
    title: Vault
    body:
      - field: { id: long, hint: \"Password\", password: true, bind: long }
      - field: { id: short, hint: \"PIN\", password: true, bind: short, max_length: 4 }
      - field: { id: old, hint: \"Old\", password: true, bind: old }
      - field: { id: off, hint: \"Off\", password: true, enabled: \"false\" }
      - field: { id: gone, hint: \"Gone\", password: true, on_change: { push: next } }
      - field: { id: sent, hint: \"Sent\", password: true, on_submit: { push: next } }
      - text: \"No field\"
        id: text
  next:
    title: Next
    body: [ { text: \"Next\" } ]
";

async fn vault() -> SimDriver {
    let mut phone = phone([VAULT].into_iter());
    let open = json!([{"id": "open", "type": "open_app",
        "params": {"applicationId": "com.example.vault"}}]);
    assert_eq!(
        json_of(&run(&mut phone, &plan(open, None)).await)["status"],
        "success"
    );
    phone
}

/// Enters the secret into the node with this id, then reads the screen in every way.
fn enter(id: &str, more: Value) -> Value {
    let mut params = json!({
        "matcher": {"resourceId": format!("com.example.vault:id/{id}")},
        "text": SECRET,
        "retry": {"maxAttempts": 2, "initialDelayMs": 100},
    });
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    json!([
        {"id": "start", "type": "start_recording"},
        {"id": "enter", "type": "enter_text", "params": params},
        {"id": "snap", "type": "snapshot_ui"},
        {"id": "read", "type": "read_text", "params":
            {"matcher": {"role": "textfield"}, "all": true}},
        {"id": "near", "type": "click", "params":
            {"matcher": {"role": "textfield", "textEquals": "•••••"}, "retry": {"maxAttempts": 1}}},
        {"id": "stop", "type": "stop_recording"},
    ])
}

/// The result of entering the secret: `ok`, or the error code.
async fn outcome(id: &str, more: Value) -> String {
    let mut phone = vault().await;
    let execution = plan(enter(id, more), Some(json!({"onFailure": "continue"})));
    let mut events = String::new();
    let cx = Cx::new(Duration::from_secs(60), CancellationToken::new());
    let report = engine::run(
        &mut phone,
        &execution,
        &mut Album::default(),
        &cx,
        &mut |event| {
            if let engine::Event::StepEnded { result, .. } = event {
                events.push_str(&format!("{result:?}"));
            }
        },
    )
    .await;
    let answer = json_of(&report);
    let recording = answer["stepResults"][5]["data"]["filePath"].as_str();
    let recorded = std::fs::read_to_string(recording.unwrap()).unwrap();
    for text in [answer.to_string(), format!("{report:?}"), events, recorded] {
        for secret in [SECRET, "hunter2", "Straße"] {
            assert!(!text.contains(secret), "{id}: {text}");
        }
    }
    let data = &answer["stepResults"][1]["data"];
    data["error"].as_str().unwrap_or("ok").to_owned()
}

#[tokio::test(start_paused = true)]
async fn password_appears_in_no_answer() {
    assert_eq!(outcome("long", json!({})).await, "ok");
    assert_eq!(outcome("long", json!({"submit": true})).await, "ok");
    assert_eq!(outcome("sent", json!({"submit": true})).await, "ok");
    assert_eq!(outcome("old", json!({"clear": false})).await, "ok");
    assert_eq!(outcome("short", json!({})).await, "TEXT_NOT_ENTERED");
    assert_eq!(outcome("off", json!({})).await, "TEXT_NOT_ENTERED");
    assert_eq!(outcome("gone", json!({})).await, "TEXT_NOT_ENTERED");
    assert_eq!(outcome("text", json!({})).await, "TEXT_NOT_ENTERED");
    assert_eq!(outcome("none", json!({})).await, "NODE_NOT_FOUND");
}

#[tokio::test(start_paused = true)]
async fn cancelled_password_entry_does_not_reveal_it() {
    let mut phone = vault().await;
    let enter = json!([{"id": "enter", "type": "enter_text", "params": {
        "matcher": {"resourceId": "com.example.vault:id/late"}, "text": SECRET}}]);
    let execution = plan(enter, Some(json!({"timeoutMs": 1_000})));
    let report = run(&mut phone, &execution).await;
    let answer = json_of(&report);
    assert_eq!(answer["code"], "RESULT_ENVELOPE_TIMEOUT");
    assert!(!answer.to_string().contains(SECRET), "{answer:#}");
    assert!(!format!("{report:?}").contains(SECRET));
}
