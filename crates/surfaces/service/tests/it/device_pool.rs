//! Device pools: concurrency, order, repetition, cancellation, events.

use std::sync::Arc;
use std::time::Duration;

use contract::ErrorCode;
use serde_json::{Value, json};
use service::device_pool::{
    Delivery, DevicePool, Events, Outcome, Phase, PoolOptions, Run, RunRequest,
};

use crate::{Folder, options, plan, sleep};

/// A pool whose simulated phones use the paused time of the test.
fn pool() -> DevicePool {
    let mut service = options();
    service.sim.time("real").unwrap();
    DevicePool::new(PoolOptions {
        service,
        waiting: 3,
        ..PoolOptions::default()
    })
}

fn request_run(pool: &DevicePool, name: &str, millis: u32, wait: Option<u64>) -> Run {
    let mut order = RunRequest::new(Some("sim".to_owned()), plan(name, sleep(millis)));
    order.wait = wait.map(Duration::from_millis);
    pool.run(order).unwrap()
}

fn error(outcome: &Outcome) -> &contract::ErrorBody {
    match outcome {
        Outcome::Failed(error) => error,
        other => panic!("{other:?}"),
    }
}

fn went_well(outcome: &Arc<Outcome>) -> bool {
    matches!(&**outcome, Outcome::Answer(answer) if answer.envelope.is_success())
}

/// The events so far: kind and id of the run.
fn received(events: &mut Events) -> Vec<String> {
    std::iter::from_fn(|| events.poll())
        .map(|item| match item {
            Delivery::Event(event) => {
                let data: Value = serde_json::from_str(&event.json()).unwrap();
                let name = ["/commandId", "/envelope/commandId", "/input/commandId"]
                    .iter()
                    .find_map(|place| data.pointer(place))
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                format!("{} {name}", event.name().trim_start_matches("clawperator:"))
            }
            Delivery::Missed(count) => panic!("{count} are missed"),
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn busy_device_is_queued_for_in_order_until_the_deadline() {
    let pool = pool();
    let mut events = pool.events(None);
    let first = request_run(&pool, "first", 1_000, None);
    tokio::task::yield_now().await;
    let refused = request_run(&pool, "refused", 1, None);
    let second = request_run(&pool, "second", 1_000, Some(60_000));
    let third = request_run(&pool, "third", 1_000, Some(60_000));
    let impatient = request_run(&pool, "impatient", 1, Some(500));
    let too_many = request_run(&pool, "too-many", 1, Some(60_000));
    for run in [&refused, &impatient, &too_many] {
        let outcome = run.outcome().await;
        let error = error(&outcome);
        assert_eq!(error.code, ErrorCode::ExecutionConflictInFlight);
        assert_eq!(error.detail("holderCommandId"), Some(&json!("first")));
        assert_eq!(
            error.detail("commandId"),
            Some(&json!(run.execution().command_id()))
        );
    }
    let waited = impatient.outcome().await;
    assert_eq!(error(&waited).detail("waitedMs"), Some(&json!(500)));
    let crowded = too_many.outcome().await;
    assert_eq!(error(&crowded).detail("waiting"), Some(&json!(3)));
    for run in [&first, &second, &third] {
        assert!(went_well(&run.outcome().await));
    }
    let lines = received(&mut events);
    let runs: Vec<&str> = lines
        .iter()
        .filter(|line| line.starts_with("started"))
        .map(String::as_str)
        .collect();
    assert_eq!(runs, ["started first", "started second", "started third"]);
    let first: Vec<&str> = lines
        .iter()
        .filter(|line| line.ends_with(" first"))
        .map(String::as_str)
        .collect();
    assert_eq!(
        first,
        [
            "started first",
            "step first",
            "result first",
            "execution first"
        ]
    );
    assert!(lines.contains(&"execution refused".to_owned()));
    assert!(!lines.contains(&"result refused".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn run_continues_without_its_handle_and_is_found_by_id() {
    let pool = pool();
    drop(request_run(&pool, "alone", 5_000, None));
    let found = pool.find("alone", None).unwrap();
    assert_ne!(found.phase(), Phase::Ended);
    assert!(went_well(&found.outcome().await));
    assert_eq!(found.device(), Some("sim"));
    assert_eq!(found.steps().len(), 1);
    let later = pool.find("alone", Some("sim")).unwrap();
    assert!(Arc::ptr_eq(
        &later.ended().unwrap(),
        &found.ended().unwrap()
    ));
    for (name, device) in [("nobody", None), ("alone", Some("sim#2"))] {
        let missing = pool.find(name, device).unwrap_err();
        assert_eq!(missing.code, ErrorCode::ExecutionNotFound);
    }
}

#[tokio::test(start_paused = true)]
async fn refused_request_does_not_hide_the_run_of_its_id() {
    let pool = pool();
    let run = request_run(&pool, "send", 1_000, None);
    tokio::task::yield_now().await;
    let refused = request_run(&pool, "send", 1, None);
    let refused = refused.outcome().await;
    assert_eq!(error(&refused).code, ErrorCode::ExecutionConflictInFlight);
    let queued = request_run(&pool, "send", 1, Some(60_000));
    tokio::task::yield_now().await;
    // The running one is before the one that waits.
    assert_eq!(pool.find("send", None).unwrap().phase(), Phase::Running);
    queued.cancel();
    queued.outcome().await;
    let outcome = run.outcome().await;
    assert!(went_well(&outcome));
    for device in [None, Some("sim")] {
        let found = pool.find("send", device).unwrap().ended().unwrap();
        assert!(Arc::ptr_eq(&found, &outcome));
    }
    let other = RunRequest::new(Some("sim#2".to_owned()), plan("send", sleep(1)));
    let elsewhere = pool.run(other).unwrap().outcome().await;
    let several = pool.find("send", None).unwrap_err();
    assert_eq!(several.code, ErrorCode::MultipleDevices);
    assert_eq!(several.detail("devices"), Some(&json!(["sim", "sim#2"])));
    let found = pool.find("send", Some("sim#2")).unwrap().ended().unwrap();
    assert!(Arc::ptr_eq(&found, &elsewhere));
}

#[tokio::test(start_paused = true)]
async fn run_can_be_cancelled_while_waiting_and_between_touches() {
    let pool = pool();
    let running = request_run(&pool, "running", 20_000, None);
    tokio::task::yield_now().await;
    let queued = request_run(&pool, "queued", 1, Some(60_000));
    tokio::task::yield_now().await;
    queued.cancel();
    let outcome = queued.outcome().await;
    assert_eq!(error(&outcome).code, ErrorCode::ExecutionCancelled);
    assert!(queued.steps().is_empty());
    assert_eq!(running.phase(), Phase::Running);
    running.cancel();
    let outcome = running.outcome().await;
    assert_eq!(error(&outcome).code, ErrorCode::ExecutionCancelled);
    assert!(went_well(
        &request_run(&pool, "next", 1, None).outcome().await
    ));
}

#[tokio::test(start_paused = true)]
async fn repeated_idempotency_key_returns_the_same_run() {
    let pool = pool();
    let mut events = pool.events(None);
    let again = |name: &str, key: &str| {
        let mut order = RunRequest::new(Some("sim".to_owned()), plan(name, sleep(1_000)));
        order.key = Some(pool.key(key, &[b"what"]).unwrap());
        pool.run(order).unwrap()
    };
    let runs: Vec<Run> = (0..8).map(|_| again("once", "a")).collect();
    assert_eq!(runs.iter().filter(|run| !run.is_repeated()).count(), 1);
    let first = runs[0].outcome().await;
    assert!(went_well(&first));
    for run in &runs {
        assert!(Arc::ptr_eq(&run.outcome().await, &first));
    }
    // Regardless of its age and of the commandId of the repetition.
    assert!(Arc::ptr_eq(&again("other", "a").outcome().await, &first));
    let started = received(&mut events);
    let started = started.iter().filter(|line| line.starts_with("started"));
    assert_eq!(started.count(), 1);
    // A request that failed because the device was busy may be repeated.
    let holder = request_run(&pool, "holder", 1_000, None);
    tokio::task::yield_now().await;
    let refused = again("late", "b").outcome().await;
    assert_eq!(error(&refused).code, ErrorCode::ExecutionConflictInFlight);
    holder.outcome().await;
    assert!(went_well(&again("late", "b").outcome().await));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn simulated_phones_run_concurrently_with_separate_state() {
    let pool = DevicePool::new(PoolOptions {
        service: options(),
        ..PoolOptions::default()
    });
    let device = |number: usize| Some(format!("sim#{number}"));
    let app = |number: usize| match number % 2 {
        0 => "com.android.settings",
        _ => "com.example.forms",
    };
    let request_run = |number: usize, name: &str, actions: Value| {
        let order = RunRequest::new(device(number), plan(&format!("{name}-{number}"), actions));
        pool.run(order).unwrap()
    };
    let opened: Vec<Run> = (0..40)
        .map(|number| {
            let open =
                json!([{"id": "o", "type": "open_app", "params": {"applicationId": app(number)}}]);
            request_run(number, "open", open)
        })
        .collect();
    for run in &opened {
        assert!(went_well(&run.outcome().await), "{:?}", run.outcome().await);
    }
    let snap = json!([{"id": "s", "type": "snapshot_ui"}]);
    for number in 0..40 {
        let outcome = request_run(number, "snap", snap.clone()).outcome().await;
        let Outcome::Answer(answer) = &*outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(Some(answer.device_id.clone()), device(number));
        let step = &answer.envelope.step_results[0];
        assert_eq!(step.data.get("foreground_package"), Some(app(number)));
    }
    let names: Vec<String> = pool
        .devices()
        .await
        .unwrap()
        .embedded
        .into_iter()
        .map(|one| one.serial)
        .collect();
    assert!(names.contains(&"sim".to_owned()) && names.contains(&"sim#39".to_owned()));
}

#[tokio::test]
async fn names_of_simulated_phones_are_validated() {
    let pool = DevicePool::new(PoolOptions {
        service: options(),
        phones: 1,
        ..PoolOptions::default()
    });
    let long = format!("sim#{}", "x".repeat(65));
    for device in [
        "sim#",
        "sim#a b",
        "sim#../x",
        "sim#01",
        "sim#999999999999",
        &long,
    ] {
        let order = RunRequest::new(Some(device.to_owned()), plan("c", sleep(1)));
        let outcome = pool.run(order).unwrap().outcome().await;
        assert_eq!(error(&outcome).code, ErrorCode::DeviceNotFound, "{device}");
    }
    let first = RunRequest::new(Some("sim#1".to_owned()), plan("c", sleep(1)));
    assert!(went_well(&pool.run(first).unwrap().outcome().await));
    let second = RunRequest::new(Some("sim#2".to_owned()), plan("c", sleep(1)));
    let outcome = pool.run(second).unwrap().outcome().await;
    assert_eq!(error(&outcome).code, ErrorCode::ServerBusy);
}

#[tokio::test(start_paused = true)]
async fn drained_pool_finishes_its_runs_and_rejects_new_ones() {
    let pool = pool();
    let run = request_run(&pool, "last", 3_000, None);
    let draining = tokio::spawn({
        let pool = pool.clone();
        async move { pool.drain().await }
    });
    tokio::task::yield_now().await;
    let late = pool.run(RunRequest::new(
        Some("sim".to_owned()),
        plan("late", sleep(1)),
    ));
    assert_eq!(late.unwrap_err().code, ErrorCode::ServerStopping);
    draining.await.unwrap();
    assert_eq!(run.phase(), Phase::Ended);
    assert!(went_well(&run.outcome().await));
}

/// The events so far as JSON.
pub(crate) fn as_json(events: &mut Events) -> String {
    std::iter::from_fn(|| events.poll())
        .map(|item| match item {
            Delivery::Event(event) => event.json(),
            Delivery::Missed(count) => panic!("{count} are missed"),
        })
        .collect()
}

/// The events of a plan on the simulated phone.
async fn events_of(pool: &DevicePool, command: &str, actions: Value) -> String {
    let mut events = pool.events(None);
    let order = RunRequest::new(Some("sim".to_owned()), plan(command, actions));
    let outcome = pool.run(order).unwrap().outcome().await;
    assert!(went_well(&outcome), "{outcome:?}");
    as_json(&mut events)
}

#[tokio::test]
async fn events_mask_passwords_that_were_on_screen() {
    let pool = DevicePool::new(PoolOptions {
        service: options(),
        ..PoolOptions::default()
    });
    let field = "com.example.forms:id/secret";
    let open = json!([
        {"id": "o", "type": "open_uri", "params": {"uri": "forms://text"}},
        {"id": "w", "type": "enter_text", "params": {"matcher": {"resourceId": field}, "text": "hunter2\"<"}},
    ]);
    let first = events_of(&pool, "a", open).await;
    assert!(!first.contains("hunter2"), "{first}");
    // Another run displays it, and types more into a field that is no longer a password field.
    let shown = json!([
        {"id": "e", "type": "click", "params": {"matcher": {"contentDescEquals": "Show password"}}},
        {"id": "r", "type": "read_text", "params": {"matcher": {"resourceId": field}}},
        {"id": "w", "type": "enter_text", "params": {"matcher": {"resourceId": field}, "text": "correct horse"}},
        {"id": "s", "type": "snapshot_ui"},
    ]);
    let second = events_of(&pool, "b", shown).await;
    assert!(
        !second.contains("hunter2") && !second.contains("correct horse"),
        "{second}"
    );
    assert!(second.contains("•••••••••••••"), "{second}");
    // The answer is not masked.
    let read =
        json!([{"id": "r", "type": "read_text", "params": {"matcher": {"resourceId": field}}}]);
    let order = RunRequest::new(Some("sim".to_owned()), plan("c", read));
    let outcome = pool.run(order).unwrap().outcome().await;
    assert!(outcome.body().to_string().contains("correct horse"));
}

#[tokio::test]
async fn events_mask_possible_passwords() {
    let pool = DevicePool::new(PoolOptions {
        service: options(),
        ..PoolOptions::default()
    });
    let mut events = pool.events(None);
    let actions = json!([
        {"id": "o", "type": "open_app", "params": {"applicationId": "com.example.forms"}},
        {"id": "n", "type": "enter_text", "params": {"matcher": {"textEquals": "no such field"}, "text": "s3cret-one"}},
    ]);
    let run = pool
        .run(RunRequest::new(Some("sim".to_owned()), plan("c", actions)))
        .unwrap();
    run.outcome().await;
    let all = as_json(&mut events);
    assert!(
        all.contains("no such field") && all.contains("***"),
        "{all}"
    );
    assert!(!all.contains("s3cret-one"), "{all}");
}

#[tokio::test]
async fn repeated_looks_at_an_embedded_phone_see_the_end_of_a_wait() {
    let folder = Folder::new("waiting");
    let app = "app: com.example.order\nlabel: Order\nstart: home\nstate: { done: false }\n\
        screens:\n  home:\n    timers: [ { after: 4s, do: [ { set: { done: true } } ] } ]\n\
        \x20   body: [ { text: \"{if(done, 'Welcome', 'One moment')}\" } ]\n";
    std::fs::write(folder.0.join("order.yaml"), app).unwrap();
    let device = folder.device();
    let looks = |device: String| async move {
        let pool = DevicePool::new(PoolOptions {
            service: options(),
            ..PoolOptions::default()
        });
        let mut looks = Vec::new();
        for _ in 0..12 {
            let snapshot = json!([{"id": "s", "type": "snapshot_ui"}]);
            let order = RunRequest::new(Some(device.clone()), plan("look", snapshot));
            let outcome = pool.run(order).unwrap().outcome().await;
            looks.push(outcome.body().to_string().contains("Welcome"));
        }
        looks
    };
    let one = looks(device.clone()).await;
    assert_eq!((one.first(), one.last()), (Some(&false), Some(&true)));
    // How much real time passed makes no difference.
    assert_eq!(one, looks(device).await);
}
