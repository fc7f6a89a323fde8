//! Recordings by the agent and its app: events, keys, and the screens before them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adb::client::{Link, Pipe};
use async_trait::async_trait;
use driver::{Driver, Key};
use driver_android::{
    AgentSource, EVENT_RECORDER, EventCounts, Limit, Limits, QuitOutcome, RecordingEvent,
    RecordingResult, Session, Shell, quit_if_running, record,
};
use serde_json::Value;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use uitree::{Query, UiTree};

use crate::agent_events::{click, notes};
use crate::agent_fixture::{AgentFixture, PROGRAM};

/// A recording that runs.
struct Running {
    lines: Arc<Mutex<Vec<Value>>>,
    more: Arc<Notify>,
    /// What the recorder saw last.
    screen: watch::Receiver<Arc<str>>,
    stop: CancellationToken,
    task: tokio::task::JoinHandle<RecordingResult>,
}

impl Running {
    async fn start(fixture: &AgentFixture, source: AgentSource) -> Self {
        Self::start_on(fixture.phone.clone(), source, Limits::default()).await
    }

    async fn start_on(phone: adb::Phone, source: AgentSource, limits: Limits) -> Self {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let (more, stop) = (Arc::new(Notify::new()), CancellationToken::new());
        let (ready_sender, ready) = tokio::sync::oneshot::channel();
        let (into, notify, token) = (Arc::clone(&lines), Arc::clone(&more), stop.clone());
        let (seen, screen) = watch::channel(Arc::from(""));
        let task = tokio::spawn(async move {
            let session = Session {
                id: "s".to_owned(),
                serial: "phone".to_owned(),
                epoch_ms: 1_000_000,
                limits,
            };
            let mut write = |line: &str| {
                let line: Value = serde_json::from_str(line).unwrap();
                into.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(line);
                notify.notify_one();
                Ok(())
            };
            let mut ready_sender = Some(ready_sender);
            let mut on_event = |event| match event {
                RecordingEvent::Ready(_) => ready_sender.take().unwrap().send(()).unwrap(),
                RecordingEvent::Observed(screen) => _ = seen.send_replace(screen),
            };
            let recording = record(phone, source, &session, token, &mut write, &mut on_event);
            recording.await.unwrap()
        });
        ready.await.unwrap();
        Self {
            lines,
            more,
            screen,
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
        self.wait_for(kind, 1).await
    }

    /// Waits for this many lines of a type; returns the last one.
    async fn wait_for(&self, kind: &str, count: usize) -> Value {
        let waiting = async {
            loop {
                let lines = self.lines();
                let mut of_kind = lines.iter().filter(|line| line["type"] == kind);
                if let Some(line) = of_kind.nth(count - 1) {
                    return line.clone();
                }
                self.more.notified().await;
            }
        };
        match tokio::time::timeout(Duration::from_secs(30), waiting).await {
            Ok(line) => line,
            Err(_) => panic!("no {kind} number {count} in {:#?}", short(&self.lines())),
        }
    }

    /// Waits for a line with this value.
    async fn wait_with(&self, key: &str, value: &str) {
        let waiting = async {
            while !self.lines().iter().any(|line| line[key] == value) {
                self.more.notified().await;
            }
        };
        let waiting = tokio::time::timeout(Duration::from_secs(30), waiting);
        let is_there = waiting.await.is_ok();
        assert!(is_there, "no {key} {value} in {:#?}", short(&self.lines()));
    }

    /// Waits until the recorder has seen a screen with this text.
    async fn wait_for_text(&mut self, text: &str) {
        let seen = self.screen.wait_for(|screen| screen.contains(text));
        let is_seen = tokio::time::timeout(Duration::from_secs(30), seen)
            .await
            .is_ok_and(|seen| seen.is_ok());
        assert!(
            is_seen,
            "no {text} in {} after {:#?}",
            *self.screen.borrow(),
            short(&self.lines())
        );
    }

    /// Waits until it has ended by itself.
    async fn ended(self) -> (Value, RecordingResult) {
        let finished = tokio::time::timeout(Duration::from_secs(60), self.task);
        let finished = finished.await.unwrap().unwrap();
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(finished.tally.events, lines.len() as u64 - 1);
        (lines.last().unwrap().clone(), finished)
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
        assert_eq!(
            (&lines[0]["recorder"], &lines[0]["touches"]),
            (&EVENT_RECORDER.into(), &true.into())
        );
        assert_eq!(tally.gaps, 0, "{:#?}", short(&lines));
        // The screen before each of them.
        for line in &lines[1..] {
            let shown = line["snapshot"].as_str().unwrap_or_default();
            assert!(shown.contains("com.example.notes:id/save"), "{line}");
        }
        assert_eq!(lines[1]["type"], "window_change");
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
        while recording.lines().len() < 4 {
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

fn tree(line: &Value) -> UiTree {
    let xml = line["snapshot"]
        .as_str()
        .unwrap_or_else(|| panic!("{line}"));
    UiTree::parse_hierarchy_xml(xml.as_bytes(), None).unwrap()
}

fn count(line: &Value, text: &str) -> usize {
    tree(line).count(&Query::new().text(text))
}

/// A button that closes its window is gone when the agent asks for it; the screen before shows it.
#[tokio::test]
async fn snapshot_shows_the_screen_before_each_step() {
    let fixture = notes(false).await;
    let mut recording = Running::start(&fixture, AgentSource::Dex(PROGRAM)).await;
    let mut driver = fixture.attach().await;
    recording.wait_for_text("Save").await;
    for (button, next) in [
        ("More", "Last"),
        ("Info", "Understood"),
        ("Understood", "Last"),
    ] {
        click(&mut driver, &fixture, button).await;
        recording.wait_for_text(next).await;
    }
    let last = recording.wait_for("click", 3).await;
    assert_eq!(last["text"], "Understood");
    let (lines, tally) = recording.stop().await;
    assert_eq!(tally.gaps, 0, "{:#?}", short(&lines));
    let clicks: Vec<&Value> = lines
        .iter()
        .filter(|line| line["type"] == "click")
        .collect();
    for (line, there, later) in [
        (clicks[0], "More", "Last"),
        (clicks[1], "Info", "Understood"),
        (clicks[2], "Understood", "Save"),
    ] {
        assert_eq!((count(line, there), count(line, later)), (1, 0), "{line:#}");
        let at = tree(line);
        let id = at.find(&Query::new().text(there)).unwrap();
        let bounds = at.node(id).bounds.unwrap();
        assert_eq!(line["bounds"]["left"], bounds.left, "{line:#}");
        assert_eq!(line["bounds"]["bottom"], bounds.bottom, "{line:#}");
    }
}

/// The agent reports the keys of a driver, `getevent` those of the phone. A Back that neither reports is a gap.
#[tokio::test]
async fn back_is_a_key_or_a_gap() {
    for source in [AgentSource::Dex(PROGRAM), AgentSource::App] {
        let fixture = notes(matches!(source, AgentSource::App)).await;
        let mut recording = Running::start(&fixture, source).await;
        let mut driver = crate::agent_fixture::attach(&fixture.phone, &fixture.cx, source)
            .await
            .unwrap();
        let presses = [
            None,
            Some(
                "sendevent /dev/input/event0 1 158 1; sendevent /dev/input/event0 0 0 0; \
                  sendevent /dev/input/event0 1 158 0; sendevent /dev/input/event0 0 0 0",
            ),
            Some("input keyevent 4"),
        ];
        click(&mut driver, &fixture, "More").await;
        recording.wait_for_text("Info").await;
        // A person takes longer than keys and windows may be apart: each step is written before the next one.
        let mut windows = 2;
        recording.wait_for("window_change", windows).await;
        for press in presses {
            click(&mut driver, &fixture, "Last").await;
            recording.wait_for_text("The end").await;
            recording.wait_for("window_change", windows + 1).await;
            match press {
                None => drop(driver.key(&fixture.cx, Key::Back).await.unwrap()),
                Some(command) => _ = fixture.run(command).await,
            }
            recording.wait_for_text("Info").await;
            windows += 2;
            recording.wait_for("window_change", windows).await;
        }
        recording.wait("gap").await;
        let (lines, tally) = recording.stop().await;
        let recorded: Vec<String> = lines[1..]
            .iter()
            .filter(|line| line["type"] != "window_change")
            .map(|line| match line["key"].as_str() {
                Some(key) => key.to_owned(),
                None => line["type"].as_str().unwrap().to_owned(),
            })
            .collect();
        assert_eq!(
            recorded,
            ["click", "click", "back", "click", "back", "click", "gap"],
            "{:#?}",
            short(&lines)
        );
        assert_eq!(tally.gaps, 1);
        let keys: Vec<&Value> = lines
            .iter()
            .filter(|line| line.get("key").is_some())
            .collect();
        for key in keys {
            assert_eq!(count(key, "The end"), 1, "{key:#}");
        }
    }
}

/// A person's finger as kernel events; the panel has four units per pixel.
async fn finger(fixture: &AgentFixture, (x, y): (i32, i32), then: &str) {
    let glass = "/dev/input/event1";
    let script = format!(
        "sendevent {glass} 3 57 7; sendevent {glass} 3 53 {}; sendevent {glass} 3 54 {}; sendevent {glass} 1 330 1; \
         sendevent {glass} 0 0 0; {then} sendevent {glass} 3 57 -1; sendevent {glass} 1 330 0; sendevent {glass} 0 0 0",
        x * 4 + 2,
        y * 4 + 2
    );
    let done = fixture.phone.shell(&script).await.unwrap();
    assert_eq!(done.status, 0, "{}", done.error_text());
    drop(fixture.adb_phone.driver().await);
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
async fn middle(driver: &mut dyn Driver, fixture: &AgentFixture, query: &Query) -> (i32, i32) {
    let seen = driver.observe(&fixture.cx).await.unwrap();
    let Some(id) = seen.tree.find(query) else {
        panic!("{query:?} in\n{}", seen.tree.to_notation());
    };
    let center = seen.tree.visible_bounds(id).unwrap().center();
    (center.x, center.y)
}

#[tokio::test]
async fn touches_of_a_person_are_recorded() {
    let fixture = app("com.android.settings").await;
    let mut recording = Running::start(&fixture, AgentSource::Dex(PROGRAM)).await;
    recording.wait_for_text("Alex Morgan").await;
    let mut driver = fixture.attach().await;
    let row = middle(&mut driver, &fixture, &Query::new().text("Alex Morgan")).await;
    let up = [1500, 1100, 700].map(|y| move_to((540, y))).concat();
    finger(&fixture, (540, 1800), &up).await;
    let scroll = recording.wait("scroll").await;
    assert_eq!(scroll["direction"], "down");
    assert!(count(&scroll, "Alex Morgan") == 1, "{scroll}");
    let down = [1500, 1800, 2100].map(|y| move_to((540, y))).concat();
    finger(&fixture, (540, 1300), &down).await;
    recording.wait_with("direction", "up").await;
    finger(&fixture, row, "").await;
    let click = recording.wait("click").await;
    assert_eq!(click["text"], "Alex Morgan", "{click}");
    assert!(count(&click, "Alex Morgan") == 1, "{click}");
    recording.wait_for("window_change", 2).await;
    // A button of the navigation bar.
    finger(&fixture, (540, 2320), "").await;
    assert_eq!(recording.wait("press_key").await["key"], "home");
    let home = recording.wait_for("window_change", 3).await;
    assert_ne!(home["packageName"], "com.android.settings");
    let (lines, tally) = recording.stop().await;
    let first = &lines[1];
    assert_eq!(
        first["className"],
        "com.android.settings.homepage.SettingsHomepageActivity"
    );
    assert_eq!(tally.gaps, 0, "{:#?}", short(&lines));
    let keys = lines.iter().filter(|line| line["type"] == "press_key");
    assert_eq!(keys.count(), 1, "{:#?}", short(&lines));
}

/// A Compose app reports no clicks of fingers, and a view that takes no touch none at all.
#[tokio::test]
async fn touches_that_no_app_reports_are_recorded_by_their_place() {
    let fixture = app("com.example.chat").await;
    let mut recording = Running::start(&fixture, AgentSource::Dex(PROGRAM)).await;
    recording.wait_for_text("Nora Lindgren").await;
    let mut driver = fixture.attach().await;
    let row = middle(&mut driver, &fixture, &Query::new().text("Nora Lindgren")).await;
    finger(&fixture, row, "").await;
    let click = recording.wait("click").await;
    assert_eq!(click["text"], "Nora Lindgren", "{click}");
    assert_eq!(click["packageName"], "com.example.chat");
    assert_eq!(click["coordinate"]["x"], row.0);
    assert_eq!(count(&click, "Nora Lindgren"), 1, "{click}");
    let (lines, tally) = recording.stop().await;
    let clicks = lines.iter().filter(|line| line["type"] == "click");
    assert_eq!((clicks.count(), tally.gaps), (1, 0), "{:#?}", short(&lines));

    let fixture = notes(false).await;
    let mut recording = Running::start(&fixture, AgentSource::Dex(PROGRAM)).await;
    recording.wait_for_text("Save").await;
    finger(&fixture, (540, 2000), "").await;
    let click = recording.wait("click").await;
    assert_eq!(click["coordinate"]["y"], 2000, "{click}");
    assert_eq!(click["resourceId"], Value::Null, "{click}");
    recording.stop().await;
}

async fn app(package: &str) -> AgentFixture {
    let mut options = sim_adb::Options {
        idle: Duration::ZERO,
        ..sim_adb::Options::default()
    };
    options.sim.start = driver_sim::Start::App(package.to_owned());
    crate::agent_fixture::phone_with(options).await
}

/// A password that is shown, and typed on, stays a secret.
#[tokio::test]
async fn passwords_are_not_recorded_even_if_they_are_shown() {
    let fixture = app("com.example.forms").await;
    let mut driver = fixture.attach().await;
    let page = driver::Target::Uri("forms://text".to_owned());
    driver.open(&fixture.cx, &page).await.unwrap();
    let mut recording = Running::start(&fixture, AgentSource::Dex(PROGRAM)).await;
    recording.wait_for_text("secret").await;
    let field = Query::new().id("com.example.forms:id/secret");
    for text in ["qzqzq", "qzqzqk"] {
        let seen = driver.observe(&fixture.cx).await.unwrap();
        let node = seen.node_ref(seen.tree.find(&field).unwrap());
        let act = driver::NodeAct::SetText(text.to_owned());
        driver.act(&fixture.cx, node, &act).await.unwrap();
        if text == "qzqzq" {
            let toggle = Query::new().label("Show password");
            let at = middle(&mut driver, &fixture, &toggle).await;
            let tap = driver::Gesture::Tap {
                at: uitree::Point::new(at.0, at.1),
            };
            driver.touch(&fixture.cx, &tap).await.unwrap();
            let shown = driver.observe(&fixture.cx).await.unwrap();
            assert!(shown.tree.to_notation().contains("qzqzq"));
            recording.wait("click").await;
        }
    }
    recording.wait_for("text_change", 2).await;
    let (lines, _) = recording.stop().await;
    for line in &lines {
        assert!(!line.to_string().contains("qzqz"), "{line}");
    }
    let typed = lines.iter().filter(|line| line["type"] == "text_change");
    let typed: Vec<&Value> = typed.collect();
    assert!(
        typed.iter().all(|line| line["password"] == true),
        "{typed:#?}"
    );
}

/// A link to a phone whose `getevent` fails.
#[derive(Debug)]
struct FaultyGetevent {
    phone: adb::Phone,
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
            return self.phone.open(service).await;
        }
        let reads_events = service.contains("getevent -lt");
        if reads_events && self.asked.fetch_add(1, Ordering::Relaxed) == 0 {
            let service = "shell,v2,pty:echo 'add device 1: /dev/input/event1'";
            return self.phone.open(service).await;
        }
        self.phone.open(service).await
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        Ok(self.phone.features().await?.to_vec())
    }
}

#[tokio::test]
async fn phone_without_getevent_says_that_keys_are_not_recorded() {
    for (fault, then) in [
        (GeteventFault::Denied, None),
        (GeteventFault::Ends, Some("recorded again")),
    ] {
        let fixture = notes(false).await;
        let phone = adb::Phone::new(Arc::new(FaultyGetevent {
            phone: fixture.phone.clone(),
            fault,
            asked: AtomicU32::new(0),
        }));
        let source = AgentSource::Dex(PROGRAM);
        let recording = Running::start_on(phone, source, Limits::default()).await;
        let gap = recording.wait("gap").await;
        let why = gap["reason"].as_str().unwrap();
        assert!(
            why.contains("keys and navigation gestures are not recorded"),
            "{why}"
        );
        if let Some(then) = then {
            let again = recording.wait_for("gap", 2).await;
            assert!(again["reason"].as_str().unwrap().contains(then), "{again}");
        }
        let mut driver = fixture.attach().await;
        click(&mut driver, &fixture, "Save").await;
        assert_eq!(recording.wait("click").await["text"], "Save");
        recording.stop().await;
    }
}

#[tokio::test]
async fn recording_that_is_not_stopped_ends_at_its_limit() {
    let fixture = notes(false).await;
    let never = Limits {
        time: Duration::from_secs(100_000),
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
        let source = AgentSource::Dex(PROGRAM);
        let recording = Running::start_on(fixture.phone.clone(), source, limits).await;
        let (last, finished) = recording.ended().await;
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
    phone: adb::Phone,
    gone: CancellationToken,
}

#[async_trait]
impl Link for UnpluggableLink {
    async fn open(&self, service: &str) -> adb::Result<Pipe> {
        if self.gone.is_cancelled() {
            return Err(adb::ErrorKind::Closed.into());
        }
        self.phone.open(service).await
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        Ok(self.phone.features().await?.to_vec())
    }
}

#[tokio::test]
async fn recording_ends_if_the_phone_stays_away() {
    let fixture = notes(false).await;
    let gone = CancellationToken::new();
    let phone = adb::Phone::new(Arc::new(UnpluggableLink {
        phone: fixture.phone.clone(),
        gone: gone.clone(),
    }));
    let limits = Limits {
        away: Duration::ZERO,
        ..Limits::default()
    };
    let source = AgentSource::Dex(PROGRAM);
    let recording = Running::start_on(phone, source, limits).await;
    gone.cancel();
    let shell = Shell::new(fixture.phone.clone());
    quit_if_running(&shell, &fixture.cx).await.unwrap();
    let (last, finished) = recording.ended().await;
    assert_eq!(finished.limit, Some(Limit::Away(Duration::ZERO)));
    let reason = last["reason"].as_str().unwrap();
    assert!(reason.contains("the phone was away"), "{reason}");
}
