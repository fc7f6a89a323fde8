//! Runs the scenarios on a phone over adb, through a real adb server: the same plans have the same results.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use adb::client::server::{Address, Server};
use driver::Cx;
use driver_android::StockDriver;
use serde_json::{Value, json};
use sim_adb::{Daemon, Options};
use testkit::{RealServer, Scenario, shortened, side_by_side};
use tokio_util::sync::CancellationToken;

use crate::phone::{json_of, options_of, patient_plan, run_within};
use crate::scenarios::seed;

/// The number of parallel phones: they mostly wait.
const AT_ONCE: usize = 8;

/// How often a scenario with another result is tried again, without others beside it.
const ATTEMPTS_ALONE: usize = 4;

/// Serializes the tests with phones in real time: in parallel everything would be late.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// The scenarios whose result differs on a phone without the Operator app, each with the reason.
const OTHERWISE: &[(&str, &str)] = &[
    ("click-off-screen", "a dump leaves out what cannot be seen"),
    ("enter-text-empty", "a dump does not tell a hint from text"),
    ("enter-text-slider", "a dump has no value of a slider"),
    ("enter-text-slider-range", "a dump has no range of a slider"),
    ("enter-text-slider-words", "a dump has no range of a slider"),
    ("keyboard-covers", "a finger does not reach what is covered"),
    ("keyboard-is-seen", "the bars of the system are not counted"),
    ("open-app-fails", "`am start` says that it starts"),
    ("open-uri-app-fails", "`am start` says that it starts"),
    ("press-key-unsupported", "Android takes every key"),
    ("press-key-escape", "the bars of the system are not counted"),
    ("read-clipboard", "adb's tools do not reach the clipboard"),
    ("set-clipboard", "adb's tools do not reach the clipboard"),
    ("snapshot-ui-part", "the bars of the system are not counted"),
    ("read-text-hint", "a dump does not tell a hint from text"),
    ("recording", "nothing records"),
    ("recording-already", "nothing records"),
    ("recording-bad-id", "nothing records"),
    ("recording-existing", "nothing records"),
    ("recording-not-running", "nothing records"),
    ("recording-other-session", "nothing records"),
    (
        "screen-off-keys-and-touches",
        "`input` says nothing of a dark screen",
    ),
    ("screen-on-again", "the bars of the system are not counted"),
];

/// A scenario whose last step depends on timing: a touch hits a moving button or misses it.
const CHANCE: &str = "torture-moving";

/// Whether only the step after the click differs, and what depends on it.
fn differs_only_in_last_step(differences: &str) -> bool {
    const EXPECTED: [&str; 5] = [
        "/status:",
        "/stepResults/2/",
        "/error:",
        "/errorCode:",
        "/hint:",
    ];
    let lines = differences.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty())
        .all(|line| EXPECTED.iter().any(|path| line.starts_with(path)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scenarios_have_same_results_over_adb() {
    let _turn = TURN.lock().await;
    let real = RealServer::start();
    let server = Server::at(Address {
        host: "127.0.0.1".to_owned(),
        port: real.port(),
    });
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/scenarios");
    let scenarios = testkit::folder(&folder).unwrap();
    let untimed: Vec<Scenario> = scenarios
        .into_iter()
        .filter(|scenario| !scenario.is_timed())
        .collect();
    let played = side_by_side(&real, untimed.clone(), AT_ONCE, |scenario| {
        play(server.clone(), scenario)
    });
    let (mut same, mut problems) = (0, Vec::new());
    for (name, mut differences) in played.await {
        let reason = OTHERWISE.iter().find(|(its, _)| *its == name);
        let scenario = untimed.iter().find(|scenario| scenario.name() == name);
        // On a busy computer, a look may take so long that the screen counts as idle.
        for _ in 0..ATTEMPTS_ALONE {
            if reason.is_none() && !differences.is_empty() {
                (_, differences) = play(server.clone(), scenario.unwrap().clone()).await;
            }
        }
        match (differences.is_empty(), reason) {
            (true, None) => same += 1,
            (false, Some(_)) => {}
            (false, None) if name == CHANCE && differs_only_in_last_step(&differences) => {}
            (true, Some((_, reason))) => {
                problems.push(format!("{name} comes to the same, although {reason}"));
            }
            (false, None) => problems.push(format!("{name}{differences}")),
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(same > 70, "{same}");
}

/// Runs a scenario on its own phone; returns its name and how the result differs.
async fn play(server: Server, scenario: Scenario) -> (String, String) {
    let name = scenario.name();
    let options = Options {
        sim: options_of(scenario.blocks("yaml app"), seed(&scenario).unwrap()),
        idle: Duration::ZERO,
        ..Options::default()
    };
    let address = phone(&server, &options).await;
    let (mut phone, cx) = opened(&server, &address).await;
    if let Some(setup) = scenario.json("json setup").unwrap() {
        let answer = json_of(&run_within(&mut phone, &patient_plan(setup, None), &cx).await);
        if answer["status"] != "success" {
            return (name, format!(": the setup failed: {answer:#}"));
        }
    }
    let actions = scenario.json("json actions").unwrap().unwrap();
    let execution = patient_plan(actions, scenario.json("json options").unwrap());
    let answer = json_of(&run_within(&mut phone, &execution, &cx).await);
    let expected = scenario.json("json result").unwrap().unwrap();
    let found = without_durations(shortened(answer));
    let expected = by_finger(without_durations(expected), &found);
    (name, differ("", &expected, &found))
}

/// Converts the result of a device that acts on nodes to that of a touch device: its clicks report
/// coordinates.
pub(crate) fn by_finger(mut expected: Value, found: &Value) -> Value {
    if let Value::Object(fields) = &mut expected
        && fields.get("click_method") == Some(&Value::from("node"))
    {
        fields.insert("click_method".to_owned(), "gesture".into());
        let at = found["coordinate"]
            .as_str()
            .unwrap_or("a place, which is missing");
        fields.insert("coordinate".to_owned(), at.into());
    }
    match &mut expected {
        Value::Object(fields) => {
            for (key, value) in fields {
                *value = by_finger(value.take(), &found[key.as_str()]);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter_mut().enumerate() {
                *item = by_finger(item.take(), &found[place]);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    expected
}

/// Starts a phone and returns its address once the server reports it ready. On a loaded machine a server may
/// report a slow phone as offline; another one is started then. Every phone lives as long as the server: a
/// server that loses phones tries to reconnect, and version 29 may crash on it.
async fn phone(server: &Server, options: &Options) -> String {
    for _ in 0..10 {
        let daemon = Daemon::bind(options.clone()).await.unwrap();
        let address = daemon.address().to_string();
        tokio::spawn(daemon.run());
        if attached(server, &address).await {
            return address;
        }
    }
    panic!("the server takes every phone for one that is offline");
}

/// Connects the server to a phone; whether it is ready afterwards. Connects one at a time and never
/// disconnects: version 29 crashes on either.
async fn attached(server: &Server, address: &str) -> bool {
    static TELLING: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    let _turn = TELLING.lock().await;
    if server.attach(address).await.is_err() {
        return false;
    }
    for _ in 0..100 {
        // A server on a busy computer may be silent for long.
        let devices = server.devices().await.unwrap_or_default();
        let listed = devices.iter().find(|device| device.serial == address);
        if listed.is_some_and(|device| device.state == "device") {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    false
}

/// The phone at an address, with the stock driver.
async fn opened(server: &Server, address: &str) -> (StockDriver, Cx) {
    let cx = Cx::new(Duration::from_secs(120), CancellationToken::new());
    let phone = adb::Phone::new(Arc::new(server.link(address)));
    let phone = StockDriver::open(address, phone, &cx).await.unwrap();
    (phone, cx)
}

/// Scenarios with a node longer than the screen: a dump shows the same bounds at every scroll position.
const LONG: &[&str] = &[
    "torture-long",
    "torture-off-screen",
    "scroll-and-click-late",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn node_longer_than_screen_is_scrolled_to_its_end() {
    let _turn = TURN.lock().await;
    let real = RealServer::start();
    let server = Server::at(Address {
        host: "127.0.0.1".to_owned(),
        port: real.port(),
    });
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/scenarios");
    let long = LONG
        .iter()
        .map(|name| Scenario::read(folder.join(format!("{name}.md"))).unwrap());
    let played = side_by_side(&real, long, LONG.len(), |scenario| {
        play(server.clone(), scenario)
    });
    let mut problems = Vec::new();
    for (name, differences) in played.await {
        // The length of a fling, and so the number of swipes, depends on timing.
        let lines = differences.lines().filter(|line| !line.is_empty());
        let other: Vec<&str> = lines
            .filter(|line| !line.contains("/data/swipes_used:"))
            .collect();
        if !other.is_empty() {
            problems.push(format!("{name}: {other:#?}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Two scroll containers, each filled by one node: one of a single color, one with long text.
const FILLED: &str = r#"
app: com.example.filled
label: Filled
start: home
screens:
  home:
    title: Filled
    body:
      - scroll: { id: plain, height: 400, children: [ { column: { background: surface, height: 3000, id: ground } } ] }
      - scroll: { id: written, height: 900, children: [ { text: "WORDS", id: words } ] }
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edge_is_distinguished_from_invisible_movement() {
    let _turn = TURN.lock().await;
    let real = RealServer::start();
    let server = Server::at(Address {
        host: "127.0.0.1".to_owned(),
        port: real.port(),
    });
    let words: String = (0..400_u32)
        .map(|n| format!("{} ", n.pow(2) % 7919))
        .collect();
    let app = FILLED.replace("WORDS", words.trim());
    let options = Options {
        sim: options_of(std::iter::once(&*app), 0),
        idle: Duration::ZERO,
        ..Options::default()
    };
    let address = phone(&server, &options).await;
    let (mut phone, cx) = opened(&server, &address).await;
    let scroll = |id: &str, way: &str, what: &str| {
        let container = format!("com.example.filled:id/{what}");
        json!({"id": id, "type": "scroll", "params": {"container": {"resourceId": container}, "direction": way}})
    };
    let actions = json!([
        {"id": "open", "type": "open_app", "params": {"applicationId": "com.example.filled"}},
        scroll("top", "up", "written"),
        scroll("down", "down", "written"),
        {"id": "end", "type": "scroll_until", "params": {
            "container": {"resourceId": "com.example.filled:id/written"}, "maxScrolls": 40, "maxDurationMs": 90000}},
        scroll("bottom", "down", "written"),
        scroll("plain", "down", "plain"),
    ]);
    let execution = patient_plan(actions, None);
    let answer = json_of(&run_within(&mut phone, &execution, &cx).await);
    let text = |step: usize, key: &str| answer["stepResults"][step]["data"][key].clone();
    let outcomes = [1, 2, 4, 5].map(|step| text(step, "scroll_outcome"));
    assert_eq!(
        outcomes,
        ["edge_reached", "moved", "edge_reached", "unknown"],
        "{answer:#}"
    );
    assert_eq!(text(3, "termination_reason"), "EDGE_REACHED", "{answer:#}");
}

/// The differences of two answers, one per line.
pub(crate) fn differ(path: &str, a: &Value, b: &Value) -> String {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            let more = y.keys().filter(|key| !x.contains_key(*key));
            let keys = x.keys().chain(more);
            keys.map(|key| differ(&format!("{path}/{key}"), &a[key], &b[key]))
                .collect()
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            let pairs = x.iter().zip(y).enumerate();
            pairs
                .map(|(place, (x, y))| differ(&format!("{path}/{place}"), x, y))
                .collect()
        }
        _ if a == b => String::new(),
        _ => format!("\n    {path}: {a} => {b}"),
    }
}

/// An answer without durations.
pub(crate) fn without_durations(mut answer: Value) -> Value {
    match &mut answer {
        Value::Object(fields) => {
            fields.remove("elapsed_ms");
            for value in fields.values_mut() {
                *value = without_durations(value.take());
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = without_durations(item.take());
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    answer
}
