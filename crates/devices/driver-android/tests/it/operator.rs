//! Commands to the Operator app over adb: answers, and reports without one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use driver::{Cx, Dispatch};
use driver_android::{DispatchEnd, DispatchResult, Operator, Shell, Snapshot};
use serde_json::{Value, json};
use sim_adb::{AdbPhone, Log, OperatorApp, Options, Priority, report, report_screen};
use tokio_util::sync::CancellationToken;

use crate::fixture::{self, Fixture};

const PACKAGE: &str = "com.clawperator.operator";

/// How the app handles a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommandHandling {
    /// It answers, among messages about other commands.
    Answers,
    /// It reports its start, and nothing more.
    Begins,
    /// It logs nothing.
    Silent,
    /// The log truncates its answer.
    IncompleteAnswer,
}

struct App {
    handling: CommandHandling,
    runs: AtomicUsize,
}

fn answer(id: &str, filler: &str) -> String {
    json!({"commandId": id, "taskId": "t", "status": "success", "error": null,
        "stepResults": [{"id": "a", "actionType": "sleep", "success": true, "data": {"filler": filler}}]})
    .to_string()
}

#[async_trait]
impl OperatorApp for App {
    async fn run(&self, payload: &str, phone: &AdbPhone, log: &Log) {
        let pid = phone.operator_pid().unwrap();
        let run = self.runs.fetch_add(1, Ordering::SeqCst);
        let id = serde_json::from_str::<Value>(payload).unwrap()["commandId"]
            .as_str()
            .unwrap()
            .to_owned();
        let say = |message: &str| log.write(pid, Priority::Info, "AgentCommandExecutor", message);
        if self.handling == CommandHandling::Silent {
            return;
        }
        // Another process logs the same text, and the app answers another command.
        report(log, 4711, &answer(&id, "of another process"));
        report(log, pid, &answer("of-somebody-else", "x"));
        log.write(
            pid,
            Priority::Info,
            "TaskStatusSink",
            "[Clawperator-Result] nonsense",
        );
        say(&format!(
            "[Clawperator-Command] start commandId={id} taskId=t source=s"
        ));
        log.write(
            pid,
            Priority::Debug,
            "UiActionEngine",
            "[UiActionEngine] step_start id=a type=sleep",
        );
        match self.handling {
            CommandHandling::Answers => {
                report_screen(
                    log,
                    pid,
                    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<hierarchy rotation=\"0\">\n\
                     <node text=\"one\n[two]\" class=\"a.B\" bounds=\"[0,0][9,9]\" />\n</hierarchy>\n",
                );
                report(
                    log,
                    pid,
                    &answer(&id, &format!("{run}{}", "y".repeat(9000))),
                );
            }
            CommandHandling::Begins | CommandHandling::Silent => {}
            CommandHandling::IncompleteAnswer => report(log, pid, &answer(&id, &"ü".repeat(3900))),
        }
    }
}

async fn phone(handling: CommandHandling) -> (Fixture, Arc<App>) {
    let app = Arc::new(App {
        handling,
        runs: AtomicUsize::new(0),
    });
    let fixture = fixture::fixture(Options {
        operator: Some(sim_adb::Operator {
            package: PACKAGE.to_owned(),
            version: "0.5.3".to_owned(),
            app: Arc::<App>::clone(&app),
        }),
        ..Options::default()
    })
    .await;
    (fixture, app)
}

fn payload(id: &str) -> String {
    json!({"commandId": id, "taskId": "t", "source": "it's; $HOME \"%s\"\n", "actions": [{"id": "a", "type": "sleep"}]})
        .to_string()
}

async fn dispatch(fixture: &Fixture, id: &str, patience: Duration) -> DispatchResult {
    let operator = Operator::new(Shell::new(fixture.phone.clone()), PACKAGE).unwrap();
    operator
        .dispatch(&fixture.cx, id, &payload(id), patience)
        .await
}

#[tokio::test]
async fn answer_is_found_in_a_noisy_log() {
    let (fixture, app) = phone(CommandHandling::Answers).await;
    // The same id again: the logged answer to the first run does not count for the second.
    for run in 0..2 {
        let done = dispatch(&fixture, "same", Duration::from_secs(20)).await;
        assert_eq!(
            (done.end, done.dispatch),
            (DispatchEnd::Answered, Dispatch::Sent)
        );
        let envelope = done.answer.envelope.unwrap();
        let filler = envelope["stepResults"][0]["data"]["filler"]
            .as_str()
            .unwrap();
        assert_eq!(filler, format!("{run}{}", "y".repeat(9000)));
        let [Snapshot::Whole(screen)] = &done.answer.snapshots[..] else {
            panic!("{:?}", done.answer.snapshots);
        };
        assert!(screen.contains("text=\"one\n[two]\""), "{screen}");
        assert_eq!(done.answer.malformed, [""; 0]);
        assert_eq!(done.answer.step.as_deref(), Some("id=a type=sleep"));
    }
    assert_eq!(app.runs.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn timeout_reports_what_was_logged() {
    let (fixture, _) = phone(CommandHandling::Begins).await;
    let done = dispatch(&fixture, "c1", Duration::from_millis(600)).await;
    assert_eq!(
        (done.end, done.dispatch),
        (DispatchEnd::Silent, Dispatch::Sent)
    );
    assert_eq!(done.answer.events.len(), 1, "{:?}", done.answer);
    assert!(done.answer.received);
    let (fixture, app) = phone(CommandHandling::Silent).await;
    let done = dispatch(&fixture, "c1", Duration::from_millis(600)).await;
    assert_eq!(
        (done.end, done.dispatch),
        (DispatchEnd::Silent, Dispatch::Sent)
    );
    assert!(done.answer.events.is_empty() && !done.answer.received);
    assert_eq!(app.runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn truncated_answer_is_not_waited_for() {
    let (fixture, _) = phone(CommandHandling::IncompleteAnswer).await;
    let done = dispatch(&fixture, "c1", Duration::from_secs(600)).await;
    assert_eq!(
        (done.end, done.dispatch),
        (DispatchEnd::Silent, Dispatch::Sent)
    );
    assert_eq!(done.answer.envelope, None);
    assert!(
        done.answer.malformed[0].contains("\"commandId\":\"c1\""),
        "{:?}",
        done.answer
    );
}

#[tokio::test]
async fn cancelled_command_reports_sent() {
    let (fixture, app) = phone(CommandHandling::Begins).await;
    let cancel = CancellationToken::new();
    let operator = Operator::new(Shell::new(fixture.phone.clone()), PACKAGE).unwrap();
    let cx = Cx::new(Duration::from_secs(60), cancel.clone());
    let text = payload("c1");
    let waits = operator.dispatch(&cx, "c1", &text, Duration::from_secs(60));
    let gives_up = async {
        while app.runs.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
    };
    let (done, ()) = tokio::join!(waits, gives_up);
    assert_eq!(done.end, DispatchEnd::Cancelled);
    // The app has received it; whether that was logged in time depends on timing.
    assert_ne!(done.dispatch, Dispatch::NotSent);
    let done = operator
        .dispatch(&cx, "c2", &payload("c2"), Duration::from_secs(1))
        .await;
    assert_eq!(done.end, DispatchEnd::Cancelled);
}

#[tokio::test]
async fn broadcast_refused_by_am_is_not_sent() {
    let (fixture, app) = phone(CommandHandling::Answers).await;
    let text = "x".repeat(70_000);
    let operator = Operator::new(Shell::new(fixture.phone.clone()), PACKAGE).unwrap();
    assert!(operator.check(&text).is_err());
    assert!(operator.check(&payload("c1")).is_ok());
    let done = operator
        .dispatch(&fixture.cx, "c1", &text, Duration::from_secs(1))
        .await;
    assert!(matches!(done.end, DispatchEnd::NotTaken(_)), "{done:?}");
    assert_eq!(done.dispatch, Dispatch::NotSent);
    assert_eq!(app.runs.load(Ordering::SeqCst), 0);
    assert!(Operator::new(Shell::new(fixture.phone.clone()), "a; reboot").is_err());
}
