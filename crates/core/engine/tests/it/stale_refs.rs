//! Conditions and readings with a reference whose element may be another one now.

use std::time::Duration;

use driver::{Cx, Driver};
use engine::Artifacts;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use uitree::{Query, Refs};

use crate::phone::{json_of, phone, plan, run};

/// The references of a process that runs on after a plan.
pub(crate) struct PersistentRefs(pub(crate) Refs);

impl Artifacts for PersistentRefs {
    fn keep_screenshot(&mut self, _path: Option<&str>, _png: &[u8]) -> Result<String, String> {
        Err("no test takes one".to_owned())
    }

    fn refs(&self) -> Option<Refs> {
        Some(self.0.clone())
    }
}

/// `Remove` below the name of a person; after a second, it is that of another person, and after two, it is gone.
const APP: &str = "
app: com.example.people
label: People
start: home
state: { name: Ann, shown: true }
screens:
  home:
    title: People
    timers:
      - { after: 1000ms, do: [ { set: { name: \"'Bob'\" } } ] }
      - { after: 2000ms, do: [ { set: { shown: false } } ] }
    body:
      - text: { text: \"{name}\", heading: true }
      - button: { text: Remove, visible: shown, on_click: [] }
";

/// The answer to one action with the reference of `Remove` of the first person, this long after the reference was assigned.
async fn answer_after(milliseconds: u64, action: impl Fn(&str) -> Value) -> Value {
    let mut phone = phone([APP].into_iter());
    let open = json!([{"id": "open", "type": "open_app", "params": {"applicationId": "com.example.people"}}]);
    run(&mut phone, &plan(open, None)).await;
    let cx = Cx::new(Duration::from_secs(60), CancellationToken::new());
    let seen = phone.observe(&cx).await.unwrap();
    let refs = Refs::default();
    let remove = seen.tree.find(&Query::new().text("Remove")).unwrap();
    let remove = refs.lock().assign(&seen.tree).get(remove).unwrap();
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    let execution = plan(json!([action(&remove)]), None);
    let mut artifacts = PersistentRefs(refs);
    json_of(&engine::run(&mut phone, &execution, &mut artifacts, &cx, &mut |_| {}).await)
}

#[tokio::test(start_paused = true)]
async fn gone_is_not_reported_while_an_equal_element_is_shown() {
    for condition in ["gone", "gone inside", "count"] {
        let wait = |reference: &str| {
            let matcher = json!({"ref": reference});
            let is_inside = condition == "gone inside";
            let condition = match condition {
                "count" => json!({"count": {"matcher": matcher, "atMost": 0}}),
                "gone" => json!({"gone": matcher}),
                _ => json!({"gone": {"textEquals": "Remove"}}),
            };
            let mut until = json!({"anyOf": [condition], "timeoutMs": 500});
            if is_inside {
                until["container"] = matcher;
            }
            json!({"id": "w", "type": "wait_until", "params": until})
        };
        let same = answer_after(0, wait).await;
        assert_eq!(same["status"], "failed", "{same:#}");
        let other = answer_after(1100, wait).await;
        assert_eq!(other["status"], "failed", "{other:#}");
        let none = answer_after(2100, wait).await;
        assert_eq!(none["status"], "success", "{none:#}");
    }
}

#[tokio::test(start_paused = true)]
async fn reading_all_elements_of_a_stale_reference_fails() {
    let read = |reference: &str| json!({"id": "r", "type": "read_text", "params": {"matcher": {"ref": reference}, "all": true}});
    let same = answer_after(0, read).await;
    assert_eq!(
        same["stepResults"][0]["data"]["text"], "[\"Remove\"]",
        "{same:#}"
    );
    for after in [1100, 2100] {
        let stale = answer_after(after, read).await;
        assert_eq!(stale["errorCode"], "REF_STALE", "{stale:#}");
    }
}
