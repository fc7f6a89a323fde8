//! Pace of a real phone: an observation takes 1.6 seconds, because it waits for a second of idle screen, and
//! an input 0.3 seconds.

use std::time::Duration;

use contract::Execution;
use driver_sim::{PaceChoice, SimDriver, SimOptions, Start};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::phone::{json_of, options_of, plan, run};

/// The duration of an input.
const INPUT: Duration = Duration::from_millis(300);
/// The duration of an observation of an idle screen.
const LOOK: Duration = Duration::from_millis(1600);

/// A phone at the pace of the stock driver.
struct Paced(SimDriver);

impl Paced {
    /// A phone with this app in front.
    fn with(app: &str) -> Self {
        let phone = SimDriver::new(SimOptions {
            pace: PaceChoice::Phone,
            start: Start::App("com.example.pace".to_owned()),
            ..options_of([app].into_iter(), 0)
        })
        .unwrap();
        Self(phone)
    }

    /// Runs a plan; returns the answer, the number of observations and the time.
    async fn run(&mut self, execution: &Execution) -> (Value, u32, Duration) {
        let (looks, started) = (self.0.observations(), Instant::now());
        let answer = json_of(&run(&mut self.0, execution).await);
        (answer, self.0.observations() - looks, started.elapsed())
    }

    /// Runs one step; returns its result, the number of observations and the time.
    async fn step(&mut self, kind: &str, params: Value) -> (Value, u32, Duration) {
        let actions = json!([{"id": "step", "type": kind, "params": params}]);
        let (answer, looks, took) = self.run(&plan(actions, None)).await;
        (answer["stepResults"][0].clone(), looks, took)
    }
}

const FORM: &str = "
app: com.example.pace
label: Pace
start: home
state: { name: \"\", sent: 0 }
screens:
  home:
    title: Pace
    body:
      - field: { id: name, hint: \"Name\", bind: name }
      - button: { text: Send, id: send, on_click: { set: { sent: \"= sent + 1\" } } }
      - button: { text: Never, id: never, enabled: \"false\" }
      - text: \"Sent {sent}\"
        id: sent
";

const ROWS: &str = "
app: com.example.pace
label: Pace
start: home
data: { numbers: { repeat: 900, item: { n: \"= n\" } } }
screens:
  home:
    title: Pace
    body:
      - list: { id: list, items: numbers, row: [ { item: \"Row {n}\" } ] }
";

/// A screen on which a text appears after this many seconds.
fn late(seconds: &str) -> String {
    format!(
        "
app: com.example.pace
label: Pace
start: home
state: {{ there: false }}
screens:
  home:
    title: Pace
    timers: [ {{ after: {seconds}s, do: [ {{ set: {{ there: true }} }} ] }} ]
    body:
      - text: \"Ready\"
        visible: there
"
    )
}

#[tokio::test(start_paused = true)]
async fn missing_node_is_reported_within_six_seconds() {
    let mut phone = Paced::with(FORM);
    let (step, looks, took) = phone
        .step("click", json!({"matcher": {"textEquals": "Nowhere"}}))
        .await;
    assert_eq!(step["data"]["error"], "NODE_NOT_FOUND", "{step:#}");
    assert_eq!(looks, 3);
    assert!(took <= Duration::from_secs(6), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn late_node_is_found() {
    let mut phone = Paced::with(&late("3"));
    let (step, ..) = phone
        .step("read_text", json!({"matcher": {"textEquals": "Ready"}}))
        .await;
    assert_eq!(step["success"], true, "{step:#}");
}

#[tokio::test(start_paused = true)]
async fn definite_mismatch_is_reported_after_one_observation() {
    let mut phone = Paced::with(FORM);
    let matcher = json!({"textEquals": "Sent 0", "role": "button"});
    let (step, looks, took) = phone.step("click", json!({"matcher": matcher})).await;
    assert_eq!(step["data"]["error"], "NODE_NOT_FOUND", "{step:#}");
    assert_eq!((looks, took), (1, LOOK));
    let message = step["data"]["message"].as_str().unwrap();
    assert!(
        message.ends_with("the text \"Sent 0\" does, but its role is text"),
        "{message}"
    );
    let never = json!({"matcher": {"textEquals": "Never"}});
    let (step, looks, took) = phone.step("click", never).await;
    assert_eq!(step["data"]["error"], "NODE_NOT_CLICKABLE", "{step:#}");
    assert_eq!((looks, took), (1, LOOK));
}

#[tokio::test(start_paused = true)]
async fn explicit_retry_limits_observations() {
    let mut phone = Paced::with(FORM);
    let matcher = json!({"textEquals": "Sent 0", "role": "button"});
    for attempts in [1, 2, 7] {
        let retry = json!({"maxAttempts": attempts, "initialDelayMs": 100});
        let params = json!({"matcher": matcher, "retry": retry});
        let (step, looks, _) = phone.step("click", params).await;
        assert_eq!(step["data"]["error"], "NODE_NOT_FOUND", "{step:#}");
        assert_eq!(looks, attempts);
    }
}

#[tokio::test(start_paused = true)]
async fn explicit_pauses_are_kept_and_observed() {
    let mut phone = Paced::with(&late("9"));
    let retry = json!({"maxAttempts": 2, "initialDelayMs": 10_000, "jitterRatio": 0});
    let params = json!({"matcher": {"textEquals": "Ready"}, "retry": retry});
    let (step, ..) = phone.step("read_text", params).await;
    assert_eq!(step["success"], true, "{step:#}");
}

#[tokio::test(start_paused = true)]
async fn wait_for_node_overshoots_by_one_observation_at_most() {
    let mut phone = Paced::with(FORM);
    for limit in [1, 1000, 1700, 5000, 5300, 5900] {
        let params = json!({"matcher": {"textEquals": "Nowhere"}, "timeoutMs": limit});
        let (step, _, took) = phone.step("wait_for_node", params).await;
        assert_eq!(step["data"]["error"], "NODE_NOT_FOUND", "{step:#}");
        let limit = Duration::from_millis(limit);
        assert!(took >= limit && took <= limit + LOOK, "{took:?} {limit:?}");
    }
    let params = json!({"expectedNode": {"textEquals": "Nowhere"}, "timeoutMs": 5000});
    let (step, _, took) = phone.step("wait_for_navigation", params).await;
    assert_eq!(step["data"]["error"], "NAVIGATION_TIMEOUT", "{step:#}");
    assert!(took <= Duration::from_secs(5) + LOOK, "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn wait_for_node_finds_node_at_the_deadline() {
    let mut phone = Paced::with(&late("5"));
    let params = json!({"matcher": {"textEquals": "Ready"}, "timeoutMs": 5000});
    let (step, ..) = phone.step("wait_for_node", params).await;
    assert_eq!(step["success"], true, "{step:#}");
}

#[tokio::test(start_paused = true)]
async fn wait_as_long_as_its_execution_reports_its_own_error() {
    let mut phone = Paced::with(FORM);
    let wait = json!([{"id": "step", "type": "wait_for_node",
        "params": {"matcher": {"textEquals": "Nowhere"}, "timeoutMs": 8000}}]);
    let execution = plan(wait, Some(json!({"timeoutMs": 8000})));
    let (answer, _, took) = phone.run(&execution).await;
    assert_eq!(answer["errorCode"], "NODE_NOT_FOUND", "{answer:#}");
    assert!(took < Duration::from_secs(8), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn click_and_snapshot_take_two_observations() {
    let mut phone = Paced::with(FORM);
    let actions = json!([
        {"id": "send", "type": "click", "params": {"matcher": {"textEquals": "Send"}}},
        {"id": "snap", "type": "snapshot_ui"},
    ]);
    let (answer, looks, took) = phone.run(&plan(actions, None)).await;
    assert_eq!(answer["status"], "success", "{answer:#}");
    assert_eq!((looks, took), (2, LOOK + INPUT + LOOK));
    let text = answer["stepResults"][1]["data"]["text"].as_str().unwrap();
    assert!(text.contains("Sent 1"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn enter_text_takes_two_observations() {
    let mut phone = Paced::with(FORM);
    let params = json!({"matcher": {"resourceId": "com.example.pace:id/name"}, "text": "Ada"});
    let (step, looks, took) = phone.step("enter_text", params).await;
    assert_eq!(step["data"]["verified"], "true", "{step:#}");
    assert_eq!((looks, took), (2, LOOK + INPUT + LOOK));
}

#[tokio::test(start_paused = true)]
async fn coordinate_click_takes_no_observation() {
    let mut phone = Paced::with(FORM);
    let params = json!({"coordinate": {"x": 500, "y": 1000}});
    let (step, looks, took) = phone.step("click", params).await;
    assert_eq!(step["success"], true, "{step:#}");
    assert_eq!((looks, took), (0, INPUT));
}

#[tokio::test(start_paused = true)]
async fn scroll_until_scrolls_ten_times_by_default() {
    let mut phone = Paced::with(ROWS);
    let params = json!({"matcher": {"textEquals": "Row 900"}});
    let (step, looks, took) = phone.step("scroll_until", params).await;
    let data = &step["data"];
    assert_eq!(
        data["termination_reason"], "MAX_DURATION_REACHED",
        "{step:#}"
    );
    assert_eq!((&data["scrolls_executed"], looks), (&json!("10"), 11));
    assert!(took < Duration::from_secs(29), "{took:?}");
    let params = json!({"matcher": {"textEquals": "Row 900"}, "maxDurationMs": 4000});
    let (step, _, took) = phone.step("scroll_until", params).await;
    assert_eq!(step["data"]["termination_reason"], "MAX_DURATION_REACHED");
    assert!(took < Duration::from_secs(9), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn scroll_until_ends_with_its_own_result() {
    let mut phone = Paced::with(ROWS);
    let scroll = json!([{"id": "step", "type": "scroll_until",
        "params": {"matcher": {"textEquals": "Row 900"}}}]);
    let execution = plan(scroll, Some(json!({"timeoutMs": 15_000})));
    let (answer, _, took) = phone.run(&execution).await;
    assert_eq!(answer["errorCode"], "NODE_NOT_FOUND", "{answer:#}");
    assert!(took < Duration::from_secs(15), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn scroll_to_edge_takes_two_observations() {
    let mut phone = Paced::with(ROWS);
    let (step, looks, _) = phone.step("scroll", json!({"direction": "up"})).await;
    assert_eq!(step["data"]["scroll_outcome"], "edge_reached", "{step:#}");
    assert_eq!(looks, 2);
}

#[tokio::test(start_paused = true)]
async fn screen_that_never_settles_is_reported() {
    let moving = "
app: com.example.pace
label: Pace
start: home
state: { ticks: 0 }
screens:
  home:
    title: Pace
    timers: [ { every: 300ms, do: [ { set: { ticks: \"= ticks + 1\" } } ] } ]
    body:
      - text: \"{ticks} ticks\"
      - button: { text: Stop, id: stop }
";
    let mut phone = Paced::with(moving);
    let params = json!({"matcher": {"textEquals": "Stop"}});
    let (step, looks, took) = phone.step("click", params).await;
    assert_eq!(step["data"]["error"], "SCREEN_UNAVAILABLE", "{step:#}");
    let message = step["data"]["message"].as_str().unwrap();
    assert!(message.contains("click at a coordinate"), "{message}");
    assert_eq!(looks, 1);
    assert!(took < Duration::from_secs(12), "{took:?}");
    let (step, ..) = phone
        .step("click", json!({"coordinate": {"x": 500, "y": 1000}}))
        .await;
    assert_eq!(step["success"], true, "{step:#}");
}
