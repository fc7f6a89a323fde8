//! Toasts, notifications, and recordings by the agent's events.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use driver::{Driver, NoticeKind, SideEffect};
use driver_android::{
    AgentSource, EVENT_RECORDER, EventCounts, Limits, QuitOutcome, RecordingEvent, RecordingResult,
    Session, Shell, quit_if_running, record_by_agent,
};
use driver_sim::{AppSource, SimOptions, Start};
use serde_json::Value;
use sim_adb::Options;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uitree::Query;

use crate::agent_fixture::{AgentFixture, PROGRAM, phone_with};

/// An app that says what it did in a toast and a notification, with a field and a password.
const APP: &str = r#"
app: com.example.notes
label: Notes
state: { name: "", code: "" }
start: main
screens:
  main:
    title: Notes
    body:
      - field: { id: name, bind: name, hint: Name }
      - field: { id: code, bind: code, hint: Code, password: true }
      - button: { id: save, text: Save, on_click: { toast: "Saved {name}" } }
      - button: { id: tell, text: Tell, on_click: { notify: { title: "Note", text: "It is kept" } } }
"#;

async fn notes(runtime_app: bool) -> AgentFixture {
    phone_with(Options {
        sim: SimOptions {
            apps: vec![
                AppSource::BuiltIn,
                AppSource::Text {
                    name: "notes.yaml".to_owned(),
                    yaml: APP.to_owned(),
                },
            ],
            start: Start::App("com.example.notes".to_owned()),
            ..SimOptions::default()
        },
        idle: Duration::ZERO,
        runtime_app,
        ..Options::default()
    })
    .await
}

async fn click(driver: &mut dyn Driver, fixture: &AgentFixture, text: &str) {
    let seen = driver.observe(&fixture.cx).await.unwrap();
    let node = seen.tree.find(&Query::new().text(text)).unwrap();
    let node = seen.node_ref(node);
    let act = driver::NodeAct::Click;
    driver.act(&fixture.cx, node, &act).await.unwrap();
}

/// The side effects until there is one.
async fn noticed(driver: &mut dyn Driver) -> Vec<SideEffect> {
    let waiting = async {
        loop {
            let effects = driver.side_effects();
            if !effects.is_empty() {
                return effects;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let notified = tokio::time::timeout(Duration::from_secs(30), waiting);
    notified.await.unwrap()
}

#[tokio::test]
async fn toasts_and_notifications_are_side_effects() {
    let fixture = notes(false).await;
    let mut driver = fixture.attach().await;
    click(&mut driver, &fixture, "Save").await;
    let effects = noticed(&mut driver).await;
    let [SideEffect::Noticed(toast)] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!(toast.kind, NoticeKind::Toast);
    assert_eq!(
        (toast.app.as_str(), toast.text.as_str()),
        ("com.example.notes", "Saved")
    );
    // No observation shows it.
    let seen = driver.observe(&fixture.cx).await.unwrap();
    assert_eq!(seen.tree.find(&Query::new().text("Saved")), None);
    click(&mut driver, &fixture, "Tell").await;
    let effects = noticed(&mut driver).await;
    let [SideEffect::Noticed(told)] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!(
        (told.kind, told.text.as_str()),
        (NoticeKind::Notification, "Note")
    );
    assert!(told.at >= toast.at);
    assert!(driver.side_effects().is_empty());
}

/// A recording that runs.
struct Running {
    lines: Arc<Mutex<Vec<Value>>>,
    more: Arc<Notify>,
    stop: CancellationToken,
    task: tokio::task::JoinHandle<RecordingResult>,
}

impl Running {
    async fn start(fixture: &AgentFixture, source: AgentSource) -> Self {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let (more, stop) = (Arc::new(Notify::new()), CancellationToken::new());
        let (told, ready) = tokio::sync::oneshot::channel();
        let (into, notify, token) = (Arc::clone(&lines), Arc::clone(&more), stop.clone());
        let phone = fixture.phone.clone();
        let task = tokio::spawn(async move {
            let session = Session {
                id: "s".to_owned(),
                serial: "phone".to_owned(),
                epoch_ms: 1_000_000,
                limits: Limits::default(),
            };
            let mut write = |line: &str| {
                let line: Value = serde_json::from_str(line).unwrap();
                into.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(line);
                notify.notify_one();
                Ok(())
            };
            let mut told = Some(told);
            let mut tell = |event| {
                if let (RecordingEvent::Ready(_), Some(told)) = (event, told.take()) {
                    told.send(()).unwrap();
                }
            };
            let recording = record_by_agent(phone, source, &session, token, &mut write, &mut tell);
            recording.await.unwrap()
        });
        ready.await.unwrap();
        Self {
            lines,
            more,
            stop,
            task,
        }
    }

    fn lines(&self) -> Vec<Value> {
        let lines = self.lines.lock();
        lines.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for a line of a type.
    async fn wait(&self, kind: &str) -> Value {
        let waiting = async {
            loop {
                if let Some(line) = self.lines().iter().rev().find(|line| line["type"] == kind) {
                    return line.clone();
                }
                self.more.notified().await;
            }
        };
        match tokio::time::timeout(Duration::from_secs(30), waiting).await {
            Ok(line) => line,
            Err(_) => panic!("no {kind} in {:#?}", self.lines()),
        }
    }

    async fn stop(self) -> (Vec<Value>, EventCounts) {
        self.stop.cancel();
        let result = self.task.await.unwrap();
        assert_eq!(result.limit, None);
        let lines = self.lines.lock();
        (
            lines.unwrap_or_else(PoisonError::into_inner).clone(),
            result.tally,
        )
    }
}

/// The recorder listens beside a driver, in both forms.
#[tokio::test]
async fn clicks_and_texts_are_recorded_with_their_nodes() {
    for source in [AgentSource::Dex(PROGRAM), AgentSource::App] {
        let fixture = notes(matches!(source, AgentSource::App)).await;
        let recording = Running::start(&fixture, source).await;
        let mut driver = crate::agent_fixture::attach(&fixture.phone, &fixture.cx, source)
            .await
            .unwrap();
        for (id, text) in [("name", "Ada"), ("code", "geheim")] {
            let id = format!("com.example.notes:id/{id}");
            let seen = driver.observe(&fixture.cx).await.unwrap();
            let field = seen.node_ref(seen.tree.find(&Query::new().id(id)).unwrap());
            let act = driver::NodeAct::SetText(text.to_owned());
            driver.act(&fixture.cx, field, &act).await.unwrap();
        }
        click(&mut driver, &fixture, "Save").await;
        let line = recording.wait("click").await;
        assert_eq!(line["packageName"], "com.example.notes");
        assert_eq!(line["resourceId"], "com.example.notes:id/save");
        assert_eq!(line["text"], "Save");
        let now = driver.observe(&fixture.cx).await.unwrap();
        let save = now.tree.find(&Query::new().text("Save")).unwrap();
        let place = now.tree.node(save).bounds.unwrap();
        assert_eq!(line["bounds"]["left"], place.left);
        assert_eq!(line["bounds"]["bottom"], place.bottom);
        let (lines, tally) = recording.stop().await;
        assert_eq!(lines[0]["recorder"], EVENT_RECORDER);
        assert_eq!(tally.gaps, 0);
        assert_eq!(tally.events, lines.len() as u64 - 1);
        let numbers: Vec<u64> = lines[1..]
            .iter()
            .map(|line| line["seq"].as_u64().unwrap())
            .collect();
        assert!(numbers.iter().copied().eq(0..tally.events));
        let texts: Vec<&Value> = lines
            .iter()
            .filter(|line| line["type"] == "text_change")
            .collect();
        assert_eq!(texts[0]["text"], "Ada");
        assert_eq!(
            (&texts[1]["text"], &texts[1]["password"]),
            (&"".into(), &true.into())
        );
        assert!(!lines.iter().any(|line| line.to_string().contains("geheim")));
    }
}

#[tokio::test]
async fn agent_that_ends_is_a_gap_and_recording_goes_on() {
    let fixture = notes(false).await;
    let recording = Running::start(&fixture, AgentSource::Dex(PROGRAM)).await;
    let shell = Shell::new(fixture.phone.clone());
    assert_eq!(
        quit_if_running(&shell, &fixture.cx).await.unwrap(),
        QuitOutcome::Ended
    );
    recording.wait("gap").await;
    let again = async {
        while recording.lines().len() < 3 {
            recording.more.notified().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), again)
        .await
        .unwrap();
    let mut driver = fixture.attach().await;
    click(&mut driver, &fixture, "Save").await;
    recording.wait("click").await;
    let (lines, tally) = recording.stop().await;
    assert_eq!(tally.gaps, 2);
    let reasons: Vec<&Value> = lines.iter().filter_map(|line| line.get("reason")).collect();
    assert_eq!(reasons[1], "events are recorded again");
}
