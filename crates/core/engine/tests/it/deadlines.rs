//! Timeout and cancellation of a run, and its progress events.

use std::time::Duration;

use contract::{Action, ErrorBody, ErrorCode, StepResult};
use driver::Cx;
use driver_sim::SimDriver;
use driver_sim::journal;
use engine::{Event, Report};
use serde_json::{Value, json};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::phone::{Album, json_of, phone, plan, run};

const LIST: &str = "
app: com.example.numbers
label: Numbers
start: home
state: { picked: 0 }
data: { numbers: { repeat: 60, item: { n: \"= n\" } } }
screens:
  home:
    title: Numbers
    body:
      - text: \"Picked {picked}\"
        id: picked
      - list:
          items: numbers
          row: [ { item: \"Row {n}\", on_click: { set: { picked: \"= n\" } } } ]
";

/// A phone with the list of numbers in front.
async fn numbers() -> SimDriver {
    let mut phone = phone([LIST].into_iter());
    let open = json!([{"id": "open", "type": "open_app",
        "params": {"applicationId": "com.example.numbers"}}]);
    assert_eq!(
        json_of(&run(&mut phone, &plan(open, None)).await)["status"],
        "success"
    );
    phone
}

fn click(row: &str) -> Value {
    json!({"id": row, "type": "click", "params": {"matcher": {"textEquals": row}}})
}

fn sleep(millis: u32) -> Value {
    json!({"id": "sleep", "type": "sleep", "params": {"durationMs": millis}})
}

/// The names of the widgets that were clicked since the phone started.
fn clicked(phone: &SimDriver) -> Vec<String> {
    let journal = phone.phone().journal().iter();
    journal
        .filter_map(|entry| match &entry.what {
            journal::Event::Clicked { widget, .. } => Some(widget.name.to_string()),
            _ => None,
        })
        .collect()
}

async fn run_in(phone: &mut SimDriver, actions: Value, cx: &Cx) -> Report {
    let execution = plan(actions, None);
    engine::run(phone, &execution, &mut Album::default(), cx, &mut |_| {}).await
}

fn stopped(report: Report) -> ErrorBody {
    match report.outcome {
        Ok(envelope) => panic!("the run ended by itself: {envelope:?}"),
        Err(error) => error,
    }
}

#[tokio::test(start_paused = true)]
async fn cancelled_run_reports_current_and_finished_steps() {
    let mut phone = numbers().await;
    let cancel = CancellationToken::new();
    let cx = Cx::new(Duration::from_secs(60), cancel.clone());
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(2_300)).await;
        cancel.cancel();
    });
    let started = Instant::now();
    let actions = json!([click("Row 2"), sleep(10_000), click("Row 3")]);
    let error = stopped(run_in(&mut phone, actions, &cx).await);
    assert_eq!(started.elapsed(), Duration::from_millis(2_300));
    assert_eq!(error.code, ErrorCode::ExecutionCancelled);
    assert_eq!(
        error.message,
        "the execution was cancelled while step sleep (sleep) was running"
    );
    assert_eq!(error.detail("lastActionId"), Some(&json!("sleep")));
    assert_eq!(error.detail("lastActionType"), Some(&json!("sleep")));
    assert_eq!(error.detail("lastActionIndex"), Some(&json!(1)));
    assert_eq!(error.detail("elapsedMs"), Some(&json!(2_300)));
    assert_eq!(error.detail("dispatch"), Some(&json!("not_sent")));
    let steps: Vec<StepResult> =
        serde_json::from_value(error.detail("stepResults").unwrap().clone()).unwrap();
    assert_eq!(steps.len(), 1);
    assert!(steps[0].success && steps[0].id == "Row 2");
    assert_eq!(clicked(&phone), ["Row 2"]);
}

#[tokio::test(start_paused = true)]
async fn run_cancelled_before_start_touches_nothing() {
    let mut phone = numbers().await;
    let cancel = CancellationToken::new();
    cancel.cancel();
    let cx = Cx::new(Duration::from_secs(60), cancel);
    let actions = json!([click("Row 2"), click("Row 3")]);
    let error = stopped(run_in(&mut phone, actions, &cx).await);
    assert_eq!(error.code, ErrorCode::ExecutionCancelled);
    assert_eq!(error.detail("stepResults"), Some(&json!([])));
    assert_eq!(error.detail("dispatch"), Some(&json!("not_sent")));
    assert_eq!(clicked(&phone), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_after_the_deadline() {
    let mut phone = numbers().await;
    let started = Instant::now();
    let actions = json!([click("Row 2"), sleep(2_000), click("Row 3")]);
    let execution = plan(actions, Some(json!({"timeoutMs": 2_000})));
    let error = stopped(run(&mut phone, &execution).await);
    assert_eq!(started.elapsed(), Duration::from_secs(2));
    assert_eq!(error.code, ErrorCode::ResultEnvelopeTimeout);
    assert_eq!(clicked(&phone), ["Row 2"]);
}

#[tokio::test(start_paused = true)]
async fn shorter_caller_deadline_wins() {
    let mut phone = numbers().await;
    let cx = Cx::new(Duration::from_secs(1), CancellationToken::new());
    let started = Instant::now();
    let error = stopped(run_in(&mut phone, json!([sleep(10_000)]), &cx).await);
    assert_eq!(started.elapsed(), Duration::from_secs(1));
    assert_eq!(error.code, ErrorCode::ResultEnvelopeTimeout);
    assert_eq!(error.detail("elapsedMs"), Some(&json!(1_000)));
    // The execution had 30 seconds, of which only one was used.
    assert!(
        !error.message.contains("30000 ms were over"),
        "{}",
        error.message
    );
}

#[tokio::test(start_paused = true)]
async fn phone_works_after_interrupted_swipe() {
    let mut phone = numbers().await;
    let scroll = json!([sleep(700), {"id": "scroll", "type": "scroll"}]);
    let execution = plan(scroll, Some(json!({"timeoutMs": 1_000})));
    let error = stopped(run(&mut phone, &execution).await);
    assert_eq!(error.detail("dispatch"), Some(&json!("unknown")));
    let pick = json!([{"id": "pick", "type": "scroll_and_click",
        "params": {"matcher": {"textEquals": "Row 20"}}}]);
    let answer = json_of(&run(&mut phone, &plan(pick, None)).await);
    assert_eq!(answer["status"], "success", "{answer:#}");
    assert_eq!(clicked(&phone), ["Row 20"]);
}

#[tokio::test(start_paused = true)]
async fn steps_report_start_and_end() {
    let mut phone = numbers().await;
    let actions = json!([sleep(100), click("Row 2"), {"id": "no", "type": "click",
        "params": {"coordinate": {"x": 9_000, "y": 1}}}, click("Row 3")]);
    let execution = plan(actions, None);
    let mut events = Vec::new();
    let name = |action: &Action| action.id().to_owned();
    engine::run(
        &mut phone,
        &execution,
        &mut Album::default(),
        &Cx::new(Duration::from_secs(60), CancellationToken::new()),
        &mut |event| {
            events.push(match event {
                Event::StepStarted { index, of, action } => {
                    format!("{index}/{of} {} begins", name(action))
                }
                Event::StepEnded {
                    index,
                    of,
                    result,
                    elapsed,
                } => format!(
                    "{index}/{of} {} {} after {:?}",
                    result.id,
                    if result.success { "ended" } else { "failed" },
                    elapsed.unwrap()
                ),
            });
        },
    )
    .await;
    assert_eq!(
        events,
        [
            "0/4 sleep begins",
            "0/4 sleep ended after 100ms",
            "1/4 Row 2 begins",
            "1/4 Row 2 ended after 0ns",
            "2/4 no begins",
            "2/4 no failed after 0ns",
        ]
    );
}

/// How long a click on a missing target retries in a run with this id, in milliseconds.
async fn patience(command: &str) -> u64 {
    let mut phone = numbers().await;
    let execution = plan(
        json!([click("Nowhere")]),
        Some(json!({"commandId": command})),
    );
    let answer = json_of(&run(&mut phone, &execution).await);
    let elapsed = answer["stepResults"][0]["data"]["elapsed_ms"].as_str();
    elapsed.unwrap().parse().unwrap()
}

#[tokio::test(start_paused = true)]
async fn jitter_is_seeded_by_command_id() {
    let mut seen = Vec::new();
    for command in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let once = patience(command).await;
        assert_eq!(patience(command).await, once);
        // 500 + 1000 + 2000 + 3000 ms, each up to 15 % shorter or longer.
        assert!((5_525..=7_475).contains(&once), "{once}");
        seen.push(once);
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 4, "{seen:?}");
}
