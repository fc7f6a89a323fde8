//! References and changes in a process that stays.

use serde_json::{Value, json};
use service::Service;

use crate::{execute, options};

fn staying() -> Service {
    let mut options = options();
    options.gives_refs = true;
    Service::new(options)
}

/// The answer to these actions on the embedded phone.
async fn answer(service: &Service, observe: Option<&str>, actions: Value) -> Value {
    let mut plan = testkit::plan("c", actions);
    if let Some(observe) = observe {
        plan["observe"] = observe.into();
    }
    let parsed = contract::Execution::from_value(&plan).unwrap();
    execute(service, Some("sim"), parsed).await.unwrap()
}

fn step(answer: &Value, at: usize) -> &Value {
    &answer["envelope"]["stepResults"][at]
}

/// The reference at the end of the first line with these words.
fn reference(screen: &str, words: &str) -> String {
    let line = screen.lines().find(|line| line.contains(words));
    let line = line.unwrap_or_else(|| panic!("no {words} in\n{screen}"));
    let last = line.rsplit(' ').next().unwrap();
    assert!(last.starts_with('e'), "{line}");
    last.to_owned()
}

fn snapshot() -> Value {
    json!({ "id": "s", "type": "snapshot_ui", "params": { "view": "text" } })
}

fn click(reference: &str) -> Value {
    json!({ "id": "c", "type": "click", "params": { "matcher": { "ref": reference } } })
}

fn settings() -> Value {
    json!({ "id": "o", "type": "open_app", "params": { "applicationId": "com.android.settings" } })
}

#[tokio::test(start_paused = true)]
async fn reference_is_used_by_a_later_plan_and_stays_the_same() {
    let service = staying();
    let seen = answer(&service, None, json!([settings(), snapshot()])).await;
    let screen = step(&seen, 1)["data"]["text"].as_str().unwrap();
    let again = answer(&service, None, json!([snapshot()])).await;
    assert_eq!(step(&again, 0)["data"]["text"], screen);
    let row = reference(screen, "\"Sounds and vibration\"");
    let clicked = answer(&service, Some("diff"), json!([click(&row)])).await;
    assert_eq!(step(&clicked, 0)["success"], true, "{clicked}");
    let data = &step(&clicked, 0)["data"];
    assert_eq!(data["effect"], "observed", "{clicked}");
    assert!(
        data["evidence"]
            .as_str()
            .unwrap()
            .contains("Sounds and vibration"),
        "{clicked}"
    );
    let new = clicked["envelope"]["screen"].as_str().unwrap();
    assert!(new.contains(" e"), "{new}");
    // The row is gone: nothing else is clicked in its place.
    let stale = answer(&service, None, json!([click(&row)])).await;
    assert_eq!(stale["envelope"]["errorCode"], "REF_STALE", "{stale}");
    let message = step(&stale, 0)["data"]["message"].as_str().unwrap();
    assert!(
        message.ends_with("; this is screen \"Sounds and vibration\""),
        "{message}"
    );
    let back = json!({ "id": "b", "type": "press_key", "params": { "key": "back" } });
    let wait =
        json!({ "id": "w", "type": "wait_for_node", "params": { "matcher": { "ref": row } } });
    let returned = answer(&service, None, json!([back, wait, click(&row)])).await;
    assert_eq!(returned["envelope"]["status"], "success", "{returned}");
}

#[tokio::test(start_paused = true)]
async fn changes_are_lines_with_references() {
    let service = staying();
    let seen = answer(&service, Some("screen"), json!([settings()])).await;
    let screen = seen["envelope"]["screen"].as_str().unwrap();
    let data = &step(&seen, 0)["data"];
    assert_eq!(
        data["effect"], "unknown",
        "there was no screen before: {seen}"
    );
    let more = json!([{ "id": "s", "type": "scroll", "params": { "direction": "down" } }]);
    let scrolled = answer(&service, Some("diff"), more).await;
    let envelope = &scrolled["envelope"];
    assert_eq!(
        step(&scrolled, 0)["data"]["effect"],
        "observed",
        "{scrolled}"
    );
    let text = envelope["changes"]
        .as_str()
        .or(envelope["screen"].as_str())
        .unwrap();
    assert!(text.lines().any(|line| line.contains(" e")), "{text}");
    let nothing = json!([{ "id": "s", "type": "sleep", "params": { "durationMs": 1 } }]);
    let slept = answer(&service, Some("diff"), nothing.clone()).await;
    assert_eq!(slept["envelope"]["changes"], "", "{slept}");
    assert_eq!(step(&slept, 0)["data"].get("effect"), None, "{slept}");
    let unasked = answer(&service, None, nothing).await;
    assert_eq!(unasked["envelope"].get("changes"), None, "{unasked}");
    assert_ne!(screen, "");
}

#[tokio::test(start_paused = true)]
async fn unknown_reference_and_process_without_references_are_refused() {
    let service = staying();
    let unknown = answer(&service, None, json!([click("e9999")])).await;
    assert_eq!(unknown["envelope"]["errorCode"], "REF_STALE", "{unknown}");
    let one_shot = Service::new(options());
    let refused = answer(&one_shot, None, json!([click("e1")])).await;
    assert_eq!(
        refused["envelope"]["errorCode"], "REF_NOT_AVAILABLE",
        "{refused}"
    );
    let seen = answer(&one_shot, None, json!([settings(), snapshot()])).await;
    let screen = step(&seen, 1)["data"]["text"].as_str().unwrap();
    assert!(
        !screen.lines().any(|line| line.ends_with(" e1")),
        "{screen}"
    );
}

#[tokio::test(start_paused = true)]
async fn marks_of_a_screenshot_are_the_references_of_the_text_view() {
    let service = staying();
    let shot = json!({ "id": "m", "type": "take_screenshot", "params": { "marks": true } });
    let plain = json!({ "id": "p", "type": "take_screenshot" });
    let seen = answer(&service, None, json!([settings(), snapshot(), shot, plain])).await;
    let screen = step(&seen, 1)["data"]["text"].as_str().unwrap();
    let is_reference = |word: &&str| {
        let number = word.strip_prefix('e').unwrap_or_default();
        !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit())
    };
    let references = screen.split_whitespace().filter(is_reference).count();
    let marked = &step(&seen, 2)["data"];
    assert_eq!(
        marked["marks"],
        references.to_string(),
        "{marked}\n{screen}"
    );
    let plain = &step(&seen, 3)["data"];
    assert_eq!(marked["width"], plain["width"], "{seen}");
    let bytes = |data: &Value| std::fs::read(data["path"].as_str().unwrap()).unwrap();
    assert_ne!(bytes(marked), bytes(plain));
    // Drawing gives no new references.
    let again = answer(&service, None, json!([snapshot()])).await;
    assert_eq!(step(&again, 0)["data"]["text"], screen);
}
