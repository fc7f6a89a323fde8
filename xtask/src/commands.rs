//! Measures whole commands through a real adb server to a simulated phone: time, connections, bytes.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cargo;

/// Number of measured runs of a command.
const MEASURED_RUNS: usize = 100;
/// Number of unmeasured runs before the measurement.
const WARM_UP_RUNS: usize = 10;
/// Number of runs through the counting proxy.
const PROXY_RUNS: u64 = 10;

/// A screen of about 100 nodes; a click changes one of them.
const ROWS_APP: &str = "app: com.bench.rows\nlabel: Rows\nicon: star\nstart: main\nstate: { n: 0, on: false }\nscreens:\n  main:\n    \
                   title: Rows\n    body:\n      - text: { text: \"count {n}\", id: count }\n      - button: { text: Add, id: add, on_click: { set: { n: \"= n + 1\" } } }\n";

/// A list of ten screens.
const LIST_APP: &str = "app: com.bench.list\nlabel: List\nicon: list\nstart: main\nstate: { n: 0 }\nscreens:\n  main:\n    title: List\n    \
                    body:\n      - list:\n";
/// The number of its rows.
const LIST_ROWS: usize = 100;
/// The number of runs at the pace of a phone.
const PACED_RUNS: usize = 3;

const CLICK_PLAN: &str = r#"{"commandId":"bench","taskId":"bench","source":"bench","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[
{"id":"a","type":"click","params":{"matcher":{"textEquals":"Add"}}},
{"id":"b","type":"wait_for_node","params":{"matcher":{"textContains":"count"}}},
{"id":"c","type":"read_text","params":{"matcher":{"textContains":"count"}}},
{"id":"d","type":"click","params":{"matcher":{"textEquals":"Add"}}},
{"id":"e","type":"read_text","params":{"matcher":{"textContains":"count"}}}]}"#;

/// Makes a release build, starts an adb server and two phones, and prints the measurements; returns the errors.
pub(crate) fn print(root: &Path) -> Vec<String> {
    match measure(root) {
        Ok(()) => Vec::new(),
        Err(problem) => vec![format!("commands: {problem}")],
    }
}

fn measure(root: &Path) -> Result<(), String> {
    cargo(root, &["build", "--release", "--quiet", "--package", "cli"])?;
    let bench = Bench::start(root)?;
    let serial = bench.plain.serial.clone();
    yardstick();
    let version = bench.times(|| Ok(bench.clawperator(bench.port, &["--version"])))?;
    println!("yardstick, `clawperator --version`: {}", shown(&version));
    let adb = bench.times(|| Ok(bench.adb(&["-s", &serial, "shell", "echo"])))?;
    println!("yardstick, `adb shell echo`: {}", shown(&adb));
    let counter = Counter::before(bench.port)?;
    bench.one("devices", None, &["devices"], &counter, &bench.plain)?;
    for (via, phone) in [
        ("agent", &bench.plain),
        ("stock", &bench.plain),
        ("operator", &bench.with_app),
    ] {
        println!("\n`--via {via}`:");
        for (what, wanted, arguments) in [
            ("click", 15.0, &["click", "--text", "Add"][..]),
            ("snapshot", 20.0, &["snapshot"]),
            (
                "exec, five actions",
                40.0,
                &["exec", "--payload", CLICK_PLAN],
            ),
        ] {
            let device = ["--device", &phone.serial, "--via", via];
            let wanted = (via == "stock").then_some(wanted);
            bench.one(
                what,
                wanted,
                &[arguments, &device].concat(),
                &counter,
                phone,
            )?;
        }
    }
    bench.pace()?;
    drop(bench);
    println!("\nin one process:");
    cargo(
        root,
        &[
            "bench",
            "--quiet",
            "--package",
            "service",
            "--bench",
            "taps",
        ],
    )
}

/// An adb server, three phones and their folder.
struct Bench {
    binary: PathBuf,
    folder: PathBuf,
    port: u16,
    /// A phone without the Operator app.
    plain: Phone,
    /// A phone with the Operator app.
    with_app: Phone,
    /// A phone that is as slow as real ones, with a list of ten screens.
    paced: String,
}

/// A simulated phone.
#[derive(Default)]
struct Phone {
    serial: String,
    /// The phone's record of requests and their durations, as NDJSON. `None` with the Operator app, where one stream reads the
    /// phone's log all the time and the sum of the durations means nothing.
    seen: Option<PathBuf>,
}

impl Bench {
    fn start(root: &Path) -> Result<Self, String> {
        let folder = root.join("target/bench-commands");
        // Left by an earlier run, if there was one.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let app = folder.join("rows.yaml");
        let rows: String = (1..=31)
            .map(|row| {
                format!(
                    "      - row: [ {{ text: \"Row {row}\", grow: 1 }}, {{ text: \"value {row}\" }} ]\n"
                )
            })
            .collect();
        fs::write(&app, format!("{ROWS_APP}{rows}")).map_err(|error| error.to_string())?;
        let binary = root
            .join("target/release")
            .join(format!("clawperator{}", std::env::consts::EXE_SUFFIX));
        let mut bench = Self {
            binary,
            port: free_port()?,
            plain: Phone::default(),
            with_app: Phone::default(),
            paced: String::new(),
            folder,
        };
        let started = output(&mut bench.adb(&["start-server"]))?;
        if !started.status.success() {
            return Err(format!("adb start-server: {started:?}"));
        }
        let app = app.display().to_string();
        let seen = bench.folder.join("seen.ndjson");
        bench.plain = Phone {
            serial: bench.phone(&app, &["--record", &seen.display().to_string()])?,
            seen: Some(seen),
        };
        bench.with_app = Phone {
            serial: bench.phone(&app, &["--operator"])?,
            seen: None,
        };
        let list = bench.folder.join("list.yaml");
        let items: String = (1..=LIST_ROWS)
            .map(|row| {
                format!(
                    "          - {{ item: \"Row {row}\", on_click: {{ set: {{ n: {row} }} }} }}\n"
                )
            })
            .collect();
        fs::write(&list, format!("{LIST_APP}{items}")).map_err(|error| error.to_string())?;
        let list = list.display().to_string();
        bench.paced = bench.start_phone(&["--app", &list, "--sim-pace", "phone"])?;
        Ok(bench)
    }

    /// Starts a phone whose screen shows all rows; returns its serial.
    fn phone(&self, app: &str, more: &[&str]) -> Result<String, String> {
        self.start_phone(&[&["--app", app, "--sim-screen", "1080x8000"], more].concat())
    }

    /// Starts a phone; returns its serial.
    fn start_phone(&self, arguments: &[&str]) -> Result<String, String> {
        let started = self.run(&[&["sim", "start"], arguments].concat())?;
        let serial = started["serial"].as_str();
        serial
            .map(str::to_owned)
            .ok_or_else(|| "the phone has no serial".to_owned())
    }

    fn prepared(&self, program: &Path, port: u16) -> Command {
        let mut command = Command::new(program);
        command
            .env("HOME", &self.folder)
            .env("XDG_RUNTIME_DIR", &self.folder)
            .env("ANDROID_ADB_SERVER_PORT", port.to_string())
            .env_remove("ADB_SERVER_SOCKET")
            .env_remove("ANDROID_ADB_SERVER_ADDRESS")
            .env_remove("ANDROID_SERIAL")
            .stdin(Stdio::null());
        command
    }

    fn clawperator(&self, port: u16, arguments: &[&str]) -> Command {
        let mut command = self.prepared(&self.binary, port);
        command.args(arguments);
        command
    }

    fn adb(&self, arguments: &[&str]) -> Command {
        let adb = std::env::var_os("ADB_PATH").unwrap_or_else(|| "adb".into());
        let mut command = self.prepared(Path::new(&adb), self.port);
        command.args(arguments);
        command
    }

    /// Runs a command that must succeed.
    fn run(&self, arguments: &[&str]) -> Result<Value, String> {
        let ran = output(&mut self.clawperator(self.port, arguments))?;
        let said = String::from_utf8_lossy(&ran.stdout);
        if !ran.status.success() {
            return Err(format!("{}: {said}", arguments.join(" ")));
        }
        serde_json::from_str(&said).map_err(|error| format!("{error}: {said}"))
    }

    /// The wall-clock times of a command, in milliseconds.
    fn times(&self, make: impl Fn() -> Result<Command, String>) -> Result<Vec<f64>, String> {
        let mut times = Vec::new();
        for run in 0..WARM_UP_RUNS + MEASURED_RUNS {
            let mut command = make()?;
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let clock = Instant::now();
            let status = command.status().map_err(|error| error.to_string())?;
            let took = millis(clock.elapsed());
            if !status.success() {
                return Err(format!("{command:?} failed"));
            }
            if run >= WARM_UP_RUNS {
                times.push(took);
            }
        }
        Ok(times)
    }

    /// Compares the agent with stock tools on a phone that is as slow as real ones.
    fn pace(&self) -> Result<(), String> {
        println!("\nat the pace of a phone (`sim start --sim-pace phone`), agent and stock:");
        // The limits are those of stock tools.
        let scroll = format!(
            r#"{{"commandId":"scroll","taskId":"bench","source":"bench","expectedFormat":"android-ui-automator","timeoutMs":100000,"actions":[
{{"id":"a","type":"scroll_until","params":{{"matcher":{{"textEquals":"Row {LIST_ROWS}"}},"maxDurationMs":90000}}}}]}}"#
        );
        for (what, wanted, arguments) in [
            ("snapshot", 10, &["snapshot"][..]),
            ("click", 10, &["click", "--text", "Row 1"]),
            (
                "scroll_until over ten screens",
                8,
                &["exec", "--payload", &scroll],
            ),
        ] {
            let mut medians = Vec::new();
            for via in ["agent", "stock"] {
                let mut times = Vec::new();
                for _ in 0..PACED_RUNS {
                    // Opening it again scrolls to the top.
                    self.run(&["close", "com.bench.list", "--device", &self.paced])?;
                    self.run(&["open", "com.bench.list", "--device", &self.paced])?;
                    let device = ["--device", &self.paced, "--via", via];
                    let clock = Instant::now();
                    self.run(&[arguments, &device].concat())?;
                    times.push(millis(clock.elapsed()));
                }
                times.sort_by(f64::total_cmp);
                medians.push(times[PACED_RUNS / 2]);
            }
            println!(
                "{what}: {:.0} ms and {:.0} ms, 1/{:.1}, wanted 1/{wanted}",
                medians[0],
                medians[1],
                medians[1] / medians[0]
            );
        }
        Ok(())
    }

    /// The phone's time in its record after byte `from`, in milliseconds, and the length of the record.
    fn phone_time(seen: &Path, from: usize) -> Result<(f64, usize), String> {
        let text = fs::read_to_string(seen).map_err(|error| error.to_string())?;
        let new = text.get(from..).unwrap_or_default();
        let lines = new
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let took = lines.filter_map(|line| line["tookMs"].as_f64()).sum();
        Ok((took, text.len()))
    }

    /// Measures one command and prints the result.
    fn one(
        &self,
        what: &str,
        wanted: Option<f64>,
        arguments: &[&str],
        counter: &Counter,
        phone: &Phone,
    ) -> Result<(), String> {
        let (mut whole, mut ours) = (Vec::new(), Vec::new());
        let mut place = match &phone.seen {
            Some(seen) => Self::phone_time(seen, 0)?.1,
            None => 0,
        };
        for run in 0..WARM_UP_RUNS + MEASURED_RUNS {
            let mut command = self.clawperator(self.port, arguments);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let clock = Instant::now();
            let status = command.status().map_err(|error| error.to_string())?;
            let took = millis(clock.elapsed());
            if !status.success() {
                return Err(self.run(arguments).err().unwrap_or_else(|| what.to_owned()));
            }
            if run >= WARM_UP_RUNS {
                whole.push(took);
            }
            if let Some(seen) = &phone.seen {
                let (its, end) = Self::phone_time(seen, place)?;
                place = end;
                if run >= WARM_UP_RUNS {
                    ours.push(took - its);
                }
            }
        }
        let before = counter.read();
        let mut nodes = 0;
        for _ in 0..PROXY_RUNS {
            let ran = output(&mut self.clawperator(counter.port, arguments))?;
            nodes = String::from_utf8_lossy(&ran.stdout)
                .matches("<node ")
                .count();
        }
        let after = counter.read();
        let each = |place: usize| (after[place] - before[place]) / PROXY_RUNS;
        let wanted = wanted.map_or_else(String::new, |wanted| format!(", wanted {wanted} ms"));
        let nodes = if nodes > 0 {
            format!(", {nodes} nodes")
        } else {
            String::new()
        };
        let ours = if phone.seen.is_some() {
            format!("; without the phone's own time {}", shown(&ours))
        } else {
            String::new()
        };
        println!(
            "{what}: {}{ours}{wanted}; {} connections, {} bytes to the server, {} back{nodes}",
            shown(&whole),
            each(0),
            each(1),
            each(2),
        );
        Ok(())
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // Stops what was started; errors here change no measurement.
        let _ = output(&mut self.clawperator(self.port, &["sim", "stop", "--all"]));
        let _ = output(&mut self.adb(&["kill-server"]));
    }
}

/// A proxy in front of the server that counts connections, bytes sent and bytes received.
struct Counter {
    port: u16,
    counts: Arc<[AtomicU64; 3]>,
}

impl Counter {
    fn before(server: u16) -> Result<Self, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let port = listener
            .local_addr()
            .map_err(|error| error.to_string())?
            .port();
        let counts = Arc::new([const { AtomicU64::new(0) }; 3]);
        let all = Arc::clone(&counts);
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(("127.0.0.1", server)) else {
                    continue;
                };
                all[0].fetch_add(1, Ordering::Relaxed);
                let ends = (near.try_clone(), far.try_clone());
                if let (Ok(near_too), Ok(far_too)) = ends {
                    pass(near, far, 1, &all);
                    pass(far_too, near_too, 2, &all);
                }
            }
        });
        Ok(Self { port, counts })
    }

    fn read(&self) -> [u64; 3] {
        [0, 1, 2].map(|place| self.counts[place].load(Ordering::Relaxed))
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, place: usize, counts: &Arc<[AtomicU64; 3]>) {
    let counts = Arc::clone(counts);
    std::thread::spawn(move || {
        let mut bytes = vec![0; 64 * 1024];
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            counts[place].fetch_add(read as u64, Ordering::Relaxed);
            if to.write_all(&bytes[..read]).is_err() {
                break;
            }
        }
        // The other side may have closed it already.
        let _ = to.shutdown(Shutdown::Write);
    });
}

/// Prints the current speed of this machine, so that two runs can be compared.
fn yardstick() {
    let mut times: Vec<f64> = (0..20)
        .map(|_| {
            let clock = Instant::now();
            let sum = (0..1_000_000_u64).fold(1_u64, |all, n| {
                std::hint::black_box(all.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(n))
            });
            std::hint::black_box(sum);
            millis(clock.elapsed())
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default().to_owned();
    println!(
        "yardstick, a million multiplications: {}; load {load}",
        shown(&times)
    );
}

fn shown(times: &[f64]) -> String {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let at = |share: usize| {
        times
            .get(times.len() * share / 100)
            .copied()
            .unwrap_or_default()
    };
    format!("median {:.1} ms, p90 {:.1}", at(50), at(90))
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn output(command: &mut Command) -> Result<std::process::Output, String> {
    command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))
}

fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    Ok(address.port())
}
