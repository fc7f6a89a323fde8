//! The service as a surface sees it.
#![allow(
    clippy::unwrap_used,
    reason = "a test ends where what it needs is not there"
)]

use contract::{ErrorCode, Execution, Parsed};
use serde_json::{Value, json};
use service::{Clock, Options, Service, clock_of};
use tokio_util::sync::CancellationToken;

/// A valid plan of these actions.
fn plan(command_id: &str, actions: Value) -> Parsed {
    Execution::from_value(&json!({
        "commandId": command_id, "taskId": "task", "source": "test",
        "expectedFormat": "android-ui-automator", "timeoutMs": 30000, "actions": actions,
    }))
    .unwrap()
}

fn sleep(millis: u32) -> Value {
    json!([{"id": "sleep", "type": "sleep", "params": {"durationMs": millis}}])
}

async fn execute(
    service: &Service,
    device: Option<&str>,
    plan: Parsed,
) -> Result<Value, contract::ErrorBody> {
    service
        .execute(device, plan, CancellationToken::new(), &mut |_| {})
        .await
        .map(|answer| serde_json::to_value(answer).unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_device_runs_one_plan_at_a_time_and_says_whose() {
    let service = Service::new(Options::default());
    let (first, second) = tokio::join!(
        execute(&service, Some("sim"), plan("first", sleep(1000))),
        execute(&service, Some("sim"), plan("second", sleep(1000))),
    );
    assert_eq!(first.unwrap()["envelope"]["status"], "success");
    let refused = second.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ExecutionConflictInFlight);
    assert_eq!(refused.detail("commandId"), Some(&json!("second")));
    assert_eq!(refused.detail("holderCommandId"), Some(&json!("first")));
    let third = execute(&service, Some("sim"), plan("third", sleep(1))).await;
    assert_eq!(third.unwrap()["envelope"]["status"], "success");
}

#[tokio::test(start_paused = true)]
async fn a_run_that_nobody_waits_for_any_more_frees_its_device() {
    let service = Service::new(Options::default());
    let run = execute(&service, Some("sim"), plan("dropped", sleep(10_000)));
    let waited = tokio::time::timeout(std::time::Duration::from_millis(5), run).await;
    assert!(waited.is_err());
    let next = execute(&service, Some("sim"), plan("next", sleep(1))).await;
    assert_eq!(next.unwrap()["envelope"]["commandId"], "next");
}

#[tokio::test(start_paused = true)]
async fn the_phone_stays_as_the_last_run_left_it() {
    let service = Service::new(Options::default());
    let open = json!([{"id": "o", "type": "open_app", "params": {"applicationId": "com.android.settings"}}]);
    let snap = json!([{"id": "s", "type": "snapshot_ui"}]);
    execute(&service, Some("sim"), plan("open", open))
        .await
        .unwrap();
    let seen = execute(&service, Some("sim"), plan("snap", snap))
        .await
        .unwrap();
    let package = &seen["envelope"]["stepResults"][0]["data"]["foreground_package"];
    assert_eq!(package, "com.android.settings");
}

#[tokio::test(start_paused = true)]
async fn a_device_that_is_not_there_is_named() {
    let service = Service::new(Options::default());
    let nobody = execute(&service, None, plan("c", sleep(1)))
        .await
        .unwrap_err();
    assert_eq!(nobody.code, ErrorCode::NoDevices);
    assert!(nobody.hint.unwrap().contains("--device sim"));
    let other = execute(&service, Some("emulator-5554"), plan("c", sleep(1)))
        .await
        .unwrap_err();
    assert_eq!(other.code, ErrorCode::DeviceNotFound);
    assert_eq!(other.detail("deviceId"), Some(&json!("emulator-5554")));
    assert_eq!(
        (clock_of(Some("sim")), clock_of(None)),
        (Clock::Virtual, Clock::Real)
    );
}
