//! What a rule for interruptions changes is no effect of a step.

use serde_json::json;

use crate::phone::{json_of, phone_of, plan, run};

const SHOP: &str = r#"
app: com.example.shop
label: Shop
start: home
state: { bought: 0 }
screens:
  home:
    title: Shop
    on_open: [ { dialog: cookies } ]
    body:
      - text: { text: "{bought} bought", id: bought }
      - button: { text: Buy, id: buy, on_click: { set: { bought: "= bought + 1" } } }
      - button: { text: Nothing, id: nothing, on_click: [] }
dialogs:
  cookies:
    title: "We use cookies"
    buttons: [ { text: Reject }, { text: Accept } ]
"#;

#[tokio::test(start_paused = true)]
async fn closed_dialog_is_no_evidence_of_a_press_without_effect() {
    let mut phone = phone_of([SHOP].into_iter(), 0);
    let open = json!([{ "id": "open", "type": "open_app", "params": { "applicationId": "com.example.shop" } }]);
    assert_eq!(
        json_of(&run(&mut phone, &plan(open, None)).await)["status"],
        "success"
    );
    let press = json!([
        { "id": "nothing", "type": "click", "params": { "matcher": { "textEquals": "Nothing" } } },
        { "id": "buy", "type": "click", "params": { "matcher": { "textEquals": "Buy" } } },
    ]);
    let accept = json!({ "type": "click", "params": { "matcher": { "textEquals": "Accept" } } });
    let options = json!({
        "observe": "diff",
        "interrupts": [{ "when": { "textEquals": "We use cookies" }, "action": accept }],
    });
    let answer = json_of(&run(&mut phone, &plan(press, Some(options))).await);
    assert_eq!(answer["interrupts"][0]["outcome"], "done", "{answer:#}");
    let effect = |step: usize| &answer["stepResults"][step]["data"]["effect"];
    assert_ne!(effect(0), "observed", "{answer:#}");
    assert_eq!(effect(1), "observed", "{answer:#}");
}
