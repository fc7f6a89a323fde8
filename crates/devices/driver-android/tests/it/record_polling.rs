//! Recordings of a phone without an agent.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adb::client::direct::DirectLink;
use adb::client::{Link, Pipe};
use async_trait::async_trait;
use driver::Driver;
use driver_android::{
    EventCounts, Limit, Limits, RecordError, RecordingEvent, RecordingResult, Session, TouchSupport,
};
use serde_json::Value;
use sim_adb::{AdbPhone, Options};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use uitree::{NodeId, Query};

use crate::fixture::{Fixture, app, fixture};

/// A running recording.
struct Running {
    lines: Arc<Mutex<Vec<Value>>>,
    more: Arc<Notify>,
    looks: watch::Receiver<u64>,
    stop: CancellationToken,
    task: JoinHandle<Result<RecordingResult, RecordError>>,
}

impl Running {
    /// Starts recording; returns once the first screen is captured.
    async fn start(fixture: &Fixture) -> (Self, TouchSupport) {
        Self::start_on(fixture.phone.clone()).await
    }

    async fn start_on(phone: adb::Phone) -> (Self, TouchSupport) {
        Self::start_with(phone, Limits::default()).await
    }

    async fn start_with(phone: adb::Phone, limits: Limits) -> (Self, TouchSupport) {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let (more, stop) = (Arc::new(Notify::new()), CancellationToken::new());
        let (seen, looks) = watch::channel(0);
        let (told, ready) = tokio::sync::oneshot::channel();
        let session = Session {
            id: "s".to_owned(),
            serial: "phone".to_owned(),
            epoch_ms: 1_000_000,
            limits,
        };
        let (into, notify, token) = (Arc::clone(&lines), Arc::clone(&more), stop.clone());
        let task = tokio::spawn(async move {
            let mut write = |line: &str| {
                let line = serde_json::from_str(line).unwrap();
                into.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(line);
                notify.notify_one();
                Ok(())
            };
            let mut told = Some(told);
            let mut tell = |moment| match moment {
                RecordingEvent::Ready(hears) => told.take().unwrap().send(hears).unwrap(),
                RecordingEvent::Synced => seen.send_modify(|count| *count += 1),
                RecordingEvent::Observed(_) => {}
            };
            driver_android::record_by_polling(phone, &session, token, &mut write, &mut tell).await
        });
        let hears = ready.await.unwrap();
        (
            Self {
                lines,
                more,
                looks,
                stop,
                task,
            },
            hears,
        )
    }

    fn lines(&self) -> Vec<Value> {
        self.lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Waits for this many events of a type; returns the last one.
    async fn wait(&self, kind: &str, count: usize) -> Value {
        let waiting = async {
            loop {
                let lines = self.lines();
                let of_kind: Vec<&Value> =
                    lines.iter().filter(|line| line["type"] == kind).collect();
                if let Some(line) = of_kind.get(count - 1) {
                    return (*line).clone();
                }
                self.more.notified().await;
            }
        };
        match tokio::time::timeout(Duration::from_secs(30), waiting).await {
            Ok(line) => line,
            Err(_) => panic!("no {kind} number {count} in {:#?}", short(&self.lines())),
        }
    }

    /// Waits until the current screen is captured.
    async fn seen(&mut self) {
        // One capture may have been running already.
        for _ in 0..2 {
            self.looks.changed().await.unwrap();
        }
    }

    async fn stop(self) -> (Vec<Value>, EventCounts) {
        self.stop.cancel();
        let RecordingResult { tally, limit } = self.task.await.unwrap().unwrap();
        assert_eq!(limit, None);
        let lines = self
            .lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        (lines, tally)
    }

    /// Waits until it has ended by itself.
    async fn ended(self) -> (Value, RecordingResult) {
        let finished = tokio::time::timeout(Duration::from_secs(60), self.task);
        let finished = finished.await.unwrap().unwrap().unwrap();
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(finished.tally.events, lines.len() as u64 - 1);
        (lines.last().unwrap().clone(), finished)
    }
}

/// Lines without their snapshots.
fn short(lines: &[Value]) -> Vec<Value> {
    let mut lines = lines.to_vec();
    for line in &mut lines {
        if line["snapshot"].is_string() {
            line["snapshot"] = Value::from("…");
        }
    }
    lines
}

/// A user's finger as kernel events.
async fn finger(adb_phone: &AdbPhone, fixture: &Fixture, (x, y): (i32, i32), then: &str) {
    // Four units of the panel per pixel.
    let glass = "/dev/input/event1";
    let script = format!(
        "sendevent {glass} 3 57 7; sendevent {glass} 3 53 {}; sendevent {glass} 3 54 {}; sendevent {glass} 1 330 1; \
         sendevent {glass} 0 0 0; {then} sendevent {glass} 3 57 -1; sendevent {glass} 1 330 0; sendevent {glass} 0 0 0",
        x * 4 + 2,
        y * 4 + 2
    );
    let done = fixture.phone.shell(&script).await.unwrap();
    assert_eq!(done.status, 0, "{}", done.error_text());
    drop(adb_phone.driver().await);
}

fn move_to((x, y): (i32, i32)) -> String {
    let glass = "/dev/input/event1";
    format!(
        "sendevent {glass} 3 53 {}; sendevent {glass} 3 54 {}; sendevent {glass} 0 0 0;",
        x * 4 + 2,
        y * 4 + 2
    )
}

/// The center of the match on the current screen.
async fn middle(fixture: &mut Fixture, query: &Query) -> (i32, i32) {
    let seen = fixture.driver.observe(&fixture.cx).await.unwrap();
    let Some(id) = seen.tree.find(query) else {
        panic!("{query:?} in\n{}", seen.tree.to_notation());
    };
    let center = bounds(&seen.tree, id);
    (center.x, center.y)
}

fn bounds(tree: &uitree::UiTree, id: NodeId) -> uitree::Point {
    tree.visible_bounds(id).unwrap().center()
}

#[tokio::test]
async fn user_actions_are_recorded() {
    let mut fixture = app("com.android.settings").await;
    let adb_phone = fixture.adb_phone.clone();
    let row = middle(&mut fixture, &Query::new().text("Alex Morgan")).await;
    let (mut running, hears) = Running::start(&fixture).await;
    assert_eq!(hears, TouchSupport::Touches);
    // Injected input is not the user's.
    adb_phone.driver().await;
    fixture.phone.shell("input tap 540 5").await.unwrap();
    finger(&adb_phone, &fixture, row, "").await;
    let click = running.wait("click", 1).await;
    assert_eq!(
        click["text"],
        "Alex Morgan",
        "{:#?}",
        short(&running.lines())
    );
    assert_eq!(click["packageName"], "com.android.settings");
    assert_eq!(
        click["coordinate"],
        serde_json::json!({"x": row.0, "y": row.1})
    );
    assert!(click["snapshot"].as_str().unwrap().contains("Alex Morgan"));
    running.wait("window_change", 2).await;
    // A hardware button, and one of the navigation bar.
    let keys = "sendevent /dev/input/event0 1 158 1; sendevent /dev/input/event0 0 0 0; sendevent /dev/input/event0 1 158 0; sendevent /dev/input/event0 0 0 0";
    fixture.phone.shell(keys).await.unwrap();
    assert_eq!(running.wait("press_key", 1).await["key"], "back");
    running.wait("window_change", 3).await;
    running.seen().await;
    finger(
        &adb_phone,
        &fixture,
        (540, 1800),
        &[1500, 1100, 700].map(|y| move_to((540, y))).concat(),
    )
    .await;
    let scroll = running.wait("scroll", 1).await;
    assert_eq!(scroll["direction"], "down");
    assert!(scroll["resourceId"].is_string(), "{scroll}");
    running.seen().await;
    finger(
        &adb_phone,
        &fixture,
        (540, 1300),
        &[1500, 1800, 2100].map(|y| move_to((540, y))).concat(),
    )
    .await;
    assert_eq!(running.wait("scroll", 2).await["direction"], "up");
    running.seen().await;
    finger(&adb_phone, &fixture, (540, 2320), "").await;
    assert_eq!(running.wait("press_key", 2).await["key"], "home");
    let home = running.wait("window_change", 4).await;
    assert_ne!(home["packageName"], "com.android.settings");
    let (lines, tally) = running.stop().await;
    assert_eq!(lines[0]["type"], "recording_header");
    assert_eq!(
        (&lines[0]["recorder"], &lines[0]["schemaVersion"]),
        (&"stock-polling".into(), &1.into())
    );
    assert_eq!(lines[0]["touches"], true);
    let first = &lines[1];
    assert_eq!(first["type"], "window_change");
    assert_eq!(
        first["className"],
        "com.android.settings.homepage.SettingsHomepageActivity"
    );
    assert_eq!(tally.events, lines.len() as u64 - 1);
    for (seq, line) in lines[1..].iter().enumerate() {
        assert_eq!(line["seq"], seq, "{:#?}", short(&lines));
    }
    // The injected tap is not recorded: only the three touches are.
    assert_eq!(
        lines.iter().filter(|line| line["type"] == "click").count(),
        1
    );
}

#[tokio::test]
async fn typed_text_is_recorded_but_passwords_are_not() {
    let mut fixture = app("com.example.forms").await;
    let adb_phone = fixture.adb_phone.clone();
    fixture
        .driver
        .open(&fixture.cx, &driver::Target::Uri("forms://text".to_owned()))
        .await
        .unwrap();
    let (mut running, _) = Running::start(&fixture).await;
    let name = middle(
        &mut fixture,
        &Query::new().id("com.example.forms:id/full_name"),
    )
    .await;
    finger(&adb_phone, &fixture, name, "").await;
    running.wait("click", 1).await;
    let seen = loop {
        let seen = fixture.driver.observe(&fixture.cx).await.unwrap();
        if seen
            .windows
            .iter()
            .any(|window| window.kind == uitree::WindowKind::InputMethod)
        {
            break seen;
        }
    };
    for letter in ["b", "o"] {
        let at = key(&seen, letter).unwrap_or_else(|| panic!("{}", seen.tree.to_notation()));
        finger(&adb_phone, &fixture, at, "").await;
    }
    let mut texts = 1;
    let text = loop {
        let text = running.wait("text_change", texts).await;
        if text["text"] == "bo" {
            break text;
        }
        texts += 1;
    };
    assert_eq!(text["resourceId"], "com.example.forms:id/full_name");
    running.seen().await;
    let secret = middle(
        &mut fixture,
        &Query::new().id("com.example.forms:id/secret"),
    )
    .await;
    finger(&adb_phone, &fixture, secret, "").await;
    let click = running.wait("click", 2).await;
    assert_eq!(click["resourceId"], "com.example.forms:id/secret");
    running.seen().await;
    let seen = fixture.driver.observe(&fixture.cx).await.unwrap();
    let at = key(&seen, "q").unwrap_or_else(|| panic!("{}", seen.tree.to_notation()));
    finger(&adb_phone, &fixture, at, "").await;
    let hidden = running.wait("text_change", texts + 1).await;
    assert_eq!(hidden["text"], "");
    assert_eq!(hidden["password"], true);
    // A revealed password stays a password.
    for letter in ["z", "q", "z", "q"] {
        let at = key(&seen, letter).unwrap_or_else(|| panic!("{}", seen.tree.to_notation()));
        finger(&adb_phone, &fixture, at, "").await;
        running.seen().await;
    }
    let shown = Query::new().label("Show password");
    let toggle = middle(&mut fixture, &shown).await;
    finger(&adb_phone, &fixture, toggle, "").await;
    running.wait("click", 3).await;
    running.seen().await;
    let seen = fixture.driver.observe(&fixture.cx).await.unwrap();
    assert!(
        seen.tree.to_notation().contains("qzqzq"),
        "{}",
        seen.tree.to_notation()
    );
    let at = key(&seen, "k").unwrap_or_else(|| panic!("{}", seen.tree.to_notation()));
    finger(&adb_phone, &fixture, at, "").await;
    running.seen().await;
    finger(&adb_phone, &fixture, toggle, "").await;
    running.wait("click", 4).await;
    let (lines, _) = running.stop().await;
    for line in lines {
        assert!(!line.to_string().contains("qzqz"), "{line}");
    }
}

/// The center of a key of the keyboard.
fn key(seen: &driver::Observation, letter: &str) -> Option<(i32, i32)> {
    let tree = &seen.tree;
    let key = tree.ids().find(|id| {
        let node = tree.node(*id);
        node.class.ends_with(".Key") && node.label.eq_ignore_ascii_case(letter)
    })?;
    let at = bounds(tree, key);
    Some((at.x, at.y))
}

#[tokio::test]
async fn touches_on_rotated_phone_are_mapped() {
    let mut options = Options::default();
    options.sim.start = driver_sim::Start::App("com.android.settings".to_owned());
    options.sim.rotation = driver_sim::Rotation::Landscape;
    let mut fixture = fixture(options).await;
    let adb_phone = fixture.adb_phone.clone();
    let row = middle(&mut fixture, &Query::new().text("Alex Morgan")).await;
    let (running, _) = Running::start(&fixture).await;
    let screen = adb_phone.driver().await.phone().screen();
    assert!(screen.width > screen.height);
    // Rotated to the left: the panel's origin is at the bottom left now.
    let glass = (screen.height - 1 - row.1, row.0);
    finger(&adb_phone, &fixture, glass, "").await;
    let click = running.wait("click", 1).await;
    assert_eq!(
        click["text"],
        "Alex Morgan",
        "{:#?}",
        short(&running.lines())
    );
    running.stop().await;
}

/// A link to a phone whose `getevent` fails.
#[derive(Debug)]
struct FaultyGetevent {
    way: Arc<DirectLink>,
    fault: GeteventFault,
    /// How often `getevent` was started.
    asked: AtomicU32,
}

#[derive(Debug, PartialEq, Eq)]
enum GeteventFault {
    /// The phone denies it.
    Denied,
    /// The first stream ends at once.
    Ends,
}

#[async_trait]
impl Link for FaultyGetevent {
    async fn open(&self, service: &str) -> adb::Result<Pipe> {
        if self.fault == GeteventFault::Denied && service.contains("getevent") {
            let service = "shell,v2,raw:echo 'getevent: /dev/input: Permission denied' >&2; exit 1";
            return self.way.open(service).await;
        }
        let reads_events = service.contains("getevent -lt");
        if reads_events && self.asked.fetch_add(1, Ordering::Relaxed) == 0 {
            return self
                .way
                .open("shell,v2,pty:echo 'add device 1: /dev/input/event1'")
                .await;
        }
        self.way.open(service).await
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        self.way.features().await
    }
}

fn odd(fixture: &Fixture, fault: GeteventFault) -> adb::Phone {
    adb::Phone::new(Arc::new(FaultyGetevent {
        way: fixture.link.clone(),
        fault,
        asked: AtomicU32::new(0),
    }))
}

#[tokio::test]
async fn phone_without_touch_events_records_screens_only() {
    let fixture = app("com.android.settings").await;
    let (running, hears) = Running::start_on(odd(&fixture, GeteventFault::Denied)).await;
    assert_eq!(hears, TouchSupport::Nothing);
    let gap = running.wait("gap", 1).await;
    let why = gap["reason"].as_str().unwrap();
    assert!(
        why.contains("not recorded") && why.contains("Permission denied"),
        "{why}"
    );
    fixture.phone.shell("input keyevent HOME").await.unwrap();
    let home = running.wait("window_change", 2).await;
    assert_ne!(home["packageName"], "com.android.settings");
    let (lines, _) = running.stop().await;
    assert_eq!(lines[0]["touches"], false);
}

#[tokio::test]
async fn interrupted_touch_stream_is_a_gap_and_resumes() {
    let mut fixture = app("com.android.settings").await;
    let adb_phone = fixture.adb_phone.clone();
    let row = middle(&mut fixture, &Query::new().text("Alex Morgan")).await;
    let (running, hears) = Running::start_on(odd(&fixture, GeteventFault::Ends)).await;
    assert_eq!(hears, TouchSupport::Touches);
    let gap = running.wait("gap", 1).await;
    assert!(
        gap["reason"]
            .as_str()
            .unwrap()
            .contains("not recorded for a while"),
        "{gap}"
    );
    let heard = running.wait("gap", 2).await;
    assert!(
        heard["reason"].as_str().unwrap().contains("recorded again"),
        "{heard}"
    );
    finger(&adb_phone, &fixture, row, "").await;
    assert_eq!(running.wait("click", 1).await["text"], "Alex Morgan");
    running.stop().await;
}

#[tokio::test]
async fn unstopped_recording_ends_at_its_limit() {
    let fixture = app("com.android.settings").await;
    let never = Limits {
        time: Duration::MAX,
        bytes: u64::MAX,
        away: Duration::MAX,
    };
    let time = Duration::from_millis(1);
    let reasons = [
        (Limits { time, ..never }, Limit::Time(time), "it has lasted"),
        (
            Limits { bytes: 1, ..never },
            Limit::Bytes(1),
            "its file has",
        ),
    ];
    for (limits, limit, why) in reasons {
        let (running, _) = Running::start_with(fixture.phone.clone(), limits).await;
        let (last, finished) = running.ended().await;
        assert_eq!(finished.limit, Some(limit));
        assert_eq!(last["type"], "gap");
        let reason = last["reason"].as_str().unwrap();
        assert!(
            reason.starts_with("the recording ended by itself: ") && reason.contains(why),
            "{reason}"
        );
    }
}

/// A link that fails on demand, as if the phone was unplugged.
#[derive(Debug)]
struct UnpluggableLink {
    way: Arc<DirectLink>,
    gone: CancellationToken,
}

#[async_trait]
impl Link for UnpluggableLink {
    async fn open(&self, service: &str) -> adb::Result<Pipe> {
        if self.gone.is_cancelled() {
            return Err(adb::ErrorKind::Closed.into());
        }
        self.way.open(service).await
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        self.way.features().await
    }
}

#[tokio::test]
async fn recording_ends_if_phone_stays_away() {
    let fixture = app("com.android.settings").await;
    let gone = CancellationToken::new();
    let phone = adb::Phone::new(Arc::new(UnpluggableLink {
        way: Arc::clone(&fixture.link),
        gone: gone.clone(),
    }));
    let limits = Limits {
        away: Duration::ZERO,
        ..Limits::default()
    };
    let (mut running, _) = Running::start_with(phone, limits).await;
    running.seen().await;
    assert!(!running.task.is_finished());
    gone.cancel();
    let (last, finished) = running.ended().await;
    assert_eq!(finished.limit, Some(Limit::Away(Duration::ZERO)));
    let reason = last["reason"].as_str().unwrap();
    assert!(reason.contains("the phone was away"), "{reason}");
}
