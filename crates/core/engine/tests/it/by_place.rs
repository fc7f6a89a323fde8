//! Clicks on a device that taps at the bounds of a node, as the phone agent does.

use async_trait::async_trait;
use driver::{
    ActOutcome, Capabilities, Cx, Driver, DriverError, Gesture, NodeAct, NodeRef, Observation,
    Result,
};
use driver_sim::SimDriver;
use serde_json::json;

use crate::adapted::{Adapted, Adapter};
use crate::phone::{json_of, phone, plan, run};

/// A device that clicks nodes by a tap at their center in the observation that the caller names.
#[derive(Default)]
struct TapAtBoundsDevice {
    seen: Vec<Observation>,
}

fn phone_with_taps(app: &str) -> Adapted<TapAtBoundsDevice> {
    Adapted::new(phone([app].into_iter()), TapAtBoundsDevice::default())
}

#[async_trait]
impl Adapter for TapAtBoundsDevice {
    fn change_capabilities(&self, capabilities: &mut Capabilities) {
        capabilities.clicks_by_place = true;
    }

    async fn observe(&mut self, phone: &mut SimDriver, cx: &Cx) -> Result<Observation> {
        let seen = phone.observe(cx).await?;
        self.seen.push(seen.clone());
        Ok(seen)
    }

    async fn act(
        &mut self,
        phone: &mut SimDriver,
        cx: &Cx,
        node: NodeRef,
        act: &NodeAct,
    ) -> Result<ActOutcome> {
        let seen = self.seen.iter().find(|seen| seen.revision == node.revision);
        let bounds = seen.and_then(|seen| seen.tree.visible_bounds(node.node));
        match (act, bounds) {
            (NodeAct::Click, Some(bounds)) => {
                let at = bounds.center();
                phone.touch(cx, &Gesture::Tap { at }).await?;
                Ok(ActOutcome::touched(at))
            }
            (NodeAct::Click, None) => Err(DriverError::Stale),
            _ => phone.act(cx, node, act).await,
        }
    }
}

/// A list that gets a row at its top so many milliseconds after a refresh, and another one 30 ms later.
fn orders(delay: u32) -> String {
    let second = delay + 30;
    format!(
        "
app: com.example.orders
label: Orders
start: home
state: {{ got: none }}
lists: {{ orders: {{ fields: [k], entries: [ {{ k: 2 }}, {{ k: 3 }}, {{ k: 4 }} ] }} }}
screens:
  home:
    title: Orders
    body:
      - text: \"got {{got}}\"
      - button: {{ text: Refresh, on_click: [
          {{ after: {delay}ms, do: {{ append: {{ orders: {{ k: 1 }} }} }} }},
          {{ after: {second}ms, do: {{ append: {{ orders: {{ k: 1 }} }} }} }} ] }}
      - list:
          items: orders
          sort: k
          row:
            - row:
                desc: \"Order {{k}}\"
                on_click: {{ set: {{ got: \"row {{k}}\" }} }}
                children:
                  - text: {{ text: \"Order {{k}}\", grow: 1 }}
                  - button: {{ text: Delete, on_click: {{ set: {{ got: \"delete {{k}}\" }} }} }}
"
    )
}

#[tokio::test(start_paused = true)]
async fn click_follows_its_target_when_a_row_is_inserted() {
    for delay in [1, 5, 20, 40, 60] {
        let app = orders(delay);
        let mut phone = phone_with_taps(&app);
        let actions = json!([
            {"id": "open", "type": "open_app", "params": {"applicationId": "com.example.orders"}},
            {"id": "refresh", "type": "click", "params": {"matcher": {"textEquals": "Refresh"}}},
            {"id": "delete", "type": "click", "params": {
                "matcher": {"textEquals": "Delete"}, "container": {"contentDescEquals": "Order 3"}
            }},
            {"id": "got", "type": "wait_for_node", "params": {"matcher": {"textEquals": "got delete 3"}}},
        ]);
        let answer = json_of(&run(&mut phone, &plan(actions, None)).await);
        assert_eq!(answer["status"], "success", "{delay} ms: {answer:#}");
    }
}

/// A rule clicks what it is for, on the screen that it decided on.
#[tokio::test(start_paused = true)]
async fn rule_follows_its_target_when_a_row_is_inserted() {
    let app = orders(40);
    let mut phone = phone_with_taps(&app);
    let rule = json!([{
        "when": {"contentDescEquals": "Order 1"},
        "action": {"type": "click", "params": {
            "matcher": {"textEquals": "Delete"}, "container": {"contentDescEquals": "Order 3"}
        }},
        "max": 1,
        "never": [{"contentDescEquals": "Order 2"}],
    }]);
    let actions = json!([
        {"id": "open", "type": "open_app", "params": {"applicationId": "com.example.orders"}},
        {"id": "refresh", "type": "click", "params": {"matcher": {"textEquals": "Refresh"}}},
        {"id": "got", "type": "wait_for_node", "params": {"matcher": {"textEquals": "got delete 3"}}},
    ]);
    let options = json!({"interrupts": rule});
    let answer = json_of(&run(&mut phone, &plan(actions, Some(options))).await);
    assert_eq!(answer["status"], "success", "{answer:#}");
}

/// A card that is longer than the screen, below a button with the name of its own last button.
#[tokio::test(start_paused = true)]
async fn match_beyond_the_edge_is_scrolled_to_in_its_container() {
    let lines: Vec<String> = (0..40)
        .map(|line| format!("                  - text: \"line {line} of {{k}}\"\n"))
        .collect();
    let app = format!(
        "
app: com.example.cards
label: Cards
start: home
state: {{ got: none }}
lists: {{ top: {{ fields: [k], entries: [ {{ k: 1 }}, {{ k: 2 }} ] }} }}
screens:
  home:
    title: Cards
    body:
      - text: \"got {{got}}\"
      - button: {{ text: Buy, on_click: {{ set: {{ got: header }} }} }}
      - list:
          items: top
          row:
            - column:
                desc: \"Card {{k}}\"
                children:
{}                  - button: {{ text: Buy, on_click: {{ set: {{ got: \"card {{k}}\" }} }} }}
",
        lines.concat()
    );
    let mut phone = phone_with_taps(&app);
    let actions = json!([
        {"id": "open", "type": "open_app", "params": {"applicationId": "com.example.cards"}},
        {"id": "buy", "type": "click", "params": {
            "matcher": {"textEquals": "Buy"}, "container": {"contentDescEquals": "Card 1"}
        }},
        {"id": "got", "type": "wait_for_node", "params": {"matcher": {"textEquals": "got card 1"}}},
    ]);
    let answer = json_of(&run(&mut phone, &plan(actions, None)).await);
    assert_eq!(answer["status"], "success", "{answer:#}");
}
