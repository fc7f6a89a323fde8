//! How fast the simulated phone is: starts, taps, snapshots, pictures, a thousand phones. Prints figures, each beside
//! what is wanted of it, in CPU time of the process: `cargo bench -p driver-sim --bench phone`. A wall clock on a shared
//! machine measures the neighbours. Words behind `--` choose parts: `-- taps pictures`.
//!
//! Machines differ, and so does one machine from minute to minute: each part says with its figures how long a fixed piece
//! of work took just then, and what compares two commits is the figure divided by that.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ProcessTime;
use driver::Observation;
use driver_sim::{AppSource, Phone, SimOptions, Start, built_in_apps};
use uitree::Point;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The CPU time of `work`, and what it gives.
fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let begin = ProcessTime::now();
    let result = work();
    (begin.elapsed(), result)
}

fn phone(options: &SimOptions) -> Phone {
    match Phone::start(options) {
        Ok(phone) => phone,
        Err(error) => panic!("{error}"),
    }
}

fn look(phone: &mut Phone) -> Observation {
    match phone.observe() {
        Some(seen) => seen,
        None => panic!("the screen is off"),
    }
}

fn start(to: &Start) -> (Phone, Observation) {
    let mut phone = phone(&SimOptions {
        start: to.clone(),
        ..SimOptions::default()
    });
    let seen = look(&mut phone);
    (phone, seen)
}

/// The middle of the node that says `name`.
fn place(seen: &Observation, name: &str) -> Point {
    let nodes = seen.tree.nodes().iter();
    let node = nodes
        .filter(|node| &*node.text == name || &*node.label == name)
        .find_map(|node| node.bounds);
    match node {
        Some(bounds) => bounds.center(),
        None => panic!("no node says {name}"),
    }
}

/// A part of the bench and its name.
type Part = (&'static str, fn());

const PARTS: [Part; 5] = [
    ("starts", starts),
    ("taps", taps),
    ("snapshots", snapshots),
    ("pictures", pictures),
    ("thousand", thousand),
];

fn main() {
    // Cargo adds flags of its own.
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    for (name, part) in PARTS {
        if asked.is_empty() || asked.iter().any(|word| word == name) {
            part();
            println!(
                "  [{name}: the yardstick took {:.2} ms]",
                millis(yardstick())
            );
        }
    }
}

/// What a fixed piece of work takes: numbers put into a table and looked up, which is what a phone does most.
fn yardstick() -> Duration {
    let work = || {
        let mut table = std::collections::BTreeMap::new();
        let mut number = 1_u64;
        for _ in 0..40_000 {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            table.insert(number >> 40, number.to_string());
        }
        black_box(table.values().map(String::len).sum::<usize>());
    };
    median((0..5).map(|_| timed(work).0).collect())
}

/// The built-in apps, written down: asking the phone for them reads their files, which is part of what a start costs.
const PACKAGES: [&str; 9] = [
    "com.android.launcher3",
    "com.android.settings",
    "com.android.browser",
    "com.example.shop",
    "com.example.forms",
    "com.example.mail",
    "com.example.chat",
    "com.example.torture",
    "com.example.maps",
];

/// From nothing to the first snapshot of every app, its file unread until then.
fn starts() {
    println!("start to first snapshot, CPU:");
    let (time, (_, seen)) = timed(|| start(&Start::Launcher));
    let nodes = seen.tree.nodes().len();
    println!(
        "  the first phone of the process      {:8.2} ms   wanted: under 5   ({nodes} nodes)",
        millis(time)
    );
    for package in PACKAGES {
        let target = Start::App(package.to_owned());
        let (first, _) = timed(|| start(&target));
        let again = (0..21).map(|_| timed(|| start(&target)).0).collect();
        println!(
            "  {:<34}  {:8.2} ms   wanted: under 5   (again: {:.2} ms)",
            package,
            millis(first),
            millis(median(again)),
        );
    }
    let known: Vec<&str> = built_in_apps().map(|app| app.package).collect();
    assert_eq!(known, PACKAGES, "every built-in app is started");
}

/// The bench's own app at `uri`.
fn own(uri: &str) -> Phone {
    phone(&SimOptions {
        apps: vec![
            AppSource::BuiltIn,
            AppSource::Text {
                name: "bench.yaml".to_owned(),
                yaml: format!("{APP}{}", written()),
            },
        ],
        start: Start::Uri(uri.to_owned()),
        ..SimOptions::default()
    })
}

/// A screen of 5,000 widgets that are written one by one.
fn written() -> String {
    let widgets = (0..5000).map(|number| format!("            - text: \"Line {number}\"\n"));
    format!(
        r#"
  written:
    title: "Count {{count}}"
    body:
      - button: {{ text: "Count", on_click: {{ set: {{ count: "= count + 1" }} }} }}
      - scroll:
          children:
            - text: "Pressed {{count}} times"
{}"#,
        widgets.collect::<String>()
    )
}

/// A finger goes down and up, and the screen is looked at, again and again; each tap changes a text.
fn taps() {
    println!("a tap and a look, CPU:");
    let (count, first) = ("Count", "Row 1");
    for (screen, uri, name, count, wanted) in [
        (
            "a screen of 100 nodes",
            "bench://busy",
            count,
            5000_u32,
            5000,
        ),
        ("a list of 200 rows", "bench://list", count, 5000, 5000),
        (
            "5,000 nodes of records in a scroll",
            "torture://thousands",
            first,
            500,
            500,
        ),
        (
            "5,000 written nodes in a scroll",
            "bench://written",
            count,
            500,
            500,
        ),
        (
            "10,000 rows in a list",
            "torture://endless",
            first,
            5000,
            1000,
        ),
    ] {
        let mut phone = own(uri);
        let at = place(&look(&mut phone), name);
        let mut before = look(&mut phone);
        for _ in 0..20 {
            phone.tap(at);
            before = look(&mut phone);
        }
        let (time, last) = timed(|| {
            let mut last = None;
            for _ in 0..count {
                phone.tap(at);
                last = phone.observe();
            }
            last
        });
        let last = last.map_or(before.revision, |last| last.revision);
        assert!(
            last.0 >= before.revision.0 + u64::from(count),
            "every tap on {uri} changes the screen"
        );
        println!(
            "  {screen:<34}  {:8.0} a second   wanted: {wanted}   ({} nodes)",
            f64::from(count) / time.as_secs_f64(),
            before.tree.nodes().len()
        );
    }
}

/// Looking at a screen after it has changed, without what brought the change.
fn snapshots() {
    println!("a snapshot of a screen of 100 nodes, CPU:");
    let mut phone = own("bench://busy");
    let at = place(&look(&mut phone), "Count");
    let mut looks = Duration::ZERO;
    let mut writes = Duration::ZERO;
    let mut letters = 0;
    let count = 2000;
    for _ in 0..count {
        phone.tap(at);
        let (time, seen) = timed(|| look(&mut phone));
        looks += time;
        let (time, xml) = timed(|| seen.tree.to_hierarchy_xml());
        writes += time;
        letters = black_box(xml).len();
    }
    let micros = |time: Duration| millis(time) * 1000.0 / f64::from(count);
    println!(
        "  observe, after a change             {:8.1} µs   wanted: under 100",
        micros(looks)
    );
    println!(
        "  hierarchy_xml of it                 {:8.1} µs   ({letters} bytes)",
        micros(writes)
    );
}

fn pictures() {
    let (mut phone, _) = start(&Start::App("com.android.settings".to_owned()));
    let times = (0..15)
        .map(|_| {
            let (time, png) = timed(|| phone.draw().to_png());
            assert!(png.len() > 10_000, "a picture has more to it");
            time
        })
        .collect();
    println!(
        "picture of a screen as PNG, CPU       {:8.2} ms   wanted: under 25",
        millis(median(times))
    );
}

/// The memory that the process holds, in bytes, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn memory() -> String {
    resident().map_or_else(
        || "memory is not told here".to_owned(),
        |bytes| format!("{:.0} MB resident", bytes as f64 / 1e6),
    )
}

/// A thousand phones at once, each in the settings.
fn thousand() {
    println!("1,000 phones in one process, each in the settings:");
    let target = Start::App("com.android.settings".to_owned());
    let (time, mut phones) = timed(|| (0..1000).map(|_| start(&target).0).collect::<Vec<_>>());
    println!(
        "  started and looked at once          {:8.2} s CPU, {}   wanted: under 2,000 MB",
        time.as_secs_f64(),
        memory()
    );
    let (time, ()) = timed(|| {
        for phone in &mut phones {
            for step in 0..20 {
                let at = place(
                    &look(phone),
                    if step % 2 == 0 {
                        "Connected devices"
                    } else {
                        "Navigate up"
                    },
                );
                phone.tap(at);
                look(phone);
            }
        }
    });
    println!(
        "  after 20 taps on each               {:8.2} s CPU, {}   wanted: under 2,000 MB",
        time.as_secs_f64(),
        memory()
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
  - { uri: "bench://written", open: written }
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
