//! The Operator app beside: one that does what a plan says at once, so that what is left is its way over broadcast and log.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use driver::{Driver, Gesture, Key};
use driver_android::{DispatchEnd, Operator, Shell};
use serde_json::{Value, json};
use sim_adb::{AdbPhone, Log, OperatorApp, report, report_screen};
use tokio::sync::Notify;
use uitree::Point;

use crate::table::{TIMES, cx, median};

const PACKAGE: &str = "com.clawperator.operator";
const SNAPSHOT: &str = "snapshot_ui";
const CLICK: &str = "click";
const WAIT: &str = "wait_for_node";
/// The pause between two looks of the app while it waits.
const LOOK: Duration = Duration::from_millis(1);
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// The app has begun to wait.
static WAITING: Notify = Notify::const_new();

/// The app on the simulated phone.
struct App;

#[async_trait]
impl OperatorApp for App {
    async fn run(&self, payload: &str, phone: &AdbPhone, log: &Log) {
        let plan: Value = serde_json::from_str(payload).unwrap();
        let pid = phone.operator_pid().unwrap();
        let action = &plan["actions"][0];
        let mut driver = phone.driver().await;
        if action["type"] == WAIT {
            let before = driver.observe(&cx()).await.unwrap().revision;
            WAITING.notify_one();
            while driver.observe(&cx()).await.unwrap().revision == before {
                drop(driver);
                tokio::time::sleep(LOOK).await;
                driver = phone.driver().await;
            }
        } else if action["type"] == SNAPSHOT {
            let seen = driver.observe(&cx()).await.unwrap();
            report_screen(log, pid, &seen.tree.to_hierarchy_xml());
        } else {
            let at = Point::new(540, 20);
            driver.touch(&cx(), &Gesture::Tap { at }).await.unwrap();
        }
        drop(driver);
        let answer = json!({
            "commandId": plan["commandId"], "taskId": "bench", "status": "success", "error": null,
            "stepResults": [{"id": "a", "actionType": action["type"], "success": true, "data": {}}],
        });
        report(log, pid, &answer.to_string());
    }
}

/// The app, for the options of a phone.
pub(crate) fn app() -> sim_adb::Operator {
    sim_adb::Operator {
        package: PACKAGE.to_owned(),
        version: "0.5.3".to_owned(),
        app: Arc::new(App),
    }
}

/// Has the app run a plan of one step.
async fn dispatch(operator: &Operator, kind: &str, number: usize) {
    let id = format!("bench-{kind}-{number}");
    let payload = json!({
        "commandId": id, "taskId": "bench", "source": "bench", "actions": [{"id": "a", "type": kind}],
    });
    let done = operator
        .dispatch(&cx(), &id, &payload.to_string(), PATIENCE)
        .await;
    assert_eq!(done.end, DispatchEnd::Answered);
    assert_eq!(done.answer.snapshots.len(), usize::from(kind == SNAPSHOT));
}

fn operator(phone: &adb::Phone) -> Operator {
    Operator::new(Shell::new(phone.clone()), PACKAGE).unwrap()
}

/// How long a plan of one step takes.
async fn plan(phone: &adb::Phone, kind: &str) -> Duration {
    let operator = operator(phone);
    let mut number = 0;
    median(TIMES, async || {
        number += 1;
        let begun = Instant::now();
        dispatch(&operator, kind, number).await;
        begun.elapsed()
    })
    .await
}

/// How long a wait lasts after the change that ends it.
pub(crate) async fn wait(phone: &adb::Phone, adb_phone: &AdbPhone) -> Duration {
    let operator = operator(phone);
    let mut number = 0;
    median(21, async || {
        number += 1;
        let changed = async {
            WAITING.notified().await;
            let mut phone = adb_phone.driver().await;
            phone.key(&cx(), Key::Recents).await.unwrap();
            drop(phone);
            Instant::now()
        };
        let waited = async {
            dispatch(&operator, WAIT, number).await;
            Instant::now()
        };
        let (waited, changed) = tokio::join!(waited, changed);
        let mut phone = adb_phone.driver().await;
        phone.key(&cx(), Key::Back).await.unwrap();
        drop(phone);
        waited.saturating_duration_since(changed)
    })
    .await
}

/// What an observation and a tap take.
pub(crate) async fn driven(phone: &adb::Phone) -> (Duration, Duration) {
    (plan(phone, SNAPSHOT).await, plan(phone, CLICK).await)
}
