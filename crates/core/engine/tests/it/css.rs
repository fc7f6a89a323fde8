//! CSS selectors in matchers, on a device that supports them and on one that does not.

use std::sync::Arc;

use async_trait::async_trait;
use driver::{Capabilities, Cx, Driver, DriverError, Observation, Result};
use driver_sim::SimDriver;
use serde_json::{Value, json};
use uitree::{Mark, NodeId, UiTree};

use crate::adapted::{Adapted, Adapter};
use crate::phone::{json_of, phone, plan, run};

const LIST: &str = "
app: com.example.rows
label: Rows
start: home
state: { last: \"none\" }
data: { numbers: { repeat: 40, item: { n: \"= n\" } } }
screens:
  home:
    title: Rows
    body:
      - text: \"Last: {last}\"
        id: last
      - field: { id: name, hint: Name }
      - list: { id: list, items: numbers, row: [ { item: { title: \"Row {n}\", on_click: { set: { last: \"= n\" } } } } ] }
";

/// A device with a small selector language: `#id` is the last part of a resource id, anything else is a text; a leading bracket is
/// a syntax error.
#[derive(Default)]
struct CssDevice {
    watched: Vec<String>,
    /// The watched selectors at the beginning of each step.
    watched_by_step: Vec<Vec<String>>,
}

impl Adapted<CssDevice> {
    async fn start() -> Self {
        let mut phone = phone([LIST].into_iter());
        let open = json!([{"id": "open", "type": "open_app", "params": {"applicationId": "com.example.rows"}}]);
        assert_eq!(
            json_of(&run(&mut phone, &plan(open, None)).await)["status"],
            "success"
        );
        Self::new(phone, CssDevice::default())
    }

    async fn step(&mut self, kind: &str, params: Value) -> Value {
        let actions = json!([{"id": "step", "type": kind, "params": params}]);
        json_of(&run(self, &plan(actions, None)).await)["stepResults"][0].clone()
    }
}

fn hits(tree: &UiTree, selector: &str) -> Vec<NodeId> {
    let hit = |id: &NodeId| {
        let node = tree.node(*id);
        match selector.strip_prefix('#') {
            Some(name) => node.id.rsplit('/').next() == Some(name),
            None => &*node.text == selector,
        }
    };
    tree.ids().filter(hit).collect()
}

#[async_trait]
impl Adapter for CssDevice {
    fn change_capabilities(&self, capabilities: &mut Capabilities) {
        capabilities.css = true;
    }

    fn watch_selectors(&mut self, css: &[&str]) -> Result<()> {
        self.watched = css.iter().map(|selector| (*selector).to_owned()).collect();
        self.watched_by_step.push(self.watched.clone());
        Ok(())
    }

    async fn observe(&mut self, phone: &mut SimDriver, cx: &Cx) -> Result<Observation> {
        let mut seen = phone.observe(cx).await?;
        if let Some(bad) = self
            .watched
            .iter()
            .find(|selector| selector.starts_with('['))
        {
            return Err(DriverError::CssInvalid {
                selector: bad.clone(),
                reason: "a bracket is open".to_owned(),
            });
        }
        let marks = self.watched.iter().map(|selector| Mark {
            selector: selector.as_str().into(),
            nodes: hits(&seen.tree, selector),
        });
        let marked = UiTree::clone(&seen.tree).with_marks(marks.collect());
        seen.tree = Arc::new(marked);
        Ok(seen)
    }
}

#[tokio::test(start_paused = true)]
async fn css_selectors_work_in_every_action() {
    let mut device = Adapted::<CssDevice>::start().await;
    let step = device
        .step("click", json!({"matcher": {"css": "Row 2"}}))
        .await;
    assert_eq!(step["success"], true, "{step:#}");
    let last = json!({"matcher": {"css": "#last"}});
    let step = device.step("read_text", last.clone()).await;
    assert_eq!(step["data"]["text"], "Last: 2", "{step:#}");
    let params =
        json!({"matcher": {"css": "Row 30"}, "container": {"css": "#list"}, "clickAfter": true});
    let step = device.step("scroll_until", params).await;
    assert_eq!(step["success"], true, "{step:#}");
    let step = device.step("read_text", last).await;
    assert_eq!(step["data"]["text"], "Last: 30", "{step:#}");
    let params = json!({"matcher": {"css": "#name", "role": "textfield"}, "text": "Ada"});
    let step = device.step("enter_text", params).await;
    assert_eq!(step["success"], true, "{step:#}");
    let pair = json!({"expectedNode": {"css": "#name"}, "timeoutMs": 1000});
    let step = device.step("wait_for_navigation", pair).await;
    assert_eq!(step["success"], true, "{step:#}");
}

#[tokio::test(start_paused = true)]
async fn each_step_sets_its_own_selectors() {
    let mut device = Adapted::<CssDevice>::start().await;
    let actions = json!([
        {"id": "a", "type": "wait_for_node", "params": {"matcher": {"css": "#list"}, "container": {"css": "#list"}}},
        {"id": "b", "type": "snapshot_ui"},
        {"id": "c", "type": "scroll", "params": {"direction": "down", "container": {"css": "#list"}}},
    ]);
    let answer = json_of(&run(&mut device, &plan(actions, None)).await);
    assert_eq!(answer["status"], "success", "{answer:#}");
    assert_eq!(
        device.adapter.watched_by_step,
        [vec!["#list"], vec![], vec!["#list"]]
    );
}

#[tokio::test(start_paused = true)]
async fn unmatched_selector_is_reported_with_near_misses() {
    let mut device = Adapted::<CssDevice>::start().await;
    let matcher = json!({"css": "Row 3", "textEquals": "Row 2"});
    let once = json!({"maxAttempts": 1});
    let step = device
        .step("click", json!({"matcher": matcher, "retry": once}))
        .await;
    assert_eq!(step["data"]["error"], "NODE_NOT_FOUND", "{step:#}");
    let near = step["data"]["near_misses"].as_str().unwrap();
    assert!(
        near.contains("the selector \\\"Row 3\\\" does not match it"),
        "{near}"
    );
    assert!(
        near.contains("text is \\\"Row 3\\\", not \\\"Row 2\\\""),
        "{near}"
    );
    let step = device
        .step("click", json!({"matcher": {"css": "#none"}, "retry": once}))
        .await;
    assert_eq!(step["data"]["near_misses"], "[]", "{step:#}");
    let params = json!({"matcher": {"css": "Row 2"}, "container": {"css": "#none"}, "retry": once});
    let step = device.step("click", params).await;
    assert_eq!(step["data"]["error"], "CONTAINER_NOT_FOUND", "{step:#}");
}

#[tokio::test(start_paused = true)]
async fn invalid_selector_is_refused_before_acting() {
    let mut device = Adapted::<CssDevice>::start().await;
    for (kind, more) in [
        ("click", json!({})),
        ("enter_text", json!({"text": "x"})),
        ("wait_for_node", json!({"timeoutMs": 5000})),
    ] {
        let mut params = json!({"matcher": {"css": "[x"}});
        params
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let step = device.step(kind, params).await;
        assert_eq!(step["data"]["error"], "CSS_INVALID", "{step:#}");
        assert_eq!(
            step["data"]["message"],
            "[x is no CSS selector: a bracket is open"
        );
        assert_eq!(step["data"]["elapsed_ms"], "0");
    }
}
