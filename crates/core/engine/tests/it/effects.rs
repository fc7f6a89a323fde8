//! The effect of a step is its own: not what an earlier step brought, nor what came into view on the way.

use serde_json::{Value, json};

use crate::phone::{json_of, phone, plan, run};

/// The effect and the evidence of each of these steps on the embedded phone, behind a step that opens a screen.
async fn effects(uri: &str, steps: Value) -> Vec<(String, String)> {
    let mut phone = phone([].into_iter());
    let open = json!([{ "id": "open", "type": "open_uri", "params": { "uri": uri } }]);
    let opened = json_of(&run(&mut phone, &plan(open, None)).await);
    assert_eq!(opened["status"], "success", "{opened:#}");
    let options = json!({ "observe": "none" });
    let answer = json_of(&run(&mut phone, &plan(steps, Some(options))).await);
    assert_eq!(answer["status"], "success", "{answer:#}");
    let data = |step: &Value, key: &str| step["data"][key].as_str().unwrap_or_default().to_owned();
    let results = answer["stepResults"].as_array().unwrap();
    results
        .iter()
        .map(|step| (data(step, "effect"), data(step, "evidence")))
        .collect()
}

fn step(kind: &str, params: Value) -> Value {
    json!({ "id": kind, "type": kind, "params": params })
}

fn click(text: &str) -> Value {
    step("click", json!({ "matcher": { "textEquals": text } }))
}

#[tokio::test(start_paused = true)]
async fn effect_is_not_credited_to_the_step_after_a_pause() {
    let touch = step("click", json!({ "coordinate": { "x": 400, "y": 410 } }));
    let pause = step("sleep", json!({ "durationMs": 500 }));
    let steps = json!([click("Banner"), pause, touch]);
    let found = effects("forms://dialogs", steps).await;
    assert_eq!(found[0].0, "observed", "{found:#?}");
    assert!(found[0].1.contains("A new version is here"), "{found:#?}");
    assert_ne!(found[2].0, "observed", "{found:#?}");
}

#[tokio::test(start_paused = true)]
async fn effect_is_not_credited_to_the_key_after_a_press() {
    let back = step("press_key", json!({ "key": "back" }));
    let steps = json!([click("That must be answered"), back.clone()]);
    let found = effects("forms://dialogs", steps).await;
    assert!(found[0].1.starts_with("dialog"), "{found:#?}");
    assert!(found[0].1.ends_with("opened"), "{found:#?}");
    assert!(!found[1].1.ends_with("opened"), "{found:#?}");
    let found = effects("forms://dialogs", json!([click("Alert"), back])).await;
    assert!(found[0].1.ends_with("opened"), "{found:#?}");
    assert!(found[1].1.ends_with("closed"), "{found:#?}");
}

#[tokio::test(start_paused = true)]
async fn star_of_a_mail_is_an_effect() {
    let star = json!({ "contentDescEquals": "Add star to Order 2281 is confirmed" });
    let steps = json!([step("click", json!({ "matcher": star }))]);
    let found = effects("mail://inbox", steps).await;
    let (effect, evidence) = &found[0];
    assert_eq!(effect, "observed", "{evidence}");
    assert!(evidence.starts_with("\"Add star"), "{evidence}");
    assert!(evidence.contains(" now \"Remove star"), "{evidence}");
}

#[tokio::test(start_paused = true)]
async fn refused_form_is_reported_with_the_message_that_appeared() {
    let enter = |field: &str, text: &str| {
        let matcher = json!({ "textEquals": field });
        step("enter_text", json!({ "matcher": matcher, "text": text }))
    };
    let agree = json!({ "matcher": { "textContains": "I agree" } });
    let create = json!({ "matcher": { "textEquals": "Create account" } });
    let name = json!({ "matcher": { "textContains": "Ada" } });
    let steps = json!([
        enter("Full name *", "Ada Lovelace"),
        enter("Email *", "ada-at-example"),
        enter("Password *", "engine1843"),
        step("scroll_and_click", agree),
        step("scroll_and_click", create),
        step("wait_for_node", name),
    ]);
    let found = effects("forms://registration", steps).await;
    let (effect, evidence) = &found[4];
    assert_eq!(effect, "observed", "{found:#?}");
    assert!(!evidence.contains("holds"), "{found:#?}");
    assert!(evidence.starts_with("text \""), "{found:#?}");
    assert_eq!(found[5], (String::new(), String::new()), "{found:#?}");
}

#[tokio::test(start_paused = true)]
async fn press_after_scrolling_has_its_own_effect() {
    let message = json!({ "matcher": { "textEquals": "Message with a button" } });
    let steps = json!([step("scroll_and_click", message)]);
    let found = effects("forms://dialogs", steps).await;
    assert_eq!(found[0].0, "observed", "{found:#?}");
    assert!(!found[0].1.contains("Held"), "{found:#?}");
}

#[tokio::test(start_paused = true)]
async fn keyboard_is_one_change_without_its_keys() {
    let field = step(
        "click",
        json!({ "matcher": { "textEquals": "Full name *" } }),
    );
    let back = step("press_key", json!({ "key": "back" }));
    let found = effects("forms://registration", json!([field, back])).await;
    assert_eq!(
        found[1],
        ("observed".to_owned(), "keyboard closed".to_owned())
    );
}
