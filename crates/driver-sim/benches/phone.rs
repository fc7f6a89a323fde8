//! How fast the simulated phone is: start, actions, pictures. Prints figures; `cargo bench -p driver-sim`.

use std::time::{Duration, Instant};

use driver::{NodeAct, Observation};
use driver_sim::{Phone, SimOptions, Start};

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn start(to: &Start) -> (Phone, Observation) {
    let options = SimOptions {
        start: to.clone(),
        ..SimOptions::default()
    };
    let mut phone = match Phone::start(&options) {
        Ok(phone) => phone,
        Err(error) => panic!("{error}"),
    };
    let Some(seen) = phone.observe() else {
        panic!("the screen is off")
    };
    (phone, seen)
}

/// Clicks the node called `name` and observes, again and again.
fn clicks(phone: &mut Phone, name: &str, count: u32) -> (usize, f64) {
    let begin = Instant::now();
    let mut nodes = 0;
    for _ in 0..count {
        let Some(seen) = phone.observe() else { break };
        nodes = seen.tree.nodes().len();
        let place = seen
            .tree
            .nodes()
            .iter()
            .position(|node| &*node.text == name || &*node.label == name);
        let Some(node) = place.and_then(|place| seen.tree.get(place)) else {
            panic!("no node called {name}")
        };
        if let Err(error) = phone.act(seen.node_ref(node), &NodeAct::Click) {
            panic!("{error}");
        }
    }
    (nodes, f64::from(count) / begin.elapsed().as_secs_f64())
}

fn main() {
    let begin = Instant::now();
    let (_, seen) = start(&Start::Launcher);
    println!(
        "first start to first snapshot   {:8.2} ms   ({} nodes)",
        millis(begin.elapsed()),
        seen.tree.nodes().len()
    );
    for (name, target) in [
        ("launcher", Start::Launcher),
        ("settings", Start::App("com.android.settings".to_owned())),
        ("shop", Start::App("com.example.shop".to_owned())),
    ] {
        let times = (0..21)
            .map(|_| {
                let begin = Instant::now();
                start(&target);
                begin.elapsed()
            })
            .collect();
        println!(
            "start to snapshot, {name:<12} {:8.2} ms",
            millis(median(times))
        );
    }

    for (screen, uri, target) in [
        ("a busy screen", "bench://busy", "Count"),
        ("a list of 200", "bench://list", "Count"),
        ("a huge screen", "bench://huge", "Count"),
    ] {
        let options = SimOptions {
            apps: vec![driver_sim::AppSource::Text {
                name: "bench.yaml".to_owned(),
                yaml: app(),
            }],
            start: Start::Uri(uri.to_owned()),
            ..SimOptions::default()
        };
        let mut phone = match Phone::start(&options) {
            Ok(phone) => phone,
            Err(error) => panic!("{error}"),
        };
        clicks(&mut phone, target, 50);
        let (nodes, rate) = clicks(&mut phone, target, 2000);
        println!("click and observe, {screen:<14} {rate:6.0} per second ({nodes} nodes)");
    }

    let (mut phone, _) = start(&Start::App("com.android.settings".to_owned()));
    let times = (0..9)
        .map(|_| {
            let begin = Instant::now();
            let bytes = phone.draw().to_png().len();
            assert!(
                bytes > 10_000,
                "a picture of the settings is larger than {bytes} bytes"
            );
            begin.elapsed()
        })
        .collect();
    println!(
        "picture as PNG                  {:8.2} ms",
        millis(median(times))
    );
}

const APP: &str = r#"
app: com.example.bench
label: Bench
start: busy
state: { count: 0 }
data:
  rows:
    repeat: 200
    item: { name: "Row {n}" }
links:
  - { uri: "bench://busy", open: busy }
  - { uri: "bench://list", open: list }
  - { uri: "bench://huge", open: huge }
screens:
  busy:
    title: "Count {count}"
    body:
      - button: { text: "Count", on_click: { set: { count: "= count + 1" } } }
      - list:
          columns: 4
          items: rows
          filter: "index < 28"
          row:
            - column:
                children:
                  - text: "{name} of {count}"
                  - text: "fixed"
  huge:
    title: "Count {count}"
    body:
      - button: { text: "Count", on_click: { set: { count: "= count + 1" } } }
      - scroll:
HUGE
  list:
    title: "Count {count}"
    body:
      - button: { text: "Count", on_click: { set: { count: "= count + 1" } } }
      - list:
          items: rows
          row:
            - item: "{name}"
              summary: "a second line"
              icon: star
"#;

/// The app, with the five thousand nodes that nobody wants to write.
fn app() -> String {
    let row = format!("          - row: [{}]\n", "{ text: word }, ".repeat(9));
    APP.replace("HUGE\n", &row.repeat(500))
}
